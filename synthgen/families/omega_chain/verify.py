"""Chains of problems from the text: each answer is substituted into the next problem.

Every problem is solved, and its steps are replayed, by the verifier of whichever family reads it.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from functools import lru_cache
from typing import NamedTuple, cast

import pyarrow as pa

from synthgen.authoring import PlainVerifier, Words, holes, reads
from synthgen.contract.answers import parse_integer
from synthgen.contract.registry import load_verifier

_WORDS = Words.beside(__file__)
_FAMILIES: Sequence[str] = _WORDS["families"]["linked"]
_MAX_LINKS = 5
_SUM = re.compile(r"\((K[1-9]) ([+-]) (0|[1-9][0-9]{0,60})\)", re.ASCII)
_LONGEST_STEPS = 100_000
"""Characters of the steps of one problem."""
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
    if len(parts) > _MAX_LINKS:
        return None
    stated = [_read_first(parts[0])]
    stated += [_read_following(f"Problem {part}") for part in parts[1:]]
    numbered = [one for one in stated if one is not None]
    in_order = [place for place, _ in numbered] == list(range(1, len(parts) + 1))
    return tuple(one for _, one in numbered) if in_order else None


_PROBLEM = _WORDS["problem"]
_FIRST = Words({"prompts": {"first": [_PROBLEM["first"]]}})
_FOLLOWING = Words({"prompts": {"later": [_PROBLEM["answer"], _PROBLEM["remainder"]]}})
_STATEMENT = holes.pattern(r"[^\x00]+")


@reads(_FIRST, place=holes.NATURAL, statement=_STATEMENT)
def _read_first(place: int, statement: str) -> tuple[int, Stated] | None:
    return place, (statement, None)


@reads(
    _FOLLOWING,
    place=holes.NATURAL,
    name=holes.pattern("K[1-9]"),
    previous=holes.NATURAL,
    modulus=holes.pattern("[1-9][0-9]{0,8}", int),
    statement=_STATEMENT,
)
def _read_following(
    place: int, name: str, previous: int, statement: str, modulus: int | None = None
) -> tuple[int, Stated] | None:
    sums = [match[1] for match in _SUM.finditer(statement)]
    if previous != place - 1 or name != f"K{previous}" or sums != [name]:
        return None
    return place, (statement, modulus)


class _Solved(NamedTuple):
    """A problem of a chain: its family, statement and answer, and the step with its value."""

    family: str
    statement: str
    answer: str
    value: str


@lru_cache(_REMEMBERED)
def _solved(problems: Problems) -> tuple[_Solved, ...] | None:
    """Solve the problems in order; None if one of them has no integer answer."""
    solved: list[_Solved] = []
    for statement, modulus in problems:
        value = ""
        if solved:
            plain, value = _substituted(statement, modulus, int(solved[-1].answer))
            statement = plain
        family, answer = _answer(statement)
        if answer is None or parse_integer(answer) is None:
            return None
        solved.append(_Solved(family, statement, answer, value))
    return tuple(solved)


def _substituted(statement: str, modulus: int | None, previous: int) -> tuple[str, str]:
    """Return a statement with its sum replaced by a number, and the step that states both."""
    known = previous if modulus is None else abs(previous) % modulus
    match = cast("re.Match[str]", _SUM.search(statement))
    value = known + (int(match[3]) if match[2] == "+" else -int(match[3]))
    source = "" if modulus is None else f" = {abs(previous)} mod {modulus}"
    plain = f"{statement[: match.start()]}{value}{statement[match.end() :]}" if value >= 0 else ""
    return plain, f"{match[1]}{source} = {known}; {match[0]} = {value}"


def _answer(statement: str) -> tuple[str, str | None]:
    """Return the first family that can read a statement, and its answer."""
    head = statement[:_HEAD]
    first = [_likely[head]] if head in _likely else []
    for family in (*first, *_FAMILIES):
        result = _verifier(family).answer(statement)
        if result is not None:
            _likely[head] = family
            return family, result
    return "", None


def _verifier(family: str) -> PlainVerifier[Hashable]:
    return cast("PlainVerifier[Hashable]", load_verifier(family))


def _solve(problems: Problems) -> str | None:
    solved = _solved(problems)
    return None if solved is None else solved[-1].answer


def _follows(problems: Problems, answer: str, lines: Sequence[str]) -> bool:
    """Check each problem's value, replay its steps, and compare its answer."""
    solved, rest = _solved(problems) or (), list(lines)
    for place, one in enumerate(solved, 1):
        closing = f"Answer to problem {place}: {one.answer}"
        if closing not in rest or (one.value and rest.pop(0) != one.value):
            return False
        end = rest.index(closing)
        if not _replayed(one, rest[:end]):
            return False
        rest = rest[end + 1 :]
    return not rest and [one.answer for one in solved[-1:]] == [answer]


def _replayed(one: _Solved, lines: Sequence[str]) -> bool:
    """Return whether the steps of one problem are right; none if its family has no steps."""
    verifier = _verifier(one.family)
    if not verifier.has_steps:
        return not lines
    texts = (one.statement, one.answer, "\n".join(lines))
    return bool(lines) and bool(
        verifier.check(*(pa.array([text], pa.string()) for text in texts))[0]
    )


VERIFIERS = {
    "omega_chain": PlainVerifier(
        _read, _solve, "integer", _follows, longest=_MAX_LINKS * _LONGEST_STEPS
    )
}
