"""Winners of one split: distinct candidates in the order proposed, and which of them are kept.

A cell keeps its first rows. How many is known only at the end, when it is clear which cells are
exhausted below quota, so all rows are stored until then.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthgen.coverage.id_counts import IdCounts
from synthgen.dataset.records import CellRecord
from synthgen.draws.shuffles import take_first
from synthgen.engine.plan.quota_cells import CellIndex
from synthgen.engine.select.quotas import cap_count, fill_by_weight, water_fill
from synthgen.engine.steer.weights import CellWeights
from synthgen.recipe.schema import Split
from synthgen.rules.axes import Axis

NOT_HERE = -1
"""Cell of a row that does not meet the rule."""
EXEMPT = np.iinfo(np.int64).min
"""Value of a row that is exempt from the cap."""


class CappedRows:
    """Rows with cell and value, and the rank of each among equal values of its cell.

    Ranks are computed on first use, and once for each row, so that adding rows is cheap. A share of
    a cell's rows may have the same value.
    """

    def __init__(self, share: float) -> None:
        self._share = share
        self._new: list[tuple[NDArray[np.int32], NDArray[np.int64]]] = []
        self._ranks: list[NDArray[np.int32]] = []
        self._by_rank = defaultdict[int, NDArray[np.int64]](lambda: np.zeros(0, np.int64))
        self._counts: defaultdict[int, IdCounts] = defaultdict(IdCounts)

    def add(self, cells: NDArray[np.int32], values: NDArray[np.int64]) -> None:
        """Add the next rows: their cells, (n,), negative for none, and their values, (n,)."""
        self._new.append((cells, values))

    def values(self, rows: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return the values of some rows, before any ranks have been computed."""
        return np.concatenate([np.zeros(0, np.int64), *(values for _, values in self._new)])[rows]

    def usable(self, cell: int, quota: int) -> int:
        """Return how many rows of a cell its cap accepts towards a quota."""
        self._rank_new()
        return int(self._by_rank[cell][: cap_count(self._share, quota)].sum())

    def capacity(self, cell: int) -> int:
        """Return the largest quota that a cell can fill under its own cap."""
        self._rank_new()
        # The cap is a share of the quota, so a lower quota may in turn make fewer rows usable.
        quota = int(self._by_rank[cell].sum())
        while (able := self.usable(cell, quota)) < quota:
            quota = able
        return quota

    def under(self, cells: NDArray[np.int32], quotas: Mapping[int, int]) -> NDArray[np.bool_]:
        """Return which rows, of these cells, the cap accepts if cells have quotas, bool (n,)."""
        self._rank_new()
        most = np.zeros(max([*quotas, -1]) + 2, np.int64)  # the last one is for rows without a cell
        for cell, quota in quotas.items():
            most[cell] = cap_count(self._share, quota)
        known = np.where(cells < len(most) - 1, cells, -1)
        return np.concatenate([np.zeros(0, np.int32), *self._ranks]) < most[known]

    @property
    def nbytes(self) -> int:
        """Memory of the columns other than the cells."""
        return sum(v.nbytes for _, v in self._new) + sum(ranks.nbytes for ranks in self._ranks)

    def _rank_new(self) -> None:
        """Rank the new rows, and count for each cell how many have each rank."""
        for cells, values in self._new:
            ranks = np.zeros(len(cells), np.int32)
            order = np.argsort(cells, kind="stable")
            for rows in np.split(order, np.flatnonzero(np.diff(cells[order])) + 1):
                if not len(rows) or cells[rows[0]] == NOT_HERE:
                    continue
                cell = int(cells[rows[0]])
                counted = rows[values[rows] != EXEMPT]
                ranks[counted] = self._counts[cell].add(values[counted])
                known = self._by_rank[cell]
                both = np.bincount(ranks[rows], minlength=len(known))
                both[: len(known)] += known
                self._by_rank[cell] = both
            self._ranks.append(ranks)
        self._new = []


class Winners:
    """Rows that may be kept for one split, cell by cell."""

    def __init__(self, spec: Split, axes: Mapping[str, Axis]) -> None:
        """Begin without rows; cells are the parts, or those of the balanced axes."""
        self.spec = spec
        self.index = CellIndex(spec.balance, axes, parts=len(spec.parts))
        self._weights = CellWeights(spec.shares, self.index, spec.weight) if spec.shares else None
        self._part_quotas = [part.problems for part in spec.parts]
        self.wanted = spec.problems
        self.counts = np.zeros(self.index.size, np.int64)
        self.closed = np.zeros(self.index.size, bool)
        self._type = np.min_scalar_type(-self.index.size)
        self._barred = self._weights.never() if self._weights else None
        self._cells: list[NDArray[np.signedinteger]] = []  # as narrow as they can be
        self._capped = CappedRows(spec.cap.share) if spec.cap else None
        self._first: list[NDArray[np.bool_]] = []

    def add(
        self,
        columns: Mapping[str, NDArray[Any]],
        matches: NDArray[np.bool_],
        capped: NDArray[np.bool_],
        first: NDArray[np.bool_] | None = None,
    ) -> None:
        """Add the next rows, (n,): their axes, or the part of each as `PART`.

        Rows of `matches` meet this split's rule; those of `capped` count for its cap. Those of
        `first`, given in all calls or in none, are kept before the others of their cells.
        """
        cells = self.index.number(columns, len(matches)).astype(np.int32)
        cells[~matches | self.closed[cells]] = NOT_HERE  # a closed cell takes no more
        self._append(cells)
        if first is not None:
            self._first.append(first & (cells != NOT_HERE))
        if self.spec.cap and self._capped:
            values = np.full(len(matches), EXEMPT)
            if self.spec.cap.axis in columns:
                values[capped] = columns[self.spec.cap.axis][capped]
            self._capped.add(cells, values)

    def has_room(self, columns: Mapping[str, NDArray[Any]], n: int) -> NDArray[np.bool_]:
        """Return which of n rows are in cells that still take rows, bool (n,)."""
        cells = self.index.number(columns, n)
        room = ~self.closed[cells]
        return room if self._barred is None else room & ~self._barred[cells]

    def _append(self, cells: NDArray[np.int32]) -> None:
        if len(cells) and (cells == cells[0]).all():
            self._cells.append(np.broadcast_to(cells[:1].astype(self._type), cells.shape))
        else:
            self._cells.append(cells.astype(self._type))
        self.counts += np.bincount(cells[cells != NOT_HERE], minlength=len(self.counts))

    def growing(self) -> NDArray[np.bool_]:
        """Return which cells may end with a larger quota than the rows that they have.

        Cut all cells to the rows that one has: if they fill the split, its quota cannot be larger.
        For cells without weights and caps.
        """
        counts = self.counts
        rising = np.sort(counts)
        upto = np.concatenate([[0], np.cumsum(rising)])
        lower = np.searchsorted(rising, counts, side="right")
        growing: NDArray[np.bool_] = upto[lower] + (len(counts) - lower) * counts < self.wanted
        return growing

    def settled(self) -> bool:
        """Return whether every open cell has its quota."""
        quotas = self.quotas()
        if sum(quotas.values()) < self.wanted:
            return False
        return all(self.closed[cell] or self.fills(cell, quotas[cell]) for cell in quotas)

    def all_closed(self) -> bool:
        """Return whether no cell can take more rows."""
        quotas = self.quotas()
        if self._weights and sum(quotas.values()) < self.wanted:
            return True  # open cells have no weight
        parts = bool(self._part_quotas)  # full ones, unlike cells, take no rows that others lack
        return all(
            self.closed[cell] or (parts and self.fills(cell, quota))
            for cell, quota in quotas.items()
        )

    def among(self, rows: NDArray[np.bool_], axes: Mapping[str, Axis]) -> Winners:
        """Return the winners among only these rows, with every cell closed."""
        part = Winners(self.spec, axes)
        for cells, place in self._pieces():
            part._append(cells[rows[place]])
        if self._capped and part._capped:
            part._capped.add(part.cells, self._capped.values(rows))
        part.closed[:] = True
        return part

    @property
    def cells(self) -> NDArray[np.int32]:
        """Cell of every row, NOT_HERE for rows that do not meet the rule."""
        return np.concatenate([np.zeros(0, np.int32), *self._cells])

    @property
    def nbytes(self) -> int:
        """Memory of the columns."""
        capped = self._capped.nbytes if self._capped else 0
        return capped + sum(part.nbytes for part in self._cells if part.strides != (0,))

    def seen(self) -> list[int]:
        """Return the cells that have rows, in the order of their values."""
        cells: list[int] = np.flatnonzero(self.counts).tolist()
        return cells

    def usable(self, cell: int, quota: int) -> int:
        """Return how many rows the cell could give towards a quota."""
        return self._capped.usable(cell, quota) if self._capped else int(self.counts[cell])

    def fills(self, cell: int, quota: int) -> bool:
        """Return whether the cell has the rows of a quota."""
        return bool(self.counts[cell] >= quota) and self.usable(cell, quota) >= quota

    def quotas(self) -> dict[int, int]:
        """Distribute the split's rows over the cells seen; a closed cell gets at most what it has.

        For a split in parts, the quotas are the parts' numbers of problems.
        """
        if self._part_quotas:
            return {
                cell: min(quota, int(self.counts[cell])) if self.closed[cell] else quota
                for cell, quota in enumerate(self._part_quotas)
            }
        cells = self.seen()
        if self._weights:
            cells = sorted({*cells, *self._weights.listed})
        most = self._capped.capacity if self._capped else self.counts.item
        return self._shared(cells, [most(cell) if self.closed[cell] else None for cell in cells])

    def _shared(self, cells: list[int], limits: list[int | None]) -> dict[int, int]:
        """Distribute the rows over cells, each up to its limit."""
        if self._weights is None:
            return dict(zip(cells, water_fill(self.wanted, limits), strict=True))
        weights = self._weights.weigh(cells)
        if not weights.any():
            return dict.fromkeys(cells, 0)
        return dict(zip(cells, fill_by_weight(self.wanted, weights, limits), strict=True))

    def chosen(self) -> NDArray[np.bool_]:
        """Return which rows are kept, bool (n,); a cell with too few gives what it has."""
        quotas = self.quotas()
        left = np.zeros(len(self.counts), np.int64)
        left[list(quotas)] = list(quotas.values())
        kept = np.zeros(sum(map(len, self._cells)), bool)
        if self._first:
            self._take(np.concatenate(self._first), left, kept)
        usable = self._capped.under(self.cells, quotas) if self._capped else ~kept
        self._take(usable & ~kept, left, kept)
        return kept

    def _take(
        self, usable: NDArray[np.bool_], left: NDArray[np.int64], kept: NDArray[np.bool_]
    ) -> None:
        """Mark the first usable rows of each cell as kept, while it has room."""
        for cells, place in self._pieces():
            here = usable[place] & (cells != NOT_HERE)
            take_first(cells.astype(np.int32), here, left, kept[place])

    def _pieces(self) -> Iterator[tuple[NDArray[np.signedinteger], slice]]:
        """Yield the cells of consecutive rows, and where these rows are."""
        start = 0
        for cells in self._cells:
            yield cells, slice(start, start + len(cells))
            start += len(cells)

    def left_out(self, kept: NDArray[np.bool_]) -> int:
        """Return how many rows with priority are not kept."""
        return int(np.count_nonzero(np.concatenate(self._first) & ~kept)) if self._first else 0

    def results(self) -> list[CellRecord]:
        """Return the result of each cell, in the order of their values, or of each part."""
        quotas = self.quotas()
        if self._part_quotas:
            return [
                CellRecord({}, rows, quota, rows < quota, int(self.counts[part]))
                for (part, rows), quota in zip(quotas.items(), self._part_quotas, strict=True)
            ]
        fair = self._fair(quotas)
        records = []
        for cell, rows in quotas.items():
            dry = bool(self.closed[cell]) and rows < fair[cell] - 1
            quota, candidates = fair[cell] if dry else rows, int(self.counts[cell])
            records.append(CellRecord(self.index.values(cell), rows, quota, dry, candidates))
        return records

    def _fair(self, quotas: Mapping[int, int]) -> dict[int, int]:
        """Return the rows that cells would have if none were exhausted."""
        if self._weights:
            return self._shared([*quotas], [None] * len(quotas))
        level = max(quotas.values(), default=0)
        shared = sum(quotas.values()) == self.wanted
        return dict.fromkeys(quotas, level if shared else -(-self.wanted // max(1, len(quotas))))
