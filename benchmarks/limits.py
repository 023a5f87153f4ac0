"""The limit: pyarrow alone writing the finished table to one file, without hashes or flushing."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.measure import Measurement, timed
from synthgen.dataset.reader import open_dataset
from synthgen.dataset.shards import writer_options

LIMIT = "pyarrow, options of the shards"


def measure_limits(folder: Path, repeats: int) -> list[Measurement]:
    """Time writing the rows of a dataset of one split with pyarrow alone.

    Args:
        folder: of the dataset.
        repeats: runs that are counted.
    """
    table = read_table(folder)
    manifest = open_dataset(folder).manifest
    output = manifest.recipe["output"]
    ours = {**writer_options(table.schema), "row_group_size": int(output["row_group"])}
    return [
        _measure(LIMIT, table, ours, repeats),
        _measure("pyarrow, its defaults", table, {}, repeats),
    ]


def read_table(folder: Path) -> pa.Table:
    """Return all rows of a dataset of one split as one contiguous table."""
    dataset = open_dataset(folder)
    (split,) = dataset.splits
    return pa.Table.from_batches(dataset.batches(split)).combine_chunks()


def _measure(name: str, table: pa.Table, options: dict[str, Any], repeats: int) -> Measurement:
    with TemporaryDirectory() as scratch:
        path = Path(scratch) / "table.parquet"
        runs = timed(lambda: pq.write_table(table, path, **options), repeats)
        size = path.stat().st_size
    return Measurement(name, table.num_rows, runs, facts={"file_bytes": size})
