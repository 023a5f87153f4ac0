"""Counts of axis combinations on every side, in a second pass over the rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.core.columns import integer_values, null_mask
from synthgen.coverage.axis_factors import Factor
from synthgen.coverage.combination_counts import CombinationCounts
from synthgen.coverage.inputs import Side, inside
from synthgen.coverage.value_ranges import Beyond, Range

Ints = NDArray[np.int64]

STRENGTHS = (1, 2, 3)
MAX_SAMPLED = 1_000
_MAX_CELLS = 4_000_000


@dataclass
class AxisFacts:
    """Counts of one side.

    Attributes:
        counts: t -> counts of the configurations of every t factors.
        beyond: integer axis -> its values compared with train's; empty for train.
        sample: codes of the sampled rows, int32 (m, factors).
    """

    counts: dict[int, CombinationCounts] = field(default_factory=dict)
    beyond: dict[str, Beyond] = field(default_factory=dict)
    sample: NDArray[np.int32] = field(default_factory=lambda: np.zeros((0, 0), np.int32))


def count_axes(
    side: Side, factors: Sequence[Factor], train: Mapping[str, Range] | None
) -> AxisFacts:
    """Count the rows of a side by combination of one to three factors.

    Args:
        side: side to read.
        factors: factors to count; for three at once only the first ones, if all are too many.
        train: ranges of the integer axes of train; None if this is train.
    """
    facts = AxisFacts()
    integers = [factor.axis for factor in factors if not factor.codes] if train is not None else []
    for axis in integers:
        facts.beyond[axis] = Beyond((train or {}).get(axis, Range()))
    chosen = {t: factors_for(factors, t) for t in STRENGTHS if t <= len(factors)}
    for t, some in chosen.items():
        facts.counts[t] = CombinationCounts([len(factor.labels) for factor in some], t)
    sampled: list[NDArray[np.int32]] = []
    positions = side.sampled(MAX_SAMPLED)
    start = 0
    for batch in side.batches([factor.axis for factor in factors]) if factors else ():
        codes = [factor.encode(batch) for factor in factors]
        for t, some in chosen.items():
            facts.counts[t].add(codes[: len(some)])
        for axis in integers:
            facts.beyond[axis].add(_present(batch, axis))
        rows = inside(positions, start, batch.num_rows)
        sampled.append(np.stack([column[rows] for column in codes], axis=1))
        start += batch.num_rows
    if sampled:
        facts.sample = np.concatenate(sampled)
    return facts


def factors_for(factors: Sequence[Factor], t: int) -> Sequence[Factor]:
    """Return the first factors whose combinations of t have few enough cells to count."""
    for most in range(len(factors), t - 1, -1):
        sizes = [len(factor.labels) for factor in factors[:most]]
        if _cells(sizes, t) <= _MAX_CELLS:
            return factors[:most]
    return factors[:t]


def _cells(sizes: Sequence[int], t: int) -> int:
    """Return the elementary symmetric sum: the number of cells of every t factors."""
    sums = [1, *[0] * t]
    for size in sizes:
        for k in range(t, 0, -1):
            sums[k] += sums[k - 1] * size
    return sums[t]


def _present(batch: pa.RecordBatch, axis: str) -> Ints:
    column = batch.column(axis)
    found: Ints = integer_values(column)[~null_mask(column)]
    return found
