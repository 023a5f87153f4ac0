"""Vendi scores: the effective number of distinct items in a set, from their similarities.

With a kernel K, K_ii = 1, and the eigenvalues of K / n as shares, the score of order q is their
Hill number (Friedman and Dieng 2023, arXiv:2210.02410; orders: Pasarkar and Dieng 2024). Only order
2 is computed, which needs no eigenvalues: its inverse is the mean of k(x, y)^2 over all pairs, for
which samples have a known bias, removed by `from_sample`. Scores are comparable only at equal n and
with equal features. Sums come from the linear algebra library, so their last digits may differ
between machines.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from synthgen.core.errors import ParamError

Matrix = NDArray[np.floating]

_MAX_PRODUCTS = 1 << 40
_NEARLY = 1e-6


def vendi_of_features(features: Matrix) -> float:
    """Return the Vendi score of order 2 of rows compared by cosine.

    Args:
        features: rows of any length above 0, (n, d).

    Raises:
        ParamError: for no rows, rows of zeros, or too many rows and columns.
    """
    rows = unit_rows(features)
    n, d = rows.shape
    if n * min(n, d) * d > _MAX_PRODUCTS:
        raise ParamError("shape of features", rows.shape, "fewer rows; take a sample")
    gram = (rows.T @ rows if d < n else rows @ rows.T) / n
    return float(1.0 / np.square(gram, dtype=np.float64).sum())


def from_sample(score: float, n: int) -> float:
    """Estimate the score of order 2 of a population from a random sample of n of its rows.

    (1 - 1/n) / (1/score - 1/n): pairs of a row with itself, 1/n of all pairs of the sample but
    hardly any of the population, are left out. Infinite if no two rows have anything in common.

    Raises:
        ParamError: for n below 2, or a score that is not from 1 to n.
    """
    if n < 2:
        raise ParamError("n", n, "at least 2")
    if not 1.0 - _NEARLY <= score <= n * (1.0 + _NEARLY):
        raise ParamError("score", score, f"a number from 1 to {n}")
    rest = 1.0 / score - 1.0 / n
    return (1.0 - 1.0 / n) / rest if rest > _NEARLY / n else float("inf")


def unit_rows(features: Matrix) -> Matrix:
    """Return rows divided by their Euclidean length, of the same dtype.

    Raises:
        ParamError: for no rows, or a row of zeros or of values that are not finite.
    """
    if features.ndim != 2 or not len(features):
        raise ParamError("shape of features", features.shape, "(n, d) with n at least 1")
    lengths = np.sqrt(np.square(features, dtype=np.float64).sum(axis=1))
    bad = np.flatnonzero(~(np.isfinite(lengths) & (lengths > 0)))
    if len(bad):
        raise ParamError("row of features", int(bad[0]), "finite values, not all 0")
    return np.asarray(features / lengths[:, None], features.dtype)
