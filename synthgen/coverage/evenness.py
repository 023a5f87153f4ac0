"""How evenly weights are spread: effective numbers, entropy, Gini index.

The Hill number of order q of shares p is (sum p^q)^(1 / (1 - q)): the number of items for q = 0,
the exponential of the Shannon entropy for q = 1, the inverse of the probability that two draws are
equal for q = 2, and the inverse of the largest share for q = infinity (Hill 1973; Jost 2006). It
falls as q rises. It is the number of equally frequent items with the same diversity.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from synthgen.core.errors import ParamError


def hill_number(weights: NDArray[np.integer] | NDArray[np.floating], q: float) -> float:
    """Return the Hill number of order q of counts or weights.

    The sums are exact before they are rounded, so the order of the weights does not matter.

    Args:
        weights: Weights of at least 0, in any unit, (k,).
        q: Order, from 0 to infinity.

    Returns:
        From 1 to the number of positive weights; 0 if there are none.

    Raises:
        ParamError: for negative or infinite weights, or an order out of range.
    """
    if not q >= 0:
        raise ParamError("q", q, "an order from 0 to infinity")
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


@dataclass(frozen=True, slots=True)
class Evenness:
    """Spread of rows over the values that occur.

    Attributes:
        values: Number of different values.
        entropy: Shannon entropy of the shares, in bits.
        effective: Number of equally frequent values of the same entropy, 2^entropy.
        gini: Gini index, 0 if all values are equally frequent, near 1 if one has nearly all rows.
        most: Rows of the most frequent value.
    """

    values: int
    entropy: float
    effective: float
    gini: float
    most: int


def evenness(counts: NDArray[np.integer]) -> Evenness:
    """Measure counts of values; values that do not occur are left out.

    The sums are exact before they are rounded, so the order of the counts does not matter.
    """
    some = np.sort(counts[counts > 0]).tolist()
    total = sum(some)
    if not total:
        return Evenness(0, 0.0, 0.0, 0.0, 0)
    entropy = max(0.0, math.log2(total) - math.fsum(n * math.log2(n) for n in some) / total)
    n_values = len(some)
    ranked = sum(rank * n for rank, n in enumerate(some, start=1))
    gini = 2 * ranked / (n_values * total) - (n_values + 1) / n_values
    return Evenness(n_values, entropy, 2.0**entropy, max(0.0, gini), some[-1])
