"""Kernels of numbers in machine words: fractions in 64 bits, else bounds in floats.

A number is (n, d, low, high): n / d where d > 0, and otherwise any number from low to high. Bounds
hold in both cases, and every function rounds them outwards. What they leave open is noted in
`open_`, for enclosures in long integers (`_func_fixed`) to decide.
"""

from __future__ import annotations

import math
from math import gcd
from typing import TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int

Word: TypeAlias = tuple[Int, Int, float, float]
Integers: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]

_HALF_WORD, _MOST = 1 << 29, 1 << 53
_FEW = 200
"""What any fraction may be multiplied with; coefficients beyond it occur in no text of ours."""
_HUGE = 1e120
_UNIT = 2.0**-51
_LEAST = 1e-250
_LIBRARY = 1e-14
"""More than the error of the library's sine, arcsine, exponential and logarithm, in units of one
and, for the exponential, of its value over that of the power."""


@njit(cache=True, nogil=True)
def between(low: float, high: float) -> Word:
    """Return a number of which only rounded bounds are known."""
    low -= abs(low) * _UNIT + _LEAST
    high += abs(high) * _UNIT + _LEAST
    if not (low > -_HUGE and high < _HUGE):
        low, high = -math.inf, math.inf
    return np.int64(0), np.int64(0), low, high


@njit(cache=True, nogil=True)
def fraction(n: Int, d: Int) -> Word:
    """Return n / d for d != 0; both are below 2^62 in magnitude."""
    if d < 0:
        n, d = -n, -d
    if d > _HALF_WORD or not -_HALF_WORD <= n <= _HALF_WORD:
        common = gcd(n, d)
        n, d = n // common, d // common
    value = float(n) / float(d)
    slack = abs(value) * 2 * _UNIT
    if d > _MOST or not -_MOST <= n <= _MOST:
        return np.int64(0), np.int64(0), value - slack, value + slack
    return np.int64(n), np.int64(d), value - slack, value + slack


@njit(cache=True, nogil=True)
def sign(value: Word, open_: Flags) -> Int:
    """Return the sign of a number, and 0 if it is not settled."""
    if value[1] > 0:
        return np.int64(1 if value[0] > 0 else (-1 if value[0] < 0 else 0))
    if value[2] > 0.0:
        return np.int64(1)
    if value[3] < 0.0:
        return np.int64(-1)
    open_[0] = True
    return np.int64(0)


@njit(cache=True, nogil=True)
def affine(value: Word, factor: Int, constant: Int) -> Word:
    """Return factor * value + constant, for |factor|, |constant| < 2^31."""
    n, d, low, high = value
    few = -_FEW <= factor <= _FEW and -_FEW <= constant <= _FEW
    if d > 0 and (few or (d <= _HALF_WORD and -_HALF_WORD <= n <= _HALF_WORD)):
        return fraction(n * factor + constant * d, d)
    if factor == 0:
        return fraction(constant, np.int64(1))
    first, second = low * factor, high * factor
    low, high = min(first, second), max(first, second)
    slack = (abs(low) + abs(high)) * _UNIT
    return between(low - slack + constant, high + slack + constant)


@njit(cache=True, nogil=True)
def over_integer(value: Word, divisor: Int) -> Word:
    """Return value / divisor, for |divisor| < 2^31."""
    n, d, low, high = value
    if d > 0 and (-_FEW <= divisor <= _FEW or d <= _HALF_WORD):
        return fraction(n, d * divisor)
    first, second = low / divisor, high / divisor
    return between(min(first, second), max(first, second))


@njit(cache=True, nogil=True)
def _are_short(a: Word, b: Word) -> bool:
    """Say whether two numbers are fractions whose parts can be multiplied."""
    if not (0 < a[1] < _HALF_WORD and 0 < b[1] < _HALF_WORD):
        return False
    return bool(-_HALF_WORD < a[0] < _HALF_WORD and -_HALF_WORD < b[0] < _HALF_WORD)


@njit(cache=True, nogil=True)
def plus(a: Word, b: Word) -> Word:
    """Return a + b."""
    if _are_short(a, b):
        return fraction(a[0] * b[1] + b[0] * a[1], a[1] * b[1])
    return between(a[2] + b[2], a[3] + b[3])


@njit(cache=True, nogil=True)
def times(a: Word, b: Word) -> Word:
    """Return a * b."""
    if _are_short(a, b):
        return fraction(a[0] * b[0], a[1] * b[1])
    first, second, third, fourth = a[2] * b[2], a[2] * b[3], a[3] * b[2], a[3] * b[3]
    if not abs(first) + abs(second) + abs(third) + abs(fourth) < _HUGE:
        return between(-math.inf, math.inf)
    return between(min(first, second, third, fourth), max(first, second, third, fourth))


@njit(cache=True, nogil=True)
def ratio(a: Word, b: Word, open_: Flags) -> Word:
    """Return a / b; b is not zero."""
    if b[1] > 0 and a[1] > 0:
        if b[1] == a[1]:
            return fraction(a[0], b[0])
        if _are_short(a, b):
            return fraction(a[0] * b[1], a[1] * b[0])
    if b[2] <= 0.0 <= b[3]:
        open_[0] = True
        return between(-math.inf, math.inf)
    low, high = 1.0 / b[3], 1.0 / b[2]
    inverse = between(low, high)
    return times((np.int64(0), np.int64(0), a[2], a[3]), inverse)


@njit(cache=True, nogil=True)
def root(value: Word) -> Word:
    """Return the square root of a positive number, as a fraction if it is one."""
    n, d, low, high = value
    if d > 0:
        common = gcd(n, d)
        over, under = whole_root(n // common), whole_root(d // common)
        if over > 0 and under > 0:
            return fraction(over, under)
    return between(math.sqrt(max(low, 0.0)), math.sqrt(high))


@njit(cache=True, nogil=True)
def whole_root(n: Int) -> Int:
    """Return the square root of a square, and 0 for other integers."""
    guess = np.int64(math.sqrt(float(n)))
    for near in range(guess - 1, guess + 2):
        if near * near == n:
            return np.int64(near)
    return np.int64(0)


@njit(cache=True, nogil=True)
def exponential(power: Word, open_: Flags) -> Word:
    """Return e^power."""
    low, high = power[2], power[3]
    if not (low > -500.0 and high < 250.0):
        open_[0] = True
        return between(-math.inf, math.inf)
    slack = 1.0 + _LIBRARY * (1.0 + abs(low) + abs(high))
    return between(math.exp(low) / slack, math.exp(high) * slack)


@njit(cache=True, nogil=True)
def logarithm(value: Word) -> Word:
    """Return the natural logarithm of a number that is certainly positive."""
    low = math.log(max(value[2], 1e-300))
    high = math.log(value[3])
    slack = _LIBRARY * (1.0 + abs(low) + abs(high))
    return between(low - slack, high + slack)


@njit(cache=True, nogil=True)
def arcsine_over_pi(height: Word) -> Word:
    """Return asin(height) / pi, exactly where that is a fraction."""
    n, d, low, high = height
    if d > 0:
        for turn, over, under in ((0, 0, 1), (1, 1, 2), (-1, -1, 2), (3, 1, 1), (-3, -1, 1)):
            if n * under == over * d:
                return fraction(np.int64(turn), np.int64(6))
    low, high = math.asin(max(low, -1.0)), math.asin(min(high, 1.0))
    return between((low - _LIBRARY) / math.pi, (high + _LIBRARY) / math.pi)


@njit(cache=True, nogil=True)
def sine_of_turns(turns: Word, shift: Int, open_: Flags) -> Word:
    """Return sin(turns * pi + shift), exactly where it is a fraction and shift = 0."""
    n, d, low, high = turns
    if d > 0:
        n %= 2 * d
        if shift == 0 and 6 * n % d == 0:
            sixth = 6 * n // d
            side = 1 if sixth < 6 else -1
            sixth %= 6
            if sixth in (0, 1, 3, 5):
                double = 0 if sixth == 0 else (2 if sixth == 3 else 1)
                return fraction(np.int64(side * double), np.int64(2))
        angle = float(n) / float(d) * math.pi + shift
        slack = _LIBRARY * (1.0 + abs(angle))
    else:
        if not (abs(low) < 1e8 and abs(high) < 1e8):
            open_[0] = True
            return between(-1.0, 1.0)
        angle = (low + high) / 2 * math.pi + shift
        slack = (high - low) * 2.0 + _LIBRARY * (1.0 + abs(angle))
    value = math.sin(angle)
    return between(value - slack, value + slack)
