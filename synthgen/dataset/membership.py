"""The recorded membership of a split: source and address of every row, in row order."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from synthgen.core.columns import integer_column, integer_values
from synthgen.core.errors import DatasetError
from synthgen.core.files import check_regular
from synthgen.dataset.shards import disk_error

_SCHEMA = pa.schema([pa.field("source", pa.uint16()), pa.field("address", pa.uint64())])


@dataclass(frozen=True)
class Membership:
    """Rows of one split in order.

    Attributes:
        sources: Index of each row's source in the recipe, uint16 (n,).
        addresses: Address of each row, uint64 (n,).
    """

    sources: NDArray[np.uint16]
    addresses: NDArray[np.uint64]

    def __len__(self) -> int:
        return len(self.addresses)

    def take(self, rows: slice | NDArray[np.int64]) -> Membership:
        """Return some of the rows."""
        return Membership(self.sources[rows], self.addresses[rows])


def write_membership(path: Path, members: Membership) -> None:
    """Write the membership of a split without flushing it.

    Raises:
        OutputError: if the disk is full or cannot be written.
    """
    columns = [integer_column(members.sources), integer_column(members.addresses)]
    try:
        pq.write_table(
            pa.table(columns, schema=_SCHEMA),
            path,
            compression="zstd",
            compression_level=1,
            use_dictionary=["source"],
            column_encoding={"address": "BYTE_STREAM_SPLIT"},
            store_schema=False,
        )
    except OSError as error:
        raise disk_error(error, path.parent) from error


def read_membership(path: Path | str, content: bytes | None = None) -> Membership:
    """Read the membership of a split.

    Args:
        path: Path of the file; with its content, also a URL.
        content: Content of the file, if it was read before.

    Raises:
        DatasetError: if the file is not a membership record.
    """
    try:
        if content is None:
            check_regular(Path(path))
        with pq.ParquetFile(path if content is None else pa.BufferReader(content)) as file:
            table = file.read().cast(_SCHEMA).combine_chunks()
    except (OSError, ValueError, pa.ArrowException) as error:
        msg = f"{path}: not a membership record: {error}"
        raise DatasetError(msg) from None
    parts = [[integer_values(chunk) for chunk in column.chunks] for column in table.columns]
    sources, addresses = (np.concatenate(part) if part else np.zeros(0) for part in parts)
    return Membership(sources.astype(np.uint16), addresses.astype(np.uint64))
