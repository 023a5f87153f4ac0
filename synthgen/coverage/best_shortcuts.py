"""The best shortcut of each split: what predictors get right that know nothing of the problem."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from synthgen.coverage.inputs import Side, Sides, read_rows
from synthgen.coverage.intervals import wilson_interval
from synthgen.coverage.predictors import (
    ANSWER,
    FAMILY,
    LEVEL,
    MOST_FREQUENT,
    PROMPT,
    TEMPLATE,
    Hits,
    given,
    measure_shortcuts,
    sampled,
)

MAX_SHARE = 0.5
"""Unless a recipe sets another limit, a predictor that gets more of a split right is flagged."""
MAX_TRAIN, MAX_TEST = 20_000, 10_000
"""Rows of train that predictors are fitted on, and rows of each test that they are applied to."""
HELD_OUT = " (a fifth held out)"
NO_ANSWERS = "the rows have no answers"
NOT_MEASURED = "there are no exact answers, only rubrics or free texts"

_TYPE, _NOT_EXACT = "answer_type", ("rubric", "text")
_MAX_CHARACTERS = 8_000_000
_MIN_OF_CELL = 30
_NUMBER, _MAX_FIRST = "#row", 3


@dataclass(frozen=True)
class Sampled:
    """Sampled rows of a split that have an exact answer.

    Attributes:
        name: Name of the split.
        rows: Prompt, answer and family of each, and perhaps wording, level and axes.
        shares: Whether the split may share problems with train.
    """

    name: str
    rows: pl.DataFrame
    shares: bool = False


@dataclass(frozen=True, slots=True)
class Best:
    """The best predictor of a split, of a family in it, or of a level of that.

    Attributes:
        family, level: Part of the split; None for all of them.
        hits, rows: Rows that the predictor gets right, and those it was applied to.
        usual: Share that the most frequent answer gets right.
        over: Whether this is above the limit; for a part of a split, the lower end of the interval
            must be above, since many parts are compared.
        declared: Whether the split may share problems with train, so that nothing is flagged.
        first: Numbers of the first rows that it gets right, if they are known.
    """

    split: str
    family: str | None
    level: int | None
    predictor: str
    hits: int
    rows: int
    usual: float
    over: bool
    declared: bool
    first: tuple[int, ...] = ()

    @property
    def share(self) -> float:
        """Share of the rows that the predictor gets right."""
        return self.hits / self.rows

    @property
    def place(self) -> str:
        """The split, and which part of it."""
        parts = [self.family, None if self.level is None else f"level {self.level}"]
        return " ".join([self.split, *(part for part in parts if part)])


@dataclass(frozen=True)
class Shortcuts:
    """Results of all predictors.

    Attributes:
        best: The best one of each split, then of each part of a split, the worst parts first.
        table: Split, predictor, rows, right, percent and note of every predictor.
        limit: Largest share that is not flagged.
        missing: Reason why nothing was measured, or empty.
        by_family: Whether families, wordings or levels were known.
        left_out: Splits without exact answers.
    """

    best: tuple[Best, ...] = ()
    table: tuple[tuple[str | int | float | None, ...], ...] = ()
    limit: float = MAX_SHARE
    missing: str = ""
    by_family: bool = False
    left_out: tuple[str, ...] = ()

    @property
    def worst(self) -> Best:
        """The split of which a predictor gets the largest share right, undeclared ones first."""
        return max(self.splits, key=lambda best: (not best.declared, best.share))

    @property
    def splits(self) -> tuple[Best, ...]:
        """The best predictor of each whole split."""
        return tuple(best for best in self.best if best.family is None and best.level is None)


def sides_shortcuts(sides: Sides, axes: Sequence[str] = (), limit: float = MAX_SHARE) -> Shortcuts:
    """Measure predictors on samples of all sides; arguments as for `find_shortcuts`."""
    if not sides.have(ANSWER):
        return Shortcuts(missing=NO_ANSWERS)
    columns = [PROMPT, ANSWER, _TYPE, FAMILY, TEMPLATE, LEVEL, *axes]
    columns = [name for name in columns if sides.have(name)]
    train, *tests = (_sample(side, columns, side is sides.train) for side in sides.all)
    shortcuts = find_shortcuts(train, tests, axes, limit)
    return replace(shortcuts, by_family=bool({FAMILY, TEMPLATE, LEVEL} & set(columns)))


def _sample(side: Side, columns: Sequence[str], is_train: bool) -> Sampled:  # noqa: FBT001
    positions = side.sampled(MAX_TRAIN if is_train else MAX_TEST)
    rows = pl.DataFrame(read_rows(side, columns, positions))
    rows = rows.with_columns(pl.Series(_NUMBER, positions))
    return Sampled(side.name, rows, side.declared.shares)


def find_shortcuts(
    train: Sampled, tests: Sequence[Sampled], axes: Sequence[str] = (), limit: float = MAX_SHARE
) -> Shortcuts:
    """Fit predictors on sampled rows of train, and apply them to those of the tests.

    Args:
        train: Rows to fit on; without tests, a fifth of them is held out as one.
        tests: Rows of other splits.
        axes: Columns of integers or names.
        limit: Largest share of a split that a predictor may get right.
    """
    fit, *others = (_exact(each) for each in (train, *tests))
    if not tests:
        held = np.isin(np.arange(len(fit.rows)), sampled(len(fit.rows), len(fit.rows) // 5))
        others = [Sampled(f"{fit.name}{HELD_OUT}", fit.rows.filter(held))]
        fit = Sampled(fit.name, fit.rows.filter(~held))
    some = {each.name: each for each in others if len(each.rows)}
    if not len(fit.rows) or not some:
        some_rows = any(len(each.rows) for each in (train, *tests))
        return Shortcuts(missing=NOT_MEASURED if some_rows else "there are no rows")
    hits = measure_shortcuts(fit.rows, {name: each.rows for name, each in some.items()}, axes)
    whole = [best for each in some.values() for best in _bests(each, hits[each.name], (), limit)]
    parts = [
        best
        for each in some.values()
        for by in _groupings(fit.rows)
        for best in _bests(each, hits[each.name], by, limit)
    ]
    parts.sort(key=lambda best: -best.share)
    rows = tuple(
        (name, predictor, n, right, round(100.0 * right / n, 2) if n else None, note)
        for name, by_predictor in hits.items()
        for predictor, each in by_predictor.items()
        for right, n in [_rights(each)]
        for note in ["" if _counted(predictor) else "may follow from the answer: not flagged"]
    )
    left_out = tuple(each.name for each in others if each.name not in some)
    return Shortcuts((*whole, *parts), rows, limit, left_out=left_out)


def _exact(each: Sampled) -> Sampled:
    """Return the rows with an exact answer, as many as have few enough characters."""
    rows = each.rows.drop_nulls([PROMPT, ANSWER]).with_columns(pl.col(ANSWER).str.strip_chars())
    if _TYPE in rows.columns:
        rows = rows.filter(~pl.col(_TYPE).is_in(_NOT_EXACT))
    if FAMILY not in rows.columns:
        rows = rows.with_columns(pl.lit("").alias(FAMILY))
    length = rows[PROMPT].str.len_bytes().mean()
    most = int(_MAX_CHARACTERS / max(float(length or 1), 1.0))  # type: ignore[arg-type]
    return Sampled(each.name, rows[sampled(len(rows), most)], each.shares)


def _groupings(train: pl.DataFrame) -> Iterator[tuple[str, ...]]:
    """Yield the columns that vary and that parts of a split share: family, and level in it."""
    family = (FAMILY,) if train[FAMILY].n_unique() > 1 else ()
    if family:
        yield family
    if LEVEL in train.columns and train[LEVEL].n_unique() > 1:
        yield (*family, LEVEL)


def _bests(
    test: Sampled, hits: Mapping[str, Hits], by: Sequence[str], limit: float
) -> Iterator[Best]:
    """Yield the best predictor of each part of a split that has enough rows."""
    numbered = test.rows.select(*by, row=pl.int_range(len(test.rows)))
    groups = numbered.partition_by(by, maintain_order=True) if by else [numbered]
    for group in groups:
        rows = group["row"].to_numpy()
        counts = {name: _rights(of[rows]) for name, of in hits.items() if _counted(name)}
        fewest = _MIN_OF_CELL if by else 1
        enough = {name: count for name, count in counts.items() if count[1] >= fewest}
        if not enough:
            continue
        name = max(enough, key=lambda each: enough[each][0] / enough[each][1])
        right, n = enough[name]
        share = wilson_interval(right, n)[0] if by else right / n
        part = group.row(0, named=True)
        yield Best(
            test.name,
            part.get(FAMILY),
            part.get(LEVEL),
            name,
            right,
            n,
            counts[MOST_FREQUENT][0] / counts[MOST_FREQUENT][1],
            share > limit,
            test.shares,
            _first(test.rows[rows], hits[name][rows]),
        )


def _first(rows: pl.DataFrame, hits: Hits) -> tuple[int, ...]:
    """Return the numbers of the first rows that a predictor gets right."""
    right = np.flatnonzero(hits == 1)[:_MAX_FIRST]
    return tuple(rows[_NUMBER][right].to_list()) if _NUMBER in rows.columns else ()


def _counted(predictor: str) -> bool:
    """Return whether a predictor sees only the prompt or the level: axes may know the answer."""
    known = {given(TEMPLATE), given(LEVEL)}
    return predictor in known or not predictor.startswith(given(""))


def _rights(hits: NDArray[np.int8]) -> tuple[int, int]:
    return int((hits == 1).sum()), int((hits >= 0).sum())
