"""Weights of the cells of a split, as given by its recipe: listed, or by a law over the cells.

Powers are those of `trees.divergence`, so that weights, and the quotas made from them, are the same
to the last bit on every machine: the `pow` of C libraries differs in the last bit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal, localcontext

import numpy as np
from numpy.typing import NDArray

from synthgen.engine.plan.quota_cells import CellIndex
from synthgen.engine.select.quotas import Weights, exact_weights
from synthgen.recipe.schema import Law, Weighted
from synthgen.trees.divergence import powers

Floats = NDArray[np.float64]
PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29)
MAX_POINTS_AXES = len(PRIMES)
_MAX_POINTS = 1 << 20
_MAX_WEIGHT = 1 << 31
_DIGITS = 60
_S11 = np.uint64(11)
_HALF = np.uint64(1 << 63)


def listed_cells(listed: Sequence[Weighted], index: CellIndex) -> dict[int, float]:
    """Return the cells that a recipe lists, with their weights."""
    cells = [(index.cell_of(values), weight) for values, weight in listed]
    return {cell: weight for cell, weight in cells if cell is not None}


def may_take_turns(weights: Weights, last: int) -> bool:
    """Return whether values with these weights, the last one `last` times, can be interleaved."""
    exact = exact_weights(weights)
    common = math.gcd(*exact)
    total = sum(exact) + (last - 1) * exact[-1]
    return min(exact) > 0 and total // common < _MAX_WEIGHT


class CellWeights:
    """Weights that a law gives to cells.

    Args:
        law: Law of the recipe.
        index: Index of the cells.
        rows: Rows of the split before `--rows` or `--scale`: number of points of a low-discrepancy
            sequence, where a cell's weight is the number of points in it.
    """

    def __init__(self, law: Law, index: CellIndex, rows: int) -> None:
        self._law = law
        self._size = index.size
        self.listed = listed_cells(law.of, index)
        self._points = self._by_points(index, min(rows, _MAX_POINTS))

    def _by_points(self, index: CellIndex, rows: int) -> NDArray[np.int64] | None:
        """Return how many points fall into each cell, (size,); None for other laws."""
        if self._law.law not in {"halton", "r2"}:
            return None
        sizes, numbers = np.array(index.shape, np.int64) - 1, np.arange(1, rows + 1)
        if self._law.law == "halton":
            points = halton(numbers, PRIMES[: len(sizes)])
        else:
            points = r2(numbers, len(sizes))
        levels = np.minimum(np.floor(points * sizes).astype(np.int64), sizes - 1)
        return np.bincount(index.numbered(levels), minlength=index.size)

    def never(self) -> NDArray[np.bool_] | None:
        """Return which cells can never have weight, whichever cells occur, bool (size,)."""
        if self.listed:
            never = np.ones(self._size, bool)
            never[[cell for cell, weight in self.listed.items() if weight]] = False
            return never
        return None if self._points is None else self._points == 0

    def weigh(self, cells: Sequence[int]) -> Floats:
        """Return the weights of some cells, given in ascending order, float64 (n,)."""
        law, n = self._law, len(cells)
        if self.listed:
            weights = np.array([self.listed.get(cell, 0.0) for cell in cells])
        elif self._points is not None:
            weights = self._points[list(cells)].astype(np.float64)
        elif law.law == "zipf":
            weights = 1.0 / _power(np.arange(1, n + 1).astype(np.float64), law.exponent)
        elif law.law == "geometric":
            weights = np.cumprod([1.0, *[law.ratio] * (n - 1)][:n])
        else:
            weights = np.ones(n)
        if law.temperature == 1.0:
            return weights
        heated, some = np.zeros(n), weights > 0
        if some.any():
            with np.errstate(under="ignore"):
                shares = weights[some] / weights.max()
                heated[some] = _power(shares, 1.0 / law.temperature)
        return heated


def _power(values: Floats, exponent: float) -> Floats:
    """Return values^exponent for an exponent of 0 or more."""
    whole = math.floor(exponent)
    rest = exponent - whole
    result = powers(values, rest) if rest else np.ones(len(values))
    for _ in range(whole):
        result = result * values
    return result


def halton(indices: NDArray[np.integer], bases: Sequence[int]) -> Floats:
    """Return points of Halton's sequence: each coordinate is the index with mirrored digits.

    Args:
        indices: 0 to 2^31, (n,); the usual sequence begins at 1, as point 0 is the origin.
        bases: Base of each dimension, without common factors; usually the first primes.

    Returns:
        float64 (n, d), in [0, 1).
    """
    columns = [_mirrored(indices.astype(np.int64), base) for base in bases]
    return np.stack(columns, axis=1) if columns else np.zeros((len(indices), 0))


def _mirrored(indices: NDArray[np.int64], base: int) -> Floats:
    """Return the van der Corput fraction of each index, rounded once."""
    left, numerator, scale = indices.copy(), np.zeros(len(indices), np.int64), 1
    while left.any():
        left, digits = np.divmod(left, base)
        numerator = numerator * base + digits
        scale *= base
    return numerator / scale


def r2(indices: NDArray[np.integer], dimensions: int = 2) -> Floats:
    """Return points of Roberts' R sequence: 1/2 + index / g, index / g^2, ... modulo 1.

    g is the root above 1 of x^(d + 1) = x + 1: the plastic number 1.3247... for two dimensions.

    Args:
        indices: 0 or more, (n,); the usual sequence begins at 1.
        dimensions: Number of coordinates.

    Returns:
        float64 (n, d), in [0, 1).
    """
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
