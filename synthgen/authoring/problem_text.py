"""Text reading shared by all families: find the problem, match what follows, find solutions."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.core.columns import null_mask, text_bytes
from synthgen.core.kernels import Int, kernel

Bytes = NDArray[np.uint8]
Solutions = tuple[Bytes, NDArray[np.int64], NDArray[np.bool_]]
_TICK = ord("`")
_TICKS = np.uint64(0x6060606060606060)
_EIGHT = np.uint64(8)
"""Characters of a word, and bits of a character."""
_LOW, _SIGNS = np.uint64(0x7F7F7F7F7F7F7F7F), np.uint64(0x8080808080808080)


@kernel
def problem_span(text: Bytes, start: Int, end: Int) -> tuple[Int, Int]:
    """Return the span of the problem: between the last two backticks, or the whole text."""
    last = _last_tick(text, start, end)
    before = _last_tick(text, start, last)
    if before < start:
        return np.int64(start), np.int64(end)
    return before + 1, last


@kernel
def _last_tick(text: Bytes, start: Int, end: Int) -> Int:
    """Return the position of the last backtick of text[start:end], or a value below `start`."""
    at: Int = np.int64(end)
    while at - 8 >= start and not _ticks(text, at - 8):
        at -= 8
    at -= 1
    while at >= start and text[at] != _TICK:
        at -= 1
    return at


@kernel
def _ticks(text: Bytes, start: Int) -> bool:
    """Return whether one of eight characters is a backtick.

    They are read as one word, so indices must be unsigned. In (word & _LOW) + _LOW | word, the
    sign bit of a byte is clear only if that byte is zero (Warren, Hacker's Delight, 6-1).
    """
    word = _TICKS
    for k in range(_EIGHT):
        word ^= np.uint64(text[np.uint64(start) + k]) << (k * _EIGHT)
    return bool(((word & _LOW) + _LOW | word) & _SIGNS != _SIGNS)


@kernel
def after(text: Bytes, at: Int, end: Int, other: Bytes) -> Int:
    """Return where `other` ends if the text has it at `at`, else -1; -1 stays -1."""
    if at < 0 or at + len(other) > end:
        return np.int64(-1)
    for k in range(len(other)):
        if text[at + k] != other[k]:
            return np.int64(-1)
    return at + len(other)


def problem_of(prompt: str) -> str:
    """Return the text between the last two backticks of a prompt, or all of it."""
    parts = prompt.rsplit("`", 2)
    return parts[1] if len(parts) == 3 else prompt


def solution_bytes(answers: pa.StringArray, solutions: pa.StringArray | None) -> Solutions:
    """Return the bytes and offsets of solutions, and which rows have one, bool (n,).

    Without any solutions, the bytes are those of the answers, and no row has one.
    """
    if solutions is None:
        return (*text_bytes(answers), np.zeros(len(answers), bool))
    return (*text_bytes(solutions), ~null_mask(solutions))
