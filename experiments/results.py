"""The runs, and the tables of their results and of what the audit says of their datasets."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from experiments.training import Model

HERE = Path(__file__).parent
RESULTS, FIGURES = HERE / "results.parquet", HERE / "figures.parquet"


@dataclass(frozen=True)
class Run:
    """A dataset, and the models that are trained on it.

    Attributes:
        name: Name of the run.
        recipe: Recipe; by default it has the name of the run.
        sets: Overrides of the recipe.
        rows: Rows of the largest split, or None for those of the recipe.
        model: Model.
        steps: Steps.
        seeds: Number of models; the data are the same.
        by: Axes whose values are scored apart, too.
        test_rows: Rows of a split that are answered.
    """

    name: str
    recipe: str
    sets: list[str] = field(default_factory=list)
    rows: int | None = None
    model: Model = field(default_factory=Model)
    steps: int = 1_500
    seeds: int = 1
    by: list[str] = field(default_factory=list)
    test_rows: int = 1_000


def runs_of(path: Path = HERE / "runs.toml") -> list[Run]:
    """Return the runs of a file, in its order."""
    entries = tomllib.loads(path.read_text(encoding="utf-8"))
    return [_run({**entries["defaults"], **entry}) for entry in entries["run"]]


def _run(entry: dict[str, Any]) -> Run:
    entry.setdefault("recipe", entry["name"])
    of_model = {key: entry.pop(key) for key in [*entry] if key in Model.__annotations__}
    return Run(**entry, model=Model(**of_model))


def read_table(path: Path) -> pl.DataFrame:
    """Return a table, empty if there is none yet.

    RESULTS has a row for each run, seed, split and part of a split; the part "" is the whole
    split. FIGURES has a row for each run and split.
    """
    return pl.read_parquet(path) if path.exists() else pl.DataFrame()


def add_rows(path: Path, rows: list[dict[str, Any]], keys: list[str]) -> None:
    """Add rows to a table, in place of older ones with the same keys."""
    table = pl.DataFrame(rows, infer_schema_length=None)
    older = read_table(path)
    if len(older):
        older = older.join(table, on=keys, how="anti")
        table = pl.concat([older, table], how="diagonal_relaxed")
    order = [name for name in ("run", "seed", "split", "part") if name in table.columns]
    partial = path.with_suffix(".partial")
    table.sort(order).write_parquet(partial, compression="zstd")
    partial.replace(path)
