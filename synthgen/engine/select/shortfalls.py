"""Shortfalls of a selection: rows, cells, units of covers, or distance between splits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import polars as pl

from synthgen.core.errors import Fault
from synthgen.dataset.membership import Membership
from synthgen.engine.plan.feasibility import cells_text, unreachable_cells
from synthgen.engine.plan.plan import Plan
from synthgen.engine.plan.quota_cells import cell_text, first_of
from synthgen.engine.select.split_state import MISSING, Chosen, SplitState
from synthgen.engine.select.winners import Winners
from synthgen.recipe.schema import Split
from synthgen.rules.axes import SOURCE
from synthgen.trees.content_keys import Keys
from synthgen.trees.key_sets import may_overlap, repeats, shared_keys

_MAX_CELLS_NAMED = 10
_MAX_PROMPTS_NAMED = _MAX_VALUES_NAMED = 3
_VALUE = "value"
_MIN_FAIR = 5
"""Rows in proportion to its candidates from which a source is missed."""


def shortfall(plan: Plan, chosen: Chosen, proposed: int, state: SplitState) -> Fault:
    """Describe the split, cells or prompts that were exhausted, and after how many candidates."""
    spec, rows = chosen.winners.spec, chosen.rows
    text = f"split {spec.name!r} has only {rows:,} of {spec.rows:,} rows"
    text += f" after {proposed:,} candidates"
    if spec.seen_in:
        text += f", all that {spec.seen_in!r} contains"
    if spec.where and not rows:
        text += f", none of which satisfies where = {spec.where!r}"
    text += _dry_cells(chosen.winners) if spec.balance or spec.parts else ""
    split = next(split for split in plan.splits if split.name == spec.name)
    if cells := unreachable_cells(plan.proposing, split, plan.axes):
        text += f"; cells outside the ranges of all sources: {cells_text(cells)}"
    if missing := state.missing_prompts():
        first = ", ".join(repr(prompt) for prompt in missing[:_MAX_PROMPTS_NAMED])
        text += (
            f"; {len(missing):,} listed prompts do not occur among its problems, such as {first}"
        )
    text += ". Ask for fewer rows or widen the rule, or allow it: limits.shortfall = 'allow'"
    return plan.draft.fault(_path(plan, spec, "rows" if rows or not spec.where else "where"), text)


def _path(plan: Plan, spec: Split, key: str) -> str:
    index = [split.name for split in plan.splits].index(spec.name)
    return f"split.{index}.{key}"


def _dry_cells(winners: Winners) -> str:
    results = winners.results()
    if winners.spec.parts:
        cells = zip(winners.spec.parts, results, strict=True)
        dry_parts = [f"{p.where} ({c.rows:,} of {c.quota:,})" for p, c in cells if c.dry]
        return f"; parts exhausted below quota: {'; '.join(dry_parts)}"
    dry = [f"{cell_text(c.cell)} ({c.rows:,} of {c.quota:,})" for c in results if c.dry]
    return f"; cells exhausted below quota: {first_of(dry, _MAX_CELLS_NAMED)}" if dry else ""


def idle_sources(plan: Plan, state: SplitState, members: Mapping[str, Membership]) -> Iterator[str]:
    """Yield a remark if a split has no row of a source that offered a good part of its candidates.

    Without weights, a split takes what it can from its first source in each round.
    """
    name, spec, offers = state.split.name, state.split.spec, state.offers
    if name not in members or spec.parts or spec.members or SOURCE in spec.balance:
        return
    rows = np.bincount(members[name].sources, minlength=len(offers))
    given: dict[str, list[int]] = {}
    for index in np.flatnonzero(offers).tolist():
        source = plan.sources[index]
        given.setdefault(source.spread_of or source.name, []).append(index)
    share = len(members[name]) / max(1, state.candidates)
    idle = [
        repr(source)
        for source, places in given.items()
        if not rows[places].any() and offers[places].sum() * share >= _MIN_FAIR
    ]
    if idle:
        text = f"split {name!r} has no row of source {first_of(idle, _MAX_VALUES_NAMED)}"
        yield f"{text}; give the sources weights, or the split balance = ['source']"


def cover_faults(plan: Plan, chosen: Chosen) -> Iterator[Fault]:
    """Report units that a split does not have often enough, for lack of candidates."""
    spec = chosen.winners.spec
    if chosen.left_out:
        return  # it stopped waiting
    for place, cover in enumerate(chosen.covers):
        missing = [unmet for unmet in cover.unmet if cover.of or not unmet.rare]
        if not missing:
            continue
        named = first_of([f"{u.name} ({u.candidates:,})" for u in missing], _MAX_CELLS_NAMED)
        text = (
            f"split {spec.name!r} cannot have each of its {cover.units:,} "
            f"{cover.structures or 'tuples of values'} {cover.times:,} times; number of candidates "
            f"with them: {named}. Lower times, list the important ones in of, or allow it: "
            "limits.shortfall = 'allow'"
        )
        yield plan.draft.fault(_path(plan, spec, f"cover.{place}"), text)


def room_faults(plan: Plan, chosen_rows: Sequence[Chosen]) -> Iterator[Fault]:
    """Report splits that are too small for the rows that their covers need."""
    for chosen in chosen_rows:
        spec = chosen.winners.spec
        where = "the split or cells of its balance" if spec.balance else "the split"
        if chosen.left_out:
            text = (
                f"split {spec.name!r} has no room for at least {chosen.left_out:,} rows that its "
                f"cover needs; give {where} more rows, or lower times"
            )
            yield plan.draft.fault(_path(plan, spec, "cover"), text)


def overlap_faults(plan: Plan, chosen_rows: Sequence[Chosen]) -> Iterator[Fault]:
    """Report undeclared overlap between splits; rows without keys do not share any."""
    shared_problems = shared_keys([chosen.keys for chosen in chosen_rows])
    for (one, other), shared in sorted(shared_problems.items()):
        a, b = chosen_rows[one].winners.spec, chosen_rows[other].winners.spec
        if not may_overlap(a, b):
            text = (
                f"splits {a.name!r} and {b.name!r} share {shared:,} problems; "
                f"if that is intended, set overlap = [{b.name!r}] in split {a.name!r}"
            )
            yield plan.draft.fault(_path(plan, a, "overlap"), text)


def distinct(keys: Keys) -> int:
    """Count the different problems."""
    return len(keys) - len(repeats(keys))


def unseen_faults(plan: Plan, chosen_rows: Sequence[Chosen]) -> Iterator[Fault]:
    """Report splits with values that they must not share with another split."""
    by_name = {chosen.winners.spec.name: chosen for chosen in chosen_rows}
    for index, split in enumerate(plan.splits):
        unseen = split.spec.unseen
        if unseen is None:
            continue
        seen, mine = (_values(by_name[name], unseen.axes) for name in (unseen.of, split.name))
        shared = mine.join(seen, on=_VALUE, how="semi").to_series()
        if len(shared):
            named = ", ".join(map(str, shared.sort().head(_MAX_VALUES_NAMED)))
            text = (
                f"split {split.name!r} shares {len(shared):,} values of {', '.join(unseen.axes)} "
                f"with {unseen.of!r}, such as {named}; keep them apart by rules or sources"
            )
            yield plan.draft.fault(f"split.{index}.unseen", text)


def _values(chosen: Chosen, axes: Sequence[str]) -> pl.DataFrame:
    """Return the different values of some axes, in no order."""
    values = np.concatenate([piece for name in axes for piece in chosen.held[name]])
    return pl.DataFrame({_VALUE: values}).unique().filter(pl.col(_VALUE) != MISSING)
