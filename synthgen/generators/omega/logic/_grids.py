"""Sizes of the boards of the grid families."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from synthgen.generators.omega._kernel_family import Range, check_range

SIZES: tuple[Range, ...] = (
    *((5, 9), (10, 19), (20, 29), (30, 39), (40, 49)),
    *((50, 59), (60, 69)),
)
"""Shortest and longest side of a board, by level."""
SHORTEST = 3


def check_sizes(min_size: int, max_size: int, longest: int) -> None:
    """Check sides given in place of those of the levels.

    Raises:
        ParamError: unless both are 0 or they are a range from 3 to `longest`.
    """
    check_range("size", min_size, max_size, (SHORTEST, longest))


def chosen_sizes(levels: Sequence[int], min_size: int, max_size: int) -> NDArray[np.int64]:
    """Return the shortest and the longest side at each level, int64 (levels, 2)."""
    if max_size:
        return np.array([(min_size, max_size)] * len(levels), np.int64)
    return np.array([SIZES[level - 1] for level in levels], np.int64)


def sides_of_rows(levels: NDArray[np.int64], min_size: int, max_size: int) -> NDArray[np.int64]:
    """Return the shortest and the longest side for the level of each row, int64 (n, 2)."""
    return chosen_sizes(range(1, len(SIZES) + 1), min_size, max_size)[levels - 1]
