"""Rows of third-party files, one reader per format."""

from __future__ import annotations

import csv
import gzip
import zlib
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain, count, zip_longest
from pathlib import Path
from typing import IO, Any, cast

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from synthgen.core.errors import DatasetError
from synthgen.core.files import check_regular
from synthgen.dataset.foreign.column_choice import (
    BATCH_CHARACTERS,
    Columns,
    Row,
    RowBatch,
    WantedColumns,
    choose_columns,
    first_record,
    inside_hint,
    json_value,
    key_path,
    nothing_to_check,
    shown_name,
    text_inside,
)

MAX_LINE_BYTES = 16 * 2**20

Line = tuple[int, str]
"""Line number from 1, and text without its line end."""

_UTF8_MARK = b"\xef\xbb\xbf"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def numbered_lines(path: Path) -> Generator[Line]:
    r"""Yield the lines of a file one at a time; a name ending in .gz is decompressed.

    Lines end in \n or \r\n; the last one may lack its end. A byte-order mark is skipped.

    Raises:
        DatasetError: if the file cannot be read, is not UTF-8 or has a line of more than
            `MAX_LINE_BYTES`; the message names the line.
    """
    try:
        with _opened(path) as file:
            for number in count(1):
                raw = file.readline(MAX_LINE_BYTES + 1)
                if not raw:
                    return
                yield number, _text(path, number, raw)
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        msg = f"{path}: cannot be read: {reason}"
        raise DatasetError(msg) from None


def _opened(path: Path) -> IO[bytes]:
    check_regular(path)
    if path.suffix == ".gz":
        return cast("IO[bytes]", gzip.open(path, "rb"))
    return path.open("rb")


def _text(path: Path, number: int, raw: bytes) -> str:
    if raw.endswith(b"\n"):
        raw = raw[:-2] if raw.endswith(b"\r\n") else raw[:-1]
    elif len(raw) > MAX_LINE_BYTES:
        msg = f"{path}:{number}: expected a line of at most {MAX_LINE_BYTES:,} bytes"
        raise DatasetError(msg)
    elif raw.endswith(b"\r"):
        raw = raw[:-1]
    if number == 1:
        raw = raw.removeprefix(_UTF8_MARK)
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        is_wide = number == 1 and raw.startswith(_UTF16_MARKS)
        byte = f"byte 0x{raw[error.start]:02x}, number {error.start + 1} of the line, is none"
        msg = f"{path}:{number}: expected UTF-8: {'this looks like UTF-16' if is_wide else byte}"
        raise DatasetError(msg) from None


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
    columns = choose_columns(f"{path}:{line}", list(first), wanted)
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
) -> Iterator[Row]:
    """Yield the row of each record, whose values are given by column."""
    chosen = (columns.prompt, columns.answer, columns.solution, *more)
    paths = [None if name is None else key_path(names, name) for name in chosen]
    is_first = True
    for line, record in records:
        prompt, answer, solution, *others = (
            None
            if keys is None
            else text_inside(f"{path}:{line}", keys, record.get(keys[0]), is_first=is_first)
            for keys in paths
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


_MAX_ROWS = 8192
_READ_BYTES = 2**20
_BROKEN = (pa.ArrowException, OSError, ValueError)


@contextmanager
def open_parquet(path: Path, wanted: WantedColumns) -> Iterator[tuple[Columns, Iterator[RowBatch]]]:
    """Open a Parquet file; the rows are valid inside the `with` block.

    Raises:
        DatasetError: if it is not Parquet, has no rows or lacks the requested columns, or a column
            holds neither text nor integers; while rows are read, if it is corrupt.
    """
    try:
        check_regular(path)
        file = pq.ParquetFile(path, buffer_size=_READ_BYTES)
    except _BROKEN as error:
        raise _unreadable(path, error) from None
    with file:
        if file.metadata.num_rows == 0:
            raise nothing_to_check(path)
        schema = file.schema_arrow
        columns = choose_columns(str(path), schema.names, wanted)
        for name in (columns.prompt, columns.answer, columns.solution, *wanted.more):
            if name is not None and name in schema.names:
                field = schema.field(name)
                is_list = wanted.lists and name == columns.answer and _is_list(schema, name)
                _check_type(path, field.with_type(field.type.value_type) if is_list else field)
        yield columns, _batches(path, file, columns, wanted.more)


def _batches(
    path: Path, file: pq.ParquetFile, columns: Columns, more: Sequence[str]
) -> Iterator[RowBatch]:
    wanted = (columns.prompt, columns.answer, columns.solution, *more)
    names = list(dict.fromkeys(name for name in wanted if name is not None))
    paths = {name: key_path(file.schema_arrow.names, name) for name in names}
    read = list(dict.fromkeys(keys[0] for keys in paths.values()))
    first = 1
    try:
        for batch in file.iter_batches(_batch_rows(file), columns=read, use_threads=False):
            # Parquet does not guarantee that its text is UTF-8, but Arrow's readers rely on it.
            batch.validate(full=True)
            each = batch
            if columns.answer and _is_list(batch.schema, columns.answer):
                each = _one_row_each(batch, columns.answer)
            texts = {
                name: _texts_inside(path, first, keys, each[keys[0]])
                for name, keys in paths.items()
            }
            for name, column in texts.items():
                _check_lengths(path, first, name, column)
            answers = texts[columns.answer] if columns.answer else pa.nulls(len(each), pa.string())
            solution = texts[columns.solution] if columns.solution else None
            others = tuple(texts[name] for name in more)
            yield RowBatch(first, None, texts[columns.prompt], answers, solution, others)
            first += batch.num_rows
        if first != file.metadata.num_rows + 1:
            msg = f"{path}: rows={first - 1:,}: expected {file.metadata.num_rows:,} by the footer"
            raise DatasetError(msg)
    except _BROKEN as error:
        raise _unreadable(path, error) from None


def _is_list(schema: pa.Schema, name: str | None) -> bool:
    return name in schema.names and pa.types.is_list(schema.field(name).type)


def _one_row_each(batch: pa.RecordBatch, name: str) -> pa.RecordBatch:
    """Return a row for each item of the lists of a column."""
    place, lists = batch.schema.get_field_index(name), batch[name]
    rows = batch.take(pc.list_parent_indices(lists))
    return rows.set_column(place, name, pc.list_flatten(lists))


def _texts_inside(path: Path, first: int, keys: Sequence[str], column: pa.Array) -> pa.StringArray:
    """Return a column, or the texts at a path of keys inside it."""
    if len(keys) == 1:
        return column.cast(pa.string())
    values = column.to_pylist(maps_as_pydicts="strict")
    texts = [
        text_inside(f"{path}: row {row}", keys, value, is_first=row == 1)
        for row, value in enumerate(values, first)
    ]
    return pa.array(texts, pa.string())


def _batch_rows(file: pq.ParquetFile) -> int:
    """Return the number of rows whose text on average fits into a batch."""
    groups = (file.metadata.row_group(i) for i in range(file.num_row_groups))
    size = sum(group.total_byte_size for group in groups) // file.metadata.num_rows
    return int(min(_MAX_ROWS, max(1, BATCH_CHARACTERS // max(1, size))))


def _check_type(path: Path, field: pa.Field) -> None:
    kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
    text = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    if not any(fits(kind) for fits in (*text, pa.types.is_integer, pa.types.is_null)):
        hint = inside_hint(field.name, kind.names) if pa.types.is_struct(kind) else ""
        name = shown_name(field.name)
        msg = f"{path}: column {name} is {kind}: expected text or integers{hint}"
        raise DatasetError(msg)


def _check_lengths(path: Path, first: int, name: str, column: pa.StringArray) -> None:
    lengths = pc.binary_length(column)
    if (pc.max(lengths).as_py() or 0) > MAX_LINE_BYTES:
        row = first + pc.index(pc.greater(lengths, MAX_LINE_BYTES), True).as_py()
        msg = f"{path}: row {row}: {shown_name(name)}: expected at most {MAX_LINE_BYTES:,} bytes"
        raise DatasetError(msg)


def _unreadable(path: Path, error: Exception) -> DatasetError:
    reason = getattr(error, "strerror", None) or str(error)
    plain = "".join(char if char.isprintable() else " " for char in reason)
    msg = f"{path}: cannot be read as Parquet: {plain}"
    return DatasetError(msg)
