"""State of one split during selection, and of the splits whose rows are seen in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from synthgen.dataset.membership import Membership
from synthgen.dataset.records import CoverRecord
from synthgen.engine.plan.feasibility import CellsOfSources, is_spread
from synthgen.engine.plan.plan import Plan
from synthgen.engine.plan.quota_cells import PART, cell_text, first_of
from synthgen.engine.plan.splits import PlannedSplit
from synthgen.engine.select.packed_addresses import Addressed
from synthgen.engine.select.propose import Candidates
from synthgen.engine.select.quotas import Times, member_times, part_times
from synthgen.engine.select.winners import Winners
from synthgen.engine.steer.cover import ENOUGH, make_needs, make_pool
from synthgen.rules.axes import SOURCE
from synthgen.rules.language import Rule, rows_that_meet
from synthgen.trees.content_keys import Keys

MISSING = int(np.iinfo(np.int64).min)
"""Value of an axis that the source of a row lacks."""

T = TypeVar("T", bound=np.generic)
Pieces: TypeAlias = Sequence[NDArray[T]]


@dataclass(frozen=True, slots=True)
class Chosen:
    """The rows of a split in the order proposed.

    Attributes:
        winners: Winners that they were chosen from.
        addressed: Addresses of the problems, without repeats.
        keys: Content keys (n, 2), empty where nothing needs them.
        times: Rows of each problem, (n,); None for one each.
        held: Axis -> int64 (n,) in pieces, for axes that are needed later.
        covers: Results of each `cover` of the split.
        left_out: Number of rows that covers need but that did not fit.
    """

    winners: Winners
    addressed: Addressed
    keys: Keys
    times: Times | None = None
    held: Mapping[str, Pieces[np.int64]] = field(default_factory=dict)
    covers: tuple[CoverRecord, ...] = ()
    left_out: int = 0

    @property
    def rows(self) -> int:
        """Number of rows, repeats included."""
        return len(self.addressed) if self.times is None else int(self.times.sum())

    def values(self, axis: str) -> NDArray[np.int64]:
        """Return the values of a held axis in all rows, repeats included."""
        values = np.concatenate(self.held[axis])
        return values if self.times is None else np.repeat(values, self.times)


class SplitState:
    """State of selection for one split."""

    def __init__(self, split: PlannedSplit, plan: Plan) -> None:
        self.split = split
        self._axes = plan.axes
        self._winners = Winners(split.spec, plan.axes)
        self._needs = make_needs(split.spec, plan)
        self._pool = make_pool(split.spec, plan)
        if split.members:
            self._winners.wanted = min(split.spec.rows, len(split.members.keys))
        if self._pool:
            self._winners.wanted = self._pool.size
        self._dependents = [
            (other, Winners(other.spec, plan.axes))
            for other in plan.splits
            if other.spec.seen_in == split.name
        ]
        # Equal problems can meet different rules only then, so only then are they compared.
        repeated = plan.recipe.dedup.on != "canonical" and not plan.canonical_rules
        self._keep_keys = repeated or bool(plan.restating)
        self._addressed = Addressed()
        self._keys: list[Keys] = []
        self._listed: list[NDArray[np.int64]] = []
        self._held: dict[str, list[NDArray[np.int64]]] = {n: [] for n in plan.held_axes(split)}
        self._judged: dict[int, tuple[int, int]] = {}
        self.offers = np.zeros(len(plan.sources), np.int64)  # candidates of each source
        self.duplicates = self.rows = 0
        self.dry = False
        spec = split.spec
        first_come = not (spec.cap or spec.parts or spec.shares or spec.cover or spec.diverse)
        # whether each cell may still grow, where its first rows are those that it keeps
        self._growing = self._winners.growing() if first_come and not split.members else None
        self._reach: CellsOfSources | None = None
        if (spread := is_spread(plan.proposing)) or SOURCE in split.spec.balance:
            sources, index = plan.proposing, self._winners.index
            self._reach = CellsOfSources(sources, split, index, plan.axes, by_ranges=spread)

    def add(self, block: Candidates) -> None:
        """Add distinct candidates of one source."""
        n = len(block)
        self.rows += n
        self._addressed.add(block.source, block.addresses)
        if self._keep_keys:
            self._keys.append(block.keys)
        for name, held in self._held.items():
            held.append(block.axes.get(name, np.full(n, MISSING)).astype(np.int64))
        if self.split.members and block.prompt_keys is not None:
            self._listed.append(self.split.members.find(block.prompt_keys))
        matches = self._meet(block, [self.split.cap, *self.split.parts])
        parts = {PART: matches[:, 1:].argmax(axis=1)} if self.split.parts else {}
        columns = {**block.axes, **parts}
        first = None
        if self.split.spec.cover or self._pool:
            there = self._winners.has_room(columns, n)
            if self._pool:
                self._pool.add(block.take(np.flatnonzero(there)))
            else:
                first = self._needs.take(block, there)
        self._winners.add(columns, np.ones(n, bool), matches[:, 0], first)
        for other, winners in self._dependents:
            matches = self._meet(block, [other.where, other.cap])
            winners.add(block.axes, matches[:, 0], matches[:, 1])

    def _meet(self, block: Candidates, rules: Sequence[Rule]) -> NDArray[np.bool_]:
        return rows_that_meet(rules, block.axes, self._axes, len(block))

    def may_keep(self, block: Candidates) -> NDArray[np.bool_]:
        """Return which candidates are in cells that may still grow, bool (n,)."""
        if self._growing is None or self._growing.all():
            return np.ones(len(block), np.bool_)
        return self._growing[self._winners.index.number(block.axes, len(block))]

    def finished(self) -> bool:
        """Return whether every open cell has its quota, or cannot get more."""
        return self.dry or (self._winners.settled() and self._needs.met)

    def lacking(self) -> str:
        """Return the name of the split, and which of its known cells lack rows, as text."""
        winners = self._winners
        short = [
            cell
            for cell, quota in winners.quotas().items()
            if not (winners.closed[cell] or winners.fills(cell, quota))
        ]
        if not self.split.spec.balance or not short:
            return self.split.name
        cells = first_of([cell_text(winners.index.values(cell)) for cell in short], 2)
        return f"{self.split.name} ({cells})"

    def settle(self) -> None:
        """End a round: a split whose needs are met, and a cell that cannot grow, are closed."""
        if self.finished():
            self._needs.close()
        if self._growing is not None:
            self._growing = self._winners.growing()

    def close_poor_cells(self, floor: float, offered: Mapping[int, int]) -> None:
        """Give up the cells that gain fewer than `floor` rows per address offered by sources.

        A cell's gain is checked over the addresses since its last check, once a gain at the floor
        would be `ENOUGH` rows.
        """
        if self.finished():
            return
        everything = sum(offered.values())
        for cell, quota in self._winners.quotas().items():
            usable = self._winners.usable(cell, quota)
            addresses = self._reach.offered_to(cell, offered) if self._reach else everything
            addresses_then, usable_then = self._judged.get(cell, (0, 0))
            more = addresses - addresses_then
            if self._winners.closed[cell] or more * floor < ENOUGH:
                continue
            self._judged[cell] = addresses, usable
            if usable - usable_then < floor * more and not self._winners.fills(cell, quota):
                self._winners.closed[cell] = True
        self._needs.give_up_rare(floor, everything)
        # Cells are known once they have rows; until then the split is checked as a whole.
        known = self._winners.seen() or everything * floor >= ENOUGH
        self.dry = bool(known) and self._winners.all_closed()

    def wanted_sources(self, possible: frozenset[int]) -> set[int]:
        """Return which of these sources may fill a cell that is open and not full."""
        winners = self._winners
        waits = self.split.spec.cover or self.split.spec.diverse  # for rows of any source
        if waits or not self._reach:
            return set(possible)
        quotas = winners.quotas()
        short = [not (winners.closed[c] or winners.fills(c, n)) for c, n in quotas.items()]
        return self._reach.wanted(np.array([*quotas], np.int64), short, possible)

    def close_unreachable(self, left: frozenset[int]) -> None:
        """Close the unfilled cells that none of the remaining sources can fill."""
        if self._reach:
            cells = np.array([*self._winners.quotas()], np.int64)
            self._winners.closed[cells[~self._reach.any_can_fill(left, cells)]] = True

    def exhaust(self, *, dry: bool = True) -> None:
        """Close every cell, as there are no more candidates, or open all of them again."""
        self._winners.closed[:] = dry
        self.dry = dry

    @property
    def candidates(self) -> int:
        """Number of candidates, duplicates included."""
        return int(self.offers.sum())

    @property
    def short(self) -> bool:
        """Whether the split lacks problems or needed units."""
        rows = sum(self._winners.quotas().values())
        return rows < self._winners.wanted or not self._needs.met

    def kept(self) -> Membership:
        """Return the problems that are currently kept."""
        return self._addressed.take(self._own()).members()

    def _own(self) -> NDArray[np.bool_]:
        """Return which rows are currently kept."""
        own = self._winners.chosen()
        return self._pool.most_diverse(own, self.split.spec.rows) if self._pool else own

    def missing_prompts(self) -> list[str]:
        """Return the listed prompts that candidates do not have, in the list's order of keys."""
        members = self.split.members
        if members is None:
            return []
        present = {*np.concatenate([np.zeros(0, np.int64), *self._listed]).tolist()}
        return [prompt for place, prompt in enumerate(members.prompts) if place not in present]

    @property
    def nbytes(self) -> int:
        """Memory of all columns."""
        columns: list[NDArray[Any]] = [*self._keys]
        columns += [part for parts in self._held.values() for part in parts]
        winners = [self._winners, *(winners for _, winners in self._dependents)]
        rows = self._addressed.nbytes + sum(part.nbytes for part in winners)
        return rows + sum(part.nbytes for part in columns)

    def chosen(self) -> Iterator[Chosen]:
        """Yield the rows of this split, then those of each split that is seen in it."""
        own = self._own()
        yield replace(
            self._chosen(self._winners, own),
            times=self._times(own),
            covers=self._needs.results(),
            left_out=self._winners.left_out(own),
        )
        places = np.flatnonzero(own)
        for _, winners in self._dependents:
            part = winners.among(own, self._axes)
            rows = np.zeros(len(own), bool)
            rows[places[part.chosen()]] = True
            yield self._chosen(part, rows)

    def _chosen(self, winners: Winners, rows: NDArray[np.bool_]) -> Chosen:
        return Chosen(
            winners,
            self._addressed.take(rows),
            _kept(self._keys, rows) if self._keep_keys else np.zeros((0, 2), np.uint64),
            held={name: _pieces(column, rows) for name, column in self._held.items()},
        )

    def _times(self, own: NDArray[np.bool_]) -> Times | None:
        """Return how many rows each kept problem gives."""
        spec, members = self.split.spec, self.split.members
        if spec.parts:
            return part_times(spec.parts, self._winners.cells[own])
        if members:
            return member_times(members.counts[_kept(self._listed, own)], spec.rows)
        return None


def _kept(parts: Pieces[T], rows: NDArray[np.bool_]) -> NDArray[T]:
    """Return some rows of a column that is in parts."""
    return np.concatenate(_pieces(parts, rows))


def _pieces(parts: Pieces[T], rows: NDArray[np.bool_]) -> list[NDArray[T]]:
    """Return some rows of a column that is in parts, as parts."""
    ends = np.cumsum([len(part) for part in parts])
    pieces = np.split(rows, ends[:-1])
    return [part if piece.all() else part[piece] for part, piece in zip(parts, pieces, strict=True)]
