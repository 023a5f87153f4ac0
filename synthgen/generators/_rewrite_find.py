"""Finding a left side in a string: by its first eight letters, which make one word, then the rest.

A text must go on for seven letters after its end: they are read, but what they are has no effect.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.generators._rewrite_strings import Letters

WORD = 8
"""Letters of a word."""
_NONE, _FIRST, _ALL = np.uint64(0), np.uint64(1), np.uint64(2**64 - 1)
_BITS = np.uint64(8)


@lent
def find(text: Letters, length: Int, lhs: Letters, start: Int) -> Int:
    """Return the first place from `start` on where `lhs` occurs, or -1."""
    size = len(lhs)
    word, mask = _first_letters(lhs, 0, size)
    for place in range(start, length - size + 1):
        if (_word_at(text, np.uintp(place)) ^ word) & mask != _NONE:
            continue
        same = min(size, WORD)
        while same < size and text[place + same] == lhs[same]:
            same += 1
        if same == size:
            return place
    return -1


@lent
def count_all(text: Letters, length: Int, lhs: Letters) -> Int:
    """Count occurrences, overlaps too."""
    count = 0
    at = find(text, length, lhs, 0)
    while at >= 0:
        count += 1
        at = find(text, length, lhs, at + 1)
    return count


@lent
def count_starts(text: Letters, start: Int, end: Int, letters: Letters, lhs: Int, rhs: Int) -> Int:
    """Count where in text[start:end] the first eight letters of letters[lhs:rhs] are.

    The other letters have room there, too: these are all occurrences, and maybe other places.
    """
    word, mask = _first_letters(letters, lhs, rhs)
    count: Int = 0
    for place in range(np.uintp(start), np.uintp(end - (rhs - lhs) + 1)):
        count += (_word_at(text, np.uintp(place)) ^ word) & mask == _NONE
    return count


@lent
def _first_letters(letters: Letters, start: Int, end: Int) -> tuple[np.uint64, np.uint64]:
    """Return as many letters as a word holds, and which bits they take of it."""
    if end - start >= WORD:
        return _word_at(letters, np.uintp(start)), _ALL
    word = _NONE
    for j in range(end - start):
        word |= np.uint64(letters[start + j]) << _BITS * np.uint64(j)
    return word, (_FIRST << _BITS * np.uint64(end - start)) - _FIRST


@njit(cache=True, nogil=True, inline="always")
def _word_at(text: Letters, at: np.uintp) -> np.uint64:
    """Return eight letters as one word, the first one lowest: compiled, that is one load.

    The place is unsigned, so that no index from the end is looked for.
    """
    word = _NONE
    for j in range(WORD):
        word |= np.uint64(text[at + np.uintp(j)]) << _BITS * np.uint64(j)
    return word
