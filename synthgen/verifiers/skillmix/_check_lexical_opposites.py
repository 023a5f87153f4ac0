"""Figures of opposites: in parallel clauses, side by side, and denied."""

from __future__ import annotations

from functools import cache

from synthgen.core.skill_figures import fields, records
from synthgen.verifiers.skillmix._text import STOP, Clause, Text

SHORTEST_PARALLEL = 3
_JOINING = frozenset(("and", "but", "or", "while", "yet", "whereas"))
_NOT = frozenset("not isn't aren't wasn't weren't".split())
_BETWEEN = frozenset(
    "a an the at all very so too exactly entirely wholly altogether precisely quite".split()
)
"""Words that can stand between "not" and what is denied."""
MOST_BETWEEN = 3


@cache
def _antonyms() -> frozenset[tuple[str, str]]:
    """Return all pairs in both orders."""
    pairs = {(record["one"], record["other"]) for record in records("opposites", "contrast")}
    for record in records("opposites", "pair"):
        pairs.update((one, other) for one, other in fields(record["pairs"]))
    return frozenset(pairs | {(other, one) for one, other in pairs})


@cache
def _opposed() -> frozenset[str]:
    return frozenset(one for one, _ in _antonyms())


def _bare(clause: Clause) -> tuple[str, ...]:
    return clause.words[1:] if clause.words[0] in _JOINING else clause.words


def _contrasts(clause: Clause, other: Clause) -> bool:
    """Whether clauses of one length have opposites in one place, and are built alike elsewhere."""
    if abs(len(clause.words) - len(other.words)) > 1:
        return False
    first, second = _bare(clause), _bare(other)
    if len(first) != len(second) or len(first) < SHORTEST_PARALLEL:
        return False
    opposed = same = 0
    antonyms = _antonyms()
    for pair in zip(first, second, strict=True):
        if pair in antonyms:
            opposed += 1
        elif pair[0] == pair[1]:
            same += 1
        elif (pair[0] in STOP) != (pair[1] in STOP):
            return False
    return opposed > 0 and same > 0


def antithesis(text: Text) -> bool:
    """Two parallel clauses, at most one other between them, have opposites in the same place."""
    opposed = _opposed()
    if opposed.isdisjoint(text.words):
        return False
    clauses = text.clauses
    return any(
        not opposed.isdisjoint(clause.words)
        and any(_contrasts(clause, other) for other in clauses[at + 1 : at + 3])
        for at, clause in enumerate(clauses)
    )


@cache
def _denied() -> frozenset[str]:
    return frozenset(
        bad for record in records("opposites", "denied") for bad, _ in fields(record["pairs"])
    )


def _denies(words: tuple[str, ...]) -> bool:
    for at, word in enumerate(words):
        if word not in _NOT:
            continue
        end = at + 1
        while end < min(len(words), at + 1 + MOST_BETWEEN) and words[end] in _BETWEEN:
            end += 1
        if end < len(words) and words[end] in _denied():
            return True
    return False


def litotes(text: Text) -> bool:
    """A negative adjective is denied."""
    if _denied().isdisjoint(text.words):
        return False
    return any(_denies(clause.words) for clause in text.clauses)


@cache
def _clashes() -> dict[str, frozenset[str]]:
    """Return, for each noun, the adjectives that contradict it."""
    found: dict[str, set[str]] = {}
    for record in records("opposites", "clash"):
        for noun in record["noun"].split():
            found.setdefault(noun, set()).update(record["odd"].split())
    for record in records("opposites", "phrase"):
        for adjective, noun in fields(record["pairs"]):
            found.setdefault(noun, set()).add(adjective)
    return {noun: frozenset(adjectives) for noun, adjectives in found.items()}


def oxymoron(text: Text) -> bool:
    """An adjective stands before a noun that it contradicts."""
    clashes = _clashes()
    if clashes.keys().isdisjoint(text.words):
        return False
    return any(
        word in clashes and at > 0 and clause.words[at - 1] in clashes[word]
        for clause in text.clauses
        for at, word in enumerate(clause.words)
    )
