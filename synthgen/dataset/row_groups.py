"""The row groups of a split, in a local folder or behind an fsspec URL, decoded one by one.

Nothing is open between two calls, and what is cached is valid in a forked process, so threads and
forked or spawned workers may share the objects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property, lru_cache
from hashlib import file_digest
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from synthgen.core.errors import ChangedError, DatasetError
from synthgen.dataset.places import Place, at_once, reading
from synthgen.dataset.records import ShardRecord
from synthgen.dataset.row_schema import has_few_values, stored_schema

_FOOTERS = 256
"""Footers kept, some 10 kB each."""
_GROWTH = 2
"""Bytes that one encoded byte takes when decoded, about."""


class Groups(Protocol):
    """The rows of one split in groups, each of which is read at once."""

    schema: pa.Schema
    """Schema of the rows."""

    @property
    def rows(self) -> int:
        """Number of rows."""

    @property
    def starts(self) -> NDArray[np.int64]:
        """Row number at which each group starts, and that after the last, int64 (groups + 1,)."""

    def stored(self, columns: Sequence[str]) -> pa.Schema:
        """Return the schema of the tables: texts with few values are dictionaries."""

    def read(self, group: int, columns: tuple[str, ...]) -> pa.Table:
        """Return columns of a group, from a cache if possible."""

    def decode(self, group: int, columns: tuple[str, ...]) -> pa.Table:
        """Return columns of a group without keeping them."""

    def take(self, rows: NDArray[np.int64], columns: tuple[str, ...]) -> pa.Table:
        """Return columns of rows by their numbers, which rise."""


class RowGroups:
    """The row groups of the shards of one split, in order.

    Args:
        place: Folder of the dataset.
        shards: Shards of the split, by the manifest.
        schema: Schema of the rows.
        memory: Bytes of decoded row groups to keep, at least two groups.
    """

    def __init__(
        self, place: Place, shards: Sequence[ShardRecord], schema: pa.Schema, memory: int
    ) -> None:
        self.place, self._shards, self.schema = place, tuple(shards), schema
        self._choices = [each.name for each in schema if has_few_values(each)]
        self._footer = lru_cache(_FOOTERS)(self._read_footer)
        self._tags: dict[int, str | None] = {}
        self.memory = memory

    def __reduce__(self) -> tuple[Any, ...]:
        return RowGroups, (self.place, self._shards, self.schema, self.memory)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return sum(shard.rows for shard in self._shards)

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Row number at which each group starts, and that after the last, int64 (groups + 1,)."""
        return np.cumsum([0, *(rows for _, _, rows in self._layout)])

    @cached_property
    def _layout(self) -> list[tuple[int, int, int]]:
        """Shard, number in it and rows of every group."""
        footers = at_once(self._footer, range(len(self._shards)))
        return [
            (shard, group, footer.row_group(group).num_rows)
            for shard, footer in enumerate(footers)
            for group in range(footer.num_row_groups)
        ]

    def stored(self, columns: Sequence[str]) -> pa.Schema:
        """Return the schema of the tables: texts with few values are dictionaries."""
        return stored_schema(self.schema, columns)

    def read(self, group: int, columns: tuple[str, ...]) -> pa.Table:
        """Return columns of a row group, from the cache if possible; see `decode`."""
        return self._cached(group, columns)

    @cached_property
    def _cached(self) -> Callable[[int, tuple[str, ...]], pa.Table]:
        """`decode` with a cache of as many groups as fit into memory; it needs no lock."""
        first = self._footer(0)
        sizes = [first.row_group(i).total_byte_size for i in range(first.num_row_groups)]
        largest = max(sizes, default=0) * _GROWTH
        return lru_cache(max(2, self.memory // max(1, largest)))(self.decode)

    def take(self, rows: NDArray[np.int64], columns: tuple[str, ...]) -> pa.Table:
        """Return columns of rows by their numbers, which rise; each group is read once."""
        used, first = np.unique(np.searchsorted(self.starts, rows, "right") - 1, return_index=True)
        parts = [self.stored(columns).empty_table()]
        for group, numbers in zip(used.tolist(), np.split(rows, first[1:]), strict=False):
            within = pa.array(numbers - self.starts[group])
            parts.append(self.read(group, columns).take(within))
        return pa.concat_tables(parts)

    def decode(self, group: int, columns: tuple[str, ...]) -> pa.Table:
        """Decode columns of a row group, checked to be valid Arrow data.

        Raises:
            DatasetError: if the file cannot be read, or is corrupt.
            ChangedError: if it has changed since it was first opened.
        """
        shard, number, rows = self._layout[group]
        footer = self._footer(shard)
        with self._opened(shard) as source:
            file = pq.ParquetFile(
                source,
                metadata=footer,
                read_dictionary=self._choices,
                pre_buffer=not self.place.is_local,
            )
            table = file.read_row_group(number, columns=list(columns)).select(columns)
            # Parquet does not guarantee that its text is UTF-8, but Arrow's readers rely on it.
            table.validate(full=True)
            if table.num_rows != rows:
                msg = f"{table.num_rows} rows in row group {number}, expected {rows}"
                raise ValueError(msg)
            return table.cast(self.stored(columns))

    def check(self, *, footers: bool = True, hashes: bool = False) -> None:
        """Compare footers, or the whole content, of every shard with the manifest.

        Raises:
            DatasetError: if a file cannot be read.
            ChangedError: if one is not as it was built.
        """

        def check(shard: int) -> None:
            if footers:
                self._footer(shard)
            if hashes:
                with self._opened(shard) as source:
                    self._check_hash(shard, source)

        at_once(check, range(len(self._shards)))

    def _read_footer(self, shard: int) -> pq.FileMetaData:
        record = self._shards[shard]
        path = self.place.path(record.file)
        with self._opened(shard) as source:
            file = pq.ParquetFile(source)
            footer, file_schema = file.metadata, file.schema_arrow
        check_schema(path, file_schema, self.schema)
        check_count(path, "rows", footer.num_rows, record.rows)
        return footer

    @contextmanager
    def _opened(self, shard: int) -> Iterator[pa.NativeFile]:
        """Open a shard, and compare it with the manifest again if it was touched meanwhile."""
        record = self._shards[shard]
        path = self.place.path(record.file)
        with reading(path):
            source, tag = self.place.open_tagged(record.file)
            with source:
                check_count(path, "bytes", source.size(), record.bytes)
                if tag != self._tags.setdefault(shard, tag):
                    self._check_hash(shard, source)
                    self._tags[shard] = tag
                yield source

    def _check_hash(self, shard: int, source: pa.NativeFile) -> None:
        record = self._shards[shard]
        digest = file_digest(source, "sha256").hexdigest()
        source.seek(0)
        if digest != record.sha256:
            msg = f"{self.place.path(record.file)}: sha256={digest}: "
            msg += f"expected {record.sha256} by the manifest"
            raise ChangedError(msg)


def check_count(path: str | Path, name: str, count: int, wanted: int) -> None:
    """Raise ChangedError if a file has another number of rows or bytes than the manifest says."""
    if count != wanted:
        msg = f"{path}: {name}={count}: expected {wanted} by the manifest"
        raise ChangedError(msg)


def check_schema(path: str | Path, stored: pa.Schema, wanted: pa.Schema) -> None:
    """Raise DatasetError, which names the column, if a file's schema is not the manifest's."""
    if stored.names != wanted.names:
        odd = sorted(set(stored.names) ^ set(wanted.names)) or "in another order"
        msg = f"{path}: columns {odd}: different from the manifest"
        raise DatasetError(msg)
    for have, want in zip(stored, wanted, strict=True):
        if have.type != want.type:
            msg = f"{path}: column {have.name!r} is {have.type}, expected {want.type}"
            raise DatasetError(msg)
