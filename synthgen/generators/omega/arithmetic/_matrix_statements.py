"""Statements about matrices, written by one kernel for all rows.

A wording is plain text with holes as `str.format` has them: `{a}` and `{b}` for the matrices,
row by row as in `[[1, -2], [0, 3]]`, and the names of the numbers beside them.
"""

from __future__ import annotations

from collections.abc import Sequence
from string import Formatter

import numpy as np
import pyarrow as pa
from numba import njit
from numpy.typing import NDArray

from synthgen.core.byte_spans import copy_bytes
from synthgen.core.columns import Ragged, text_bytes, text_column, text_list
from synthgen.core.kinds import Int
from synthgen.core.numerals import MOST_DIGITS, write_integer

Integers = NDArray[np.int64]
Bytes = NDArray[np.uint8]
Table = tuple[Bytes, Integers]

MATRIX_NAMES = "ab"
_END = np.int64(1_000_000)
_PER_CELL = MOST_DIGITS + 4
_COMMA, _OPEN, _CLOSE, _SPACE = (np.uint8(ord(char)) for char in ",[] ")


def statement_texts(
    texts: Sequence[str],
    names: Sequence[str],
    chosen: Integers,
    matrices: Ragged,
    widths: Integers,
    numbers: Integers,
    ending: str,
) -> pa.StringArray:
    """Write the statement of every row.

    Args:
        texts: all wordings.
        names: of the numbers.
        chosen: the wording of each row, int64 (n,).
        matrices: the entries of the k matrices of each row, n k rows.
        widths: columns of each matrix, int64 (n, k).
        numbers: int64 (n, len(names)).
        ending: what follows every statement.
    """
    program, pieces = _program(texts, [*names], widths.shape[1])
    last = np.frombuffer(ending.encode(), np.uint8)
    return text_column(
        *_write(chosen, matrices.values, matrices.offsets, widths, numbers, program, *pieces, last)
    )


def _program(texts: Sequence[str], names: list[str], k: int) -> tuple[Integers, Table]:
    """Return the steps of every wording: piece number p, or -1 - hole; matrices come first."""
    holes = [*MATRIX_NAMES[:k], *names]
    pieces: list[str] = []
    rows: list[list[int]] = []
    for text in texts:
        row = []
        for literal, name, _, _ in Formatter().parse(text):
            row.append(len(pieces))
            pieces.append(literal)
            if name is not None:
                row.append(-1 - holes.index(name))
        rows.append(row)
    program = np.full((len(rows), max(map(len, rows)) + 1), _END, np.int64)
    for row, steps in zip(rows, program, strict=True):
        steps[: len(row)] = row
    return program, text_bytes(text_list(pieces))


@njit(cache=True, nogil=True)
def _put_matrix(out: Bytes, at: Int, entries: Integers, low: Int, high: Int, width: Int) -> Int:
    """Write entries[low:high] row by row and return where they end."""
    out[at] = _OPEN
    at += 1
    for place in range(low, high):
        if (place - low) % width == 0:
            out[at] = _OPEN
            at += 1
        at = write_integer(out, at, entries[place])
        if (place - low + 1) % width == 0:
            out[at] = _CLOSE
            at += 1
        if place + 1 < high:
            out[at] = _COMMA
            out[at + 1] = _SPACE
            at += 2
    out[at] = _CLOSE
    return at + 1


@njit(cache=True, nogil=True)
def _write(
    chosen: Integers,
    entries: Integers,
    offsets: Integers,
    widths: Integers,
    numbers: Integers,
    program: Integers,
    pieces: Bytes,
    piece_ends: Integers,
    ending: Bytes,
) -> Table:
    n, k = widths.shape
    ends = np.zeros(n + 1, np.int64)
    out = np.empty(_bound(chosen, offsets, k, program, piece_ends, len(ending)), np.uint8)
    at: Int = np.int64(0)
    for i in range(n):
        for step in program[chosen[i]]:
            if step == _END:
                break
            hole = -1 - step
            if hole < 0:
                size = piece_ends[step + 1] - piece_ends[step]
                copy_bytes(out, at, pieces, piece_ends[step], size)
                at += size
            elif hole < k:
                matrix = i * k + hole
                low, high = offsets[matrix], offsets[matrix + 1]
                at = _put_matrix(out, at, entries, low, high, widths[i, hole])
            else:
                at = write_integer(out, at, numbers[i, hole - k])
        copy_bytes(out, at, ending, 0, len(ending))
        at += len(ending)
        ends[i + 1] = at
    return out[:at].copy(), ends


@njit(cache=True, nogil=True)
def _bound(
    chosen: Integers,
    offsets: Integers,
    k: Int,
    program: Integers,
    piece_ends: Integers,
    ending: Int,
) -> Int:
    """Return at least how many bytes all statements have."""
    fixed = np.zeros(len(program), np.int64)
    for wording in range(len(program)):
        for step in program[wording]:
            if step == _END:
                break
            if step >= 0:
                fixed[wording] += piece_ends[step + 1] - piece_ends[step]
            elif -1 - step >= k:
                fixed[wording] += MOST_DIGITS
    total: Int = np.int64(0)
    for i in range(len(chosen)):
        total += fixed[chosen[i]] + ending
        for step in program[chosen[i]]:
            matrix = i * k - 1 - step
            if 0 <= -1 - step < k:
                total += _PER_CELL * (offsets[matrix + 1] - offsets[matrix]) + 2
    return total
