"""Enrichment of sparse cells: of each block only candidates of the least filled cells are kept.

Cells may be joint cells of axes or clusters of features. After every block the cells are ranked
again, so that what was sparse fills up and the next ones come in; the rule of Prismatic synthesis
(arXiv:2505.20161) with its half of the clusters.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from synthgen.controllers.cap import ranks_among_equals
from synthgen.core.errors import ParamError


def least_filled(
    counts: NDArray[np.int64],
    share: float = 0.5,
    capacities: NDArray[np.int64] | None = None,
) -> NDArray[np.bool_]:
    """Say which cells are the least filled ones, bool (k,).

    Args:
        counts: rows of each cell so far, (k,).
        share: of the cells that can still take rows, rounded up to a whole cell, above 0 to 1.
        capacities: most rows of each cell; full ones do not count. None for no limit.

    Returns:
        Exactly that many cells; of equally filled ones the lower index goes first.

    Raises:
        ParamError: for a share out of range or capacities that are not one a cell.
    """
    if not 0.0 < share <= 1.0:
        raise ParamError("share", share, "a number above 0, to 1")
    able = np.ones(len(counts), np.bool_)
    if capacities is not None:
        if capacities.shape != counts.shape:
            raise ParamError("capacities", capacities.shape, f"one a cell, {len(counts)}")
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
    """Say which candidates of a block are kept, and return the counts after it.

    Args:
        cells: of each candidate, 0..k-1, (n,).
        counts: rows of each cell before the block, (k,); is left as it is.
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
