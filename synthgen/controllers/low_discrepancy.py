"""Low-discrepancy points: continuous parameters spread more evenly than chance would.

Point i is a function of i alone, so a row's address gives its point. For a few continuous
parameters; where cells are discrete, quotas do better (64 points hit all of 8 x 8 cells, Halton's
55, random ones 41).
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, localcontext

import numpy as np
from numpy.typing import NDArray

from synthgen.core.checks import check_int
from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows, stream_key
from synthgen.core.word_order import word_order

Points = NDArray[np.float64]
PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53)
MOST_DIMENSIONS = len(PRIMES)
_DIGITS = 60
_S11 = np.uint64(11)
_HALF = np.uint64(1 << 63)


def halton(indices: NDArray[np.integer], bases: Sequence[int]) -> Points:
    """Return points of Halton's sequence: each coordinate has the index's digits mirrored.

    Args:
        indices: from 0 to 2^31, (n,); the usual sequence begins at 1, as point 0 is the origin.
        bases: one a dimension, 2 to 1,000, without common factors; usually the first primes.

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


def latin_hypercube(n: int, dimensions: int, key: int) -> Points:
    """Return n points such that each n-th part of each axis has exactly one.

    Only the one-dimensional margins are even: jointly the points are as uneven as random ones.

    Args:
        n: 1 to 2^31.
        dimensions: 1 to 16.
        key: 64 bits that the lots depend on.

    Returns:
        float64 (n, d), in [0, 1).

    Raises:
        ParamError: for arguments out of range.
    """
    check_int("n", n, 1, 1 << 31)
    check_int("dimensions", dimensions, 1, MOST_DIMENSIONS)
    points = np.empty((n, dimensions))
    below_one = np.nextafter(1.0, 0.0)
    for axis in range(dimensions):
        draws = Rows.span(stream_key(key, axis), 0, n).draws()
        parts = word_order(draws.bits())
        points[:, axis] = np.minimum((parts + draws.uniform()) / n, below_one)
    return points


def levels_of(points: Points, sizes: Sequence[int]) -> NDArray[np.int64]:
    """Return the part of each axis that each point lies in, 0..size-1, int64 (n, d).

    Raises:
        ParamError: for another number of sizes than the points have axes.
    """
    if points.ndim != 2 or points.shape[1] != len(sizes):
        raise ParamError("sizes", tuple(sizes), f"one an axis of points of shape {points.shape}")
    for size in sizes:
        check_int("sizes", size, 1, 1 << 31)
    levels: NDArray[np.int64] = np.floor(points * np.array(sizes)).astype(np.int64)
    return np.minimum(levels, np.array(sizes, np.int64) - 1)
