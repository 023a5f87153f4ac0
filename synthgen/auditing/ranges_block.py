"""Block 6: lengths, depths and values on each side, and the distribution of answers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from synthgen.auditing.blocks import FLAG, INFO, OK, BarChart, Block, BlockTable, Cell, titled
from synthgen.auditing.wording import finite
from synthgen.core.printing import listed
from synthgen.coverage.answer_priors import AnswerPrior, answer_prior
from synthgen.coverage.inputs import ANSWER, Side
from synthgen.coverage.text_measures import TextMeasures
from synthgen.coverage.value_ranges import Range, Shift, step_and_width

MAX_SHIFT = 0.10
"""A mean length that shifts by more than this share is reported, unless a rule explains it."""
_MIN_ERRORS = 3.0
_BARS = 20


@dataclass(frozen=True, slots=True)
class Quantity:
    """One scalar measured on each row.

    Attributes:
        name: Name for readers.
        figure: Path of its figures, such as `lengths.prompt`.
        ranges: Values by side.
        shifts: Comparison with train's values, by test side.
        is_length: Whether a shift of its mean is reported.
    """

    name: str
    figure: tuple[str, str]
    ranges: Mapping[str, Range]
    shifts: Mapping[str, Shift]
    is_length: bool = False


def ranges_block(
    sides: Sequence[Side], quantities: Sequence[Quantity], texts: Mapping[str, TextMeasures]
) -> Block:
    """Compare every scalar and the answers of each other side with train's.

    Args:
        sides: Sides, train first.
        quantities: Lengths, depths, axes.
        texts: Measures of the texts of each side.
    """
    train, *tests = sides
    columns = ("quantity", "split", "rows", "smallest", "mean", "largest")
    more = (f"mean relative to {train.name}, %", f"rows outside {train.name}, %")
    rows = [(each, side) for each in quantities for side in sides if side.name in each.ranges]
    tables = [BlockTable("Ranges", (*columns, *more), tuple(_row(*row) for row in rows))]
    figures = {side.name: _figures(side, quantities) for side in sides}
    if all(ANSWER in side.columns for side in sides) and tests:
        answers = texts[train.name].answers
        priors = {side.name: answer_prior(answers, texts[side.name].answers) for side in tests}
        tables.append(_answers_table(train, priors))
        for name, prior in priors.items():
            figures[name]["answers"] = {
                "distinct": prior.test_answers,
                "effective": prior.test_effective,
                "most_common": prior.test_top,
                "majority_accuracy": prior.guess,
                "unseen": prior.unseen,
                "distance": prior.distance,
            }
    lengths = [each for each in quantities if each.is_length]
    faults = [
        f"{each.name} of {side.name} ({each.shifts[side.name].relative:+.0%})"
        for each in lengths
        for side in tests
        if not side.declared.length and _is_far(each.ranges[train.name], each.shifts.get(side.name))
    ]
    bars = [_bars(each, sides) for each in lengths]
    means = "; ".join(_means(each, train, tests) for each in lengths)
    text = f"Means: {means}." if means else "There is nothing to measure."
    if faults:
        text = f"Means shifted by more than {100 * MAX_SHIFT:.3g}%: {listed(faults)}. {text}"
    verdict = FLAG if faults else OK if tests else INFO
    return titled("ranges", verdict, text, tables, bars, figures)


def _figures(side: Side, quantities: Sequence[Quantity]) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    for each in quantities:
        if side.name not in each.ranges or not each.ranges[side.name].n:
            continue
        of_side, shift = each.ranges[side.name], each.shifts.get(side.name)
        numbers = {"min": of_side.low, "mean": of_side.mean, "max": of_side.high}
        if shift is not None:
            numbers |= {"shift": shift.relative, "outside_train": shift.beyond}
        group, name = each.figure
        figures.setdefault(group, {})[name] = numbers
    return figures


def _is_far(train: Range, shift: Shift | None) -> bool:
    """Return whether a mean has shifted by more than a random choice of rows would explain."""
    if shift is None or not abs(shift.relative) > MAX_SHIFT:
        return False
    # The mean of n rows of train would vary by spread / sqrt(n).
    places, counts = train.histogram()
    spread = math.sqrt(float(np.average((places - train.mean) ** 2, weights=counts)))
    return abs(shift.mean) > _MIN_ERRORS * spread / math.sqrt(shift.n)


def _row(each: Quantity, side: Side) -> tuple[Cell, ...]:
    of_side = each.ranges[side.name]
    shift = each.shifts.get(side.name)
    moved = None if shift is None else finite(100 * shift.relative, 1)
    beyond = None if shift is None else finite(100 * shift.beyond, 2)
    numbers = (of_side.n, of_side.low, finite(of_side.mean, 2), of_side.high, moved, beyond)
    return (each.name, side.name, *numbers)


def _means(each: Quantity, train: Side, tests: Sequence[Side]) -> str:
    parts = [
        f"{side.name} {each.ranges[side.name].mean:.1f}"
        for side in (train, *tests)
        if side.name in each.ranges
    ]
    return f"{each.name} {', '.join(parts)}"


def _answers_table(train: Side, priors: Mapping[str, AnswerPrior]) -> BlockTable:
    rows = []
    for name, prior in priors.items():
        shares = (prior.train_top, prior.test_top, prior.guess, prior.unseen)
        effective = (finite(prior.train_effective, 1), finite(prior.test_effective, 1))
        cells = [finite(100 * share, 2) for share in shares]
        counts = (prior.train_answers, prior.test_answers, *effective)
        rows.append((name, *counts, *cells, finite(prior.distance, 4)))
    columns = ("split", f"answers of {train.name}", "answers", f"effective answers of {train.name}")
    more = ("effective answers", f"most common in {train.name}, %", "most common, %")
    last = ("majority-answer accuracy, %", "rows with an unseen answer, %", "total variation")
    return BlockTable("Answers", (*columns, *more, *last), tuple(rows))


def _bars(each: Quantity, sides: Sequence[Side]) -> BarChart:
    """Draw the share of rows by value, in at most 20 bins common to all sides."""
    named = [side.name for side in sides if side.name in each.ranges]
    histograms = [each.ranges[name].histogram() for name in named]
    places = np.unique(np.concatenate([np.zeros(0, np.int64), *(x for x, _ in histograms)]))
    low = int(places[0]) if len(places) else 0
    high = max((h for name in named if (h := each.ranges[name].high) is not None), default=low)
    step, width = step_and_width(places, _BARS)
    starts = list(range(low, high + 1, width))
    labels = tuple(
        str(start) if width == step else f"{start} to {min(start + width - step, high)}"
        for start in starts
    )
    values = []
    for name, (numbers, counts) in zip(named, histograms, strict=True):
        bins = np.clip((numbers - low) // width, 0, len(starts) - 1)
        summed = np.bincount(bins, counts, minlength=len(starts))
        values.append(tuple((100.0 * summed / max(each.ranges[name].n, 1)).round(3).tolist()))
    title = f"{each.name[0].upper()}{each.name[1:]}"
    return BarChart(title, each.name, "share of rows, %", labels, tuple(named), tuple(values))
