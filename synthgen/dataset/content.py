"""The content of a dataset as one digest, which does not depend on its files.

The rows of a split are hashed in blocks, so that workers make the hashes of different shards, and
the digest is the same for every size of shards, compression and version of the libraries.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.core.columns import boolean_column, integer_values, null_mask, text_bytes

BLOCK_ROWS = 10_000
"""Rows of a block; the first block begins at the first row of a split."""


def content_digest(schema: pa.Schema, blocks: Mapping[str, Iterable[str]]) -> str:
    """Return the digest of a dataset, 64 hexadecimal digits.

    It is the SHA-256 of names and types of the columns, and names and blocks of the splits, all in
    order, as JSON without white space.

    Args:
        schema: Row schema.
        blocks: Hashes of the blocks of each split.
    """
    columns = [[field.name, str(field.type)] for field in schema]
    content = {"columns": columns, "splits": [[name, *each] for name, each in blocks.items()]}
    return hashlib.sha256(json.dumps(content, separators=(",", ":")).encode()).hexdigest()


class BlockHashes:
    """Running hashes of consecutive rows of a split.

    A block belongs to the shard in which it begins, so the first rows may be those of an earlier
    one, and rows after the last may be needed.

    Args:
        start: Position of the first row in the split.
    """

    def __init__(self, start: int = 0) -> None:
        self._block = _ContentHash()
        self._left = BLOCK_ROWS - start % BLOCK_ROWS
        self._is_first = start % BLOCK_ROWS > 0
        self._hashes: list[str] = []
        self._bytes = 0

    def update(self, table: pa.Table) -> None:
        """Add the next rows."""
        while table.num_rows:
            piece = table.slice(0, self._left)
            self._block.update(piece)
            self._left -= piece.num_rows
            table = table.slice(piece.num_rows)
            if not self._left:
                self._close()

    @property
    def arrow_bytes(self) -> int:
        """Bytes of all rows so far in memory: values and offsets, without bits of nulls."""
        return self._bytes + self._block.arrow_bytes

    def hexdigests(self, beyond: pa.Table | None = None) -> tuple[str, ...]:
        """Return the hashes of all blocks that begin in these rows.

        Args:
            beyond: Rows after these that complete the last block, if there are any.
        """
        if beyond is not None:
            self.update(beyond)
        if self._left < BLOCK_ROWS:
            self._close()
        return tuple(self._hashes)

    def _close(self) -> None:
        if not self._is_first:
            self._hashes.append(self._block.hexdigest())
        self._bytes += self._block.arrow_bytes
        self._block, self._left, self._is_first = _ContentHash(), BLOCK_ROWS, False


class _ContentHash:
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
        """Bytes of all rows so far in memory."""
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
        if pa.types.is_boolean(column.type):
            column = column.cast(pa.uint8())
        if pa.types.is_struct(column.type):
            column = column.field("bytes")
        if pa.types.is_string(column.type) or pa.types.is_binary(column.type):
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
