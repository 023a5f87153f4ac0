"""Statements of kernel families: wordings with holes, filled by one kernel for all rows.

A wording is plain text in which `<name>` is a hole. The holes of a family have an order and a kind
each; the values of a row are those of its holes one after another, in that order, whatever the
order in the wording. A wording may use a hole more than once, and need not use all.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numba import njit
from numpy.typing import NDArray

from synthgen.core.byte_spans import copy_bytes
from synthgen.core.columns import Ragged, text_bytes, text_column, text_list
from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.numerals import write_integer

INTEGER, WORD, WORDS, PAIRS, ROWS = range(5)
"""Kinds of holes: one number; the number of a word; a counted list of words; a counted list of
pairs `(3, 5), (1, 4)`; a counted list of cells (column, row), in order of rows, told by row as
`row 2: 3, 7; row 5: 1`."""
Table = tuple[NDArray[np.uint8], NDArray[np.int64]]
Values = NDArray[np.int16]
Program = NDArray[np.int64]
_END = np.int64(1_000)
_PER_VALUE = 24
_COMMA, _OPEN, _CLOSE, _SPACE, _ZERO = (np.uint8(ord(char)) for char in ",() 0")
_ROW, _NEXT_ROW, _COLON = (np.frombuffer(text, np.uint8) for text in (b"row ", b"; row ", b": "))


@dataclass(frozen=True)
class Statements:
    """The wordings of a family, for the kernel.

    Attributes:
        program: int64 (wordings, steps); k >= 0 is piece k, -1 - j is hole j, the rest `_END`.
        pieces: the texts between the holes.
        holes: kind of each hole, int64.
        words: those that holes can name.
    """

    program: Program
    pieces: Table
    holes: NDArray[np.int64]
    words: Table

    @classmethod
    def of(
        cls, texts: Sequence[str], holes: Mapping[str, int], words: Sequence[str] = ("",)
    ) -> Statements:
        """Take wordings apart.

        Args:
            texts: the wordings.
            holes: name -> kind, in the order of a row's values.
            words: by number.
        """
        names, pieces = list(holes), list[str]()
        steps = []
        for text in texts:
            parts = re.split(r"<([a-z]+)>", text)
            row = [
                -1 - names.index(part) if at % 2 else len(pieces) + at // 2
                for at, part in enumerate(parts)
            ]
            pieces += parts[::2]
            steps.append(row)
        program = np.full((len(steps), max(map(len, steps)) + 1), _END, np.int64)
        for place, row in enumerate(steps):
            program[place, : len(row)] = row
        kinds = np.array(list(holes.values()), np.int64)
        return cls(program, text_bytes(text_list(pieces)), kinds, text_bytes(text_list(words)))

    def text(self, values: Ragged, wordings: NDArray[np.int64], ending: str) -> pa.StringArray:
        """Write the statement of every row in its wording, with an ending of all."""
        last = np.frombuffer(ending.encode(), np.uint8)
        tables = (self.program, self.pieces, self.holes, self.words)
        return text_column(*_write(values.values, values.offsets, wordings, *tables, last))


@lent
def _put(out: NDArray[np.uint8], at: Int, text: NDArray[np.uint8]) -> Int:
    copy_bytes(out, at, text, 0, len(text))
    return at + len(text)


@lent
def _put_from(out: NDArray[np.uint8], at: Int, texts: Table, number: Int) -> Int:
    """Write a text of a table."""
    start: Int = texts[1][number]
    size: Int = texts[1][number + 1] - start
    copy_bytes(out, at, texts[0], start, size)
    return at + size


@lent
def _size(kind: Int, count: Int) -> Int:
    """Return how many values a hole has, the first of them being `count`."""
    if kind == WORDS:
        return count + 1
    return 2 * count + 1 if kind >= PAIRS else 1


@lent
def _put_number(out: NDArray[np.uint8], at: Int, value: Int) -> Int:
    """Write an integer; most have one digit."""
    if 0 <= value < 10:
        out[at] = _ZERO + np.uint8(value)
        return at + 1
    return write_integer(out, at, value)


@lent
def _put_comma(out: NDArray[np.uint8], at: Int) -> Int:
    out[at] = _COMMA
    out[at + 1] = _SPACE
    return at + 2


@lent
def _put_hole(
    out: NDArray[np.uint8], at: Int, kind: Int, values: Values, low: Int, words: Table
) -> Int:
    """Write the hole whose values begin at `low`."""
    first = np.int64(values[low])
    if kind == INTEGER:
        return _put_number(out, at, first)
    if kind == WORD:
        return _put_from(out, at, words, first)
    if kind == WORDS:
        for k in range(first):
            at = _put_comma(out, at) if k > 0 else at
            at = _put_from(out, at, words, np.int64(values[low + 1 + k]))
        return at
    if kind == PAIRS:
        return _put_pairs(out, at, values, low + 1, first)
    return _put_cells(out, at, values, low + 1, first)


@lent
def _put_pairs(out: NDArray[np.uint8], at: Int, values: Values, low: Int, count: Int) -> Int:
    for k in range(count):
        at = _put_comma(out, at) if k > 0 else at
        out[at] = _OPEN
        at = _put_number(out, at + 1, np.int64(values[low + 2 * k]))
        at = _put_comma(out, at)
        at = _put_number(out, at, np.int64(values[low + 2 * k + 1]))
        out[at] = _CLOSE
        at += 1
    return at


@lent
def _put_cells(out: NDArray[np.uint8], at: Int, values: Values, low: Int, count: Int) -> Int:
    before: Int = np.int64(-1)
    for k in range(count):
        column, row = np.int64(values[low + 2 * k]), np.int64(values[low + 2 * k + 1])
        if k > 0 and row == before:
            at = _put_comma(out, at)
        else:
            at = _put(out, at, _NEXT_ROW if k > 0 else _ROW)
            at = _put(out, _put_number(out, at, row), _COLON)
        at = _put_number(out, at, column)
        before = row
    return at


@lent
def _put_row(
    out: NDArray[np.uint8],
    at: Int,
    values: Values,
    low: Int,
    steps: Program,
    used: NDArray[np.bool_],
    places: NDArray[np.int64],
    pieces: Table,
    holes: NDArray[np.int64],
    words: Table,
) -> Int:
    """Write the row whose values begin at `low`; `places` is room for where each hole's do."""
    for hole in range(len(holes)):
        if used[hole]:
            places[hole] = low
            low += _size(holes[hole], np.int64(values[low]))
    for step in steps:
        if step == _END:
            break
        if step >= 0:
            at = _put_from(out, at, pieces, step)
        else:
            hole = -1 - step
            at = _put_hole(out, at, holes[hole], values, places[hole], words)
    return at


@njit(cache=True, nogil=True)
def _write(
    values: Values,
    offsets: NDArray[np.int64],
    wordings: NDArray[np.int64],
    program: Program,
    pieces: Table,
    holes: NDArray[np.int64],
    words: Table,
    ending: NDArray[np.uint8],
) -> Table:
    n = len(wordings)
    fixed: Int = np.int64(len(ending))
    used = np.zeros((len(program), len(holes)), np.bool_)
    for w in range(len(program)):
        fixed = max(fixed, _fixed(program[w], pieces) + len(ending))
        for step in program[w]:
            if step < 0:
                used[w, -1 - step] = True
    out = np.empty(n * fixed + _PER_VALUE * len(values), np.uint8)
    out_offsets = np.zeros(n + 1, np.int64)
    places = np.zeros(len(holes), np.int64)
    at: Int = np.int64(0)
    for i in range(n):
        w = wordings[i]
        at = _put_row(
            out, at, values, offsets[i], program[w], used[w], places, pieces, holes, words
        )
        at = _put(out, at, ending)
        out_offsets[i + 1] = at
    return out[:at], out_offsets


@lent
def _fixed(steps: Program, pieces: Table) -> Int:
    """Return the bytes that a wording has besides its lists; a single hole takes some as well."""
    total: Int = np.int64(0)
    for step in steps:
        if step == _END:
            break
        total += _PER_VALUE if step < 0 else pieces[1][step + 1] - pieces[1][step]
    return total
