"""The key `spread` of `[[source]]`: axes for each of whose values a source is created."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import PlainSerializer, PlainValidator

from synthgen.recipe.fields import advise
from synthgen.rules.conditions import Value

Values = tuple[Value, ...]
"""Values of one axis; empty means all that the source can have."""


def _check(value: object) -> tuple[tuple[str, Values], ...]:
    """Turn a list of axes, or a table of axes and values, into pairs."""
    if isinstance(value, Mapping):
        pairs = [(axis, _values_of(axis, values)) for axis, values in value.items()]
    elif isinstance(value, list | tuple):
        pairs = [_pair(item) for item in value]
    else:
        raise advise("")
    axes = [axis for axis, _ in pairs]
    for axis in axes:
        if not isinstance(axis, str) or not axis:
            msg = f"{axis!r} is not a name"
            raise advise(msg)
        if axes.count(axis) > 1:
            msg = f"{axis!r} is repeated"
            raise advise(msg)
    return tuple(pairs)


def _pair(item: object) -> tuple[Any, Values]:
    """Return axis and values of an item, also in the form in which a recipe is serialised."""
    if not isinstance(item, list | tuple):
        return item, ()
    axis, values = item if len(item) == len(("axis", "values")) else ("", ())
    return axis, _values_of(axis, values) if values else ()


def _values_of(axis: object, values: object) -> Values:
    if not isinstance(values, list | tuple) or not values:
        msg = f"{axis!r} does not have a list of values"
        raise advise(msg)
    for value in values:
        if isinstance(value, bool) or not isinstance(value, int | str):
            msg = f"{value!r} is not a value that an axis can have"
            raise advise(msg)
        if list(values).count(value) > 1:
            msg = f"{value!r} is repeated"
            raise advise(msg)
    return tuple(values)


Spread = Annotated[
    tuple[tuple[str, Values], ...],
    PlainValidator(_check),
    PlainSerializer(lambda pairs: [[axis, list(values)] for axis, values in pairs]),
]
"""Axis and values, in the order of the recipe."""
