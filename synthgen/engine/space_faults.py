"""Splits that ask for more problems than there are addresses: known before any is drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from synthgen.core.contract import Axis
from synthgen.core.errors import Fault
from synthgen.engine.meeting import sources_meeting
from synthgen.engine.planned_sources import PlannedSource
from synthgen.recipe.draft import Draft
from synthgen.recipe.splits import Split


def space_faults(
    draft: Draft, sources: Sequence[PlannedSource], axes: Mapping[str, Axis]
) -> Iterator[Fault]:
    """Find splits whose sources have too few addresses, alone or together with others.

    Splits that a set of sources alone can fill must not ask for more than the set has (Hall 1935).
    Only sets that some split can be filled from are looked at, each with the splits inside it.
    """
    proposing = {i: source for i, source in enumerate(sources) if source.draws_of is None}
    splits = [(i, s) for i, s in draft.splits if s.base is None and not s.members]
    reach = {i: _reachable(split, proposing, axes) for i, split in splits}
    lenient = draft.recipe is not None and draft.recipe.limits.shortfall == "allow"
    told: set[int] = set()
    for index, _ in splits:
        reached = [proposing[place] for place in sorted(reach[index])]
        room = _room(reached)
        if room is None:
            continue
        inside = [(i, split) for i, split in splits if reach[i] <= reach[index]]
        alone = [(i, split) for i, split in inside if split.problems > room]
        wanted = sum(split.problems for _, split in inside)
        for i, split in alone:
            if i not in told and not (lenient and len(reach[i]) < len(proposing)):
                yield _fault(draft, i, split, reached, room)
                told.add(i)
        if not alone and wanted > room and not lenient and not told & {i for i, _ in inside}:
            yield _joint_fault(draft, inside, reached, wanted, room)
            told |= {i for i, _ in inside}


def _reachable(
    split: Split, sources: Mapping[int, PlannedSource], axes: Mapping[str, Axis]
) -> frozenset[int]:
    """Return the sources whose rows can meet the rule of a split, and one of its parts."""

    def meeting(rule: str | None) -> frozenset[int]:
        return sources_meeting(rule, sources, axes, by_ranges=False)

    found = meeting(split.where)
    if split.parts:
        found &= frozenset().union(*(meeting(part.where) for part in split.parts))
    return found


def _room(sources: Sequence[PlannedSource]) -> int | None:
    """Return the addresses of some sources, None if one is endless."""
    found = [source.generator.space for source in sources]
    return None if None in found else sum(space for space in found if space is not None)


def _fault(
    draft: Draft, index: int, split: Split, sources: Sequence[PlannedSource], room: int
) -> Fault:
    message = f"rows={split.rows}: {split.name!r} cannot have more than the {room} addresses"
    if len(sources) < len(draft.sources):
        message += f" of {_listed(sources)}"
    return draft.fault(f"split.{index}.rows", message)


def _joint_fault(
    draft: Draft,
    splits: Sequence[tuple[int, Split]],
    sources: Sequence[PlannedSource],
    wanted: int,
    room: int,
) -> Fault:
    index, last = splits[-1]
    others = ", ".join(repr(split.name) for _, split in splits)
    have = "has" if len(sources) == 1 else "have"
    message = (
        f"rows={last.rows}: the splits {others} ask for {wanted} problems together, but "
        f"{_listed(sources)} {have} only {room} addresses; ask for fewer rows, or allow it: "
        "limits.shortfall = 'allow'"
    )
    return draft.fault(f"split.{index}.rows", message)


def _listed(sources: Sequence[PlannedSource]) -> str:
    return ", ".join(repr(name) for name in sorted(s.name for s in sources)) or "no source"
