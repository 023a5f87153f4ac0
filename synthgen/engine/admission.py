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


class Admission(Protocol):
    """Lets candidates in."""

    def admit(self, columns: Mapping[str, NDArray[Any]], n: int) -> NDArray[np.bool_]:
        """Say which of the next n candidates are let in, bool (n,)."""
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


class Enriched:
    """The least filled cells alone (`controllers/sparse_cells.py`), of those seen so far."""

    def __init__(self, enrich: Enrich, axes: Mapping[str, Axis]) -> None:
        self._index = CellIndex(enrich.axes, axes)
        self._share = enrich.share
        self._number = np.full(self._index.size, -1, np.int64)
        self._counts = np.zeros(0, np.int64)

    def admit(self, columns: Mapping[str, NDArray[Any]], n: int) -> NDArray[np.bool_]:
        """Say which of the next n candidates are let in, bool (n,)."""
        cells = self._index.number(columns, n)
        new = np.unique(cells[self._number[cells] < 0])
        self._number[new] = len(self._counts) + np.arange(len(new))
        counts = np.concatenate([self._counts, np.zeros(len(new), np.int64)])
        kept, self._counts = keep_sparse(self._number[cells], counts, self._share)
        return kept


def admission(split: Split, axes: Mapping[str, Axis]) -> Admission | None:
    """Return what lets candidates into a split, None if all are."""
    if split.pace:
        return OnPace(split.pace, axes, split.weight)
    return Enriched(split.enrich, axes) if split.enrich else None
