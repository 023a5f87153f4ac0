"""The slow oracle of HINT arithmetic: precedence climbing over unbounded integers."""

from __future__ import annotations

from collections.abc import Callable

from synthgen.verifiers._problem_text import problem_of

_MAX_LENGTH = 100_000
_MOST_BITS = 10_000

_EXACT: dict[str, Callable[[int, int], int]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: max(0, left - right),
    "*": lambda left, right: left * right,
    "/": lambda left, right: -(-left // right),
    "a": max,
    "b": min,
    "c": lambda left, right: -(-(left + right) // 2),
    "d": lambda left, right: -(-2 * left * right // (left + right)),
}
_RANKS = dict.fromkeys("+-ab", 1) | dict.fromkeys("*/cd", 2)
_OPERANDS = {str(digit): digit for digit in range(10)} | {"x": 11, "y": 12}


def exact_value(prompt: str) -> str | None:
    """Return the value of the prompt's expression in decimal, or None if it has none."""
    text = problem_of(prompt)
    if len(text) > _MAX_LENGTH:
        return None
    try:
        value, end = _climb(text, 0, 1)
    except (IndexError, KeyError, ZeroDivisionError, RecursionError):
        return None
    bounded = value.bit_length() <= _MOST_BITS  # larger ones take long to write in decimal
    return str(value) if end == len(text) and bounded else None


def _climb(text: str, at: int, lowest: int) -> tuple[int, int]:
    """Read operators of rank >= lowest by precedence climbing; return the value and the end."""
    value, at = _primary(text, at)
    while at < len(text) and (rank := _RANKS.get(text[at], 0)) >= lowest:
        operator = _EXACT[text[at]]
        right, at = _climb(text, at + 1, rank + 1)
        value = operator(value, right)
    return value, at


def _primary(text: str, at: int) -> tuple[int, int]:
    """Read one symbol or one group in parentheses."""
    if text[at] != "(":
        return _OPERANDS[text[at]], at + 1
    value, at = _climb(text, at + 1, 1)
    if text[at] != ")":
        raise KeyError(text[at])
    return value, at + 1
