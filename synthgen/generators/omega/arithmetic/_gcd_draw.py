"""Coprime pairs and the divisor that they are multiplied by, drawn by a kernel."""

from __future__ import annotations

from math import gcd

import numpy as np
from numba import njit

from synthgen.core.kinds import Int
from synthgen.generators.omega._draws import PER_DIGIT
from synthgen.generators.omega._powers import MOST_ENTROPY, draw_between, draw_positive

DRAWN, TOO_LARGE, FAILED = range(3)
"""What the kernel comes back with: a pair, none as numbers may be too large, none at all."""
_TRIES = 64


@njit(cache=True, nogil=True)
def draw_pair(key: np.uint64, low: Int, high: Int) -> tuple[Int, Int, Int, Int]:
    """Draw as the family does: return what came out, the pair, and the divisor.

    Args:
        key: of the row.
        low: least entropy, in sixteenths.
        high: most of it.
    """
    entropy = draw_between(key, np.int64(0), low, high)
    third = entropy // 3
    least = max(third - 2 * PER_DIGIT, np.int64(0))
    common = PER_DIGIT + draw_between(key, np.int64(1), least, third)
    rest = entropy - common
    none = np.int64(0)
    if common > MOST_ENTROPY:
        return TOO_LARGE, none, none, none
    divisor = draw_positive(key, np.int64(2), common)
    draw: Int = np.int64(3)
    for _ in range(_TRIES):
        share = draw_between(key, draw, none, rest)
        if max(share, rest - share) > MOST_ENTROPY:
            return TOO_LARGE, none, none, none
        p = draw_positive(key, draw + 1, share)
        q = draw_positive(key, draw + 2, rest - share)
        draw += 3
        if gcd(p, q) == 1 and p != q:
            return DRAWN, p, q, divisor
    return FAILED, none, none, none
