"""Greedy maximum coverage with a lazy heap: always take the row that adds most coverage.

A row's gain only falls while others are taken, so a gain computed earlier is a bound. The gain of
the row on top of the heap is recomputed; if unchanged, the row is the best (Minoux 1978), and the
taken rows cover at least 1 - 1/e of what the best choice of equally many rows would.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from synthgen.core.kernels import Int, inline, jit, kernel
from synthgen.draws.randomness import U64, scale_below

Ints = NDArray[np.int64]


@jit
def greedy_rows(
    ids: NDArray[np.int32],
    offsets: Ints,
    weights: Ints,
    needs: Ints,
    budget: Int,
) -> Ints:
    """Take rows by their gain, of equal gains the lowest row, until nothing can be gained.

    Args:
        ids: Structures of each row, 0..k-1, in rows of `offsets`; repeats in a row count once.
        offsets: Starts and end of the rows in `ids`, (n + 1,).
        weights: Gain from covering each structure once, 0 or more, (k,).
        needs: Number of rows to cover each structure with, (k,).
        budget: Maximum number of rows.

    Returns:
        The rows in the order taken.
    """
    n, bags = len(offsets) - 1, (ids, offsets)
    left, seen = needs.copy(), np.zeros(len(weights), np.int64)
    gains, tick = np.empty(n, np.int64), np.int64(0)
    for row in range(n):
        tick += 1
        gains[row] = _gain(bags, weights, left, seen, tick, row)
    heap = np.arange(n)
    _heapify(heap, gains, n)
    taken = np.empty(min(budget, n), np.int64)
    n_taken, size = 0, n
    unmet = np.int64(np.count_nonzero(left))
    while n_taken < len(taken) and unmet > 0:
        row = heap[0]
        tick += 1
        gain = _gain(bags, weights, left, seen, tick, row)
        if gain == 0 and gains[row] == 0:
            break
        if gain == gains[row]:
            tick += 1
            unmet -= _cover(ids, offsets, left, seen, tick, row)
            taken[n_taken] = row
            n_taken += 1
            size -= 1
            heap[0] = heap[size]
        else:
            gains[row] = gain
        _sift_down(heap, gains, 0, size)
    return taken[:n_taken]


@kernel
def _gain(
    bags: tuple[NDArray[np.int32], Ints],
    weights: Ints,
    left: Ints,
    seen: Ints,
    tick: Int,
    row: Int,
) -> Int:
    ids, offsets = bags
    gain: Int = np.int64(0)
    for j in range(offsets[row], offsets[row + 1]):
        k = ids[j]
        if left[k] > 0 and seen[k] != tick:
            gain += weights[k]
            seen[k] = tick
    return gain


@kernel
def _cover(
    ids: NDArray[np.int32], offsets: Ints, left: Ints, seen: Ints, tick: Int, row: Int
) -> Int:
    """Lower the needs of a row's structures, and return how many are now met."""
    met: Int = np.int64(0)
    for j in range(offsets[row], offsets[row + 1]):
        k = ids[j]
        if left[k] > 0 and seen[k] != tick:
            left[k] -= 1
            seen[k] = tick
            met += left[k] == 0
    return met


@kernel
def _heapify(heap: Ints, gains: Ints, size: Int) -> None:
    for place in range(size // 2 - 1, -1, -1):
        _sift_down(heap, gains, place, size)


@kernel
def _sift_down(heap: Ints, gains: Ints, place: Int, size: Int) -> None:
    """Restore the heap order below a place: larger gains above, of equal gains the lower row."""
    while True:
        child = 2 * place + 1
        if child >= size:
            return
        if child + 1 < size and _before(heap[child + 1], heap[child], gains):
            child += 1
        if not _before(heap[child], heap[place], gains):
            return
        heap[child], heap[place] = heap[place], heap[child]
        place = child


@inline
def _before(one: Int, other: Int, gains: Ints) -> bool | np.bool_:
    if gains[one] == gains[other]:
        return one < other
    before: bool = gains[one] > gains[other]
    return before


NOTHING = -1
"""Number of a unit that does not count."""


@kernel
def count_units(
    numbers: NDArray[np.integer],
    offsets: Ints,
    rows: Ints,
    meaning: Ints,
    seen: Ints,
) -> None:
    """Count the rows that have each unit.

    Args:
        numbers: Different units of each row, as numbers of the block, in `offsets`.
        offsets: (n + 1,).
        rows: Rows that count, (r,).
        meaning: Unit of each number of the block, or NOTHING, (k,).
        seen: Rows with each unit so far, (u,); raised.
    """
    for row in rows:
        for j in range(offsets[row], offsets[row + 1]):
            unit = meaning[numbers[j]]
            if unit >= 0:
                seen[unit] += 1


@kernel
def take_needed(
    numbers: NDArray[np.integer],
    offsets: Ints,
    rows: Ints,
    meaning: Ints,
    left: Ints,
    taken: NDArray[np.bool_],
) -> None:
    """Take rows until none has a needed unit.

    A pass takes, in order, every row with at least half as many needed units as the best one; the
    next pass a quarter, and so on: close to always taking the best row, in a few passes.

    Args:
        numbers: Numbers as in `count_units`.
        offsets: Offsets as in `count_units`.
        rows: Rows as in `count_units`.
        meaning: Meaning as in `count_units`.
        left: Number of rows that each unit still needs, (u,); lowered, not below 0.
        taken: Flags of the `rows` already taken, (r,); these count first, and more are set.
    """
    most: Int = np.int64(0)
    for place in range(len(rows)):
        if taken[place]:
            _lower(numbers, offsets, rows[place], meaning, left)
    for place in range(len(rows)):
        if not taken[place]:
            most = max(most, _gain_of_row(numbers, offsets, rows[place], meaning, left))
    while most > 0:
        least = max((most + 1) // 2, np.int64(1))
        for place in range(len(rows)):
            if taken[place]:
                continue
            if _gain_of_row(numbers, offsets, rows[place], meaning, left) >= least:
                taken[place] = True
                _lower(numbers, offsets, rows[place], meaning, left)
        most = least - 1


@kernel
def lower_needs(
    numbers: NDArray[np.integer], offsets: Ints, rows: Ints, meaning: Ints, left: Ints
) -> None:
    """Lower the needs by the units of rows that were taken for another reason."""
    for row in rows:
        _lower(numbers, offsets, row, meaning, left)


@kernel
def _gain_of_row(
    numbers: NDArray[np.integer], offsets: Ints, row: Int, meaning: Ints, left: Ints
) -> Int:
    gain: Int = np.int64(0)
    for j in range(offsets[row], offsets[row + 1]):
        unit = meaning[numbers[j]]
        if unit >= 0 and left[unit] > 0:
            gain += 1
    return gain


@kernel
def _lower(
    numbers: NDArray[np.integer], offsets: Ints, row: Int, meaning: Ints, left: Ints
) -> None:
    for j in range(offsets[row], offsets[row + 1]):
        unit = meaning[numbers[j]]
        if unit >= 0 and left[unit] > 0:
            left[unit] -= 1


@jit
def rows_with(numbers: NDArray[np.int32], offsets: NDArray[np.int64], n: int) -> NDArray[np.int64]:
    """Return how many rows have each number 0..n-1, repeats in a row counted once, (n,)."""
    counts, last = np.zeros(n, np.int64), np.full(n, -1, np.int64)
    for row in range(len(offsets) - 1):
        for j in range(offsets[row], offsets[row + 1]):
            if last[numbers[j]] != row:
                last[numbers[j]] = row
                counts[numbers[j]] += 1
    return counts


@jit
def smooth_turns(weights: Ints, counts: Ints) -> Ints:
    """Return the family of each turn until all families have used their rows.

    In each turn every family gains its weight; the one with the most, the first if equal, takes
    the turn and pays the sum of the weights (smooth weighted round robin of nginx). A family
    without rows left is removed when its turn comes.

    Args:
        weights: Weight of each family, above 0, (k,).
        counts: Rows of each family, (k,).

    Returns:
        The family of each turn, (sum of counts,).
    """
    left, credit = counts.copy(), np.zeros(len(counts), np.int64)
    there = counts > 0
    n = np.int64(0)
    for count in counts:
        n += count
    turns = np.empty(n, np.int64)
    turn = 0
    while turn < n:
        total, best = np.int64(0), -1
        for family in range(len(left)):
            if there[family]:
                credit[family] += weights[family]
                total += weights[family]
                if best < 0 or credit[family] > credit[best]:
                    best = family
        credit[best] -= total
        if left[best] == 0:
            there[best] = False
            continue
        left[best] -= 1
        turns[turn] = best
        turn += 1
    return turns


@jit
def release_order(rows: Ints, offsets: Ints, visible: Ints, words: U64) -> Ints:
    """Draw every row once, each from the visible rows that are not drawn yet.

    Args:
        rows: Row numbers, group by group.
        offsets: Starts and end of the groups, (g + 1,), in the order in which they become visible.
        visible: Groups visible at each position, non-decreasing, (n,); the next group comes early
            where nothing else is left.
        words: Uniform 64-bit words, one for each position, (n,).

    Returns:
        Row numbers, (n,).
    """
    pool = np.empty(len(rows), np.int64)
    order = np.empty(len(rows), np.int64)
    size: Int = np.int64(0)
    opened: Int = np.int64(0)
    for position in range(len(rows)):
        while opened < visible[position] or size == 0:
            for j in range(offsets[opened], offsets[opened + 1]):
                pool[size] = rows[j]
                size += 1
            opened += 1
        place = np.int64(scale_below(words[position], np.uint64(size)))
        order[position] = pool[place]
        size -= 1
        pool[place] = pool[size]
    return order
