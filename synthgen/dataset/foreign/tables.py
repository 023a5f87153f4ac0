"""Rows of tables as text: tab-separated and comma-separated, with a header or without."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from synthgen.core.errors import DatasetError
from synthgen.dataset.foreign.columns import Columns, Wanted, choose_columns
from synthgen.dataset.foreign.lines import MAX_LINE_BYTES, Line
from synthgen.dataset.foreign.rows import Row, first_record

Record = tuple[int, list[str]]
"""Line and fields."""

_ADVICE = " (--no-header if this line is a row already)"


def tsv_records(lines: Iterator[Line]) -> Iterator[Record]:
    """Split lines at tabs; quotes mean nothing, blank lines are skipped."""
    for number, text in lines:
        if text:
            yield number, text.split("\t")


def csv_records(path: Path, lines: Iterator[Line]) -> Iterator[Record]:
    """Read comma-separated records, whose quoted fields may hold line ends; skip blank lines.

    Raises:
        DatasetError: for quotes that do not close, text behind them, or a field of more
            characters than `csv.field_size_limit()`; the message names the record's first line.
    """
    size = 0

    def texts() -> Iterator[str]:
        nonlocal size
        for _, text in lines:
            size += len(text)
            if size > MAX_LINE_BYTES:
                msg = f"more than {MAX_LINE_BYTES:,} characters in one record"
                raise csv.Error(msg)
            yield text + "\n"

    reader = csv.reader(texts(), strict=True)
    while True:
        start, size = reader.line_num + 1, 0
        try:
            fields = next(reader, None)
        except csv.Error as error:
            msg = f"{path}:{start}: expected a CSV record: {error}"
            raise DatasetError(msg) from None
        if fields is None:
            return
        if fields:
            yield start, fields


def table_rows(
    path: Path, records: Iterator[Record], wanted: Wanted, *, header: bool
) -> tuple[Columns, Iterator[Row]]:
    """Return the columns taken and the rows of a table.

    Args:
        path: of the file, for messages.
        records: of the file, read as far as rows are taken.
        wanted: columns.
        header: whether the first record names the columns; otherwise they are 1, 2, 3 ...

    Raises:
        DatasetError: if there is no record, a column is not there, or, while rows are read, one
            has more or fewer fields than the first record.
    """
    line, fields = first_record(path, records)
    names = fields if header else [str(number + 1) for number in range(len(fields))]
    columns = choose_columns(
        f"{path}:{line}", names, wanted, numbered=not header, advice=_ADVICE if header else ""
    )
    rest = records if header else chain([(line, fields)], records)
    return columns, _picked(path, rest, names, columns, wanted.more, first=line)


def _picked(
    path: Path,
    records: Iterator[Record],
    names: Sequence[str],
    columns: Columns,
    more: Sequence[str],
    *,
    first: int,
) -> Iterator[Row]:
    width = len(names)
    chosen = (columns.prompt, columns.answer, columns.solution, *more)
    prompt, *places = (None if name is None else names.index(name) for name in chosen)
    for line, fields in records:
        if len(fields) != width:
            msg = f"{path}:{line}: fields={len(fields):,}: expected {width:,}, as line {first} has"
            raise DatasetError(msg)
        answer, told, *others = (None if at is None else fields[at] for at in places)
        yield line, fields[prompt or 0], answer, told, *others
