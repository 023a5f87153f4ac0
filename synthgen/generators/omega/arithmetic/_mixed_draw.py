"""Expressions grown from their values by a kernel, as far as 64-bit ratios go.

The draws are those of `integer_or_rational` and `grow_listed`. An expression is listed sign before
operands: (sign, 0) for a sign, counted from 1, and (0, integer) for an integer; a rational number
is a quotient of integers.
"""

from __future__ import annotations

from math import gcd

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.randomness import draw_below, draw_bits
from synthgen.generators.omega._draws import PER_DIGIT
from synthgen.generators.omega._powers import MOST_ENTROPY, POWERS, draw_between

Parts = NDArray[np.int64]

MOST_PARTS = 160
PLUS, MINUS, TIMES, OVER = range(1, 5)
_TRIES = 64
_LEAST_TOP, _LEAST_BOTTOM = 3, 5
_LARGE = 4 * PER_DIGIT
_LARGEST = 4.0e18
_BYTE, _TWO_BITS, _16_BITS = np.uint64(255), np.uint64(3), np.uint64((1 << 16) - 1)
_8, _9, _32, _34, _35 = (np.uint64(shift) for shift in (8, 9, 32, 34, 35))
_ONE = np.uint64(1)


@njit(cache=True, nogil=True)
def _signed(key: np.uint64, draw: Int, entropy: Int, least: Int) -> tuple[Int, Int]:
    """Draw as `signed_of` does; return the integer and the number of the next draw."""
    bound = max(least, (POWERS[entropy] + least + 1) // 2) - least
    value = draw_between(key, draw, -bound, bound)
    draw += 1
    less = value < 0
    if value == 0 and least:
        less = draw_below(key, draw, np.int64(2)) == 1
        draw += 1
    return (value - least if less else value + least), draw


@njit(cache=True, nogil=True)
def draw_value(key: np.uint64, draw: Int, entropy: Int) -> tuple[Int, Int, Int]:
    """Draw an integer or a rational that is none: return it and the number of the next draw."""
    rational = draw_below(key, draw, np.int64(2)) == 1
    draw += 1
    if not rational:
        top, draw = _signed(key, draw, entropy, np.int64(0))
        return top, np.int64(1), draw
    for _ in range(_TRIES):
        of_top = draw_below(key, draw, entropy + 1)
        most = max(POWERS[entropy - of_top], np.int64(_LEAST_BOTTOM))
        bottom = draw_between(key, draw + 1, np.int64(_LEAST_BOTTOM), most)
        top, draw = _signed(key, draw + 2, 2 * of_top, np.int64(_LEAST_TOP))
        if gcd(top, bottom) == 1:
            return top, bottom, draw
    return np.int64(_LEAST_TOP), np.int64(_LEAST_BOTTOM), draw


@njit(cache=True, nogil=True)
def _too_large(x: Int, y: Int) -> bool:
    return bool(abs(np.float64(x) * np.float64(y)) >= _LARGEST)


@njit(cache=True, nogil=True)
def _sum(a: Int, b: Int, c: Int, d: Int) -> tuple[Int, Int]:
    """Return a/b + c/d in lowest terms, denominator 0 if it is too large."""
    if _too_large(a, d) or _too_large(c, b) or _too_large(b, d):
        return np.int64(0), np.int64(0)
    if abs(np.float64(a * d) + np.float64(c * b)) >= _LARGEST:
        return np.int64(0), np.int64(0)
    top, bottom = a * d + c * b, b * d
    shared = gcd(top, bottom)
    return top // shared, bottom // shared


@njit(cache=True, nogil=True)
def _product(a: Int, b: Int, c: Int, d: Int) -> tuple[Int, Int]:
    """Return a/b * c/d in lowest terms, denominator 0 if it is too large; d may be negative."""
    if _too_large(a, c) or _too_large(b, d):
        return np.int64(0), np.int64(0)
    top, bottom = a * c, b * d
    shared = gcd(top, bottom)
    if bottom < 0:
        shared = -shared
    return top // shared, bottom // shared


@njit(cache=True, nogil=True)
def _other(
    sign: Int,
    a: Int,
    b: Int,
    c: Int,
    d: Int,
    on_left: bool,  # noqa: FBT001
) -> tuple[Int, Int, bool]:
    """Return what makes a/b of a sign and the operand c/d, and whether that one is on the left."""
    if sign == PLUS:
        top, bottom = _sum(a, b, -c, d)
        return top, bottom, on_left
    if sign == MINUS and on_left:
        top, bottom = _sum(c, d, -a, b)
        return top, bottom, True
    if sign == MINUS:
        top, bottom = _sum(a, b, c, d)
        return top, bottom, False
    if sign == TIMES:
        top, bottom = _product(a, b, d, c)
        return top, bottom, on_left
    if on_left and a:
        top, bottom = _product(c, d, b, a)
        return top, bottom, True
    top, bottom = _product(a, b, c, d)
    return top, bottom, False


@njit(cache=True, nogil=True)
def grow_parts(
    key: np.uint64, draw: Int, value: tuple[Int, Int], n_signs: Int, share: Int, parts: Parts
) -> tuple[Int, Int]:
    """List an expression with this value and so many signs.

    Returns:
        The number of parts, 0 if numbers may be too large, and the number of the next draw.
    """
    none = np.int64(0)
    if share > MOST_ENTROPY:
        return none, draw
    sizes = max(np.int64(1), (POWERS[share] + 1) // 2) if share <= _LARGE else none
    waiting = np.empty((MOST_PARTS, 3), np.int64)
    waiting[0, 0], waiting[0, 1], waiting[0, 2] = value[0], value[1], n_signs
    left, count = 1, none
    while left:
        left -= 1
        top, bottom, signs = waiting[left, 0], waiting[left, 1], waiting[left, 2]
        if count + 3 > MOST_PARTS:
            return none, draw
        if signs == 0:
            if bottom != 1:
                parts[count, 0], parts[count, 1] = OVER, 0
                parts[count + 2, 0], parts[count + 2, 1] = 0, bottom
                count += 1
            parts[count, 0], parts[count, 1] = 0, top
            count += 2 if bottom != 1 else 1
            continue
        bits = draw_bits(key, draw)
        draw += 1
        sign = np.int64((bits & _BYTE) >> np.uint64(6)) + 1
        d: Int = np.int64(1)
        if (bits >> _32) & _TWO_BITS == 0:
            c, draw = _signed(key, draw, share // 2, np.int64(1))
            d = draw_between(key, draw, np.int64(2), max(POWERS[share], np.int64(2)))
            draw += 1
            shared = gcd(c, d)
            c, d = c // shared, d // shared
        elif sizes:
            c = (np.int64(bits >> _35) * sizes >> 29) + 1
            c = c if (bits >> _34) & _ONE else -c
        else:
            c, draw = _signed(key, draw, share, np.int64(1))
        on_left = (bits >> _8) & _ONE == 0
        a, b, on_left = _other(sign, top, bottom, c, d, on_left)
        if b == 0:
            return none, draw
        of_left = np.int64((bits >> _9) & _16_BITS) * signs >> 16
        parts[count, 0], parts[count, 1] = sign, 0
        count += 1
        first, second = (left + 1, left) if on_left else (left, left + 1)
        waiting[first, 0], waiting[first, 1] = c, d
        waiting[second, 0], waiting[second, 1] = a, b
        waiting[left + 1, 2], waiting[left, 2] = of_left, signs - 1 - of_left
        left += 2
    return count, draw
