"""What the random worlds of multi-hop questions have in common."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

LAST_WORLD, MOST_DECOYS = 999_999, 10
GROUPS = 1000
"""Groups of equal size into which the facts of a world are divided at random."""


def groups_of(words: NDArray[np.uint64]) -> Ints:
    """Divide facts into groups by the rank of their random words, in the same shape."""
    ranks = np.empty(words.size, np.int64)
    ranks[np.argsort(words, axis=None, kind="stable")] = np.arange(words.size)
    return (ranks * GROUPS // words.size).reshape(words.shape)
