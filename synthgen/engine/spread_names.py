"""Names around a spread: those it gives that are taken, and places that still name the source."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from synthgen.core.contract import SOURCE
from synthgen.core.errors import Fault, ParamError
from synthgen.core.rule_tokens import rule_tokens
from synthgen.recipe.draft import Draft
from synthgen.recipe.splits import Split

_MOST_NAMED = 3


class Named(Protocol):
    """What is looked at of a planned source."""

    @property
    def name(self) -> str:
        """Unique name."""

    @property
    def spread_of(self) -> str | None:
        """Name of the source that is spread."""

    @property
    def draws_of(self) -> str | None:
        """Name of the source whose draws it has."""


def spread_names(sources: Sequence[Named]) -> dict[str, list[str]]:
    """Return the names of the sources that each source which is spread stands for."""
    given: dict[str, list[str]] = {}
    for source in sources:
        if source.spread_of:
            given.setdefault(source.spread_of, []).append(source.name)
    return given


def name_faults(draft: Draft, sources: Sequence[tuple[int, Named]]) -> Iterator[Fault]:
    """Find what is wrong with names where sources are spread."""
    given = spread_names([source for _, source in sources])
    if not given:
        return
    names = [source.name for _, source in sources]
    for index, source in sources:
        if source.spread_of and (names.count(source.name) > 1 or source.name in given):
            message = f"spread: gives the name {source.name!r}, which another source has"
            yield draft.fault(f"source.{index}.spread", message)
        base = source.draws_of
        if base and base not in names:
            for name in given:
                if base == name or base.startswith(f"{name}_"):
                    message = f"draws_of={base!r}: expected {_told(name, given[name])}"
                    yield draft.fault(f"source.{index}.draws_of", message)
    for index, split in draft.splits:
        for path, rule in _rules(split):
            for name in _old_names(rule, given):
                message = f"where={rule!r}: no source is {name!r}; expected"
                fault = f"{message} {_told(name, given[name])}, or source LIKE '{name}_%'"
                yield draft.fault(f"split.{index}.{path}", fault)


def _told(name: str, names: list[str]) -> str:
    """Say which sources there are in place of one that is spread."""
    first = ", ".join(names[:_MOST_NAMED])
    rest = f" ... {names[-1]}" if len(names) > _MOST_NAMED else ""
    return f"one of the {len(names)} sources that {name!r} is spread over: {first}{rest}"


def _rules(split: Split) -> Iterator[tuple[str, str]]:
    if split.where:
        yield "where", split.where
    if split.cap and split.cap.where:
        yield "cap.where", split.cap.where
    for place, part in enumerate(split.parts):
        yield f"parts.{place}.where", part.where


def _old_names(rule: str, given: dict[str, list[str]]) -> list[str]:
    """Return the sources that a rule names although they are spread."""
    try:
        tokens = rule_tokens(rule)
    except ParamError:
        return []
    if SOURCE not in tokens:
        return []
    return [name for name in given if f"'{name}'" in tokens]
