"""Scores on the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from synthgen.training.scoring import Scored
from synthgen.training.skill_metrics import METRICS, Measured


def show_scores(console: Console, found: Scored) -> None:
    """Show the mean of each split, the metrics of texts, and predictions that no row asked for."""
    table = Table("split", "rows", "predicted", "mean", box=None)
    for name, split in found.splits.items():
        shown = "" if split.mean is None else f"{split.mean:.4f}"
        table.add_row(name, f"{split.rows:,}", f"{split.predicted:,}", shown)
    console.print(table)
    if any(split.skills for split in found.splits.values()):
        console.print(_skills(found))
    for name, split in found.splits.items():
        if split.undecided:
            text = f"{name}: {split.undecided:,} texts have a point that no checker can give"
            console.print(text, markup=False)
    if found.strangers:
        text = f"{found.strangers:,} of {found.predictions:,} predictions have the id of no row"
        console.print(text, markup=False)


def _skills(found: Scored) -> Table:
    table = Table("split", "k", "tuples", *(name.replace("_", " ") for name in METRICS), box=None)
    for name, split in found.splits.items():
        for k, metrics in split.skills.items():
            tuples = next(iter(metrics.values())).tuples
            cells = (_cell(metrics[metric]) for metric in METRICS)
            table.add_row(name, str(k), f"{tuples:,}", *cells)
    return table


def _cell(measured: Measured) -> str:
    error = "" if measured.error is None else f" ± {measured.error:.3f}"
    return f"{measured.mean:.3f}{error}"
