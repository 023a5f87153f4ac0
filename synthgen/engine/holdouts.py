"""What is known of chosen rows by their axes: values not to be shared, and how even others are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import polars as pl

from synthgen.core.errors import Fault
from synthgen.core.evenness import Evenness, evenness
from synthgen.engine.plan import Plan
from synthgen.engine.split_state import MISSING, Chosen

_MOST_VALUES_NAMED = 3
_VALUE = "value"


def unseen_faults(plan: Plan, chosen_rows: Sequence[Chosen]) -> Iterator[Fault]:
    """Find splits with values that they must not share with another split."""
    by_name = {chosen.winners.spec.name: chosen for chosen in chosen_rows}
    for index, split in enumerate(plan.splits):
        unseen = split.spec.unseen
        if unseen is None:
            continue
        seen, mine = (_values(by_name[name], unseen.axes) for name in (unseen.of, split.name))
        shared = mine.join(seen, on=_VALUE, how="semi").to_series()
        if len(shared):
            named = ", ".join(map(str, shared.sort().head(_MOST_VALUES_NAMED)))
            text = (
                f"split {split.name!r} shares {len(shared):,} values of {', '.join(unseen.axes)} "
                f"with {unseen.of!r}, such as {named}; keep them apart by rules or sources"
            )
            yield plan.draft.fault(f"split.{index}.unseen", text)


def _values(chosen: Chosen, axes: Sequence[str]) -> pl.DataFrame:
    """Return the different values of some axes, in no order."""
    values = np.concatenate([piece for name in axes for piece in chosen.held[name]])
    return pl.DataFrame({_VALUE: values}).unique().filter(pl.col(_VALUE) != MISSING)


def measured(chosen: Chosen) -> Mapping[str, Evenness]:
    """Return how evenly the rows of a split are spread over each axis that it measures."""
    found = {}
    for name in chosen.winners.spec.measure:
        values = chosen.values(name)
        if chosen.times is not None:
            values = np.repeat(values, chosen.times)
        counts = pl.DataFrame({_VALUE: values}).group_by(_VALUE).len()
        there = counts.filter(pl.col(_VALUE) != MISSING)
        found[name] = evenness(there.get_column("len").to_numpy())
    return found
