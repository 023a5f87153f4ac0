"""Regular polygons up to their symmetries: sets of vertices as bit masks, turned and mirrored."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int

MOST_SIDES = 30
"""A mask turned within 64 bits needs twice as many."""
Masks = NDArray[np.int64]


@njit(cache=True, nogil=True)
def turned(mask: Int, places: Int, n: Int) -> Int:
    """Return a mask of n vertices turned by 0 to n - 1 places."""
    return (mask << places | mask >> (n - places)) & ((np.int64(1) << n) - 1)


@njit(cache=True, nogil=True)
def ones(mask: Int) -> Int:
    """Return the number of vertices in a mask."""
    count: Int = np.int64(0)
    while mask:
        mask &= mask - 1
        count += 1
    return count


@njit(cache=True, nogil=True)
def take_least(masks: Masks, count: Int, n: Int, best: Masks, fresh: Int) -> None:
    """Put into `best` the least of all turns of the first `count` masks, and of what it holds.

    Tuples of masks are compared in order. What `best` holds does not count if `fresh` is 1.
    """
    for places in range(n):
        better = fresh == 1 and places == 0
        for k in range(count):
            mask = turned(masks[k], places, n)
            if not better:
                if mask > best[k]:
                    break
                better = mask < best[k]
            if better:
                best[k] = mask
