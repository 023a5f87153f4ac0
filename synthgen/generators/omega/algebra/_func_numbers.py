"""Kernels of the numbers of the lap count: rationals in 64 bits, and enclosures in floats.

A number is (n, d, low, high). With d > 0 it is n / d, with d = 0 an infinity of the sign of n, both
exactly. Otherwise it lies from low to high: d is WIDE for a rational number that 64 bits do not
hold, REAL for an irrational one, and UNBOUNDED for one of which `_func_values` has no bounds.
What enclosures in floats leave open is noted in `state`, for the exact count to decide.
"""

from __future__ import annotations

import math
from math import gcd
from typing import TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.generators.omega.algebra._func_enclose import KINDS, Box, over, plus, scaled, times
from synthgen.generators.omega.algebra._func_values import LARGEST_EXPONENT

Number: TypeAlias = tuple[Int, Int, float, float]
Integers: TypeAlias = NDArray[np.int64]

WIDE, REAL, UNBOUNDED = -1, -2, -3
SETTLED, OPEN, REFUSED = range(3)
"""States: all comparisons are certain; one is not; one is, and shows the draw to be of no use."""
LINEAR, QUADRATIC, ABS, QUOTIENT, EXP, SIN, COS = range(len(KINDS))
_SMALL, _LARGE = 1 << 28, 1 << 52
_MOST = 1e100
_INF = math.inf
_EPSILON = 2.0**-51
_EXP_ERROR = 1e-12


@njit(cache=True, nogil=True)
def note(state: Integers, what: int) -> None:
    """Note what was found first."""
    if state[0] == SETTLED:
        state[0] = what


@njit(cache=True, nogil=True)
def rational(n: Int, d: Int) -> Number:
    """Return n / d, for d >= 0 and |n|, d < 2^62, in lowest terms if they are large."""
    if d == 0:
        sign = np.int64(1 if n > 0 else -1)
        return sign, np.int64(0), sign * _INF, sign * _INF
    if d > _SMALL or not -_SMALL <= n <= _SMALL:
        common = gcd(n, d)
        n, d = n // common, d // common
    quotient = float(n) / float(d)
    slack = abs(quotient) * _EPSILON
    if d > _LARGE or not -_LARGE <= n <= _LARGE:
        d = np.int64(WIDE)
    return np.int64(n), np.int64(d), quotient - slack, quotient + slack


@njit(cache=True, nogil=True)
def enclosed(box: Box, kind: Int) -> Number:
    """Return a number that is only enclosed."""
    low, high = box
    if not (abs(low) < _MOST and abs(high) < _MOST):
        low, high = -_INF, _INF
    return np.int64(0), np.int64(kind), low, high


@njit(cache=True, nogil=True)
def sign_from(value: Number, a: Int, b: Int, state: Integers) -> Int:
    """Return the sign of a number minus a / b, for |a| and b < 2^10; 0 if it is not settled."""
    n, d, low, high = value
    if d >= 0:
        difference = n * b - a * d
        return np.int64(1 if difference > 0 else (-1 if difference < 0 else 0))
    if d == UNBOUNDED:
        note(state, REFUSED)
        return np.int64(0)
    place = float(a) / float(b)
    slack = abs(place) * _EPSILON
    if low > place + slack:
        return np.int64(1)
    if high < place - slack:
        return np.int64(-1)
    note(state, OPEN)
    return np.int64(0)


@njit(cache=True, nogil=True)
def same(value: Number, n: Int, d: Int, state: Integers) -> bool:
    """Say whether a number is the rational n / d, which is in lowest terms."""
    if value[1] >= 0:
        common = gcd(value[0], value[1])
        return value[0] == n * common and value[1] == d * common
    if value[1] == UNBOUNDED:
        note(state, REFUSED)
        return False
    place = float(n) / float(d)
    slack = abs(place) * _EPSILON
    if value[2] <= place + slack and value[3] >= place - slack:
        note(state, OPEN)
    return False


@njit(cache=True, nogil=True)
def through(kind: Int, c: Integers, value: Number) -> Number:
    """Return an elementary layer's value."""
    n, d, low, high = value
    wide_square = kind == QUADRATIC and (d > _SMALL or not -_SMALL <= n <= _SMALL)
    if d >= 0 and not wide_square:
        if kind == LINEAR:
            return rational(c[0] * n + c[1] * d, d)
        if kind == ABS:
            return rational(c[0] * abs(n - c[1] * d) + c[2] * d, d)
        if kind == QUADRATIC:
            return rational((c[0] * n + c[1] * d) * n + c[2] * d * d, d * d)
        top, bottom = c[0] * n + c[1] * d, c[2] * n + c[3] * d
        return rational(top, bottom) if bottom > 0 else rational(-top, -bottom)
    tag = np.int64(WIDE) if d >= 0 else d
    return enclosed(_through_box(kind, c, (low, high)), tag)


@njit(cache=True, nogil=True)
def _through_box(kind: Int, c: Integers, u: Box) -> Box:
    if not (u[0] > -_INF and u[1] < _INF):
        return -_INF, _INF
    first = plus(scaled(u, float(c[0])), (float(c[1]), float(c[1])))
    if kind == LINEAR:
        return first
    if kind == QUADRATIC:
        return plus(times(first, u), (float(c[2]), float(c[2])))
    if kind == QUOTIENT:
        return over(first, plus(scaled(u, float(c[2])), (float(c[3]), float(c[3]))))
    low, high = plus(u, (-float(c[1]), -float(c[1])))
    if high < 0.0:
        low, high = -high, -low
    elif low < 0.0:
        low, high = 0.0, max(-low, high)
    return plus(scaled((low, high), float(c[0])), (float(c[2]), float(c[2])))


@njit(cache=True, nogil=True)
def exponential(c: Integers, value: Number, state: Integers) -> Number:
    """Return the value of a layer a e^(b u) + c."""
    n, d, _, _ = value
    if d < 0:
        # As for other rationals: too large an exponent is refused once it is compared.
        note(state, OPEN)
        return value
    if n == 0:
        return rational(c[0] + c[2], np.int64(1))
    if d == 0:
        if (n > 0) == (c[1] > 0):
            return rational(c[0], np.int64(0))
        return rational(c[2], np.int64(1))
    if abs(c[1] * n) > LARGEST_EXPONENT * d:
        return enclosed((-_INF, _INF), np.int64(UNBOUNDED))
    bare = math.exp(float(c[1]) * (float(n) / float(d)))
    box = (bare * (1 - _EXP_ERROR), bare * (1 + _EXP_ERROR))
    box = plus(scaled(box, float(c[0])), (float(c[2]), float(c[2])))
    return enclosed(box, np.int64(REAL))
