"""Fields that check themselves: the `params` of a family, with their ranges.

>>> from dataclasses import dataclass
>>> from synthgen.authoring import params
>>> @dataclass(frozen=True)
... class Sizes(params.Checked):
...     min_size: int = params.integer(2, 1, 20, up_to="max_size")
...     max_size: int = params.integer(4, 1, 20)
>>> Sizes(min_size=5)
Traceback (most recent call last):
    ...
synthgen.core.errors.ParamError: min_size=5: expected at most max_size=4
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

from synthgen.core.checks import check_bool, check_choice, check_int, check_symbols
from synthgen.core.errors import ParamError

T = TypeVar("T")
_Check = Callable[[str, Any], object]


@dataclass(frozen=True)
class CheckedParams:
    """A frozen dataclass whose fields are checked on construction.

    Raises:
        ParamError: for the first field outside its range.
    """

    def __post_init__(self) -> None:
        for each in fields(self):
            if "check" in each.metadata:
                each.metadata["check"](each.name, getattr(self, each.name))
        for each in fields(self):
            other = each.metadata.get("up_to")
            if other and getattr(self, each.name) > getattr(self, other):
                value, bound = getattr(self, each.name), getattr(self, other)
                raise ParamError(each.name, value, f"at most {other}={bound}")


def integer(default: int, low: int, high: int, *, up_to: str | None = None) -> int:
    """Declare an integer from `low` to `high`, and at most the field `up_to`."""
    return _declared(default, lambda name, value: check_int(name, value, low, high), up_to)


def number(default: float, low: float, high: float, *, up_to: str | None = None) -> float:
    """Declare a number from `low` to `high`, and at most the field `up_to`."""

    def check(name: str, value: Any) -> None:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not low <= value <= high:
            raise ParamError(name, value, f"a number from {low} to {high}")

    return _declared(default, check, up_to)


def flag(default: bool) -> bool:  # noqa: FBT001
    """Declare a truth value."""
    return _declared(default, check_bool)


def choice(default: str, options: Sequence[str]) -> str:
    """Declare one of some names."""
    return _declared(default, lambda name, value: check_choice(name, value, options))


def choices(
    default: tuple[str, ...], options: Sequence[str], *, fewest: int = 1
) -> tuple[str, ...]:
    """Declare a list of at least `fewest` different names out of `options`."""

    def check(name: str, value: Any) -> None:
        wanted = f"a list of at least {fewest} different names out of {', '.join(options)}"
        _check_list(name, value, fewest, wanted, lambda item: item in options)

    return _declared(default, check)


def integers(default: tuple[int, ...], low: int, high: int, *, fewest: int = 0) -> tuple[int, ...]:
    """Declare a list of at least `fewest` different integers from `low` to `high`."""

    def check(name: str, value: Any) -> None:
        wanted = f"a list of different integers from {low} to {high}"
        _check_list(name, value, fewest, wanted, lambda item: _is_int(item) and low <= item <= high)

    return _declared(default, check)


def characters(default: str, known: str, *, fewest: int = 1) -> str:
    """Declare a string of at least `fewest` different characters out of `known`."""
    return _declared(default, lambda name, value: check_symbols(name, value, known, fewest))


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _check_list(
    name: str, value: Any, fewest: int, wanted: str, fits: Callable[[Any], bool]
) -> None:
    if not isinstance(value, tuple) or len(value) < fewest or not all(map(fits, value)):
        raise ParamError(name, value, wanted)
    if len(set(value)) < len(value):
        raise ParamError(name, value, wanted)


def _declared(default: T, check: _Check, up_to: str | None = None) -> T:
    return field(default=default, metadata={"check": check, "up_to": up_to})
