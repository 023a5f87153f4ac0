"""Shared checkers of parameter values; every message carries name=value and what was expected."""

from __future__ import annotations

from collections.abc import Sequence

from synthgen.core.errors import ParamError


def check_int(name: str, value: object, low: int, high: int) -> int:
    """Return `value` if it is an integer with low <= value <= high, else raise ParamError."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ParamError(name, value, f"an integer from {low} to {high}")
    return value


def check_share(name: str, value: object, *, below_1: bool = False) -> None:
    """Raise ParamError unless `value` is a number from 0 to 1, or below 1 if so required."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not 0 <= value <= 1 or (below_1 and value == 1):  # type: ignore[operator]
        expected = "a number from 0, below 1" if below_1 else "a number from 0 to 1"
        raise ParamError(name, value, expected)


def check_bool(name: str, value: object) -> bool:
    """Return `value` if it is true or false, else raise ParamError."""
    if not isinstance(value, bool):
        raise ParamError(name, value, "true or false")
    return value


def check_choice(name: str, value: object, choices: Sequence[str]) -> str:
    """Return `value` if it is one of `choices`, else raise ParamError."""
    if not isinstance(value, str) or value not in choices:
        raise ParamError(name, value, f"one of {', '.join(choices)}")
    return value


def check_symbols(name: str, value: object, known: str, minimum: int = 0) -> str:
    """Return `value` if it is a string of distinct characters of `known`, else raise ParamError."""
    if not isinstance(value, str) or not minimum <= len(value) == len({*value} & {*known}):
        wanted = f"a string of at least {minimum} different characters out of {known!r}"
        raise ParamError(name, value, wanted)
    return value
