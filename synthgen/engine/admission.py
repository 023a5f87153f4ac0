"""Controllers that look at candidates one block after the other and let some of them in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from synthgen.controllers.adaptive import keep_on_pace, pace_of
from synthgen.controllers.sparse_cells import keep_sparse
from synthgen.core.contract import Axis
from synthgen.engine.cells import CellIndex
from synthgen.engine.laws import CellWeights
from synthgen.recipe.splits import Split
from synthgen.recipe.steering import Enrich, Pace

_BATCHES = 32
"""Batches of as many candidates as a split has rows ..."""
_LEAST_BATCH = 16
"""... of at least so many."""


class Admission(Protocol):
    """Lets candidates in."""

    def admit(self, columns: Mapping[str, NDArray[Any]], n: int) -> NDArray[np.bool_]:
        """Say which of the next n candidates are let in, bool (n,)."""
        ...

    def behind(self) -> str:
        """Say what kept candidates out, if it can be told."""
        ...


class OnPace:
    """Cells near their shares all along (`controllers/adaptive.py`); those without are left out."""

    def __init__(self, pace: Pace, axes: Mapping[str, Axis], rows: int) -> None:
        self._index = CellIndex(pace.axes, axes)
        weights = CellWeights(pace, self._index, rows)
        cells = np.flatnonzero(self._index.without_null())
        shares = weights.of(cells.tolist())
        cells = cells[shares > 0]
        self._number = np.full(self._index.size, -1, np.int64)
        self._number[cells] = np.arange(len(cells))
        self._pace = pace_of(shares[shares > 0], pace.slack)

    def admit(self, columns: Mapping[str, NDArray[Any]], n: int) -> NDArray[np.bool_]:
        """Say which of the next n candidates are let in, bool (n,)."""
        cells = self._number[self._index.number(columns, n)]
        kept, self._pace = keep_on_pace(self._pace, cells)
        return kept

    def behind(self) -> str:
        """Name the cell that is furthest behind its share, for which the others wait."""
        counts, shares = self._pace.counts, self._pace.parts / self._pace.parts.sum()
        cell = int(np.argmax(shares * counts.sum() - counts))
        values = self._index.values(int(np.flatnonzero(self._number == cell)[0]))
        named = ", ".join(f"{axis}={value}" for axis, value in values.items())
        text = f"its pace waits for {named} ({counts[cell]:,} of {counts.sum():,} rows, "
        return f"{text}share {shares[cell]:.3g})"


class Enriched:
    """The least filled cells alone (`controllers/sparse_cells.py`), of those seen so far.

    Cells are ranked again after a few candidates, as a block may have all that a split can keep.

    Args:
        enrich: of the recipe.
        axes: of all sources.
        rows: of the split before it is made smaller or bigger.
    """

    def __init__(self, enrich: Enrich, axes: Mapping[str, Axis], rows: int) -> None:
        self._index = CellIndex(enrich.axes, axes)
        self._share = enrich.share
        self._batch = max(_LEAST_BATCH, rows // _BATCHES)
        self._number = np.full(self._index.size, -1, np.int64)
        self._counts = np.zeros(0, np.int64)

    def admit(self, columns: Mapping[str, NDArray[Any]], n: int) -> NDArray[np.bool_]:
        """Say which of the next n candidates are let in, bool (n,)."""
        cells = self._index.number(columns, n)
        parts = [self._admit(cells[i : i + self._batch]) for i in range(0, n, self._batch)]
        return np.concatenate([np.zeros(0, bool), *parts])

    def _admit(self, cells: NDArray[np.int64]) -> NDArray[np.bool_]:
        new = np.unique(cells[self._number[cells] < 0])
        self._number[new] = len(self._counts) + np.arange(len(new))
        counts = np.concatenate([self._counts, np.zeros(len(new), np.int64)])
        kept, self._counts = keep_sparse(self._number[cells], counts, self._share)
        return kept

    def behind(self) -> str:
        """Say how few cells let candidates in."""
        n = len(self._counts)
        return f"enrich lets in those of the least filled {self._share:.3g} of {n:,} cells alone"


def admission(split: Split, axes: Mapping[str, Axis]) -> Admission | None:
    """Return what lets candidates into a split, None if all are."""
    if split.pace:
        return OnPace(split.pace, axes, split.weight)
    return Enriched(split.enrich, axes, split.weight) if split.enrich else None
