"""Vendi scores: the effective number of distinct items in a set, from their similarities.

With a kernel K, K_ii = 1, and the eigenvalues of K / n as shares, the score of order q is their
Hill number (Friedman and Dieng 2023, arXiv:2210.02410; orders: Pasarkar and Dieng 2024). Unit rows
X give K = X X^T, which has the eigenvalues of X^T X and zeros.

Order 1 grows with the sample and saturates at its dimension, so it is computed only for small sets.
The inverse of the score of order 2 is the mean of k(x, y)^2 over all pairs, for which samples and
random projections have a known bias: `from_sample` and `from_projection` remove it. Scores are
comparable only at equal n and with equal features. Sums come from the linear algebra library, so
their last digits may differ between machines.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from synthgen.core.errors import ParamError
from synthgen.coverage.effective import check_order, hill_number

Matrix = NDArray[np.floating]

MOST_ROWS, MOST_COLUMNS = 5_000, 4_096
_MOST_PRODUCTS = 1 << 40
_NEARLY = 1e-6
_NO_EIGENVALUE = 1e-10
"""Smaller shares are rounding errors, which would count fully in order 0."""


def vendi_of_kernel(
    kernel: ArrayLike, q: float = 1.0, *, weights: ArrayLike | None = None
) -> float:
    """Return the Vendi score of order q of a kernel.

    Args:
        kernel: positive semi-definite, symmetric, with 1 on its diagonal, (n, n).
        q: order, from 0 (the rank) to infinity.
        weights: weight of each item, at least 0, (n,); equal if None.

    Returns:
        From 1 to n.

    Raises:
        ParamError: for an invalid shape, diagonal, order or weight, or more than 5,000 rows.
    """
    values = np.asarray(kernel, np.float64)
    if values.ndim != 2 or values.shape[0] != values.shape[1] or not len(values):
        raise ParamError("shape of the kernel", values.shape, "(n, n) with n at least 1")
    if not np.allclose(values, values.T, atol=_NEARLY):
        raise ParamError("kernel", "not symmetric", "k(x, y) = k(y, x)")
    if not np.allclose(np.diag(values), 1.0, atol=_NEARLY):
        raise ParamError("diagonal of the kernel", "not 1", "1 for each item with itself")
    if len(values) > MOST_ROWS:
        raise ParamError("rows", len(values), f"at most {MOST_ROWS}; take a sample, and order 2")
    roots = np.sqrt(_shares(len(values), weights))
    return _of_eigenvalues(np.linalg.eigvalsh(values * np.outer(roots, roots)), q)


def vendi_of_features(features: Matrix, q: float = 2.0) -> float:
    """Return the Vendi score of order q of rows compared by cosine.

    Args:
        features: rows of any length above 0, (n, d).
        q: order, from 0 to infinity. Order 2 needs no eigenvalues; all others are limited to n up
            to 5,000 and d up to 4,096.

    Raises:
        ParamError: for no rows, rows of zeros, an invalid order, or sizes out of range.
    """
    check_order(q)
    rows = unit_rows(features)
    n, d = rows.shape
    if n * min(n, d) * d > _MOST_PRODUCTS or (q != 2 and (n > MOST_ROWS or d > MOST_COLUMNS)):
        expected = f"at most ({MOST_ROWS}, {MOST_COLUMNS}); take a sample, and order 2"
        raise ParamError("shape of features", rows.shape, expected)
    gram = (rows.T @ rows if d < n else rows @ rows.T) / n
    if q == 2:
        return float(1.0 / np.square(gram, dtype=np.float64).sum())
    return _of_eigenvalues(np.linalg.eigvalsh(gram.astype(np.float64)), q)


def from_sample(score: float, n: int) -> float:
    """Estimate the score of order 2 of a population from a random sample of n of its rows.

    (1 - 1/n) / (1/score - 1/n): pairs of a row with itself, 1/n of all pairs of the sample but
    hardly any of the population, are left out. Infinite if no two rows have anything in common.

    Raises:
        ParamError: for n below 2, or a score that is not from 1 to n.
    """
    _check_score(score, n, n)
    rest = 1.0 / score - 1.0 / n
    return (1.0 - 1.0 / n) / rest if rest > _NEARLY / n else float("inf")


def from_projection(score: float, d: int) -> float:
    """Estimate the score of order 2 of features from a random projection to d columns.

    (1 + 1/d) / (1/score - 1/d): projected rows with nothing in common still have a squared cosine
    of 1/d on average. Infinite if there is no more than that.

    Raises:
        ParamError: for d below 2, or a score that is not from 1 to d.
    """
    _check_score(score, d, d)
    rest = 1.0 / score - 1.0 / d
    return (1.0 + 1.0 / d) / rest if rest > _NEARLY / d else float("inf")


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


def _shares(n: int, weights: ArrayLike | None) -> NDArray[np.float64]:
    if weights is None:
        return np.full(n, 1.0 / n)
    values = np.asarray(weights, np.float64)
    if values.shape != (n,) or not bool(np.all(values >= 0)) or not 0 < values.sum() < np.inf:
        raise ParamError("weights", values.shape, f"{n} numbers of at least 0, not all 0")
    return np.asarray(values / values.sum(), np.float64)


def _of_eigenvalues(values: NDArray[np.float64], q: float) -> float:
    lowest = float(values.min())
    if lowest < -_NEARLY:
        raise ParamError("smallest eigenvalue", lowest, "at least 0: this is not a kernel")
    return hill_number(np.where(values > _NO_EIGENVALUE, values, 0.0), q)


def _check_score(score: float, n: int, most: int) -> None:
    if n < 2:
        raise ParamError("n", n, "at least 2")
    if not 1.0 - _NEARLY <= score <= most * (1.0 + _NEARLY):
        raise ParamError("score", score, f"a number from 1 to {most}")
