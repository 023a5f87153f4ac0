"""Adaptive acceptance: cells kept near their shares although nobody knows what candidates will be.

A candidate of cell i is kept if c_i + 1 <= t_i (N + 1) + slack, with c_i rows of the cell and N of
all kept so far and t_i the wanted share. So no cell is ever more than `slack` rows ahead of its
share. Candidates are looked at in order, block after block, and it makes no difference where a
block ends.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from synthgen.controllers.apportion import Weights, largest_remainder
from synthgen.core.errors import ParamError
from synthgen.core.steering.running_shares import keep_near_shares

_UNIT = 1 << 30
"""Parts of a whole share: counts of up to 2^32 rows, times this, fit 64 bits."""

_MOST_SLACK = 1 << 30
MOST_ROWS = 1 << 32


@dataclass(frozen=True, slots=True, eq=False)
class Pace:
    """What is wanted of the cells, and what they have.

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
        shares: wanted of each cell, in any unit, (k,).
        slack: rows that a cell may be ahead of its share, 1 to 2^30. With less than 1 the rule
            could come to where no cell may take the next row. More of it needs fewer candidates
            and makes the counts less exact.

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
    """Say which candidates of a block are kept, and return the pace for the next block.

    Args:
        pace: before the block; is left as it is.
        cells: of each candidate, 0..k-1, (n,); one below 0 belongs to no cell and is not kept.
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
