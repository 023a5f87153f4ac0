"""The runs, and the table of their results."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from experiments.training import Model

HERE = Path(__file__).parent
RESULTS = HERE / "results.parquet"
FIGURES = {
    "d_c": ("divergence", "compound", "edges", "value"),
    "d_c_deviations": ("divergence", "compound", "edges", "deviations"),
    "d_a": ("divergence", "atom", "value"),
    "easiness": ("easiness", "mean"),
    "unseen_pair": ("easiness", "unseen_pair"),
    "unseen_triple": ("easiness", "unseen_triple"),
    "prompt_shift": ("lengths", "prompt", "shift"),
    "answer_shift": ("lengths", "answer_tokens", "shift"),
    "answer_outside": ("lengths", "answer_tokens", "outside_train"),
    "unseen_cells": ("cells", "t2", "not_in_train"),
    "shortcut": ("shortcuts", "best"),
}
"""Figures of an audit by the name of their column."""


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


def read_results() -> pl.DataFrame:
    """Return the results: a row for each run, seed, split and part of a split."""
    return pl.read_parquet(RESULTS) if RESULTS.exists() else pl.DataFrame()


def add_results(rows: list[dict[str, Any]]) -> None:
    """Add rows, in place of older ones of the same run and seed."""
    table = pl.DataFrame(rows, infer_schema_length=None)
    older = read_results()
    if len(older):
        older = older.join(table, on=["run", "seed"], how="anti")
        table = pl.concat([older, table], how="diagonal_relaxed")
    partial = RESULTS.with_suffix(".partial")
    table.sort("run", "seed", "split", "part").write_parquet(partial, compression="zstd")
    partial.replace(RESULTS)


def flat(figures: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """Yield name and value of the figures of a split that the table has."""
    for name, path in FIGURES.items():
        value: Any = figures
        for key in path:
            value = value.get(key) if isinstance(value, Mapping) else None
        if isinstance(value, (int, float)):
            yield name, float(value)
