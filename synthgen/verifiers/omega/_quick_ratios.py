"""Values of expressions in kernels: ratios of 64-bit integers, given up where they are too large.

The grammar is that of `read_expression`, less what is too long; a ratio is in lowest terms, and one
with the denominator 0 is none.
"""

from __future__ import annotations

from math import gcd
from typing import TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.verifiers.omega._quick_text import GAVE_UP, Bytes, Marks, integer_at, letter_at

Ratios: TypeAlias = NDArray[np.int64]
"""Operands that wait, int64 (MOST_OPERANDS, 2)."""
Known: TypeAlias = NDArray[np.bool_]

MOST_OPERANDS = 64
"""So many have no ratio of more bits than the plain way allows."""
MOST_SIGNS = 128
_MOST_OPENED = 50
LARGEST = 4.0e18
"""Products and sums below this, as floats, are exact as 64-bit integers."""
_OPEN, _CLOSE, _MINUS, _PLUS, _TIMES, _OVER, _SPACE, _NIL = (np.uint8(ord(c)) for c in "()-+*/ 0")


@njit(cache=True, nogil=True)
def too_large(x: Int, y: Int) -> bool:
    """Say whether a product might be too large."""
    return bool(abs(np.float64(x) * np.float64(y)) >= LARGEST)


@njit(cache=True, nogil=True)
def _product(a: Int, b: Int, c: Int, d: Int) -> tuple[Int, Int]:
    """Return a/b * c/d, of ratios in lowest terms."""
    first, second = gcd(a, d), gcd(c, b)
    a, d, c, b = a // first, d // first, c // second, b // second
    if too_large(a, c) or too_large(b, d):
        return np.int64(0), np.int64(0)
    return a * c, b * d


@njit(cache=True, nogil=True)
def combined(sign: np.uint8, a: Int, b: Int, c: Int, d: Int) -> tuple[Int, Int]:
    """Return a/b and c/d combined by a sign; denominator 0 if the result is none or too large."""
    if sign == _TIMES:
        return _product(a, b, c, d)
    if sign == _OVER:
        if c == 0:
            return np.int64(0), np.int64(0)
        return _product(a, b, d, c) if c > 0 else _product(a, b, -d, -c)
    if sign == _MINUS:
        c = -c
    shared = gcd(b, d)
    left, right = d // shared, b // shared
    if too_large(a, left) or too_large(c, right) or too_large(b, left):
        return np.int64(0), np.int64(0)
    if abs(np.float64(a * left) + np.float64(c * right)) >= LARGEST:
        return np.int64(0), np.int64(0)
    top, bottom = a * left + c * right, b * left
    shared = gcd(top, bottom)
    return top // shared, bottom // shared


@njit(cache=True, nogil=True)
def _rank(sign: np.uint8) -> Int:
    if sign == _OPEN:
        return np.int64(0)
    return np.int64(2) if sign in (_TIMES, _OVER) else np.int64(1)


@njit(cache=True, nogil=True)
def _settled(ratios: Ratios, signs: Bytes, count: Int, waiting: Int, rank: Int) -> tuple[Int, Int]:
    """Work out the waiting signs of at least this rank; return how many ratios and signs stay."""
    while waiting > 0 and _rank(signs[waiting - 1]) >= rank:
        top, bottom = combined(
            signs[waiting - 1],
            ratios[count - 2, 0],
            ratios[count - 2, 1],
            ratios[count - 1, 0],
            ratios[count - 1, 1],
        )
        if bottom == 0:
            return np.int64(0), waiting
        count, waiting = count - 1, waiting - 1
        ratios[count - 1, 0], ratios[count - 1, 1] = top, bottom
    return count, waiting


@njit(cache=True, nogil=True)
def expression_at(
    text: Bytes, at: Int, end: Int, values: Marks, known: Known, ratios: Ratios, signs: Bytes
) -> Int:
    """Work an expression out into the first ratio, and return where it ends."""
    count: Int = np.int64(0)
    waiting: Int = np.int64(0)
    depth: Int = np.int64(0)
    opened = 0
    may_be_negative = True
    while True:
        while at < end and text[at] == _OPEN:
            signs[waiting] = _OPEN
            waiting, depth, opened, at = waiting + 1, depth + 1, opened + 1, at + 1
            may_be_negative = True
            if opened > _MOST_OPENED:
                return GAVE_UP
        negative = at < end and text[at] == _MINUS
        if negative:
            at += 1
            if not may_be_negative or at >= end or text[at] == _NIL:
                return GAVE_UP
        letter = letter_at(text, at, end)
        if letter >= 0:
            if negative or not known[letter]:
                return GAVE_UP
            value: Int = values[letter]
            at += 1
        else:
            value, at = integer_at(text, at, end)
            if at < 0:
                return GAVE_UP
        if count == MOST_OPERANDS:
            return GAVE_UP
        ratios[count, 0], ratios[count, 1] = -value if negative else value, 1
        count += 1
        while at < end and text[at] == _CLOSE:
            if depth == 0:
                return GAVE_UP
            count, waiting = _settled(ratios, signs, count, waiting, np.int64(1))
            if count == 0:
                return GAVE_UP
            waiting, depth, at = waiting - 1, depth - 1, at + 1
        sign = _SPACE
        if at < end and text[at] in (_TIMES, _OVER):
            sign = text[at]
            at += 1
        elif (
            at + 2 < end and text[at] == _SPACE == text[at + 2] and text[at + 1] in (_PLUS, _MINUS)
        ):
            sign = text[at + 1]
            at += 3
        if sign == _SPACE:
            break
        count, waiting = _settled(ratios, signs, count, waiting, _rank(sign))
        if count == 0:
            return GAVE_UP
        signs[waiting] = sign
        waiting += 1
        may_be_negative = False
    if depth:
        return GAVE_UP
    count, waiting = _settled(ratios, signs, count, waiting, np.int64(1))
    return at if count == 1 else GAVE_UP
