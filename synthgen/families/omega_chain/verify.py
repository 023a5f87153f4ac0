"""Chains of problems from the text: each answer is substituted into the next problem.

Every problem is solved by the verifier of whichever family can read it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import cast

from synthgen.authoring import PlainVerifier, Words, holes, reads
from synthgen.authoring.answers import parse_integer
from synthgen.core.registry import load_verifier

_WORDS = Words.beside(__file__)
_FAMILIES: Sequence[str] = _WORDS["families"]["linked"]
_MOST_LINKS = 5
_SUM = re.compile(r"\((K[1-9]) ([+-]) (0|[1-9][0-9]{0,60})\)", re.ASCII)
_REMEMBERED = 1 << 12
_HEAD = 14
"""Characters of a statement by which its family is remembered."""
_likely: dict[str, str] = {}

Problems = tuple["Stated", ...]
Stated = tuple[str, int | None]
"""A statement with a sum in place of a numeral, and the modulus of the previous answer, if any."""


@reads(_WORDS, problems=holes.pattern(r"[^\x00]+"))
def _read(problems: str) -> Problems | None:
    parts = problems.split("\n\nProblem ")
    if len(parts) > _MOST_LINKS:
        return None
    stated = [_read_first(parts[0])]
    stated += [_read_later(f"Problem {part}") for part in parts[1:]]
    found = [one for one in stated if one is not None]
    in_order = [place for place, _ in found] == list(range(1, len(parts) + 1))
    return tuple(one for _, one in found) if in_order else None


_PROBLEM = _WORDS["problem"]
_FIRST = Words({"prompts": {"first": [_PROBLEM["first"]]}})
_LATER = Words({"prompts": {"later": [_PROBLEM["answer"], _PROBLEM["remainder"]]}})
_STATEMENT = holes.pattern(r"[^\x00]+")


@reads(_FIRST, place=holes.NATURAL, statement=_STATEMENT)
def _read_first(place: int, statement: str) -> tuple[int, Stated] | None:
    return place, (statement, None)


@reads(
    _LATER,
    place=holes.NATURAL,
    name=holes.pattern("K[1-9]"),
    previous=holes.NATURAL,
    modulus=holes.pattern("[1-9][0-9]{0,8}", int),
    statement=_STATEMENT,
)
def _read_later(
    place: int, name: str, previous: int, statement: str, modulus: int | None = None
) -> tuple[int, Stated] | None:
    sums = [match[1] for match in _SUM.finditer(statement)]
    if previous != place - 1 or name != f"K{previous}" or sums != [name]:
        return None
    return place, (statement, modulus)


@lru_cache(_REMEMBERED)
def _answers(problems: Problems) -> tuple[str, ...] | None:
    """Solve the problems in order; None if one of them has no integer answer."""
    found: list[str] = []
    for statement, modulus in problems:
        plain = _substituted(statement, modulus, found[-1]) if found else statement
        result = None if plain is None else _solved(plain)
        if result is None or parse_integer(result) is None:
            return None
        found.append(result)
    return tuple(found)


def _substituted(statement: str, modulus: int | None, previous: str) -> str | None:
    """Return a statement with the numeral that its sum stands for."""
    known = int(previous) if modulus is None else abs(int(previous)) % modulus
    match = cast("re.Match[str]", _SUM.search(statement))
    value = known + (int(match[3]) if match[2] == "+" else -int(match[3]))
    return None if value < 0 else f"{statement[: match.start()]}{value}{statement[match.end() :]}"


def _solved(statement: str) -> str | None:
    """Return the answer of the first family that can read a statement."""
    head = statement[:_HEAD]
    first = [_likely[head]] if head in _likely else []
    for family in (*first, *_FAMILIES):
        result = cast("PlainVerifier[object]", load_verifier(family)).answer(statement)
        if result is not None:
            _likely[head] = family
            return result
    return None


def _solve(problems: Problems) -> str | None:
    found = _answers(problems)
    return None if found is None else found[-1]


def _follows(problems: Problems, answer: str, lines: Sequence[str]) -> bool:
    """Compare the answer of each problem."""
    found = _answers(problems) or ()
    steps = [f"Problem {place}: {text}" for place, text in enumerate(found, 1)]
    return list(lines) == steps and found[-1:] == (answer,)


VERIFIERS = {"omega_chain": PlainVerifier(_read, _solve, "integer", _follows)}
