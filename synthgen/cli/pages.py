"""Pages of scores and rows, in the style of the audit report: one file without a network."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import jinja2

from synthgen.auditing.blocks import BarChart, BlockTable, Cell
from synthgen.auditing.html import page_environment, page_parts
from synthgen.auditing.html_charts import (
    ChartView,
    Point,
    Row,
    bars_view,
    dots_view,
    lines_view,
)
from synthgen.auditing.html_tables import TableLimits, TableView, clean, percent, table_view
from synthgen.core.files import replace_text
from synthgen.core.images import IMAGE, as_text
from synthgen.dataset.reader import open_dataset
from synthgen.training.rates import Rates
from synthgen.training.reward import RIGHT
from synthgen.training.scoring import STRUCTURE, Accuracy, Grading, Scored, SplitScore

MAX_MISTAKES = 10
"""Wrong answers of each split on a page of scores."""
_LIMITS = TableLimits(rows=2_000)
_MAX_TEXT = 20_000
MIN_ROWS = 5
"""Points of fewer rows are not drawn."""
_MAX_CHARTS, _MAX_AXES = 6, 24
_FIGURES = ("accuracy", "95% interval", "graded", "texts")
_TEXTS = ("prompt", "solution", "answer")
_SMALL = ("id", "address")
_INTERVAL = "line: 95% interval"


def page_grading(
    folder: str | Path, texts: Mapping[str, Sequence[str]], grading: Grading
) -> Grading:
    """Return what to count for a page: also every axis alone, wrong answers, and pass@k."""
    dataset = open_dataset(folder)
    axes = [name for name in dataset.schema.names if name in dataset.manifest.axes][:_MAX_AXES]
    tasks = ["task"] if len(dataset.manifest.sources) > 1 else []
    structure = [STRUCTURE] if "train" in dataset.splits else []
    usual = sorted(map(len, texts.values()))[len(texts) // 2] if texts else 0
    ks = [2**i for i in range(usual.bit_length())] if usual > 1 else []
    columns = tuple(dict.fromkeys((*tasks, *axes, *structure)))
    return replace(grading, k=grading.k or ks, alone=columns, mistakes=MAX_MISTAKES)


def write_scores(path: Path, name: str, scored: Scored) -> Path:
    """Write the page of scores atomically, and return its path.

    Args:
        path: File to write.
        name: Name of the dataset.
        scored: Scores of the predictions; splits without any are left out.

    Raises:
        OutputError: if the file cannot be written.
    """
    splits = {_name(key): split for key, split in scored.splits.items() if split.predicted}
    facts = [
        (f"{scored.predictions:,}", "predictions"),
        (f"{len(splits):,}", "splits"),
        (f"{scored.missing:,}", "rows without a prediction"),
        (f"{scored.unknown_ids:,}", "predictions with an unknown id"),
    ]
    rows = [(key, *_figures(split.accuracy), split.rows) for key, split in splits.items()]
    charts = _axis_charts(splits)
    content = {
        "facts": facts,
        "pictures": _pictures(splits),
        "tables": [_view(BlockTable("Accuracy", ("split", *_FIGURES, "rows"), tuple(rows)))],
        "names": [*splits][: _LIMITS.series],
        "min_rows": MIN_ROWS,
        "charts": charts[:_MAX_CHARTS],
        "more_charts": charts[_MAX_CHARTS:],
        "mistakes": [_mistakes(key, split) for key, split in splits.items() if split.mistakes],
        "sections": [(key, [*_tables(split)]) for key, split in splits.items()],
    }
    return _write(path, "scores.html.jinja", page_parts("Scores", name) | content)


def write_rows(path: Path, name: str, rows: Mapping[str, Sequence[Mapping[str, Any]]]) -> Path:
    """Write a page of rows for readers, and return its path.

    Args:
        path: File to write.
        name: Name of the recipe.
        rows: Rows of each split.

    Raises:
        OutputError: if the file cannot be written.
    """
    shown = {
        _name(split): [(_image(row), *_texts_and_facts(row)) for row in rows[split]]
        for split in rows
    }
    facts = [(f"{len(rows):,}", "splits"), (f"{sum(map(len, rows.values())):,}", "rows shown")]
    content = {"facts": facts, "rows": shown}
    return _write(path, "rows.html.jinja", page_parts("Preview", name) | content)


def _image(row: Mapping[str, Any]) -> str | None:
    """Return the URI of the picture of a row, if there is one."""
    return as_text(row).get(IMAGE)


def _texts_and_facts(row: Mapping[str, Any]) -> tuple[list[tuple[str, str]], dict[str, str]]:
    shown = {key: value for key, value in row.items() if key != IMAGE and value is not None}
    known = {key: clean(value, _MAX_TEXT) for key, value in shown.items()}
    texts = [(key, known.pop(key)) for key in _TEXTS if key in known]
    small = {key: known.pop(key) for key in _SMALL if key in known}
    return texts, known | small


def _pictures(splits: Mapping[str, SplitScore]) -> list[ChartView]:
    """Draw accuracy, seen against unseen structures, pass@k and the reasons of grades."""
    known = {name: split for name, split in splits.items() if split.accuracy}
    rows = [Row(name, _percents(split.accuracy)) for name, split in known.items()]
    charts = [dots_view("Accuracy by split, %", _INTERVAL, rows, _LIMITS, 100)]
    by_structure = [
        Row(f"{name} {kind}", _percents(accuracy))
        for name, split in known.items()
        for kind, accuracy in split.axes.get(STRUCTURE, {}).items()
        if accuracy
    ]
    if any(row.name.endswith("unseen") for row in by_structure):
        title = "Seen and unseen pairs of symbols, %"
        charts.append(dots_view(title, _INTERVAL, by_structure, _LIMITS, 100))
    ks = list(dict.fromkeys(k for split in known.values() for k in split.passed))
    if len(ks) > 1:
        lines = [(name, [_point(split.passed.get(k)) for k in ks]) for name, split in known.items()]
        charts.append(lines_view("pass@k, %", "k, " + _INTERVAL, [*map(str, ks)], lines, _LIMITS))
    counted = {why for split in known.values() for why in split.why}
    reasons = sorted(counted, key=lambda why: (why != RIGHT, why != "wrong", why))
    if reasons:
        shares = tuple(
            tuple(100 * split.why.get(why, 0) / sum(split.why.values()) for why in reasons)
            for split in known.values()
        )
        axes = ("reason", "share of texts, %", tuple(reasons), tuple(known))
        charts.append(replace(bars_view(BarChart("Grades", *axes, shares), _LIMITS), table=None))
    return charts


def _axis_charts(splits: Mapping[str, SplitScore]) -> list[ChartView]:
    """Draw accuracy along every axis with several values, the most varying ones first."""
    names = dict.fromkeys(name for split in splits.values() for name in split.axes)
    ranked = []
    for name in names:
        of_splits = {key: split.axes.get(name, {}) for key, split in splits.items()}
        labels = list(dict.fromkeys(label for each in of_splits.values() for label in each))
        if name == STRUCTURE or len(labels) < 2:
            continue
        means = [
            accuracy.mean
            for each in of_splits.values()
            for accuracy in each.values()
            if accuracy and accuracy.rows >= MIN_ROWS
        ]
        lines = [
            (key, [_point(each.get(label)) for label in labels]) for key, each in of_splits.items()
        ]
        chart = replace(lines_view(_name(name), "", labels, lines, _LIMITS), legend=())
        ranked.append((min(means, default=0) - max(means, default=0), chart))
    return [chart for _, chart in sorted(ranked, key=lambda each: each[0])]


def _percents(accuracy: Accuracy | None) -> Point:
    if accuracy is None:
        return Point(0)
    return Point(*(100 * x for x in (accuracy.mean, accuracy.low, accuracy.high)))


def _point(accuracy: Accuracy | None) -> Point | None:
    if accuracy is None or accuracy.rows < MIN_ROWS:
        return None
    return Point(accuracy.mean, accuracy.low, accuracy.high)


def _mistakes(split: str, score: SplitScore) -> TableView:
    rows = tuple((each.prompt, each.prediction, each.answer, each.why) for each in score.mistakes)
    columns = ("prompt", "prediction", "right answer", "why")
    return _view(BlockTable(f"{split}: the first {len(rows)} wrong answers", columns, rows))


def _tables(score: SplitScore) -> Iterator[TableView]:
    """Yield the tables of a split: groups, pass@k, reasons, and parts of answers."""
    for title, key, groups in (
        ("Groups", "group", score.groups),
        ("pass@k: a right text among k", "k", score.passed),
    ):
        if groups:
            rows = tuple((str(each), *_figures(value)) for each, value in groups.items())
            yield _view(BlockTable(title, (key, *_FIGURES), rows))
    if score.why:
        reasons = tuple(score.why.items())
        yield _view(BlockTable("Why texts have their grades", ("why", "texts"), reasons))
    if score.rubrics:
        rubrics = (("rows with a rubric", score.rubrics),)
        yield _view(BlockTable("Not graded", ("what", "rows"), rubrics))
    if score.parts:
        yield _view(_parts(score.parts))


def _parts(rates: Rates) -> BlockTable:
    """Return the rates of the parts of answers."""
    rows = {
        "all parts of a text": (rates.texts, *rates.whole),
        "each part": (rates.parts, *rates.each),
        **rates.by_name,
    }
    listed = tuple(
        (name, number, percent(strict, 1), percent(loose, 1))
        for name, (number, strict, loose) in rows.items()
    )
    return BlockTable("Parts of answers", ("part", "of", "strict", "loose"), listed)


def _figures(accuracy: Accuracy | None) -> tuple[Cell, ...]:
    if accuracy is None:
        return (None, None, 0, 0)
    interval = f"{100 * accuracy.low:.1f} to {100 * accuracy.high:.1f}%"
    return (f"{100 * accuracy.mean:.1f}%", interval, accuracy.rows, accuracy.texts)


def _name(text: str) -> str:
    return clean(text, _LIMITS.cells)


def _view(table: BlockTable) -> TableView:
    return table_view(table, _LIMITS)


def _write(path: Path, template: str, content: Mapping[str, Any]) -> Path:
    return replace_text(path, _environment().get_template(template).render(content))


@cache
def _environment() -> jinja2.Environment:
    return page_environment(_part)


def _part(name: str) -> str:
    """Return a template of this package, or a part of the report."""
    own = name in ("scores.html.jinja", "rows.html.jinja")
    package = files("synthgen.cli" if own else "synthgen.auditing")
    return package.joinpath(name).read_text(encoding="utf-8")
