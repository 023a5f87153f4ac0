"""Reading `x > y | z` and finding the leftmost x in z, in time proportional to the text."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int

Bytes = NDArray[np.uint8]
WRONG = -1
_A, _Z, _SPACE, _ARROW, _BAR, _EMPTY = (ord(char) for char in "az >|_")


@njit(cache=True, nogil=True)
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
    if string == WRONG or string == end or _letters_end(text, string, end) != end:
        return wrong
    return np.int64(lhs_end), np.int64(rhs), np.int64(rhs_end), np.int64(string)


@njit(cache=True, nogil=True)
def _letters_end(text: Bytes, at: Int, end: Int) -> Int:
    while at < end and _A <= text[at] <= _Z:
        at += 1
    return at


@njit(cache=True, nogil=True)
def _sign_end(text: Bytes, at: Int, end: Int, sign: Int) -> Int:
    """Return where the sign with a space on either side ends if it stands here, or WRONG."""
    if at + 3 > end or text[at] != _SPACE or text[at + 1] != sign or text[at + 2] != _SPACE:
        return WRONG
    return at + 3


@njit(cache=True, nogil=True)
def leftmost(
    text: Bytes, start: Int, lhs_end: Int, string: Int, end: Int, borders: NDArray[np.int64]
) -> Int:
    """Return where text[start:lhs_end] first occurs in text[string:end], or WRONG.

    Knuth, Morris and Pratt (1977): `borders`, of at least the length of the left side, gets the
    longest proper border of each of its prefixes, so that no letter of the string is read twice.
    """
    size = lhs_end - start
    borders[0] = 0
    border = 0
    for place in range(1, size):
        while border > 0 and text[start + place] != text[start + border]:
            border = borders[border - 1]
        if text[start + place] == text[start + border]:
            border += 1
        borders[place] = border
    same = 0
    for at in range(string, end):
        while same > 0 and text[at] != text[start + same]:
            same = borders[same - 1]
        if text[at] == text[start + same]:
            same += 1
            if same == size:
                return at - size + 1
    return WRONG
