"""Weights of cells and of mixed sources: power law, Zipf, geometric, temperature.

Powers are those of `core.divergence`, so that a recipe's weights, and the quotas made from them,
are the same to the last bit on every machine. (numpy refuses integers to a negative power, and the
`pow` of C libraries differs in the last bit.)
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from synthgen.core.checks import check_int
from synthgen.core.divergence import powers
from synthgen.core.errors import ParamError

Floats = NDArray[np.float64]
_MOST_CELLS = 10_000_000
_MOST_EXPONENT = 64.0


def power_law_weights(sizes: NDArray[np.integer] | Floats, exponent: float) -> Floats:
    """Return size^exponent for each size, float64 (k,).

    Exponent 1 keeps the proportions of the sources, 0 makes them equal, between the two small
    sources are raised.

    Args:
        sizes: above 0, (k,).
        exponent: from -64 to 64.

    Raises:
        ParamError: for a size or exponent out of range.
    """
    values = _check_positive("sizes", sizes)
    if not -_MOST_EXPONENT <= exponent <= _MOST_EXPONENT:
        raise ParamError("exponent", exponent, "a number from -64 to 64")
    raised = _power(values, abs(exponent))
    result = 1.0 / raised if exponent < 0 else raised
    if not np.isfinite(result).all() or not (result > 0).all():
        raise ParamError("exponent", exponent, "one whose powers of the sizes a float can hold")
    return result


def zipf_weights(n: int, exponent: float = 1.0) -> Floats:
    """Return rank^-exponent for ranks 1..n, float64 (n,).

    The head is repeated and the tail is covered: at n = 10 an exponent of 0.5, 1, 1.5 has the
    effective number (exponential of the entropy) of 9.3, 7.3, 5.1 equal cells.
    """
    check_int("n", n, 1, _MOST_CELLS)
    return power_law_weights(np.arange(1, n + 1), -exponent)


def geometric_weights(n: int, ratio: float) -> Floats:
    """Return ratio^i for i = 0..n-1, float64 (n,).

    Raises:
        ParamError: for a ratio not above 0, or weights that a float cannot hold.
    """
    check_int("n", n, 1, _MOST_CELLS)
    if not (math.isfinite(ratio) and ratio > 0):
        raise ParamError("ratio", ratio, "a number above 0")
    with np.errstate(over="ignore", under="ignore"):
        weights = np.cumprod(np.concatenate([[1.0], np.full(n - 1, float(ratio))]))
    if not np.isfinite(weights[-1]) or weights[-1] <= 0:
        raise ParamError("ratio", ratio, f"one whose power {n - 1} a float can hold")
    return weights


def temperature_weights(weights: NDArray[np.integer] | Floats, temperature: float) -> Floats:
    """Return (weight / largest weight)^(1 / temperature), float64 (k,).

    Temperature 1 keeps the proportions, a higher one evens them out, a lower one sharpens them.

    Args:
        weights: above 0, (k,).
        temperature: 1/64 or more.

    Raises:
        ParamError: for a weight or temperature out of range.
    """
    values = _check_positive("weights", weights)
    if not temperature >= 1.0 / _MOST_EXPONENT:
        raise ParamError("temperature", temperature, "a number of at least 1/64")
    with np.errstate(under="ignore"):
        return _power(values / values.max(), 1.0 / temperature)


def _check_positive(name: str, values: NDArray[np.integer] | Floats) -> Floats:
    floats = np.asarray(values, dtype=np.float64)
    if floats.ndim != 1 or not len(floats) or not (np.isfinite(floats) & (floats > 0)).all():
        raise ParamError(name, values, "one or more numbers above 0")
    return floats


def _power(values: Floats, exponent: float) -> Floats:
    """Return values^exponent for an exponent of 0 or more."""
    whole = math.floor(exponent)
    rest = exponent - whole
    result = powers(values, rest) if rest else np.ones(len(values))
    with np.errstate(over="ignore"):
        for _ in range(whole):
            result = result * values
    return result
