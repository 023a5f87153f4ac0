"""Which cells of a split each source can fill, given the ranges of its axes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from math import prod
from time import monotonic

import numpy as np
import polars as pl
from numpy.typing import NDArray

from synthgen.core.contract import SOURCE, Axis
from synthgen.core.randomness import Rows
from synthgen.core.rules import axis_dtype, names_in
from synthgen.engine.cells import CellIndex
from synthgen.engine.meeting import is_spread, sources_meeting
from synthgen.engine.plan import Plan
from synthgen.engine.planned_sources import PlannedSource
from synthgen.engine.winners import Winners
from synthgen.recipe.schema import Split

Cells = NDArray[np.int64]
_Ranks = NDArray[np.bool_] | tuple[int, int]
"""Ranks of an axis: a mask, or the first and the last."""


def reach_of(plan: Plan, spec: Split, index: CellIndex) -> Reach | None:
    """Return what each source can fill; None unless a source is spread."""
    return Reach(plan, spec, index) if is_spread(plan.sources) else None


class Reach:
    """Cells by source: a source can fill the cells within its ranks on every axis.

    Args:
        plan: plan of the build.
        spec: the split.
        index: index of its cells.
    """

    def __init__(self, plan: Plan, spec: Split, index: CellIndex) -> None:
        self._shape = [size + 1 for size in index.sizes]  # the last rank is null
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
        """Return which of some cells a source can fill, bool (n,)."""
        found = np.ones(len(cells), bool)
        ranks = np.unravel_index(cells, self._shape) if self._shape else ()
        for rank, some in zip(ranks, self._boxes[source], strict=True):
            if isinstance(some, tuple):
                found &= (some[0] <= rank) & (rank <= some[1])
            else:
                found &= some[rank]
        return found

    def any_can_fill(self, sources: Collection[int], cells: Cells) -> NDArray[np.bool_]:
        """Return which of some cells any of some sources can fill, bool (n,)."""
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
        """Return the sources of groups that may fill an open cell below its quota.

        A group none of whose cells have been seen also may, but ever more rarely: it may have none.
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
        """Partition sources so that cells of one group cannot be filled by another.

        Only whole groups may be left out for a while: the rows that two sources give to a cell
        depend on the rounds that both take part in.
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
        """Return whether two sources can fill the same cell."""
        pairs = zip(self._boxes[one], self._boxes[other], strict=True)
        return all(_overlap(a, b) for a, b in pairs)


def _ranks(source: PlannedSource, index: int, name: str, axis: Axis, *, known: bool) -> _Ranks:
    """Return the ranks that a source's problems can have of an axis of all sources."""
    null = len(axis.values) if axis.values else (axis.high or 0) - (axis.low or 0) + 1
    if not known:
        return 0, null  # computed for each row
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


_MOST_CELLS = 1 << 16
_MOST_NAMED = 5
_FIRST_DRAWS, _MOST_DRAWS, _MOST_SECONDS = 4, 1024, 5.0
Cell = Mapping[str, int | str | None]


def unreachable_cells(plan: Plan, spec: Split) -> list[Cell]:
    """Return the cells of a balance that its rule allows and the ranges of all sources exclude.

    Balances with more than 65,536 cells are not checked. Conditions on axes other than the balanced
    ones count as possible.
    """
    if not spec.balance:
        return []
    index = CellIndex(spec.balance, plan.axes)
    if prod(index.sizes) > _MOST_CELLS:
        return []
    levels = np.stack([axis.ravel() for axis in np.indices(index.sizes)], axis=1)
    cells = index.numbered(levels)
    sources = {i: plan.sources[i] for i in plan.proposing}
    possible = sources_meeting(spec.where, sources, plan.axes)
    none = cells[~Reach(plan, spec, index).any_can_fill(possible, cells)]
    values = [index.values(cell) for cell in none.tolist()]
    return [cell for cell, there in zip(values, _allowed(plan, spec, values), strict=True) if there]


def _allowed(plan: Plan, spec: Split, cells: list[dict[str, int | str | None]]) -> list[bool]:
    """Return which cells meet the rule of a split, if it uses only balanced axes."""
    names = names_in(spec.where, plan.axes) if spec.where else []
    if not names or not cells or not set(names) <= set(spec.balance):
        return [True] * len(cells)
    rule = next(split.rule for split in plan.splits if split.name == spec.name)
    schema = {name: axis_dtype(plan.axes[name]) for name in spec.balance}
    rows = [[cell[name] for name in spec.balance] for cell in cells]
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    allowed: list[bool] = frame.select(rule.alias("met")).to_series().to_list()
    return allowed


def cells_text(cells: list[Cell]) -> str:
    """List the first of some cells as text."""
    first = "; ".join(
        ", ".join(f"{axis}={value}" for axis, value in cell.items()) for cell in cells[:_MOST_NAMED]
    )
    more = len(cells) - _MOST_NAMED
    return f"{first}{f' and {more:,} more' if more > 0 else ''}"


def notes(plan: Plan) -> Iterator[str]:
    """Yield remarks on requests of a recipe that are impossible, or nearly so, but no faults."""
    yield from barren_sources(plan)
    for split in plan.splits:
        cells = unreachable_cells(plan, split.spec)
        if cells:
            what = "cell" if len(cells) == 1 else "cells"
            text = f"split {split.name!r}: {len(cells):,} {what} of its balance that no source can"
            yield f"{text} fill: {cells_text(cells)}"


def barren_sources(plan: Plan) -> Iterator[str]:
    """Yield a remark on each source without a problem at its first addresses.

    The first 4 addresses of every source are drawn, and more of those without a problem: up to
    1,024, until that has taken 5 seconds for all sources together.
    """
    left = _MOST_SECONDS
    for source in (plan.sources[i] for i in plan.proposing):
        space = source.generator.space
        most = _MOST_DRAWS if space is None else min(space, _MOST_DRAWS)
        drawn, found = 0, False
        while drawn < most and not found and (left > 0 or not drawn):
            began, stop = monotonic(), min(most, max(_FIRST_DRAWS, 2 * drawn))
            draws = source.generator.draw(Rows.span(source.stream, drawn, stop))
            left -= monotonic() - began if drawn else 0  # the first time kernels are loaded
            drawn, found = stop, bool(draws.valid.any())
        if not found:
            yield f"source {source.name!r}: no problem was found in {drawn:,} draws"
