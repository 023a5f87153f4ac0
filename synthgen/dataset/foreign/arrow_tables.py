"""Rows of Arrow tables: Parquet and Arrow files, and tables in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from synthgen.core.chat import CHAT_NAMES, Role
from synthgen.core.errors import DatasetError, ParamError
from synthgen.core.files import check_regular
from synthgen.dataset.foreign.column_choice import (
    BATCH_CHARACTERS,
    Columns,
    RowBatch,
    WantedColumns,
    choose_columns,
    key_path,
    nothing_to_check,
    shown_name,
    text_inside,
)
from synthgen.dataset.foreign.text_lines import MAX_LINE_BYTES, opened

_MAX_ROWS = 8192
_READ_BYTES = 2**20
_BROKEN = (pa.ArrowException, OSError, ValueError)

Opened = tuple[Columns, Iterator[RowBatch]]


@contextmanager
def open_parquet(path: Path, wanted: WantedColumns) -> Iterator[Opened]:
    """Open a Parquet file; the rows are valid inside the `with` block.

    Raises:
        DatasetError: if it is not Parquet, has no rows or lacks the requested columns; while rows
            are read, if it is corrupt, or a value cannot be read as text.
    """
    try:
        check_regular(path)
        file = pq.ParquetFile(path, buffer_size=_READ_BYTES)
    except _BROKEN as error:
        raise _unreadable(path, "Parquet", error) from None
    with file:
        if file.metadata.num_rows == 0:
            raise nothing_to_check(path)
        names = file.schema_arrow.names
        columns = choose_columns(str(path), names, wanted)
        read = list({key_path(names, name)[0]: None for name, _ in _roles(columns, wanted)})
        batches = file.iter_batches(_batch_rows(file), columns=read, use_threads=False)
        total = file.metadata.num_rows
        rows = _row_batches(str(path), names, batches, columns, wanted, total)
        yield columns, _guarded(path, "Parquet", rows)


@contextmanager
def open_arrow(path: Path, wanted: WantedColumns) -> Iterator[Opened]:
    """Open an Arrow IPC file or stream, such as Feather or a cache of `datasets`.

    Raises:
        DatasetError: as `open_parquet`.
    """
    with ExitStack() as stack:
        try:
            file = stack.enter_context(opened(path))
            reader = stack.enter_context(_ipc_reader(file))
        except _BROKEN as error:
            raise _unreadable(path, "Arrow", error) from None
        columns = choose_columns(str(path), reader.schema.names, wanted)
        rows = _row_batches(str(path), reader.schema.names, _batches(reader), columns, wanted)
        yield columns, _guarded(path, "Arrow", rows)


def open_table(name: str, table: Any, wanted: WantedColumns) -> Opened:
    """Return the columns and rows of a table in memory, which is not copied.

    Args:
        name: Name for messages.
        table: Table of pyarrow, or data frame of Polars, of pandas or of `datasets`.
        wanted: Requested columns.

    Raises:
        ParamError: for another object.
        DatasetError: if a column is missing; while rows are read, if a value is not text.
    """
    if hasattr(table, "with_format") and hasattr(table, "column_names"):  # of `datasets`
        names = list(table.column_names)
        tables = table.with_format("arrow").iter(_MAX_ROWS)
        batches = (batch for each in tables for batch in each.to_batches())
    else:
        try:
            whole = table if isinstance(table, pa.Table) else pa.table(table)
        except (pa.ArrowException, TypeError, ValueError):
            expected = "a file, or a table of pyarrow, Polars, pandas or datasets"
            raise ParamError(name, type(table).__name__, expected) from None
        names, batches = whole.column_names, iter(whole.to_batches(_MAX_ROWS))
    columns = choose_columns(name, names, wanted)
    return columns, _row_batches(name, names, batches, columns, wanted)


def whole_batches(path: Path, form: str) -> Iterator[pa.RecordBatch]:
    """Yield all columns of a Parquet or Arrow file.

    Raises:
        DatasetError: if it is corrupt.
    """
    try:
        if form == "parquet":
            with pq.ParquetFile(path, buffer_size=_READ_BYTES) as table:
                yield from table.iter_batches(_batch_rows(table), use_threads=False)
            return
        with opened(path) as file, _ipc_reader(file) as reader:
            yield from _batches(reader)
    except _BROKEN as error:
        raise _unreadable(path, form, error) from None


def _ipc_reader(file: Any) -> Any:
    """Return a reader of an open Arrow file or stream."""
    source = pa.PythonFile(file, mode="r")
    try:
        return pa.ipc.open_stream(source)
    except pa.ArrowInvalid:
        file.seek(0)
        return pa.ipc.open_file(source)


def _batches(reader: Any) -> Iterator[pa.RecordBatch]:
    if hasattr(reader, "num_record_batches"):
        yield from map(reader.get_batch, range(reader.num_record_batches))
    else:
        yield from reader


def _guarded(path: Path, form: str, batches: Iterator[RowBatch]) -> Iterator[RowBatch]:
    """Yield batches; raise the errors of corrupt files as DatasetError."""
    try:
        yield from batches
    except _BROKEN as error:
        raise _unreadable(path, form, error) from None


def _roles(columns: Columns, wanted: WantedColumns) -> list[tuple[str, Role | None]]:
    """Return the columns to read, and whose turn of a conversation each one gives."""
    each: list[tuple[str | None, Role | None]] = [(columns.prompt, "user")]
    each += [(columns.answer, "assistant"), (columns.solution, "assistant")]
    each += [(name, None) for name in wanted.more]
    return [(name, role) for name, role in each if name is not None]


def _row_batches(
    place: str,
    names: Sequence[str],
    batches: Iterable[pa.RecordBatch],
    columns: Columns,
    wanted: WantedColumns,
    total: int | None = None,
) -> Iterator[RowBatch]:
    """Yield the rows of Arrow batches; `total` is the number that the file promises, if any."""
    roles = dict.fromkeys(_roles(columns, wanted))
    paths = {name: key_path(names, name) for name, _ in roles}
    first = 1
    for whole in batches:
        for start in range(0, whole.num_rows, _MAX_ROWS):
            batch = whole.slice(start, _MAX_ROWS)
            # Files do not guarantee that their text is UTF-8, but Arrow's readers rely on it.
            batch.validate(full=True)
            each = batch
            if wanted.lists and columns.answer and _is_list(batch.schema, columns.answer):
                each = _one_row_each(batch, columns.answer)
            texts = {
                key: _texts(place, first, paths[key[0]], each[paths[key[0]][0]], key[1])
                for key in roles
            }
            for (name, _), column in texts.items():
                _check_lengths(place, first, name, column)
            answers = texts.get((columns.answer or "", "assistant"))
            yield RowBatch(
                first,
                None,
                texts[columns.prompt, "user"],
                pa.nulls(len(each), pa.string()) if answers is None else answers,
                texts[columns.solution, "assistant"] if columns.solution else None,
                tuple(texts[name, None] for name in wanted.more),
            )
            first += batch.num_rows
    if total not in (None, first - 1):
        msg = f"{place}: rows={first - 1:,}: expected {total:,} by the footer"
        raise DatasetError(msg)
    if first == 1:
        raise nothing_to_check(place)


def _is_list(schema: pa.Schema, name: str | None) -> bool:
    return name in schema.names and pa.types.is_list(schema.field(name).type)


def _one_row_each(batch: pa.RecordBatch, name: str) -> pa.RecordBatch:
    """Return a row for each item of the lists of a column."""
    place, lists = batch.schema.get_field_index(name), batch[name]
    rows = batch.take(pc.list_parent_indices(lists))
    return rows.set_column(place, name, pc.list_flatten(lists))


def _texts(
    place: str, first: int, keys: Sequence[str], column: pa.Array, role: Role | None
) -> pa.StringArray:
    """Return a column as texts, or those at a path of keys inside it."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        column = column.dictionary_decode()
        kind = column.type
    if len(keys) == 1 and not pa.types.is_nested(kind) and keys[0] not in CHAT_NAMES:
        return column.cast(pa.string())
    values = column.to_pylist(maps_as_pydicts="strict")
    texts = [
        text_inside(f"{place}: row {row}", keys, value, is_first=row == 1, role=role)
        for row, value in enumerate(values, first)
    ]
    return pa.array(texts, pa.string())


def _batch_rows(file: pq.ParquetFile) -> int:
    """Return the number of rows whose text on average fits into a batch."""
    groups = (file.metadata.row_group(i) for i in range(file.num_row_groups))
    size = sum(group.total_byte_size for group in groups) // file.metadata.num_rows
    return int(min(_MAX_ROWS, max(1, BATCH_CHARACTERS // max(1, size))))


def _check_lengths(place: str, first: int, name: str, column: pa.StringArray) -> None:
    lengths = pc.binary_length(column)
    if (pc.max(lengths).as_py() or 0) > MAX_LINE_BYTES:
        row = first + pc.index(pc.greater(lengths, MAX_LINE_BYTES), True).as_py()
        msg = f"{place}: row {row}: {shown_name(name)}: expected at most {MAX_LINE_BYTES:,} bytes"
        raise DatasetError(msg)


def _unreadable(path: Path, form: str, error: Exception) -> DatasetError:
    reason = getattr(error, "strerror", None) or str(error)
    plain = "".join(char if char.isprintable() else " " for char in reason)
    msg = f"{path}: cannot be read as {form}: {plain}"
    return DatasetError(msg)
