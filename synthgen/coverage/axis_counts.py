"""Counts of axis combinations on every side, of axes reduced to a few values.

Integers with up to 30 distinct values keep them; others are binned at the eighths of train, with
separate bins for values below or above all of train. Names keep the 29 most common and merge all
others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from synthgen.core.columns import integer_values, null_mask
from synthgen.coverage.inputs import Side, Sides, inside, text_of, value_counts
from synthgen.coverage.t_way import CombinationCounts
from synthgen.coverage.value_ranges import Beyond, Range

Ints = NDArray[np.int64]
Codes = NDArray[np.int32]

MAX_FACTORS, MAX_VALUES = 10, 30
"""Number of axes counted together, and of values per axis."""
OTHERS = "others"
_BINS = 8
_EXACT = 255  # up to which a range knows every value
_MAX_NAMES = 10_000
STRENGTHS = (1, 2, 3)
MAX_SAMPLED = 1_000
_MAX_CELLS = 4_000_000


@dataclass
class AxisValues:
    """The values of one axis on each side.

    Attributes:
        integers: Range of an integer axis, by side.
        names: Counts of the names of a text axis, by side.
    """

    integers: dict[str, Range]
    names: dict[str, Counter[str]]

    @property
    def values(self) -> int:
        """Number of distinct values on all sides, approximate if there are many."""
        if self.names:
            return len(set().union(*self.names.values()))
        return len(_starts(list(self.integers.values())))


@dataclass(frozen=True)
class Factor:
    """An axis with few values.

    Attributes:
        axis: Name.
        labels: Labels of the values, (k,).
        edges: Smallest value of each bin of an integer axis from the second on, (k - 1,).
        codes: Codes of the names of a text axis.
        binned: Whether some values share a label.
    """

    axis: str
    labels: tuple[str, ...]
    edges: Ints
    codes: Mapping[str, int]
    binned: bool

    def encode(self, batch: pa.RecordBatch) -> Codes:
        """Return the code of each row, -1 for rows without a value, int32 (n,)."""
        column = batch.column(self.axis)
        if not self.codes:
            out = np.searchsorted(self.edges, integer_values(column), side="right").astype(np.int32)
            out[null_mask(column)] = -1
            return out
        encoding = text_of(batch, self.axis).dictionary_encode()
        encoded, names = pc.fill_null(encoding.indices, -1), encoding.dictionary.to_pylist()
        other = self.codes.get(OTHERS, -1)
        table = np.array([*(self.codes.get(name, other) for name in names), -1], np.int32)
        codes: Codes = table[integer_values(encoded)]
        return codes


def survey(sides: Sides, axes: Sequence[str]) -> dict[str, AxisValues]:
    """Survey the values of axes in one pass per side, ignoring other column types."""
    surveys = {axis: AxisValues({}, {}) for axis in axes}
    for side in sides.all:
        for batch in side.batches(list(axes)) if axes else ():
            for axis in axes:
                column = batch.column(axis)
                if pa.types.is_integer(column.type):
                    kept = integer_values(column)[~null_mask(column)]
                    surveys[axis].integers.setdefault(side.name, Range()).add(kept)
                elif column.type == pa.string():
                    counts = surveys[axis].names.setdefault(side.name, Counter())
                    if len(counts) < _MAX_NAMES:
                        counts.update(value_counts(column.drop_null()))
    return {axis: each for axis, each in surveys.items() if each.integers or each.names}


def choose_axes(surveys: Mapping[str, AxisValues], first: Sequence[str]) -> list[str]:
    """Return at most 10 axes to count together: those that vary, with those of rules first."""
    varied = [axis for axis, each in surveys.items() if each.values > 1]
    return sorted(varied, key=lambda axis: axis not in first)[:MAX_FACTORS]


def factor_of(axis: str, values: AxisValues, train: Side, declared: Sequence[str] = ()) -> Factor:
    """Reduce one axis to its values or bins.

    Args:
        axis: Name of the axis.
        values: Values on every side.
        train: Side whose eighths define the bins.
        declared: Names in declared order, if any.
    """
    if values.names:
        return _of_names(axis, values.names, declared)
    ranges = list(values.integers.values())
    starts = _starts(ranges)
    if len(starts) <= MAX_VALUES and all(abs(start) <= _EXACT for start in starts):
        return Factor(axis, tuple(map(str, starts)), np.array(starts[1:], np.int64), {}, False)
    of_train = values.integers.get(train.name, Range())
    low = min(r.low for r in ranges if r.low is not None)
    high = max(r.high for r in ranges if r.high is not None)
    edges = _edges(of_train if of_train.n else ranges[0], low, high)
    bounds = [low, *edges, high + 1]
    labels = tuple(str(a) if a == b - 1 else f"{a} to {b - 1}" for a, b in pairwise(bounds))
    return Factor(axis, labels, np.array(edges, np.int64), {}, True)


def _of_names(axis: str, counts: Mapping[str, Counter[str]], declared: Sequence[str]) -> Factor:
    total: Counter[str] = Counter()
    for each in counts.values():
        total.update(each)
    order = {name: number for number, name in enumerate(declared)}
    ranked = sorted(total, key=lambda name: (-total[name], order.get(name, len(order)), name))
    many = len(ranked) > MAX_VALUES
    kept = ranked[: MAX_VALUES - 1] if many else ranked
    kept.sort(key=lambda name: (order.get(name, len(order)), name))
    labels = [*kept, OTHERS] if many and OTHERS not in kept else kept
    codes = {name: code for code, name in enumerate(labels)}
    return Factor(axis, tuple(labels), np.zeros(0, np.int64), codes, many)


def _edges(train: Range, low: int, high: int) -> list[int]:
    """Return the smallest value of each bin but the first: eighths of train, and its ends."""
    cuts = [train.quantile(step / _BINS) for step in range(1, _BINS)]
    ends = [train.low, None if train.high is None else train.high + 1]
    return sorted({cut for cut in (*cuts, *ends) if cut is not None and low < cut <= high})


def _starts(ranges: Sequence[Range]) -> list[int]:
    merged = Range()
    for each in ranges:
        merged.merge(each)
    return list(merged.histogram()[0].tolist())


@dataclass
class AxisCounts:
    """Counts of one side.

    Attributes:
        counts: Counts of the configurations of every t factors, by t.
        beyond: Values of each integer axis compared with those of train; empty for train.
        sample: Codes of the sampled rows, int32 (m, factors).
    """

    counts: dict[int, CombinationCounts] = field(default_factory=dict)
    beyond: dict[str, Beyond] = field(default_factory=dict)
    sample: NDArray[np.int32] = field(default_factory=lambda: np.zeros((0, 0), np.int32))


def count_axes(
    side: Side, factors: Sequence[Factor], train: Mapping[str, Range] | None
) -> AxisCounts:
    """Count the rows of a side by combination of one to three factors.

    Args:
        side: Side to read.
        factors: Factors to count; for three at once only the first ones, if all are too many.
        train: Ranges of the integer axes of train; None if this is train.
    """
    counted = AxisCounts()
    integers = [factor.axis for factor in factors if not factor.codes] if train is not None else []
    for axis in integers:
        counted.beyond[axis] = Beyond((train or {}).get(axis, Range()))
    chosen = {t: factors_for(factors, t) for t in STRENGTHS if t <= len(factors)}
    for t, some in chosen.items():
        counted.counts[t] = CombinationCounts([len(factor.labels) for factor in some], t)
    sampled: list[NDArray[np.int32]] = []
    positions = side.sampled(MAX_SAMPLED)
    start = 0
    for batch in side.batches([factor.axis for factor in factors]) if factors else ():
        codes = [factor.encode(batch) for factor in factors]
        for t, some in chosen.items():
            counted.counts[t].add(codes[: len(some)])
        for axis in integers:
            column = batch.column(axis)
            counted.beyond[axis].add(integer_values(column)[~null_mask(column)])
        rows = inside(positions, start, batch.num_rows)
        sampled.append(np.stack([column[rows] for column in codes], axis=1))
        start += batch.num_rows
    if sampled:
        counted.sample = np.concatenate(sampled)
    return counted


def factors_for(factors: Sequence[Factor], t: int) -> Sequence[Factor]:
    """Return the first factors whose combinations of t have few enough cells to count."""
    for count in range(len(factors), t - 1, -1):
        sizes = [len(factor.labels) for factor in factors[:count]]
        if _cells(sizes, t) <= _MAX_CELLS:
            return factors[:count]
    return factors[:t]


def _cells(sizes: Sequence[int], t: int) -> int:
    """Return the elementary symmetric sum: the number of cells of every t factors."""
    sums = [1, *[0] * t]
    for size in sizes:
        for k in range(t, 0, -1):
            sums[k] += sums[k - 1] * size
    return sums[t]
