"""Spread of sources: one source for each value of some axes, which its params then fix."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import product
from math import prod
from typing import Any

from synthgen.core.conditions import Condition, Value
from synthgen.core.contract import Axis, Generator
from synthgen.core.errors import ParamError, UnknownNameError
from synthgen.recipe.schema import Source

MOST_SOURCES = 256
"""Most sources that one source may be spread over."""
_MOST_NAME = 64
_OTHERS = re.compile(r"[^a-z0-9]+")

Fixed = Mapping[str, Value]
"""Axis -> its value in every problem."""


Spread = tuple[str, Generator, Fixed]
"""Name, generator and fixed axes of one of the sources that a source is spread over."""
SpreadFault = tuple[tuple[str, ...], str]
"""The part of a spread that has a fault, and a message."""


def spread_over(
    source: Source, whole: Generator, params: Mapping[str, Any]
) -> tuple[list[Spread], list[SpreadFault]]:
    """Make the sources that a source is spread over, in the order of the values.

    Combinations of values that the generator rejects are left out; each value must be in one.

    Args:
        source: source with `spread`.
        whole: its generator without spread, whose axes define the values.
        params: params of that generator.

    Returns:
        The sources, and the faults; where there are faults, no sources.
    """
    values: list[tuple[Value, ...]] = []
    faults: list[SpreadFault] = []
    for axis, wanted in source.spread:
        try:
            values.append(_values(whole, axis, wanted))
        except (ParamError, UnknownNameError) as error:
            faults.append(((axis,), str(error)))
    count = prod(map(len, values))
    if not faults and count > MOST_SOURCES:
        message = f"spread: expected at most {MOST_SOURCES} sources, not {count:,}; choose values"
        faults.append(((), f"{message}, such as {_example(source, values)}"))
    if faults:
        return [], faults
    axes = [axis for axis, _ in source.spread]
    made: list[tuple[Fixed, Generator]] = []
    refused: list[tuple[Fixed, ParamError]] = []
    for point in product(*values):
        fixed = dict(zip(axes, point, strict=True))
        try:
            made.append((fixed, _conditioned(whole, fixed, params)))
        except ParamError as error:
            refused.append((fixed, error))
    faults = list(_refusals(source, made, refused))
    if faults:
        return [], faults
    names = _names(source.name, [fixed for fixed, _ in made])
    return [(name, g, fixed) for name, (fixed, g) in zip(names, made, strict=True)], []


def _values(whole: Generator, axis: str, wanted: tuple[Value, ...]) -> tuple[Value, ...]:
    """Return the values of an axis to spread over.

    Raises:
        UnknownNameError: for an axis that no params fix.
        ParamError: for values that the source does not have, or that must be listed.
    """
    conditions = whole.conditions
    if axis not in conditions or axis not in whole.axes:
        known = sorted(name for name in conditions if name in whole.axes)
        raise UnknownNameError("axis to spread over", axis, known)
    there = whole.axes[axis]
    for value in wanted:
        _check_value(axis, value, there, conditions[axis])
    if wanted:
        return wanted
    possible = conditions[axis].values
    if there.values:
        return tuple(value for value in there.values if not possible or value in possible)
    if there.low is None or there.high is None:
        raise ParamError(
            "spread", axis, f"listed values, such as {{ {axis} = [1, 2] }}, as its range is unknown"
        )
    return tuple(v for v in range(there.low, there.high + 1) if not possible or v in possible)


def _check_value(axis: str, value: Value, there: Axis, condition: Condition) -> None:
    if there.values:
        if value not in there.values or (condition.values and value not in condition.values):
            known = [name for name in there.values if name in (condition.values or there.values)]
            kind = f"value of {axis}"
            raise UnknownNameError(kind, str(value), known)
        return
    low, high = there.low, there.high
    wanted = f"an integer from {low} to {high}, the range of the source without spread"
    if not isinstance(value, int) or (condition.values and value not in condition.values):
        raise ParamError(axis, value, wanted)
    if (low is not None and value < low) or (high is not None and value > high):
        raise ParamError(axis, value, wanted)


def _conditioned(whole: Generator, fixed: Fixed, params: Mapping[str, Any]) -> Generator:
    """Return the generator whose problems have these values.

    Raises:
        ParamError: if there is no such generator.
    """
    conditions = whole.conditions
    given: dict[str, Any] = {}
    for axis, value in fixed.items():
        for param, fixing in conditions[axis].given(value).items():
            if given.setdefault(param, fixing) != fixing:
                raise ParamError(param, fixing, f"{given[param]!r}, which another axis requires")
    for axis in fixed:
        for param, allowed in conditions[axis].only.items():
            found = given.get(param, getattr(whole, param))
            if found not in allowed:
                known = " or ".join(map(repr, allowed))
                raise ParamError(param, found, f"{known}, or {axis} cannot be spread")
    return type(whole)(**{**params, **given})


def _refusals(
    source: Source,
    made: list[tuple[Fixed, Generator]],
    refused: list[tuple[Fixed, ParamError]],
) -> Iterator[SpreadFault]:
    """Report listed values that no source has, and a spread without sources."""
    if not made:
        message = f"spread: no value gives a source: {refused[0][1] if refused else 'no values'}"
        yield ((), message)
        return
    for axis, wanted in source.spread:
        there = {fixed[axis] for fixed, _ in made}
        for value in wanted:
            if value not in there:
                error = next(error for fixed, error in refused if fixed[axis] == value)
                yield ((axis,), f"{axis}={value!r}: impossible in every source: {error}")


def _example(source: Source, values: list[tuple[Value, ...]]) -> str:
    axis, some = max(zip(source.spread, values, strict=True), key=lambda pair: len(pair[1]))
    first = ", ".join(repr(value) for value in some[:3])
    return f"{{ {axis[0]} = [{first}] }}"


def _names(base: str, points: list[Fixed]) -> list[str]:
    """Name the sources by their values, or by numbers where those would be too long or equal."""
    names = [
        "_".join([base, *(f"{axis}_{_name_part(v)}" for axis, v in p.items())]) for p in points
    ]
    if len(set(names)) == len(names) and max(map(len, names)) <= _MOST_NAME:
        return names
    short = ["_".join([base, *map(_name_part, point.values())]) for point in points]
    if len(set(short)) == len(short) and max(map(len, short)) <= _MOST_NAME:
        return short
    return [f"{base[: _MOST_NAME - 4]}_{number:03}" for number in range(len(points))]


def _name_part(value: Value) -> str:
    text = str(value).replace("-", "minus", 1) if isinstance(value, int) else value.lower()
    return _OTHERS.sub("_", text).strip("_") or "none"
