"""Winners of one split: distinct candidates in the order proposed, and which of them are kept.

A cell keeps its first rows. How many is known only at the end, when it is clear which cells ran
dry, so all of them are remembered until then.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthgen.controllers.quota import water_fill
from synthgen.controllers.water_filling import fill_by_weight
from synthgen.core.contract import Axis
from synthgen.core.selection_kernels import take_first
from synthgen.engine.capped_rows import EXEMPT, CappedRows
from synthgen.engine.cells import CellIndex
from synthgen.engine.laws import CellWeights
from synthgen.recipe.splits import Split

NOT_HERE = -1
"""Cell of a row that does not meet the rule."""


@dataclass(frozen=True, slots=True)
class CellResult:
    """What became of one cell.

    Attributes:
        values: by balanced axis.
        rows: kept.
        quota: rows that an equal share would be.
        dry: whether the cell ran out before its quota.
        candidates: distinct ones seen.
    """

    values: Mapping[str, int | str | None]
    rows: int
    quota: int
    dry: bool
    candidates: int


class Winners:
    """Rows that may be kept for one split, cell by cell."""

    def __init__(
        self, spec: Split, axes: Mapping[str, Axis], names: Sequence[str] | None = None
    ) -> None:
        """Begin without rows; cells are those of `names`, by default of the balanced axes."""
        self.spec = spec
        names = spec.balance if names is None else names
        self.index = CellIndex(names, axes, parts=len(spec.parts))
        self._weights = CellWeights(spec.shares, self.index, spec.weight) if spec.shares else None
        self._part_quotas = [part.problems for part in spec.parts]
        self.wanted = spec.problems
        self.counts = np.zeros(self.index.size, np.int64)
        self.closed = np.zeros(self.index.size, bool)
        self._barred = self._weights.never() if self._weights else None
        self._cells: list[NDArray[np.int32]] = []
        self._capped = CappedRows(spec.cap.share) if spec.cap else None
        self._first: list[NDArray[np.bool_]] = []

    def add(
        self,
        columns: Mapping[str, NDArray[Any]],
        matches: NDArray[np.bool_],
        capped: NDArray[np.bool_],
        first: NDArray[np.bool_] | None = None,
    ) -> None:
        """Note the next rows.

        Args:
            columns: axes of the rows, (n,) each; for a split in parts the number of each row's
                part as `PART`.
            matches: which of them meet this split's rule, (n,).
            capped: which of them its cap counts, (n,).
            first: which of them are kept before the others of their cells, (n,); always given, or
                never.
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
        """Say which of n rows are of cells that take rows, bool (n,)."""
        cells = self.index.number(columns, n)
        room = ~self.closed[cells]
        return room if self._barred is None else room & ~self._barred[cells]

    def _append(self, cells: NDArray[np.int32]) -> None:
        self._cells.append(cells)
        self.counts += np.bincount(cells[cells != NOT_HERE], minlength=len(self.counts))

    def settled(self) -> bool:
        """Say whether every open cell has its quota."""
        quotas = self.quotas()
        if sum(quotas.values()) < self.wanted:
            return False
        return all(self.closed[cell] or self.fills(cell, quotas[cell]) for cell in quotas)

    def open_units(self) -> Iterator[tuple[int, int, bool]]:
        """Yield what can be given up: a cell, the rows it could give, whether it has its quota."""
        for cell, quota in self.quotas().items():
            if not self.closed[cell]:
                yield cell, self.usable(cell, quota), self.fills(cell, quota)

    def close(self, unit: int) -> None:
        """Give up a unit: it takes no more rows than it has."""
        self.closed[unit] = True

    def all_closed(self) -> bool:
        """Say whether nothing is left that could take more rows."""
        quotas = self.quotas()
        if self._weights and sum(quotas.values()) < self.wanted:
            return True  # what is open has no weight
        parts = bool(self._part_quotas)  # a full one does not take what others lack, as cells do
        return all(
            self.closed[cell] or (parts and self.fills(cell, quota))
            for cell, quota in quotas.items()
        )

    def among(self, rows: NDArray[np.bool_], axes: Mapping[str, Axis]) -> Winners:
        """Return the winners among these rows alone, with every cell closed."""
        part = Winners(self.spec, axes)
        part._append(self.cells[rows])
        if self._capped and part._capped:
            part._capped.add(part.cells, self._capped.values(rows))
        part.closed[:] = True
        return part

    @property
    def cells(self) -> NDArray[np.int32]:
        """Cell of every row, NOT_HERE for those that do not meet the rule."""
        self._cells = [np.concatenate([np.zeros(0, np.int32), *self._cells])]
        return self._cells[0]

    @property
    def nbytes(self) -> int:
        """Memory of the columns."""
        capped = self._capped.nbytes if self._capped else 0
        return capped + sum(part.nbytes for part in self._cells)

    def seen(self) -> list[int]:
        """Return the cells that any row fell into, in the order of their values."""
        cells: list[int] = np.flatnonzero(self.counts).tolist()
        return cells

    def usable(self, cell: int, quota: int) -> int:
        """Return how many rows the cell could give towards a quota."""
        return self._capped.usable(cell, quota) if self._capped else int(self.counts[cell])

    def fills(self, cell: int, quota: int) -> bool:
        """Say whether the cell has the rows of a quota."""
        return bool(self.counts[cell] >= quota) and self.usable(cell, quota) >= quota

    def quotas(self) -> dict[int, int]:
        """Share the split's rows over the cells seen; a closed cell takes no more than it has.

        The cells of a split in parts have the parts' numbers of problems for quotas.
        """
        if self._part_quotas:
            return {
                cell: min(quota, int(self.counts[cell])) if self.closed[cell] else quota
                for cell, quota in enumerate(self._part_quotas)
            }
        cells = self.seen()
        if self._weights:
            cells = sorted({*cells, *self._weights.told})
        limits = [self._most(cell) if self.closed[cell] else None for cell in cells]
        return dict(zip(cells, self._shared(cells, limits), strict=True))

    def _shared(self, cells: list[int], limits: list[int | None]) -> list[int]:
        """Share the rows over cells, none of which gets more than its limit."""
        if self._weights is None:
            return water_fill(self.wanted, limits)
        weights = self._weights.of(cells)
        if not weights.any():
            return [0] * len(cells)
        counts: list[int] = fill_by_weight(self.wanted, weights, limits).counts.tolist()
        return counts

    def _most(self, cell: int) -> int:
        return self._capped.capacity(cell) if self._capped else int(self.counts[cell])

    def chosen(self) -> NDArray[np.bool_]:
        """Say which rows are kept, bool (n,); a cell with too few gives what it has."""
        quotas = self.quotas()
        left = np.zeros(len(self.counts), np.int64)
        left[list(quotas)] = list(quotas.values())
        usable = self._capped.under(self.cells, quotas) if self._capped else None
        kept = np.zeros(sum(len(part) for part in self._cells), bool)
        if self._first:
            self._keep(kept, left, np.concatenate(self._first))
            usable = (self.cells != NOT_HERE) & ~kept
        self._keep(kept, left, usable)
        return kept

    def _keep(
        self,
        kept: NDArray[np.bool_],
        left: NDArray[np.int64],
        usable: NDArray[np.bool_] | None,
    ) -> None:
        """Keep the first of the usable rows (None for all) as far as their cells have room."""
        start = 0
        for cells in self._cells:
            stop = start + len(cells)
            open_to = cells != NOT_HERE if usable is None else usable[start:stop]
            take_first(cells, open_to, left, kept[start:stop])
            start = stop

    def left_out(self, kept: NDArray[np.bool_]) -> int:
        """Return how many rows are not kept that should be before the others."""
        return int(np.count_nonzero(np.concatenate(self._first) & ~kept)) if self._first else 0

    def results(self) -> list[CellResult]:
        """Return what became of each cell, in the order of their values."""
        quotas = self.quotas()
        if self._part_quotas:
            return [self._part_result(cell, rows) for cell, rows in quotas.items()]
        fair = self._fair(quotas)
        return [
            CellResult(
                values=self.index.values(cell),
                rows=rows,
                quota=max(rows, fair[cell])
                if self.closed[cell] and rows < fair[cell] - 1
                else rows,
                dry=bool(self.closed[cell]) and rows < fair[cell] - 1,
                candidates=int(self.counts[cell]),
            )
            for cell, rows in quotas.items()
        ]

    def _fair(self, quotas: Mapping[int, int]) -> dict[int, int]:
        """Return the rows that cells would have if none had run dry."""
        if self._weights:
            return dict(zip(quotas, self._shared([*quotas], [None] * len(quotas)), strict=True))
        level = max(quotas.values(), default=0)
        shared = sum(quotas.values()) == self.wanted
        return dict.fromkeys(quotas, level if shared else -(-self.wanted // max(1, len(quotas))))

    def _part_result(self, part: int, rows: int) -> CellResult:
        """Return what became of one part, in numbers of problems."""
        quota = self._part_quotas[part]
        return CellResult({}, rows, quota, dry=rows < quota, candidates=int(self.counts[part]))
