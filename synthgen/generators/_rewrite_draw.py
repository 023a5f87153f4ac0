"""Kernels of string rewriting: the input of every row.

An input is drawn letter by letter, then the left side is planted. Whether it occurs anywhere else
is looked at when all rows are drawn, as a text is read in words, for which a processor would have
to wait where letters have just been written.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.randomness import U64, draw_below, draw_bits
from synthgen.generators._rewrite_choice import MILLION
from synthgen.generators._rewrite_find import WORD, count_all, count_starts
from synthgen.generators._rewrite_nearly import nearest_kind, plant_nearly
from synthgen.generators._rewrite_plant import draw_places, mend_all, mend_others
from synthgen.generators._rewrite_strings import Letters, Offsets

Columns = NDArray[np.int16]
POSITION, OVERLAPPING, SEPARATE, NEARLY, LENGTH = range(5)
_COLUMNS = 5
_LENGTH_DRAW, _TIMES_DRAW, _NEARLY_DRAW = range(2, 5)
_LETTERS = 1 << 20
_LOW_32, _S32 = np.uint64(0xFFFFFFFF), np.uint64(32)
_ONE, _TWO = np.uintp(1), np.uintp(2)
_A_DRAW = 8
"""Letters out of one draw: four from each half, with a bias below 2^-13 for 26 letters."""


@njit(cache=True, nogil=True)
def draw_inputs(
    keys: U64,
    rules: NDArray[np.int64],
    absent: NDArray[np.bool_],
    letters: Letters,
    sides: Offsets,
    limits: tuple[int, int, int, int],
    times: NDArray[np.int64],
    kinds: NDArray[np.int64],
) -> tuple[Letters, Offsets, Columns]:
    """Return inputs with offsets, and a row for each of their columns, int16 (columns, n).

    Args:
        keys: of the rows.
        rules: of the rows.
        absent: which rows have no occurrence.
        letters: both sides of all rules.
        sides: offsets of the sides.
        limits: shortest and longest input, letters of the alphabet, and how many times in a million
            an input without occurrence has something like one planted.
        times: numbers of occurrences to choose from.
        kinds: of what is planted instead to choose from.
    """
    shortest, longest, n_letters, nearly = limits
    n = len(keys)
    columns = np.zeros((_COLUMNS, n), np.int16)
    ends = np.zeros(n + 1, np.int64)
    for i in range(n):
        length = shortest + draw_below(keys[i], _LENGTH_DRAW, longest - shortest + 1)
        columns[LENGTH, i] = length
        ends[i + 1] = ends[i] + length
    texts = np.empty(ends[n] + max(_A_DRAW, WORD), np.uint8)
    places = np.empty(longest, np.int64)
    for i in range(n):
        _fill(texts, ends[i], ends[i + 1], keys[i], n_letters)
        if absent[i]:
            columns[POSITION, i] = -1
            continue
        lhs, rhs = sides[2 * rules[i]], sides[2 * rules[i] + 1]
        count = times[draw_below(keys[i], _TIMES_DRAW, len(times))]
        draw_places(ends[i + 1] - ends[i], rhs - lhs, count, keys[i], places)
        for j in range(count):
            _copy(texts, ends[i] + places[j], letters, lhs, rhs)
        columns[POSITION, i], columns[SEPARATE, i] = places[0], count
    for i in range(n):
        lhs, rhs = sides[2 * rules[i]], sides[2 * rules[i] + 1]
        count = np.int64(columns[SEPARATE, i])
        starts = count_starts(texts, ends[i], ends[i + 1], letters, lhs, rhs)
        columns[OVERLAPPING, i] = starts
        if starts == count and not absent[i]:
            continue  # nothing but what was planted
        text, length, side = texts[ends[i] :], ends[i + 1] - ends[i], letters[lhs:rhs]
        if absent[i]:
            some = kinds if draw_below(keys[i], _NEARLY_DRAW, MILLION) < nearly else kinds[:0]
            span = plant_nearly(text, length, side, keys[i], n_letters, some)
            mend_all(text, length, side, keys[i], n_letters, span)
            columns[NEARLY, i] = nearest_kind(text, length, side)
        else:
            draw_places(length, len(side), count, keys[i], places)
            mend_others(text, length, side, keys[i], n_letters, places[:count])
        columns[OVERLAPPING, i] = count_all(text, length, side)
    return texts[: ends[n]], ends, columns


@lent
def _fill(texts: Letters, start: Int, end: Int, key: np.uint64, n_letters: Int) -> None:
    """Draw all letters, and up to seven more."""
    base = np.uint64(n_letters)
    place = np.uintp(start)  # unsigned: no index from the end to look for
    for drawn in range(0, end - start, _A_DRAW):
        bits = draw_bits(key, _LETTERS + drawn)
        one, other = bits & _LOW_32, bits >> _S32
        for _ in range(_A_DRAW // 2):
            one *= base
            other *= base
            texts[place] = one >> _S32
            texts[place + _ONE] = other >> _S32
            one &= _LOW_32
            other &= _LOW_32
            place += _TWO


@lent
def _copy(out: Letters, at: Int, letters: Letters, start: Int, end: Int) -> None:
    """Write letters[start:end] at `at`."""
    to, source = np.uintp(at), np.uintp(start)
    for place in range(np.uintp(end - start)):
        out[to + place] = letters[source + place]
