"""Covering designs: few blocks of k items out of v such that every t of the items are in one.

The search is greedy: a block starts from t items that no block has yet and takes, one by one, the
item that covers most new t-subsets; of equal ones the least used, then one by lot. The best of a
few starts becomes the block, and blocks that turn out not to be needed are dropped at the end.
Schoenheim's bound (1964) says how few blocks there can be.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import comb

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.checks import check_int
from synthgen.core.covering_search import (
    count_covers,
    even_out,
    extend_block,
    mark_block,
    next_open,
    subset_of,
)
from synthgen.core.errors import ParamError
from synthgen.core.kinds import Int
from synthgen.core.randomness import stream_key

MOST_ITEMS, MOST_SIZE, MOST_STRENGTH = 1_000, 12, 4
_MOST_SUBSETS = 50_000_000
_STARTS = 6
_MOST_RUNS, _RUN_SUBSETS = 16, 2_000
"""Small designs are searched for several times, and the smallest is taken."""

Blocks = NDArray[np.int16]


@dataclass(frozen=True)
class Covering:
    """A covering design.

    Attributes:
        items, size, strength: v, k and t.
        blocks: different items in rising order, int16 (n, k).
        infeasible: t-subsets without an incompatible pair that no block of k can have, int16
            (m, t).
    """

    items: int
    size: int
    strength: int
    blocks: Blocks
    infeasible: Blocks

    @property
    def uses(self) -> NDArray[np.int64]:
        """Number of blocks that each item is in, int64 (v,)."""
        return np.bincount(self.blocks.ravel(), minlength=self.items)


def schoenheim_bound(items: int, size: int, strength: int) -> int:
    """Return how many blocks every design C(v, k, t) has at least."""
    bound = 1
    for left in range(strength - 1, -1, -1):
        bound = -(-(items - left) * bound // (size - left))
    return bound


def cell_count(items: int, topics: int, size: int) -> int:
    """Return how many pairs of a set of `size` items and a topic there are."""
    return comb(items, size) * topics


def covering_design(
    items: int,
    size: int,
    strength: int,
    key: int,
    incompatible: Iterable[tuple[int, int]] = (),
) -> Covering:
    """Find a covering design; the same one for the same arguments.

    Args:
        items: v, 1 to 1,000.
        size: k, 1 to 12, at most v.
        strength: t, 1 to 4, at most k.
        key: 64 bits that the lots depend on.
        incompatible: pairs of items that no block may have together.

    Raises:
        ParamError: for numbers out of these ranges.
    """
    check_int("items", items, 1, MOST_ITEMS)
    check_int("size", size, 1, min(MOST_SIZE, items))
    check_int("strength", strength, 1, min(MOST_STRENGTH, size))
    if comb(items, strength) > _MOST_SUBSETS:
        raise ParamError("items", items, f"at most {_MOST_SUBSETS:,} subsets of {strength}")
    barred = _barred(items, incompatible)
    binomials = _binomials(items)
    found = [
        _search(items, size, strength, np.uint64(stream_key(key, run)), barred, _STARTS, binomials)
        for run in range(max(1, min(_MOST_RUNS, _RUN_SUBSETS // comb(items, strength))))
    ]
    blocks, infeasible = min(found, key=lambda one: len(one[0]))
    return Covering(items, size, strength, blocks, infeasible)


def _barred(items: int, incompatible: Iterable[tuple[int, int]]) -> NDArray[np.bool_]:
    barred = np.zeros((items, items), np.bool_)
    for one, other in incompatible:
        check_int("incompatible", one, 0, items - 1)
        check_int("incompatible", other, 0, items - 1)
        if one == other:
            raise ParamError("incompatible", (one, other), "two different items")
        barred[one, other] = barred[other, one] = True
    return barred


def _binomials(items: int) -> NDArray[np.int64]:
    """Return C(n, r) for n up to `items` and r up to the largest strength."""
    rows = [[comb(n, r) for r in range(MOST_STRENGTH + 1)] for n in range(items + 1)]
    return np.array(rows, np.int64)


@njit(cache=True, nogil=True)
def _search(
    items: Int,
    size: Int,
    strength: Int,
    key: np.uint64,
    barred: NDArray[np.bool_],
    starts: Int,
    binomials: NDArray[np.int64],
) -> tuple[Blocks, Blocks]:
    """Take blocks until every subset is covered or known to be infeasible."""
    total = binomials[items, strength]
    covers = np.zeros(total, np.int32)
    uses = np.zeros(items, np.int64)
    order = np.arange(total)
    found = np.empty((1_024, size), np.int16)
    lost = np.empty((0, strength), np.int16)
    block, best = np.empty(size, np.int64), np.empty(size, np.int64)
    start = np.empty(strength, np.int64)
    counter = np.zeros(1, np.int64)
    n = 0
    first: Int = np.int64(0)
    while True:
        first = next_open(order, first, covers, items, strength, barred, binomials, key, counter)
        if first >= total:
            break
        best_gain: Int = np.int64(-1)
        best_used: Int = np.int64(0)
        for attempt in range(min(starts, total - first)):
            if attempt:
                place = next_open(
                    order, first + attempt, covers, items, strength, barred, binomials, key, counter
                )
                if place >= total:
                    break
                order[first + attempt], order[place] = order[place], order[first + attempt]
            subset_of(order[first + attempt], items, strength, binomials, start)
            gain = extend_block(start, size, covers, uses, barred, binomials, key, counter, block)
            if gain < 0:
                if attempt == 0:
                    break
                continue
            used = np.int64(0)
            for item in block:
                used += uses[item]
            if gain > best_gain or (gain == best_gain and used < best_used):
                best_gain, best_used = gain, used
                best[:] = block
        if best_gain < 0:
            subset_of(order[first], items, strength, binomials, start)
            lost = np.concatenate((lost, np.sort(start).astype(np.int16).reshape(1, strength)))
            first += 1
            continue
        if n == len(found):
            found = np.concatenate((found, np.empty_like(found)))
        found[n] = np.sort(best)
        mark_block(found[n], strength, covers, binomials, 1)
        for item in best:
            uses[item] += 1
        n += 1
    kept = _needed(found[:n], strength, covers, uses, binomials)
    even_out(kept, strength, covers, uses, barred, binomials)
    return kept, lost


@njit(cache=True, nogil=True)
def _needed(
    blocks: Blocks,
    strength: Int,
    covers: NDArray[np.int32],
    uses: NDArray[np.int64],
    binomials: NDArray[np.int64],
) -> Blocks:
    """Drop blocks whose subsets other blocks have, too; the last ones found cover least."""
    kept = np.ones(len(blocks), np.bool_)
    for i in range(len(blocks) - 1, -1, -1):
        if count_covers(blocks[i], strength, covers, binomials) > 1:
            mark_block(blocks[i], strength, covers, binomials, -1)
            uses[blocks[i].astype(np.int64)] -= 1
            kept[i] = False
    return blocks[kept]
