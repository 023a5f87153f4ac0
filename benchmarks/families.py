"""Whole builds of every family: rows a second, and the ratio to pyarrow writing the same rows."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.builds import build
from benchmarks.measure import timed
from synthgen.dataset.reader import open_dataset
from synthgen.dataset.shards import writer_options

_OURS, _BUNDLED = Path(__file__).parent, Path(__file__).parents[1] / "recipes"


class Case(NamedTuple):
    """A build to measure.

    Attributes:
        recipe: path.
        rows: of the dataset; the recipe's own where None.
        sets: changes to the recipe.
    """

    recipe: Path
    rows: int | None = None
    sets: tuple[str, ...] = ()


CASES = {
    "scan": Case(_BUNDLED / "scan.toml"),
    "scan-large": Case(_BUNDLED / "scan-large.toml"),
    "pcfg-large": Case(_BUNDLED / "pcfg-large.toml"),
    "cogs-large": Case(_BUNDLED / "cogs-large.toml"),
    "rewrite-diversity": Case(_BUNDLED / "rewrite-diversity.toml"),
    "programs": Case(_OURS / "programs.toml"),
    "skill-chain": Case(_BUNDLED / "skill-chain.toml", 1_000_000),
    "prompts": Case(_OURS / "prompts.toml"),
    "constraints": Case(_BUNDLED / "constraints.toml"),
}


def measure_families(rows: int | None, repeats: int) -> list[dict[str, Any]]:
    """Build each case once without counting it, then several times.

    Args:
        rows: of every dataset; the case's own where None.
        repeats: builds that are counted, each into a new folder.
    """
    return [_measure(name, case, rows or case.rows, repeats) for name, case in CASES.items()]


def _measure(name: str, case: Case, rows: int | None, repeats: int) -> dict[str, Any]:
    options = [part for change in case.sets for part in ("--set", change)]
    options += [] if rows is None else ["--rows", str(rows)]
    with TemporaryDirectory() as scratch:
        folder = Path(scratch) / "dataset"
        build(case.recipe, folder, options)
        table = _all_rows(folder)
        file = Path(scratch) / "limit.parquet"
        settings = writer_options(table.schema)
        limit = median(timed(lambda: pq.write_table(table, file, **settings), repeats))
        builds = [build(case.recipe, folder, options) for _ in range(repeats)]
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
