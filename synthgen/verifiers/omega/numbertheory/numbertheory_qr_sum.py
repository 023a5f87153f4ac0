"""Extreme numbers with properties of their digits, from the text: halves that meet, and growth."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from math import lcm

from synthgen.verifiers.omega._grouped import GroupedVerifier
from synthgen.verifiers.omega.numbertheory._digit_halves import Wanted, extremes
from synthgen.verifiers.omega.numbertheory._digit_masks import masked
from synthgen.verifiers.omega.numbertheory._digit_questions import (
    ASKS,
    CHAINS,
    FRAMES,
    PROPERTIES,
)
from synthgen.verifiers.omega.numbertheory._digit_slow import grown, values
from synthgen.verifiers.omega.numbertheory._repeats import repeated

_RANKS = {"swap": ("third ", 3), "digit_sum": ("tenth ", 10)}
_ASKED = {"alternating": "remainder", "swap": "number", "digit_sum": "number"}
_HOLES = {"t": "[1-9]", "v": r"[2-9]|[1-9][0-9]", "d": r"[2-9]|1[0-2]", "e": r"[3-9]|1[0-3]"}
_HOLES |= {"name": "N|M", "ten": "10{1,12}", "rank": "(?:third |tenth )?(?:larg|small)est"}
_MOST_DIVISOR = 24
_FEW_DIGITS = 3

Problem = tuple[str, Wanted, bool]
"""Kind of the question, what the number is to have, and whether the largest are meant."""
Finder = Callable[..., tuple[int, ...]]


def _patterns(kind: str) -> tuple[re.Pattern[str], ...]:
    asks = ASKS[_ASKED.get(kind, "quotient_plus_remainder")]
    chains = CHAINS if kind == "chained" else ("",) * len(FRAMES)
    texts = []
    for frame, chain, ask in zip(FRAMES, chains, asks, strict=True):
        first = frame.replace("{property}", PROPERTIES[kind])
        texts.append(" ".join(filter(None, (first, chain, ask))))
    return repeated(texts, _HOLES)


_PATTERNS = {kind: _patterns(kind) for kind in PROPERTIES}


def _read(statement: str) -> Problem | None:
    for kind, patterns in _PATTERNS.items():
        match = next(filter(None, (pattern.fullmatch(statement) for pattern in patterns)), None)
        if match:
            return _problem(kind, match.groupdict())
    return None


def _problem(kind: str, parts: dict[str, str]) -> Problem | None:
    digits, divisor = int(parts["d"]), int(parts["v"])
    chained = kind == "chained"
    named = "M" if chained else "N"
    largest = parts["rank"].endswith("largest")
    side = "largest" if largest else "smallest"
    if parts["name"] != named or parts["rank"] != _RANKS.get(kind, ("", 1))[0] + side:
        return None
    if chained and (int(parts["e"]) != digits + 1 or not largest):
        return None
    if parts.get("ten", str(10 ** (digits - 1 + chained))) != str(10 ** (digits - 1 + chained)):
        return None
    if digits > 10 or divisor > _MOST_DIVISOR or (kind == "change_two" and digits == 2):
        return None
    rule = "change_one" if chained else kind
    return kind, Wanted(rule, digits, divisor, int(parts.get("t", 0))), largest


def _found(problem: Problem, find: Finder) -> tuple[tuple[int, ...], int, int] | None:
    """Return the extreme numbers, and S and M or zeros; None if there are too few."""
    kind, wanted, largest = problem
    rank = _RANKS.get(kind, ("", 1))[1]
    numbers = find(wanted, rank, largest=largest)
    if len(numbers) < rank:
        return None
    if kind != "chained":
        return numbers, 0, 0
    common = lcm(*filter(None, map(int, str(numbers[0]))))
    others = find(Wanted("reverse", wanted.digits + 1, common, 0), 1, largest=True)
    return (numbers, common, others[0]) if others else None


def _answer(problem: Problem, find: Finder) -> str | None:
    found = _found(problem, find)
    if found is None:
        return None
    numbers, _, other = found
    asked = other or numbers[-1]
    ten = 10 ** (len(str(asked)) - 1)
    question = _ASKED.get(problem[0])
    if question == "number":
        return str(asked)
    return str(asked % ten if question else asked // ten + asked % ten)


@lru_cache(maxsize=1 << 12)
def _halved(wanted: Wanted, rank: int, *, largest: bool) -> tuple[int, ...]:
    find = masked if wanted.digits <= _FEW_DIGITS else extremes
    return find(wanted, rank, largest=largest)


def _solve(problem: Problem) -> str | None:
    return _answer(problem, _halved)


def _exact(problem: Problem) -> str | None:
    return _answer(problem, grown)


def _follows(problem: Problem, answer: str, way: str) -> bool:
    return way == _way(problem, answer)


@lru_cache(maxsize=1 << 12)
def _way(problem: Problem, answer: str) -> str:
    return "\n".join(_lines(problem, answer))


def _lines(problem: Problem, answer: str) -> Iterator[str]:
    """Write the way to the answer as every solution must have it."""
    kind, wanted, _ = problem
    numbers, common, other = _found(problem, _halved) or ((), 0, 0)
    yield f"N = {', '.join(map(str, numbers))}"
    for value in values(wanted, numbers[-1]):
        yield f"{value} = {wanted.divisor} * {value // wanted.divisor}"
    if other:
        yield f"S = {common}"
        yield f"M = {other}"
        for value in values(Wanted("reverse", 0, common, 0), other):
            yield f"{value} = {common} * {value // common}"
    asked = other or numbers[-1]
    ten = 10 ** (len(str(asked)) - 1)
    if kind not in _RANKS:
        yield f"{asked} = {asked // ten} * {ten} + {asked % ten}"
    if kind not in _ASKED:
        yield f"{asked // ten} + {asked % ten} = {answer}"


VERIFIER = GroupedVerifier(_read, _solve, _exact, "integer", _follows)
