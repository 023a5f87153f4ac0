"""Random choices from the text: an answer is right if it is one of those that a prompt allows."""

from __future__ import annotations

import re
from collections.abc import Hashable
from typing import Any, NamedTuple

from synthgen.authoring import AnswerChecker, Words, holes, reads

_WORDS = Words.beside(__file__)
_WORD = holes.pattern("[A-Za-z]{2,20}")
_NUMBER = re.compile(r"[0-9]{1,9}")
_MULTIPLE = re.compile(r"a multiple of ([0-9]{1,4})")
_REMAINDERS = {"a whole number": (1, 0), "an even number": (2, 0), "an odd number": (2, 1)}
"""Divisor and remainder of numbers, by what they are called."""
_MEMBERS = {thing: frozenset(members) for thing, *members in _WORDS["sets"].values()}


class _Numbers(NamedTuple):
    """Numbers of a range with a remainder."""

    low: int
    high: int
    divisor: int
    remainder: int


_Choice = Hashable
"""Numbers, or the set of all words that may be chosen."""


def _what(text: str) -> tuple[int, int] | None:
    """Return divisor and remainder, or None for anything else."""
    multiple = _MULTIPLE.fullmatch(text)
    return (int(multiple[1]), 0) if multiple else _REMAINDERS.get(text)


@reads(
    _WORDS,
    what=holes.pattern("an? [a-z0-9 ]{5,30}", _what),
    low=holes.NATURAL,
    high=holes.NATURAL,
    things=holes.word(_WORDS["items"]),
    items=holes.listed(_WORD),
    thing=holes.pattern("[A-Za-z ]{4,40}", _MEMBERS.get),
)
def _read(kind: str, **parts: Any) -> _Choice | None:
    if kind == "number":
        divisor, remainder = parts["what"]
        return _Numbers(parts["low"], parts["high"], divisor, remainder) if divisor else None
    return frozenset(parts["items"]) if kind == "item" else parts["thing"]


def _plain(choice: _Choice, answer: str) -> str:
    """Return an answer without superfluous zeros or other capitals."""
    text = answer.strip().strip(".\"'")
    if isinstance(choice, _Numbers):
        return str(int(text)) if _NUMBER.fullmatch(text) else answer
    words = choice if isinstance(choice, frozenset) else ()
    return next((one for one in words if one.casefold() == text.casefold()), answer)


def _accepts(choice: _Choice, answer: str) -> bool:
    """Accept each number or word that the prompt allows."""
    if isinstance(choice, frozenset):
        return answer in choice
    if (
        not isinstance(choice, _Numbers)
        or not _NUMBER.fullmatch(answer)
        or answer != str(int(answer))
    ):
        return False
    low, high, divisor, remainder = choice
    return low <= int(answer) <= high and int(answer) % divisor == remainder


VERIFIERS = {
    "random_choice": AnswerChecker(
        _read, _accepts, plain=_plain, answer_type="checked:random_choice"
    )
}
