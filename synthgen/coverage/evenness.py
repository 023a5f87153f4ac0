"""How evenly rows are spread over the values of an axis: entropy, effective number, Gini index."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Evenness:
    """Spread of rows over the values that occur.

    Attributes:
        values: different values.
        entropy: Shannon entropy of the shares, in bits.
        effective: 2^entropy, the number of equally frequent values of the same entropy.
        gini: 0 where all values are equally frequent, near 1 where one has nearly all rows.
        most: rows of the most frequent value.
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
