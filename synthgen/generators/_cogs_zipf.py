"""Zipf weights of ranked words, and tables that draw from them with one comparison.

Weights are worked out in decimal arithmetic, which is the same on every machine, unlike powers of
the platform's mathematical library.
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

ONE = 1 << 32
"""What a limit of the tables counts as certain."""
_PRECISION = 28
_HEAD = 20
"""Terms of the zeta function that are added up before its tail is estimated."""


@lru_cache(maxsize=64)
def zipf_weights(size: int, exponent: float) -> tuple[Fraction, ...]:
    """Return the probability of each of `size` ranks; they add up to 1.

    Rank k has k^-s / zeta(s), and what all ranks beyond the list would have is spread evenly over
    the list. For s = 1, where zeta has no value, that leaves every rank the same.
    """
    if exponent <= 1:
        return (Fraction(1, size),) * size
    with localcontext() as context:
        context.prec = _PRECISION
        power = Decimal(repr(exponent))
        zeta = _zeta(power)
        heads = [Fraction(Decimal(k) ** -power / zeta) for k in range(1, size + 1)]
    missing = (1 - sum(heads, Fraction(0))) / size
    return tuple(head + missing for head in heads)


def _zeta(power: Decimal) -> Decimal:
    """Return the sum of k^-power over all k, by Euler and Maclaurin."""
    n = Decimal(_HEAD)
    total = sum((Decimal(k) ** -power for k in range(1, _HEAD)), Decimal(0))
    last = n**-power
    total += n * last / (power - 1) + last / 2
    # Bernoulli numbers over factorials: 1/12, -1/720, 1/30240, -1/1209600.
    factor = power * last / n
    for step, divisor in enumerate((12, -720, 30240, -1209600)):
        total += factor / divisor
        factor *= (power + 2 * step + 1) * (power + 2 * step + 2) / (n * n)
    return total


@lru_cache(maxsize=64)
def alias_table(size: int, exponent: float) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Return Walker's tables for `zipf_weights`.

    Returns:
        limits: uint64 (size,); slot i is itself if 32 uniform bits are below limits[i].
        others: int64 (size,); the rank (from 0) that slot i is otherwise.
    """
    shares = [weight * size for weight in zipf_weights(size, exponent)]
    limits, others = [ONE] * size, list(range(size))
    poor = [i for i, share in enumerate(shares) if share < 1]
    rich = [i for i, share in enumerate(shares) if share >= 1]
    while poor and rich:
        low, high = poor.pop(), rich[-1]
        limits[low] = int(shares[low] * ONE)
        others[low] = high
        shares[high] -= 1 - shares[low]
        if shares[high] < 1:
            poor.append(rich.pop())
    return np.array(limits, np.uint64), np.array(others, np.int64)
