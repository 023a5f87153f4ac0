"""Topics for the blocks of a design, so that every item meets every topic equally often.

Greedy first: a block gets the topic that its items have met least, then the one that least blocks
have. Where that leaves an item with one topic at least twice more often than with another,
simulated annealing evens it out. Counts that differ by at most one need not exist (every pair of
101 items once, and each item once with each of 100 topics, would be an edge colouring that a
complete graph of odd order does not have), so what comes out is as even as was found.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.checks import check_int
from synthgen.core.covering import MOST_ITEMS, Blocks
from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.randomness import draw_below, draw_bits, mix64

Ints = NDArray[np.int64]
MOST_TOPICS = 10_000
MOST_EFFORT = 8_000_000
_HEAT, _LOOK = 0.3, 8


def assign_topics(
    blocks: Blocks, items: int, topics: int, key: int, effort: int = MOST_EFFORT
) -> Ints:
    """Choose a topic for each block; the same ones for the same arguments.

    Args:
        blocks: items of each block, (n, k).
        items: number of items.
        topics: number of topics, 1 to 10,000.
        key: 64 bits that the lots depend on.
        effort: moves that are tried at most, 0 to 8,000,000, where greed does not suffice.

    Returns:
        Topic of each block, int64 (n,).

    Raises:
        ParamError: for a number of topics out of range.
    """
    check_int("items", items, 1, MOST_ITEMS)
    check_int("topics", topics, 1, MOST_TOPICS)
    check_int("effort", effort, 0, MOST_EFFORT)
    if not len(blocks):
        return np.zeros(0, np.int64)
    wide = blocks.astype(np.int64)
    return _assign(wide, items, topics, np.uint64(key & (2**64 - 1)), effort)


def cell_counts(blocks: Blocks, chosen: Ints, items: int, topics: int) -> Ints:
    """Count how often each item meets each topic, int64 (items, topics)."""
    cells = blocks.astype(np.int64) * topics + chosen[:, None]
    return np.bincount(cells.ravel(), minlength=items * topics).reshape(items, topics)


@njit(cache=True, nogil=True)
def _assign(blocks: Ints, items: Int, topics: Int, key: np.uint64, effort: Int) -> Ints:
    n = len(blocks)
    counts = np.zeros((items, topics), np.int64)
    times = np.zeros(topics, np.int64)
    chosen = np.empty(n, np.int64)
    drawn = 0
    for i in range(n):
        best, ties = 0, 0
        best_sum: Int = np.int64(-1)
        for topic in range(topics):
            total: Int = np.int64(0)
            for item in blocks[i]:
                total += counts[item, topic]
            if (
                best_sum < 0
                or total < best_sum
                or (total == best_sum and times[topic] < times[best])
            ):
                best, best_sum, ties = topic, total, 1
            elif total == best_sum and times[topic] == times[best]:
                ties += 1
                drawn += 1
                if draw_below(key, drawn, ties) == 0:
                    best = topic
        chosen[i] = best
        times[best] += 1
        for item in blocks[i]:
            counts[item, best] += 1
    even = chosen.copy()
    before = _uneven_items(counts)
    if before:
        _anneal(blocks, even, counts, mix64(key), effort // n)
    return even if _uneven_items(counts) < before else chosen


@lent
def _anneal(blocks: Ints, chosen: Ints, counts: Ints, key: np.uint64, sweeps: Int) -> None:
    """Move random blocks to random topics, uphill ever more rarely, until no item is uneven.

    What falls is the sum of squared counts; a rise of 2 r is accepted with probability
    2^-ceil(r / heat), without rounding, so that every machine takes the same steps.
    """
    n, size = blocks.shape
    topics = counts.shape[1]
    drawn = 0
    for sweep in range(sweeps):
        if sweep % _LOOK == 0 and not _uneven_items(counts):
            return
        heat = _HEAT * (sweeps - sweep) / sweeps
        for _ in range(n):
            i = draw_below(key, drawn, n)
            new, old = draw_below(key, drawn + 1, topics), chosen[i]
            bits = draw_bits(key, drawn + 2)
            drawn += 3
            if new == old:
                continue
            rise = size
            for item in blocks[i]:
                rise += counts[item, new] - counts[item, old]
            if rise > 0 and rise > heat * _trailing_zeros(bits):
                continue
            chosen[i] = new
            for item in blocks[i]:
                counts[item, old] -= 1
                counts[item, new] += 1


@lent
def _trailing_zeros(bits: np.uint64) -> Int:
    """Count the zero bits at the low end, at most 40: a geometric draw."""
    zeros = 0
    while zeros < 40 and bits & np.uint64(1) == 0:
        bits >>= np.uint64(1)
        zeros += 1
    return zeros


@lent
def _uneven_items(counts: Ints) -> Int:
    """Count the items that meet one topic at least twice more often than another."""
    uneven = 0
    for row in counts:
        if row.max() - row.min() > 1:
            uneven += 1
    return uneven
