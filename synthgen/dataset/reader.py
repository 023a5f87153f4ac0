"""Open a dataset and stream its rows in constant memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from synthgen.core.errors import ChangedError, DatasetError, UnknownNameError
from synthgen.core.images import IMAGE, marked
from synthgen.dataset.manifest import Manifest, ShardRecord, SplitRecord
from synthgen.dataset.places import Place, open_file, reading
from synthgen.dataset.row_groups import check_count, check_schema

NO_DATA = "no data is stored, so the rows were made and verified from their addresses"
"""Note on checked rows of a dataset that stores only the selection."""


@dataclass(frozen=True)
class Dataset:
    """The place of a dataset's shards, and its manifest.

    `open_dataset` checks that all shards exist. An instance created directly checks nothing before
    it is read.
    """

    place: Place
    manifest: Manifest

    @property
    def folder(self) -> Path:
        """Its folder, if it is not at a URL."""
        return Path(self.place.root)

    @property
    def splits(self) -> tuple[str, ...]:
        """Names of the splits, in recipe order."""
        return tuple(split.name for split in self.manifest.splits)

    @cached_property
    def schema(self) -> pa.Schema:
        """Row schema of every shard."""
        return self.manifest.schema

    def rows(self, split: str) -> int:
        """Number of rows of a split according to the manifest."""
        return self._record(split).rows

    def shard_paths(self, split: str) -> list[Path]:
        """Files of a split that is not at a URL, in row order."""
        return [self.folder / shard.file for shard in self._record(split).shards]

    def batches(
        self, split: str, columns: Sequence[str] | None = None, batch_rows: int = 65536
    ) -> Iterator[pa.RecordBatch]:
        """Stream the rows of a split in order; memory is one row group, regardless of size.

        Args:
            split: Name of the split.
            columns: Names in the desired order, or None for all.
            batch_rows: Largest number of rows in one batch.

        Raises:
            UnknownNameError: for a split or column that the dataset does not have.
            DatasetError: if a shard is not Parquet with the promised schema and number of rows.
        """
        names = self.schema.names if columns is None else list(columns)
        for name in names:
            if name not in self.schema.names:
                raise UnknownNameError(kind="column", name=name, known=self.schema.names)
        return self._stream(self._record(split).shards, names, batch_rows)

    def digest(self) -> str:
        """Return the digest of all rows, read again; see `dataset.content`.

        Raises:
            DatasetError: as `batches`.
        """
        from synthgen.dataset.content import BlockHashes, content_digest  # loads kernels

        blocks = {}
        for split in self.splits:
            hashes = BlockHashes()
            for batch in self.batches(split):
                hashes.update(pa.Table.from_batches([batch]))
            blocks[split] = hashes.hexdigests()
        return content_digest(self.schema, blocks)

    def _record(self, split: str) -> SplitRecord:
        for record in self.manifest.splits:
            if record.name == split:
                return record
        raise UnknownNameError(kind="split", name=split, known=self.splits)

    def _stream(
        self, shards: Sequence[ShardRecord], names: list[str], batch_rows: int
    ) -> Iterator[pa.RecordBatch]:
        for shard in shards:
            path = self.place.path(shard.file)
            check_count(path, "rows", shard_rows(path, self.schema), shard.rows)
            yield from stream_shard(path, names, batch_rows)


def open_dataset(folder: str | Path, *, without_data: bool = False) -> Dataset:
    """Open a finished dataset.

    Args:
        folder: Folder of the dataset, or a URL that fsspec understands.
        without_data: Whether the dataset may store only the selection.

    Raises:
        DatasetError: if the folder has no valid manifest, or no data.
        ChangedError: if the manifest was edited, or a shard is missing or of the wrong size.
            Contents are not read; the audit checks them.
    """
    place = Place.from_path(folder)
    manifest = place.manifest()
    if not (manifest.has_data or without_data):
        msg = f"{place.root} holds a selection without data: build its recipe into this folder "
        msg += "without --select-only, or read its rows with synthgen.open"
        raise DatasetError(msg)
    shards = [shard for split in manifest.splits for shard in split.shards]
    stored = place.stored(shard.file for shard in shards)
    for shard in shards:
        path = place.path(shard.file)
        if shard.file not in stored:
            msg = f"{path}: the manifest lists this shard, but it is missing"
            raise ChangedError(msg)
        check_count(path, "bytes", stored[shard.file].size, shard.bytes)
    return Dataset(place, manifest)


def shard_rows(path: str | Path, schema: pa.Schema) -> int:
    """Return the number of rows in one shard's footer.

    Raises:
        DatasetError: if it is not Parquet, or not of this schema; the message names the column.
    """
    with reading(path), open_file(path) as source, pq.ParquetFile(source) as file:
        file_schema = file.schema_arrow
        rows = int(file.metadata.num_rows)
    check_schema(path, file_schema, schema)
    return rows


def footer_faults(path: str | Path) -> list[str]:
    """Return what the footer of a shard says that is false, or that no build writes.

    Readers rely on the order of rows, skip row groups by their extremes, and take columns for what
    metadata says.

    Raises:
        DatasetError: if the file is corrupt.
    """
    faults, false = [], set()
    with reading(path), open_file(path) as source, pq.ParquetFile(source) as file:
        groups = [file.metadata.row_group(place) for place in range(file.num_row_groups)]
        if metadata := file.schema_arrow.metadata:
            names = sorted(key.decode(errors="replace") for key in metadata)
            faults.append(f"metadata {', '.join(names)}")
        if any(group.sorting_columns for group in groups):
            faults.append("an order of the rows")
        for place, group in enumerate(groups):
            columns = [group.column(i) for i in range(group.num_columns)]
            given = {c.path_in_schema: c.statistics for c in columns if c.statistics is not None}
            rows = file.read_row_group(place, [*given], use_threads=False)
            false |= {name for name, each in given.items() if not _holds(each, rows[name])}
    return faults + [f"statistics of {name}" for name in sorted(false)]


def _holds(given: pq.Statistics, column: pa.ChunkedArray) -> bool:
    """Return whether statistics are those of a column."""
    extremes = pc.min_max(column).as_py()
    return bool(
        (not given.has_null_count or given.null_count == column.null_count)
        and (not given.has_min_max or {"min": given.min, "max": given.max} == extremes)
    )


def stream_shard(
    path: str | Path, columns: Sequence[str], batch_rows: int = 65536
) -> Iterator[pa.RecordBatch]:
    """Stream some columns of one shard, checked to be valid Arrow data.

    Raises:
        DatasetError: if the file is corrupt.
    """
    with reading(path), open_file(path) as source, pq.ParquetFile(source) as file:
        for batch in file.iter_batches(batch_rows, columns=list(columns), use_threads=False):
            # Parquet does not guarantee that its text is UTF-8, but Arrow's readers need it.
            batch.validate(full=True)
            yield batch.select(columns)


def stream_texts(path: str | Path, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """Stream some columns of one shard; prompts name their pictures, if there are any.

    Raises:
        DatasetError: if the file is corrupt.
    """
    names = list(columns)
    if "prompt" in names and _has_pictures(path):
        yield from map(marked, stream_shard(path, [*names, IMAGE]))
    else:
        yield from stream_shard(path, names)


def _has_pictures(path: str | Path) -> bool:
    with reading(path), open_file(path) as source, pq.ParquetFile(source) as file:
        return IMAGE in file.schema_arrow.names
