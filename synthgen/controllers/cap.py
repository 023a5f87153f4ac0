"""Caps: at most a share of each cell's rows may have the same value of an axis.

HINT's generator lets a result occur at most 5 % of the time in this way, so that small numbers do
not crowd out the rest. Rows are taken in order; one whose value is used up is passed over.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_RADIX_SORTED = 1 << 15
"""Below this values fit 16 bits, which numpy sorts several times as fast."""


def cap_count(share: float, quota: int) -> int:
    """Return how many of `quota` rows may have the same value: the floor, but at least one."""
    return max(1, int(share * quota))


def ranks_among_equals(values: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return for each value how many equal ones stand before it, int64 (n,)."""
    if len(values) and values.min() >= 0 and values.max() < _RADIX_SORTED:
        values = values.astype(np.int16)
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    first = np.ones(len(values), dtype=bool)
    first[1:] = ordered[1:] != ordered[:-1]
    starts = np.flatnonzero(first)
    ranks = np.empty(len(values), np.int64)
    ranks[order] = np.arange(len(values)) - np.repeat(starts, np.diff(starts, append=len(values)))
    return ranks


def supply(rows_by_rank: NDArray[np.int64], share: float, quota: int) -> int:
    """Return how many of a cell's rows the cap of `quota` rows lets through.

    Args:
        rows_by_rank: rows with no equal one before them, with one, with two and so on.
        share: of the quota that may have the same value.
        quota: rows.
    """
    return int(rows_by_rank[: cap_count(share, quota)].sum())


def capacity(rows_by_rank: NDArray[np.int64], share: float) -> int:
    """Return the largest quota that a cell's rows can fill under its own cap."""
    quota = int(rows_by_rank.sum())
    while (able := supply(rows_by_rank, share, quota)) < quota:
        quota = able
    return quota
