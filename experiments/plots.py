"""The plots of docs/evidence.md."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

MEANINGS = {
    "new": "rows with an unseen pair of words, or outside train's range",
    "outside": "rows with a length or value outside train's range",
    "unseen_pair": "rows with an unseen pair",
    "unseen_triple": "rows with an unseen triple",
    "word_pairs": "rows with an unseen pair of words",
    "word_triples": "rows with an unseen triple of words",
    "unseen_answers": "rows with an answer that train lacks",
    "longer": "rows with more answer tokens than any in train",
    "unseen_cells": "pairs of axis values that train lacks",
    "d_c": "divergence of compounds, D_C (edges)",
    "d_c_deviations": "distance of D_C from random splits, in standard deviations",
    "word_d_c": "divergence of pairs of words",
    "d_a": "divergence of atoms, D_A",
    "word_d_a": "divergence of words",
    "easiness": "easiness",
    "prompt_shift": "shift of the mean prompt length",
    "answer_shift": "shift of the mean answer length",
    "shortcut": "accuracy of the best shortcut",
    "support": "least support of an edge that train lacks",
    "rarest": "training rows with the rarest edge (logarithm)",
}
"""What the figures of a split mean, by the names of their columns."""
_BLUE, _ORANGE = "#1c7ed6", "#e8590c"


def draw_plots(folder: Path, splits: pl.DataFrame, learned: pl.DataFrame, best: str) -> None:
    """Draw all plots into a folder.

    Args:
        folder: Folder of the files.
        splits: All test splits.
        learned: Those of models that learned their training rows.
        best: Figure whose plot is drawn.
    """
    mpl.rcParams.update({"svg.hashsalt": "evidence", "font.size": 9, "svg.fonttype": "none"})
    folder.mkdir(exist_ok=True)
    plots = {
        "accuracy": _accuracy(splits),
        "predictor": _predictor(learned, best),
        "rules": _rules(splits),
        "cover": _cover(splits),
    }
    for name, figure in plots.items():
        path = folder / f"evidence-{name}.svg"
        figure.savefig(path, metadata={"Date": None, "Creator": None})


def _axes(width: float, height: float) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(width, height), layout="constrained")
    axes: Axes = figure.subplots()
    axes.grid(alpha=0.3)
    return figure, axes


def _accuracy(splits: pl.DataFrame) -> Figure:
    names = [f"{run}: {split}" for run, split in splits.select("run", "split").iter_rows()]
    return _dots(names, splits["accuracies"].to_list(), [_BLUE] * len(names))


def _dots(names: list[str], values: list[list[float]], colors: list[str]) -> Figure:
    """Draw a line for each name, with a dot for each value."""
    figure, axes = _axes(7, 0.8 + 0.18 * len(names))
    for place, (row, color) in enumerate(zip(values, colors, strict=True)):
        axes.plot(row, [place] * len(row), "o", color=color, markersize=4)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_xlim(-0.02, 1.02)
    axes.set_xlabel("accuracy")
    return figure


def _predictor(splits: pl.DataFrame, best: str) -> Figure:
    figure, axes = _axes(6, 4)
    for (language,), of in sorted(splits.drop_nulls(best).group_by("language")):
        axes.plot(of[best], of["accuracy"], "o", label=str(language), markersize=5, alpha=0.8)
    axes.set_xlabel(MEANINGS[best])
    axes.set_ylabel("accuracy")
    axes.legend(frameon=False)
    return figure


def _rules(splits: pl.DataFrame) -> Figure:
    figure, axes = _axes(6, 3)
    of = splits.filter(pl.col("run").str.starts_with("rewriting-"), split="test")
    of = of.with_columns(rules=pl.col("run").str.strip_prefix("rewriting-").cast(int)).sort("rules")
    axes.plot(of["rules"], of["trained"], "o--", color=_ORANGE, label="rules of training")
    axes.plot(of["rules"], of["accuracy"], "o-", color=_BLUE, label="unseen rules")
    axes.set_xscale("log")
    axes.set_ylim(-0.02, 1.02)
    axes.set_xlabel("rules in 40,000 training rows")
    axes.set_ylabel("accuracy")
    axes.legend(frameon=False)
    return figure


def _cover(splits: pl.DataFrame) -> Figure:
    of = splits.filter(pl.col("run").is_in(["scan-600", "scan-600-cover"])).sort("run")
    return _dots(of["run"].to_list(), of["accuracies"].to_list(), [_ORANGE, _BLUE])
