"""Scanning texts in kernels that accept in bulk what is plainly right.

What such a kernel does not accept is read and worked out by itself, so a kernel may give up at
anything unusual, but accepts nothing that the plain way would refuse.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.byte_spans import same_bytes
from synthgen.core.columns import text_bytes, text_list
from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.numerals import MOST_DIGITS, write_integer
from synthgen.verifiers.omega._wordings import BOXED

Bytes: TypeAlias = NDArray[np.uint8]
Marks: TypeAlias = NDArray[np.int64]
Quick: TypeAlias = Callable[[Bytes, Marks, Bytes, Marks], NDArray[np.bool_]]
"""Takes the texts and offsets of prompts and of answers; says which rows are right for sure."""

MOST_BYTES = 20_000
"""A longer text is not looked at."""
GAVE_UP = np.int64(-1)
"""Where a part of a text ends that is not there, or not as expected."""
_MOST_DIGITS = 18
_BOXED = np.frombuffer(BOXED.encode(), np.uint8)
_ZERO, _NINE = np.uint8(ord("0")), np.uint8(ord("9"))
_A, _Z = np.uint8(ord("a")), np.uint8(ord("z"))
_SLASH = np.uint8(ord("/"))


def fixed(text: str) -> Bytes:
    """Return the bytes of a fixed part."""
    return np.frombuffer(text.encode("ascii"), np.uint8)


def fixed_parts(*texts: str) -> tuple[Bytes, Marks]:
    """Return the bytes of several fixed parts, and where each begins and ends."""
    return text_bytes(text_list(texts))


@njit(cache=True, nogil=True)
def goes_on(text: Bytes, at: Int, end: Int, part: Bytes) -> bool:
    """Say whether a text goes on with a fixed part."""
    size = len(part)
    if at < 0 or at + size > end or text[at] != part[0]:
        return False
    return same_bytes(text, at, part, np.int64(0), size)


@lent
def part_end(text: Bytes, at: Int, end: Int, parts: Bytes, marks: Marks, place: Int) -> Int:
    """Return where one of several fixed parts ends, if a text goes on with it."""
    if at < 0:
        return GAVE_UP
    low = marks[place]
    size = marks[place + 1] - low
    if at + size > end or text[at] != parts[low]:
        return GAVE_UP
    return at + size if same_bytes(text, at, parts, low, size) else GAVE_UP


@lent
def first_part(
    text: Bytes, at: Int, end: Int, parts: Bytes, marks: Marks, per_wording: Int
) -> tuple[Int, Int]:
    """Return the first part of the wording that a text begins with, and where that part ends."""
    for place in range(0, len(marks) - 1, per_wording):
        behind = part_end(text, at, end, parts, marks, place)
        if behind >= 0:
            return np.int64(place), behind
    return np.int64(0), GAVE_UP


@njit(cache=True, nogil=True)
def statement_end(text: Bytes, low: Int, end: Int) -> Int:
    """Return where a statement ends: before the request for a box, if there is one."""
    start = end - len(_BOXED)
    return start if start >= low and goes_on(text, start, end, _BOXED) else end


@njit(cache=True, nogil=True)
def integer_at(text: Bytes, at: Int, end: Int) -> tuple[Int, Int]:
    """Return an integer without sign or superfluous zeros, and where it ends."""
    if at < 0:
        return np.int64(0), GAVE_UP
    begin = at
    value: Int = np.int64(0)
    while at < end and _ZERO <= text[at] <= _NINE:
        value = 10 * value + np.int64(text[at]) - 48
        at += 1
        if at - begin > _MOST_DIGITS:
            return np.int64(0), GAVE_UP
    if at == begin or (text[begin] == _ZERO and at > begin + 1):
        return np.int64(0), GAVE_UP
    return value, at


@njit(cache=True, nogil=True)
def letter_at(text: Bytes, at: Int, end: Int) -> Int:
    """Return the number of a small letter from 0, or -1."""
    if 0 <= at < end and _A <= text[at] <= _Z:
        return np.int64(text[at]) - 97
    return np.int64(-1)


@njit(cache=True, nogil=True)
def is_integer(text: Bytes, low: Int, end: Int, value: Int) -> bool:
    """Say whether a text is an integer as it is written."""
    written = np.empty(MOST_DIGITS, np.uint8)
    size = write_integer(written, np.int64(0), value)
    return bool(end - low == size and same_bytes(text, low, written, np.int64(0), size))


@njit(cache=True, nogil=True)
def is_ratio(text: Bytes, low: Int, end: Int, top: Int, bottom: Int) -> bool:
    """Say whether a text is `a` or `a/b`, in lowest terms as the ratio is given."""
    if bottom == 1:
        return is_integer(text, low, end, top)
    written = np.empty(2 * MOST_DIGITS + 1, np.uint8)
    size = write_integer(written, np.int64(0), top)
    written[size] = _SLASH
    size = write_integer(written, size + 1, bottom)
    return bool(end - low == size and same_bytes(text, low, written, np.int64(0), size))
