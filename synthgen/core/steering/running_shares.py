"""Acceptance that keeps every cell's running count near its share of the rows kept so far."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int

Ints = NDArray[np.int64]


@njit(cache=True, nogil=True)
def keep_near_shares(
    cells: Ints, counts: Ints, parts: Ints, unit: Int, slack: Int, room: Int
) -> NDArray[np.bool_]:
    """Accept candidates in order while count + 1 <= share (rows + 1) + slack.

    Args:
        cells: of each candidate, 0..k-1; a negative one is never accepted.
        counts: rows kept of each cell, (k,); raised by what is accepted.
        parts: share of each cell in parts of `unit`, (k,).
        unit: parts in a whole.
        slack: in parts of a row.
        room: most candidates to accept.

    Returns:
        bool (n,).
    """
    kept = np.zeros(len(cells), np.bool_)
    total = np.int64(0)
    for count in counts:
        total += count
    last = total + room
    for i in range(len(cells)):
        if total >= last:
            break
        cell = cells[i]
        if cell >= 0 and (counts[cell] + 1) * unit <= parts[cell] * (total + 1) + slack:
            counts[cell] += 1
            total += 1
            kept[i] = True
    return kept
