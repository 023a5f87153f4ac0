"""The hash of a shard's rows, which does not depend on how Parquet stores them.

Each column has running hashes of its null mask, the lengths of its texts and its bytes, so that it
does not matter how the rows are cut into tables, nor which version of the writer wrote them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.core.columns import boolean_column, integer_values, null_mask, text_bytes


class ContentHash:
    """Running hash of rows that come as tables of one schema."""

    def __init__(self) -> None:
        self._columns: dict[str, _ColumnHash] = {}

    def update(self, table: pa.Table) -> None:
        """Add the next rows."""
        for name, column in zip(table.column_names, table.columns, strict=True):
            hashes = self._columns.setdefault(name, _ColumnHash())
            for chunk in column.chunks:
                hashes.update(chunk)

    def hexdigest(self) -> str:
        """Return the hash of all rows so far."""
        total = hashlib.sha256()
        for name, hashes in self._columns.items():
            total.update(f"{name}\x1f{hashes.hexdigest()}\x1e".encode())
        return total.hexdigest()


def content_hash(tables: Iterable[pa.Table]) -> str:
    """Return the content hash of rows, however they are cut into tables."""
    content = ContentHash()
    for table in tables:
        content.update(table)
    return content.hexdigest()


class _ColumnHash:
    def __init__(self) -> None:
        self._nulls, self._lengths, self._values = (hashlib.sha256() for _ in range(3))
        self._rows = 0

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
        else:
            self._values.update(_bytes(integer_values(column)))
        self._rows += rows

    def hexdigest(self) -> str:
        digests = (part.hexdigest() for part in (self._nulls, self._lengths, self._values))
        return f"{self._rows} {' '.join(digests)}"


def _bytes(values: NDArray[np.generic]) -> memoryview:
    return np.ascontiguousarray(values).data
