"""Operations on words: letters with a 0 behind each word."""

from __future__ import annotations

import numpy as np

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.generators.skillmix import _chain_opcodes as op
from synthgen.generators.skillmix._chain_opcodes import Value


@lent
def words_op(code: Int, a: Int, source: Value, n: Int, out: Value) -> Int:
    """Write what becomes of words, one by one, and return its length."""
    m: Int = np.int64(0)
    start: Int = np.int64(0)
    for end in range(n):
        if source[end] != 0:
            continue
        if code == op.FIRSTS or code == op.LASTS:
            out[m] = source[start if code == op.FIRSTS else end - 1]
            m += 1
        elif code != op.WORDS_LONGER or end - start > a:
            place = np.int64(0) if code == op.WORDS_REV else m
            if code == op.WORDS_SORT or code == op.WORDS_UNIQUE:
                place = _place_among(code, source[start:], out, m)
            if place >= 0:
                m = _put_word(source[start : end + 1], out, m, place)
        start = np.int64(end + 1)
    return m


@lent
def _place_among(code: Int, word: Value, out: Value, m: Int) -> Int:
    """Return where a word belongs among those of out[:m], or -1 for nowhere.

    In order it stands before the first larger one; as one of different words, at the end.
    """
    place: Int = np.int64(0)
    while place < m:
        k = 0
        while word[k] == out[place + k] and word[k] != 0:
            k += 1
        if code == op.WORDS_SORT and word[k] < out[place + k]:
            return place
        if code == op.WORDS_UNIQUE and word[k] == out[place + k]:
            return np.int64(-1)
        while out[place] != 0:
            place += 1
        place += 1
    return place


@lent
def _put_word(word: Value, out: Value, m: Int, place: Int) -> Int:
    """Put a word and its 0 in at a place of out[:m]; return the length then."""
    size = len(word)
    for k in range(m - 1, place - 1, -1):
        out[k + size] = out[k]
    for k in range(size):
        out[place + k] = word[k]
    return m + size
