"""Splits that ask for more problems than there are addresses: known before any is drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from synthgen.core.contract import Axis
from synthgen.core.errors import Fault
from synthgen.core.rules import SOURCE
from synthgen.core.satisfiable import can_hold
from synthgen.engine.planned_sources import PlannedSource
from synthgen.recipe.draft import Draft
from synthgen.recipe.splits import Split

_Reach = Mapping[int, frozenset[str]]


def space_faults(
    draft: Draft, sources: Sequence[PlannedSource], axes: Mapping[str, Axis]
) -> Iterator[Fault]:
    """Find splits whose sources have too few addresses, alone or together with others.

    Splits that a set of sources alone can fill must not ask for more than the set has (Hall 1935).
    Only sets that some split can be filled from are looked at, each with the splits inside it.
    """
    spaces = {s.name: s.generator.space for s in sources if s.draws_of is None}
    splits = [(i, s) for i, s in draft.splits if s.base is None and not s.members]
    reach = {i: _reachable(split, [*spaces], axes) for i, split in splits}
    lenient = draft.recipe is not None and draft.recipe.limits.shortfall == "allow"
    told: set[int] = set()
    for index, _ in splits:
        room = _room(reach[index], spaces)
        if room is None:
            continue
        inside = [(i, split) for i, split in splits if reach[i] <= reach[index]]
        alone = [(i, split) for i, split in inside if split.problems > room]
        wanted = sum(split.problems for _, split in inside)
        for i, split in alone:
            if i not in told and not (lenient and len(reach[i]) < len(spaces)):
                yield _fault(draft, i, split, reach[index], room)
                told.add(i)
        if not alone and wanted > room and not lenient and not told & {i for i, _ in inside}:
            yield _joint_fault(draft, inside, reach[index], wanted, room)
            told |= {i for i, _ in inside}


def _reachable(split: Split, names: list[str], axes: Mapping[str, Axis]) -> frozenset[str]:
    """Return the sources whose rows can meet the rule of a split."""
    rules = [part.where for part in split.parts] if split.parts else [None]
    return frozenset(
        name
        for name in names
        if not split.where or can_hold(split.where, axes, {SOURCE: (name,)})
        if any(not rule or can_hold(rule, axes, {SOURCE: (name,)}) for rule in rules)
    )


def _room(names: frozenset[str], spaces: Mapping[str, int | None]) -> int | None:
    """Return the addresses of some sources, None if one is endless."""
    found = [spaces[name] for name in names]
    return None if None in found else sum(space for space in found if space is not None)


def _fault(draft: Draft, index: int, split: Split, names: frozenset[str], room: int) -> Fault:
    message = f"rows={split.rows}: {split.name!r} cannot have more than the {room} addresses"
    if len(names) < len(draft.sources):
        message += f" of {_listed(names)}"
    return draft.fault(f"split.{index}.rows", message)


def _joint_fault(
    draft: Draft,
    splits: Sequence[tuple[int, Split]],
    names: frozenset[str],
    wanted: int,
    room: int,
) -> Fault:
    index, last = splits[-1]
    others = ", ".join(repr(split.name) for _, split in splits)
    message = (
        f"rows={last.rows}: the splits {others} ask for {wanted} problems together, but "
        f"{_listed(names)} {'has' if len(names) == 1 else 'have'} only {room} addresses; ask for "
        "fewer rows, or allow it: limits.shortfall = 'allow'"
    )
    return draft.fault(f"split.{index}.rows", message)


def _listed(names: frozenset[str]) -> str:
    return ", ".join(repr(name) for name in sorted(names)) or "no source"
