"""Histograms of axes, and common answers.

Frames are lazy and collected by the streaming engine, so memory grows with the number of distinct
values rather than rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from synthgen.auditing.blocks import HeatMap
from synthgen.coverage.value_ranges import step_and_width


@dataclass(frozen=True, slots=True)
class Bin:
    """Rows with an axis value from `first` to `last`, both included."""

    first: int | str
    last: int | str
    rows: int


@dataclass(frozen=True, slots=True)
class Histogram:
    """Distribution of one axis over the rows of a split.

    Attributes:
        rows, nulls: Numbers of rows with and without a value.
        low, high, mean: Extremes and mean of the values; None without any. Texts have no mean.
        bins: Bins, one for each value, or of equal width if there are too many values.
        others: Number of rows outside the bins: those of the rarer of too many texts.
    """

    axis: str
    rows: int
    nulls: int
    distinct: int
    low: int | str | None
    high: int | str | None
    mean: float | None
    bins: tuple[Bin, ...]
    others: int = 0


MAX_VALUES = 50
BINS = 20


def histograms(frame: pl.LazyFrame, axes: Sequence[str]) -> list[Histogram]:
    """Return the distribution of each axis."""
    schema = frame.collect_schema()
    return [
        _histogram(frame.select(axis), axis, is_text=schema[axis] == pl.String) for axis in axes
    ]


def _histogram(frame: pl.LazyFrame, axis: str, *, is_text: bool) -> Histogram:
    column = pl.col(axis)
    # Unlike floating means, integer sums do not depend on the order of threads.
    total = pl.lit(None) if is_text else column.cast(pl.Int128).sum()
    low, high, rows, nulls, distinct, total_value = (
        frame.select(
            low=column.min(),
            high=column.max(),
            rows=column.count(),
            nulls=column.null_count(),
            distinct=column.drop_nulls().n_unique(),
            total=total,
        )
        .collect(engine="streaming")
        .row(0)
    )
    mean = total_value / rows if rows and not is_text else None
    if distinct <= MAX_VALUES or is_text:
        bins = _value_bins(frame, axis, is_text=is_text)
    else:
        bins = _interval_bins(frame, axis, low, high)
    others = rows - sum(each.rows for each in bins)
    return Histogram(axis, rows, nulls, distinct, low, high, mean, tuple(bins), others)


def _value_bins(frame: pl.LazyFrame, axis: str, *, is_text: bool) -> list[Bin]:
    """Count each value, in value order for numbers, most frequent first for texts."""
    counted = frame.drop_nulls().group_by(axis).agg(_rows=pl.len())
    order = counted.sort("_rows", axis, descending=[True, False]) if is_text else counted.sort(axis)
    ranked = order.head(MAX_VALUES).collect(engine="streaming")
    return [Bin(value, value, rows) for value, rows in ranked.iter_rows()]


def _interval_bins(frame: pl.LazyFrame, axis: str, low: int, high: int) -> list[Bin]:
    """Count values in intervals of equal width, the last one ending at the largest value."""
    values = frame.select(pl.col(axis).cast(pl.Int64)).drop_nulls().unique()
    _, width = step_and_width(values.collect(engine="streaming")[axis].to_numpy(), BINS)
    # The difference of two int64 values may need 65 bits.
    offset = pl.col(axis).cast(pl.Int128) - pl.lit(low, pl.Int128)
    number = (offset // pl.lit(width, pl.Int128)).cast(pl.Int32)
    counts = frame.drop_nulls().group_by(number.alias("_bin")).agg(_rows=pl.len())
    rows = dict(counts.collect(engine="streaming").iter_rows())
    starts = range(low, high + 1, width)
    return [
        Bin(start, min(start + width - 1, high), rows.get(i, 0)) for i, start in enumerate(starts)
    ]


@dataclass(frozen=True, slots=True)
class CommonAnswer:
    """The most frequent answer of a family at one difficulty.

    Attributes:
        rows, answers: Numbers of rows of this family and difficulty, and of their distinct answers.
        answer: Most frequent answer, truncated.
        most: Number of rows with that answer.
    """

    task: str
    difficulty: int
    rows: int
    answers: int
    answer: str
    most: int


FEW_ANSWERS = 50
"""With at most this many distinct answers, a frequent answer is expected."""
MIN_ROWS = 100
MAX_PRIORS = 10
_MAX_TEXT = 60
_GROUP = ["task", "difficulty"]


def answer_priors(frame: pl.LazyFrame) -> tuple[CommonAnswer, ...]:
    """Return the families and difficulties in which one answer has the largest share.

    Only those with more than FEW_ANSWERS distinct answers and at least MIN_ROWS rows count.
    """
    counted = frame.group_by(*_GROUP, pl.col("answer").hash().alias("_hash")).agg(
        rows=pl.len(), answer=pl.col("answer").str.head(_MAX_TEXT).min()
    )
    ranked = counted.sort("rows", "answer", descending=[True, False])
    groups = ranked.group_by(_GROUP).agg(
        total=pl.col("rows").sum(),
        distinct=pl.len(),
        answer=pl.col("answer").first(),
        most=pl.col("rows").max(),
    )
    large = groups.filter(pl.col("distinct") > FEW_ANSWERS, pl.col("total") >= MIN_ROWS)
    share = (pl.col("most") / pl.col("total")).alias("share")
    top = large.sort(share, *_GROUP, descending=[True, False, False]).head(MAX_PRIORS)
    columns = ("task", "difficulty", "total", "distinct", "answer", "most")
    rows = top.select(columns).collect(engine="streaming").iter_rows()
    return tuple(CommonAnswer(*row) for row in rows)


def task_levels(frames: Mapping[str, pl.LazyFrame]) -> tuple[HeatMap, ...]:
    """Return the rows by task and level of each split; empty unless there are several tasks."""
    counts = {
        name: {
            (task, level): rows
            for task, level, rows in frame.drop_nulls(_GROUP)
            .group_by(*_GROUP)
            .agg(rows=pl.len())
            .collect(engine="streaming")
            .iter_rows()
        }
        for name, frame in frames.items()
    }
    cells = {cell for of_split in counts.values() for cell in of_split}
    tasks, levels = (sorted({cell[i] for cell in cells}) for i in range(2))
    if len(tasks) < 2:
        return ()
    return tuple(
        HeatMap(
            name,
            "task",
            "level",
            tuple(tasks),
            tuple(map(str, levels)),
            tuple(
                tuple(of_split.get((t, n), 0) if (t, n) in cells else None for n in levels)
                for t in tasks
            ),
        )
        for name, of_split in counts.items()
    )
