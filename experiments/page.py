"""Write docs/evidence.md and its plots from the tables of results and figures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import matplotlib as mpl
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from experiments.analysis import Correlation, best_pair, correlations, test_splits
from experiments.figures import MOST
from experiments.results import FIGURES, HERE, RESULTS, read_table

DOCS = HERE.parent / "docs"
LEARNED = 0.8
"""Accuracy on training rows from which on a model counts as trained."""
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


def write_page(folder: Path = DOCS) -> None:
    """Write the page and its plots into a folder of documentation."""
    mpl.rcParams.update({"svg.hashsalt": "evidence", "font.size": 9, "svg.fonttype": "none"})
    results, figures = read_table(RESULTS), read_table(FIGURES)
    splits = test_splits(results, figures)
    learned = splits.filter(pl.col("trained") >= LEARNED)
    known = correlations(learned, [*MEANINGS])
    parts = (_head(results), _table(splits), _ranking(learned, known), _pattern(splits))
    text = "\n".join(line for part in parts for line in part)
    (folder / "evidence.md").write_text(text + "\n", encoding="utf-8")
    (folder / "images").mkdir(exist_ok=True)
    _save(folder, "evidence-accuracy", _draw_accuracy(splits))
    _save(folder, "evidence-predictor", _draw_predictor(learned, known[0]))


def _head(results: pl.DataFrame) -> Iterator[str]:
    models = results.unique(["run", "seed"])
    hours, longest = models["minutes"].sum() / 60, max(models["minutes"].to_list())
    weights = sorted(round(count / 1e6, 1) for count in models["parameters"].to_list())
    yield from (
        "# Evidence: what models learn from our data",
        "",
        f"We trained {len(models)} small transformers from scratch on "
        f"{models['run'].n_unique()} of our datasets, and scored them on every split. A model has",
        f"two layers, rotary positions and {weights[0]} to {weights[-1]} million weights. It reads "
        "words, or characters of prompts",
        f"without spaces. All runs together took {hours:.1f} hours of one processor core, and none "
        f"more than {longest:.0f} minutes.",
        "",
        "`experiments/runs.toml` lists the runs in the order of worth. Runs of that list that are",
        "not in the table below have not been trained yet.",
        "",
        "```",
        "pip install -e '.[experiments]'",
        "just evidence scan-simple      trains one of them",
        "just evidence                  trains all that have no result yet, two at a time",
        "just evidence --page           writes this page from the tables in experiments/",
        "```",
        "",
        "A killed command goes on at its last checkpoint.",
        "",
    )


def _table(splits: pl.DataFrame) -> Iterator[str]:
    yield from (
        "## Accuracy",
        "",
        "![A dot for each model, a line for each test split](images/evidence-accuracy.svg)",
        "",
        "A row is right if the whole answer is. Models answer greedily, and up to 1,000 rows of a",
        "split are scored (3,000 of `cogs`). D_C, D_A and easiness are those of the",
        "[audit](coverage.md), and *train* is the accuracy on training rows. *Support* is about",
        "parts that train lacks: an edge is a symbol at a place, which is an argument of another",
        "symbol. Its support is the number of symbols",
        "that train has at this place, or of places at which train has this symbol, whichever is",
        f"less, and at most {MOST}. A row has the least support of its edges that train lacks, or",
        f"{MOST}. *Longer* is the share of answers longer than any in train.",
        "",
        "| run | train | split | accuracy | models | support | longer | D_C | D_A | easiness |",
        "|---|--:|---|--:|--:|--:|--:|--:|--:|--:|",
    )
    for row in splits.sort("run", "split").iter_rows(named=True):
        names = ("support", "longer", "d_c", "d_a", "easiness")
        cells = ["" if row[name] is None else f"{row[name]:.2f}" for name in names]
        models = len(row["accuracies"])
        start = f"| `{row['run']}` | {row['trained']:.2f} | `{row['split']}` |"
        start = f"{start} {row['accuracy']:.3f} | {models} |"
        yield f"{start} {' | '.join(cells)} |"
    yield ""


def _ranking(splits: pl.DataFrame, known: list[Correlation]) -> Iterator[str]:
    yield from (
        "## Does an audit say beforehand how hard a split is?",
        "",
        f"The table has the rank correlation (Spearman) of figures with accuracy, over "
        f"{len(splits)} test splits of models that are right on {LEARNED:.0%} of their",
        "training rows. Intervals are of 95%: splits and models are drawn again 2,000 times.",
        "",
        "| figure | splits | correlation | interval |",
        "|---|--:|--:|---|",
    )
    for each in known:
        interval = f"{each.low:.2f} to {each.high:.2f}"
        yield f"| {MEANINGS[each.name]} | {each.splits} | {each.value:.2f} | {interval} |"
    names = [each.name for each in known if each.splits == len(splits)]
    (one, other), value = best_pair(splits, names)
    yield from (
        "",
        "Two figures together: a linear model of their ranks is fitted to the splits of all",
        "languages but one, and predicts those of that one. The best pair is",
        f"*{MEANINGS[one]}* and *{MEANINGS[other]}*.",
        f"Its predictions have a rank correlation of {value:.2f} with accuracy.",
        "",
        "![Accuracy against the best figure](images/evidence-predictor.svg)",
        "",
    )


def _pattern(splits: pl.DataFrame) -> Iterator[str]:
    yield from ("## What agrees with the papers", "", "| | expected | measured |", "|---|---|--:|")
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


def _save(folder: Path, name: str, figure: Figure) -> None:
    path = folder / "images" / f"{name}.svg"
    figure.savefig(path, metadata={"Date": None, "Creator": None})
