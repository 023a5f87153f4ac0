"""Reading statements with a kernel: which wording a text has, and what stands in its holes.

A wording is plain text in which `<name>` is a hole of one of five kinds. A text is read strictly:
the fixed parts byte by byte, numbers without signs or superfluous zeros, lists with one comma and
one space between items.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.byte_spans import same_bytes
from synthgen.core.columns import text_bytes, text_list
from synthgen.core.kinds import Int
from synthgen.core.offsets import longest_row

NUMBER, WORD, WORDS, PAIRS, ROWS = "number", "word", "words", "pairs", "rows"
_KINDS = (NUMBER, WORD, WORDS, PAIRS, ROWS)
"""Kinds of holes: a number; a known word; a list of known words; pairs as in `(3, 5), (1, 4)`;
cells by rows, as in `row 2: 3, 7; row 5: 1`, rows and columns rising. A list is read as its length
and its items, a cell as (column, row)."""
_NUMBER, _WORD, _WORDS, _PAIRS, _ROWS = range(5)
Bytes = NDArray[np.uint8]
Marks = NDArray[np.int64]
MOST_BYTES = 50_000
"""A longer text is no statement of ours."""
NO_FORM = -1
_LARGEST = 30_000
_STOP = 30_000
_LOW, _HIGH, _FROM, _TO = range(4)
_BOXED = np.frombuffer(b"\n\nPut the final answer, and nothing else, inside \\boxed{}.", np.uint8)
_ZERO, _NINE = np.uint8(ord("0")), np.uint8(ord("9"))
_OPEN, _CLOSE = np.uint8(ord("(")), np.uint8(ord(")"))
_BETWEEN, _ROW, _NEXT_ROW, _COLON = (
    np.frombuffer(text, np.uint8) for text in (b", ", b"row ", b"; row ", b": ")
)


class Tables(NamedTuple):
    """Wordings as the kernel takes them: steps (a hole j is -1 - j), literal texts, words."""

    steps: Marks
    texts: Bytes
    text_marks: Marks
    holes: Marks
    words: Bytes
    word_marks: Marks


@dataclass(frozen=True)
class Reading:
    """What was read from n texts.

    Attributes:
        wordings: int64 (n,), the wording of each text, or NO_FORM.
        values, offsets: of the holes, in the order of the form's holes.
    """

    wordings: Marks
    values: Marks
    offsets: Marks


class Form:
    """All wordings of a family.

    Args:
        kinds: of questions, each with its wordings.
        holes: name -> kind of hole.
        words: that holes can name, by number; none is the beginning of another.
    """

    def __init__(
        self, kinds: Sequence[Sequence[str]], holes: Mapping[str, str], words: Sequence[str] = ()
    ) -> None:
        texts = [text for kind in kinds for text in kind]
        self.kind_of = np.array([k for k, kind in enumerate(kinds) for _ in kind], np.int64)
        self.tables = _tables(texts, dict(holes), list(words) or [" "])

    def read(self, text: Bytes, offsets: Marks) -> Reading:
        """Read every text between two offsets."""
        return Reading(*_read_all(text, offsets, self.tables))

    def read_one(self, statement: str) -> tuple[int, tuple[int, ...]] | None:
        """Return the kind of question and the values of one statement, or None."""
        if len(statement) > MOST_BYTES:
            return None
        reading = self.read(*text_bytes(text_list([statement])))
        wording = int(reading.wordings[0])
        if wording == NO_FORM:
            return None
        return int(self.kind_of[wording]), tuple(reading.values.tolist())


def _tables(texts: Sequence[str], holes: dict[str, str], words: Sequence[str]) -> Tables:
    names, fixed = list(holes), list[str]()
    programs = []
    for text in texts:
        program = []
        for place, part in enumerate(re.split(r"<([a-z]+)>", text)):
            if place % 2:
                program.append(-1 - names.index(part))
            else:
                program.append(len(fixed))
                fixed.append(part)
        programs.append(program)
    steps = np.full((len(programs), max(map(len, programs)) + 1), _STOP, np.int64)
    for program, row in zip(programs, steps, strict=True):
        row[: len(program)] = program
    kinds = np.array([_KINDS.index(kind) for kind in holes.values()], np.int64)
    return Tables(steps, *text_bytes(text_list(fixed)), kinds, *text_bytes(text_list(words)))


@njit(cache=True, nogil=True)
def _has(text: Bytes, at: Int, end: Int, other: Bytes, low: Int, high: Int) -> bool:
    """Say whether a text goes on with other[low:high]; most that do not differ at once."""
    size = high - low
    if at + size > end or (size > 0 and text[at] != other[low]):
        return False
    return same_bytes(text, at, other, low, size)


@njit(cache=True, nogil=True)
def _starts(text: Bytes, at: Int, end: Int, other: Bytes) -> bool:
    return _has(text, at, end, other, np.int64(0), np.int64(len(other)))


@njit(cache=True, nogil=True)
def _number(text: Bytes, at: Int, end: Int) -> tuple[Int, Int]:
    """Return a number and where it ends, or -1 twice."""
    value: Int = np.int64(0)
    begin = at
    while at < end and _ZERO <= text[at] <= _NINE:
        value = 10 * value + np.int64(text[at]) - 48
        at += 1
        if value > _LARGEST:
            return np.int64(-1), np.int64(-1)
    if at == begin or (text[begin] == _ZERO and at > begin + 1):
        return np.int64(-1), np.int64(-1)
    return value, at


@njit(cache=True, nogil=True)
def _word(text: Bytes, at: Int, end: Int, tables: Tables) -> tuple[Int, Int]:
    """Return the number of a word and where it ends, or -1 twice."""
    marks = tables.word_marks
    for k in range(len(marks) - 1):
        low, high = marks[k], marks[k + 1]
        if _has(text, at, end, tables.words, low, high):
            return np.int64(k), at + high - low
    return np.int64(-1), np.int64(-1)


@njit(cache=True, nogil=True)
def _pair(text: Bytes, at: Int, end: Int, out: Marks, to: Int) -> Int:
    """Read a pair into out[to], out[to + 1] and return where it ends, or -1."""
    if at >= end or text[at] != _OPEN:
        return np.int64(-1)
    out[to], at = _number(text, at + 1, end)
    if at < 0 or not _starts(text, at, end, _BETWEEN):
        return np.int64(-1)
    out[to + 1], at = _number(text, at + 2, end)
    if at < 0 or at >= end or text[at] != _CLOSE:
        return np.int64(-1)
    return at + 1


@njit(cache=True, nogil=True)
def _rows(text: Bytes, at: Int, end: Int, out: Marks, to: Int) -> tuple[Int, Int]:
    """Read cells by rows from out[to + 1] on; return where they end in text and in out."""
    fill = to + 1
    last_row: Int = np.int64(-1)
    last_column: Int = np.int64(-1)
    if not _starts(text, at, end, _ROW):
        return np.int64(-1), fill
    at += len(_ROW)
    while True:
        row, at = _number(text, at, end)
        if row <= last_row or not _starts(text, at, end, _COLON):
            return np.int64(-1), fill
        last_row, last_column, at = row, np.int64(-1), at + 2
        while True:
            column, at = _number(text, at, end)
            if column <= last_column:
                return np.int64(-1), fill
            out[fill], out[fill + 1] = column, row
            fill, last_column = fill + 2, column
            if not _starts(text, at, end, _BETWEEN):
                break
            at += 2
        if not _starts(text, at, end, _NEXT_ROW):
            return at, fill
        at += len(_NEXT_ROW)


@njit(cache=True, nogil=True)
def _hole(
    text: Bytes, at: Int, end: Int, kind: Int, tables: Tables, out: Marks, to: Int
) -> tuple[Int, Int]:
    """Read a hole's values from out[to] on; return where it ends in text (-1: not one), in out."""
    if kind == _NUMBER:
        out[to], at = _number(text, at, end)
        return at, to + 1
    if kind == _WORD:
        out[to], at = _word(text, at, end, tables)
        return at, to + 1
    if kind == _ROWS:
        at, fill = _rows(text, at, end, out, to)
        out[to] = (fill - to - 1) // 2
        return at, fill
    count: Int = np.int64(0)
    fill = to + 1
    while count == 0 or _starts(text, at, end, _BETWEEN):
        begin = at if count == 0 else at + len(_BETWEEN)
        if kind == _WORDS:
            out[fill], stop = _word(text, begin, end, tables)
        else:
            stop = _pair(text, begin, end, out, fill)
        if stop < 0:  # the list has ended before, if it has begun
            break
        fill += 1 if kind == _WORDS else 2
        count += 1
        at = stop
    out[to] = count
    return (at if count > 0 else np.int64(-1)), fill


@njit(cache=True, nogil=True)
def _fits(
    text: Bytes, low: Int, end: Int, wording: Int, tables: Tables, spans: Marks, scratch: Marks
) -> bool:
    """Say whether a text has a wording, and note where its holes stand and their values."""
    marks = tables.text_marks
    at: Int = low
    fill: Int = np.int64(0)
    for place in range(tables.steps.shape[1]):
        step = tables.steps[wording, place]
        if step == _STOP:
            break
        if step >= 0 and not _has(text, at, end, tables.texts, marks[step], marks[step + 1]):
            return False
        if place == 0:  # most wordings of other texts do not come so far
            spans[:, _LOW] = -1
        if step >= 0:
            at += marks[step + 1] - marks[step]
            continue
        hole = -1 - step
        if spans[hole, _LOW] >= 0:  # the second time it must say the same
            begin, stop = spans[hole, _LOW], spans[hole, _HIGH]
            if not _has(text, at, end, text, begin, stop):
                return False
            at += stop - begin
            continue
        spans[hole, _LOW], spans[hole, _FROM] = at, fill
        at, fill = _hole(text, at, end, tables.holes[hole], tables, scratch, fill)
        if at < 0:
            return False
        spans[hole, _HIGH], spans[hole, _TO] = at, fill
    return at == end


@njit(cache=True, nogil=True)
def _read_all(text: Bytes, offsets: Marks, tables: Tables) -> tuple[Marks, Marks, Marks]:
    n = len(offsets) - 1
    wordings = np.full(n, NO_FORM, np.int64)
    marks = np.zeros(n + 1, np.int64)
    values = np.empty(16 * n + 64, np.int64)
    spans = np.empty((len(tables.holes), 4), np.int64)
    scratch = np.empty(min(longest_row(offsets), MOST_BYTES) + 8, np.int64)
    fill: Int = np.int64(0)
    for i in range(n):
        low, end = offsets[i], offsets[i + 1]
        if end - low <= MOST_BYTES:
            if _starts(text, max(low, end - len(_BOXED)), end, _BOXED):
                end -= len(_BOXED)
            for wording in range(len(tables.steps)):
                if _fits(text, low, end, wording, tables, spans, scratch):
                    wordings[i] = wording
                    break
        if wordings[i] != NO_FORM:
            if fill + end - low + 8 > len(values):
                more = np.empty(2 * (fill + end - low + 8), np.int64)
                more[:fill] = values[:fill]
                values = more
            for hole in range(len(tables.holes)):
                if spans[hole, _LOW] >= 0:
                    for k in range(spans[hole, _FROM], spans[hole, _TO]):
                        values[fill] = scratch[k]
                        fill += 1
        marks[i + 1] = fill
    return wordings, values[:fill].copy(), marks
