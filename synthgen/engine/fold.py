"""The fold of selection over candidates: duplicates go, then each one finds its split and cell."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from synthgen.core.keyset import KeySet
from synthgen.engine.plan import Plan
from synthgen.engine.propose import BLOCK, Candidates
from synthgen.engine.split_state import SplitState
from synthgen.splits.assign import NO_SPLIT, assign_splits

WINDOW = 4 * BLOCK
"""Addresses of each source over which a cell must gain at least the acceptance floor."""
EXHAUSTIBLE = 1 << 28
"""A space up to this size is looked through to its end: it may be in any order, so that a cell
may get nothing for long and still be filled."""


class Fold:
    """State of the fold; blocks are added in the order (round, source)."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        owners = [split for split in plan.splits if split.spec.seen_in is None]
        self.states = [SplitState(split, plan) for split in owners]
        self._rules = [split.rule for split in owners]
        self._weights = [split.spec.weight for split in owners]
        self._keys = KeySet()
        self._key_bytes = 0
        self._window = self._window_end = WINDOW * len(plan.sources)
        spaces = [source.generator.space for source in plan.sources]
        self._may_give_up = any(space is None or space > EXHAUSTIBLE for space in spaces)
        self.proposed = self.invalid = self.unmatched = 0

    def add(self, block: Candidates) -> None:
        """Fold one block in."""
        self.proposed += block.proposed
        self.invalid += block.proposed - len(block)
        chosen = assign_splits(self._matches(block, self._rules), block.keys, self._weights)
        self.unmatched += int(np.count_nonzero(chosen == NO_SPLIT))
        for place, state in enumerate(self.states):
            state.candidates += int(np.count_nonzero(chosen == place))
            if self._plan.canonical_rules and state.full():
                chosen[chosen == place] = NO_SPLIT  # no later row can depend on these
        new = self._new(block, chosen != NO_SPLIT)
        for place, state in enumerate(self.states):
            mine = chosen == place
            state.duplicates += int(np.count_nonzero(mine & ~new))
            state.add(block, np.flatnonzero(mine & new), self._matches)
        if self._may_give_up and self.proposed >= self._window_end:
            self._window_end += self._window
            for state in self.states:
                state.close_poor_cells(self._plan.recipe.limits.acceptance_floor * self._window)

    def _new(self, block: Candidates, wanted: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Say which wanted candidates have not been there before."""
        if self._plan.recipe.dedup.on == "none":
            return wanted
        positions = np.flatnonzero(wanted)
        new = np.zeros(len(block), bool)
        new[positions] = self._keys.add(block.duplicate_keys[positions])
        return new

    def _matches(self, block: Candidates, rules: list[pl.Expr]) -> NDArray[np.bool_]:
        """Evaluate rules over a block, bool (n, number of rules)."""
        named = sorted({name for rule in rules for name in rule.meta.root_names()})
        frame = pl.DataFrame([self._column(block, name) for name in named])
        columns = []
        for rule in rules:
            if rule.meta.root_names():
                columns.append(frame.select(rule).to_series().to_numpy())
            else:
                always = bool(pl.select(rule).item())
                columns.append(np.full(len(block), always))
        return np.stack(columns, axis=1)

    def _column(self, block: Candidates, name: str) -> pl.Series:
        """Return one axis of a block as rules read it; null where the source lacks it."""
        axis = self._plan.axes[name]
        if name not in block.axes:
            dtype = pl.String() if axis.values else pl.Int64()
            return pl.repeat(None, len(block), dtype=dtype, eager=True).alias(name)
        if axis.values:
            return pl.Series(name, list(axis.values))[block.axes[name].astype(np.int64)]
        return pl.Series(name, block.axes[name])

    def rows(self) -> int:
        """Return how many of the wanted rows are there."""
        return sum(min(state.split.spec.rows, state.rows) for state in self.states)

    def finished(self) -> bool:
        """Say whether no further block can change the result."""
        return all(state.finished() for state in self.states)

    @property
    def duplicates(self) -> int:
        """Candidates dropped because an equal one came before."""
        return sum(state.duplicates for state in self.states)

    def forget_keys(self) -> None:
        """Give the memory of the keys back: there are no more candidates to compare."""
        self._key_bytes = self._keys.nbytes
        self._keys = KeySet()

    @property
    def nbytes(self) -> int:
        """Memory of all that the fold remembered at its end."""
        return self._key_bytes + sum(state.nbytes for state in self.states)
