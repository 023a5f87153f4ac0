"""Write docs/evidence.md and its plots from the tables of results and figures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import matplotlib as mpl
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from experiments.analysis import Correlation, best_pair, correlations, test_splits
from experiments.results import FIGURES, HERE, RESULTS, read_table

DOCS = HERE.parent / "docs"
MEANINGS = {
    "support": "least support of an edge that train lacks",
    "rarest": "training rows with the rarest edge (logarithm)",
    "contexts": "places of the symbol with the fewest places",
    "longer": "share of answers longer than any in train",
    "d_c": "divergence of compounds, D_C (edges)",
    "d_c_deviations": "its distance from random splits, in standard deviations",
    "d_a": "divergence of atoms, D_A",
    "easiness": "easiness",
    "unseen_pair": "share of rows with an unseen pair",
    "unseen_triple": "share of rows with an unseen triple",
    "prompt_shift": "shift of the mean prompt length",
    "answer_shift": "shift of the mean number of answer tokens",
    "unseen_cells": "pairs of axis values that train lacks",
    "shortcut": "accuracy of the best shortcut",
}
PUBLISHED = (
    ("SCAN, random split", "scan-simple", "test", 0.95, 1.0),
    ("SCAN, longer answers", "scan-length", "test", 0.0, 0.30),
    ("SCAN, `jump` in new phrases", "scan-addprim-jump", "test", 0.0, 0.30),
    ("SCAN, maximum compound divergence", "scan-mcd", "test", 0.0, 0.60),
    ("HINT, problems of training", "hint", "test_i", 0.80, 1.0),
)
"""Name, run, split, and the range in which the papers' models lead us to expect the accuracy."""


def write_page() -> None:
    """Write the page and its plots."""
    mpl.rcParams.update({"svg.hashsalt": "evidence", "font.size": 9, "svg.fonttype": "none"})
    results, figures = read_table(RESULTS), read_table(FIGURES)
    splits = test_splits(results, figures)
    known = correlations(splits, [*MEANINGS])
    parts = (_head(results), _table(splits), _ranking(splits, known), _pattern(splits))
    text = "\n".join(line for part in parts for line in part)
    (DOCS / "evidence.md").write_text(text + "\n", encoding="utf-8")
    _save("evidence-accuracy", _draw_accuracy(splits))
    _save("evidence-predictor", _draw_predictor(splits, known[0]))


def _head(results: pl.DataFrame) -> Iterator[str]:
    models = results.unique(["run", "seed"])
    weights = models["parameters"]
    yield "# Evidence: what models learn from our data"
    yield ""
    yield (
        f"We trained {len(models)} small transformers from scratch on {models['run'].n_unique()} of our "
        f"datasets, and scored them on every split. A model has two layers, rotary positions and "
        f"{weights.min() / 1e6:.1f} to {weights.max() / 1e6:.1f} million weights. It reads words, or "
        f"characters where a problem is one word. All runs together took "
        f"{models['minutes'].sum() / 60:.1f} hours of one CPU core; none took more than "
        f"{models['minutes'].max():.0f} minutes. `experiments/runs.toml` lists the runs, and"
    )
    yield ""
    yield "```"
    yield "pip install -e '.[experiments]'"
    yield "just evidence scan-simple      trains one of them"
    yield "just evidence                  trains all that have no result yet, two at a time"
    yield "just evidence --page           writes this page from experiments/results.parquet"
    yield "```"
    yield ""


def _table(splits: pl.DataFrame) -> Iterator[str]:
    yield "## Accuracy"
    yield ""
    yield "![A dot for each model, a line for each test split](images/evidence-accuracy.svg)"
    yield ""
    yield (
        "Accuracy is the share of the first 1,000 rows of a split whose whole answer is right, greedily. "
        "Figures of the audit are those of the whole split; *support* is explained below."
    )
    yield ""
    yield "| run | split | accuracy | seeds | support | longer | D_C | D_A | easiness |"
    yield "|---|---|--:|--:|--:|--:|--:|--:|--:|"
    for row in splits.sort("run", "split").iter_rows(named=True):
        names = ("support", "longer", "d_c", "d_a", "easiness")
        cells = ["" if row[name] is None else f"{row[name]:.3g}" for name in names]
        seeds = len(row["accuracies"])
        start = f"| `{row['run']}` | `{row['split']}` | {row['accuracy']:.3f} | {seeds} |"
        yield f"{start} {' | '.join(cells)} |"
    yield ""


def _ranking(splits: pl.DataFrame, known: list[Correlation]) -> Iterator[str]:
    yield "## Does an audit say beforehand how hard a split is?"
    yield ""
    yield (
        f"Over the {len(splits)} test splits, the table has the rank correlation (Spearman) of each figure "
        "with accuracy, and its 95% interval when splits and seeds are drawn again."
    )
    yield ""
    yield "| figure | splits | correlation | interval |"
    yield "|---|--:|--:|---|"
    for each in known:
        interval = f"{each.low:.2f} to {each.high:.2f}"
        yield f"| {MEANINGS[each.name]} | {each.splits} | {each.value:.2f} | {interval} |"
    pair, value = best_pair(splits, [each.name for each in known if each.splits == len(splits)])
    yield ""
    yield (
        f"Of all pairs of figures, {MEANINGS[pair[0]]} and {MEANINGS[pair[1]]} together predict best: "
        "a linear model of their ranks, fitted to all languages but one, orders the splits of that one. "
        f"Its predictions correlate with accuracy at {value:.2f}."
    )
    yield ""
    yield "![Accuracy against the best figure](images/evidence-predictor.svg)"
    yield ""


def _pattern(splits: pl.DataFrame) -> Iterator[str]:
    yield "## What agrees with the papers"
    yield ""
    yield "| | expected | ours |"
    yield "|---|---|--:|"
    for name, run, split, low, high in PUBLISHED:
        row = splits.filter((pl.col("run") == run) & (pl.col("split") == split))
        if len(row):
            accuracy = row["accuracy"].item()
            sign = "" if low <= accuracy <= high else " (differs)"
            yield f"| {name} | {low:.2f} to {high:.2f} | {accuracy:.3f}{sign} |"


def _draw_accuracy(splits: pl.DataFrame) -> Figure:
    rows = splits.sort("accuracy", "run", "split")
    figure = Figure(figsize=(7, 1 + 0.18 * len(rows)), layout="constrained")
    axes: Axes = figure.subplots()
    for place, values in enumerate(rows["accuracies"]):
        axes.plot(values.to_list(), [place] * len(values), "o", color="#1c7ed6", markersize=4)
    names = [f"{run}: {split}" for run, split in rows.select("run", "split").iter_rows()]
    axes.set_yticks(range(len(rows)), names)
    axes.set_xlim(-0.02, 1.02)
    axes.set_xlabel("accuracy")
    axes.grid(axis="x", alpha=0.3)
    return figure


def _draw_predictor(splits: pl.DataFrame, best: Correlation) -> Figure:
    figure = Figure(figsize=(6, 4), layout="constrained")
    axes: Axes = figure.subplots()
    for (language,), of in sorted(splits.drop_nulls(best.name).group_by("language")):
        axes.plot(of[best.name], of["accuracy"], "o", label=str(language), markersize=5, alpha=0.8)
    axes.set_xlabel(MEANINGS[best.name])
    axes.set_ylabel("accuracy")
    axes.legend(frameon=False)
    axes.grid(alpha=0.3)
    return figure


def _save(name: str, figure: Figure) -> None:
    path: Path = DOCS / "images" / f"{name}.svg"
    figure.savefig(path, metadata={"Date": None, "Creator": None})
