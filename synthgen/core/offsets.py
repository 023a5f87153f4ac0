"""Kernels over the offsets of ragged columns."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent


@lent
def longest_row(offsets: NDArray[np.int64]) -> Int:
    """Return the length of the longest row, at least 1, as stacks over a row need it."""
    longest: Int = np.int64(1)
    for i in range(len(offsets) - 1):
        longest = max(longest, offsets[i + 1] - offsets[i])
    return longest
