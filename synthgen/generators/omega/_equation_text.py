"""Equations split into terms, shuffled and written by a kernel, where their numbers fit into words.

The draws and the texts are those of `_equations.equation`, whose terms these are.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.numerals import MOST_DIGITS, write_integer
from synthgen.core.randomness import draw_below, draw_bits

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int64]

LARGEST = 10**16
"""Numbers of an equation, and parts of them, are at most so large here."""
MOST_TERMS = 200
_PART_TRIES = 8
_BY_ONE_WORD = 16
_PER_TERM = MOST_DIGITS + 7
_ONE = np.uint64(1)
_NIL, _ZERO = np.uint8(0), np.uint8(ord("0"))
_MINUS, _PLUS, _SPACE, _STAR, _EQUALS, _COMMA = (np.uint8(ord(char)) for char in "-+ *=,")
_AND = np.frombuffer(b" and ", np.uint8)


@njit(cache=True, nogil=True)
def _put_side(
    out: Bytes, at: Int, values: Numbers, factors: Bytes, order: Numbers, side: Int
) -> Int:
    """Write the terms of one side as a sum, 0 if there are none, and return where it ends."""
    begin = at
    for place in order:
        if factors[place, 2] != side:
            continue
        value = values[place] if side else -values[place]
        letter, name = factors[place, 0], factors[place, 1]
        if at > begin:
            out[at] = out[at + 2] = _SPACE
            out[at + 1] = _MINUS if value < 0 else _PLUS
            at += 3
        elif value < 0:
            out[at] = _MINUS
            at += 1
        value = abs(value)
        if value != 1 or (letter == _NIL and name == _NIL):
            at = write_integer(out, at, value)
            if letter != _NIL or name != _NIL:
                out[at] = _STAR
                at += 1
        if letter != _NIL:
            out[at] = letter
            at += 1
            if name != _NIL:
                out[at] = _STAR
                at += 1
        if name != _NIL:
            out[at] = name
            at += 1
    if at == begin:
        out[at] = _ZERO
        at += 1
    return at


@njit(cache=True, nogil=True)
def _part(key: np.uint64, draw: Int, value: Int, bound: Int) -> tuple[Int, Int]:
    """Return an integer other than zero and this value, and the number of the next draw."""
    for _ in range(_PART_TRIES):
        part: Int = draw_below(key, draw, 2 * bound + 1) - bound
        draw += 1
        less = part < 0
        if part == 0:
            less = draw_below(key, draw, np.int64(2)) == 1
            draw += 1
        part = part - 1 if less else part + 1
        if part != value:
            return part, draw
    return (value + 1 if value != -1 else np.int64(1)), draw


@njit(cache=True, nogil=True)
def _shuffle(key: np.uint64, draw: Int, order: Numbers) -> Int:
    """Shuffle as `shuffled` does, and return the number of the next draw."""
    if len(order) > _BY_ONE_WORD:
        for last in range(len(order) - 1, 0, -1):
            other: Int = draw_below(key, draw, np.int64(last + 1))
            draw += 1
            order[last], order[other] = order[other], order[last]
        return draw
    bits = draw_bits(key, draw)
    for last in range(len(order) - 1, 0, -1):
        n = np.uint64(last + 1)
        other = np.int64(bits % n)
        bits //= n
        order[last], order[other] = order[other], order[last]
    return draw + 1


@njit(cache=True, nogil=True)
def _put_equation(
    key: np.uint64,
    draw: Int,
    row: Numbers,
    names: Bytes,
    letters: Bytes,
    n_terms: Int,
    bound: Int,
    out: Bytes,
    at: Int,
) -> tuple[Int, Int]:
    """Write an equation; return where it ends and the number of the next draw."""
    last = len(row) - 1
    values = np.empty(MOST_TERMS, np.int64)
    factors = np.zeros((MOST_TERMS, 3), np.uint8)  # letter, unknown, side
    count: Int = np.int64(0)
    place: Int
    for place in range(last + 1):
        if row[place] and letters[place] == _NIL:
            values[count] = row[place] if place < last else -row[place]
            factors[count, 1] = names[place] if place < last else _NIL
            count += 1
    n_named = np.count_nonzero(letters)
    splits = n_terms - count - n_named if count else 0
    for _ in range(splits):
        place = draw_below(key, draw, count)
        part, draw = _part(key, draw + 1, values[place], bound)
        values[count] = values[place] - part
        factors[count, 1] = factors[place, 1]
        values[place] = part
        count += 1
    for place in range(last + 1):
        if letters[place] != _NIL:
            values[count] = 1 if place < last else -1
            factors[count, 0] = letters[place]
            factors[count, 1] = names[place] if place < last else _NIL
            count += 1
    sides = draw_bits(key, draw)
    order = np.arange(count)
    draw = _shuffle(key, draw + 1, order)
    for place in order:
        factors[place, 2] = np.uint8(sides & _ONE)
        sides >>= _ONE
        if sides == 0:
            sides = draw_bits(key, draw)
            draw += 1
    at = _put_side(out, at, values, factors, order, 1)
    out[at] = out[at + 2] = _SPACE
    out[at + 1] = _EQUALS
    at = _put_side(out, at + 3, values, factors, order, 0)
    return at, draw


@njit(cache=True, nogil=True)
def equation_bytes(
    key: np.uint64, draw: Int, row: Numbers, names: Bytes, letters: Bytes, n_terms: Int, bound: Int
) -> tuple[Bytes, Int]:
    """Write one equation of so many terms; return it and the number of the next draw."""
    out = np.empty((max(n_terms, len(row)) + 2) * _PER_TERM, np.uint8)
    at, draw = _put_equation(key, draw, row, names, letters, n_terms, bound, out, 0)
    return out[:at], draw


@njit(cache=True, nogil=True)
def system_bytes(
    key: np.uint64, draw: Int, rows: Numbers, names: Bytes, letters: Bytes, most: Int, bound: Int
) -> tuple[Bytes, Int]:
    """Write a list of equations, each of up to so many terms, or as many as it needs.

    Returns:
        The text and the number of the next draw.
    """
    n, width = rows.shape
    out = np.empty(n * (max(most, width) + 2) * _PER_TERM, np.uint8)
    at: Int = np.int64(0)
    for i in range(n):
        if i and i == n - 1:
            out[at : at + len(_AND)] = _AND
            at += len(_AND)
        elif i:
            out[at], out[at + 1] = _COMMA, _SPACE
            at += 2
        least = np.count_nonzero(rows[i, :-1]) + 1
        n_terms = least + draw_below(key, draw, max(least, most) + 1 - least)
        at, draw = _put_equation(key, draw + 1, rows[i], names, letters[i], n_terms, bound, out, at)
    return out[:at], draw
