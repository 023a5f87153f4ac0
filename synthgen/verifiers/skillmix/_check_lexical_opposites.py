"""Figures of opposites: in parallel clauses, side by side, and denied."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

from synthgen.core.skill_figures import fields, records
from synthgen.verifiers.skillmix._text import STOP, Clause, Text
from synthgen.verifiers.skillmix._wanted import wanted

SHORTEST_PARALLEL = 3
JOINING = frozenset(("and", "but", "or", "while", "yet", "whereas"))
DENIALS = frozenset("not isn't aren't wasn't weren't".split())
_BETWEEN = frozenset(
    "a an the at all very so too exactly entirely wholly altogether precisely quite".split()
)
"""Words that can stand between "not" and what is denied."""
MOST_BETWEEN = 3
_FARTHEST = 2
"""From a clause to the one with its opposite."""


@cache
def antonyms() -> frozenset[tuple[str, str]]:
    """Return all pairs in both orders."""
    pairs = {(record["one"], record["other"]) for record in records("opposites", "contrast")}
    for record in records("opposites", "pair"):
        pairs.update((one, other) for one, other in fields(record["pairs"]))
    return frozenset(pairs | {(other, one) for one, other in pairs})


@cache
def opposed() -> frozenset[str]:
    """Return all words that have an opposite."""
    return frozenset(one for one, _ in antonyms())


_OPPOSED = wanted(opposed)


def _bare(clause: Clause) -> tuple[str, ...]:
    return clause.words[1:] if clause.words[0] in JOINING else clause.words


def _contrasts(clause: Clause, other: Clause) -> bool:
    """Whether clauses of one length have opposites in one place, and are built alike elsewhere."""
    if abs(len(clause.words) - len(other.words)) > 1:
        return False
    first, second = _bare(clause), _bare(other)
    if len(first) != len(second) or len(first) < SHORTEST_PARALLEL:
        return False
    contrary = same = 0
    pairs = antonyms()
    for pair in zip(first, second, strict=True):
        if pair in pairs:
            contrary += 1
        elif pair[0] == pair[1]:
            same += 1
        elif (pair[0] in STOP) != (pair[1] in STOP):
            return False
    return contrary > 0 and same > 0


def antithesis(text: Text) -> bool:
    """Two parallel clauses, at most one other between them, have opposites in the same place."""
    places = [at for at, clause in enumerate(text.clauses) if clause.bits & _OPPOSED]
    return any(
        _contrasts(text.clauses[one], text.clauses[other])
        for at, one in enumerate(places)
        for other in places[at + 1 : at + 1 + _FARTHEST]
        if other - one <= _FARTHEST
    )


@cache
def denied() -> frozenset[str]:
    """Return the adjectives that are denied in praise."""
    return frozenset(
        bad for record in records("opposites", "denied") for bad, _ in fields(record["pairs"])
    )


def litotes(clause: Clause) -> bool:
    """A negative adjective is denied."""
    words = clause.words
    for at, word in enumerate(words):
        if word not in DENIALS:
            continue
        end = at + 1
        while end < min(len(words), at + 1 + MOST_BETWEEN) and words[end] in _BETWEEN:
            end += 1
        if end < len(words) and words[end] in denied():
            return True
    return False


@cache
def clashes() -> dict[str, frozenset[str]]:
    """Return, for each noun, the adjectives that contradict it."""
    found: dict[str, set[str]] = {}
    for record in records("opposites", "clash"):
        for noun in record["noun"].split():
            found.setdefault(noun, set()).update(record["odd"].split())
    for record in records("opposites", "phrase"):
        for adjective, noun in fields(record["pairs"]):
            found.setdefault(noun, set()).add(adjective)
    return {noun: frozenset(adjectives) for noun, adjectives in found.items()}


def oxymoron(clause: Clause) -> bool:
    """An adjective stands before a noun that it contradicts."""
    known = clashes()
    return any(word in known and before in known[word] for before, word in pairwise(clause.words))
