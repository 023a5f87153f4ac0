"""Which sources selection still wants: those that may fill an open cell."""

from __future__ import annotations

from collections.abc import Sequence

from synthgen.engine.meeting import is_spread, sources_meeting
from synthgen.engine.plan import Plan, PlannedSplit
from synthgen.engine.split_state import SplitState

LAG = 2
"""A round's sources are decided by the state this many rounds before, so that workers need not wait
for the end of a round and the result does not depend on their number."""


class Wanted:
    """Decides after each round which sources the round after the next one needs.

    Args:
        plan: plan of the build.
        states: states of the splits that own their problems.
        always: whether every source is always wanted, since even rejected candidates count.

    Attributes:
        possible: sources whose rows can meet the rule of each split.
    """

    def __init__(self, plan: Plan, states: Sequence[SplitState], *, always: bool) -> None:
        self._states = states
        everything = frozenset(plan.proposing)
        self.possible = [_sources_for(plan, state.split) for state in states]
        self._always = always or len(everything) == 1
        if is_spread(plan.sources) and not always:
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


def _sources_for(plan: Plan, split: PlannedSplit) -> frozenset[int]:
    """Return the sources whose rows can meet the rule of a split."""
    sources = {index: plan.sources[index] for index in plan.proposing}
    return sources_meeting(split.spec.where, sources, plan.axes)
