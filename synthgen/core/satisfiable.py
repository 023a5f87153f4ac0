"""Rules that no row can meet, found before anything is drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import floor, prod
from types import MappingProxyType

import numpy as np
import polars as pl

from synthgen.core.contract import Axis
from synthgen.core.rule_terms import Term
from synthgen.core.rules import axis_dtype, names_in, read_rule

_MOST_POINTS = 1_000_000
Values = Sequence[int | str]
_FREE: Mapping[str, Values] = MappingProxyType({})


def can_hold(text: str, axes: Mapping[str, Axis], fixed: Mapping[str, Values] = _FREE) -> bool:
    """Say whether a rule can be true for any values within the ranges of its axes.

    Axes that are `fixed` have some of their values only.

    A false answer is proven: by all combinations of values, or, where the rule only compares axes
    with constants, by the constants, their neighbours and the ends of the ranges. What cannot be
    decided so, or asks for unknown values, is taken as possible.

    Raises:
        UnknownNameError, ParamError: as `compile_where` does.
    """
    rule = read_rule(text, axes)
    if rule.asks_null:
        return True
    names = names_in(text, axes)
    points = [fixed.get(name) or _all_values(axes[name]) for name in names]
    if _too_many(points):
        points = [fixed.get(name) or _telling_values(rule, name, axes[name]) for name in names]
        if not rule.simple or _too_many(points):
            return True
    return _holds_anywhere(rule, names, [values or () for values in points], axes)


def _holds_anywhere(
    rule: Term, names: list[str], points: list[Values], axes: Mapping[str, Axis]
) -> bool:
    expr = rule.expr.fill_null(value=False)
    if not names:
        return bool(pl.select(expr).item())
    place = np.arange(prod(map(len, points)))
    columns = []
    for name, values in zip(names, points, strict=True):
        known = pl.Series(name, list(values), dtype=axis_dtype(axes[name]))
        columns.append(known.gather(place % max(1, len(values))))
        place //= max(1, len(values))
    return bool(pl.DataFrame(columns).select(expr.any()).item())


def _all_values(axis: Axis) -> Values | None:
    if axis.values:
        return axis.values
    if axis.low is None or axis.high is None:
        return None
    return range(axis.low, axis.high + 1)


def _too_many(points: Sequence[Values | None]) -> bool:
    if any(values is None for values in points):
        return True
    return prod(len(values or ()) for values in points) > _MOST_POINTS


def _telling_values(rule: Term, name: str, axis: Axis) -> Values | None:
    """Return values of an axis among which every comparison with a constant changes."""
    if axis.values:
        return axis.values
    if axis.low is None or axis.high is None:
        return None
    constants = {floor(constant) for axis_name, constant in rule.bounds if axis_name == name}
    near = {constant + step for constant in constants for step in (-1, 0, 1, 2)}
    inside = {value for value in near if axis.low <= value <= axis.high}
    return sorted(inside | {axis.low, axis.high})
