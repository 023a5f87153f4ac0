"""Rows of cells in which a value may occur only so often, block by block."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from synthgen.controllers.cap import cap_count, capacity, supply
from synthgen.core.coverage.id_counts import IdCounts

EXEMPT = np.iinfo(np.int64).min
"""Value of a row that the cap does not count."""


class CappedRows:
    """Rows with cell and value, and for each how many of its value stand before it in its cell.

    That is found out when it is first asked for, so that rows which are only noted, to be chosen
    from later, cost no more than that; and only once for each row, whatever is asked how often.

    Args:
        share: of a cell's rows that may have the same value.
    """

    def __init__(self, share: float) -> None:
        self._share = share
        self._new: list[tuple[NDArray[np.int32], NDArray[np.int64]]] = []
        self._ranks: list[NDArray[np.int32]] = []
        self._by_rank: dict[int, NDArray[np.int64]] = {}
        self._counts: defaultdict[int, IdCounts] = defaultdict(IdCounts)

    def add(self, cells: NDArray[np.int32], values: NDArray[np.int64]) -> None:
        """Note the next rows: their cells, (n,), negative for none, and their values, (n,)."""
        self._new.append((cells, values))

    def values(self, rows: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return the values of some rows, of which nothing else has been asked yet."""
        return np.concatenate([np.zeros(0, np.int64), *(values for _, values in self._new)])[rows]

    def usable(self, cell: int, quota: int) -> int:
        """Return how many rows of a cell could be kept towards a quota."""
        return supply(self._rows_by_rank(cell), self._share, quota)

    def capacity(self, cell: int) -> int:
        """Return the largest quota that a cell can fill."""
        return capacity(self._rows_by_rank(cell), self._share)

    def under(self, cells: NDArray[np.int32], quotas: Mapping[int, int]) -> NDArray[np.bool_]:
        """Say which rows, of these cells, the cap lets through if cells have quotas, bool (n,)."""
        self._look()
        most = np.zeros(max([*quotas, -1]) + 2, np.int64)  # the last one is that of no cell
        for cell, quota in quotas.items():
            most[cell] = cap_count(self._share, quota)
        known = np.where(cells < len(most) - 1, cells, -1)
        return np.concatenate([np.zeros(0, np.int32), *self._ranks]) < most[known]

    @property
    def nbytes(self) -> int:
        """Memory of what is known of each row, beside its cell."""
        return sum(v.nbytes for _, v in self._new) + sum(ranks.nbytes for ranks in self._ranks)

    def _rows_by_rank(self, cell: int) -> NDArray[np.int64]:
        """Return how many rows of a cell have how many of their value before them."""
        self._look()
        return self._by_rank.get(cell, np.zeros(0, np.int64))

    def _look(self) -> None:
        """Find out about the rows that are new."""
        for cells, values in self._new:
            ranks = np.zeros(len(cells), np.int32)
            order = np.argsort(cells, kind="stable")
            for own in np.split(order, np.flatnonzero(np.diff(cells[order])) + 1):
                if len(own) and cells[own[0]] >= 0:
                    self._look_at(int(cells[own[0]]), own, values, ranks)
            self._ranks.append(ranks)
        self._new = []

    def _look_at(
        self, cell: int, own: NDArray[np.int64], values: NDArray[np.int64], ranks: NDArray[np.int32]
    ) -> None:
        """Write the ranks of a cell's own rows, and count them."""
        counted = own[values[own] != EXEMPT]
        ranks[counted] = self._counts[cell].add(values[counted])
        known = self._by_rank.get(cell, own[:0])
        both = np.bincount(ranks[own], minlength=len(known))
        both[: len(known)] += known
        self._by_rank[cell] = both
