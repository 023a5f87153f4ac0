"""Integers of a given entropy in kernels, as far as 64 bits go."""

from __future__ import annotations

import numpy as np
from numba import njit

from synthgen.core.kinds import Int
from synthgen.core.randomness import draw_bits, scale_below
from synthgen.generators.omega._draws import PER_DIGIT, power_of_ten

MOST_ENTROPY = 18 * PER_DIGIT
"""Of integers in these kernels, in sixteenths."""
POWERS = np.array([power_of_ten(size) for size in range(MOST_ENTROPY + 1)], np.int64)
"""`power_of_ten` by entropy."""


@njit(cache=True, nogil=True)
def draw_between(key: np.uint64, draw: Int, low: Int, high: Int) -> Int:
    """Draw an integer from low to high, both included, by one word."""
    return low + np.int64(scale_below(draw_bits(key, draw), np.uint64(high - low + 1)))


@njit(cache=True, nogil=True)
def draw_positive(key: np.uint64, draw: Int, entropy: Int) -> Int:
    """Draw an integer from 1 on, of at most this entropy, as `positive_of` does."""
    return draw_between(key, draw, np.int64(1), POWERS[entropy])
