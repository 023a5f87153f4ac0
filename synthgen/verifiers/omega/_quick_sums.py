"""Linear equations and definitions of letters in kernels, as far as 64-bit integers go.

The grammar is that of `read_equation` and `read_definitions`, less exponents and fractions.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from synthgen.core.kinds import Int
from synthgen.verifiers.omega._quick_ratios import (
    LARGEST,
    MOST_OPERANDS,
    MOST_SIGNS,
    Known,
    Ratios,
    expression_at,
    too_large,
)
from synthgen.verifiers.omega._quick_text import (
    GAVE_UP,
    Bytes,
    Marks,
    fixed,
    goes_on,
    integer_at,
    letter_at,
)

N_LETTERS = 26
"""Coefficients of a row; the constant comes behind them."""
_MOST_DEFINITIONS = 6
_MOST_TERMS = 200
_MINUS, _PLUS, _SPACE, _STAR = (np.uint8(ord(char)) for char in "-+ *")
_EQUALS, _AND, _STOP = fixed(" = "), fixed(" and "), fixed(". ")
_LET, _SUPPOSE, _SUPPOSE_THAT = fixed("Let "), fixed("Suppose "), fixed("Suppose that ")
_SATISFY, _SOLUTION, _BE = fixed(" satisfy "), fixed(" be the solution of "), fixed(" be ")


@njit(cache=True, nogil=True)
def working_arrays() -> tuple[Marks, Known, Ratios, Bytes]:
    """Return the values of letters, which of them are known, and operands and signs that wait."""
    values, known = np.zeros(N_LETTERS, np.int64), np.zeros(N_LETTERS, np.bool_)
    return values, known, np.empty((MOST_OPERANDS, 2), np.int64), np.empty(MOST_SIGNS, np.uint8)


@njit(cache=True, nogil=True)
def _sum_at(
    text: Bytes, at: Int, end: Int, side: Int, values: Marks, known: Known, row: Marks, seen: Known
) -> Int:
    """Add the terms of a sum, times 1 or -1, to a row of coefficients, and return where it ends."""
    sign = side
    if at < end and text[at] == _MINUS:
        sign = -side
        at += 1
    for _ in range(_MOST_TERMS):
        first = letter_at(text, at, end)
        second: Int = np.int64(-1)
        number: Int = np.int64(1)
        if first >= 0:
            at += 1
        else:
            number, at = integer_at(text, at, end)
            if at < 0:
                return GAVE_UP
        if at < end and text[at] == _STAR:
            second = letter_at(text, at + 1, end)
            if second < 0:
                return GAVE_UP
            at += 2
        unknown: Int = np.int64(N_LETTERS)
        for letter in (first, second):
            if letter < 0:
                continue
            if known[letter]:
                if too_large(number, values[letter]):
                    return GAVE_UP
                number *= values[letter]
            elif unknown < N_LETTERS:
                return GAVE_UP
            else:
                unknown = letter
                seen[letter] = True
        if abs(np.float64(row[unknown]) + sign * np.float64(number)) >= LARGEST:
            return GAVE_UP
        row[unknown] += sign * number
        if at + 2 >= end or text[at] != _SPACE or text[at + 2] != _SPACE:
            return at
        if text[at + 1] == _PLUS:
            sign = side
        elif text[at + 1] == _MINUS:
            sign = -side
        else:
            return at
        at += 3
    return GAVE_UP


@njit(cache=True, nogil=True)
def equation_at(
    text: Bytes, at: Int, end: Int, values: Marks, known: Known, row: Marks, seen: Known
) -> Int:
    """Collect an equation on its left side into a row, and return where it ends.

    Letters that are not known are noted in `seen`.
    """
    row[:] = 0
    at = _sum_at(text, at, end, np.int64(1), values, known, row, seen)
    if not goes_on(text, at, end, _EQUALS):
        return GAVE_UP
    return _sum_at(text, at + 3, end, np.int64(-1), values, known, row, seen)


@njit(cache=True, nogil=True)
def definitions_at(
    text: Bytes, at: Int, end: Int, values: Marks, known: Known, ratios: Ratios, signs: Bytes
) -> Int:
    """Settle the letters that are defined at the beginning; return where the question begins."""
    for _ in range(_MOST_DEFINITIONS):
        if not goes_on(text, at, end, _LET) and not goes_on(text, at, end, _SUPPOSE):
            return at
        at = _definition_at(text, at, end, values, known, ratios, signs)
        if not goes_on(text, at, end, _STOP):
            return GAVE_UP
        at += 2
    return GAVE_UP


@njit(cache=True, nogil=True)
def _definition_at(
    text: Bytes, at: Int, end: Int, values: Marks, known: Known, ratios: Ratios, signs: Bytes
) -> Int:
    """Settle the letters of one sentence, and return where it ends."""
    if goes_on(text, at, end, _SUPPOSE_THAT):
        none = np.int64(-1)
        return _solved_at(text, at + len(_SUPPOSE_THAT), end, none, none, values, known)
    is_let = goes_on(text, at, end, _LET)
    at += len(_LET) if is_let else len(_SUPPOSE)
    letter = letter_at(text, at, end)
    if letter < 0 or known[letter]:
        return GAVE_UP
    at += 1
    other: Int = np.int64(-1)
    if is_let and goes_on(text, at, end, _AND):
        other = letter_at(text, at + len(_AND), end)
        at += len(_AND) + 1
        if other < 0 or other == letter or known[other]:
            return GAVE_UP
    if is_let and goes_on(text, at, end, _SATISFY):
        return _solved_at(text, at + len(_SATISFY), end, letter, other, values, known)
    if is_let and goes_on(text, at, end, _SOLUTION):
        return _solved_at(text, at + len(_SOLUTION), end, letter, other, values, known)
    if other >= 0:
        return GAVE_UP
    if goes_on(text, at, end, _EQUALS):
        at += len(_EQUALS)
    elif is_let and goes_on(text, at, end, _BE):
        at += len(_BE)
    else:
        return GAVE_UP
    at = expression_at(text, at, end, values, known, ratios, signs)
    if at < 0 or ratios[0, 1] != 1:
        return GAVE_UP
    values[letter], known[letter] = ratios[0, 0], True
    return at


@njit(cache=True, nogil=True)
def _solved_at(
    text: Bytes, at: Int, end: Int, letter: Int, other: Int, values: Marks, known: Known
) -> Int:
    """Settle the letters of one or two equations, named before or not; return where they end."""
    rows = np.empty((2, N_LETTERS + 1), np.int64)
    seen = np.zeros(N_LETTERS, np.bool_)
    at = equation_at(text, at, end, values, known, rows[0], seen)
    two = goes_on(text, at, end, _AND)
    if two:
        at = equation_at(text, at + len(_AND), end, values, known, rows[1], seen)
    if at < 0 or (letter >= 0 and two != (other >= 0)):
        return GAVE_UP
    count = 0
    for name in range(N_LETTERS):
        if not seen[name]:
            continue
        if letter >= 0 and name not in (letter, other):
            return GAVE_UP
        count += 1
    if count != (2 if two else 1):
        return GAVE_UP
    if letter < 0:
        for name in range(N_LETTERS - 1, -1, -1):
            if seen[name]:
                other, letter = letter, np.int64(name)
    fits = _pair(rows, letter, other, values) if two else _alone(rows[0], letter, values)
    if not fits:
        return GAVE_UP
    known[letter] = True
    if two:
        known[other] = True
    return at


@njit(cache=True, nogil=True)
def _alone(row: Marks, letter: Int, values: Marks) -> bool:
    """Settle the only letter of an equation; false if it has no integer value."""
    times, constant = row[letter], -row[N_LETTERS]
    if times == 0 or constant % times:
        return False
    values[letter] = constant // times
    return True


@njit(cache=True, nogil=True)
def _pair(rows: Marks, letter: Int, other: Int, values: Marks) -> bool:
    """Settle the letters of two equations by Cramer's rule; false if they have no integers."""
    a, b, c = rows[0, letter], rows[0, other], -rows[0, N_LETTERS]
    d, e, f = rows[1, letter], rows[1, other], -rows[1, N_LETTERS]
    for x, y in ((a, e), (b, d), (c, e), (b, f), (a, f), (c, d)):
        if abs(np.float64(x) * np.float64(y)) >= LARGEST / 2:
            return False
    determinant = a * e - b * d
    if determinant == 0:
        return False
    first, second = c * e - b * f, a * f - c * d
    if first % determinant or second % determinant:
        return False
    values[letter], values[other] = first // determinant, second // determinant
    return True
