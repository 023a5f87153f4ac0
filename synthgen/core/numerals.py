"""Integers as text, in kernels."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numba import njit
from numpy.typing import NDArray

from synthgen.core.columns import text_column
from synthgen.core.kinds import Int
from synthgen.core.lent import lent

_MINUS, _ZERO = np.uint8(ord("-")), np.uint8(ord("0"))
MOST_DIGITS = 20
"""Bytes that any 64-bit integer fits into, sign included."""


@lent
def write_integer(out: NDArray[np.uint8], at: Int, value: Int) -> Int:
    """Write a value above -2^63 in decimal at `at` and return where it ends."""
    if value < 0:
        out[at] = _MINUS
        at += 1
        value = -value
    digits = 1
    rest = value // 10
    while rest > 0:
        digits += 1
        rest //= 10
    for place in range(digits - 1, -1, -1):
        out[at + place] = _ZERO + np.uint8(value % 10)
        value //= 10
    return at + digits


def integer_text(values: NDArray[np.int64]) -> pa.StringArray:
    """Write integers above -2^63 in decimal, as an Arrow string column."""
    data, offsets = _write_integers(values)
    return text_column(data, offsets)


@njit(cache=True, nogil=True)
def _write_integers(values: NDArray[np.int64]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    out = np.empty(len(values) * MOST_DIGITS, np.uint8)
    offsets = np.zeros(len(values) + 1, np.int64)
    at: Int = 0
    for i in range(len(values)):
        at = write_integer(out, at, values[i])
        offsets[i + 1] = at
    return out[:at].copy(), offsets
