"""Weighted water-filling: rows in proportion to weights over cells that can take only so many.

The share of cell i is min(capacity, level * weight), the level being as high as the rows allow.
With equal weights this is `quota.water_fill`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from synthgen.controllers.apportion import (
    MOST_ROWS,
    Weights,
    exact_weights,
    limits_of,
    shares_rounded,
)
from synthgen.core.checks import check_int


@dataclass(frozen=True, slots=True, eq=False)
class Filling:
    """What each cell gets.

    Attributes:
        shares: before rounding, float64 (k,).
        counts: whole rows, none above its capacity, int64 (k,); they sum to the rows asked for, or
            to all that the cells can take.
        short: rows that no cell can take.
    """

    shares: NDArray[np.float64]
    counts: NDArray[np.int64]
    short: int


def fill_by_weight(
    rows: int, weights: Weights, capacities: Sequence[int | None] | None = None
) -> Filling:
    """Share rows by weight; what a full cell cannot take goes to the others by their weights.

    Args:
        rows: to share, from 0 to 2^53.
        weights: 0 or more each, not all 0, (k,); a cell of weight 0 gets nothing.
        capacities: most rows of each cell, None for no limit.

    Raises:
        ParamError: for rows, weights or capacities out of range.
    """
    check_int("rows", rows, 0, MOST_ROWS)
    exact = exact_weights(weights)
    limits = limits_of(rows, exact, capacities)
    full, left = _full_cells(rows, exact, limits)
    shares: list[Fraction | int] = list(limits)
    counts = list(limits)
    rising = [cell for cell in range(len(exact)) if cell not in full]
    if rising:
        weight = sum(exact[cell] for cell in rising)
        rounded = shares_rounded(left, [exact[cell] for cell in rising])
        for cell, count in zip(rising, rounded, strict=True):
            shares[cell] = Fraction(left * exact[cell], weight)
            counts[cell] = count
    return Filling(
        shares=np.array([float(share) for share in shares]),
        counts=np.array(counts, np.int64),
        short=rows - sum(counts),
    )


def _full_cells(rows: int, exact: list[int], limits: list[int]) -> tuple[set[int], int]:
    """Return the cells that are filled to their limits, and the rows left for the others.

    Cells fill up in the order of limit / weight; a cell is full if its share of what is left is no
    less than its limit, so that shares of the others are below theirs, also rounded up.
    """
    first_full = sorted(
        range(len(exact)),
        key=lambda cell: Fraction(limits[cell], exact[cell]) if exact[cell] else Fraction(0),
    )
    full: set[int] = set()
    left, weight = rows, sum(exact)
    for cell in first_full:
        if limits[cell] * weight > left * exact[cell]:
            break
        full.add(cell)
        left -= limits[cell]
        weight -= exact[cell]
    return full, left
