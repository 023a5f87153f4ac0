"""The prime factors of a number to be, drawn by a kernel."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.generators.omega._draws import PER_DIGIT
from synthgen.generators.omega._powers import MOST_ENTROPY, POWERS, draw_between
from synthgen.generators.omega.arithmetic._primes import LARGEST, next_prime

LARGEST_SMALL = 1_000
"""Numbers that fill up are at most so large."""
_MOST_FACTORS = 2 + 64


@njit(cache=True, nogil=True)
def draw_primes(
    key: np.uint64, draw: Int, entropy: Int, least: Int, low: Int, most_digits: Int
) -> tuple[NDArray[np.int64], Int]:
    """Draw the two largest primes and, if their product fits into a word, what fills it up.

    Args:
        key: of the row.
        draw: number of the next draw.
        entropy: of the number, in sixteenths.
        least: the second-largest prime is at least this.
        low: least entropy of that prime.
        most_digits: of that prime.

    Returns:
        The second-largest and the largest prime and the other factors, and the next draw's number.
    """
    factors = np.empty(_MOST_FACTORS, np.int64)
    high = min(PER_DIGIT * most_digits, entropy // 2)
    size = draw_between(key, draw, min(low, high), high)
    most = POWERS[size]
    start = draw_between(key, draw + 1, least, most - most // 50)
    second = np.int64(next_prime(np.uint64(start)))
    size = draw_between(key, draw + 2, size, entropy - size)
    most = max(second + 1, min(np.int64(LARGEST), POWERS[min(size, MOST_ENTROPY)]))
    start = draw_between(key, draw + 3, second + 1, most)
    largest = np.int64(next_prime(np.uint64(start)))
    draw += 4
    factors[0], factors[1] = second, largest
    count = 2
    if entropy <= MOST_ENTROPY:
        left = POWERS[entropy] // second // largest
        bound = min(second, np.int64(LARGEST_SMALL))
        while left > 1:
            factors[count] = draw_between(key, draw, np.int64(2), min(left, bound))
            left //= factors[count]
            draw += 1
            count += 1
    return factors[:count], draw
