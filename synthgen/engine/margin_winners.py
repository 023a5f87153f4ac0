"""Winners of a split with margins: given numbers of rows by the values of several sets of axes.

Cells are the joint values of all axes of the margins. The number of rows of each cell is fitted to
the margins (`controllers/fitting.py`), as near to the frequencies of the candidates as they allow.
Groups of cells, those of one value of a margin, can be exhausted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from synthgen.core.contract import Axis
from synthgen.engine.cells import CellIndex
from synthgen.engine.controllers.fitting import fit_counts
from synthgen.engine.controllers.margins import Margin
from synthgen.engine.controllers.quotas import fill_by_weight
from synthgen.engine.laws import CellWeights
from synthgen.engine.winners import CellResult, Winners
from synthgen.recipe.schema import Split

_THE_FIT = -1
"""Unit number of the fit as a whole."""
_ENOUGH = 4
"""Candidates per wanted row, in every group, at which an inexact fit of three or more margins is
accepted: to fit them exactly is NP-hard."""


@dataclass(slots=True)
class _Groups:
    """The groups of one margin.

    Attributes:
        index: numbers the groups by the values of the margin's axes.
        weights: weights of the groups.
        dry: groups that were given up.
    """

    index: CellIndex
    weights: CellWeights
    dry: set[int] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class _Fit:
    """Distribution of the rows over the cells.

    Attributes:
        targets: group -> wanted rows, for each margin.
        counts: cell -> rows taken from it.
        placed: rows that fit the margins, before others fill up the split.
        exact: whether every group has its wanted rows.
    """

    targets: tuple[dict[int, int], ...]
    counts: dict[int, int]
    placed: int
    exact: bool


class MarginWinners(Winners):
    """Rows that may be kept for one split with margins."""

    def __init__(self, spec: Split, axes: Mapping[str, Axis]) -> None:
        joint = tuple(dict.fromkeys(name for margin in spec.margins for name in margin.axes))
        super().__init__(spec, axes, joint)
        self._margins = [
            _Groups(index, CellWeights(margin, index, spec.weight))
            for margin in spec.margins
            for index in [CellIndex(margin.axes, axes)]
        ]
        self._barred = self._never()
        self._stuck = False
        self._last: tuple[tuple[int, int, int], _Fit] | None = None

    def _never(self) -> NDArray[np.bool_]:
        """Return which joint cells cannot have rows, as one of their groups has no weight."""
        never, cells = np.zeros(self.index.size, bool), np.arange(self.index.size)
        for groups in self._margins:
            barred = groups.weights.never()
            if barred is not None:
                never |= barred[self.index.within(cells, groups.index)]
        return never

    def quotas(self) -> dict[int, int]:
        """Distribute the split's rows over the joint cells seen."""
        return self._fitted().counts

    def settled(self) -> bool:
        """Return whether the margins are met."""
        if not self._enough():
            return False
        fit = self._fitted()
        if sum(fit.counts.values()) < self.wanted:
            return False
        return fit.exact or (len(self._margins) > 2 and self._plenty(fit))

    def _plenty(self, fit: _Fit) -> bool:
        return all(
            self._candidates(groups).get(group, 0) >= _ENOUGH * rows or group in groups.dry
            for groups, targets in zip(self._margins, fit.targets, strict=True)
            for group, rows in targets.items()
        )

    def open_units(self) -> Iterator[tuple[int, int, bool]]:
        """Yield the groups that can be given up, numbered over all margins, and the fit itself."""
        base, every = 0, True
        for groups, targets in zip(self._margins, self._goals(), strict=True):
            had = self._candidates(groups)
            for group, rows in targets.items():
                if group not in groups.dry:
                    full = had.get(group, 0) >= rows
                    every &= full
                    yield base + group, had.get(group, 0), full
            base += groups.index.size
        if every:  # groups that wait for candidates come first: the fit may lack them
            yield _THE_FIT, self._fitted().placed, self.settled()

    def close(self, unit: int) -> None:
        """Give up a group, which gets at most the rows available, or an exact fit."""
        self._stuck |= unit == _THE_FIT
        for groups in self._margins:
            if 0 <= unit < groups.index.size:
                groups.dry.add(unit)
                break
            unit -= groups.index.size
        self._last = None

    def all_closed(self) -> bool:
        """Return whether more candidates would not improve the fit."""
        groups = [unit for unit in self.open_units() if unit[0] != _THE_FIT]
        return not groups or (self._stuck and all(full for _, _, full in groups))

    def _enough(self) -> bool:
        """Return whether every group has enough candidates; only then is a fit tried."""
        return all(
            had.get(group, 0) >= rows
            for groups, targets in zip(self._margins, self._goals(), strict=True)
            for had in [self._candidates(groups)]
            for group, rows in targets.items()
        )

    def _goals(self) -> tuple[dict[int, int], ...]:
        """Return the wanted rows of the groups of each margin."""
        rows = min(self.wanted, *(self._reachable(groups) for groups in self._margins))
        return tuple(self._targets(groups, rows) for groups in self._margins)

    def _candidates(self, groups: _Groups) -> dict[int, int]:
        """Return the candidates of each group seen."""
        cells = np.flatnonzero(self.counts)
        inside = self.index.within(cells, groups.index)
        found, places = np.unique(inside, return_inverse=True)
        sums = np.bincount(places, self.counts[cells], len(found)).astype(np.int64)
        return dict(zip(found.tolist(), sums.tolist(), strict=True))

    def _fitted(self) -> _Fit:
        """Fit the cells to the margins; reuse the last fit if nothing has changed."""
        dry = sum(len(groups.dry) for groups in self._margins)
        state = (int(self.counts.sum()), int(self.closed.sum()), dry)
        if self._last is None or self._last[0] != state:
            self._last = (state, self._fit())
        return self._last[1]

    def _fit(self) -> _Fit:
        cells = np.flatnonzero(self.counts)
        counts = self.counts[cells]
        targets = self._goals()
        rows = max((sum(wanted.values()) for wanted in targets), default=0)
        if not len(cells):
            return _Fit(targets, {}, 0, exact=False)
        margins = [
            _margin(place, groups, wanted, self.index.within(cells, groups.index))
            for place, (groups, wanted) in enumerate(zip(self._margins, targets, strict=True))
        ]
        fitted = fit_counts(counts, margins, counts)
        given = _filled_up(fitted.counts, counts, min(rows, int(counts.sum())))
        by_cell = dict(zip(cells.tolist(), given.tolist(), strict=True))
        lacking = [
            sum(max(0, unmet.wanted - unmet.reached) for unmet in group)
            for _, group in groupby(fitted.unmet, key=lambda unmet: unmet.margin)
        ]
        placed = int(fitted.counts.sum()) - max(lacking, default=0)
        return _Fit(targets, by_cell, placed, not fitted.unmet)

    def _reachable(self, groups: _Groups) -> int:
        """Return the most rows that a margin can have, given its exhausted groups."""
        shares = self._targets(groups, self.wanted)
        return sum(shares.values())

    def _targets(self, groups: _Groups, rows: int) -> dict[int, int]:
        """Distribute rows over the groups of a margin; exhausted groups get what they have."""
        had = self._candidates(groups)
        numbers = sorted({*had, *groups.weights.listed})
        weights = groups.weights.of(numbers)
        if not weights.any():
            return dict.fromkeys(numbers, 0)
        closed = self.closed.all()
        limits = [had.get(n, 0) if closed or n in groups.dry else None for n in numbers]
        shares = fill_by_weight(rows, weights, limits).counts
        return dict(zip(numbers, shares.tolist(), strict=True))

    def results(self) -> list[CellResult]:
        """Return the result of each group, margin by margin in the order of their values."""
        fit, found = self._fitted(), []
        cells = np.array([*fit.counts], np.int64)
        rows = np.array([*fit.counts.values()], np.int64)
        for groups, targets in zip(self._margins, fit.targets, strict=True):
            had = self._candidates(groups)
            inside = self.index.within(cells, groups.index)
            weights = groups.weights.of([*targets])
            fair = fill_by_weight(self.wanted, weights).counts if weights.any() else weights
            for group, quota in zip(targets, fair.tolist(), strict=True):
                reached = int(rows[inside == group].sum())
                # Rounding may take a row from a group where others are exhausted.
                dry = reached < max(targets[group], int(quota) - 1)
                values = groups.index.values(group)
                found.append(
                    CellResult(
                        values=values,
                        rows=reached,
                        quota=max(targets[group], int(quota)) if dry else reached,
                        dry=dry,
                        candidates=had.get(group, 0),
                    )
                )
        return found


def _margin(
    place: int, groups: _Groups, wanted: Mapping[int, int], inside: NDArray[np.int64]
) -> Margin:
    """Return a margin over the cells seen, its groups numbered from 0."""
    numbers = np.array([*wanted], np.int64)
    targets = np.array([*wanted.values()], np.int64)
    name = ", ".join(groups.index.names) or str(place)
    return Margin(name, np.searchsorted(numbers, inside), targets)


def _filled_up(given: NDArray[np.int64], counts: NDArray[np.int64], rows: int) -> NDArray[np.int64]:
    """Give rows that fit no margin to the cells with most room, so that the total is exact."""
    missing = rows - int(given.sum())
    if missing <= 0:
        return given
    result = given.copy()
    for cell in np.argsort(given - counts, kind="stable"):
        more = min(missing, int(counts[cell] - result[cell]))
        result[cell] += more
        missing -= more
    return result
