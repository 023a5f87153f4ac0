"""Effective numbers: the number of equally frequent items with the same diversity.

The Hill number of order q of shares p is (sum p^q)^(1 / (1 - q)): the number of items for q = 0,
the exponential of the Shannon entropy for q = 1, the inverse of the probability that two draws are
equal for q = 2, and the inverse of the largest share for q = infinity (Hill 1973; Jost 2006). It
falls as q rises.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from synthgen.core.checks import check_int
from synthgen.core.errors import ParamError

Floats = NDArray[np.float64]

_MOST_ITEMS = 10_000_000


def hill_number(weights: NDArray[np.integer] | NDArray[np.floating], q: float) -> float:
    """Return the Hill number of order q of counts or weights.

    The sums are exact before they are rounded, so the order of the weights does not matter.

    Args:
        weights: at least 0, in any unit, (k,).
        q: order, from 0 to infinity.

    Returns:
        From 1 to the number of positive weights; 0 if there are none.

    Raises:
        ParamError: for negative or infinite weights, or an order out of range.
    """
    check_order(q)
    values = np.asarray(weights, np.float64)
    if not bool(np.all(np.isfinite(values) & (values >= 0))):
        raise ParamError("weights", "negative or infinite", "finite weights of at least 0")
    some = np.sort(values[values > 0])
    if not len(some):
        return 0.0
    shares = some / math.fsum(some.tolist())
    if q == 0:
        return float(len(some))
    if math.isinf(q):
        return float(1 / shares[-1])
    if q == 1:
        return math.exp(-math.fsum((shares * np.log(shares)).tolist()))
    relative = math.fsum(((shares / shares[-1]) ** q).tolist())  # so that no power vanishes
    log_sum = math.log(relative) + q * math.log(shares[-1])
    return math.exp(log_sum / (1 - q))


def check_order(q: float) -> float:
    """Return an order of diversity, or raise ParamError if it is not from 0 to infinity."""
    if not q >= 0:
        raise ParamError("q", q, "an order from 0 to infinity")
    return q


def zipf_weights(n: int, exponent: float) -> Floats:
    """Return the shares r^-exponent of the ranks r = 1..n, which sum to 1, float64 (n,).

    Args:
        n: number of items, 1 to 10,000,000.
        exponent: 0 for equal shares, at least 0 and finite.

    Raises:
        ParamError: for arguments out of range.
    """
    check_int("n", n, 1, _MOST_ITEMS)
    if not 0 <= exponent < math.inf:
        raise ParamError("exponent", exponent, "a finite number of at least 0")
    weights = np.arange(1, n + 1, dtype=np.float64) ** -exponent
    shares: Floats = weights / math.fsum(weights.tolist())
    return shares
