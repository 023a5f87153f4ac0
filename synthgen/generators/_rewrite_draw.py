"""Kernels of string rewriting: the rule and the input of every row.

An input is drawn letter by letter, then the left side is planted, and where it occurs too early or
too often the first letter of the place is drawn again among those that the left side does not
begin with: so each such place is mended for good, and every row comes to an end.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.derivation import Codes
from synthgen.core.kinds import Int
from synthgen.core.randomness import U64, draw_below, draw_bits
from synthgen.generators._rewrite_nearly import nearest_kind, plant_nearly
from synthgen.generators._rewrite_strings import Letters

MILLION = 1_000_000
APPLY, RULE, STRING = range(3)
"""Codes of the root, of a rule and of the empty string; a string of k letters comes k later."""
PACK = 3
"""Letters of a leaf; the last leaf of a string may have fewer."""
POSITION, OVERLAPPING, SEPARATE, NEARLY, LENGTH = range(5)
N_COLUMNS = 5
_RULE_DRAW, _NOOP_DRAW, _LENGTH_DRAW, _TIMES_DRAW, _NEARLY_DRAW = range(5)
_PLACES, _LETTERS, _MENDING = 1 << 18, 1 << 20, 1 << 22
_LOW_32, _S32 = np.uint64(0xFFFFFFFF), np.uint64(32)
_A_DRAW = 8
"""Letters out of one draw: four from each half, with a bias below 2^-13 for 26 letters."""


@njit(cache=True, nogil=True)
def choose_rules(keys: U64, n_rules: Int, noop: Int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Draw the rule of each row, and whether it changes nothing, `noop` times in a million."""
    rules = np.empty(len(keys), np.int64)
    absent = np.empty(len(keys), np.bool_)
    for i in range(len(keys)):
        rules[i] = draw_below(keys[i], _RULE_DRAW, n_rules)
        absent[i] = draw_below(keys[i], _NOOP_DRAW, MILLION) < noop
    return rules, absent


@njit(cache=True, nogil=True)
def draw_inputs(
    keys: U64,
    rules: NDArray[np.int64],
    absent: NDArray[np.bool_],
    letters: Letters,
    starts: NDArray[np.int64],
    limits: tuple[int, int, int, int, int],
    times: NDArray[np.int64],
    kinds: NDArray[np.int64],
) -> tuple[Codes, NDArray[np.int64], Letters, NDArray[np.int64], NDArray[np.int16]]:
    """Return derivations and inputs with offsets of both, and columns int16 (n, N_COLUMNS).

    Args:
        keys: of the rows.
        rules: of the rows.
        absent: which rows have no occurrence.
        letters: both sides of all rules, `starts` being their offsets.
        starts: of the sides.
        limits: shortest and longest input, letters of the alphabet, how many times in a million an
            input without occurrence has something like one planted, and the first leaf's code.
        times: numbers of occurrences to choose from.
        kinds: of what is planted instead to choose from.
    """
    shortest, longest, n_letters, nearly, first_leaf = limits
    n = len(keys)
    columns = np.empty((n, N_COLUMNS), np.int16)
    offsets = np.zeros(n + 1, np.int64)
    ends = np.zeros(n + 1, np.int64)
    for i in range(n):
        length = shortest + draw_below(keys[i], _LENGTH_DRAW, longest - shortest + 1)
        columns[i, LENGTH] = length
        ends[i + 1] = ends[i] + length
        leaves = -(-length // PACK)
        for side in range(2 * rules[i], 2 * rules[i] + 2):
            leaves += -((starts[side] - starts[side + 1]) // PACK)
        offsets[i + 1] = offsets[i] + 5 + leaves
    codes = np.empty(offsets[n], np.uint16)
    texts = np.empty(ends[n] + _A_DRAW, np.uint8)
    places = np.empty(longest + 1, np.int64)
    for i in range(n):
        side = 2 * rules[i]
        begin, middle, end = starts[side], starts[side + 1], starts[side + 2]
        lhs = letters[begin:middle]
        length = np.int64(columns[i, LENGTH])
        text = texts[ends[i] :]
        _fill(text, length, keys[i], n_letters)
        if absent[i]:
            wanted = draw_below(keys[i], _NEARLY_DRAW, MILLION) < nearly
            _without(text, length, lhs, keys[i], n_letters, kinds if wanted else kinds[:0])
            columns[i, POSITION] = -1
            columns[i, OVERLAPPING] = columns[i, SEPARATE] = 0
            columns[i, NEARLY] = nearest_kind(text, length, lhs)
        else:
            count = times[draw_below(keys[i], _TIMES_DRAW, len(times))]
            columns[i, POSITION] = _plant(text, length, lhs, keys[i], n_letters, places[:count])
            overlapping, separate = _count(text, length, lhs)
            columns[i, OVERLAPPING] = overlapping
            columns[i, SEPARATE] = separate
            columns[i, NEARLY] = 0
        at = offsets[i]
        codes[at] = APPLY
        codes[at + 1] = RULE
        at = _write_codes(codes, at + 2, lhs, len(lhs), n_letters, first_leaf)
        at = _write_codes(codes, at, letters[middle:end], end - middle, n_letters, first_leaf)
        _write_codes(codes, at, text, length, n_letters, first_leaf)
    return codes, offsets, texts[: ends[n]], ends, columns


@njit(cache=True, nogil=True)
def _write_codes(codes: Codes, at: Int, text: Letters, length: Int, n: Int, first: Int) -> Int:
    """Write a string as leaves of three letters: those of one letter come first, then of two."""
    codes[at] = STRING + length
    at += 1
    threes = first + n + n * n
    for place in range(0, length - PACK + 1, PACK):
        pair = np.int64(text[place]) * n + np.int64(text[place + 1])
        codes[at] = threes + pair * n + np.int64(text[place + 2])
        at += 1
    rest = length % PACK
    if rest == 1:
        codes[at] = first + np.int64(text[length - 1])
    elif rest == 2:
        codes[at] = first + n + np.int64(text[length - 2]) * n + np.int64(text[length - 1])
    return at + (rest > 0)


@njit(cache=True, nogil=True)
def _fill(text: Letters, length: Int, key: np.uint64, n_letters: Int) -> None:
    """Draw all letters, and up to seven more."""
    base = np.uint64(n_letters)
    for start in range(0, length, _A_DRAW):
        bits = draw_bits(key, _LETTERS + start)
        one, other = bits & _LOW_32, bits >> _S32
        for place in range(start, start + _A_DRAW, 2):
            one *= base
            other *= base
            text[place] = one >> _S32
            text[place + 1] = other >> _S32
            one &= _LOW_32
            other &= _LOW_32


@njit(cache=True, nogil=True)
def _find(text: Letters, length: Int, lhs: Letters, start: Int) -> Int:
    """Return the first place from `start` on where `lhs` occurs, or -1."""
    first = lhs[0]
    for place in range(start, length - len(lhs) + 1):
        if text[place] != first:
            continue
        same = 1
        while same < len(lhs) and text[place + same] == lhs[same]:
            same += 1
        if same == len(lhs):
            return place
    return -1


@njit(cache=True, nogil=True)
def _other_letter(letter: Int, key: np.uint64, draw: Int, n_letters: Int) -> Int:
    """Draw one of the letters but this."""
    other = draw_below(key, _MENDING + draw, n_letters - 1)
    return other + 1 if other >= letter else other


@njit(cache=True, nogil=True)
def _plant(
    text: Letters,
    length: Int,
    lhs: Letters,
    key: np.uint64,
    n_letters: Int,
    places: NDArray[np.int64],
) -> Int:
    """Plant `lhs` as often as there are places, and see to it that it occurs no more often.

    Counted from the left without overlaps, occurrences are then exactly those planted: one that
    comes between begins with a letter that was not planted.
    """
    size, count = len(lhs), len(places)
    _draw_places(length - size * count, key, places)
    for j in range(count):
        places[j] += j * size
        for place in range(size):
            text[places[j] + place] = lhs[place]
    at: Int = 0
    planted, draw = 0, 0
    while True:
        found = _find(text, length, lhs, at)
        if found < 0:
            return np.int64(places[0])
        if planted < count and found == places[planted]:
            planted += 1
            at = found + size
            continue
        text[found] = _other_letter(np.int64(lhs[0]), key, draw, n_letters)
        draw += 1
        before = 0 if planted == 0 else places[planted - 1] + size
        at = max(before, found - size + 1)


@njit(cache=True, nogil=True)
def _draw_places(free: Int, key: np.uint64, places: NDArray[np.int64]) -> None:
    """Draw how many of the free letters come before each copy, all ways equally likely.

    That is a set of numbers below free + copies, drawn by Floyd's algorithm and kept sorted, each
    less its rank.
    """
    for j in range(len(places)):
        top = free + j
        chosen = draw_below(key, _PLACES + j, top + 1)
        for other in range(j):
            if places[other] == chosen:
                chosen = top
        at = j
        while at > 0 and places[at - 1] > chosen:
            places[at] = places[at - 1]
            at -= 1
        places[at] = chosen
    for j in range(len(places)):
        places[j] -= j


@njit(cache=True, nogil=True)
def _without(
    text: Letters,
    length: Int,
    lhs: Letters,
    key: np.uint64,
    n_letters: Int,
    kinds: NDArray[np.int64],
) -> None:
    """Take all occurrences of `lhs` away, and plant something like it if there are kinds.

    Where that cannot stay as it is, it becomes a part of the rest.
    """
    start, end = plant_nearly(text, length, lhs, key, n_letters, kinds)
    at: Int = 0
    draw = 0
    while True:
        found = _find(text, length, lhs, at)
        if found < 0:
            return
        if draw > 2 * length:
            start, end = 0, 0
        if start <= found < end:
            letter = np.int64(lhs[end - found])
            text[end] = _other_letter(letter, key, draw, n_letters)
            at = max(0, end - len(lhs) + 1)
        else:
            text[found] = _other_letter(np.int64(lhs[0]), key, draw, n_letters)
            at = max(0, found - len(lhs) + 1)
        draw += 1


@njit(cache=True, nogil=True)
def _count(text: Letters, length: Int, lhs: Letters) -> tuple[Int, Int]:
    """Count occurrences with and without overlaps."""
    overlapping, separate = 0, 0
    free_from: Int = 0
    at = _find(text, length, lhs, 0)
    while at >= 0:
        overlapping += 1
        if at >= free_from:
            separate += 1
            free_from = at + len(lhs)
        at = _find(text, length, lhs, at + 1)
    return overlapping, separate
