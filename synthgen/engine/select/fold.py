"""The fold of selection over candidates: assign splits, drop duplicates, fill cells."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from synthgen.engine.plan.feasibility import is_spread, sources_meeting
from synthgen.engine.plan.plan import Plan
from synthgen.engine.plan.quota_cells import first_of
from synthgen.engine.plan.splits import PlannedSplit
from synthgen.engine.select.propose import Candidates
from synthgen.engine.select.split_state import SplitState
from synthgen.rules.assignment import NO_SPLIT, PARTITIONABLE, assign_groups, assign_splits
from synthgen.rules.language import rows_that_meet
from synthgen.trees.key_sets import KeySet

LAG = 2
"""A round's sources are decided by the state this many rounds before, so that workers need not wait
for the end of a round and the result does not depend on their number."""


class WantedSources:
    """Decides after each round which sources the round after the next one needs.

    With `always`, every source is needed, since even rejected candidates count.

    Attributes:
        possible: Sources whose rows can meet the rule of each split.
    """

    def __init__(self, plan: Plan, states: Sequence[SplitState], *, always: bool) -> None:
        self._states = states
        everything = frozenset(plan.proposing)
        self.possible = [sources_meeting(state.split.where, plan.proposing) for state in states]
        self._always = always or len(everything) == 1
        if is_spread(plan.proposing) and not always:
            everything = frozenset().union(*self.possible) or everything
        for state, possible in zip(states, self.possible, strict=True):
            state.close_unreachable(possible)
        self._everything = everything
        self._of_round = [everything] * LAG

    def end_round(self) -> None:
        """Record the sources wanted at the end of a round."""
        if self._always:
            return
        wanted: set[int] = set()
        for state, possible in zip(self._states, self.possible, strict=True):
            if not state.finished():
                wanted |= state.wanted_sources(possible)
        self._of_round.append(frozenset(wanted) or self._everything)

    def for_round(self, number: int) -> frozenset[int] | None:
        """Return the sources of a round, counted from 0; None if that is not known yet."""
        if self._always:
            return self._everything
        return self._of_round[number] if number < len(self._of_round) else None


WINDOW = 4
"""Rounds between checks for cells that gain too little."""
EXHAUSTIBLE = 1 << 28
"""A space up to this size is searched to its end: it may be in any order, so a cell may get nothing
for long and still be filled."""


class Owners:
    """The splits that choose their own problems; assigns candidates to them.

    Attributes:
        variants: For each split, the sources that restate problems of it or of one seen in it.
    """

    def __init__(self, plan: Plan) -> None:
        self._splits, self._axes = plan.owners, plan.axes
        self.variants = [_variants_of(plan, split) for split in plan.owners]
        candidates = [
            (split.where.text, tuple(p.text for p in split.parts), split.spec.members, variants)
            for split, variants in zip(plan.owners, self.variants, strict=True)
        ]
        numbers = {key: number for number, key in enumerate(dict.fromkeys(candidates))}
        self._numbers = [numbers[key] for key in candidates]  # equal where candidates are the same

    def assign(self, block: Candidates) -> tuple[NDArray[np.bool_], NDArray[np.int16]]:
        """Return which candidates may be in which split, (n, splits), and the split of each."""
        eligible = self._eligible(block)
        weights = [split.spec.weight for split in self._splits]
        if block.groups is None:
            return eligible, assign_splits(eligible, block.keys, weights)
        return eligible, assign_groups(eligible, block.groups, weights, self._numbers)

    def _eligible(self, block: Candidates) -> NDArray[np.bool_]:
        n = len(block)
        eligible = rows_that_meet([s.where for s in self._splits], block.axes, self._axes, n)
        for place, split in enumerate(self._splits):
            if split.parts:
                parts = rows_that_meet(split.parts, block.axes, self._axes, n)
                eligible[:, place] &= parts.any(axis=1)
            if split.members and block.prompt_keys is not None:
                eligible[:, place] &= split.members.find(block.prompt_keys) >= 0
            for source in self.variants[place]:
                variant = block.variants.get(source)
                eligible[:, place] &= variant.valid if variant else np.zeros(n, bool)
        return eligible


def _variants_of(plan: Plan, owner: PlannedSplit) -> tuple[int, ...]:
    family = {owner.name, *(s.name for s in plan.splits if s.spec.seen_in == owner.name)}
    variants = [split.spec.variant for split in plan.splits if split.spec.variant]
    return tuple(sorted({plan.source_index(v.source) for v in variants if v.of in family}))


class Fold:
    """State of the fold; blocks are added in the order (round, source)."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        owners = plan.owners
        self.states = [SplitState(split, plan) for split in owners]
        self._owners = Owners(plan)
        self._keys = KeySet(sum(split.spec.problems for split in owners))
        self._key_bytes = 0
        self._rounds = 0
        self._ended: set[int] = set()
        self._offered = dict.fromkeys(plan.proposing, 0)
        self._may_give_up = plan.space is None or plan.space > EXHAUSTIBLE
        # Groups and restatements of a problem stay together, so there are no spares.
        together = plan.groups or plan.restating or plan.recipe.dedup.on == "prompt"
        shared = (plan.space or EXHAUSTIBLE) <= PARTITIONABLE and not together
        # for each split, the candidates that meet its rule but were assigned to another
        self._spares: list[list[Candidates]] | None = [[] for _ in owners] if shared else None
        listed = any(split.members for split in plan.splits)
        always = self._spares is not None or listed or plan.recipe.divergence is not None
        self.wanted = WantedSources(plan, self.states, always=always)
        self.proposed = self.invalid = self.unmatched = 0

    def add(self, block: Candidates) -> None:
        """Fold one block in."""
        self.proposed += block.proposed
        self._offered[block.source] += block.proposed
        self.invalid += block.proposed - len(block)
        eligible, chosen = self._owners.assign(block)
        self.unmatched += int(np.count_nonzero(chosen == NO_SPLIT))
        for place, state in enumerate(self.states):
            state.offers[block.source] += np.count_nonzero(chosen == place)
            if self._plan.canonical_rules and not self._spares:
                # no later row can depend on these
                chosen[(chosen == place) & ~state.may_keep(block)] = NO_SPLIT
        new = self._new(block, chosen)
        for place, state in enumerate(self.states):
            mine = chosen == place
            state.duplicates += int(np.count_nonzero(mine & ~new))
            state.add(block.take(np.flatnonzero(mine & new)))
            if self._spares:
                spare = block.take(np.flatnonzero(eligible[:, place] & ~mine & new))
                self._spares[place] += [spare] if len(spare) else []
        if block.ends_source:
            self._end_source(block.source)
        if block.ends_round:
            if self._may_give_up:
                self._give_up()
            for state in self.states:
                state.settle()
            self.wanted.end_round()

    def _end_source(self, source: int) -> None:
        """Close cells that only ended sources could fill; spares are distributed at the end."""
        self._ended.add(source)
        for state, possible in zip(self.states, self.wanted.possible, strict=True):
            state.close_unreachable(possible - self._ended)
            if self._spares is None and possible <= self._ended:
                state.exhaust()

    def _give_up(self) -> None:
        """Close poor cells, every few rounds."""
        self._rounds += 1
        if self._rounds % WINDOW:
            return
        for state, sources in zip(self.states, self.wanted.possible, strict=True):
            offered = {source: self._offered[source] for source in sources}
            state.close_poor_cells(self._plan.recipe.limits.acceptance_floor, offered)

    def _new(self, block: Candidates, chosen: NDArray[np.int16]) -> NDArray[np.bool_]:
        """Return which candidates with a split are new, and so are their variants."""
        wanted: NDArray[np.bool_] = chosen != NO_SPLIT
        if self._plan.recipe.dedup.on == "none":
            return wanted
        positions = np.flatnonzero(wanted)
        new = np.zeros(len(block), bool)
        new[positions] = self._keys.add(block.duplicate_keys[positions])
        for place, sources in enumerate(self._owners.variants):
            for source in sources:
                if source not in block.variants:
                    continue  # no candidate of this block may be in the split
                mine = np.flatnonzero(new & (chosen == place))
                keys = block.variants[source].keys[mine]
                # Where nothing can be restated, the variant is the problem itself.
                same = (keys == block.keys[mine]).all(axis=1)
                new[mine] = self._keys.add(keys) | same
        return new

    def finish(self) -> None:
        """Close unfilled cells: the only remaining candidates are spares of other splits.

        So there is nothing to compare with the keys, whose memory is freed.
        """
        self._key_bytes, self._keys = self._keys.nbytes, KeySet()
        short = [place for place, state in enumerate(self.states) if not state.finished()]
        for place in short:
            self.states[place].exhaust()
        for place in short:
            if self._spares and self.states[place].short:
                self._offer_spares(self.states[place], self._spares[place])

    def _offer_spares(self, state: SplitState, spares: list[Candidates]) -> None:
        """Offer a split the candidates that meet its rule and that no split keeps."""
        state.exhaust(dry=False)
        kept = [other.kept() for other in self.states]
        for part in spares:
            taken = np.zeros(len(part), bool)
            for rows in kept:
                mine = rows.addresses[rows.sources == part.source]
                taken |= np.isin(part.addresses, mine, kind="sort")
            state.add(part.take(np.flatnonzero(~taken)))
        state.exhaust()

    def rows(self) -> int:
        """Return how many of the wanted rows there are."""
        return sum(min(state.split.spec.rows, state.rows) for state in self.states)

    def searched(self) -> str:
        """Return which splits and cells lack rows, and the candidates so far, as text."""
        lacking = first_of([state.lacking() for state in self.states if not state.finished()], 3)
        return f"{lacking and f'searching {lacking}; '}{self.proposed:,} candidates"

    def finished(self) -> bool:
        """Return whether no further block can change the result."""
        return all(state.finished() for state in self.states)

    @property
    def nbytes(self) -> int:
        """Memory of the fold's state at its end."""
        return self._key_bytes + sum(state.nbytes for state in self.states)
