"""The text that a rewriting step must have: its result, and the place and pieces of the step."""

from __future__ import annotations

import numpy as np

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.verifiers._rewrite_read import WRONG, Bytes

_NONE = np.frombuffer(b"none", np.uint8)
_ZERO, _NINE, _COLON, _SPACE, _NEWLINE, _OPEN, _CLOSE = (ord(char) for char in "09: \n[]")
_MOST_DIGITS = 10


@lent
def same_end(text: Bytes, at: Int, end: Int, other: Bytes, start: Int, stop: Int) -> Int:
    """Return where other[start:stop] ends if it stands in text[:end] at this place, or WRONG."""
    if at == WRONG or at + stop - start > end:
        return WRONG
    left, right = np.uintp(at), np.uintp(start)  # unsigned: no index from the end to look for
    differing = np.uint8(0)
    for place in range(np.uintp(stop - start)):  # to the end, so that many are compared at a time
        differing |= text[left + place] ^ other[right + place]
    return at + stop - start if differing == 0 else WRONG


@lent
def _char_end(text: Bytes, at: Int, end: Int, char: Int) -> Int:
    if at == WRONG or at >= end or text[at] != char:
        return WRONG
    return at + 1


@lent
def tells_none(text: Bytes, start: Int, end: Int) -> bool:
    """Say whether the text is that there is no place."""
    return bool(same_end(text, start, end, _NONE, 0, len(_NONE)) == end)


@lent
def tells_step(
    text: Bytes,
    start: Int,
    end: Int,
    prompt: Bytes,
    spans: tuple[Int, Int, Int, Int, Int],
    string: Int,
    stop: Int,
) -> bool:
    """Say whether text[start:end] is `p: before[x]after` and, on the next line, that with y.

    `spans` are where x begins and ends, where y does, and where the leftmost x is in the prompt;
    the string goes from `string` to `stop`.
    """
    lhs, lhs_end, rhs, rhs_end, match = spans
    at = _number_end(text, start, end, match - string)
    at = _char_end(text, at, end, _COLON)
    at = _char_end(text, at, end, _SPACE)
    rest = match + lhs_end - lhs
    for line in range(2):
        at = same_end(text, at, end, prompt, string, match)
        at = _char_end(text, at, end, _OPEN)
        if line == 0:
            at = same_end(text, at, end, prompt, lhs, lhs_end)
        else:
            at = same_end(text, at, end, prompt, rhs, rhs_end)
        at = _char_end(text, at, end, _CLOSE)
        at = same_end(text, at, end, prompt, rest, stop)
        if line == 0:
            at = _char_end(text, at, end, _NEWLINE)
    return bool(at == end)


@lent
def _number_end(text: Bytes, start: Int, end: Int, number: Int) -> Int:
    """Return where a number in decimal ends if it is this one without leading zeros, or WRONG."""
    at = start
    value: Int = 0
    while at < end and at - start < _MOST_DIGITS and _ZERO <= text[at] <= _NINE:
        value = 10 * value + np.int64(text[at]) - _ZERO
        at += 1
    if at == start or value != number or (text[start] == _ZERO and at - start > 1):
        return WRONG
    return at
