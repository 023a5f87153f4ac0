"""Whole builds of every family: rows a second, and the ratio to pyarrow writing the same rows."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.builds import build
from benchmarks.measure import timed
from synthgen.dataset.reader import open_dataset
from synthgen.dataset.shards import writer_options

RECIPES = ("scan", "scan-large", "pcfg-large", "cogs-large")


def measure_families(rows: int | None, repeats: int) -> list[dict[str, Any]]:
    """Build each recipe once without counting it, then several times.

    Args:
        rows: of every dataset; the recipe's own where None.
        repeats: builds that are counted, each into a new folder.
    """
    return [_measure(name, rows, repeats) for name in RECIPES]


def _measure(name: str, rows: int | None, repeats: int) -> dict[str, Any]:
    options = [] if rows is None else ["--rows", str(rows)]
    recipe = Path(__file__).parents[1] / "recipes" / f"{name}.toml"
    with TemporaryDirectory() as scratch:
        folder = Path(scratch) / "dataset"
        build(recipe, folder, options)
        table = _all_rows(folder)
        file = Path(scratch) / "limit.parquet"
        settings = writer_options(table.schema)
        limit = median(timed(lambda: pq.write_table(table, file, **settings), repeats))
        builds = [build(recipe, folder, options) for _ in range(repeats)]
    whole = median(one.run.seconds for one in builds)
    phases = median(sum(one.report["seconds"].values()) for one in builds)
    selection = builds[0].report["manifest"]["selection"]
    return {
        "recipe": name,
        "rows": table.num_rows,
        "candidates": selection["candidates"],
        "duplicates": selection["duplicates"],
        "whole_seconds": whole,
        "phase_seconds": phases,
        "rows_per_second": table.num_rows / whole,
        "phase_rows_per_second": table.num_rows / phases,
        "limit_rows_per_second": table.num_rows / limit,
        "ratio_to_write_limit": limit / phases,
    }


def _all_rows(folder: Path) -> pa.Table:
    """Return the rows of all splits as one table."""
    dataset = open_dataset(folder)
    batches = [batch for split in dataset.splits for batch in dataset.batches(split)]
    return pa.Table.from_batches(batches).combine_chunks()
