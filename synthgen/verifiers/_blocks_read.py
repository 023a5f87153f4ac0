"""Reading block problems from the text: rules of any blocks, and counts.

problem = rule { " " rule } " | " counts
rule    = block { block } ">" block { block }
block   = "[A]" ... "[C]" | "{A}" ... "{C}" | "(A)" ... "(C)"
counts  = nine numbers with one space between them
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent

Bytes = NDArray[np.uint8]
Wanted = NDArray[np.int64]
"""What each rule needs and what it changes by, int64 (MOST_RULES, 2, KINDS)."""
KINDS = 9
MOST_RULES = 32
_MOST_DIGITS = 4
_SPACE, _ARROW, _BAR, _A, _ZERO, _NINE = (np.uint8(ord(char)) for char in " >|A09")
_OPENING, _CLOSING = np.frombuffer(b"[{(", np.uint8), np.frombuffer(b"]})", np.uint8)
_LETTERS, _BLOCK = 3, 3


@lent
def _block_at(text: Bytes, at: Int, end: Int) -> Int:
    """Return which block stands at `at`, or -1."""
    if at + _BLOCK > end:
        return np.int64(-1)
    for shape in range(len(_OPENING)):
        if text[at] == _OPENING[shape] and text[at + 2] == _CLOSING[shape]:
            letter = np.int64(text[at + 1]) - np.int64(_A)
            if 0 <= letter < _LETTERS:
                return shape * _LETTERS + letter
    return np.int64(-1)


@lent
def _read_side(text: Bytes, at: Int, end: Int, wanted: NDArray[np.int64], sign: Int) -> Int:
    """Read blocks and count them; return where they end, -1 if there is none."""
    start = at
    while True:
        block = _block_at(text, at, end)
        if block < 0:
            return at if at > start else np.int64(-1)
        if sign < 0:
            wanted[0, block] += 1
        wanted[1, block] += sign
        at += _BLOCK


@lent
def read_count(text: Bytes, at: Int, end: Int) -> tuple[Int, Int]:
    """Return the number at `at` and where it ends; -1 and -1 if there is none."""
    start = at
    value: Int = np.int64(0)
    while at < end and at - start <= _MOST_DIGITS and _ZERO <= text[at] <= _NINE:
        value = 10 * value + np.int64(text[at] - _ZERO)
        at += 1
    long = at - start > 1 and text[start] == _ZERO
    if at == start or at - start > _MOST_DIGITS or long:
        return np.int64(-1), np.int64(-1)
    return value, at


@lent
def read_counts(text: Bytes, at: Int, end: Int, blocks: NDArray[np.int64]) -> Int:
    """Read nine counts; return where they end, or -1."""
    for kind in range(KINDS):
        if kind > 0:
            if at >= end or text[at] != _SPACE:
                return np.int64(-1)
            at += 1
        blocks[kind], at = read_count(text, at, end)
        if at < 0:
            return np.int64(-1)
    return at


@lent
def read_problem(text: Bytes, at: Int, end: Int, wanted: Wanted, blocks: NDArray[np.int64]) -> Int:
    """Read text[at:end]; return the number of rules, 0 for what is no problem."""
    count: Int = np.int64(0)
    while count < MOST_RULES:
        wanted[count] = 0
        at = _read_side(text, at, end, wanted[count], np.int64(-1))
        if at < 0 or at >= end or text[at] != _ARROW:
            return np.int64(0)
        at = _read_side(text, at + 1, end, wanted[count], np.int64(1))
        count += 1
        if at < 0 or at + 1 >= end or text[at] != _SPACE:
            return np.int64(0)
        if text[at + 1] == _BAR:
            counted = at + 2 < end and text[at + 2] == _SPACE
            done = counted and read_counts(text, at + 3, end, blocks) == end
            return count if done else np.int64(0)
        at += 1
    return np.int64(0)
