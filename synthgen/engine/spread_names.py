"""Names in a spread: conflicts of new names, and references to the old one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from synthgen.core.contract import SOURCE
from synthgen.core.errors import Fault, ParamError
from synthgen.core.rule_tokens import rule_tokens
from synthgen.recipe.draft import Draft
from synthgen.recipe.schema import Split

_MOST_NAMED = 3


class Named(Protocol):
    """The members of a planned source that are used here."""

    @property
    def name(self) -> str:
        """Unique name."""

    @property
    def spread_of(self) -> str | None:
        """Name of the spread source that it results from, if any."""

    @property
    def draws_of(self) -> str | None:
        """Name of the source whose draws it reuses, if any."""


def spread_names(sources: Sequence[Named]) -> dict[str, list[str]]:
    """Return the names of the sources that result from each spread source."""
    given: dict[str, list[str]] = {}
    for source in sources:
        if source.spread_of:
            given.setdefault(source.spread_of, []).append(source.name)
    return given


def name_faults(draft: Draft, sources: Sequence[tuple[int, Named]]) -> Iterator[Fault]:
    """Report faults of names where sources are spread."""
    given = spread_names([source for _, source in sources])
    if not given:
        return
    names = [source.name for _, source in sources]
    for index, source in sources:
        if source.spread_of and (names.count(source.name) > 1 or source.name in given):
            message = f"spread: creates the name {source.name!r}, which another source has"
            yield draft.fault(f"source.{index}.spread", message)
        base = source.draws_of
        if base and base not in names:
            for name in given:
                if base == name or base.startswith(f"{name}_"):
                    message = f"draws_of={base!r}: expected {_sources_text(name, given[name])}"
                    yield draft.fault(f"source.{index}.draws_of", message)
    for index, split in draft.splits:
        for path, rule in _rules(split):
            for name in _old_names(rule, given):
                message = f"where={rule!r}: no source is named {name!r}; expected"
                fault = f"{message} {_sources_text(name, given[name])}, or source LIKE '{name}_%'"
                yield draft.fault(f"split.{index}.{path}", fault)


def _sources_text(name: str, names: list[str]) -> str:
    """List the sources that replace a spread source."""
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
