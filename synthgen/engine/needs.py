"""What a split is to have a number of times: tuples of values of axes, or structures.

Each is a unit. Rows that have units still needed are kept before all others, so that the split has
what it needs whenever its candidates do. A unit that comes in fewer rows an address than the floor
is not waited for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from synthgen.core.steering.needed_rows import lower_needs, note_units, take_needed
from synthgen.engine.need_units import Units
from synthgen.engine.propose import BLOCK, Candidates
from synthgen.recipe.steering import Cover

WINDOW = 4 * BLOCK
"""Addresses after which a cell or unit is judged by what it gained in any case ..."""
ENOUGH = 26
"""... or before, when one at the floor would have gained so many rows, beyond chance."""


@dataclass(frozen=True, slots=True)
class Unmet:
    """A unit that a split does not have often enough.

    Attributes:
        name: of the structure, or values of the axes.
        candidates: that had it.
        rare: whether it was given up since it came too seldom, or never did at all.
        told: whether the recipe names it.
    """

    name: str
    candidates: int
    rare: bool
    told: bool


@dataclass(frozen=True, slots=True)
class CoverResult:
    """What became of one `cover` of a split.

    Attributes:
        units: that were found or told.
        unmet: those that the split does not have often enough.
    """

    units: int
    unmet: tuple[Unmet, ...]


@dataclass(frozen=True, slots=True)
class _View:
    """The units of the rows of a block that a split may keep, as `take_needed` reads them."""

    numbers: NDArray[np.integer]
    offsets: NDArray[np.int64]
    rows: NDArray[np.int64]
    meaning: NDArray[np.int64]


class Need:
    """The units of one `cover`, and how often each is still needed."""

    def __init__(self, cover: Cover, units: Units) -> None:
        self._times = cover.times
        self._units = units
        self._left = np.zeros(0, np.int64)
        self._seen = np.zeros(0, np.int64)
        self._judged = np.zeros(0, np.int64)
        self._rare = np.zeros(0, bool)
        self._grow()
        self._left[:] = 0
        self._left[units.wanted] = self._times

    def _grow(self) -> None:
        """Make room for new units, which are needed."""
        new = self._units.size - len(self._left)
        if new > 0:
            self._left = np.concatenate([self._left, np.full(new, self._times)])
            self._seen = np.concatenate([self._seen, np.zeros(new, np.int64)])
            self._judged = np.concatenate([self._judged, np.zeros(new, np.int64)])
            self._rare = np.concatenate([self._rare, np.zeros(new, bool)])

    def look(self, block: Candidates) -> _View | None:
        """Count what is needed in the rows of a block; None if nothing is needed."""
        rows, places, meaning = self._units.of(block)
        self._grow()
        if not self._left.any():
            return None
        view = _View(rows.values, rows.offsets, places, meaning)
        note_units(view.numbers, view.offsets, view.rows, view.meaning, self._seen)
        return view

    def take(self, view: _View, taken: NDArray[np.bool_]) -> None:
        """Count what rows taken already have, and take what is needed beyond that."""
        take_needed(view.numbers, view.offsets, view.rows, view.meaning, self._left, taken)

    def lower(self, view: _View, more: NDArray[np.bool_]) -> None:
        """Count what rows have that were taken for another need."""
        lower_needs(view.numbers, view.offsets, view.rows[more], view.meaning, self._left)

    @property
    def met(self) -> bool:
        """Whether nothing is needed any more that is worth waiting for."""
        return not (self._left[~self._rare] > 0).any()

    def judge(self, least: float) -> None:
        """Wait no longer for units that fewer rows than `least` had since this was last done.

        Rows that have them are still taken.
        """
        self._rare |= self._seen - self._judged < least
        self._judged[:] = self._seen

    def result(self) -> CoverResult:
        """Return what became of the units."""
        units = self._units
        wanted = set(units.wanted) | set(np.flatnonzero(self._seen).tolist())
        unmet = [
            Unmet(
                name=units.name(unit),
                candidates=int(self._seen[unit]),
                rare=bool(self._rare[unit]) or not self._seen[unit],
                told=unit in units.told,
            )
            for unit in np.flatnonzero(self._left).tolist()
        ]
        return CoverResult(len(wanted), tuple(unmet))


class SplitNeeds:
    """All that a split is to have a number of times.

    Args:
        needs: of the split.
        rows: of the split; more cannot be needed, so that then nothing is waited for any more.
    """

    def __init__(self, needs: Sequence[Need], rows: int) -> None:
        self._needs = needs
        self._room = rows
        self._judged_at = 0
        self._closed = not needs

    def take(self, block: Candidates, usable: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Say which candidates of a block the split needs.

        Args:
            block: candidates of the split.
            usable: those that it may keep, (n,).
        """
        needed = np.zeros(len(block), bool)
        if self._closed:
            return needed
        positions = np.flatnonzero(usable)
        own = block.take(positions)
        views = [need.look(own) for need in self._needs]
        taken = np.zeros(len(positions), bool)
        for place, (need, view) in enumerate(zip(self._needs, views, strict=True)):
            if view is None:
                continue
            before = taken.copy()
            need.take(view, taken)
            for earlier, seen in zip(self._needs[:place], views[:place], strict=True):
                if seen is not None:
                    earlier.lower(seen, taken & ~before)
        needed[positions[taken]] = True
        self._room -= int(np.count_nonzero(taken))
        self._closed |= self._room < 0
        return needed

    @property
    def met(self) -> bool:
        """Whether nothing is needed any more, or nothing more is to be had."""
        return self._closed or all(need.met for need in self._needs)

    def judge(self, floor: float, addresses: int) -> None:
        """Give up the units that come in fewer rows than `floor` for each address.

        Args:
            floor: rows an address.
            addresses: proposed so far by the sources that rows of the split can come from.
        """
        more = addresses - self._judged_at
        if more < WINDOW and more * floor < ENOUGH:
            return
        for need in self._needs:
            need.judge(floor * more)
        self._judged_at = addresses

    def close(self) -> None:
        """Take no more rows: what is still needed stays so."""
        self._closed = True

    def results(self) -> tuple[CoverResult, ...]:
        """Return what became of each need."""
        return tuple(need.result() for need in self._needs)
