"""Operations on the letters of a string."""

from __future__ import annotations

import numpy as np

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.generators.skillmix import _chain_opcodes as op
from synthgen.generators.skillmix._chain_opcodes import Value

_NEXT_VOWEL = np.array([5 if k == 1 else 0 for k in range(27)], np.int64)
"""The vowel after each, 0 for other letters."""
_NEXT_VOWEL[np.array([5, 9, 15, 21])] = np.array([9, 15, 21, 1])


@lent
def is_vowel(letter: Int) -> bool:
    """Say whether a letter (a is 1) is a, e, i, o or u."""
    return bool(_NEXT_VOWEL[letter] > 0)


@lent
def letter_op(code: Int, a: Int, b: Int, source: Value, n: Int, out: Value) -> Int:
    """Write what a letter operation makes of source[:n], and return its length."""
    if code == op.INSERT or code == op.TOGGLE:
        return _inserted(code, a, b, source, n, out)
    if code == op.REMOVE or code == op.NO_VOWELS:
        m: Int = np.int64(0)
        for k in range(n):
            gone = source[k] == a if code == op.REMOVE else is_vowel(source[k])
            if not gone:
                out[m] = source[k]
                m += 1
        return m
    for k in range(n):
        letter = source[k]
        if code == op.SHIFT:
            letter = (letter - 1 + a) % 26 + 1
        elif code == op.FLIP:
            letter = 27 - letter
        elif code == op.VOWEL_STEP:
            letter = _NEXT_VOWEL[letter] if is_vowel(letter) else letter
        elif code == op.REPLACE and letter == a:
            letter = b
        out[k] = letter
    return n


@lent
def _inserted(code: Int, a: Int, b: Int, source: Value, n: Int, out: Value) -> Int:
    """Put the letter a behind the first b letters, or toggle it."""
    if code == op.TOGGLE:
        m: Int = np.int64(0)
        for k in range(n):
            if source[k] != a:
                out[m] = source[k]
                m += 1
        if m == n:
            out[m] = a
            m += 1
        return m
    place = min(n, b)
    for k in range(place):
        out[k] = source[k]
    out[place] = a
    for k in range(place, n):
        out[k + 1] = source[k]
    return n + 1
