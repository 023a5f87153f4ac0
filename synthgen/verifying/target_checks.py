"""Check that targets drawn from several right answers are uniform: a test by chi-square."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import polars as pl

from synthgen.dataset.records import SplitRecord
from synthgen.rules.axes import CHOICES, CHOSEN, Axis
from synthgen.rules.language import read_rule
from synthgen.verifying.promises import Check

_LEAST = 1e-5
"""Smaller probabilities fail: uniform targets have them once in 100,000 splits."""
_EXPECTED = 5
"""Rows that each place is expected to have; rarer numbers of answers share ten cells."""
_CELLS = 10


def check_targets(split: SplitRecord, frame: pl.LazyFrame, axes: Mapping[str, Axis]) -> list[Check]:
    """Check the places of the targets among the right answers, if a family records them.

    Rules that name the place choose it on purpose.
    """
    if not {CHOICES, CHOSEN} <= axes.keys() or (
        split.where and CHOSEN in read_rule(split.where, axes).names
    ):
        return []
    columns = [pl.col(name).cast(pl.Int64) for name in (CHOICES, CHOSEN)]
    counts = frame.select(columns).drop_nulls().group_by(CHOICES, CHOSEN).len()
    rows = counts.collect(engine="streaming").sort(CHOICES, CHOSEN).rows()
    if not rows:
        return []
    square, degrees = _chi_square(rows)
    total = sum(count for *_, count in rows)
    if not degrees:
        detail = f"not tested: {total} rows are too few"
        return [Check(f"targets/{split.name}", ok=True, detail=detail)]
    p = probability(square, degrees)
    detail = f"places of {total} targets among the right answers: chi-square {square:.1f} with "
    detail += f"{degrees} degrees of freedom, p = {p:.2g}, expected at least {_LEAST:g}"
    return [Check(f"targets/{split.name}", p >= _LEAST, detail)]


def _chi_square(rows: list[tuple[int, int, int]]) -> tuple[float, int]:
    """Return chi-square and its degrees of freedom.

    Args:
        rows: Number of right answers, place of the target, and rows that have both.
    """
    observed: dict[int, dict[int, int]] = {}
    for choices, chosen, count in rows:
        observed.setdefault(choices, {})[chosen] = count
    square, degrees = 0.0, 0
    shared, wanted = np.zeros(_CELLS), np.zeros(_CELLS)
    for choices, places in observed.items():
        total = sum(places.values())
        if not {*places} <= {*range(choices)}:
            return math.inf, 1
        if total >= _EXPECTED * choices:
            mean = total / choices
            square += sum((places.get(place, 0) - mean) ** 2 for place in range(choices)) / mean
            degrees += choices - 1
            continue
        cells = np.arange(choices) * _CELLS // choices
        wanted += np.bincount(cells, minlength=_CELLS) * total / choices
        for place, count in places.items():
            shared[cells[place]] += count
    if wanted.min() >= _EXPECTED:
        square += float(((shared - wanted) ** 2 / wanted).sum())
        degrees += _CELLS - 1
    return square, degrees


def probability(square: float, degrees: int) -> float:
    """Return the probability of a chi-square at least this large (Wilson and Hilferty 1931).

    >>> round(probability(18.31, 10), 3), round(probability(90.5, 50), 4)
    (0.05, 0.0004)
    """
    spread = 2 / (9 * degrees)
    z = ((square / degrees) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)
    return math.erfc(z / math.sqrt(2)) / 2
