"""Limits of the sources of a plan, judged by their spaces and the ranges of their axes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from math import prod
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from synthgen.draws.randomness import Rows
from synthgen.engine.plan.faults import Faults
from synthgen.engine.plan.quota_cells import Cell, CellIndex, cell_text, first_of
from synthgen.engine.plan.sources import PlannedSource
from synthgen.engine.plan.splits import PlannedSplit
from synthgen.rules.axes import SOURCE, Axis
from synthgen.rules.language import Rule, Values, rows_that_meet

Sources = Mapping[int, PlannedSource]
"""Sources that propose problems, by index."""
Cells = NDArray[np.int64]
_Ranks = NDArray[np.bool_] | tuple[int, int]
"""Ranks of an axis: a mask, or the first and the last."""
_MAX_VALUES_NAMED = 8


def is_spread(sources: Sources) -> bool:
    """Return whether a source of the recipe is spread, so that sources have different ranges."""
    return any(source.spread_of for source in sources.values())


def room_of(sources: Collection[PlannedSource]) -> int | None:
    """Return the number of addresses of some sources, None if one is unbounded."""
    spaces = [source.generator.space for source in sources]
    return None if None in spaces else sum(space for space in spaces if space is not None)


def sources_meeting(rule: Rule, sources: Sources, *, by_ranges: bool = True) -> frozenset[int]:
    """Return the indices of the sources whose rows can meet a rule over the axes of all.

    That follows from the ranges of spread sources, or, without `by_ranges`, from their names only.
    """
    close = by_ranges and is_spread(sources)
    known: dict[tuple[object, ...], bool] = {}
    meeting = set()
    for index, source in sources.items():
        own, fixed = _own_values(source, rule.names if close else (), rule.ranges)
        values = tuple((own[name].low, own[name].high, fixed.get(name)) for name in rule.names)
        if values not in known:
            known[values] = rule.can_hold(own, fixed)
        if known[values]:
            meeting.add(index)
    return frozenset(meeting)


def _own_values(
    source: PlannedSource, names: Sequence[str], axes: Mapping[str, Axis]
) -> tuple[dict[str, Axis], dict[str, Values]]:
    """Return the axes with the source's own ranges, and the names that it can have.

    An axis that the source lacks is null there; this is not decided here.
    """
    own, fixed = dict(axes), dict[str, Values]({SOURCE: (source.name,)})
    for name in names:
        mine = source.axes.get(name)
        if mine is None:
            continue
        if mine.values:
            fixed[name] = (source.fixed[name],) if name in source.fixed else mine.values
        else:
            own[name] = replace(axes[name], low=mine.low, high=mine.high)
    return own, fixed


def check_rules(faults: Faults, sources: Sources, splits: Mapping[int, PlannedSplit]) -> None:
    """Find rules that fit the joint ranges of all sources, but not those of any one source."""
    if not is_spread(sources):
        return
    for index, split in splits.items():
        paths = ["where", *(f"parts.{place}.where" for place in range(len(split.parts)))]
        for path, rule in zip(paths, (split.where, *split.parts), strict=True):
            if not sources_meeting(rule, sources):
                message = f"where={rule.text!r}: cannot be true in any source, whose axes have"
                message += f" {_spread_values(rule, sources)}"
                faults.add(f"split.{index}.{path}", message)


def _spread_values(rule: Rule, sources: Sources) -> str:
    """Name the values over which sources were spread, of the axes of a rule."""
    texts = []
    for name in rule.names:
        values = {str(s.fixed[name]): None for s in sources.values() if name in s.fixed}
        if values:
            rest = " ..." if len(values) > _MAX_VALUES_NAMED else ""
            texts.append(f"{name} = {', '.join([*values][:_MAX_VALUES_NAMED])}{rest}")
    return "; ".join(texts) or "other ranges"


def check_spaces(faults: Faults, sources: Sources, splits: Mapping[int, PlannedSplit]) -> None:
    """Find splits whose sources have too few addresses, individually or jointly.

    Splits that only a set of sources can fill must not ask for more than the set has (Hall 1935).
    Only the source sets of the splits are checked, each with all splits that it contains.
    """
    draft = faults.draft
    if draft.recipe is None and (draft.overrides.rows or draft.overrides.scale):
        return  # the rows are not those that were requested
    whole = {i: split for i, split in splits.items() if draft.is_whole("split", i)}
    own = {i: split for i, split in whole.items() if split.owns and not split.members}
    reach = {i: _reachable(split, sources) for i, split in own.items()}
    lenient = draft.limits is None or draft.limits.shortfall == "allow"
    reported: set[int] = set()
    for index in own:
        reached = [sources[place] for place in sorted(reach[index])]
        room = room_of(reached)
        if room is None:
            continue
        inside = [i for i in own if reach[i] <= reach[index]]
        too_large = [i for i in inside if own[i].spec.problems > room]
        wanted = sum(own[i].spec.problems for i in inside)
        for i in too_large:
            if i not in reported and not (lenient and len(reach[i]) < len(sources)):
                of = _listed(reached) if len(reached) < len(draft.sources) else "all sources"
                message = f"expected at most {room}, the addresses of {of}"
                faults.add(f"split.{i}.rows", f"rows={own[i].spec.rows}: {message}")
                reported.add(i)
        if not too_large and wanted > room and not lenient and not reported & {*inside}:
            names = ", ".join(repr(own[i].name) for i in inside)
            message = (
                f"rows={own[inside[-1]].spec.rows}: the splits {names} ask for {wanted} problems "
                f"together, but {_listed(reached)} {'has' if len(reached) == 1 else 'have'} only "
                f"{room} addresses; ask for fewer rows, or allow it: limits.shortfall = 'allow'"
            )
            faults.add(f"split.{inside[-1]}.rows", message)
            reported |= {*inside}


def _reachable(split: PlannedSplit, sources: Sources) -> frozenset[int]:
    """Return the sources whose rows can meet the rule of a split, and one of its parts."""
    parts = [sources_meeting(part, sources, by_ranges=False) for part in split.parts]
    meeting = sources_meeting(split.where, sources, by_ranges=False)
    return meeting & frozenset().union(*parts) if parts else meeting


def _listed(sources: Sequence[PlannedSource]) -> str:
    return ", ".join(repr(name) for name in sorted(s.name for s in sources)) or "no source"


class CellsOfSources:
    """Cells of a split by source: a source can fill the cells within its ranks on every axis.

    Its ranks follow from the ranges of its axes, or, without `by_ranges`, from its name only.
    """

    def __init__(
        self,
        sources: Sources,
        split: PlannedSplit,
        index: CellIndex,
        axes: Mapping[str, Axis],
        *,
        by_ranges: bool = True,
    ) -> None:
        self._shape, self._by_ranges = index.shape, by_ranges
        self._boxes: dict[int, list[_Ranks]] = {}
        self._of_cell: dict[int, tuple[int, ...]] = {}
        self._rounds = 0
        self._groups: dict[frozenset[int], list[frozenset[int]]] = {}
        if split.parts:
            self._shape = [len(split.parts)]
            meeting = [sources_meeting(part, sources) for part in split.parts]
            for i in sources:
                self._boxes[i] = [np.array([i in some for some in meeting])]
            return
        own = [source.generator.axes for source in sources.values()] if by_ranges else []
        known = {SOURCE}.union(*own)
        for i, source in sources.items():
            self._boxes[i] = [
                # a computed axis may have any rank in any source
                _ranks(source, name, axes[name]) if name in known else (0, axes[name].size)
                for name in index.names
            ]

    def can_fill(self, source: int, cells: Cells) -> NDArray[np.bool_]:
        """Return which of some cells a source can fill, bool (n,)."""
        fillable = np.ones(len(cells), bool)
        ranks = np.unravel_index(cells, self._shape) if self._shape else ()
        for rank, some in zip(ranks, self._boxes[source], strict=True):
            if isinstance(some, tuple):
                fillable &= (some[0] <= rank) & (rank <= some[1])
            else:
                fillable &= some[rank]
        return fillable

    def any_can_fill(self, sources: Collection[int], cells: Cells) -> NDArray[np.bool_]:
        """Return which of some cells any of some sources can fill, bool (n,)."""
        fillable = np.zeros(len(cells), bool)
        for source in sources:
            if fillable.all():
                break
            fillable |= self.can_fill(source, cells)
        return fillable

    def offered_to(self, cell: int, offered: Mapping[int, int]) -> int:
        """Return the addresses, given by source, of the sources that can fill a cell."""
        if cell not in self._of_cell:
            one = np.array([cell])
            self._of_cell[cell] = tuple(i for i in self._boxes if self.can_fill(i, one)[0])
        return sum(offered.get(source, 0) for source in self._of_cell[cell])

    def wanted(self, cells: Cells, short: Sequence[bool], possible: frozenset[int]) -> set[int]:
        """Return the sources of groups that may fill an open cell below its quota.

        A group whose cells are all unseen also may. Where ranges count, it may have no cells, so
        it is tried ever more rarely. Of the cells, which have a quota, some are open and short.
        """
        self._rounds += 1
        if possible not in self._groups:
            self._groups[possible] = self.groups(possible)
        wanted: set[int] = set()
        for group in self._groups[possible]:
            own = self.any_can_fill(group, cells)
            asked = self._rounds.bit_count() == 1 or not self._by_ranges
            unseen = asked and not own.any()
            if unseen or own[short].any():
                wanted |= group
        return wanted

    def groups(self, sources: Collection[int]) -> list[frozenset[int]]:
        """Partition sources so that cells of one group cannot be filled by another.

        Only whole groups may be left out for a while: the rows that two sources give to a cell
        depend on the rounds that both take part in.
        """
        groups: list[frozenset[int]] = []
        for source in sources:
            near = [group for group in groups if any(self._meet(source, mate) for mate in group)]
            groups = [group for group in groups if group not in near]
            groups.append(frozenset({source}).union(*near))
        return groups

    def _meet(self, one: int, other: int) -> bool:
        """Return whether two sources can fill the same cell."""
        pairs = zip(self._boxes[one], self._boxes[other], strict=True)
        return all(_overlap(a, b) for a, b in pairs)


def _ranks(source: PlannedSource, name: str, axis: Axis) -> _Ranks:
    """Return the ranks that a source's problems can have of an axis of all sources."""
    ranges, names = _own_values(source, [name], {name: axis})
    null, low, mine = axis.size, axis.low or 0, ranges[name]
    if name in names:
        return np.array([*(value in names[name] for value in axis.values), False])
    if name not in source.axes:
        return null, null
    first = 0 if mine.low is None else mine.low - low
    return first, null - 1 if mine.high is None else mine.high - low


def _overlap(a: _Ranks, b: _Ranks) -> bool:
    if isinstance(a, tuple) and isinstance(b, tuple):
        return a[0] <= b[1] and b[0] <= a[1]
    if isinstance(a, tuple) or isinstance(b, tuple):
        return True
    return bool((a & b).any())


_MAX_CELLS = 1 << 16
_MAX_NAMED = 5
_FIRST_DRAWS, _MAX_DRAWS, _MAX_SECONDS = 4, 1024, 5.0


def unreachable_cells(
    sources: Sources, split: PlannedSplit, axes: Mapping[str, Axis]
) -> list[Cell]:
    """Return the cells of a balance that its rule allows and the ranges of all sources exclude.

    Balances with more than 65,536 cells are not checked. Conditions on axes other than the balanced
    ones count as possible.
    """
    index = CellIndex(split.spec.balance, axes)
    if not index.names or prod(size - 1 for size in index.shape) > _MAX_CELLS:
        return []
    levels = index.levels()
    if {*split.where.names} <= {*index.names}:
        columns = {name: index.lows[i] + levels[:, i] for i, name in enumerate(index.names)}
        levels = levels[rows_that_meet([split.where], columns, axes, len(levels))[:, 0]]
    cells = index.numbered(levels)
    possible = sources_meeting(split.where, sources)
    filled = CellsOfSources(sources, split, index, axes).any_can_fill(possible, cells)
    return [index.values(cell) for cell in cells[~filled].tolist()]


def cells_text(cells: Sequence[Cell]) -> str:
    """List the first of some cells as text."""
    return first_of([cell_text(cell) for cell in cells], _MAX_NAMED)


def notes(
    sources: Sources, splits: Sequence[PlannedSplit], axes: Mapping[str, Axis]
) -> Iterator[str]:
    """Yield remarks on requests of a recipe that are impossible, or nearly so, but no faults."""
    yield from barren_sources(sources)
    for split in splits:
        cells = unreachable_cells(sources, split, axes)
        if cells:
            what = "cell" if len(cells) == 1 else "cells"
            text = f"split {split.name!r}: {len(cells):,} {what} of its balance that no source can"
            yield f"{text} fill: {cells_text(cells)}"


def barren_sources(sources: Sources) -> list[str]:
    """Return a remark on each source without a problem at its first addresses.

    The first 4 addresses of every source are drawn, and more of those without a problem: up to
    1,024, until that has taken 5 seconds for all sources together.
    """
    left, remarks = _MAX_SECONDS, []
    for source in sources.values():
        space = source.generator.space
        most = _MAX_DRAWS if space is None else min(space, _MAX_DRAWS)
        drawn, fertile = 0, False
        while drawn < most and not fertile and (left > 0 or not drawn):
            began, stop = monotonic(), min(most, max(_FIRST_DRAWS, 2 * drawn))
            draws = source.generator.draw(Rows.span(source.stream, drawn, stop))
            left -= monotonic() - began if drawn else 0  # the first time kernels are loaded
            drawn, fertile = stop, bool(draws.valid.any())
        if not fertile:
            remarks.append(f"source {source.name!r}: no problem was found in {drawn:,} draws")
    return remarks
