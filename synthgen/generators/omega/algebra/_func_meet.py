"""Places where two functions are equal, proven one by one.

The interval is cut until on every cell the difference has no zero, or is monotone and has signs at
the cell's ends that tell whether it has one. What is not settled that way, such as graphs that only
touch, meet at a corner or coincide, is no problem of ours.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.generators.omega.algebra._func_enclose import (
    Box,
    Coded,
    coded,
    definite,
    difference,
    enclose,
    minus,
    times,
)
from synthgen.generators.omega.algebra._func_heights import enclose_value, roughly
from synthgen.generators.omega.algebra._func_layers import Function
from synthgen.generators.omega.algebra._func_values import UndecidedError

Floats: TypeAlias = NDArray[np.float64]
_CELLS = 331
"""A prime: no simple fraction, where functions often meet, is the end of a cell."""
_CUT = 0.48137
"""Cells are cut beside the middle for the same reason."""
_DEEPEST, _MOST_CELLS = 17, 15_000
LEAST_GAP = 1e-4
"""Functions that meet twice within less are left out."""


@njit(cache=True, nogil=True)
def _difference_value(f: Coded, g: Coded, low: float, high: float) -> Box:
    """Return N_f D_g - N_g D_f on a cell, as `difference` does."""
    first, under, flat = enclose_value(f[0], f[1], low, high)
    second, below, even = enclose_value(g[0], g[1], low, high)
    if flat and even:
        return minus(first, second)
    return minus(times(first, below), times(second, under))


@njit(cache=True, nogil=True)
def _sign(f: Coded, g: Coded, x: float) -> int:
    """Return the sign of N_f D_g - N_g D_f at a place, 0 where it is not certain."""
    value = _difference_value(f, g, x, x)
    return 1 if value[0] > 0.0 else (-1 if value[1] < 0.0 else 0)


@njit(cache=True, nogil=True)
def changes(f: Coded, g: Coded, low: float, high: float, out: Floats) -> int:
    """Write grid places after which f - g seems to change its sign, until `out` is full."""
    n = 0
    before = False
    for i in range(_CELLS + 1):
        x = low + (high - low) * i / _CELLS
        first, second = roughly(f[0], f[1], x), roughly(g[0], g[1], x)
        above = first[0] * second[1] > second[0] * first[1]
        if i and above != before:
            out[n] = x
            n += 1
            if n == len(out):
                break
        before = above
    return n


@njit(cache=True, nogil=True)
def _meetings(f: Coded, g: Coded, low: float, high: float, out: Floats) -> int:
    """Write the ends of cells with one meeting each, in order; -1 if that is not settled."""
    n, seen = 0, 0
    starts, stops = np.empty(_DEEPEST + 4), np.empty(_DEEPEST + 4)
    levels = np.empty(_DEEPEST + 4, np.int64)
    for i in range(_CELLS):
        starts[0] = low + (high - low) * i / _CELLS
        stops[0] = low + (high - low) * (i + 1) / _CELLS
        levels[0] = 0
        top = 1
        while top:
            top -= 1
            a, b, level = starts[top], stops[top], levels[top]
            seen += 1
            if seen > _MOST_CELLS:
                return -1
            if definite(_difference_value(f, g, a, b)):
                continue
            inside, across = enclose(f[0], f[1], a, b), enclose(g[0], g[1], a, b)
            _, slope = difference(inside, across)
            if definite(slope) and definite(inside[2]) and definite(across[2]):
                product = _sign(f, g, a) * _sign(f, g, b)
                if product > 0:
                    continue
                if product < 0:
                    if n >= len(out):
                        return -1
                    out[n, 0], out[n, 1] = a, b
                    n += 1
                    continue
            if level == _DEEPEST:
                return -1
            middle = a + (b - a) * _CUT
            starts[top], stops[top], levels[top] = middle, b, level + 1
            starts[top + 1], stops[top + 1], levels[top + 1] = a, middle, level + 1
            top += 2
    return n


@njit(cache=True, nogil=True)
def _narrow(f: Coded, g: Coded, cells: Floats, width: float) -> bool:
    """Narrow cells with one meeting each; false if a sign is not certain."""
    for i in range(len(cells)):
        a, b = cells[i, 0], cells[i, 1]
        first = _sign(f, g, a)
        while b - a > width:
            middle = a + (b - a) * _CUT
            sign = _sign(f, g, middle)
            if sign == 0:
                return False
            if sign == first:
                a = middle
            else:
                b = middle
        cells[i, 0], cells[i, 1] = a, b
    return True


class Pair:
    """Two functions.

    Args:
        f, g: the functions.
    """

    def __init__(self, f: Function, g: Function) -> None:
        self._f, self._g = coded(f), coded(g)

    def changes(self, low: float, high: float, most: int) -> list[float]:
        """Return about where the functions meet, from a grid, or the first of these places."""
        out = np.empty(most)
        found: list[float] = out[: changes(self._f, self._g, low, high, out)].tolist()
        return found

    def meetings(self, low: float, high: float, most: int, width: float = LEAST_GAP / 20) -> Floats:
        """Return cells (n, 2), from left to right, each with exactly one place where f = g.

        Raises:
            UndecidedError: if that is not proven, there are more than `most`, or two are too near.
        """
        out = np.empty((most, 2))
        n = _meetings(self._f, self._g, low, high, out)
        cells = out[: max(n, 0)]
        if n < 0 or not _narrow(self._f, self._g, cells, width):
            raise UndecidedError
        if n > 1 and (cells[1:, 0] - cells[:-1, 1]).min() < LEAST_GAP:
            raise UndecidedError
        return cells
