"""Write one shard as hashed row groups to a temporary file; the caller flushes and renames it."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from synthgen.core.errors import OutputError
from synthgen.core.images import IMAGE
from synthgen.dataset.content import BlockHashes
from synthgen.dataset.row_schema import FREE_TEXTS, UNREPEATED, stored_schema
from synthgen.dataset.seal import file_sha256

_FULL = (errno.ENOSPC, errno.EDQUOT)
_LEVEL = 1
"""zstd level for free texts: a higher level makes files 1 to 3 % smaller and takes up to a tenth of
the writing time. Other columns have few values, stored as numbers of a few bits: compressing them
takes as long and makes a file at most 4 % smaller."""
_ENCODINGS = {"id": "DELTA_LENGTH_BYTE_ARRAY", "address": "DELTA_BINARY_PACKED"}
"""Random digits are compressed in half the time if their lengths are stored separately. Delta-coded
addresses are smaller than with zstd, and written in half the time."""
_FILES = {IMAGE: [f"{IMAGE}.bytes", f"{IMAGE}.path"]}
"""Columns of the file that store PNG files."""
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
    content: tuple[str, ...]


def write_shard(
    path: Path,
    schema: pa.Schema,
    tables: Iterable[pa.Table],
    row_group: int,
    start: int = 0,
    beyond: Callable[[], pa.Table | None] = lambda: None,
) -> ShardFile:
    """Write tables to one file without flushing, so that workers need not wait for the disk.

    Args:
        path: Output path; an existing file is replaced.
        schema: Plain Arrow types; dictionary columns are stored as their values.
        tables: Tables with a whole number of row groups each, except the last.
        row_group: Rows in a row group.
        start: Position of the first row in its split.
        beyond: Function that makes the rows after these that belong to the last block, if any.

    Raises:
        OutputError: if the disk is full or cannot be written.
    """
    content = BlockHashes(start)
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
    return ShardFile(rows, size, content.arrow_bytes, digest, content.hexdigests(beyond()))


def writer_options(schema: pa.Schema) -> dict[str, Any]:
    """Return the storage options of a shard's columns, as keywords for a Parquet writer.

    Pages are cut by size. Content-defined chunking takes a sixth longer without any benefit: rows
    are shuffled, so no two datasets share a run of them.
    """
    names = schema.names
    texts = {name for name in names if name in FREE_TEXTS}
    if IMAGE in names and pa.types.is_struct(schema.field(IMAGE).type):
        names = [part for name in names for part in _FILES.get(name, [name])]
        texts |= {*_FILES[IMAGE]}
    return {
        "compression": {name: "zstd" if name in texts else "none" for name in names},
        "compression_level": {name: _LEVEL for name in names if name in texts},
        "use_dictionary": [name for name in names if name.partition(".")[0] not in UNREPEATED],
        "dictionary_pagesize_limit": _MAX_DICTIONARY,
        "column_encoding": {name: kind for name, kind in _ENCODINGS.items() if name in names},
        "write_statistics": [field.name for field in schema if pa.types.is_integer(field.type)],
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
