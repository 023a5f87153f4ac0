"""Pages of scores and rows in the style of the audit report: one file, without scripts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from synthgen.auditing.blocks import BlockTable
from synthgen.auditing.html import page_environment, policy_hash
from synthgen.auditing.html_tables import TableLimits, TableView, clean, table_view
from synthgen.core.files import replace_text
from synthgen.training.rates import Rates
from synthgen.training.scoring import Accuracy, Scored, SplitScore

_LIMITS = TableLimits(rows=2_000)
_MAX_TEXT = 20_000
_STYLE = ".text { white-space: pre-wrap; }\n"
"""Addition to the report's style, because prompts may be grids."""
_FIGURES = ("graded", "texts", "accuracy", "95 % from", "to")
_TEXTS = ("prompt", "solution", "answer")


def write_scores(path: Path, name: str, scored: Scored) -> Path:
    """Write the page of scores atomically, and return its path.

    Args:
        path: File to write.
        name: Name of the dataset.
        scored: Scores of the predictions.

    Raises:
        OutputError: if the file cannot be written.
    """
    rows = [(name, split.rows, *_figures(split.accuracy)) for name, split in scored.splits.items()]
    whole = BlockTable("Splits", ("split", "rows", *_FIGURES), tuple(rows))
    facts = {
        "splits": len(scored.splits),
        "predictions": scored.predictions,
        "predictions with an unknown id": scored.unknown_ids,
        "rows without a prediction": scored.missing,
    }
    sections = [
        (_name(split), [*_tables(score)])
        for split, score in scored.splits.items()
        if score.predicted
    ]
    return _write(path, "Scores", name, facts=facts, tables=[_view(whole)], sections=sections)


def write_rows(path: Path, name: str, rows: Mapping[str, Sequence[Mapping[str, Any]]]) -> Path:
    """Write a page of rows for readers, and return its path.

    Args:
        path: File to write.
        name: Name of the recipe.
        rows: Rows of each split.

    Raises:
        OutputError: if the file cannot be written.
    """
    shown = {_name(split): [_texts_and_facts(row) for row in rows[split]] for split in rows}
    facts = {"splits": len(rows), "rows shown": sum(map(len, rows.values()))}
    return _write(path, "Preview", name, facts=facts, rows=shown)


def _texts_and_facts(row: Mapping[str, Any]) -> tuple[list[tuple[str, str]], dict[str, str]]:
    known = {key: clean(value, _MAX_TEXT) for key, value in row.items() if value is not None}
    texts = [(key, known.pop(key)) for key in _TEXTS if key in known]
    return texts, known


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
    listed = tuple((name, *figures) for name, figures in rows.items())
    return BlockTable("Parts of answers", ("part", "of", "strict", "loose"), listed)


def _figures(accuracy: Accuracy | None) -> tuple[int | float | None, ...]:
    if accuracy is None:
        return (0, 0, None, None, None)
    rounded = (round(x, 4) for x in (accuracy.mean, accuracy.low, accuracy.high))
    return (accuracy.rows, accuracy.texts, *rounded)


def _name(text: str) -> str:
    return clean(text, _LIMITS.cells)


def _view(table: BlockTable) -> TableView:
    return table_view(table, _LIMITS)


def _write(path: Path, kind: str, name: str, **content: Any) -> Path:
    style = _part("report.css") + _STYLE
    empty: dict[str, Any] = {"tables": [], "sections": [], "rows": {}}
    page = _template().render(
        {**empty, **content},
        kind=kind,
        name=_name(name),
        style=Markup(style),  # noqa: S704
        style_hash=policy_hash(style),
    )
    return replace_text(path, page)


def _part(name: str) -> str:
    """Return a template of this package, or a part of the report."""
    package = "synthgen.cli" if name == "page.html.jinja" else "synthgen.auditing"
    return files(package).joinpath(name).read_text(encoding="utf-8")


@cache
def _template() -> jinja2.Template:
    return page_environment(_part).get_template("page.html.jinja")
