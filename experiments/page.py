"""Write docs/evidence.md and its plots, and the table that reports use, from the results."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import jinja2
import polars as pl

from experiments.analysis import Correlation, best_pair, correlations, test_splits
from experiments.plots import MEANINGS, draw_plots
from experiments.results import FIGURES, HERE, RESULTS, read_table
from synthgen.auditing import trained_block

DOCS = HERE.parent / "docs"
TABLE = Path(trained_block.__file__).with_name(trained_block.TABLE)
LEARNED, MANY = 0.8, 5_000
"""Accuracy on training rows, and their number, from which on a run counts in correlations."""
STRUCTURAL = ("cp_recursion", "obj_pp_to_subj_pp", "pp_recursion")
"""Categories of COGS that need new structures; the others are about words in new places."""
_SHOWN = ("outside", "word_pairs", "word_d_a", "d_c", "easiness")

Place = tuple[str, str]
Means = dict[Place, float]

RANGES: tuple[tuple[str, Place, float, float], ...] = (
    ("SCAN, random split", ("scan-simple", "test"), 0.95, 1.0),
    ("SCAN, longer answers", ("scan-length", "test"), 0.0, 0.3),
    ("SCAN, `jump` in new phrases", ("scan-addprim-jump", "test"), 0.0, 0.3),
    ("SCAN, maximum compound divergence", ("scan-mcd", "test"), 0.0, 0.6),
    ("HINT, problems of training", ("hint", "test_i"), 0.8, 1.0),
)
"""Name, place, and the range in which the papers' models lead us to expect the accuracy."""
ORDERS: tuple[tuple[str, tuple[Place, ...]], ...] = (
    (
        "HINT: long problems with large values are the hardest",
        (("hint", "test_i"), ("hint", "test_ss"), ("hint", "test_ll")),
    ),
    (
        "PCFG: systematicity above productivity",
        (("pcfg-systematicity", "test"), ("pcfg-productivity", "test")),
    ),
    (
        "COGS: lexical categories above structural ones",
        (("cogs", "lexical"), ("cogs", "structural")),
    ),
    (
        "Rewriting: the more rules, the more right on unseen ones (2,000, 1,000, 300, 10)",
        tuple((f"rewriting-{rules}", "test") for rules in (2000, 1000, 300, 10)),
    ),
    (
        "Sums as long as in training: digits reversed above digits in order",
        (("addition-reversed", "test"), ("addition-plain", "test")),
    ),
)
"""Name, and places whose accuracies should fall."""

SIZES = ("scan-600", "scan-800", "scan-3200", "scan-simple")
"""Runs on different numbers of rows, with a test of the same distribution."""


def write_page(folder: Path = DOCS, table: Path = TABLE) -> None:
    """Write the page and its plots into a folder of documentation, and the table of reports."""
    results, figures = read_table(RESULTS), read_table(FIGURES)
    splits = test_splits(results, figures)
    learned = splits.filter(pl.col("trained") >= LEARNED, pl.col("train_rows") >= MANY)
    known = correlations(learned, [*MEANINGS])
    means = _means(results)
    pair, value = best_pair(learned, [each.name for each in known if each.splits == len(learned)])
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE),
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 (Markdown of our own tables)
    )
    environment.filters["two"] = lambda number: f"{number:.2f}"
    environment.filters["percent"] = lambda number: f"{100 * number:.1f}%"
    text = environment.get_template("evidence.md.jinja").render(
        of_models=_of_models(results),
        table=_table(splits),
        claims=_claims(means),
        sizes=_sizes(results, means),
        figure=lambda run, name: _of_split(figures, run, name),
        mean=lambda run, split: means[run, split],
        learned=learned,
        threshold=f"{LEARNED:.0%}",
        correlations=_correlations(known),
        known=known,
        meanings=MEANINGS,
        pair=pair,
        pair_value=value,
    )
    folder.joinpath("evidence.md").write_text(text, encoding="utf-8")
    draw_plots(folder / "images", splits, learned, known[0].name)
    table.write_text(_shipped(learned), encoding="utf-8")


def _of_models(results: pl.DataFrame) -> dict[str, Any]:
    """Return what the introduction says of all models."""
    models = results.unique(["run", "seed"])
    weights = [count / 1e6 for count in models["parameters"].to_list()]
    minutes = models["minutes"].to_list()
    return {
        "number": len(models),
        "runs": models["run"].n_unique(),
        "hours": f"{sum(minutes) / 60:.1f}",
        "longest": f"{max(minutes):.0f}",
        "smallest": f"{min(weights):.1f}",
        "largest": f"{max(weights):.1f}",
    }


def _means(results: pl.DataFrame) -> Means:
    """Return the mean accuracy of every run and split; COGS' categories as two parts."""
    whole = (
        results.filter(pl.col("part") == "").group_by("run", "split").agg(pl.col("accuracy").mean())
    )
    means = {(run, split): value for run, split, value in whole.iter_rows()}
    parts = results.filter(pl.col("part").str.starts_with("category="), run="cogs", split="gen")
    structural = pl.col("part").str.strip_prefix("category=").is_in(STRUCTURAL)
    for name, of in (
        ("structural", parts.filter(structural)),
        ("lexical", parts.filter(~structural)),
    ):
        if len(of):
            right = of.select(pl.col("accuracy").dot("rows") / pl.col("rows").sum())
            means["cogs", name] = float(right.item())
    return means


def _rows(header: str, rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table."""
    return "\n".join((header, *(f"| {' | '.join(map(str, cells))} |" for cells in rows)))


def _table(splits: pl.DataFrame) -> str:
    header = "| run | train | split | accuracy | models | outside | unseen pair |"
    header += " D_A | D_C | easiness |\n|---|--:|---|--:|--:|--:|--:|--:|--:|--:|"
    return _rows(
        header,
        (
            (
                *(f"`{row['run']}`", f"{row['trained']:.2f}", f"`{row['split']}`"),
                *(f"{row['accuracy']:.3f}", len(row["accuracies"])),
                *("" if row[name] is None else f"{row[name]:.2f}" for name in _SHOWN),
            )
            for row in splits.iter_rows(named=True)
        ),
    )


def _claims(means: Means) -> str:
    def cells() -> Iterator[tuple[str, str, str, str]]:
        for name, place, low, high in RANGES:
            if place in means:
                expected = f"{low:.2f} or more" if high == 1 else f"{high:.2f} or less"
                value = means[place]
                yield name, expected, f"{value:.3f}", "yes" if low <= value <= high else "**no**"
        for name, places in ORDERS:
            if all(place in means for place in places):
                values = [means[place] for place in places]
                falls = values[0] > values[-1] and values == sorted(values, reverse=True)
                measured = ", ".join(f"{value:.3f}" for value in values)
                yield name, "falling", measured, "yes" if falls else "**no**"

    return _rows("| | expected | measured | agrees |\n|---|---|--:|---|", cells())


def _sizes(results: pl.DataFrame, means: Means) -> str:
    rows = dict(results.select("run", "train_rows").unique().iter_rows())
    return _rows(
        "| run | training rows | right in train | right in the test |\n|---|--:|--:|--:|",
        (
            (f"`{run}`", f"{rows[run]:,}", *(f"{means[run, of]:.3f}" for of in ("train", "test")))
            for run in SIZES
            if run in rows
        ),
    )


def _of_split(figures: pl.DataFrame, run: str, name: str) -> float:
    """Return a figure of the split `test` of a run."""
    return float(figures.filter(run=run, split="test")[name].item())


def _correlations(known: Sequence[Correlation]) -> str:
    return _rows(
        "| figure | splits | correlation | interval |\n|---|--:|--:|---|",
        (
            (
                MEANINGS[each.name],
                each.splits,
                f"{each.value:.2f}",
                f"{each.low:.2f} to {each.high:.2f}",
            )
            for each in known
        ),
    )


def _shipped(splits: pl.DataFrame) -> str:
    """Return the table from which reports tell what models made of splits with like figures."""
    rows = [
        [
            row["run"],
            row["split"],
            *(round(row[name], 3) for name in ("accuracy", "outside", "word_pairs", "word_d_a")),
        ]
        for row in splits.iter_rows(named=True)
    ]
    return "[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n"
