"""Cells of a split: its parts, or combinations of values of its balanced axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthgen.core.errors import UnknownNameError
from synthgen.rules.axes import Axis

Cell = Mapping[str, int | str | None]
"""Values by axis."""
PART = "part"
"""Name of the column with the number of each row's part."""


class CellIndex:
    """Numbers the cells of one split by the combined rank of their values.

    Args:
        names: Balanced axes; without any, the whole split is one cell.
        axes: Axes with their ranges or values.
        parts: Number of parts of the split, if any, each of which is a cell.

    Attributes:
        lows: Smallest value of each axis, 0 for the first name.
        shape: Ranks of each axis; the last one is null, for sources that lack the axis.
        size: Number of possible cells.
    """

    def __init__(self, names: Sequence[str], axes: Mapping[str, Axis], parts: int = 0) -> None:
        self.names = tuple(names)
        self._parts = parts
        self._values: list[Sequence[int | str]] = [_values_of(axes[name]) for name in names]
        self.lows = [0 if axes[name].values else axes[name].low or 0 for name in names]
        self.shape = [len(values) + 1 for values in self._values]
        self.size = prod(self.shape) if self.shape else max(1, parts)

    def numbered(self, levels: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the cells of rows given as ranks among the values of each axis, (n, axes)."""
        if not self.shape:
            return np.zeros(len(levels), np.int64)
        cells: NDArray[np.int64] = np.ravel_multi_index(tuple(levels.T), self.shape)
        return cells

    def levels(self) -> NDArray[np.int64]:
        """Return the ranks of all cells that have a value of every axis, (m, axes)."""
        ranks = np.indices([size - 1 for size in self.shape])
        return np.stack([axis.ravel() for axis in ranks], axis=1)

    def cell_of(self, values: Sequence[int | str]) -> int | None:
        """Return the cell with these values, None if an axis cannot have its value."""
        if len(values) != len(self._values):
            return None
        pairs = [*zip(values, self._values, strict=True)]
        if any(value not in known for value, known in pairs):
            return None
        return int(self.numbered(np.array([[known.index(value) for value, known in pairs]]))[0])

    def number(self, columns: Mapping[str, NDArray[Any]], n: int) -> NDArray[np.int64]:
        """Return the cell of each of n rows, int64 (n,)."""
        if self._parts:
            return columns[PART].astype(np.int64)
        cells = np.zeros(n, np.int64)
        for name, low, ranks in zip(self.names, self.lows, self.shape, strict=True):
            missing = np.full(n, ranks - 1, np.int64)
            rank = columns[name].astype(np.int64) - low if name in columns else missing
            cells = cells * ranks + rank
        return cells

    def values(self, cell: int) -> dict[str, int | str | None]:
        """Return the values of a cell by axis."""
        ranks = np.unravel_index(cell, self.shape) if self.shape else ()
        return {
            name: known[int(rank)] if rank < len(known) else None
            for name, known, rank in zip(self.names, self._values, ranks, strict=True)
        }


def _values_of(axis: Axis) -> Sequence[int | str]:
    low = axis.low or 0
    return axis.values or range(low, low + axis.size)


def cell_text(cell: Cell) -> str:
    """Return the values of a cell as text."""
    return ", ".join(f"{axis}={value}" for axis, value in cell.items())


def first_of(texts: Sequence[str], most: int) -> str:
    """List the first texts, and say how many more there are."""
    more = len(texts) - most
    return "; ".join(texts[:most]) + (f" and {more:,} more" if more > 0 else "")


def value_fault(name: str, value: int | str, axis: Axis) -> str | None:
    """Return the fault of a value of an axis, if any."""
    if axis.values:
        if value in axis.values:
            return None
        return str(UnknownNameError(f"value of {name}", str(value), axis.values))
    low, high = axis.low, axis.high
    if isinstance(value, int) and (low is None or value >= low) and (high is None or value <= high):
        return None
    span = f"from {low} to {high}" if low is not None and high is not None else "in its range"
    return f"{name}={value!r}: expected an integer {span}"
