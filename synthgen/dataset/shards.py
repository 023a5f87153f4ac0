"""Writing one shard: row groups to a temporary file, hashed and flushed; the caller renames it.

The content hash covers the rows and not how Parquet stores them, so it is the same for every
version of the writer. It chains the row groups, each as its columns' null masks, lengths and bytes.
"""

from __future__ import annotations

import errno
import hashlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from synthgen.core.columns import text_bytes
from synthgen.core.errors import OutputError
from synthgen.dataset.schema import BASE_COLUMNS, FEW_VALUES, REPETITIVE

_LEVEL = 3
_LEVELS = {"id": 1, "prompt": 1}
"""Random digits and short prompts get no smaller at a higher level, only slower to write."""
_READ_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class ShardFile:
    """What is known of a written file: its rows and bytes, and the hashes of file and content."""

    rows: int
    bytes: int
    sha256: str
    content: str


def write_shard(
    path: Path, schema: pa.Schema, tables: Iterable[pa.Table], row_group: int
) -> ShardFile:
    """Write tables to one file and flush it to disk.

    Args:
        path: where to write; an existing file is replaced.
        schema: plain Arrow types; dictionary columns are stored as their values.
        tables: each of a whole number of row groups, but for the last.
        row_group: rows in a row group.

    Raises:
        OutputError: if the disk is full or cannot be written.
    """
    content = hashlib.sha256()
    rows = 0
    stored = _stored_schema(schema)
    try:
        with pq.ParquetWriter(
            path,
            stored,
            compression="zstd",
            compression_level={name: _LEVELS.get(name, _LEVEL) for name in schema.names},
            use_dictionary=[name for name in schema.names if _repeats(schema.field(name))],
            write_page_index=True,
            use_content_defined_chunking=True,
            store_schema=False,
        ) as writer:
            for table in tables:
                writer.write_table(table.cast(stored), row_group_size=row_group)
                _hash_groups(content, table, row_group)
                rows += table.num_rows
        with path.open("rb") as file:
            os.fsync(file.fileno())
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            size = file.tell()
    except OSError as error:
        raise disk_error(error, path.parent) from error
    return ShardFile(rows, size, digest, content.hexdigest())


def content_hash(batches: Iterable[pa.Table], row_group: int) -> str:
    """Return the content hash of tables, each of whole row groups but for the last."""
    content = hashlib.sha256()
    for table in batches:
        _hash_groups(content, table, row_group)
    return content.hexdigest()


def read_row_groups(path: Path) -> Iterator[pa.Table]:
    """Yield the row groups of a file, one at a time."""
    with pq.ParquetFile(path) as file:
        for group in range(file.num_row_groups):
            yield file.read_row_group(group)


def disk_error(error: OSError, folder: Path) -> OutputError:
    """Return a message that says what a user can do about a failed write."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        msg = f"no space left for {folder}; free some, and the same command goes on from here"
    else:
        msg = f"cannot write to {folder}: {error.strerror or error}"
    return OutputError(msg)


def _repeats(field: pa.Field) -> bool:
    """Say whether a dictionary makes the column smaller: ids, addresses and texts hardly repeat."""
    return field.name in REPETITIVE or field.name not in BASE_COLUMNS


def _stored_schema(schema: pa.Schema) -> pa.Schema:
    """Return the schema as the writer gets it: text from a few values comes as dictionaries."""
    encoded = pa.dictionary(pa.int32(), pa.string())
    return pa.schema(
        field.with_type(encoded) if field.name in FEW_VALUES else field for field in schema
    )


def _hash_groups(content: hashlib._Hash, table: pa.Table, row_group: int) -> None:
    for start in range(0, table.num_rows, row_group):
        group = table.slice(start, row_group)
        content.update(np.int64(group.num_rows).tobytes())
        for column in group.columns:
            content.update(_column_digest(column.combine_chunks()))


def _column_digest(column: pa.Array) -> bytes:
    """Return a hash of the values of one column, whatever its encoding in memory."""
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    digest = hashlib.sha256()
    is_text = pa.types.is_string(column.type)
    if column.null_count:
        digest.update(np.ascontiguousarray(column.is_null().to_numpy(zero_copy_only=False)).data)
        column = column.fill_null("" if is_text else 0)
    if is_text:
        data, offsets = text_bytes(column)
        digest.update(np.diff(offsets).astype("<i4").data)
        digest.update(data[offsets[0] : offsets[-1]].data)
    else:
        digest.update(np.ascontiguousarray(column.to_numpy(zero_copy_only=False)).data)
    return digest.digest()
