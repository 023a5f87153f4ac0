"""Rows of third-party files, one reader per format."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

from synthgen.core.chat import Role
from synthgen.core.errors import DatasetError
from synthgen.dataset.foreign.column_choice import (
    Columns,
    Row,
    WantedColumns,
    choose_columns,
    first_record,
    json_text,
    json_value,
    key_path,
    text_inside,
)
from synthgen.dataset.foreign.text_lines import MAX_LINE_BYTES, Line

MAX_DOCUMENT = 2**29
"""Most characters of one JSON document, which is read as a whole."""


def jsonl_rows(
    path: Path, lines: Iterator[Line], wanted: WantedColumns
) -> tuple[Columns, Iterator[Row]]:
    """Return the columns, chosen among the keys of the first object, and the rows.

    Keys missing in a later object are nulls, as are NaN and Infinity. Numbers become text as
    written. Blank lines are skipped.

    Raises:
        DatasetError: without an object, if a column is missing in the first, or, while rows are
            read, if a line is not a JSON object or a value is neither text nor a number.
    """
    objects = _objects(path, lines)
    line, first = first_record(path, objects)
    columns = choose_columns(f"{path}:{line}", list(first), wanted, inside=keys_inside(first))
    rest = chain([(line, first)], objects)
    records = _one_each(rest, columns.answer) if wanted.lists and columns.answer else rest
    return columns, _picked(path, records, list(first), columns, wanted.more)


def _one_each(
    records: Iterable[tuple[int, dict[str, Any]]], name: str
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield a record for each item of a list under a key, and other records as they are."""
    for line, record in records:
        value = record.get(name)
        for item in value if isinstance(value, list) else [value]:
            yield line, record | {name: item}


def _picked(
    path: Path,
    records: Iterable[tuple[int, Mapping[str, Any]]],
    names: Sequence[str],
    columns: Columns,
    more: Sequence[str],
    mark: str = ":",
) -> Iterator[Row]:
    """Yield the row of each record, whose values are given by column."""
    roles: list[Role | None] = ["user", "assistant", "assistant", *[None] * len(more)]
    chosen = zip((columns.prompt, columns.answer, columns.solution, *more), roles, strict=True)
    paths = [(None if name is None else key_path(names, name), role) for name, role in chosen]
    is_first = True
    for line, record in records:
        place = f"{path}{mark}{line}"
        prompt, answer, solution, *others = (
            None
            if keys is None
            else text_inside(place, keys, record.get(keys[0]), is_first=is_first, role=role)
            for keys, role in paths
        )
        yield line, prompt, answer, solution, *others
        is_first = False


def _objects(path: Path, lines: Iterator[Line]) -> Iterator[tuple[int, dict[str, Any]]]:
    expected = "one JSON object per line"
    for number, text in lines:
        if not text or text.isspace():
            continue
        place = f"{path}:{number}"
        value = json_value(place, text, expected)
        if not isinstance(value, dict):
            msg = f"{place}: expected {expected}: found another value"
            raise DatasetError(msg)
        yield number, value


def keys_inside(record: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the keys of the objects in a record, by the key of the object."""
    return {name: list(value) for name, value in record.items() if isinstance(value, dict)}


def json_rows(
    path: Path, lines: Iterator[Line], wanted: WantedColumns
) -> tuple[Columns, Iterator[Row]]:
    """Return the columns and rows of one JSON document, numbered by row.

    The document is a list of objects, an object of lists of equal length (columns), or an object
    in which one key holds a list of objects.

    Raises:
        DatasetError: for another document, one of more than `MAX_DOCUMENT` characters, or as
            `jsonl_rows`.
    """
    objects = enumerate(_document_records(path, lines), 1)
    row, first = first_record(path, objects)
    columns = choose_columns(str(path), list(first), wanted, inside=keys_inside(first))
    rest = chain([(row, first)], objects)
    records = _one_each(rest, columns.answer) if wanted.lists and columns.answer else rest
    return columns, _picked(path, records, list(first), columns, wanted.more, ": row ")


def document_texts(path: Path, lines: Iterator[Line]) -> Iterator[str]:
    """Yield the records of a JSON document as JSON, with numbers as they were written.

    Raises:
        DatasetError: as `json_rows`.
    """
    for row, record in enumerate(_document_records(path, lines), 1):
        try:
            yield json_text(record)
        except RecursionError:
            msg = f"{path}: row {row}: expected values that are nested less deeply"
            raise DatasetError(msg) from None


def _document_records(path: Path, lines: Iterator[Line]) -> Iterator[dict[str, Any]]:
    texts: list[str] = []
    size = 0
    for _, text in lines:
        texts.append(text)
        size += len(text)
        if size > MAX_DOCUMENT:
            msg = f"{path}: expected at most {MAX_DOCUMENT:,} characters of JSON; use JSON Lines"
            raise DatasetError(msg)
    yield from _records_of(path, json_value(str(path), "\n".join(texts), "JSON"))


def _records_of(path: Path, document: Any) -> Iterator[dict[str, Any]]:
    """Yield the records of a JSON document."""
    records = document
    if isinstance(document, dict):
        values = list(document.values())
        lists = [value for value in values if isinstance(value, list)]
        if len(lists) == len(values) and len({len(value) for value in values}) == 1:
            records = [dict(zip(document, row, strict=True)) for row in zip(*values, strict=True)]
        else:
            tables = [value for value in lists if value and isinstance(value[0], dict)]
            if len(tables) != 1:
                msg = f"{path}: expected a list of objects, or one key that holds such a list"
                raise DatasetError(msg)
            records = tables[0]
    for row, record in enumerate(records if isinstance(records, list) else [records], 1):
        if not isinstance(record, dict):
            msg = f"{path}: row {row}: expected an object"
            raise DatasetError(msg)
        yield record


def holds_lines(first: str) -> bool:
    """Return whether the first line of a JSON file is a whole object, as in JSON Lines."""
    try:
        return isinstance(json_value("", first, ""), dict)
    except DatasetError:
        return False


Record = tuple[int, list[str]]
"""Line and fields."""

_ADVICE = " (use --no-header if this line is already a row)"


def tsv_records(lines: Iterator[Line]) -> Iterator[Record]:
    """Split lines at tabs without interpreting quotes; skip blank lines."""
    for number, text in lines:
        if text:
            yield number, text.split("\t")


def csv_records(path: Path, lines: Iterator[Line]) -> Iterator[Record]:
    """Read comma-separated records, whose quoted fields may span lines; skip blank lines.

    Raises:
        DatasetError: for unclosed quotes, text after closing quotes, or a field of more characters
            than `csv.field_size_limit()`; the message names the record's first line.
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
    path: Path, records: Iterator[Record], wanted: WantedColumns, *, header: bool
) -> tuple[Columns, Iterator[Row]]:
    """Return the columns and rows of a table.

    Args:
        path: Path of the file, for messages.
        records: Records of the file, read on demand.
        wanted: Requested columns.
        header: Whether the first record names the columns; otherwise they are 1, 2, 3 ...

    Raises:
        DatasetError: without a record, if a column is missing, or, while rows are read, if a record
            has more or fewer fields than the first.
    """
    line, fields = first_record(path, records)
    names = fields if header else [str(number + 1) for number in range(len(fields))]
    columns = choose_columns(
        f"{path}:{line}", names, wanted, numbered=not header, advice=_ADVICE if header else ""
    )
    rest = records if header else chain([(line, fields)], records)

    def by_name() -> Iterator[tuple[int, dict[str, str]]]:
        for number, texts in rest:
            if len(texts) != len(names):
                msg = f"{path}:{number}: fields={len(texts):,}: "
                msg += f"expected {len(names):,}, as line {line} has"
                raise DatasetError(msg)
            yield number, dict(zip(names, texts, strict=True))

    return columns, _picked(path, by_name(), names, columns, wanted.more)


_IN, _OUT = "IN: ", " OUT:"


def scan_rows(path: Path, lines: Iterator[Line]) -> Iterator[Row]:
    """Yield the rows of lines `IN: <command> OUT: <actions>`; blank lines are skipped.

    Raises:
        DatasetError: for a line of a different form.
    """
    for number, text in lines:
        if not text:
            continue
        halves = text.removeprefix(_IN).split(_OUT)
        if not text.startswith(_IN) or len(halves) != 2:
            msg = f"{path}:{number}: expected 'IN: <command> OUT: <actions>'"
            raise DatasetError(msg)
        yield number, halves[0], halves[1].removeprefix(" "), None


def line_rows(lines: Iterator[Line]) -> Iterator[Row]:
    """Yield one row for each line, a prompt without an answer; blank lines are skipped."""
    for number, text in lines:
        if text:
            yield number, text, None, None


def pair_rows(
    path: Path, prompts: Iterator[Line], answers_path: Path, answers: Iterator[Line]
) -> Iterator[Row]:
    """Yield one row for each pair of lines; a blank line is an empty text.

    Raises:
        DatasetError: if one file has fewer lines than the other.
    """
    for prompt, answer in zip_longest(prompts, answers):
        if prompt is None:
            raise _too_few(path, answer[0] - 1, answers_path)
        if answer is None:
            raise _too_few(answers_path, prompt[0] - 1, path)
        yield prompt[0], prompt[1], answer[1], None


def _too_few(path: Path, lines: int, other: Path) -> DatasetError:
    msg = f"{path}: lines={lines:,}: expected as many as in {other}, which has more"
    return DatasetError(msg)
