"""Block 9: diversity of each side: Vendi scores of order 2, templates, and growth with rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from synthgen.auditing.blocks import INFO, BarChart, Block, BlockTable, Cell, titled
from synthgen.auditing.novelty_blocks import of_kind
from synthgen.auditing.wording import finite, plural
from synthgen.coverage.axis_counts import AxisCounts
from synthgen.coverage.diversity import (
    axis_bags,
    first_seen,
    score,
    spaced,
    spaced_rows,
    spaced_texts,
    structure_bags,
    template_counts,
    word_bags,
)
from synthgen.coverage.evenness import hill_number
from synthgen.coverage.inputs import Side
from synthgen.coverage.structure_kinds import TreeKind
from synthgen.coverage.structure_measures import Structures
from synthgen.coverage.text_measures import TextMeasures

MAX_ROWS, MIN_ROWS = 1_000, 100
STRUCTURES, WORDS, AXES = "local structures", "words, n = 1 to 3", "axes"
_FIGURES = {STRUCTURES: "structures", WORDS: "words", AXES: "axes"}


def diversity_block(
    sides: Sequence[Side],
    texts: Mapping[str, TextMeasures],
    structures: Structures | None,
    axes: Mapping[str, AxisCounts],
) -> Block:
    """Score the diversity of each side at equal numbers of rows.

    Args:
        sides: Sides, train first.
        texts: Measures of the texts of every side.
        structures: Main structures of every side, if there are any.
        axes: Axis counts of every side, or empty.
    """
    large = [side for side in sides if side.rows >= MIN_ROWS]
    n = min((side.rows for side in large), default=0)
    n = min(n, MAX_ROWS)
    rows, figures = _scores(n, large, texts, structures, axes)
    of_templates = []
    for side in sides:
        if structures is None:
            break
        row = template_counts(side, structures.measures[side.name].templates)
        of_templates.append(row)
        names = ("distinct", "effective", "mean_rows", "most_rows")
        of_side = of_kind(structures.kind, {"templates": dict(zip(names, row[1:], strict=False))})
        figures[side.name] = {**figures.get(side.name, {}), **of_side}
    title = "Vendi score of order 2, corrected for sample size"
    columns = ("split", "templates", "effective number", "mean rows per template")
    more = ("rows of the most common", "share of it, %")
    title_of_templates = "Templates (structures with numbers masked)"
    tables = (
        BlockTable(title, ("split", "features", "sampled rows", "score"), tuple(rows)),
        BlockTable(title_of_templates, (*columns, *more), tuple(of_templates)),
        _wordings(sides, texts),
    )
    bars = _growth(sides[0], structures) if structures else ()
    text = ""
    if of_templates:
        name, different, effective, each, *_ = of_templates[0]
        text = f"{name} has {plural(different, 'template')} (effective number {effective:,}), "
        text += f"with {each} rows per template on average. "
    text += f"Scores use {plural(n, 'row')} of each split with {MIN_ROWS} or more."
    return titled("diversity", INFO, text, tables, bars, figures)


def _scores(
    n: int,
    sides: Sequence[Side],
    texts: Mapping[str, TextMeasures],
    structures: Structures | None,
    axes: Mapping[str, AxisCounts],
) -> tuple[list[tuple[Cell, ...]], dict[str, dict[str, Any]]]:
    """Return the score of each side for each kind of features, as rows and as figures."""
    rows: list[tuple[Cell, ...]] = []
    figures: dict[str, dict[str, Any]] = {}
    for side in sides:
        bags = {WORDS: word_bags(spaced_texts(texts[side.name].sample, n))}
        if structures and isinstance(structures.kind, TreeKind):
            codes = spaced_rows(structures.measures[side.name].sample, n)
            bags[STRUCTURES] = structure_bags(codes, structures.kind)
        if side.name in axes and axes[side.name].sample.size:
            bags[AXES] = axis_bags(axes[side.name].sample[spaced(len(axes[side.name].sample), n)])
        scores = {name: finite(score(bag), 2) for name, bag in bags.items()}
        rows += [(side.name, name, n, value) for name, value in scores.items()]
        known = {_FIGURES[name]: v for name, v in scores.items() if isinstance(v, float)}
        figures[side.name] = {"diversity": known}
    return rows, figures


def _wordings(sides: Sequence[Side], texts: Mapping[str, TextMeasures]) -> BlockTable:
    rows = []
    for side in sides:
        counts = np.array(list(texts[side.name].wordings.values()), np.int64)
        if len(counts):
            rows.append((side.name, len(counts), finite(hill_number(counts, 1), 2)))
    return BlockTable("Wordings of prompts", ("split", "wordings", "effective number"), tuple(rows))


def _growth(side: Side, structures: Structures) -> tuple[BarChart, ...]:
    """Draw the share of all structures seen in the first rows of train."""
    measures, parts = structures.measures[side.name], structures.kind.parts
    points = measures.growth
    last = points[-1] if points else (0, 0, 0)
    if not last[1]:
        return ()
    templates = first_seen(measures.templates, [rows for rows, _, _ in points])
    labels = tuple(f"{rows:,}" for rows, _, _ in points)
    values = (
        tuple(round(100 * pairs / last[1], 3) for _, pairs, _ in points),
        tuple(round(100 * triples / max(last[2], 1), 3) for _, _, triples in points),
        tuple(round(100 * seen / max(templates[-1], 1), 3) for seen in templates),
    )
    totals = zip((*parts, "template"), (*last[1:], templates[-1]), strict=True)
    names = tuple(f"{name}s ({n:,})" for name, n in totals)
    title = f"Structures seen in the first rows of {side.name}"
    return (BarChart(title, "rows", "share of all its structures, %", labels, names, values),)
