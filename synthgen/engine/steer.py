"""What steers one split during selection: its winners, its needs, and what lets candidates in."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from synthgen.core.contract import Axis
from synthgen.core.named_structures import structure_id_in
from synthgen.engine.candidate_structures import names_at
from synthgen.engine.diverse_pool import DiversePool
from synthgen.engine.margin_winners import MarginWinners
from synthgen.engine.need_units import StructureUnits, TupleUnits, Units
from synthgen.engine.needs import Need, SplitNeeds
from synthgen.engine.plan import Plan
from synthgen.engine.winners import Winners
from synthgen.recipe.fields import MAX_ROWS
from synthgen.recipe.splits import Split
from synthgen.recipe.steering import Cover

_MORE, _MOST_MORE = 3, 1 << 18
"""Candidates beyond the rows of a split that its pool has by default: so many for each row, but no
more than that; where rows are many, all common structures are among them anyway."""


def make_winners(split: Split, axes: Mapping[str, Axis]) -> Winners:
    """Return the winners of a split, before the first candidate."""
    return MarginWinners(split, axes) if split.margins else Winners(split, axes)


def make_needs(split: Split, plan: Plan) -> SplitNeeds:
    """Return the needs of a split, before the first candidate."""
    return SplitNeeds([Need(cover, _units(cover, plan)) for cover in split.cover], split.rows)


def make_pool(split: Split, plan: Plan) -> DiversePool | None:
    """Return the pool that the rows of a split are chosen from by their structures, if they are."""
    rule = split.diverse
    if rule is None:
        return None
    usual = split.rows + min(_MORE * split.rows, _MOST_MORE)
    size = min(rule.pool or usual, plan.space or MAX_ROWS)
    return DiversePool(rule, max(size, split.rows))


def _units(cover: Cover, plan: Plan) -> Units:
    if cover.structures is None:
        return TupleUnits(cover, plan.axes)
    ids = {
        key: text
        for text in cover.of
        if isinstance(text, str)
        for index in plan.proposing
        for signature in [plan.sources[index].generator.signature]
        if (key := structure_id_in(text, cover.structures, signature)) is not None
    }

    def names(source: int, addresses: NDArray[np.uint64], kind: str) -> Mapping[int, str]:
        planned = plan.sources[source]
        return names_at(planned.generator, planned.stream, addresses, kind)

    return StructureUnits(cover, ids, names)
