"""Weights of the cells of a split, as given by its recipe."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from synthgen.engine.cells import CellIndex
from synthgen.engine.controllers.weights import (
    halton,
    levels_of,
    r2,
    temperature_weights,
    zipf_weights,
)
from synthgen.recipe.schema import Law, Weighted

_PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29)
MOST_POINTS_AXES = len(_PRIMES)
_MOST_POINTS = 1 << 20


def listed_cells(listed: Sequence[Weighted], index: CellIndex) -> dict[int, float]:
    """Return the cells that a recipe lists, with their weights."""
    cells = [(index.cell_of(values), weight) for values, weight in listed]
    return {cell: weight for cell, weight in cells if cell is not None}


class CellWeights:
    """Weights that a law gives to cells.

    Args:
        law: law of the recipe.
        index: index of the cells.
        rows: rows of the split before `--rows` or `--scale`: number of points of a low-discrepancy
            sequence, where a cell's weight is the number of points in it.
    """

    def __init__(self, law: Law, index: CellIndex, rows: int) -> None:
        self._law = law
        self._size = index.size
        self.listed = listed_cells(law.of, index)
        self._points = self._by_points(index, min(rows, _MOST_POINTS))

    def _by_points(self, index: CellIndex, rows: int) -> NDArray[np.int64] | None:
        """Return how many points fall into each cell, (size,); None for other laws."""
        if self._law.law not in {"halton", "r2"}:
            return None
        sizes, numbers = index.sizes, np.arange(1, rows + 1)
        if self._law.law == "halton":
            points = halton(numbers, _PRIMES[: len(sizes)])
        else:
            points = r2(numbers, len(sizes))
        return np.bincount(index.numbered(levels_of(points, sizes)), minlength=index.size)

    def never(self) -> NDArray[np.bool_] | None:
        """Return which cells can never have weight, whichever cells occur, bool (size,)."""
        if self.listed:
            never = np.ones(self._size, bool)
            never[[cell for cell, weight in self.listed.items() if weight]] = False
            return never
        return None if self._points is None else self._points == 0

    def of(self, cells: Sequence[int]) -> NDArray[np.float64]:
        """Return the weights of some cells, given in ascending order, float64 (n,)."""
        law = self._law
        if self.listed:
            weights = np.array([self.listed.get(cell, 0.0) for cell in cells])
        elif self._points is not None:
            weights = self._points[list(cells)].astype(np.float64)
        elif law.law == "zipf" and cells:
            weights = zipf_weights(len(cells), law.exponent)
        elif law.law == "geometric" and cells:
            weights = np.cumprod([1.0, *[law.ratio] * (len(cells) - 1)])
        else:
            weights = np.ones(len(cells))
        if law.temperature == 1.0:
            return weights
        heated, some = np.zeros(len(weights)), weights > 0
        if some.any():
            heated[some] = temperature_weights(weights[some], law.temperature)
        return heated
