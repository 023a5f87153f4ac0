"""Values as text: reading what a chain starts from, and comparing what it gives.

A string is letters, a number is digits, a list is `[3, 1, 4]`, words are `[pear, plum]`. A word is
packed into one number to the base 27, its first letter highest, so that words are in alphabetical
order as numbers are.
"""

from __future__ import annotations

import numpy as np

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.verifiers.skillmix._chain_atoms import LIST, NUMBER, STRING, WORDS
from synthgen.verifiers.skillmix._chain_read import Bytes, Numbers

MOST_ITEMS = 128
NO_TYPE = -1
BASE, WORD_LENGTH = 27, 13
_BEFORE_A, _ZERO, _MINUS = ord("a") - 1, ord("0"), ord("-")
_LIST_OPEN, _LIST_CLOSE, _COMMA, _SPACE = (ord(char) for char in "[], ")
_LETTERS, _TEN = 26, 10
_LARGEST = 10**12


@lent
def read_value(text: Bytes, start: Int, end: Int, out: Numbers) -> tuple[Int, Int]:
    """Read text[start:end] as a value; return its type, or NO_TYPE, and its length."""
    nothing = (np.int64(NO_TYPE), np.int64(0))
    if start >= end:
        return nothing
    if text[start] != _LIST_OPEN:
        letter = np.int64(text[start]) - _BEFORE_A
        if not 1 <= letter <= _LETTERS:
            at, out[0] = _read_number(text, start, end)
            return (np.int64(NUMBER), np.int64(1)) if at == end else nothing
        if end - start > MOST_ITEMS:
            return nothing
        for at in range(start, end):
            out[at - start] = np.int64(text[at]) - _BEFORE_A
            if not 1 <= out[at - start] <= _LETTERS:
                return nothing
        return np.int64(STRING), end - start
    letter = np.int64(text[start + 1]) - _BEFORE_A if start + 1 < end else np.int64(0)
    kind = WORDS if 1 <= letter <= _LETTERS else LIST
    n: Int = np.int64(0)
    at = start + 1
    while n < MOST_ITEMS:
        if kind == WORDS:
            at, out[n] = _read_word(text, at, end)
        else:
            at, out[n] = _read_number(text, at, end)
        n += 1
        if at < 0 or at >= end:
            return nothing
        if text[at] == _LIST_CLOSE:
            return (np.int64(kind), n) if at + 1 == end else nothing
        if text[at] != _COMMA or at + 1 >= end or text[at + 1] != _SPACE:
            return nothing
        at += 2
    return nothing


@lent
def _read_number(text: Bytes, at: Int, end: Int) -> tuple[Int, Int]:
    """Return where a number ends and what it is; -1 if there is none in canonical form."""
    nothing = (np.int64(-1), np.int64(0))
    sign = np.int64(1)
    if at < end and text[at] == _MINUS:
        sign = np.int64(-1)
        at += 1
    start, value = at, np.int64(0)
    while at < end and _ZERO <= text[at] < _ZERO + _TEN:
        value = value * _TEN + np.int64(text[at]) - _ZERO
        at += 1
        if value > _LARGEST:
            return nothing
    if at == start or (text[start] == _ZERO and (at > start + 1 or sign < 0)):
        return nothing
    return np.int64(at), sign * value


@lent
def _read_word(text: Bytes, at: Int, end: Int) -> tuple[Int, Int]:
    """Return where a word ends, and the word packed; -1 if there is none or it is too long."""
    start, word = at, np.int64(0)
    while at < end and at - start < WORD_LENGTH:
        letter = np.int64(text[at]) - _BEFORE_A
        if not 1 <= letter <= _LETTERS:
            break
        word = word * BASE + letter
        at += 1
    if at == start:
        return np.int64(-1), word
    for _ in range(WORD_LENGTH - (at - start)):
        word *= BASE
    return np.int64(at), word


@lent
def after_value(text: Bytes, at: Int, end: Int, kind: Int, values: Numbers, n: Int) -> Int:
    """Return where a value ends if it stands at `at`, else -1; -1 stays -1."""
    if at < 0:
        return at
    if kind == STRING:
        if at + n > end:
            return np.int64(-1)
        for k in range(n):
            if np.int64(text[at + k]) - _BEFORE_A != values[k]:
                return np.int64(-1)
        return at + n
    if kind == NUMBER:
        stop, value = _read_number(text, at, end)
        return stop if value == values[0] else np.int64(-1)
    for k in range(n):
        # A bracket before the first item, a comma and a space before each other one.
        if k == 0:
            if at >= end or text[at] != _LIST_OPEN:
                return np.int64(-1)
            at += 1
        else:
            if at + 1 >= end or text[at] != _COMMA or text[at + 1] != _SPACE:
                return np.int64(-1)
            at += 2
        at, value = _read_word(text, at, end) if kind == WORDS else _read_number(text, at, end)
        if at < 0 or value != values[k]:
            return np.int64(-1)
    return at + 1 if at < end and text[at] == _LIST_CLOSE else np.int64(-1)
