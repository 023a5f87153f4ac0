"""Kernels that find the places of turning points, to the nearest integer, by counts on parts.

They do what `Search` does with exact counts, wherever the quick count is certain.
"""

from __future__ import annotations

from math import gcd
from typing import NamedTuple

import numpy as np
from numba import njit

from synthgen.core.kinds import Int
from synthgen.generators.omega.algebra._func_numbers import (
    OPEN,
    REAL,
    SETTLED,
    UNBOUNDED,
    Integers,
    note,
)
from synthgen.generators.omega.algebra._func_quick import count_laps
from synthgen.generators.omega.algebra._func_store import (
    Store,
    count_turns,
    count_turns_at,
    empty_store,
    get,
)

NOWHERE = -(1 << 30)
"""Stands for a place that there is not, or that is not settled."""
_GRID_BITS = 26
_FINEST = 1 << (_GRID_BITS - 24)
_SHORT = 1 << 30


class Sought(NamedTuple):
    """Turning points of a function.

    Attributes:
        kinds, layers: of the function.
        mask: kinds of turning points, as for `count_turns`.
        best: numerator and denominator of their value, (2,); (0, 0) for any.
        reach: the interval is (-reach, reach).
        ends, stores, part: room to work in.
        state: what was found first that is not settled.
    """

    kinds: Integers
    layers: Integers
    mask: Int
    best: Integers
    reach: Int
    ends: Integers
    stores: tuple[Store, Store]
    part: Integers
    state: Integers


@njit(cache=True, nogil=True)
def sought(
    kinds: Integers, layers: Integers, mask: Int, reach: Int, stores: tuple[Store, Store]
) -> Sought:
    """Return the turning points of some kinds."""
    two = np.zeros(2, np.int64)
    ends = np.empty((2, 2), np.int64)
    one = np.zeros(1, np.int64)
    return Sought(kinds, layers, mask, two, reach, ends, stores, one, np.zeros(1, np.int64))


@njit(cache=True, nogil=True)
def new_stores() -> tuple[Store, Store]:
    """Return room to work in."""
    return empty_store(), empty_store()


@njit(cache=True, nogil=True)
def laps_between(points: Sought, low: Int, high: Int, under: Int) -> Store:
    """Return the laps from low / under to high / under."""
    points.ends[0, 0], points.ends[0, 1] = low, under
    points.ends[1, 0], points.ends[1, 1] = high, under
    laps = count_laps(points.kinds, points.layers, points.ends, points.stores, points.part)
    if points.part[0] != SETTLED:
        note(points.state, points.part[0])
    return laps


@njit(cache=True, nogil=True)
def _between(points: Sought, low: Int, high: Int, under: Int) -> Int:
    """Return how many of the points lie strictly between low / under and high / under."""
    low, high = max(low, -points.reach * under), min(high, points.reach * under)
    if low >= high or points.state[0] != SETTLED:
        return np.int64(0)
    laps = laps_between(points, low, high, under)
    if points.state[0] != SETTLED:
        return np.int64(0)
    if points.best[1] == 0:
        return count_turns(laps, points.mask)
    found = count_turns_at(laps, points.best[0], points.best[1], points.part)
    if points.part[0] != SETTLED:
        note(points.state, points.part[0])
    return found


@njit(cache=True, nogil=True)
def nearest(points: Sought, number: Int, total: Int) -> Int:
    """Return the integer nearest to one of `total` points, numbered from 1 at the left."""
    low, high, two = -points.reach, points.reach, np.int64(2)
    edge = -2 * points.reach
    while low < high and points.state[0] == SETTLED:
        middle = (low + high) // 2
        if _between(points, edge, 2 * middle + 1, two) >= number:
            high = middle
        else:
            low = middle + 1
    for end in (2 * low - 1, 2 * low + 1):
        if -edge > end > edge and points.state[0] == SETTLED:
            before, after = _between(points, edge, end, two), _between(points, end, -edge, two)
            if before + after != total:
                return np.int64(NOWHERE)
    return low


@njit(cache=True, nogil=True)
def nearest_mean(points: Sought, total: Int) -> Int:
    """Return the integer nearest to the mean of all points; NOWHERE if it may be a tie."""
    unit = np.int64(1) << _GRID_BITS
    edge = points.reach * unit
    lows, highs = np.full(total, -edge), np.full(total, edge)
    while (highs - lows).max() > _FINEST and points.state[0] == SETTLED:
        for i in range(total):
            middle = lows[i] + (highs[i] - lows[i]) * 123 // 256
            if _between(points, -edge, middle, unit) > i:
                highs[i] = middle
            else:
                lows[i] = middle
        whole = 2 * total * unit
        least, most = 2 * lows.sum(), 2 * highs.sum()
        found = (least + total * unit) // whole
        if found == -((total * unit - most) // whole):
            tie = least <= (2 * found - 1) * total * unit
            return np.int64(NOWHERE) if tie else np.int64(found)
    return np.int64(NOWHERE)


@njit(cache=True, nogil=True)
def set_best(points: Sought, laps: Store, highest: bool) -> bool:  # noqa: FBT001 - a kernel
    """Look for the value of the highest or lowest turning point; say if it is certain and alone.

    Values that are too long to be compared here are left to the exact way.
    """
    best = points.best
    for i in range(laps.sizes[1]):
        if not points.mask >> laps.turn_facts[i, 0] & 1:
            continue
        n, d, _, _ = get(laps.values, laps.value_bounds, i)
        if d in (REAL, UNBOUNDED):
            return False
        if not (0 < d < _SHORT and -_SHORT < n < _SHORT):
            note(points.state, OPEN)
            return False
        if best[1] == 0 or ((n * best[1] > best[0] * d) == highest and n * best[1] != best[0] * d):
            common = gcd(n, d)
            best[0], best[1] = n // common, d // common
    if best[1] == 0:
        return False
    alone = count_turns_at(laps, best[0], best[1], points.part) == 1
    if points.part[0] != SETTLED:
        note(points.state, points.part[0])
    return alone and points.state[0] == SETTLED
