"""Kernel that solves puzzles of houses: sets of houses by bits, narrowed by clues, then search.

Value h of category c, number c * n + h, is by convention the one that the solution has in house h,
from 0. So the solution of every puzzle is known, and the question is whether it has another.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int

MOST_HOUSES = MOST_CATEGORIES = 7
MOST_VALUES = MOST_HOUSES * MOST_CATEGORIES
SAME, APART, LEFT, JUST_LEFT, NEXT, GAP, AT, NOT_AT = range(8)
"""Kinds of clues: two values in one house, or not; the first somewhere or directly left of the
second; houses next to each other, or with one between; a value in a house, or not."""
Marks = NDArray[np.int64]


@njit(cache=True, nogil=True)
def _narrow(houses: Marks, kind: Int, u: Int, v: Int) -> bool:
    """Take from two values the houses that a clue excludes; say whether there were any."""
    old_u, old_v = houses[u], houses[v]
    new_u, new_v = old_u, old_v
    if kind == SAME:
        new_u = new_v = old_u & old_v
    elif kind == APART:
        if old_u & (old_u - 1) == 0:
            new_v = old_v & ~old_u
        if new_v & (new_v - 1) == 0:
            new_u = old_u & ~new_v
    elif kind == LEFT:
        highest = old_v
        while highest & (highest - 1):
            highest &= highest - 1
        new_u = old_u & (highest - 1)
        new_v = old_v & ~(((new_u & -new_u) << 1) - 1) if new_u else np.int64(0)
    elif kind == JUST_LEFT:
        new_u = old_u & old_v >> 1
        new_v = old_v & new_u << 1
    else:
        far = 1 if kind == NEXT else 2
        new_u = old_u & (old_v << far | old_v >> far)
        new_v = old_v & (new_u << far | new_u >> far)
    houses[u], houses[v] = new_u, new_v
    return bool(new_u != old_u or new_v != old_v)


@njit(cache=True, nogil=True)
def _deal(houses: Marks, first: Int, n: Int) -> Int:
    """Give the houses of one category out: 1 if that changed any, 0 if not, -1 if none is left."""
    changed: Int = np.int64(0)
    once, twice, fixed = np.int64(0), np.int64(0), np.int64(0)
    for value in range(first, first + n):
        mask = houses[value]
        if mask == 0:
            return np.int64(-1)
        twice |= once & mask
        once |= mask
        if mask & (mask - 1) == 0:
            if fixed & mask:
                return np.int64(-1)
            fixed |= mask
    if once != (np.int64(1) << n) - 1:
        return np.int64(-1)
    single = once & ~twice  # houses that one value alone can have
    for value in range(first, first + n):
        mask = houses[value]
        if mask & (mask - 1) == 0:
            continue
        own = mask & single
        if own & (own - 1):
            return np.int64(-1)
        left = own if own else mask & ~fixed
        if left != mask:
            houses[value] = left
            changed = np.int64(1)
    return changed


@njit(cache=True, nogil=True)
def _settle(houses: Marks, clues: Marks, skipped: Int, n: Int, m: Int) -> bool:
    """Narrow until nothing changes, without one of the clues; say whether no value lost all."""
    changed = True
    while changed:
        changed = False
        for k in range(len(clues)):
            kind = clues[k, 0]
            if k != skipped and kind < AT and _narrow(houses, kind, clues[k, 1], clues[k, 2]):
                changed = True
        for first in range(0, n * m, n):
            dealt = _deal(houses, first, n)
            if dealt < 0:
                return False
            if dealt > 0:
                changed = True
    return True


@njit(cache=True, nogil=True)
def _open_value(houses: Marks, size: Int) -> Int:
    """Return the value with the fewest houses that has several, or -1."""
    best, fewest = np.int64(-1), np.int64(MOST_HOUSES + 1)
    for value in range(size):
        mask, count = houses[value], np.int64(0)
        while mask:
            mask &= mask - 1
            count += 1
        if 1 < count < fewest:
            best, fewest = np.int64(value), count
    return best


@njit(cache=True, nogil=True)
def find_other(
    clues: Marks, skipped: Int, n: Int, m: Int, stack: Marks, other: NDArray[np.int64]
) -> bool:
    """Look for a solution besides the known one, and put its houses into `other`.

    Args:
        clues: kind, value, and value or house, (k, 3).
        skipped: clue that does not count, or -1.
        n: houses.
        m: categories.
        stack: room, (MOST_VALUES + 1, MOST_VALUES).
        other: room, (MOST_VALUES,).
    """
    size = n * m
    chosen, rest = np.empty(size + 1, np.int64), np.zeros(size + 1, np.int64)
    stack[0, :size] = (np.int64(1) << n) - 1
    for k in range(len(clues)):
        if k != skipped and clues[k, 0] >= AT:
            house = np.int64(1) << clues[k, 2]
            stack[0, clues[k, 1]] &= house if clues[k, 0] == AT else ~house
    depth: Int = np.int64(0)
    entered = _settle(stack[0], clues, skipped, n, m)
    while depth >= 0:
        if entered:
            houses = stack[depth]
            chosen[depth] = _open_value(houses, size)
            rest[depth] = houses[chosen[depth]] if chosen[depth] >= 0 else np.int64(0)
            if chosen[depth] < 0 and _read_off(houses, n, size, other):
                return True
            entered = False
        if rest[depth] == 0:
            depth -= 1
            continue
        value = chosen[depth]
        unlike = rest[depth] & ~(np.int64(1) << value % n)
        house = unlike & -unlike if unlike else rest[depth]
        rest[depth] ^= house
        stack[depth + 1] = stack[depth]
        stack[depth + 1, value] = house
        if _settle(stack[depth + 1], clues, skipped, n, m):
            depth += 1
            entered = True
    return False


@njit(cache=True, nogil=True)
def _read_off(houses: Marks, n: Int, size: Int, other: Marks) -> bool:
    """Write down each value's house; say whether it is not the known solution."""
    differs = False
    for value in range(size):
        house: Int = np.int64(0)
        while houses[value] >> house & 1 == 0:
            house += 1
        other[value] = house
        differs = differs or house != value % n
    return differs
