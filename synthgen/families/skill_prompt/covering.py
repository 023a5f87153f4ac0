"""Covering designs: few blocks of k items out of v such that every t of the items share a block.

The search is greedy: a block starts from t items that share no block yet and takes, one by one, the
item that covers most new t-subsets; ties go to the least used item, then to a random one. The best
of a few starts becomes the block, and blocks that turn out to be redundant are dropped at the end.
A subset c1 < c2 < ... has the number C(c1, 1) + C(c2, 2) + ..., so no list of subsets is needed.

Topics are given to blocks greedily, too: the topic that the block's items have met least, then the
least used one. Where an item still meets one topic at least twice more often than another,
simulated annealing evens it out as far as it can.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthgen.core.errors import ParamError
from synthgen.core.kernels import Int, jit, kernel
from synthgen.draws.randomness import draw_below, draw_bits, mix64, stream_key

Ints = NDArray[np.int64]

_MOST_SUBSETS = 50_000_000
_STARTS = 6
_MOST_RUNS, _RUN_SUBSETS = 16, 2_000
"""Small designs are searched for several times, and the smallest is taken."""
_MOST_NODES = 20_000
"""Partial blocks tried before a start that greed cannot complete is given up."""
_EFFORT = 400_000
"""Moves of the annealing."""
_HEAT, _SWEEPS_BETWEEN_CHECKS = 0.3, 8
# Numbers of numpy, as a kernel is compiled again for every literal of Python.
_ADD, _REMOVE, _NO_PLACE, _DROPPED = np.int64(1), np.int64(-1), np.int64(-1), np.int64(-1)


class _Search(NamedTuple):
    """State of a search for blocks of k items out of v.

    Attributes:
        binomials: C(n, r) for n up to v and r up to t.
        places: t-subsets of the places of a block, by their number, (C(k, t), t).
        barred: pairs of items that no block may have, bool (v, v).
        covers: number of blocks that contain each t-subset, (C(v, t),).
        uses: number of blocks that contain each item, (v,).
        counter: number of draws so far, (1,).
        subset: room for a t-subset.
        key: of the draws.
    """

    binomials: Ints
    places: Ints
    barred: NDArray[np.bool_]
    covers: NDArray[np.int32]
    uses: Ints
    counter: Ints
    subset: Ints
    key: np.uint64


def covering_design(
    items: int, size: int, strength: int, key: int, barred_pairs: Sequence[tuple[int, int]]
) -> Ints:
    """Find a covering design; the same one for the same arguments.

    Args:
        items: v, at least k.
        size: k, at least t.
        strength: t.
        key: 64 bits for the draws.
        barred_pairs: pairs of items that no block may have.

    Returns:
        Blocks with their items in rising order, int64 (n, k). Subsets that no block can have
        because of barred pairs are left out.

    Raises:
        ParamError: if there are too many subsets.
    """
    total = comb(items, strength)
    if total > _MOST_SUBSETS:
        expected = f"a strength for which {items} skills have at most {_MOST_SUBSETS:,} subsets"
        raise ParamError("strength", strength, expected)
    barred = np.zeros((items, items), np.bool_)
    for one, other in barred_pairs:
        barred[one, other] = barred[other, one] = True
    places = sorted(combinations(range(size), strength), key=lambda subset: subset[::-1])
    found = [
        _cover(
            _Search(
                binomials=np.array(
                    [[comb(n, r) for r in range(strength + 1)] for n in range(items + 1)], np.int64
                ),
                places=np.array(places, np.int64),
                barred=barred,
                covers=np.zeros(total, np.int32),
                uses=np.zeros(items, np.int64),
                counter=np.zeros(1, np.int64),
                subset=np.zeros(strength, np.int64),
                key=np.uint64(stream_key(key, run)),
            ),
            size,
        )
        for run in range(max(1, min(_MOST_RUNS, _RUN_SUBSETS // total)))
    ]
    return min(found, key=len)


@jit
def _cover(search: _Search, size: Int) -> Ints:
    """Take blocks until every subset is covered or known to be infeasible."""
    order = np.arange(len(search.covers))
    blocks = np.empty((1_024, size), np.int64)
    block, best = np.empty(size, np.int64), np.empty(size, np.int64)
    n = 0
    first: Int = np.int64(0)
    while True:
        first = _next_open(order, first, search)
        if first >= len(order):
            break
        if not _best_block(order, first, search, block, best):
            first += 1  # no block can have this subset
            continue
        if n == len(blocks):
            larger = np.empty((2 * n, size), np.int64)
            for i in range(n):  # assigning a slice takes seconds to compile
                _copy(blocks[i], larger[i])
            blocks = larger
        _sort(best)
        _copy(best, blocks[n])
        _mark(best, search, _ADD)
        n += 1
    n_needed = _drop_redundant(blocks, n, search)
    _even_out(blocks[:n_needed], search)
    return blocks[:n_needed]


@kernel
def _copy(source: Ints, target: Ints) -> None:
    """Copy the items of a block."""
    for place in range(len(source)):
        target[place] = source[place]


@kernel
def _sort(block: Ints) -> None:
    """Sort the items of a block by insertion."""
    for i in range(1, len(block)):
        item, j = block[i], i
        while j > 0 and block[j - 1] > item:
            block[j] = block[j - 1]
            j -= 1
        block[j] = item


@kernel
def _drop_redundant(blocks: Ints, n: Int, search: _Search) -> Int:
    """Drop blocks, from the last on, whose subsets have other blocks; return how many are left."""
    for i in range(n - 1, -1, -1):  # the last blocks cover least
        if _fewest_covers(blocks[i], search, _NO_PLACE) > 1:
            _mark(blocks[i], search, _REMOVE)
            blocks[i, 0] = _DROPPED
    kept: Int = np.int64(0)
    for i in range(n):
        if blocks[i, 0] != _DROPPED:
            _copy(blocks[i], blocks[kept])
            kept += 1
    return kept


@kernel
def _best_block(order: Ints, first: Int, search: _Search, block: Ints, best: Ints) -> bool:
    """Write the best block of a few starts to `best`; False if the first start has none."""
    size = len(block)
    best_gain: Int = np.int64(-1)
    best_used: Int = np.int64(0)
    for attempt in range(min(_STARTS, len(order) - first)):
        if attempt:
            place = _next_open(order, first + attempt, search)
            if place >= len(order):
                break
            order[first + attempt], order[place] = order[place], order[first + attempt]
        _write_subset(order[first + attempt], search, block)
        gain = _fill_block(block, search)
        if gain < 0:
            if attempt == 0:
                break
            continue
        used = np.int64(0)
        for place in range(size):
            used += search.uses[block[place]]
        if gain > best_gain or (gain == best_gain and used < best_used):
            best_gain, best_used = gain, used
            _copy(block, best)
    return bool(best_gain >= 0)


@kernel
def _write_subset(number: Int, search: _Search, out: Ints) -> None:
    """Write the subset of a number, in rising order."""
    high: Int = np.int64(len(search.uses))
    for place in range(search.places.shape[1], 0, -1):
        high -= 1
        while search.binomials[high, place] > number:
            high -= 1
        out[place - 1] = high
        number -= search.binomials[high, place]


@kernel
def _subset_number(block: Ints, row: Int, search: _Search) -> Int:
    """Return the number of the subset at the places of a row; the block may be in any order."""
    number: Int = np.int64(0)
    subset = search.subset
    for i in range(len(subset)):
        subset[i] = block[search.places[row, i]]
    _sort(subset)
    for i in range(len(subset)):
        number += search.binomials[subset[i], i + 1]
    return number


@kernel
def _next_open(order: Ints, first: Int, search: _Search) -> Int:
    """Bring a random subset that is not covered yet to the front; return its place or the end.

    The part of `order` from `first` on is shuffled as it is read (Fisher-Yates), and subsets that
    are covered or barred are passed over for good by the caller's next call.
    """
    at, total, subset = first, len(order), search.subset
    while at < total:
        other = at + draw_below(search.key, search.counter[0], total - at)
        search.counter[0] += 1
        order[at], order[other] = order[other], order[at]
        if search.covers[order[at]] == 0:
            _write_subset(order[at], search, subset)
            compatible = True
            for i in range(len(subset)):
                for j in range(i):
                    compatible &= not search.barred[subset[i], subset[j]]
            if compatible:
                return at
        at += 1
    return total


@kernel
def _fill_block(block: Ints, search: _Search) -> Int:
    """Complete a block that begins with a subset; return how many new subsets it covers.

    That is 0 for a block found by search instead of greed, and -1 if there is none.
    """
    strength, uses = search.places.shape[1], search.uses
    gain: Int = np.int64(1)
    for n in range(strength, len(block)):
        ties = 0
        best: Int = np.int64(-1)
        best_gain: Int = np.int64(-1)
        best_uses: Int = np.int64(0)
        for item in range(len(uses)):
            if not _joins(item, block, n, _NO_PLACE, search.barred):
                continue
            block[n] = item
            new: Int = np.int64(0)
            for row in range(search.binomials[n, strength], search.binomials[n + 1, strength]):
                new += search.covers[_subset_number(block, row, search)] == 0
            if new < best_gain or (new == best_gain and uses[item] > best_uses):
                continue
            if new > best_gain or uses[item] < best_uses:
                best, best_gain, best_uses, ties = item, new, uses[item], 1
                continue
            ties += 1
            search.counter[0] += 1
            if draw_below(search.key, search.counter[0], ties) == 0:
                best = item
        if best < 0:
            return np.int64(0) if _complete(block, strength, search.barred) else np.int64(-1)
        block[n] = best
        gain += best_gain
    return gain


@kernel
def _joins(item: Int, block: Ints, n: Int, but: Int, barred: NDArray[np.bool_]) -> bool:
    """Say whether an item goes with the first n of a block, but for the one at a place."""
    for i in range(n):
        if i != but and (block[i] == item or barred[block[i], item]):
            return False
    return True


@kernel
def _complete(block: Ints, n: Int, barred: NDArray[np.bool_]) -> bool:
    """Search for any block that begins with the same n items, depth first and within bounds."""
    place, nodes = n, 0
    item: Int = np.int64(0)
    while place < len(block) and nodes < _MOST_NODES:
        nodes += 1
        while item < len(barred) and not _joins(item, block, place, _NO_PLACE, barred):
            item += 1
        if item < len(barred):
            block[place] = item
            place += 1
            item += 1
            continue
        place -= 1
        if place < n:
            return False
        item = block[place] + 1
    return place == len(block)


@kernel
def _mark(block: Ints, search: _Search, change: Int) -> None:
    """Add or remove a block: change the counts of its subsets and items."""
    for row in range(len(search.places)):
        search.covers[_subset_number(block, row, search)] += change
    for item in block:
        search.uses[item] += change


@kernel
def _fewest_covers(block: Ints, search: _Search, place: Int) -> Int:
    """Return the lowest cover count of a block's subsets, or of those with a place if it is one."""
    fewest: Int = np.int64(2**31 - 1)
    for row in range(len(search.places)):
        has_place = place < 0
        for i in range(search.places.shape[1]):
            has_place |= search.places[row, i] == place
        if has_place:
            fewest = min(fewest, np.int64(search.covers[_subset_number(block, row, search)]))
    return fewest


@kernel
def _extremes(counts: Ints) -> tuple[Int, Int]:
    """Return the lowest and the highest count."""
    low, high = counts[0], counts[0]
    for i in range(len(counts)):
        low, high = min(low, counts[i]), max(high, counts[i])
    return low, high


@kernel
def _even_out(blocks: Ints, search: _Search) -> None:
    """Replace items that a block does not need by less used ones."""
    size, uses = blocks.shape[1], search.uses
    for block in blocks:
        for place in range(size):
            item = block[place]
            lowest, _ = _extremes(uses)
            if uses[item] <= lowest + 1 or _fewest_covers(block, search, place) < 2:
                continue
            best: Int = item
            for other in range(len(uses)):
                if uses[other] < uses[best] - (best == item) and _joins(
                    other, block, size, place, search.barred
                ):
                    best = other
            if best != item:
                _mark(block, search, _REMOVE)
                block[place] = best
                _sort(block)
                _mark(block, search, _ADD)


def assign_topics(blocks: Ints, items: int, topics: int, key: int) -> Ints:
    """Choose a topic for each block; the same ones for the same arguments.

    Args:
        blocks: items of each block, (n, k).
        items: number of items.
        topics: number of topics.
        key: 64 bits for the draws.

    Returns:
        Topic of each block, int64 (n,).
    """
    return _assign(blocks, np.zeros((items, topics), np.int64), np.uint64(key), _EFFORT)


@jit
def _assign(blocks: Ints, counts: Ints, key: np.uint64, effort: Int) -> Ints:
    """Choose topics, given a table of zeros to count how often each item meets each topic."""
    chosen = np.empty(len(blocks), np.int64)
    _choose_greedily(blocks, counts, key, np.zeros(counts.shape[1], np.int64), chosen)
    before = _uneven_items(counts)
    if before == 0:
        return chosen
    even = chosen.copy()
    _anneal(blocks, even, counts, mix64(key), effort // len(blocks))
    return even if _uneven_items(counts) < before else chosen


@kernel
def _choose_greedily(blocks: Ints, counts: Ints, key: np.uint64, times: Ints, chosen: Ints) -> None:
    """Give each block a topic; `times` counts the blocks of each topic."""
    drawn = 0
    for i in range(len(blocks)):
        best, ties = 0, 0
        best_sum: Int = np.int64(-1)
        for topic in range(len(times)):
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


@kernel
def _anneal(blocks: Ints, chosen: Ints, counts: Ints, key: np.uint64, sweeps: Int) -> None:
    """Move random blocks to random topics, uphill ever more rarely, until no item is uneven.

    The sum of squared counts falls; a rise of 2 r is accepted with probability 2^-ceil(r / heat),
    without rounding, so that every machine takes the same steps.
    """
    n, size = blocks.shape
    drawn = 0
    for sweep in range(sweeps):
        if sweep % _SWEEPS_BETWEEN_CHECKS == 0 and not _uneven_items(counts):
            return
        heat = _HEAT * (sweeps - sweep) / sweeps
        for _ in range(n):
            i = draw_below(key, drawn, n)
            new, old = draw_below(key, drawn + 1, counts.shape[1]), chosen[i]
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


@kernel
def _trailing_zeros(bits: np.uint64) -> Int:
    """Count the zero bits at the low end, at most 40: a geometric draw."""
    zeros = 0
    while zeros < 40 and bits & np.uint64(1) == 0:
        bits >>= np.uint64(1)
        zeros += 1
    return zeros


@kernel
def _uneven_items(counts: Ints) -> Int:
    """Count the items that meet one topic at least twice more often than another."""
    uneven = 0
    for row in counts:
        low, high = _extremes(row)
        if high - low > 1:
            uneven += 1
    return uneven
