"""Which cells of a split each source can fill, by the ranges of the source's own axes."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np
from numpy.typing import NDArray

from synthgen.core.contract import SOURCE, Axis
from synthgen.engine.cells import CellIndex
from synthgen.engine.meeting import is_spread, sources_meeting
from synthgen.engine.plan import Plan
from synthgen.engine.planned_sources import PlannedSource
from synthgen.engine.winners import Winners
from synthgen.recipe.splits import Split

Cells = NDArray[np.int64]
_Ranks = NDArray[np.bool_] | tuple[int, int]
"""Which ranks of an axis: one truth for each, or the first and the last."""


def reach_of(plan: Plan, spec: Split, index: CellIndex) -> Reach | None:
    """Return what each source can fill, where that is looked at: if a source is spread."""
    return Reach(plan, spec, index) if is_spread(plan.sources) and not spec.margins else None


class Reach:
    """Cells by source: each source fills those of its ranks of every axis.

    Args:
        plan: of the build.
        spec: the split.
        index: of its cells.
    """

    def __init__(self, plan: Plan, spec: Split, index: CellIndex) -> None:
        self._shape = [size + 1 for size in index.sizes]  # the last rank stands for null
        sources = {i: plan.sources[i] for i in plan.proposing}
        self._boxes: dict[int, list[_Ranks]] = {}
        self._of_cell: dict[int, tuple[int, ...]] = {}
        self._rounds = 0
        self._groups: dict[frozenset[int], list[frozenset[int]]] = {}
        if spec.parts:
            self._shape = [len(spec.parts)]
            meeting = [sources_meeting(part.where, sources, plan.axes) for part in spec.parts]
            for i in sources:
                self._boxes[i] = [np.array([i in some for some in meeting])]
            return
        known = {name for source in sources.values() for name in source.generator.axes}
        for i, source in sources.items():
            self._boxes[i] = [
                _ranks(source, i, name, plan.axes[name], known=name in known or name == SOURCE)
                for name in index.names
            ]

    def can_fill(self, source: int, cells: Cells) -> NDArray[np.bool_]:
        """Say which of some cells a source can fill, bool (n,)."""
        found = np.ones(len(cells), bool)
        ranks = np.unravel_index(cells, self._shape) if self._shape else ()
        for rank, some in zip(ranks, self._boxes[source], strict=True):
            if isinstance(some, tuple):
                found &= (some[0] <= rank) & (rank <= some[1])
            else:
                found &= some[rank]
        return found

    def any_can_fill(self, sources: Collection[int], cells: Cells) -> NDArray[np.bool_]:
        """Say which of some cells any of some sources can fill, bool (n,)."""
        found = np.zeros(len(cells), bool)
        for source in sources:
            if found.all():
                break
            found |= self.can_fill(source, cells)
        return found

    def offered_to(self, cell: int, offered: Mapping[int, int]) -> int:
        """Return the addresses of the sources that can fill a cell.

        Args:
            cell: number of the cell.
            offered: addresses by source.
        """
        if cell not in self._of_cell:
            one = np.array([cell])
            self._of_cell[cell] = tuple(i for i in self._boxes if self.can_fill(i, one)[0])
        return sum(offered.get(source, 0) for source in self._of_cell[cell])

    def wanted(self, winners: Winners, possible: frozenset[int]) -> set[int]:
        """Return the sources of groups that may fill an open cell that has not its rows yet.

        A group of whose cells none has been seen may, too, but ever more rarely: maybe it has none.
        """
        self._rounds += 1
        if possible not in self._groups:
            self._groups[possible] = self.groups(possible)
        quotas = winners.quotas()
        cells = np.array([*quotas], np.int64)
        short = [not (winners.closed[c] or winners.fills(c, rows)) for c, rows in quotas.items()]
        wanted: set[int] = set()
        for group in self._groups[possible]:
            own = self.any_can_fill(group, cells)
            unseen = not own.any() and self._rounds.bit_count() == 1
            if unseen or own[short].any():
                wanted |= group
        return wanted

    def groups(self, sources: Collection[int]) -> list[frozenset[int]]:
        """Part sources so that none can fill a cell that one of another group can.

        Only whole groups may be left out for a while: what two sources fill together depends on the
        rounds that both of them are in.
        """
        left = sorted(sources)
        groups = []
        while left:
            group, edge = {left[0]}, [left.pop(0)]
            while edge:
                one = edge.pop()
                near = [other for other in left if self._meet(one, other)]
                left = [other for other in left if other not in near]
                group.update(near)
                edge += near
            groups.append(frozenset(group))
        return groups

    def _meet(self, one: int, other: int) -> bool:
        """Say whether two sources can fill the same cell."""
        pairs = zip(self._boxes[one], self._boxes[other], strict=True)
        return all(_overlap(a, b) for a, b in pairs)


def _ranks(source: PlannedSource, index: int, name: str, axis: Axis, *, known: bool) -> _Ranks:
    """Return the ranks that a source's problems can have of an axis of all sources."""
    null = len(axis.values) if axis.values else (axis.high or 0) - (axis.low or 0) + 1
    if not known:
        return 0, null  # computed of each row
    if name == SOURCE:
        return index, index
    mine = source.axes.get(name)
    if mine is None:
        return null, null
    if axis.values:
        names = (source.fixed[name],) if name in source.fixed else mine.values
        return np.array([*(value in names for value in axis.values), False])
    low = axis.low or 0
    first = 0 if mine.low is None else mine.low - low
    last = null - 1 if mine.high is None else mine.high - low
    return first, last


def _overlap(a: _Ranks, b: _Ranks) -> bool:
    if isinstance(a, tuple) and isinstance(b, tuple):
        return a[0] <= b[1] and b[0] <= a[1]
    if isinstance(a, tuple) or isinstance(b, tuple):
        return True
    return bool((a & b).any())
