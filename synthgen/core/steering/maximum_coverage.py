"""Greedy maximum coverage with a lazy heap: always the row that covers most of what is left.

A row's gain only falls while others are taken, so a gain worked out earlier is a bound. The row on
top of the heap is weighed again; if its gain has not changed it is the best of all (Minoux 1978),
and the taken rows cover at least 1 - 1/e of what the best choice of as many would.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent

Ints = NDArray[np.int64]


@njit(cache=True, nogil=True)
def greedy_rows(
    ids: NDArray[np.int32],
    offsets: Ints,
    weights: Ints,
    needs: Ints,
    budget: Int,
    again: Int,
) -> tuple[Ints, Ints]:
    """Take rows by their gain, of equal ones the lowest, until nothing is left to gain.

    Args:
        ids: of the structures of each row, 0..k-1, in rows of `offsets`; equal ids of one row count
            once.
        offsets: (n + 1,).
        weights: what it adds to a row's gain to cover a structure once, 0 or more, (k,).
        needs: how often each structure is to be covered, (k,).
        budget: most rows to take.
        again: 1 to begin again with the rows left when every need is met, else 0.

    Returns:
        The rows in the order taken and the gain of each.
    """
    n = len(offsets) - 1
    left, seen = needs.copy(), np.zeros(len(weights), np.int64)
    gains, tick = np.empty(n, np.int64), np.int64(0)
    for row in range(n):
        tick += 1
        gains[row] = _gain(ids, offsets, weights, left, seen, tick, row)
    heap = np.arange(n)
    _heapify(heap, gains, n)
    taken, taken_gains = np.empty(min(budget, n), np.int64), np.empty(min(budget, n), np.int64)
    n_taken, size, fresh = 0, n, True
    unmet = np.int64(np.count_nonzero(left))
    while n_taken < len(taken) and (unmet > 0 or again):
        row = heap[0]
        tick += 1
        gain = _gain(ids, offsets, weights, left, seen, tick, row)
        if gain == 0 and gains[row] == 0:
            if again == 0 or fresh:
                break
            left[:] = needs
            for place in range(size):
                tick += 1
                gains[heap[place]] = _gain(ids, offsets, weights, left, seen, tick, heap[place])
            _heapify(heap, gains, size)
            fresh = True
            continue
        if gain == gains[row]:
            tick += 1
            unmet -= _cover(ids, offsets, left, seen, tick, row)
            taken[n_taken], taken_gains[n_taken] = row, gain
            n_taken += 1
            size -= 1
            heap[0] = heap[size]
            fresh = False
        else:
            gains[row] = gain
        _sift_down(heap, gains, 0, size)
    return taken[:n_taken], taken_gains[:n_taken]


@lent
def _gain(
    ids: NDArray[np.int32],
    offsets: Ints,
    weights: Ints,
    left: Ints,
    seen: Ints,
    tick: Int,
    row: Int,
) -> Int:
    gain: Int = np.int64(0)
    for j in range(offsets[row], offsets[row + 1]):
        k = ids[j]
        if left[k] > 0 and seen[k] != tick:
            gain += weights[k]
            seen[k] = tick
    return gain


@lent
def _cover(
    ids: NDArray[np.int32], offsets: Ints, left: Ints, seen: Ints, tick: Int, row: Int
) -> Int:
    """Lower what is left of a row's structures, and return how many nothing is left of."""
    met: Int = np.int64(0)
    for j in range(offsets[row], offsets[row + 1]):
        k = ids[j]
        if left[k] > 0 and seen[k] != tick:
            left[k] -= 1
            seen[k] = tick
            met += left[k] == 0
    return met


@lent
def _heapify(heap: Ints, gains: Ints, size: Int) -> None:
    for place in range(size // 2 - 1, -1, -1):
        _sift_down(heap, gains, place, size)


@lent
def _sift_down(heap: Ints, gains: Ints, place: Int, size: Int) -> None:
    """Restore the order below a place: larger gains above, of equal ones the lower row."""
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


@njit(cache=True, nogil=True, inline="always")
def _before(one: Int, other: Int, gains: Ints) -> bool | np.bool_:
    if gains[one] == gains[other]:
        return one < other
    before: bool = gains[one] > gains[other]
    return before
