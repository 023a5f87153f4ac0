"""Operations on words: letters with a 0 behind each word."""

from __future__ import annotations

import numpy as np
from numba import njit

from synthgen.core.kinds import Int
from synthgen.generators.skillmix import _chain_opcodes as op
from synthgen.generators.skillmix._chain_opcodes import Value

_MOST_WORDS = 128


@njit(cache=True, nogil=True)
def words_op(code: Int, a: Int, source: Value, n: Int, out: Value) -> Int:
    """Write what becomes of words, and return its length."""
    starts = np.empty(_MOST_WORDS + 1, np.int64)
    count: Int = np.int64(0)
    starts[0] = 0
    for k in range(n):
        if source[k] == 0:
            count += 1
            starts[count] = k + 1
    m: Int = np.int64(0)
    if code == op.FIRSTS or code == op.LASTS:
        for k in range(count):
            out[k] = source[starts[k] if code == op.FIRSTS else starts[k + 1] - 2]
        return count
    if code == op.WORDS_SORT:
        return _in_order(source, starts, count, out)
    for k in range(count):
        word = count - 1 - k if code == op.WORDS_REV else k
        kept = True
        if code == op.WORDS_LONGER:
            kept = starts[word + 1] - starts[word] - 1 > a
        elif code == op.WORDS_UNIQUE:
            for other in range(word):
                if _compared(source, starts[other], starts[word]) == 0:
                    kept = False
        if kept:
            m = _added(source, starts[word], out, m)
    return m


@njit(cache=True, nogil=True)
def _compared(source: Value, one: Int, other: Int) -> Int:
    """Return a number below, at or above 0 as the word at `one` stands before that at `other`."""
    while source[one] == source[other] and source[one] != 0:
        one += 1
        other += 1
    return np.int64(source[one] - source[other])


@njit(cache=True, nogil=True)
def _added(source: Value, start: Int, out: Value, m: Int) -> Int:
    """Write a word at out[m], and return where it ends."""
    while source[start] != 0:
        out[m] = source[start]
        start += 1
        m += 1
    out[m] = 0
    return m + 1


@njit(cache=True, nogil=True)
def _in_order(source: Value, starts: Value, count: Int, out: Value) -> Int:
    """Write the words by selection: each time the smallest that is left."""
    left = starts[:count].copy()
    m: Int = np.int64(0)
    for k in range(count):
        best = k
        for j in range(k + 1, count):
            if _compared(source, left[j], left[best]) < 0:
                best = j
        m = _added(source, left[best], out, m)
        left[best] = left[k]
    return m
