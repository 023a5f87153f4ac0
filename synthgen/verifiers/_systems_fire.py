"""The 20 rules of string manipulation, one by one, on a buffer whose both ends can move.

`span` holds where the string begins and ends in the buffer.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.verifiers._systems_read import Bytes, Rules

Span = NDArray[np.int64]
_A, _B, _C, _Z = (np.uint8(ord(char)) for char in "abcz")


@lent
def fire_first(rules: Rules, count: Int, text: Bytes, span: Span) -> Int:
    """Apply the first rule that fits; return its place in the list from 0, or -1."""
    for place in range(count):
        rule = rules[place]
        if rule in (2, 4, 7, 11, 14, 16):
            fires = _fire_at_end(rule, text, span)
        elif rule in (9, 10, 13, 17, 18, 19):
            fires = _fire_inside(rule, text, span)
        else:
            fires = _fire_at_front(rule, text, span)
        if fires:
            return np.int64(place)
    return np.int64(-1)


@lent
def _push(text: Bytes, span: Span, letter: np.uint8) -> None:
    text[span[1]] = letter
    span[1] += 1


@lent
def _fire_at_front(rule: Int, text: Bytes, span: Span) -> bool:
    low = span[0]
    if span[1] - low < 2:
        return False
    x, y = text[low], text[low + 1]
    if rule == 1 and x == _A and y == _B:
        text[low], text[low + 1] = _C, _A
    elif rule == 3 and x == _B and y == _C:
        span[0] += 2
        _push(text, span, _A)
        _push(text, span, _A)
    elif rule == 5 and x == _C and y == _B:
        text[low], text[low + 1] = _A, _A
        if span[1] > low + 2:
            span[1] -= 1
    elif rule == 6 and x == _C and y == _A:
        text[low], text[low + 1] = _B, _B
        _push(text, span, _C)
    elif rule == 8 and x == _A and y == _A:
        span[0] += 1
    elif rule == 12 and x == _C and y == _C:
        span[0] += 2
    elif rule == 15 and x == _B and y == _B:
        span[0] += 1
    elif rule == 20 and x == _A and y == _C:
        text[low], text[low + 1] = _Z, _Z
    else:
        return False
    return True


@lent
def _fire_at_end(rule: Int, text: Bytes, span: Span) -> bool:
    high = span[1]
    if high - span[0] < 2:
        return False
    x, y = text[high - 2], text[high - 1]
    if rule == 2 and x == _A and y == _C:
        text[high - 2], text[high - 1] = _C, _B
    elif rule == 4 and x == _B and y == _B:
        span[1] -= 2
    elif rule == 7 and x == _C and y == _C:
        text[high - 2] = _B
        span[1] -= 1
        span[0] -= 1
        text[span[0]] = _A
    elif rule == 11 and x == _B and y == _A:
        text[high - 2], text[high - 1] = _A, _B
    elif rule == 14 and x == _C and y == _A:
        span[1] -= 1
    elif rule == 16 and x == _A and y == _A:
        text[high - 2], text[high - 1] = _C, _C
    else:
        return False
    return True


@lent
def _fire_inside(rule: Int, text: Bytes, span: Span) -> bool:
    low, high = span[0], span[1]
    if rule == 18:
        odd, some = False, False
        for at in range(low, high):
            if text[at] == _B:
                odd, some = not odd, True
        if odd or not some:
            return False
        _push(text, span, _A)
        _push(text, span, _B)
        return True
    if rule == 19:
        if high - low < 16:
            return False
        _cut(text, span, low + (high - low) // 2, 1)
        return True
    if rule == 17:
        for at in range(low + 1, high - 1):
            if text[at] == _C and text[at + 1] == _A:
                _cut(text, span, at, 2)
                return True
        return False
    for at in range(low, high - 2):
        x, y, z = text[at], text[at + 1], text[at + 2]
        if rule == 9 and x == _A and y == _B and z == _C:
            text[at], text[at + 1], text[at + 2] = _C, _A, _B
            return True
        if rule == 13 and x == _A and y == _C and z == _B:
            text[at], text[at + 1], text[at + 2] = _B, _C, _A
            return True
        if rule == 10 and x == _B and y == _C and z == _A:
            _cut(text, span, at, 3)
            return True
    return False


@lent
def _cut(text: Bytes, span: Span, at: Int, length: Int) -> None:
    """Take out text[at : at + length]."""
    for k in range(at + length, span[1]):
        text[k - length] = text[k]
    span[1] -= length
