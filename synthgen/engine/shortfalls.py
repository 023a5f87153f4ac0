"""What is wrong with a selection: splits that stay short, and splits that share problems."""

from __future__ import annotations

from collections.abc import Iterator

from synthgen.core.errors import Fault
from synthgen.core.keyset import KeySet
from synthgen.core.overlap import may_overlap
from synthgen.engine.infeasible import told_cells, unreachable_cells
from synthgen.engine.plan import Plan
from synthgen.engine.split_state import Chosen
from synthgen.engine.winners import Winners
from synthgen.recipe.splits import Split

_MOST_CELLS_NAMED = 10
_MOST_PROMPTS_NAMED = 3


def shortfall(plan: Plan, chosen: Chosen, proposed: int, missing: list[str]) -> Fault:
    """Say which split, cells or prompts ran dry, and after how many candidates."""
    spec, rows = chosen.winners.spec, chosen.rows
    text = f"split {spec.name!r} has only {rows:,} of {spec.rows:,} rows"
    text += f" after {proposed:,} candidates"
    if spec.seen_in:
        text += f", all that the rows of {spec.seen_in!r} give"
    if spec.where and not rows:
        text += f", none of which meets where = {spec.where!r}"
    text += _dry_cells(chosen.winners) if spec.balance or spec.parts or spec.margins else ""
    if chosen.kept_out:
        text += f"; {chosen.kept_out}"
    if cells := unreachable_cells(plan, spec):
        text += f"; cells that no source can fill, by their ranges: {told_cells(cells)}"
    if missing:
        first = ", ".join(repr(prompt) for prompt in missing[:_MOST_PROMPTS_NAMED])
        text += f"; {len(missing):,} listed prompts are none of its problems, such as {first}"
    text += ". Ask for fewer rows or widen the rule, or allow it: limits.shortfall = 'allow'"
    return plan.draft.fault(_path(plan, spec, "rows" if rows or not spec.where else "where"), text)


def _path(plan: Plan, spec: Split, key: str) -> str:
    index = [split.name for split in plan.splits].index(spec.name)
    return f"split.{index}.{key}"


def _dry_cells(winners: Winners) -> str:
    if winners.spec.parts:
        cells = zip(winners.spec.parts, winners.results(), strict=True)
        dry_parts = [f"{p.where} ({c.rows:,} of {c.quota:,})" for p, c in cells if c.dry]
        return f"; parts that ran dry: {'; '.join(dry_parts)}"
    dry = [cell for cell in winners.results() if cell.dry]
    named = "; ".join(
        f"{', '.join(f'{axis}={value}' for axis, value in cell.values.items())} "
        f"({cell.rows:,} of {cell.quota:,})"
        for cell in dry[:_MOST_CELLS_NAMED]
    )
    more = f" and {len(dry) - _MOST_CELLS_NAMED} more" if len(dry) > _MOST_CELLS_NAMED else ""
    return f"; cells that ran dry: {named}{more}" if dry else ""


def cover_faults(plan: Plan, chosen: Chosen) -> Iterator[Fault]:
    """Find what a split does not have as often as it should, as candidates did not."""
    spec = chosen.winners.spec
    if chosen.left_out:
        return  # it stopped looking
    for place, (cover, result) in enumerate(zip(spec.cover, chosen.covers, strict=True)):
        missing = [unmet for unmet in result.unmet if unmet.told or not unmet.rare]
        if not missing:
            continue
        kind = f"{cover.structures}" if cover.structures else "tuples of values"
        named = "; ".join(f"{u.name} ({u.candidates:,})" for u in missing[:_MOST_CELLS_NAMED])
        more = len(missing) - _MOST_CELLS_NAMED
        text = (
            f"split {spec.name!r} cannot have each of its {result.units:,} {kind} "
            f"{cover.times:,} times; candidates that had them: {named}"
            f"{f' and {more:,} more' if more > 0 else ''}. Ask for them fewer times, name those "
            "that matter in of, or allow it: limits.shortfall = 'allow'"
        )
        yield plan.draft.fault(_path(plan, spec, f"cover.{place}"), text)


def room_faults(plan: Plan, chosen_rows: list[Chosen]) -> Iterator[Fault]:
    """Find splits whose covers need rows that the splits have no room for."""
    for chosen in chosen_rows:
        spec, where = chosen.winners.spec, "the split"
        if spec.balance or spec.margins:
            where += f" or cells of its {'balance' if spec.balance else 'margins'}"
        if chosen.left_out:
            text = (
                f"split {spec.name!r} has no room for {chosen.left_out:,} rows or more that its "
                f"cover needs; give {where} more rows, or ask for fewer times"
            )
            yield plan.draft.fault(_path(plan, spec, "cover"), text)


def overlap_faults(plan: Plan, chosen_rows: list[Chosen]) -> Iterator[Fault]:
    """Find problems that two splits share without saying so."""
    for place, one in enumerate(chosen_rows):
        for other in chosen_rows[place + 1 :]:
            a, b = one.winners.spec, other.winners.spec
            shared = 0 if may_overlap(a, b) else _shared(one, other)
            if shared:
                text = (
                    f"splits {a.name!r} and {b.name!r} share {shared:,} problems; "
                    f"if that is meant, say overlap = [{b.name!r}] in split {a.name!r}"
                )
                yield plan.draft.fault(_path(plan, a, "overlap"), text)


def _shared(one: Chosen, other: Chosen) -> int:
    """Count the problems of both; rows without keys cannot share any."""
    both, others = KeySet(), KeySet()
    both.add(one.keys)
    alone = len(both)
    both.add(other.keys)
    others.add(other.keys)
    return len(others) - (len(both) - alone)
