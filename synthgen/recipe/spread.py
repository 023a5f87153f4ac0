"""The key `spread` of `[[source]]`: axes over whose values a source becomes one source each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from pydantic import PlainSerializer, PlainValidator

from synthgen.core.conditions import Value
from synthgen.recipe.fields import advise
from synthgen.recipe.lines import Key

Values = tuple[Value, ...]
"""Of one axis; none stand for all that the source can have."""


def spread_faults(source: Mapping[str, Any]) -> Iterator[tuple[Key, str]]:
    """Yield path and message of what cannot stand beside `spread`."""
    if source.get("spread") and source.get("draws_of"):
        yield ("spread",), "spread: cannot stand beside draws_of in a source"


def may_be_spread(name: str, sources: Mapping[str, Mapping[str, Any]]) -> bool:
    """Say whether a name is one that a spread source gives its sources, as far as is known."""
    return any(
        bool(table.get("spread")) and name.startswith(f"{base}_") for base, table in sources.items()
    )


def _check(value: object) -> tuple[tuple[str, Values], ...]:
    """Turn a list of axes, or a table of axes and values, into pairs of both."""
    if isinstance(value, Mapping):
        pairs = [(axis, _values_of(axis, values)) for axis, values in value.items()]
    elif isinstance(value, list | tuple):
        pairs = [_pair(item) for item in value]
    else:
        raise advise("")
    axes = [axis for axis, _ in pairs]
    for axis in axes:
        if not isinstance(axis, str) or not axis:
            msg = f"{axis!r} is no name"
            raise advise(msg)
        if axes.count(axis) > 1:
            msg = f"{axis!r} is there twice"
            raise advise(msg)
    return tuple(pairs)


def _pair(item: object) -> tuple[Any, Values]:
    """Return axis and values of an item, also in the form in which a recipe is kept."""
    if not isinstance(item, list | tuple):
        return item, ()
    axis, values = item if len(item) == len(("axis", "values")) else ("", ())
    return axis, _values_of(axis, values) if values else ()


def _values_of(axis: object, values: object) -> Values:
    if not isinstance(values, list | tuple) or not values:
        msg = f"{axis!r} has no list of values"
        raise advise(msg)
    for value in values:
        if isinstance(value, bool) or not isinstance(value, int | str):
            msg = f"{value!r} is no value that an axis can have"
            raise advise(msg)
        if list(values).count(value) > 1:
            msg = f"{value!r} is there twice"
            raise advise(msg)
    return tuple(values)


Spread = Annotated[
    tuple[tuple[str, Values], ...],
    PlainValidator(_check),
    PlainSerializer(lambda pairs: [[axis, list(values)] for axis, values in pairs]),
]
"""Axis and values, in the order of the recipe."""
