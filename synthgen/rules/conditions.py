"""Which params of a generator fix an axis, so that every problem drawn has one wanted value of it.

A generator's `conditions` map an axis to its Condition. No row depends on them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

Value = int | str
"""Value of an axis: a number, or one of its names."""
_NONE: Mapping[Any, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Condition:
    """Params that fix an axis, and their values.

    Attributes:
        params: Names of params, each of which gets the value.
        items: Length of a list that repeats the value; 0 for the plain value.
        values: Value of the params for each axis value; empty means unchanged. Only these can be
            spread.
        also: Values of other params.
        only: Params that must have one of some values, as otherwise the axis is not fixed.
    """

    params: tuple[str, ...]
    items: int = 0
    values: Mapping[Value, Any] = field(default_factory=lambda: _NONE)
    also: Mapping[str, Any] = field(default_factory=lambda: _NONE)
    only: Mapping[str, tuple[Any, ...]] = field(default_factory=lambda: _NONE)

    def given(self, value: Value) -> dict[str, Any]:
        """Return the params by which every problem has this value."""
        fixing = self.values[value] if self.values else value
        fixing = (fixing,) * self.items if self.items else fixing
        return {**dict.fromkeys(self.params, fixing), **self.also}


def bounded(low: str, high: str, **only: tuple[Any, ...]) -> Condition:
    """Return the condition of two params that are the smallest and the largest value."""
    return Condition((low, high), only=only)


def one_of(param: str, **only: tuple[Any, ...]) -> Condition:
    """Return the condition of a param that lists the possible values."""
    return Condition((param,), items=1, only=only)


def span(param: str, **only: tuple[Any, ...]) -> Condition:
    """Return the condition of a param that lists the smallest and the largest value."""
    return Condition((param,), items=2, only=only)


def equal_to(param: str, values: Mapping[Value, Any] = _NONE, **only: tuple[Any, ...]) -> Condition:
    """Return the condition of a param that is the value, or has one for it."""
    return Condition((param,), values=values, only=only)
