"""Kernels of boxes: what lies between two floats, rounded outwards, and layers on them.

An end may be an infinity, so that a power too large for a float is still known from below. What
cannot be bounded lies between both infinities.
"""

from __future__ import annotations

import math
from typing import TypeAlias

from numba import njit

from synthgen.core.kinds import Int
from synthgen.verifiers.omega.algebra._func_layer import (
    ABS,
    COS,
    EXP,
    LINEAR,
    QUADRATIC,
    QUOTIENT,
)
from synthgen.verifiers.omega.algebra._func_words import Integers

Box: TypeAlias = tuple[float, float]

_UNIT, _LEAST = 2.0**-52, 1e-300
"""More than an operation's rounding error: relative and, for small numbers, as such."""
_LARGE, _NEAREST = 1e300, 1e-100
_MOST_POWER, _MOST_TURNS = 600.0, 1e12
_LIBRARY = 1e-14
"""More than the error of the library's sine and, relative to it, of its exponential."""
_ABOVE_PI = 3.15


@njit(cache=True, nogil=True)
def down(x: float) -> float:
    """Return a lower bound of a number that floating point works out as x."""
    if x != x:
        return -math.inf
    return _LARGE if x > 2 * _LARGE else x - abs(x) * _UNIT - _LEAST


@njit(cache=True, nogil=True)
def up(x: float) -> float:
    """Return an upper bound of a number that floating point works out as x."""
    return -down(-x)


@njit(cache=True, nogil=True)
def affine(u: Box, factor: float, constant: float) -> Box:
    """Return factor * u + constant for a factor that is not zero."""
    first, second = u[0] * factor, u[1] * factor
    if factor < 0.0:
        first, second = second, first
    return down(down(first) + constant), up(up(second) + constant)


@njit(cache=True, nogil=True)
def times(a: Box, b: Box) -> Box:
    """Return a * b."""
    first, second, third, fourth = a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1]
    if first != first or second != second or third != third or fourth != fourth:
        return -math.inf, math.inf
    return down(min(first, second, third, fourth)), up(max(first, second, third, fourth))


@njit(cache=True, nogil=True)
def _exponential(power: Box) -> Box:
    low, high = 0.0, math.inf
    if power[0] > -_MOST_POWER:
        low = math.exp(min(power[0], _MOST_POWER)) * (1.0 - _LIBRARY)
    if power[1] < _MOST_POWER:
        high = math.exp(max(power[1], -_MOST_POWER)) * (1.0 + _LIBRARY)
    return low, high


@njit(cache=True, nogil=True)
def _sine(turns: Box, shift: Int) -> Box:
    """Return sin(turns * pi + shift)."""
    half = up(turns[1] - turns[0]) / 2.0
    middle = turns[0] + half
    if not (half < 1.0 and abs(middle) < _MOST_TURNS):
        return -1.0, 1.0
    value = math.sin((middle - 2.0 * math.floor(middle / 2.0)) * math.pi + shift)
    slack = (half + abs(middle) * 2.0 * _UNIT) * _ABOVE_PI
    slack += abs(float(shift)) * 2.0 * _UNIT + _LIBRARY
    return max(value - slack, -1.0), min(value + slack, 1.0)


@njit(cache=True, nogil=True)
def _ahead(kind: Int, c: Integers, u: Box, quarters: float) -> Box:
    """Return the angle of a wave over pi, some quarters of a turn on, without the shift."""
    return affine(u, float(c[1]), (quarters + (1.0 if kind == COS else 0.0)) / 2.0)


@njit(cache=True, nogil=True)
def onward(kind: Int, c: Integers, u: Box) -> Box:
    """Return a layer's values."""
    if kind == LINEAR:
        return affine(u, float(c[0]), float(c[1]))
    if kind == QUADRATIC:
        product = times(affine(u, float(c[0]), float(c[1])), u)
        return down(product[0] + c[2]), up(product[1] + c[2])
    if kind == ABS:
        low, high = down(u[0] - c[1]), up(u[1] - c[1])
        size = (max(low, -high, 0.0), max(-low, high))
        return affine(size, float(c[0]), float(c[2]))
    if kind == QUOTIENT:
        return _quotient(c, u)
    if kind == EXP:
        power = _exponential(affine(u, float(c[1]), 0.0))
        return affine(power, float(c[0]), float(c[2]))
    return affine(_sine(_ahead(kind, c, u, 0.0), c[2]), float(c[0]), float(c[3]))


@njit(cache=True, nogil=True)
def _quotient(c: Integers, u: Box) -> Box:
    """Return (a u + b) / (c u + d) as a / c + (b c - a d) / c / (c u + d)."""
    under = affine(u, float(c[2]), float(c[3]))
    if under[0] <= 0.0 <= under[1]:
        return -math.inf, math.inf
    over = float(c[1] * c[2] - c[0] * c[3]) / float(c[2])
    first, second = over / under[0], over / under[1]
    limit = float(c[0]) / float(c[2])
    low, high = down(down(min(first, second))), up(up(max(first, second)))
    return down(low + down(limit)), up(high + up(limit))


@njit(cache=True, nogil=True)
def slope(kind: Int, c: Integers, u: Box) -> Box:
    """Return the values of a layer's derivative."""
    lead = float(c[0])
    if kind == LINEAR:
        return lead, lead
    if kind == QUADRATIC:
        return affine(u, 2.0 * lead, float(c[1]))
    if kind == ABS:
        if u[0] >= c[1]:
            return lead, lead
        return (-lead, -lead) if u[1] <= c[1] else (-abs(lead), abs(lead))
    if kind == EXP:
        return affine(_exponential(affine(u, float(c[1]), 0.0)), lead * c[1], 0.0)
    if kind == QUOTIENT:
        return _quotient_slope(c, u)
    wave = _sine(_ahead(kind, c, u, 1.0), c[2])
    steep = lead * c[1] * math.pi
    return times((down(steep), up(steep)), wave)


@njit(cache=True, nogil=True)
def _quotient_slope(c: Integers, u: Box) -> Box:
    """Return (a d - b c) / (c u + d)^2, also where u comes as near to the pole as may be."""
    under = affine(u, float(c[2]), float(c[3]))
    far = max(-under[0], under[1])
    near = max(under[0], -under[1], 0.0)
    least = down(down(1.0 / up(far * far)))
    most = up(up(1.0 / down(near * near))) if near > _NEAREST else math.inf
    det = float(c[0] * c[3] - c[1] * c[2])
    return affine((max(least, 0.0), most), det, 0.0)
