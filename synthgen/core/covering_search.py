"""Kernels of the search for covering designs: subsets by their rank, and one block at a time.

A subset c1 < c2 < ... has rank C(c1, 1) + C(c2, 2) + ..., which needs no list of subsets.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.randomness import draw_below

Ints = NDArray[np.int64]
_MOST_NODES = 20_000
"""Partial blocks looked at before a start that greed leads nowhere is given up."""


@lent
def subset_of(rank: Int, items: Int, strength: Int, binomials: Ints, out: Ints) -> None:
    """Write the subset of a rank, in rising order."""
    high = items
    for place in range(strength, 0, -1):
        high -= 1
        while binomials[high, place] > rank:
            high -= 1
        out[place - 1] = high
        rank -= binomials[high, place]


@njit(cache=True, nogil=True)
def next_open(
    order: Ints,
    first: Int,
    covers: NDArray[np.int32],
    items: Int,
    strength: Int,
    barred: NDArray[np.bool_],
    binomials: Ints,
    key: np.uint64,
    counter: Ints,
) -> Int:
    """Bring a random subset that is not covered yet to `first`; return its place or the end.

    The part of `order` from `first` on is shuffled as it is read (Fisher-Yates), and what is
    covered or barred is passed over for good by the caller's next call.
    """
    total = len(order)
    subset = np.empty(strength, np.int64)
    at = first
    while at < total:
        other = at + draw_below(key, counter[0], total - at)
        counter[0] += 1
        order[at], order[other] = order[other], order[at]
        rank = order[at]
        if covers[rank] == 0:
            subset_of(rank, items, strength, binomials, subset)
            if _compatible(subset, strength, barred):
                return at
        at += 1
    return total


@lent
def _compatible(subset: Ints, n: Int, barred: NDArray[np.bool_]) -> bool:
    for i in range(n):
        for j in range(i):
            if barred[subset[i], subset[j]]:
                return False
    return True


@njit(cache=True, nogil=True)
def extend_block(
    start: Ints,
    size: Int,
    covers: NDArray[np.int32],
    uses: Ints,
    barred: NDArray[np.bool_],
    binomials: Ints,
    key: np.uint64,
    counter: Ints,
    block: Ints,
) -> Int:
    """Fill `block` from `start` on; return how many new subsets it covers, -1 if it cannot be."""
    strength, items = len(start), len(uses)
    block[:strength] = start
    gain: Int = np.int64(1)
    scratch = np.empty(strength, np.int64)
    chosen = np.empty(strength, np.int64)
    for n in range(strength, size):
        best, ties = -1, 0
        best_gain: Int = np.int64(-1)
        best_uses: Int = np.int64(0)
        for item in range(items):
            if not _joins(item, block, n, barred):
                continue
            new = _new_subsets(item, block, n, strength, covers, binomials, scratch, chosen)
            if new < best_gain or (new == best_gain and uses[item] > best_uses):
                continue
            if new > best_gain or uses[item] < best_uses:
                best, best_gain, best_uses, ties = item, new, uses[item], 1
                continue
            ties += 1
            counter[0] += 1
            if draw_below(key, counter[0], ties) == 0:
                best = item
        if best < 0:
            return np.int64(0) if _complete(start, size, barred, block) else np.int64(-1)
        block[n] = best
        gain += best_gain
    return gain


@lent
def _joins(item: Int, block: Ints, n: Int, barred: NDArray[np.bool_]) -> bool:
    for i in range(n):
        if block[i] == item or barred[block[i], item]:
            return False
    return True


@lent
def _new_subsets(
    item: Int,
    block: Ints,
    n: Int,
    strength: Int,
    covers: NDArray[np.int32],
    binomials: Ints,
    scratch: Ints,
    chosen: Ints,
) -> Int:
    """Count the subsets of `item` and items of the block that no block has yet."""
    new: Int = np.int64(0)
    if strength == 2:
        for i in range(n):
            low, high = min(item, block[i]), max(item, block[i])
            new += covers[low + binomials[high, 2]] == 0
        return new
    picked = strength - 1
    for i in range(picked):
        chosen[i] = i
    while True:
        for i in range(picked):
            scratch[i] = block[chosen[i]]
        scratch[picked] = item
        new += covers[_rank(scratch, strength, binomials)] == 0
        if not _advance(chosen, picked, n):
            return new


@lent
def _advance(chosen: Ints, picked: Int, n: Int) -> bool:
    """Go on to the next combination of places; False after the last one."""
    place = picked - 1
    while place >= 0 and chosen[place] == n - picked + place:
        place -= 1
    if place < 0:
        return False
    chosen[place] += 1
    for later in range(place + 1, picked):
        chosen[later] = chosen[later - 1] + 1
    return True


@lent
def _rank(subset: Ints, strength: Int, binomials: Ints) -> Int:
    """Return the rank of a subset in any order, which is left in rising order."""
    for i in range(1, strength):
        value = subset[i]
        j = i
        while j > 0 and subset[j - 1] > value:
            subset[j] = subset[j - 1]
            j -= 1
        subset[j] = value
    rank: Int = np.int64(0)
    for i in range(strength):
        rank += binomials[subset[i], i + 1]
    return rank


@njit(cache=True, nogil=True)
def _complete(start: Ints, size: Int, barred: NDArray[np.bool_], block: Ints) -> bool:
    """Search for any block that has `start`, depth first and in order, within bounds."""
    n = len(start)
    block[:n] = start
    place, item, nodes = n, np.int64(0), 0
    while place < size and nodes < _MOST_NODES:
        nodes += 1
        while item < len(barred) and not _joins(item, block, place, barred):
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
    return place == size


@njit(cache=True, nogil=True)
def mark_block(
    block: NDArray[np.int16],
    strength: Int,
    covers: NDArray[np.int32],
    binomials: Ints,
    change: Int,
) -> None:
    """Add `change` to the cover count of each subset of a block, whose items rise."""
    chosen = np.arange(strength)
    while True:
        rank = 0
        for i in range(strength):
            rank += binomials[block[chosen[i]], i + 1]
        covers[rank] += change
        if not _advance(chosen, strength, len(block)):
            return


@njit(cache=True, nogil=True)
def count_covers(
    block: NDArray[np.int16], strength: Int, covers: NDArray[np.int32], binomials: Ints
) -> Int:
    """Return the lowest cover count among the subsets of a block, whose items rise."""
    chosen = np.arange(strength)
    least: Int = np.int64(2**31 - 1)
    while True:
        rank = 0
        for i in range(strength):
            rank += binomials[block[chosen[i]], i + 1]
        least = min(least, covers[rank])
        if not _advance(chosen, strength, len(block)):
            return least


@njit(cache=True, nogil=True)
def even_out(
    blocks: NDArray[np.int16],
    strength: Int,
    covers: NDArray[np.int32],
    uses: Ints,
    barred: NDArray[np.bool_],
    binomials: Ints,
) -> None:
    """Put the least used items in the place of more used ones that a block could do without."""
    size = blocks.shape[1]
    others = np.empty(size - 1, np.int64)
    for block in blocks:
        for place in range(size):
            item = np.int64(block[place])
            if uses[item] <= uses.min() + 1 or not _is_spare(
                block, place, strength, covers, binomials
            ):
                continue
            others[:place], others[place:] = block[:place], block[place + 1 :]
            best: Int = item
            for other in range(len(uses)):
                if uses[other] < uses[best] - (best == item) and _joins(
                    other, others, size - 1, barred
                ):
                    best = other
            if best != item:
                mark_block(block, strength, covers, binomials, -1)
                block[place] = best
                block[:] = np.sort(block)
                mark_block(block, strength, covers, binomials, 1)
                uses[item] -= 1
                uses[best] += 1


@njit(cache=True, nogil=True)
def _is_spare(
    block: NDArray[np.int16],
    place: Int,
    strength: Int,
    covers: NDArray[np.int32],
    binomials: Ints,
) -> bool:
    """Say whether other blocks have all subsets of this one that hold the item at `place`."""
    chosen = np.arange(strength)
    while True:
        rank: Int = np.int64(0)
        holds = False
        for i in range(strength):
            rank += binomials[block[chosen[i]], i + 1]
            holds |= chosen[i] == place
        if holds and covers[rank] < 2:
            return False
        if not _advance(chosen, strength, len(block)):
            return True
