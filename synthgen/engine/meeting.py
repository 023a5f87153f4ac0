"""Which sources can meet a rule, judging only by the ranges of their own axes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from synthgen.core.contract import SOURCE, Axis
from synthgen.core.errors import Fault
from synthgen.core.rules import Values, can_hold, names_in
from synthgen.engine.planned_sources import PlannedSource
from synthgen.recipe.draft import Draft

_MOST_NAMED = 8


def is_spread(sources: Sequence[PlannedSource]) -> bool:
    """Return whether a source of the recipe is spread, so that sources have different ranges."""
    return any(source.spread_of for source in sources)


def sources_meeting(
    where: str | None,
    sources: Mapping[int, PlannedSource],
    axes: Mapping[str, Axis],
    *,
    by_ranges: bool = True,
) -> frozenset[int]:
    """Return the indices of the sources whose rows can meet a rule.

    Args:
        where: the rule; None for one that all rows meet.
        sources: sources that propose problems, by index.
        axes: axes of all sources.
        by_ranges: whether ranges of spread sources count, or only the names of sources.
    """
    if not where:
        return frozenset(sources)
    names = names_in(where, axes)
    close = by_ranges and is_spread([*sources.values()])
    known: dict[tuple[object, ...], bool] = {}
    found = set()
    for index, source in sources.items():
        own, fixed = _own(source, names if close else (), axes)
        params = tuple((own[name].low, own[name].high, fixed.get(name)) for name in names)
        if params not in known:
            known[params] = can_hold(where, own, fixed)
        if known[params]:
            found.add(index)
    return frozenset(found)


def unmatched_rule_faults(
    draft: Draft, sources: Sequence[tuple[int, PlannedSource]], axes: Mapping[str, Axis]
) -> Iterator[Fault]:
    """Find rules that fit the joint ranges of all sources, but not those of any one source."""
    proposing = {i: s for i, (_, s) in enumerate(sources) if s.draws_of is None}
    if not is_spread([*proposing.values()]):
        return
    for index, split in draft.splits:
        rules = [("where", split.where)]
        rules += [(f"parts.{place}.where", part.where) for place, part in enumerate(split.parts)]
        for path, rule in rules:
            if rule and not sources_meeting(rule, proposing, axes):
                message = f"where={rule!r}: cannot be true in any source, whose axes have"
                message += f" {_ranges(rule, proposing, axes)}"
                yield draft.fault(f"split.{index}.{path}", message)


def _ranges(rule: str, sources: Mapping[int, PlannedSource], axes: Mapping[str, Axis]) -> str:
    """Name the values over which sources were spread, of the axes of a rule."""
    texts = []
    for name in names_in(rule, axes):
        values = {str(s.fixed[name]): None for s in sources.values() if name in s.fixed}
        if values:
            rest = " ..." if len(values) > _MOST_NAMED else ""
            texts.append(f"{name} = {', '.join([*values][:_MOST_NAMED])}{rest}")
    return "; ".join(texts) or "other ranges"


def _own(
    source: PlannedSource, names: Sequence[str], axes: Mapping[str, Axis]
) -> tuple[dict[str, Axis], dict[str, Values]]:
    """Return the axes with the source's own ranges, and the names that it can have.

    An axis that the source lacks is null there; this is not decided here.
    """
    own, fixed = dict(axes), dict[str, Values]({SOURCE: (source.name,)})
    for name in names:
        mine = source.axes.get(name)
        if mine is None:
            continue
        if mine.values:
            fixed[name] = (source.fixed[name],) if name in source.fixed else mine.values
        else:
            own[name] = replace(axes[name], low=mine.low, high=mine.high)
    return own, fixed
