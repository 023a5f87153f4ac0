"""A kernel that takes the matrices and numbers out of many statements at once.

What is left of a statement, with `<m>` for each matrix and `<n>` for each number, is the same in
all statements of a wording. A text that is in any way unusual is marked as not scanned, and is to
be read in the slower way.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numba import njit
from numpy.typing import NDArray

from synthgen.core.columns import text_bytes, text_column
from synthgen.core.kinds import Int

Bytes = NDArray[np.uint8]
Marks = NDArray[np.int64]

MOST_MATRICES = 2
_MOST_ROWS, _MOST_DIGITS, _MOST_NUMBER_DIGITS = 20, 7, 6
_MOST_BYTES = 50_000
_PLACE = 3
"""Bytes that a matrix or a number leaves behind."""
_ZERO, _NINE, _MINUS = (np.uint8(ord(char)) for char in "09-")
_OPEN, _CLOSE, _COMMA, _SPACE, _LESS, _MORE = (np.uint8(ord(char)) for char in "[], <>")
_OF_MATRIX, _OF_NUMBER = np.uint8(ord("m")), np.uint8(ord("n"))
_FIRST_OTHER = np.uint8(128)


@dataclass(frozen=True, slots=True)
class Scan:
    """What a batch of n statements consists of.

    Attributes:
        forms: what is left of each statement, empty where it was not scanned.
        dims: rows and columns of the matrices, int64 (n, MOST_MATRICES, 2), 0 for none.
        entries, entry_ends: of the matrices of all statements, int64 (n + 1,).
        numbers, number_ends: that stand beside them.
    """

    forms: pa.StringArray
    dims: Marks
    entries: Marks
    entry_ends: Marks
    numbers: Marks
    number_ends: Marks


def scan(statements: pa.StringArray, ending: str) -> Scan:
    """Take statements apart; one with the ending is as good as one without."""
    text, offsets = text_bytes(statements)
    last = np.frombuffer(ending.encode(), np.uint8)
    forms, form_ends, *found = _scan_all(text, offsets, last)
    return Scan(text_column(forms, form_ends), *found)


@njit(cache=True, nogil=True)
def _scan_all(
    text: Bytes, offsets: Marks, ending: Bytes
) -> tuple[Bytes, Marks, Marks, Marks, Marks, Marks, Marks]:
    n = len(offsets) - 1
    size = offsets[n] - offsets[0] + 1
    forms = np.empty(_PLACE * size, np.uint8)
    entries, numbers = np.empty(size, np.int64), np.empty(size, np.int64)
    marks = np.zeros((3, n + 1), np.int64)
    dims = np.zeros((n, MOST_MATRICES, 2), np.int64)
    for i in range(n):
        low, high = offsets[i], offsets[i + 1]
        filled = (marks[0, i], marks[1, i], marks[2, i])
        if high - low <= _MOST_BYTES:
            if _ends_with(text, low, high, ending):
                high -= len(ending)
            filled = _scan_one(text, low, high, dims[i], filled, forms, entries, numbers)
        marks[0, i + 1], marks[1, i + 1], marks[2, i + 1] = filled
        if marks[0, i + 1] == marks[0, i]:
            dims[i] = 0
    return (
        forms[: marks[0, n]].copy(),
        marks[0].copy(),
        dims,
        entries[: marks[1, n]].copy(),
        marks[1].copy(),
        numbers[: marks[2, n]].copy(),
        marks[2].copy(),
    )


@njit(cache=True, nogil=True)
def _ends_with(text: Bytes, low: Int, high: Int, ending: Bytes) -> bool:
    if high - low < len(ending):
        return False
    for k in range(len(ending)):
        if text[high - len(ending) + k] != ending[k]:
            return False
    return True


@njit(cache=True, nogil=True)
def _scan_one(
    text: Bytes,
    low: Int,
    high: Int,
    dims: Marks,
    filled: tuple[Int, Int, Int],
    forms: Bytes,
    entries: Marks,
    numbers: Marks,
) -> tuple[Int, Int, Int]:
    """Take one statement apart; where that fails, nothing more is filled than before."""
    form, entry, number = filled
    matrices, at = 0, low
    while at < high:
        byte = text[at]
        if byte == _LESS or byte >= _FIRST_OTHER:
            return filled
        if byte == _OPEN and at + 1 < high and text[at + 1] == _OPEN:
            if matrices == MOST_MATRICES:
                return filled
            at, end, rows, columns = _matrix(text, at + 2, high, entries, entry)
            if at < 0:
                return filled
            dims[matrices, 0], dims[matrices, 1] = rows, columns
            matrices, entry = matrices + 1, end
            form = _leave(forms, form, _OF_MATRIX)
        elif _ZERO <= byte <= _NINE:
            value, at = _digits(text, at, high, _MOST_NUMBER_DIGITS)
            if value <= 0:
                return filled
            numbers[number] = value
            number += 1
            form = _leave(forms, form, _OF_NUMBER)
        else:
            forms[form] = byte
            form += 1
            at += 1
    return form, entry, number


@njit(cache=True, nogil=True)
def _leave(forms: Bytes, at: Int, letter: np.uint8) -> Int:
    forms[at], forms[at + 1], forms[at + 2] = _LESS, letter, _MORE
    return at + _PLACE


@njit(cache=True, nogil=True)
def _digits(text: Bytes, at: Int, high: Int, most: Int) -> tuple[Int, Int]:
    """Return a number and where it ends, or -1 for one with too many digits or a needless zero."""
    begin = at
    value: Int = np.int64(0)
    while at < high and _ZERO <= text[at] <= _NINE:
        if at - begin == most:
            return np.int64(-1), at
        value = 10 * value + np.int64(text[at] - _ZERO)
        at += 1
    if at == begin or (text[begin] == _ZERO and at > begin + 1):
        return np.int64(-1), at
    return value, at


@njit(cache=True, nogil=True)
def _matrix(
    text: Bytes, at: Int, high: Int, entries: Marks, fill: Int
) -> tuple[Int, Int, Int, Int]:
    """Read a matrix from behind its brackets on.

    Returns:
        Where it ends in the text, -1 if it is none, and among the entries; its rows and columns.
    """
    none = (np.int64(-1), fill, np.int64(0), np.int64(0))
    begin, rows = fill, np.int64(0)
    columns: Int = np.int64(0)
    row_begin = fill
    while True:
        negative = at < high and text[at] == _MINUS
        value, at = _digits(text, at + 1 if negative else at, high, _MOST_DIGITS)
        if value < 0 or (negative and value == 0) or fill - row_begin == _MOST_ROWS:
            return none
        entries[fill] = -value if negative else value
        fill += 1
        if at + 1 >= high:
            return none
        if text[at] == _COMMA and text[at + 1] == _SPACE:
            at += 2
            continue
        if text[at] != _CLOSE or rows == _MOST_ROWS:
            return none
        if rows > 0 and fill - row_begin != columns:
            return none
        rows, columns, row_begin = rows + 1, fill - row_begin, fill
        if text[at + 1] == _CLOSE:
            return at + 2, begin + rows * columns, rows, columns
        if at + 3 >= high or text[at + 1] != _COMMA or text[at + 2] != _SPACE:
            return none
        if text[at + 3] != _OPEN:
            return none
        at += 4
