"""Arguments of a text: its statements, which of them are conclusions, and from what."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from synthgen.verifiers.skillmix._check_logic_formula import Formula, both
from synthgen.verifiers.skillmix._check_logic_shapes import pieces
from synthgen.verifiers.skillmix._check_logic_words import (
    CONCLUSION,
    MARKED,
    REASON,
    REASON_AFTER,
)
from synthgen.verifiers.skillmix._text import Sentence, Text

REACH = 4
"""Statements before a conclusion, and behind it, that may be its premises."""
_TEXTS = 64
"""Texts whose arguments are remembered: the checkers look at one text one after the other."""


class Statement(NamedTuple):
    """A statement of the text.

    Attributes:
        role: `CONCLUSION`, `REASON`, `REASON_AFTER` or nothing.
        formula: what it says.
        words: without what stands before the statement; of a conditional, those of its parts.
        joined: whether a comma or nothing parts it from the statement before.
    """

    role: str
    formula: Formula
    words: tuple[str, ...]
    joined: bool


class Argument(NamedTuple):
    """A conclusion and what may be its premises.

    Attributes:
        conclusion: the statement.
        premises: up to `REACH` statements before it, and behind it the reasons that follow.
        given: formulas of the premises that are no conclusions themselves.
    """

    conclusion: Statement
    premises: tuple[Statement, ...]
    given: frozenset[Formula]


@lru_cache(maxsize=4096)
def _of_sentence(sentence: Sentence) -> list[Statement]:
    """Join "if" clauses to what follows from them, and marks of roles to their statements.

    Sentences are remembered by identity, as the view of a text makes one for many texts.
    """
    found: list[Statement] = []
    role, pending, words = "", None, tuple[str, ...]()
    joined = False
    for clause in sentence.clauses:
        for piece in pieces(clause.words):
            role = role or piece.role
            if piece.antecedent is not None:
                pending, words = piece.antecedent, piece.words
            if piece.rest is not None:
                said = piece.rest if pending is None else both("if", pending, piece.rest)
                own = piece.words if pending is None else words + piece.words
                found.append(Statement(role, said, own, joined))
                role, pending, joined = "", None, True
        if clause.mark != ",":
            pending, joined = None, False
    return _with_conclusions(found)


def _with_conclusions(found: list[Statement]) -> list[Statement]:
    """Mark the conclusions that are known by their reasons alone."""
    at = 0
    while at < len(found):
        role = found[at].role
        if role not in (REASON, REASON_AFTER):
            at += 1
            continue
        start = at
        at += 1
        while at < len(found) and found[at].joined and found[at].role in (REASON, REASON_AFTER):
            at += 1
        before = role == REASON_AFTER or found[start].joined
        target = start - 1 if before else at
        if 0 <= target < len(found) and not found[target].role:
            found[target] = found[target]._replace(role=CONCLUSION)
    return found


@lru_cache(maxsize=_TEXTS)
def statements(text: Text) -> tuple[Statement, ...]:
    """Return all statements; questions state nothing."""
    return tuple(
        one
        for sentence in text.sentences
        if not sentence.question
        for one in _of_sentence(sentence)
    )


@lru_cache(maxsize=_TEXTS)
def arguments(text: Text) -> tuple[Argument, ...]:
    """Return all arguments."""
    return tuple(_arguments(statements(text)))


def _arguments(all_said: tuple[Statement, ...]) -> list[Argument]:
    found = []
    for at, one in enumerate(all_said):
        if one.role != CONCLUSION:
            continue
        premises = all_said[max(0, at - REACH) : at]
        following = all_said[at + 1 : at + 1 + REACH]
        if following and following[0].role in (REASON, REASON_AFTER):
            premises += tuple(said for said in following if said.role != CONCLUSION)
        given = frozenset(said.formula for said in premises if said.role != CONCLUSION)
        found.append(Argument(one, premises, given))
    return found


def concludes(rule: Callable[[Argument], bool]) -> Callable[[Text], bool]:
    """Return the test whether any argument of a text follows a rule."""

    def shows(text: Text) -> bool:
        return not MARKED.isdisjoint(text.words) and any(map(rule, arguments(text)))

    return shows
