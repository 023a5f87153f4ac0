"""Rows of anybody's Parquet file: columns of text or integers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from synthgen.core.errors import DatasetError
from synthgen.dataset.foreign.columns import Columns, Wanted, choose_columns, shown_name
from synthgen.dataset.foreign.lines import MAX_LINE_BYTES
from synthgen.dataset.foreign.rows import BATCH_CHARACTERS, RowBatch, nothing_to_check

_MOST_ROWS = 8192
_READ_BYTES = 2**20
_BROKEN = (pa.ArrowException, OSError, ValueError)


@contextmanager
def open_parquet(path: Path, wanted: Wanted) -> Iterator[tuple[Columns, Iterator[RowBatch]]]:
    """Open a file; the rows are for use inside the `with` block.

    Raises:
        DatasetError: if it is not Parquet, has no rows or not the columns wanted, or a column
            holds neither text nor integers; while rows are read, if it turns out to be broken.
    """
    try:
        file = pq.ParquetFile(path, buffer_size=_READ_BYTES)
    except _BROKEN as error:
        raise _unreadable(path, error) from None
    with file:
        if file.metadata.num_rows == 0:
            raise nothing_to_check(path)
        schema = file.schema_arrow
        columns = choose_columns(str(path), schema.names, wanted)
        for name in (columns.prompt, columns.answer, columns.solution, *wanted.more):
            if name is not None:
                _check_type(path, schema.field(name))
        yield columns, _batches(path, file, columns, wanted.more)


def _batches(
    path: Path, file: pq.ParquetFile, columns: Columns, more: Sequence[str]
) -> Iterator[RowBatch]:
    wanted = (columns.prompt, columns.answer, columns.solution, *more)
    names = list(dict.fromkeys(name for name in wanted if name is not None))
    first = 1
    try:
        for batch in file.iter_batches(_batch_rows(file), columns=names, use_threads=False):
            # Parquet does not promise that its text is UTF-8, Arrow's readers rely on it.
            batch.validate(full=True)
            texts = {name: batch[name].cast(pa.string()) for name in names}
            for name, column in texts.items():
                _check_lengths(path, first, name, column)
            answers = texts[columns.answer] if columns.answer else pa.nulls(len(batch), pa.string())
            told = texts[columns.solution] if columns.solution else None
            others = tuple(texts[name] for name in more)
            yield RowBatch(first, None, texts[columns.prompt], answers, told, others)
            first += batch.num_rows
        if first != file.metadata.num_rows + 1:
            msg = f"{path}: rows={first - 1:,}: expected {file.metadata.num_rows:,} by the footer"
            raise DatasetError(msg)
    except _BROKEN as error:
        raise _unreadable(path, error) from None


def _batch_rows(file: pq.ParquetFile) -> int:
    """Return rows that on average hold no more text than a batch may."""
    groups = (file.metadata.row_group(i) for i in range(file.num_row_groups))
    size = sum(group.total_byte_size for group in groups) // file.metadata.num_rows
    return int(min(_MOST_ROWS, max(1, BATCH_CHARACTERS // max(1, size))))


def _check_type(path: Path, field: pa.Field) -> None:
    kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
    text = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    if not any(fits(kind) for fits in (*text, pa.types.is_integer, pa.types.is_null)):
        msg = f"{path}: column {shown_name(field.name)} is {kind}: expected text or integers"
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
