"""Holes of a wording as verifiers read them: a pattern, and the value that its text denotes.

Patterns are linear in the length of the text: no repetition within a repetition that could match
the same characters in two ways.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Hole:
    """A regular expression without named groups, and how to read what it matches.

    Attributes:
        pattern: ASCII text for `re`.
        parse: Function that makes a value of the text.
    """

    pattern: str
    parse: Callable[[str], Any] = str


INTEGER = Hole(r"-?(?:0|[1-9][0-9]{0,399})", int)
"""An integer without a plus sign or superfluous zeros."""
NATURAL = Hole(r"(?:0|[1-9][0-9]{0,399})", int)
"""A non-negative integer."""

_FIRST_ORDINALS = (
    *("first", "second", "third", "fourth", "fifth"),
    *("sixth", "seventh", "eighth", "ninth", "tenth"),
)


def ordinal(n: int) -> str:
    """Return the ordinal number of a positive integer, in words up to ten.

    >>> ordinal(1), ordinal(11), ordinal(22)
    ('first', '11th', '22nd')
    """
    if n <= len(_FIRST_ORDINALS):
        return _FIRST_ORDINALS[n - 1]
    endings = {1: "st", 2: "nd", 3: "rd"}
    return f"{n}{'th' if n % 100 in (11, 12, 13) else endings.get(n % 10, 'th')}"


def _number_of(text: str) -> int:
    return _FIRST_ORDINALS.index(text) + 1 if text in _FIRST_ORDINALS else int(text[:-2])


ORDINAL = Hole(rf"(?:{'|'.join(_FIRST_ORDINALS)}|[1-9][0-9]{{1,3}}(?:st|nd|rd|th))", _number_of)
"""An ordinal number, as `ordinal` writes it."""


def word(options: Iterable[str]) -> Hole:
    """Return a hole that holds one of some texts."""
    longest_first = sorted(options, key=len, reverse=True)
    return Hole(f"(?:{'|'.join(map(re.escape, longest_first))})")


def listed(item: Hole, separator: str = ", ", last: str | None = None) -> Hole:
    """Return a hole that holds a list, read as a tuple.

    Args:
        item: Hole of each item; it must not match text that contains a separator.
        separator: Text between items.
        last: Separator before the last of several items, such as " and "; default: `separator`.
    """
    if last is None:
        joined = f"{item.pattern}(?:{re.escape(separator)}{item.pattern})*"
        return Hole(joined, lambda text: tuple(map(item.parse, text.split(separator))))
    between, end = re.escape(separator), re.escape(last)
    joined = f"{item.pattern}(?:(?:{between}{item.pattern})*{end}{item.pattern})?"
    cut = re.compile(f"{end}|{between}")
    return Hole(joined, lambda text: tuple(map(item.parse, cut.split(text))))


def pattern(expression: str, parse: Callable[[str], Any] = str) -> Hole:
    """Return a hole of a regular expression without named groups."""
    return Hole(expression, parse)
