"""Arguments of a text: its statements, which of them are conclusions, and from what."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

from synthgen.verifiers.skillmix._check_logic_formula import Formula, both, is_rule
from synthgen.verifiers.skillmix._check_logic_shapes import pieces
from synthgen.verifiers.skillmix._check_logic_words import (
    CONCLUSION,
    MARKED,
    REASON,
    REASON_AFTER,
)
from synthgen.verifiers.skillmix._text import Checker, Sentence, Text, in_text
from synthgen.verifiers.skillmix._wanted import Wanted

REACH = 4
"""Statements before a conclusion, and behind it, that may be its premises."""
_TEXTS, _REMEMBERED = 64, 1024
"""Texts, sentences and arguments that are remembered: checkers look at one text in turn."""


@dataclass(eq=False, slots=True)
class Statement:
    """A statement of the text, which is the same one in all texts that have its sentence.

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


@dataclass(eq=False, slots=True)
class Argument:
    """A conclusion and what may be its premises.

    Attributes:
        conclusion: the statement.
        premises: up to `REACH` statements before it, and behind it the reasons that follow.
        given: formulas of the premises that are no conclusions themselves.
        conditionals: the premises among them with "if", whose two sides are different statements.
        follows: for each rule that was asked whether it holds for this argument.
    """

    conclusion: Statement
    premises: tuple[Statement, ...]
    given: frozenset[Formula]
    conditionals: tuple[Formula, ...]
    follows: dict[Callable[[Argument], bool], bool] = field(default_factory=dict)


@lru_cache(maxsize=_REMEMBERED)
def _of_sentence(sentence: Sentence) -> list[Statement]:
    """Join "if" clauses to what follows from them, and marks of roles to their statements.

    Sentences are remembered by identity, as the view of a text makes one for many texts.
    """
    found: list[Statement] = []
    role, pending, words = "", None, tuple[str, ...]()
    joined = False
    for clause in sentence.clauses:
        for lead, antecedent, rest, told in pieces(clause.words):
            role = role or lead
            if antecedent is not None:
                pending, words = antecedent, told
            if rest is not None:
                said = rest if pending is None else both("if", pending, rest)
                own = told if pending is None else words + told
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
            found[target].role = CONCLUSION
    return found


@lru_cache(maxsize=_TEXTS)
def statements(text: Text) -> tuple[Statement, ...]:
    """Return all statements; questions state nothing."""
    return tuple(
        [
            one
            for sentence in text.sentences
            if not sentence.question
            for one in _of_sentence(sentence)
        ]
    )


@lru_cache(maxsize=_TEXTS)
def arguments(text: Text) -> tuple[Argument, ...]:
    """Return all arguments."""
    all_said = statements(text)
    found = []
    for at, one in enumerate(all_said):
        if one.role != CONCLUSION:
            continue
        premises = all_said[max(0, at - REACH) : at]
        following = all_said[at + 1 : at + 1 + REACH]
        if following and following[0].role in (REASON, REASON_AFTER):
            premises += tuple([said for said in following if said.role != CONCLUSION])
        found.append(_argument(one, premises))
    return tuple(found)


@lru_cache(maxsize=_REMEMBERED)
def _argument(conclusion: Statement, premises: tuple[Statement, ...]) -> Argument:
    """Return an argument, with what was found out of it in other texts that have it."""
    return Argument(
        conclusion,
        premises,
        frozenset([said.formula for said in premises if said.role != CONCLUSION]),
        tuple([one.formula for one in premises if is_rule(one.formula)]),
    )


def concludes(rule: Callable[[Argument], bool], *needs: Wanted) -> Checker:
    """Return the checker of texts in which any argument follows a rule."""

    def shows(text: Text) -> bool:
        for argument in arguments(text):
            follows = argument.follows
            if rule not in follows:
                follows[rule] = rule(argument)
            if follows[rule]:
                return True
        return False

    return in_text(shows, MARKED, *needs)
