"""Units that a split must have: tuples of values of axes, or structures, a number of times each.

Rows with units that are still needed are kept before all others, so that the split has what it
needs whenever its candidates do. Selection does not wait for a unit that occurs in fewer rows per
address than the floor. A diverse split is chosen from a pool of candidates at the end instead: its
rows cover as many structures as they can.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from synthgen.contract.interfaces import BLOCK
from synthgen.core.columns import Ragged, offsets_of
from synthgen.dataset.records import CoverRecord, UnmetRecord
from synthgen.draws.randomness import Rows
from synthgen.engine.plan.plan import Plan
from synthgen.engine.plan.quota_cells import CellIndex, cell_text
from synthgen.engine.plan.splits import cover_record
from synthgen.engine.select.propose import Candidates
from synthgen.engine.steer.greedy import (
    NOTHING,
    count_units,
    greedy_rows,
    lower_needs,
    rows_with,
    take_needed,
)
from synthgen.recipe.fields import MAX_ROWS
from synthgen.recipe.schema import Cover, Diverse, Split
from synthgen.rules.axes import Axis
from synthgen.trees.named_structures import (
    parse_structure,
    structure_id_in,
    structure_ids,
    structure_names,
)

UNKNOWN = -2
Namer = Callable[[int, NDArray[np.uint64]], Mapping[int, str]]
"""Returns the texts of the structures of rows, keyed by id, from source and addresses."""


View = tuple[NDArray[np.integer], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]
"""The units of some candidates: numbers of their block by row, offsets of the rows, the candidates'
rows, and the unit of each number."""


class TupleUnits:
    """Tuples of values of each combination of `strength` axes."""

    def __init__(self, cover: Cover, axes: Mapping[str, Axis]) -> None:
        strength = cover.strength or len(cover.axes)
        self._indices = [CellIndex(names, axes) for names in combinations(cover.axes, strength)]
        sizes = [index.size for index in self._indices]
        self._bases = np.concatenate([[0], np.cumsum(sizes)]).tolist()
        if cover.of:
            cells = {self._indices[0].cell_of([*values]) for values in cover.of}
            self.wanted = sorted(cell for cell in cells if cell is not None)
        else:
            pairs = zip(self._indices, self._bases, strict=False)
            whole = [index.numbered(index.levels()) + base for index, base in pairs]
            self.wanted = np.concatenate(whole).tolist()
        self._meaning = np.full(self.size, NOTHING)
        self._meaning[self.wanted] = self.wanted

    @property
    def size(self) -> int:
        """Number of tuples of all combinations."""
        return int(self._bases[-1])

    def view(self, block: Candidates) -> View:
        """Return the tuples of the candidates."""
        n, width = len(block), len(self._indices)
        numbers = np.empty((n, width), np.int64)
        for place, index in enumerate(self._indices):
            numbers[:, place] = index.number(block.axes, n) + self._bases[place]
        return numbers.ravel(), offsets_of(np.full(n, width)), np.arange(n), self._meaning

    def names(self, units: Sequence[int]) -> list[str]:
        """Return the values of tuples as texts."""
        places = (np.searchsorted(self._bases, units, side="right") - 1).tolist()
        pairs = zip(places, units, strict=True)
        cells = [self._indices[place].values(unit - self._bases[place]) for place, unit in pairs]
        return [cell_text(cell) for cell in cells]


class StructureUnits:
    """Structures of one kind: those listed by id and text, or all that occur and a namer names."""

    def __init__(self, cover: Cover, ids: Mapping[int, str], namer: Namer) -> None:
        self._kind = cover.structures or ""
        self._open = not cover.of
        self._symbols = frozenset(cover.symbols)
        self._namer = namer
        # Symbols of the same name but different arity have different ids.
        self._places: dict[str, int] = {}
        self._numbers = {
            key: self._places.setdefault(name, len(self._places)) for key, name in ids.items()
        }
        self.wanted = [*self._places.values()]

    @property
    def size(self) -> int:
        """Number of structures known."""
        return len(self._places)

    def view(self, block: Candidates) -> View:
        """Return the structures of the candidates, and number new ones."""
        own = block.structures[self._kind]
        meaning = np.array([self._numbers.get(i, UNKNOWN) for i in own.ids.tolist()], np.int64)
        if self._open and (meaning == UNKNOWN).any():
            self._find(block, meaning)
        return own.rows.values, own.rows.offsets, own.positions, meaning

    def _find(self, block: Candidates, meaning: NDArray[np.int64]) -> None:
        """Number the structures that are new in this block, by their first row."""
        own = block.structures[self._kind]
        rows = own.rows.take(own.positions)
        new = np.flatnonzero(meaning[rows.values] == UNKNOWN)
        numbers, firsts = np.unique(rows.values[new], return_index=True)
        places = np.searchsorted(rows.offsets, new[firsts], side="right") - 1
        if not len(numbers):
            return
        names = self._namer(block.source, block.addresses[np.unique(places)])
        for number, key in zip(numbers.tolist(), own.ids[numbers].tolist(), strict=True):
            meaning[number] = self._numbers[key] = self._number(names[key])

    def _number(self, name: str) -> int:
        """Return the number of a new structure, NOTHING if it has an excluded symbol."""
        if self._symbols and not {*parse_structure(name, self._kind).symbols} <= self._symbols:
            return NOTHING
        return self._places.setdefault(name, len(self._places))

    def names(self, units: Sequence[int]) -> list[str]:
        """Return the texts of structures."""
        texts = [*self._places]
        return [texts[unit] for unit in units]


ENOUGH = 26
"""A gain is checked over as many addresses as bring this many rows at the floor. By chance, there
are none at the floor once in 10^11 checks, and fewer than this many at 3 times the floor."""


class Need:
    """The units of one `cover`, and how often each is still needed."""

    def __init__(self, cover: Cover, units: TupleUnits | StructureUnits) -> None:
        self._cover, self._units = cover, units
        self._left = np.zeros(units.size, np.int64)
        self._left[units.wanted] = cover.times
        self._seen = np.zeros(units.size, np.int64)
        self._seen_before = self._seen.copy()
        self._rare = np.zeros(units.size, bool)

    def view(self, block: Candidates) -> View | None:
        """Count the units in the rows of a block, new ones included; None if nothing is needed."""
        view = self._units.view(block)
        if new := self._units.size - len(self._left):
            self._left = np.append(self._left, np.full(new, self._cover.times))
            self._seen = np.append(self._seen, np.zeros(new, np.int64))
            self._seen_before = np.append(self._seen_before, np.zeros(new, np.int64))
            self._rare = np.append(self._rare, np.zeros(new, bool))
        if not self._left.any():
            return None
        count_units(*view, self._seen)
        return view

    def take(self, view: View, taken: NDArray[np.bool_]) -> None:
        """Count the units of rows already taken, and take further rows that are needed."""
        take_needed(*view, self._left, taken)

    def lower(self, view: View, more: NDArray[np.bool_]) -> None:
        """Count the units of rows that were taken for another need."""
        numbers, offsets, rows, meaning = view
        lower_needs(numbers, offsets, rows[more], meaning, self._left)

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

    def result(self) -> CoverRecord:
        """Return the result for the units."""
        units, cover = self._units, self._cover
        unmet = np.flatnonzero(self._left).tolist()
        return replace(
            cover_record(cover),
            units=len({*units.wanted} | {*np.flatnonzero(self._seen).tolist()}),
            unmet=tuple(
                UnmetRecord(name, int(seen), rare=bool(rare) or not seen)
                for name, seen, rare in zip(
                    units.names(unmet), self._seen[unmet], self._rare[unmet], strict=True
                )
            ),
        )


class SplitNeeds:
    """All needs of a split; once they need more than its rows, none is waited for."""

    def __init__(self, needs: Sequence[Need], rows: int) -> None:
        self._needs = needs
        self._room = rows
        self._checked_at = 0
        self._closed = not needs

    def take(self, block: Candidates, usable: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which candidates of a block the split needs, among those that it may keep."""
        needed = np.zeros(len(block), bool)
        if self._closed:
            return needed
        positions = np.flatnonzero(usable)
        own = block.take(positions)
        taken = np.zeros(len(positions), bool)
        views: list[tuple[Need, View]] = []
        for need in self._needs:
            view = need.view(own)
            if view is None:
                continue
            before = taken.copy()
            need.take(view, taken)
            for earlier, seen in views:
                earlier.lower(seen, taken & ~before)
            views.append((need, view))
        needed[positions[taken]] = True
        self._room -= int(np.count_nonzero(taken))
        self._closed |= self._room < 0
        return needed

    @property
    def met(self) -> bool:
        """Whether nothing more is needed or available."""
        return self._closed or all(need.met for need in self._needs)

    def give_up_rare(self, floor: float, addresses: int) -> None:
        """Give up the units that occur in fewer than `floor` rows per address proposed so far."""
        more = addresses - self._checked_at
        if more * floor < ENOUGH:
            return
        for need in self._needs:
            need.give_up_rare(floor * more)
        self._checked_at = addresses

    def close(self) -> None:
        """Take no more rows; remaining needs stay unmet."""
        self._closed = True

    def results(self) -> tuple[CoverRecord, ...]:
        """Return the result of each need."""
        return tuple(need.result() for need in self._needs)


def make_needs(split: Split, plan: Plan) -> SplitNeeds:
    """Return the needs of a split, before the first candidate."""
    return SplitNeeds([Need(cover, _units(cover, plan)) for cover in split.cover], split.rows)


def _units(cover: Cover, plan: Plan) -> TupleUnits | StructureUnits:
    kind = cover.structures
    if kind is None:
        return TupleUnits(cover, plan.axes)
    ids = {
        key: text
        for text in cover.of
        if isinstance(text, str)
        for source in plan.proposing.values()
        if (key := structure_id_in(text, kind, source.generator.signature)) is not None
    }

    def names(index: int, addresses: NDArray[np.uint64]) -> Mapping[int, str]:
        source = plan.sources[index]
        generator = source.generator
        derivations = generator.draw(Rows(source.stream, addresses)).derivations
        structures = structure_ids(derivations, generator.signature, kind)
        texts = structure_names(derivations, generator.signature, kind)
        return dict(zip(structures.values.tolist(), texts, strict=True))

    return StructureUnits(cover, ids, names)


_MORE, _MAX_MORE = 3, 1 << 18
"""Default size of a pool beyond the rows of the split: this many candidates per row, up to a limit;
with many rows, all common structures are among them anyway."""


def make_pool(split: Split, plan: Plan) -> DiversePool | None:
    """Return the pool from which the rows of a split are chosen by structures, if they are."""
    rule = split.diverse
    if rule is None:
        return None
    usual = split.rows + min(_MORE * split.rows, _MAX_MORE)
    size = min(rule.pool or usual, plan.space or MAX_ROWS)
    return DiversePool(rule, max(size, split.rows))


class DiversePool:
    """The structures of the first candidates of a split, `size` of them."""

    def __init__(self, rule: Diverse, size: int) -> None:
        self._rule = rule
        self.size = size
        self._rows = 0
        self._numbers: dict[int, int] = {}
        self._parts: list[Ragged] = []

    def add(self, block: Candidates) -> None:
        """Add the next candidates, while the pool has room."""
        if self._rows >= self.size:
            return
        structures = block.structures[self._rule.structures]
        rows = structures.rows.take(structures.positions[: self.size - self._rows])
        known = self._numbers
        numbers = [known.setdefault(key, len(known)) for key in structures.ids.tolist()]
        self._parts.append(Ragged(np.array(numbers, np.int32)[rows.values], rows.offsets))
        self._rows += len(rows)

    def most_diverse(self, pool: NDArray[np.bool_], rows: int) -> NDArray[np.bool_]:
        """Choose rows of the pool: those that cover most structures, then the first ones."""
        values = np.concatenate([np.zeros(0, np.int32), *(part.values for part in self._parts)])
        lengths = [np.zeros(0, np.int64), *(part.lengths for part in self._parts)]
        structures = Ragged(values, offsets_of(np.concatenate(lengths)))
        covering = self._covering(structures, rows)
        places = np.flatnonzero(pool)
        chosen = np.zeros(len(pool), bool)
        chosen[places[covering]] = True
        others = places[~chosen[places]]
        chosen[others[: rows - len(covering)]] = True
        return chosen

    def _covering(self, structures: Ragged, rows: int) -> NDArray[np.int64]:
        """Return at most `rows` rows that cover most structures, or enough to cover all.

        Where the rows suffice for everything needed, processing block by block covers as much as
        processing all at once, in a fraction of the time.
        """
        n, rule = len(self._numbers), self._rule
        if n * rule.times > rows:
            weights = np.ones(n, np.int64)
            if rule.weigh == "frequency":
                weights = rows_with(structures.values, structures.offsets, n)
            needs = np.full(n, rule.times, np.int64)
            return greedy_rows(structures.values, structures.offsets, weights, needs, rows)
        left, same = np.full(n, rule.times), np.arange(n)
        taken = np.zeros(len(structures), bool)
        for start in range(0, len(taken), BLOCK):
            block = np.arange(start, min(start + BLOCK, len(taken)))
            own = taken[start : start + BLOCK]
            take_needed(structures.values, structures.offsets, block, same, left, own)
        return np.flatnonzero(taken)
