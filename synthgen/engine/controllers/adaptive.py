"""Adaptive acceptance: keep cells near their shares without knowing future candidates.

A candidate of cell i is kept if c_i + 1 <= t_i (N + 1) + slack, with c_i rows of the cell and N of
all kept so far and t_i the wanted share. So no cell is ever more than `slack` rows ahead of its
share. Candidates are processed in order, block by block; block boundaries do not affect the
result.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from synthgen.core.errors import ParamError
from synthgen.core.steering import keep_near_shares
from synthgen.engine.controllers.quotas import Weights, largest_remainder, ranks_among_equals

_UNIT = 1 << 30
"""Parts of a whole share: counts of up to 2^32 rows, times this, fit 64 bits."""

_MOST_SLACK = 1 << 30
MOST_ROWS = 1 << 32


@dataclass(frozen=True, slots=True, eq=False)
class Pace:
    """Wanted shares of cells, and their counts.

    Attributes:
        parts: share of each cell in parts of 2^30, int64 (k,).
        slack: rows that a cell may be ahead of its share, in the same parts.
        counts: rows kept of each cell so far, int64 (k,).
    """

    parts: NDArray[np.int64]
    slack: int
    counts: NDArray[np.int64]


def pace_of(shares: Weights, slack: float = 1.0) -> Pace:
    """Return the pace before the first candidate.

    Args:
        shares: wanted share of each cell, in any unit, (k,).
        slack: rows that a cell may be ahead of its share, 1 to 2^30. Below 1 the rule could get
            stuck with no cell allowed to take the next row. More slack needs fewer candidates,
            but makes the counts less exact.

    Raises:
        ParamError: for shares or slack out of range.
    """
    if not 1.0 <= slack <= _MOST_SLACK:
        raise ParamError("slack", slack, "a number of rows from 1 to 2^30")
    parts = largest_remainder(_UNIT, shares)
    return Pace(parts, round(slack * _UNIT), np.zeros(len(parts), np.int64))


def keep_on_pace(
    pace: Pace, cells: NDArray[np.integer], rows: int | None = None
) -> tuple[NDArray[np.bool_], Pace]:
    """Return which candidates of a block are kept, and return the pace for the next block.

    Args:
        pace: pace before the block; not modified.
        cells: cell of each candidate, 0..k-1, (n,); candidates with a negative one are not kept.
        rows: stop at this many rows of all blocks.

    Raises:
        ParamError: for a cell that the pace does not have, or more rows than it can count.
    """
    if len(cells) and cells.max() >= len(pace.parts):
        raise ParamError("cells", int(cells.max()), f"at most {len(pace.parts) - 1}")
    kept_before = int(pace.counts.sum())
    room = len(cells) if rows is None else max(0, rows - kept_before)
    if kept_before + min(room, len(cells)) > MOST_ROWS:
        raise ParamError("rows", kept_before + room, f"at most {MOST_ROWS}")
    counts = pace.counts.copy()
    kept = keep_near_shares(
        cells.astype(np.int64), counts, pace.parts, _UNIT, pace.slack, min(room, len(cells))
    )
    return kept, replace(pace, counts=counts)


def least_filled(
    counts: NDArray[np.int64],
    share: float = 0.5,
    capacities: NDArray[np.int64] | None = None,
) -> NDArray[np.bool_]:
    """Return which cells are the least filled ones, bool (k,).

    Args:
        counts: rows of each cell so far, (k,).
        share: fraction of the cells with room, rounded up to a whole cell, above 0 to 1.
        capacities: most rows of each cell; full ones do not count. None for no limit.

    Returns:
        Exactly that many cells; ties go to the lower index.

    Raises:
        ParamError: for a share out of range or capacities that are not one per cell.
    """
    if not 0.0 < share <= 1.0:
        raise ParamError("share", share, "a number above 0, to 1")
    able = np.ones(len(counts), np.bool_)
    if capacities is not None:
        if capacities.shape != counts.shape:
            raise ParamError("capacities", capacities.shape, f"one per cell, {len(counts)}")
        able = counts < capacities
    cells = np.flatnonzero(able)
    rising = cells[np.argsort(counts[cells], kind="stable")]
    chosen = np.zeros(len(counts), np.bool_)
    chosen[rising[: math.ceil(share * len(cells))]] = True
    return chosen


def keep_sparse(
    cells: NDArray[np.integer],
    counts: NDArray[np.int64],
    share: float = 0.5,
    capacities: NDArray[np.int64] | None = None,
) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Return which candidates of a block are kept, and return the counts after it.

    Args:
        cells: cell of each candidate, 0..k-1, (n,).
        counts: rows of each cell before the block, (k,); not modified.
        share: as in `least_filled`.
        capacities: most rows of each cell; the first candidates of a cell fill it.

    Raises:
        ParamError: for arguments out of range.
    """
    if len(cells) and not 0 <= cells.min() <= cells.max() < len(counts):
        raise ParamError("cells", (int(cells.min()), int(cells.max())), f"0 to {len(counts) - 1}")
    kept = least_filled(counts, share, capacities)[cells]
    if capacities is not None:
        places = np.flatnonzero(kept)
        late = ranks_among_equals(cells[places]) >= (capacities - counts)[cells[places]]
        kept[places[late]] = False
    return kept, counts + np.bincount(cells[kept], minlength=len(counts))
