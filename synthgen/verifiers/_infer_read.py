"""Reading problems of inference: pairs `INPUT = OUTPUT ; ...`, or `X > Y | ???? = OUTPUT`.

A string is letters a to z, or `_` for the empty one. Fields are noted as where they begin and end.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.verifiers._problem_text import after

Bytes = NDArray[np.uint8]
Fields = NDArray[np.int64]
"""Begin and end of each string, int64 (n, 2)."""
X, Y, UNKNOWN, OUTPUT = range(4)
"""Fields of a problem that asks for the input."""
_A, _Z, _EMPTY, _HIDDEN = (np.uint8(ord(char)) for char in "az_?")
_EQUALS = np.frombuffer(b" = ", np.uint8)
_NEXT = np.frombuffer(b" ; ", np.uint8)
_ARROW = np.frombuffer(b" > ", np.uint8)
_BAR = np.frombuffer(b" | ", np.uint8)


@lent
def after_string(text: Bytes, at: Int, end: Int, fields: Fields, field: Int) -> Int:
    """Note the string at `at` and return where it ends, or -1 if there is none; -1 stays -1."""
    if at < 0 or at >= end:
        return np.int64(-1)
    fields[field, 0] = fields[field, 1] = at
    if text[at] == _EMPTY:
        return at + 1
    while at < end and _A <= text[at] <= _Z:
        at += 1
    if at == fields[field, 0]:
        return np.int64(-1)
    fields[field, 1] = at
    return at


@lent
def read_pairs(text: Bytes, at: Int, end: Int, fields: Fields) -> Int:
    """Read pairs into fields 2k and 2k + 1; return how many, 0 for anything else."""
    count: Int = np.int64(0)
    while True:
        at = after_string(text, at, end, fields, 2 * count)
        at = after(text, at, end, _EQUALS)
        at = after_string(text, at, end, fields, 2 * count + 1)
        if at < 0 or fields[2 * count, 0] == fields[2 * count, 1]:
            return np.int64(0)
        count += 1
        if at == end:
            return count
        at = after(text, at, end, _NEXT)


@lent
def read_rule(text: Bytes, at: Int, end: Int, fields: Fields) -> Int:
    """Read a rule of two different sides into fields X and Y; return where it ends, or -1."""
    at = after_string(text, at, end, fields, X)
    at = after(text, at, end, _ARROW)
    at = after_string(text, at, end, fields, Y)
    if at < 0 or fields[X, 0] == fields[X, 1]:
        return np.int64(-1)
    x, y = text[fields[X, 0] : fields[X, 1]], text[fields[Y, 0] : fields[Y, 1]]
    if len(x) == len(y) and after(x, 0, len(x), y) >= 0:
        return np.int64(-1)
    return at


@lent
def read_hidden(text: Bytes, at: Int, end: Int, fields: Fields) -> bool:
    """Read a problem that asks for the input into four fields; false for anything else."""
    at = after(text, read_rule(text, at, end, fields), end, _BAR)
    if at < 0:
        return False
    fields[UNKNOWN, 0] = at
    while at < end and text[at] == _HIDDEN:
        at += 1
    fields[UNKNOWN, 1] = at
    if at == fields[UNKNOWN, 0]:
        return False
    return bool(after_string(text, after(text, at, end, _EQUALS), end, fields, OUTPUT) == end)
