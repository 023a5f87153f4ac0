"""Reading text in every family alike: where the problem is, what stands next, who has steps."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.core.columns import null_mask, text_bytes
from synthgen.core.kinds import Int
from synthgen.core.lent import lent

Bytes = NDArray[np.uint8]
Solutions = tuple[Bytes, NDArray[np.int64], NDArray[np.bool_]]
_TICK = ord("`")


@lent
def problem_span(text: Bytes, start: Int, end: Int) -> tuple[Int, Int]:
    """Return where the problem stands: between the last two backticks, or everywhere."""
    last: Int = -1
    for at in range(end - 1, start - 1, -1):
        if text[at] == _TICK:
            if last >= 0:
                return np.int64(at + 1), np.int64(last)
            last = at
    return np.int64(start), np.int64(end)


@lent
def after(text: Bytes, at: Int, end: Int, other: Bytes) -> Int:
    """Return where `other` ends if it stands at `at`, else -1; -1 stays -1."""
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
