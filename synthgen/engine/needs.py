"""Units that a split must have a given number of times: tuples of values of axes, or structures.

Rows with units that are still needed are kept before all others, so that the split has what it
needs whenever its candidates do. Selection does not wait for a unit that occurs in fewer rows per
address than the floor.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from synthgen.core.columns import Ragged, offsets_of
from synthgen.core.contract import Axis
from synthgen.core.named_structures import parse_structure
from synthgen.core.steering import NOTHING, count_units, lower_needs, take_needed
from synthgen.engine.cells import CellIndex
from synthgen.engine.propose import Candidates
from synthgen.recipe.schema import Cover

UNKNOWN = -2
Namer = Callable[[int, NDArray[np.uint64], str], Mapping[int, str]]
"""Returns the texts of the structures of rows, keyed by id, from source, addresses and kind."""


class Units(Protocol):
    """Numbers the units of the rows of a block."""

    listed: frozenset[int]
    wanted: list[int]

    def of(self, block: Candidates) -> tuple[Ragged, NDArray[np.int64], NDArray[np.int64]]:
        """Return numbers in the block's rows, the candidates' rows, and each number's unit."""
        ...

    @property
    def size(self) -> int:
        """Number of units known."""
        ...

    def name(self, unit: int) -> str:
        """Return the readable name of a unit."""
        ...


class TupleUnits:
    """Tuples of values of each combination of `strength` axes."""

    def __init__(self, cover: Cover, axes: Mapping[str, Axis]) -> None:
        strength = cover.strength or len(cover.axes)
        self._indices = [CellIndex(names, axes) for names in combinations(cover.axes, strength)]
        sizes = [index.size for index in self._indices]
        self._bases = np.concatenate([[0], np.cumsum(sizes)]).tolist()
        whole = np.zeros(self.size, bool)
        for index, base in zip(self._indices, self._bases, strict=False):
            whole[base : base + index.size] = index.without_null()
        cells = [self._cell(values) for values in cover.of if not isinstance(values, str)]
        self.listed = frozenset(cell for cell in cells if cell is not None)
        self.wanted = np.flatnonzero(whole).tolist() if not cover.of else sorted(self.listed)
        self._meaning = np.where(whole, np.arange(self.size), NOTHING)
        if cover.of:
            self._meaning = np.full(self.size, NOTHING)
            self._meaning[self.wanted] = self.wanted

    def _cell(self, values: tuple[int | str, ...]) -> int | None:
        return self._indices[0].cell_of(values)

    @property
    def size(self) -> int:
        """Number of tuples of all combinations."""
        return int(self._bases[-1])

    def of(self, block: Candidates) -> tuple[Ragged, NDArray[np.int64], NDArray[np.int64]]:
        """Return the tuples of the candidates."""
        n, width = len(block), len(self._indices)
        numbers = np.empty((n, width), np.int64)
        for place, index in enumerate(self._indices):
            numbers[:, place] = index.number(block.axes, n) + self._bases[place]
        rows = Ragged(numbers.ravel(), offsets_of(np.full(n, width)))
        return rows, np.arange(n), self._meaning

    def name(self, unit: int) -> str:
        """Return the values of a tuple."""
        place = int(np.searchsorted(self._bases, unit, side="right")) - 1
        values = self._indices[place].values(unit - self._bases[place])
        return ", ".join(f"{axis}={value}" for axis, value in values.items())


class StructureUnits:
    """Structures of one kind: listed ones, or all that occur.

    Args:
        cover: cover of the recipe.
        ids: ids of the listed structures, with their texts.
        namer: names the structures that occur.
    """

    def __init__(self, cover: Cover, ids: Mapping[int, str], namer: Namer) -> None:
        self._kind = cover.structures or ""
        self._open = not cover.of
        self._symbols = frozenset(cover.symbols)
        self._namer = namer
        self._names = [*dict.fromkeys(ids.values())]
        # Symbols of the same name but different arity have different ids.
        self._places = {name: place for place, name in enumerate(self._names)}
        self._numbers = {key: self._places[name] for key, name in ids.items()}
        self.listed = frozenset(range(len(self._names)))
        self.wanted = [*range(len(self._names))]

    @property
    def size(self) -> int:
        """Number of structures known."""
        return len(self._names)

    def of(self, block: Candidates) -> tuple[Ragged, NDArray[np.int64], NDArray[np.int64]]:
        """Return the structures of the candidates, and number new ones."""
        own = block.structures[self._kind]
        meaning = np.array([self._numbers.get(i, UNKNOWN) for i in own.ids.tolist()], np.int64)
        if self._open and (meaning == UNKNOWN).any():
            self._find(block, meaning)
        return own.rows, own.positions, meaning

    def _find(self, block: Candidates, meaning: NDArray[np.int64]) -> None:
        """Number the structures that are new in this block, by their first row."""
        own = block.structures[self._kind]
        rows = own.rows.take(own.positions)
        new = np.flatnonzero(meaning[rows.values] == UNKNOWN)
        numbers, firsts = np.unique(rows.values[new], return_index=True)
        places = np.searchsorted(rows.offsets, new[firsts], side="right") - 1
        if not len(numbers):
            return
        names = self._namer(block.source, block.addresses[np.unique(places)], self._kind)
        for number, key in zip(numbers.tolist(), own.ids[numbers].tolist(), strict=True):
            meaning[number] = self._numbers[key] = self._number(names[key])

    def _number(self, name: str) -> int:
        """Return the number of a new structure, NOTHING if it has an excluded symbol."""
        if self._symbols and not self._symbols.issuperset(
            parse_structure(name, self._kind).symbols
        ):
            return NOTHING
        if name not in self._places:
            self._places[name] = len(self._names)
            self._names.append(name)
        return self._places[name]

    def name(self, unit: int) -> str:
        """Return the text of a structure."""
        return self._names[unit]


ENOUGH = 26
"""A gain is checked over as many addresses as bring this many rows at the floor. By chance, there
are none at the floor once in 10^11 checks, and fewer than this many at 3 times the floor."""


@dataclass(frozen=True, slots=True)
class Unmet:
    """A unit that a split does not have often enough.

    Attributes:
        name: text of the structure, or values of the axes.
        candidates: number of candidates that had it.
        rare: whether it was given up because it occurred too rarely or never.
        listed: whether the recipe lists it.
    """

    name: str
    candidates: int
    rare: bool
    listed: bool


@dataclass(frozen=True, slots=True)
class CoverResult:
    """Result of one `cover` of a split.

    Attributes:
        units: number of units that occurred or were listed.
        unmet: units that the split does not have often enough.
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
        self._seen_before = np.zeros(0, np.int64)
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
            self._seen_before = np.concatenate([self._seen_before, np.zeros(new, np.int64)])
            self._rare = np.concatenate([self._rare, np.zeros(new, bool)])

    def view(self, block: Candidates) -> _View | None:
        """Count the units in the rows of a block; None if nothing is needed."""
        rows, places, meaning = self._units.of(block)
        self._grow()
        if not self._left.any():
            return None
        view = _View(rows.values, rows.offsets, places, meaning)
        count_units(view.numbers, view.offsets, view.rows, view.meaning, self._seen)
        return view

    def take(self, view: _View, taken: NDArray[np.bool_]) -> None:
        """Count the units of rows already taken, and take further rows that are needed."""
        take_needed(view.numbers, view.offsets, view.rows, view.meaning, self._left, taken)

    def lower(self, view: _View, more: NDArray[np.bool_]) -> None:
        """Count the units of rows that were taken for another need."""
        lower_needs(view.numbers, view.offsets, view.rows[more], view.meaning, self._left)

    @property
    def met(self) -> bool:
        """Whether no unit that is worth waiting for is still needed."""
        return not (self._left[~self._rare] > 0).any()

    def give_up_rare(self, least: float) -> None:
        """Stop waiting for units that fewer than `least` rows had since the last call.

        Rows that have them are still taken.
        """
        self._rare |= self._seen - self._seen_before < least
        self._seen_before[:] = self._seen

    def result(self) -> CoverResult:
        """Return the result for the units."""
        units = self._units
        wanted = set(units.wanted) | set(np.flatnonzero(self._seen).tolist())
        unmet = [
            Unmet(
                name=units.name(unit),
                candidates=int(self._seen[unit]),
                rare=bool(self._rare[unit]) or not self._seen[unit],
                listed=unit in units.listed,
            )
            for unit in np.flatnonzero(self._left).tolist()
        ]
        return CoverResult(len(wanted), tuple(unmet))


class SplitNeeds:
    """All needs of a split.

    Args:
        needs: needs of the split.
        rows: rows of the split; once more are needed, no needs are waited for.
    """

    def __init__(self, needs: Sequence[Need], rows: int) -> None:
        self._needs = needs
        self._room = rows
        self._checked_at = 0
        self._closed = not needs

    def take(self, block: Candidates, usable: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which candidates of a block the split needs.

        Args:
            block: candidates of the split.
            usable: which of them it may keep, (n,).
        """
        needed = np.zeros(len(block), bool)
        if self._closed:
            return needed
        positions = np.flatnonzero(usable)
        own = block.take(positions)
        views = [need.view(own) for need in self._needs]
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
        """Whether nothing more is needed or can be found."""
        return self._closed or all(need.met for need in self._needs)

    def give_up_rare(self, floor: float, addresses: int) -> None:
        """Give up the units that occur in fewer than `floor` rows per address.

        Args:
            floor: rows per address.
            addresses: addresses proposed so far by the sources of the split's rows.
        """
        more = addresses - self._checked_at
        if more * floor < ENOUGH:
            return
        for need in self._needs:
            need.give_up_rare(floor * more)
        self._checked_at = addresses

    def close(self) -> None:
        """Take no more rows; remaining needs stay unmet."""
        self._closed = True

    def results(self) -> tuple[CoverResult, ...]:
        """Return the result of each need."""
        return tuple(need.result() for need in self._needs)
