"""Cells of a split: its parts, or combinations of values of its balanced axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthgen.core.contract import Axis
from synthgen.core.errors import UnknownNameError

Cell = Mapping[str, int | str | None]
"""Values by axis."""
PART = "part"
"""Name of the column with the number of each row's part."""


class CellIndex:
    """Numbers the cells of one split by the combined rank of their values.

    Args:
        names: balanced axes; without any, the whole split is one cell.
        axes: axes with their ranges or values.
        parts: number of parts of the split, if any, each of which is a cell.

    Attributes:
        lows: smallest value of each axis, 0 for the first name.
    """

    def __init__(self, names: Sequence[str], axes: Mapping[str, Axis], parts: int = 0) -> None:
        self._parts = parts
        self.names = tuple(names)
        self._axes = [axes[name] for name in names]
        self.lows = [0 if axis.values else axis.low or 0 for axis in self._axes]
        # One more rank than values: the last is null, for sources that lack the axis.
        self._ranks = [axis.size + 1 for axis in self._axes]

    @property
    def size(self) -> int:
        """Number of possible cells."""
        return int(np.prod(self._ranks, dtype=np.int64)) if self._ranks else max(1, self._parts)

    @property
    def sizes(self) -> list[int]:
        """Number of values of each axis, without null."""
        return [ranks - 1 for ranks in self._ranks]

    def numbered(self, levels: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the cells of rows given as ranks among the values of each axis, (n, axes)."""
        if not self._ranks:
            return np.zeros(len(levels), np.int64)
        cells: NDArray[np.int64] = np.ravel_multi_index(tuple(levels.T), self._ranks)
        return cells

    def cell_of(self, values: Sequence[int | str | None]) -> int | None:
        """Return the cell with these values, None if an axis cannot have its value."""
        if len(values) != len(self._axes):
            return None
        cell = 0
        for value, axis, low, ranks in zip(values, self._axes, self.lows, self._ranks, strict=True):
            if axis.values:
                rank = axis.values.index(value) if value in axis.values else -1
            else:
                rank = value - low if isinstance(value, int) else -1
            if not 0 <= rank < ranks - 1:
                return None
            cell = cell * ranks + rank
        return cell

    def without_null(self) -> NDArray[np.bool_]:
        """Return which cells have a value of every axis, bool (size,)."""
        whole = np.ones(1, bool)
        for ranks in self._ranks:
            whole = (whole[:, None] & (np.arange(ranks) < ranks - 1)).ravel()
        return whole

    def number(self, columns: Mapping[str, NDArray[Any]], n: int) -> NDArray[np.int64]:
        """Return the cell of each of n rows, int64 (n,)."""
        if self._parts:
            return columns[PART].astype(np.int64)
        cells = np.zeros(n, np.int64)
        for name, low, ranks in zip(self.names, self.lows, self._ranks, strict=True):
            missing = np.full(n, ranks - 1, np.int64)
            rank = columns[name].astype(np.int64) - low if name in columns else missing
            cells = cells * ranks + rank
        return cells

    def having(self, name: str, code: int) -> NDArray[np.bool_]:
        """Return which cells have this code of a balanced axis with names, bool (size,)."""
        ranks = np.unravel_index(np.arange(self.size), self._ranks)
        return np.asarray(ranks[self.names.index(name)] == code)

    def code(self, name: str, cell: int) -> int:
        """Return the code that a cell has of a balanced axis with names."""
        return int(np.unravel_index(cell, self._ranks)[self.names.index(name)])

    def values(self, cell: int) -> dict[str, int | str | None]:
        """Return the values of a cell by axis."""
        ranks = np.unravel_index(cell, self._ranks) if self._ranks else ()
        values: dict[str, int | str | None] = {}
        for name, axis, low, rank in zip(self.names, self._axes, self.lows, ranks, strict=True):
            if rank == axis.size:
                values[name] = None
            else:
                values[name] = axis.values[rank] if axis.values else int(rank) + low
        return values


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
