"""Areas between two functions, summed over cells.

On a cell of width w on which h = f - g keeps its sign, the integral of |h| differs from w times |h|
at the cell's middle by at most w^2 / 8 times the spread of h'; on the others it lies between zero
and w times the largest |h|. Cells are cut until the two bounds are near each other.

The wide cells are looked at first: too many are then known early on, as each one that is cut waits
for two more looks.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from synthgen.core.kinds import Int
from synthgen.generators.omega.algebra._func_enclose import (
    Box,
    Coded,
    coded,
    definite,
    enclose,
    height,
    minus,
    over,
)
from synthgen.generators.omega.algebra._func_heights import enclose_value
from synthgen.generators.omega.algebra._func_layers import Function
from synthgen.generators.omega.algebra._func_meet import Floats
from synthgen.generators.omega.algebra._func_numbers import Integers
from synthgen.generators.omega.algebra._func_values import UndecidedError

_FIRST_CELLS, _MOST_CELLS = 64, 3_000
_NARROW, _NARROWEST = 4e-3, 1e-9
_ROUNDING = 1e-9
_SURELY = 1.5
"""Room for rounding where a cell is to be cut whatever h is at its middle."""
_CUT = -1


class _Cells(NamedTuple):
    """Cells, the wide ones first.

    Attributes:
        starts, stops: their ends, (m,).
        least, most: bounds of their areas, (m,).
        halves: number of the left one of the two cells that a cell was cut into, 0 for none.
    """

    starts: Floats
    stops: Floats
    least: Floats
    most: Floats
    halves: Integers


@njit(cache=True, nogil=True)
def _height_at(f: Coded, g: Coded, x: float) -> Box:
    """Return f - g at a place, all reals where a denominator may be zero."""
    first, under, flat = enclose_value(f[0], f[1], x, x)
    if not flat:
        first = over(first, under)
    second, under, flat = enclose_value(g[0], g[1], x, x)
    if not flat:
        second = over(second, under)
    return minus(first, second)


@njit(cache=True, nogil=True)
def _rough(f: Coded, g: Coded, low: float, high: float) -> float:
    total = 0.0
    for i in range(_FIRST_CELLS):
        x = low + (high - low) * (i + 0.5) / _FIRST_CELLS
        total += abs(_height_at(f, g, x)[0]) * (high - low) / _FIRST_CELLS
    return total


@njit(cache=True, nogil=True)
def _bounds(f: Coded, g: Coded, a: float, b: float, error: float) -> tuple[float, float]:
    """Return bounds of the area on a cell; the first is _CUT if they may not be so far apart."""
    h, slope = height(enclose(f[0], f[1], a, b), enclose(g[0], g[1], a, b))
    least, largest = 0.0, max(abs(h[0]), abs(h[1])) * (b - a)
    if definite(h):
        spread = (b - a) * (b - a) / 8 * (slope[1] - slope[0])
        enough = _SURELY * error * (b - a)
        if spread > enough and largest > enough:
            # Whatever h is at the middle, the two bounds below are further apart than that.
            return float(_CUT), largest
        at = _height_at(f, g, a + (b - a) / 2)
        least = max(min(abs(at[0]), abs(at[1])) * (b - a) - spread, 0.0)
        largest = min(max(abs(at[0]), abs(at[1])) * (b - a) + spread, largest)
    if largest - least <= error * (b - a):
        return least, largest
    return float(_CUT), largest


@njit(cache=True, nogil=True)
def _cut(f: Coded, g: Coded, low: float, high: float, most: float) -> tuple[_Cells, bool]:
    """Return cells, and whether they are as many as are needed."""
    m = _MOST_CELLS + 2
    cells = _Cells(np.empty(m), np.empty(m), np.empty(m), np.empty(m), np.zeros(m, np.int64))
    for i in range(_FIRST_CELLS):
        cells.starts[i] = low + (high - low) * i / _FIRST_CELLS
        cells.stops[i] = low + (high - low) * (i + 1) / _FIRST_CELLS
    error = _NARROW / (high - low)
    total, n, i = 0.0, _FIRST_CELLS, 0
    while i < n:
        a, b = cells.starts[i], cells.stops[i]
        cells.least[i], cells.most[i] = _bounds(f, g, a, b, error)
        if cells.least[i] == _CUT:
            if b - a < _NARROWEST or n + 2 > _MOST_CELLS:
                return cells, False
            middle = a + (b - a) / 2
            cells.starts[n], cells.stops[n] = a, middle
            cells.starts[n + 1], cells.stops[n + 1] = middle, b
            cells.halves[i] = n
            n += 2
        else:
            total += cells.least[i]
            if total > most + 1.0:
                return cells, False
        i += 1
    return cells, True


@njit(cache=True, nogil=True)
def _summed(cells: _Cells, most: float) -> tuple[float, float]:
    """Add the bounds from left to right; the second is infinite if the area is too large."""
    below, above = 0.0, 0.0
    waiting = np.empty(_FIRST_CELLS, np.int64)
    for first in range(_FIRST_CELLS):
        waiting[0] = first
        top = 1
        while top:
            top -= 1
            at: Int = waiting[top]
            if below > most:
                return below, np.inf
            if cells.halves[at] == 0:
                below, above = below + cells.least[at], above + cells.most[at]
                continue
            waiting[top], waiting[top + 1] = cells.halves[at] + 1, cells.halves[at]
            top += 2
    return below, above


@njit(cache=True, nogil=True)
def _area(f: Coded, g: Coded, low: float, high: float, most: float) -> tuple[float, float]:
    """Return bounds of the area; the second is infinite if they do not come together."""
    rough = _rough(f, g, low, high)
    if not rough < 2 * most:
        return rough, np.inf
    cells, enough = _cut(f, g, low, high, most)
    if not enough:
        return rough, np.inf
    return _summed(cells, most)


def area(f: Function, g: Function, low: float, high: float, most: float) -> tuple[float, float]:
    """Return a lower and an upper bound of the area between two places.

    Raises:
        UndecidedError: if the bounds stay apart, as beside a pole, or the area is larger than
            `most`.
    """
    below, above = _area(coded(f), coded(g), low, high, most)
    if not np.isfinite(above):
        raise UndecidedError
    return below - _ROUNDING, above + _ROUNDING
