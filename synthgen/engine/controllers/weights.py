"""Weights of cells and of mixed sources: power law, Zipf, geometric, temperature.

Powers are those of `core.divergence`, so that a recipe's weights, and the quotas made from them,
are the same to the last bit on every machine. (numpy refuses integers to a negative power, and the
`pow` of C libraries differs in the last bit.)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal, localcontext

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

    Exponent 1 keeps the proportions of the sources, 0 makes them equal; values in between raise
    small sources.

    Args:
        sizes: sizes, above 0, (k,).
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
        raise ParamError(
            "exponent", exponent, "an exponent for which powers of the sizes fit into a float"
        )
    return result


def zipf_weights(n: int, exponent: float = 1.0) -> Floats:
    """Return rank^-exponent for ranks 1..n, float64 (n,).

    The head is repeated and the tail is covered: at n = 10 an exponent of 0.5, 1, 1.5 has the
    effective number (exponential of the entropy) of 9.3, 7.3, 5.1 equal cells.
    """
    check_int("n", n, 1, _MOST_CELLS)
    return power_law_weights(np.arange(1, n + 1), -exponent)


def temperature_weights(weights: NDArray[np.integer] | Floats, temperature: float) -> Floats:
    """Return (weight / largest weight)^(1 / temperature), float64 (k,).

    Temperature 1 keeps the proportions, a higher one evens them out, a lower one sharpens them.

    Args:
        weights: weights, above 0, (k,).
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


Points = NDArray[np.float64]
PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53)
MOST_DIMENSIONS = len(PRIMES)
_DIGITS = 60
_S11 = np.uint64(11)
_HALF = np.uint64(1 << 63)


def halton(indices: NDArray[np.integer], bases: Sequence[int]) -> Points:
    """Return points of Halton's sequence: each coordinate is the index with mirrored digits.

    Args:
        indices: 0 to 2^31, (n,); the usual sequence begins at 1, as point 0 is the origin.
        bases: one per dimension, 2 to 1,000, without common factors; usually the first primes.

    Returns:
        float64 (n, d), in [0, 1).

    Raises:
        ParamError: for an index or base out of range, or bases with a common factor.
    """
    if len(indices) and not 0 <= indices.min() <= indices.max() <= 1 << 31:
        raise ParamError("indices", (int(indices.min()), int(indices.max())), "0 to 2^31")
    for place, base in enumerate(bases):
        check_int("bases", base, 2, 1000)
        if any(np.gcd(base, other) > 1 for other in bases[:place]):
            raise ParamError("bases", tuple(bases), "numbers without common factors")
    columns = [_mirrored(indices.astype(np.int64), base) for base in bases]
    return np.stack(columns, axis=1) if columns else np.zeros((len(indices), 0))


def _mirrored(indices: NDArray[np.int64], base: int) -> NDArray[np.float64]:
    """Return the van der Corput fraction of each index, rounded once."""
    left, numerator, scale = indices.copy(), np.zeros(len(indices), np.int64), 1
    while left.any():
        left, digits = np.divmod(left, base)
        numerator = numerator * base + digits
        scale *= base
    return numerator / scale


def r2(indices: NDArray[np.integer], dimensions: int = 2) -> Points:
    """Return points of Roberts' R sequence: 1/2 + index / g, index / g^2, ... modulo 1.

    g is the root above 1 of x^(d + 1) = x + 1: the plastic number 1.3247... for two dimensions.

    Args:
        indices: 0 or more, (n,); the usual sequence begins at 1.
        dimensions: 1 to 16.

    Returns:
        float64 (n, d), in [0, 1).

    Raises:
        ParamError: for a dimension or index out of range.
    """
    check_int("dimensions", dimensions, 1, MOST_DIMENSIONS)
    if len(indices) and indices.min() < 0:
        raise ParamError("indices", int(indices.min()), "0 or more")
    steps = np.array(_r2_steps(dimensions), np.uint64)
    words = indices.astype(np.uint64)[:, None] * steps + _HALF  # modulo 2^64 is modulo 1
    return (words >> _S11).astype(np.float64) * 2.0**-53


def _r2_steps(dimensions: int) -> list[int]:
    """Return g^-1, ..., g^-d in units of 2^-64."""
    with localcontext() as context:
        context.prec = _DIGITS
        root = Decimal(2)
        for _ in range(100):  # Newton: far more steps than 60 digits need
            value = root ** (dimensions + 1) - root - 1
            root -= value / ((dimensions + 1) * root**dimensions - 1)
        return [int(root**-power * 2**64) for power in range(1, dimensions + 1)]


def levels_of(points: Points, sizes: Sequence[int]) -> NDArray[np.int64]:
    """Return the interval of each axis that contains each point, 0..size-1, int64 (n, d).

    Raises:
        ParamError: if the number of sizes differs from that of the points' axes.
    """
    if points.ndim != 2 or points.shape[1] != len(sizes):
        raise ParamError("sizes", tuple(sizes), f"one per axis of points of shape {points.shape}")
    for size in sizes:
        check_int("sizes", size, 1, 1 << 31)
    levels: NDArray[np.int64] = np.floor(points * np.array(sizes)).astype(np.int64)
    return np.minimum(levels, np.array(sizes, np.int64) - 1)
