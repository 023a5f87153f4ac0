"""Write one shard as hashed row groups to a temporary file; the caller flushes and renames it."""

from __future__ import annotations

import errno
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from synthgen.core.columns import boolean_column, integer_values, null_mask, text_bytes
from synthgen.core.errors import OutputError
from synthgen.dataset.row_schema import FREE_TEXTS, UNREPEATED, stored_schema
from synthgen.dataset.seal import file_sha256


class ContentHash:
    """Running hash of rows added as tables of one schema."""

    def __init__(self) -> None:
        self._columns: dict[str, _ColumnHash] = {}

    def update(self, table: pa.Table) -> None:
        """Add the next rows."""
        for name, column in zip(table.column_names, table.columns, strict=True):
            hashes = self._columns.setdefault(name, _ColumnHash())
            for chunk in column.chunks:
                hashes.update(chunk)

    @property
    def arrow_bytes(self) -> int:
        """Bytes of all rows so far in memory: values and offsets, without bits of nulls."""
        return sum(hashes.arrow_bytes for hashes in self._columns.values())

    def hexdigest(self) -> str:
        """Return the hash of all rows so far."""
        total = hashlib.sha256()
        for name, hashes in self._columns.items():
            total.update(f"{name}\x1f{hashes.hexdigest()}\x1e".encode())
        return total.hexdigest()


_OFFSET = 4
"""Bytes of the offset of a text."""


class _ColumnHash:
    def __init__(self) -> None:
        self._nulls, self._lengths, self._values = (hashlib.sha256() for _ in range(3))
        self._rows = self.arrow_bytes = 0

    def update(self, column: pa.Array) -> None:
        rows = len(column)
        if pa.types.is_dictionary(column.type):
            column = column.dictionary_decode()
        if column.null_count:
            present = ~null_mask(column)
            self._nulls.update(_bytes(np.flatnonzero(~present) + self._rows))
            column = column.filter(boolean_column(present))
        if pa.types.is_string(column.type):
            data, offsets = text_bytes(column)
            self._lengths.update(_bytes(np.diff(offsets)))
            self._values.update(data[offsets[0] : offsets[-1]].data)
            self.arrow_bytes += int(offsets[-1] - offsets[0]) + rows * _OFFSET
        else:
            self._values.update(_bytes(integer_values(column)))
            self.arrow_bytes += rows * column.type.bit_width // 8
        self._rows += rows

    def hexdigest(self) -> str:
        digests = (part.hexdigest() for part in (self._nulls, self._lengths, self._values))
        return f"{self._rows} {' '.join(digests)}"


def _bytes(values: NDArray[np.generic]) -> memoryview:
    return np.ascontiguousarray(values).data


_FULL = (errno.ENOSPC, errno.EDQUOT)
_LEVEL = 1
"""zstd level for free texts: a higher level makes files 1 to 3 % smaller and takes up to a tenth of
the writing time. Other columns have few values, stored as numbers of a few bits: compressing them
takes as long and makes a file at most 4 % smaller."""
_ENCODINGS = {"id": "DELTA_LENGTH_BYTE_ARRAY", "address": "DELTA_BINARY_PACKED"}
"""Random digits are compressed in half the time if their lengths are stored separately. Delta-coded
addresses are smaller than with zstd, and written in half the time."""
_MAX_DICTIONARY = 1 << 16
"""Bytes of distinct values in a row group above which they are written without a dictionary."""


@dataclass(frozen=True, slots=True)
class ShardFile:
    """Record of a written file: its rows and bytes, and the hashes of file and content.

    `arrow_bytes` is the size of the rows in memory, as plain Arrow columns without nulls' bits.
    """

    rows: int
    bytes: int
    arrow_bytes: int
    sha256: str
    content: str


def write_shard(
    path: Path, schema: pa.Schema, tables: Iterable[pa.Table], row_group: int
) -> ShardFile:
    """Write tables to one file without flushing, so that workers need not wait for the disk.

    Args:
        path: Output path; an existing file is replaced.
        schema: Plain Arrow types; dictionary columns are stored as their values.
        tables: Tables with a whole number of row groups each, except the last.
        row_group: Rows in a row group.

    Raises:
        OutputError: if the disk is full or cannot be written.
    """
    content = ContentHash()
    rows = 0
    stored = stored_schema(schema, schema.names)
    try:
        with pq.ParquetWriter(path, stored, **writer_options(schema)) as writer:
            for table in tables:
                writer.write_table(table.cast(stored), row_group_size=row_group)
                content.update(table)
                rows += table.num_rows
        digest, size = file_sha256(path), path.stat().st_size
    except OSError as error:
        raise disk_error(error, path.parent) from error
    return ShardFile(rows, size, content.arrow_bytes, digest, content.hexdigest())


def writer_options(schema: pa.Schema) -> dict[str, Any]:
    """Return the storage options of a shard's columns, as keywords for a Parquet writer.

    Pages are cut by size. Content-defined chunking takes a sixth longer without any benefit: rows
    are shuffled, so no two datasets share a run of them.
    """
    names = schema.names
    return {
        "compression": {name: "zstd" if name in FREE_TEXTS else "none" for name in names},
        "compression_level": {name: _LEVEL for name in names if name in FREE_TEXTS},
        "use_dictionary": [name for name in names if name not in UNREPEATED],
        "dictionary_pagesize_limit": _MAX_DICTIONARY,
        "column_encoding": {name: kind for name, kind in _ENCODINGS.items() if name in names},
        "write_statistics": [field.name for field in schema if not pa.types.is_string(field.type)],
        "write_page_index": True,
        "store_schema": False,
    }


def write_batches(path: Path, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> int:
    """Write batches of any plain types to one file, a row group each, and return their rows.

    Raises:
        OSError: if the file cannot be written.
    """
    rows = 0
    options = {"compression": "zstd", "write_page_index": True, "store_schema": False}
    with pq.ParquetWriter(path, schema, **options) as writer:
        for batch in batches:
            writer.write_batch(batch)
            rows += batch.num_rows
    return rows


def disk_error(error: OSError, folder: Path) -> OutputError:
    """Return the error of a failed write, with advice for the user."""
    if error.errno in _FULL:
        msg = f"no space left for {folder}; free some and run the same command to resume"
    else:
        msg = f"cannot write to {folder}: {error.strerror or error}"
    return OutputError(msg)


def is_full(error: OutputError) -> bool:
    """Return whether a write failed for want of space."""
    return isinstance(error.__cause__, OSError) and error.__cause__.errno in _FULL
