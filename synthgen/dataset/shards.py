"""Writing one shard: row groups to a temporary file, hashed; the caller flushes and renames it."""

from __future__ import annotations

import errno
import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from synthgen.core.errors import OutputError
from synthgen.dataset.content_hash import ContentHash
from synthgen.dataset.schema import CHOICES, FREE_TEXTS, UNREPEATED, has_few_values

_LEVEL = 1
"""Of zstd, for free texts: a higher one makes files 1 to 3 % smaller and takes up to a tenth of all
the time of writing. Other columns are a few values each, told by numbers of a few bits: to compress
them, too, takes as long to make a file smaller by at most 4 %."""
_ENCODINGS = {"id": "DELTA_LENGTH_BYTE_ARRAY", "address": "DELTA_BINARY_PACKED"}
"""Random digits alone are compressed in half the time that they take with a length before each.
Differences of addresses are smaller than what zstd makes of them, and made in half the time."""
_MOST_DICTIONARY = 1 << 16
"""Bytes of different values in a row group before they are written plainly."""


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
    """Write tables to one file; nothing is flushed, so that a worker need not wait for the disk.

    Args:
        path: where to write; an existing file is replaced.
        schema: plain Arrow types; dictionary columns are stored as their values.
        tables: each of a whole number of row groups, but for the last.
        row_group: rows in a row group.

    Raises:
        OutputError: if the disk is full or cannot be written.
    """
    content = ContentHash()
    rows = 0
    stored = _stored_schema(schema)
    try:
        with pq.ParquetWriter(path, stored, **writer_options(schema)) as writer:
            for table in tables:
                writer.write_table(table.cast(stored), row_group_size=row_group)
                content.update(table)
                rows += table.num_rows
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            size = file.tell()
    except OSError as error:
        raise disk_error(error, path.parent) from error
    return ShardFile(rows, size, digest, content.hexdigest())


def writer_options(schema: pa.Schema) -> dict[str, Any]:
    """Return how the columns of a shard are stored, as keywords for a Parquet writer.

    Pages are cut by size, as cutting them by content takes a sixth longer and serves nobody: rows
    are shuffled, so that no two datasets have the same run of them.
    """
    names = schema.names
    return {
        "compression": {name: "zstd" if name in FREE_TEXTS else "none" for name in names},
        "compression_level": {name: _LEVEL for name in names if name in FREE_TEXTS},
        "use_dictionary": [name for name in names if name not in UNREPEATED],
        "dictionary_pagesize_limit": _MOST_DICTIONARY,
        "column_encoding": {name: kind for name, kind in _ENCODINGS.items() if name in names},
        "write_statistics": [field.name for field in schema if not pa.types.is_string(field.type)],
        "write_page_index": True,
        "store_schema": False,
    }


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


def _stored_schema(schema: pa.Schema) -> pa.Schema:
    """Return the schema as the writer gets it: text from a few values comes as dictionaries."""
    return pa.schema(
        field.with_type(CHOICES) if has_few_values(field) else field for field in schema
    )
