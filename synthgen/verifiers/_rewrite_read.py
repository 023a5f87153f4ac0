"""Reading `x > y | z` and finding the leftmost x in z, in time proportional to the text."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent

Bytes = NDArray[np.uint8]
WRONG = -1
_WORD, _EIGHT, _ONE = 8, np.uint64(8), np.uintp(1)
_A, _Z, _SPACE, _ARROW, _BAR, _EMPTY = (ord(char) for char in "az >|_")


@lent
def read_problem(text: Bytes, start: Int, end: Int) -> tuple[Int, Int, Int, Int]:
    """Return where x ends, y begins and ends, and z begins in text[start:end], or WRONG first.

    Sides and string are lower-case letters, at least one; `_` is the empty right side.
    """
    wrong = (np.int64(WRONG), np.int64(0), np.int64(0), np.int64(0))
    lhs_end = _letters_end(text, start, end)
    rhs = _sign_end(text, lhs_end, end, _ARROW)
    if lhs_end == start or rhs == WRONG:
        return wrong
    rhs_end = _letters_end(text, rhs, end)
    after = rhs_end
    if rhs_end == rhs:
        if rhs >= end or text[rhs] != _EMPTY:
            return wrong
        after = rhs + 1
    string = _sign_end(text, after, end, _BAR)
    if string == WRONG or string == end or not _are_letters(text, string, end):
        return wrong
    return np.int64(lhs_end), np.int64(rhs), np.int64(rhs_end), np.int64(string)


@lent
def _letters_end(text: Bytes, at: Int, end: Int) -> Int:
    place = np.uintp(at)  # unsigned, here and below: no index from the end to look for
    while place < np.uintp(end) and _A <= text[place] <= _Z:
        place += _ONE
    return np.int64(place)


@lent
def _are_letters(text: Bytes, start: Int, end: Int) -> bool:
    """Say whether all are, without a stop before the end, so that many are looked at at a time."""
    all_are = True
    for place in range(np.uintp(start), np.uintp(end)):
        all_are &= _A <= text[place] <= _Z
    return all_are


@lent
def _sign_end(text: Bytes, at: Int, end: Int, sign: Int) -> Int:
    """Return where the sign with a space on either side ends if it stands here, or WRONG."""
    if at + 3 > end or text[at] != _SPACE or text[at + 1] != sign or text[at + 2] != _SPACE:
        return WRONG
    return at + 3


@lent
def leftmost(
    text: Bytes, start: Int, lhs_end: Int, string: Int, end: Int, borders: NDArray[np.int64]
) -> Int:
    """Return where text[start:lhs_end] first occurs in text[string:end], or WRONG.

    Knuth, Morris and Pratt (1977): `borders`, of at least the length of the left side, gets the
    longest proper border of each of its prefixes, as far as they are needed, so that no letter of
    the string is read twice. Before, places are passed over where not even eight letters stand.
    """
    size = lhs_end - start
    at = _first_start(text, start, string, end - size + 1) if size >= _WORD else string
    borders[0] = 0
    known = 1
    same = 0
    while at < end:
        if text[at] == text[start + same]:
            at += 1
            same += 1
            if same == size:
                return at - size
        elif same == 0:
            at += 1
        else:
            while known < same:
                borders[known] = _border(text, start, known, borders)
                known += 1
            same = borders[same - 1]
    return WRONG


@lent
def _border(text: Bytes, start: Int, place: Int, borders: NDArray[np.int64]) -> Int:
    """Return the longest proper border of the letters from `start` to that at `place`."""
    border: Int = borders[place - 1]
    while border > 0 and text[start + place] != text[start + border]:
        border = borders[border - 1]
    return border + 1 if text[start + place] == text[start + border] else border


@lent
def _first_start(text: Bytes, start: Int, string: Int, end: Int) -> Int:
    """Return the first place before `end` where the eight letters from `start` stand, or `end`."""
    wanted = _word(text, np.uintp(start))
    at = string
    while at < end and _word(text, np.uintp(at)) != wanted:
        at += 1
    return at


@njit(cache=True, nogil=True, inline="always")
def _word(text: Bytes, at: np.uintp) -> np.uint64:
    """Return eight bytes as one number: compiled, that is one load."""
    word = np.uint64(0)
    for byte in range(_WORD):
        word |= np.uint64(text[at + np.uintp(byte)]) << _EIGHT * np.uint64(byte)
    return word
