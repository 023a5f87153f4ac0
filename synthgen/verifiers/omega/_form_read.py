"""The kernel that reads statements: which wording a text has, and what stands in its holes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.byte_spans import same_bytes
from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.offsets import longest_row
from synthgen.verifiers.omega._wordings import BOXED

NUMBER, WORD, WORDS, PAIRS, ROWS = range(5)
"""Kinds of holes: a number; a known word; a list of known words; pairs as in `(3, 5), (1, 4)`;
cells by rows, as in `row 2: 3, 7; row 5: 1`, rows and columns rising. A list is read as its length
and its items, a cell as (column, row)."""
Bytes = NDArray[np.uint8]
Marks = NDArray[np.int64]
MOST_BYTES = 50_000
"""A longer text is no statement of ours."""
NO_FORM = -1
STOP = 30_000
"""What stands behind the last step of a wording."""
_LARGEST = 30_000
_LOW, _HIGH, _FROM, _TO = range(4)
_BOXED = np.frombuffer(BOXED.encode(), np.uint8)
_ZERO, _NINE = np.uint8(ord("0")), np.uint8(ord("9"))
_OPEN, _CLOSE = np.uint8(ord("(")), np.uint8(ord(")"))
_COMMA, _COLON, _SPACE = np.uint8(ord(",")), np.uint8(ord(":")), np.uint8(ord(" "))
_ROW, _NEXT_ROW = np.frombuffer(b"row ", np.uint8), np.frombuffer(b"; row ", np.uint8)


class Tables(NamedTuple):
    """Wordings as the kernel takes them.

    Attributes:
        steps: of each wording: text j, or hole -1 - j.
        lasts: the text that each wording ends with.
        texts, text_marks: all texts, one after another.
        holes: kind of each.
        words, word_marks: all words.
        first_words: by their first byte, the first word that has it, or -1.
        next_words: the next one that has the same, or -1.
    """

    steps: Marks
    lasts: Marks
    texts: Bytes
    text_marks: Marks
    holes: Marks
    words: Bytes
    word_marks: Marks
    first_words: Marks
    next_words: Marks


@lent
def _has(text: Bytes, at: Int, end: Int, other: Bytes, low: Int, high: Int) -> bool:
    """Say whether a text goes on with other[low:high]; most that do not differ at once."""
    size = high - low
    if at + size > end or (size > 0 and text[at] != other[low]):
        return False
    return same_bytes(text, at, other, low, size)


@lent
def _starts(text: Bytes, at: Int, end: Int, other: Bytes) -> bool:
    return _has(text, at, end, other, np.int64(0), np.int64(len(other)))


@lent
def _two(text: Bytes, at: Int, end: Int, one: np.uint8, other: np.uint8) -> bool:
    """Say whether a text goes on with two bytes."""
    return bool(at + 1 < end and text[at] == one and text[at + 1] == other)


@lent
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


@lent
def _word(text: Bytes, at: Int, end: Int, tables: Tables) -> tuple[Int, Int]:
    """Return the number of a word and where it ends, or -1 twice."""
    marks = tables.word_marks
    k: Int = tables.first_words[text[at]] if at < end else np.int64(-1)
    while k >= 0:
        size = marks[k + 1] - marks[k]
        if at + size <= end and same_bytes(text, at, tables.words, marks[k], size):
            return k, at + size
        k = tables.next_words[k]
    return np.int64(-1), np.int64(-1)


@lent
def _pair(text: Bytes, at: Int, end: Int, out: Marks, to: Int) -> Int:
    """Read a pair into out[to], out[to + 1] and return where it ends, or -1."""
    if at >= end or text[at] != _OPEN:
        return np.int64(-1)
    out[to], at = _number(text, at + 1, end)
    if at < 0 or not _two(text, at, end, _COMMA, _SPACE):
        return np.int64(-1)
    out[to + 1], at = _number(text, at + 2, end)
    if at < 0 or at >= end or text[at] != _CLOSE:
        return np.int64(-1)
    return at + 1


@lent
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
        if row <= last_row or not _two(text, at, end, _COLON, _SPACE):
            return np.int64(-1), fill
        last_row, last_column, at = row, np.int64(-1), at + 2
        while True:
            column, at = _number(text, at, end)
            if column <= last_column:
                return np.int64(-1), fill
            out[fill], out[fill + 1] = column, row
            fill, last_column = fill + 2, column
            if not _two(text, at, end, _COMMA, _SPACE):
                break
            at += 2
        if not _starts(text, at, end, _NEXT_ROW):
            return at, fill
        at += len(_NEXT_ROW)


@lent
def _hole(
    text: Bytes, at: Int, end: Int, kind: Int, tables: Tables, out: Marks, to: Int
) -> tuple[Int, Int]:
    """Read a hole's values from out[to] on; return where it ends in text (-1: not one), in out."""
    if kind == NUMBER:
        out[to], at = _number(text, at, end)
        return at, to + 1
    if kind == WORD:
        out[to], at = _word(text, at, end, tables)
        return at, to + 1
    if kind == ROWS:
        at, fill = _rows(text, at, end, out, to)
        out[to] = (fill - to - 1) // 2
        return at, fill
    count: Int = np.int64(0)
    fill = to + 1
    while count == 0 or _two(text, at, end, _COMMA, _SPACE):
        begin = at if count == 0 else at + 2
        if kind == WORDS:
            out[fill], stop = _word(text, begin, end, tables)
        else:
            stop = _pair(text, begin, end, out, fill)
        if stop < 0:  # the list has ended before, if it has begun
            break
        fill += 1 if kind == WORDS else 2
        count += 1
        at = stop
    out[to] = count
    return (at if count > 0 else np.int64(-1)), fill


@lent
def _fits(
    text: Bytes, low: Int, end: Int, wording: Int, tables: Tables, spans: Marks, scratch: Marks
) -> bool:
    """Say whether a text has a wording, and note where its holes stand and their values."""
    marks, steps = tables.text_marks, tables.steps
    for hole in range(len(spans)):
        spans[hole, _LOW] = -1
    at: Int = low
    fill: Int = np.int64(0)
    for place in range(steps.shape[1]):
        step = steps[wording, place]
        if step == STOP:
            break
        if step >= 0:
            if not _has(text, at, end, tables.texts, marks[step], marks[step + 1]):
                return False
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


@lent
def _wording(text: Bytes, low: Int, end: Int, tables: Tables, spans: Marks, scratch: Marks) -> Int:
    """Return the wording of a text; its last words tell most others apart at once."""
    marks = tables.text_marks
    for wording in range(len(tables.steps)):
        begin, stop = marks[tables.lasts[wording]], marks[tables.lasts[wording] + 1]
        at = end - (stop - begin)
        if at < low or not _has(text, at, end, tables.texts, begin, stop):
            continue
        if _fits(text, low, end, wording, tables, spans, scratch):
            return np.int64(wording)
    return np.int64(NO_FORM)


@lent
def _put_values(spans: Marks, scratch: Marks, values: Marks, fill: Int) -> Int:
    """Write the values of the holes that there are, in order, and return where they end."""
    for hole in range(len(spans)):
        if spans[hole, _LOW] >= 0:
            for k in range(spans[hole, _FROM], spans[hole, _TO]):
                values[fill] = scratch[k]
                fill += 1
    return fill


@njit(cache=True, nogil=True)
def read_all(text: Bytes, offsets: Marks, tables: Tables) -> tuple[Marks, Marks, Marks]:
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
            wordings[i] = _wording(text, low, end, tables, spans, scratch)
        if wordings[i] != NO_FORM:
            if fill + end - low + 8 > len(values):
                more = np.empty(2 * (fill + end - low + 8), np.int64)
                more[:fill] = values[:fill]
                values = more
            fill = _put_values(spans, scratch, values, fill)
        marks[i + 1] = fill
    return wordings, values[:fill], marks
