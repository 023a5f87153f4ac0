"""Arguments of a text: its statements, which of them are conclusions, and from what."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

from synthgen.verifiers.skillmix._check_logic_formula import Formula, both, is_rule
from synthgen.verifiers.skillmix._check_logic_sets import Quantified, quantified
from synthgen.verifiers.skillmix._check_logic_shapes import Unfilled, filled, shapes
from synthgen.verifiers.skillmix._check_logic_words import (
    CONCLUSION,
    MARKED,
    REASON,
    REASON_AFTER,
)
from synthgen.verifiers.skillmix._checker import Checker, in_text
from synthgen.verifiers.skillmix._text import Sentence, Text
from synthgen.verifiers.skillmix._wanted import Wanted

REACH = 4
"""Statements before a conclusion, and behind it, that may be its premises."""
_TEXTS, _REMEMBERED = 32, 128
"""Texts, sentences and arguments that are remembered: checkers look at one text in turn."""


_Told: TypeAlias = tuple[Unfilled, tuple[str, ...]]
"""A formula to be filled in, and the words of the clause that fill it."""


class Statement:
    """A statement of the text, which is the same one in all texts that have its sentence.

    What it says is read when a rule first looks at it: of most statements, it matters only what
    they are made of.

    Attributes:
        role: `CONCLUSION`, `REASON`, `REASON_AFTER` or nothing.
        op: of the formula.
        words: without what stands before the statement; of a conditional, those of its parts.
        joined: whether a comma or nothing parts it from the statement before.
        formula: what it says.
        quantified: the same as a statement about a share, None of a compound.
    """

    __slots__ = ("_antecedent", "_rest", "formula", "joined", "op", "quantified", "role", "words")
    formula: Formula
    quantified: Quantified | None

    def __init__(
        self,
        role: str,
        antecedent: _Told | None,
        rest: _Told,
        words: tuple[str, ...],
        *,
        joined: bool,
    ) -> None:
        self.role = role
        self.op = "if" if antecedent else rest[0].op
        self.words = words
        self.joined = joined
        self._antecedent = antecedent
        self._rest = rest

    def __getattr__(self, name: str) -> object:
        """Find out what was not asked for before; Python calls this for slots that are empty."""
        if name == "formula":
            said = filled(*self._rest)
            before = self._antecedent
            self.formula = said if before is None else both("if", filled(*before), said)
            return self.formula
        if name == "quantified":
            self.quantified = quantified(self.words) if self.op == "is" else None
            return self.quantified
        raise AttributeError(name)


class Argument:
    """A conclusion and what may be its premises.

    Attributes:
        conclusion: the statement.
        premises: up to `REACH` statements before it, and behind it the reasons that follow.
        follows: for each rule that was asked whether it holds for this argument.
        given: formulas of the premises that are no conclusions themselves.
        said: formulas of all premises.
        conditionals: the premises with "if", whose two sides are different statements.
        shares: the premises about a share.
    """

    __slots__ = ("conclusion", "conditionals", "follows", "given", "premises", "said", "shares")
    given: frozenset[Formula]
    said: frozenset[Formula]
    conditionals: tuple[Formula, ...]
    shares: list[Quantified]

    def __init__(self, conclusion: Statement, premises: tuple[Statement, ...]) -> None:
        self.conclusion = conclusion
        self.premises = premises
        self.follows: dict[Callable[[Argument], bool], bool] = {}

    def __getattr__(self, name: str) -> object:
        """Find out what was not asked for before; Python calls this for slots that are empty."""
        told = self.premises
        if name == "conditionals":
            rules = [one.formula for one in told if one.op == "if"]
            self.conditionals = tuple([rule for rule in rules if is_rule(rule)])
            return self.conditionals
        if name == "shares":
            shares = [one.quantified for one in told if one.op == "is"]
            self.shares = [one for one in shares if one is not None]
            return self.shares
        if name == "given":
            self.given = frozenset([one.formula for one in told if one.role != CONCLUSION])
            return self.given
        if name == "said":
            self.said = frozenset([one.formula for one in told])
            return self.said
        raise AttributeError(name)


@lru_cache(maxsize=_REMEMBERED)
def _of_sentence(sentence: Sentence) -> list[Statement]:
    """Join "if" clauses to what follows from them, and marks of roles to their statements.

    Sentences are remembered by identity, as the view of a text makes one for many texts.
    """
    found: list[Statement] = []
    role, pending, words = "", None, tuple[str, ...]()
    joined = reasons = False
    for clause in sentence.clauses:
        whole = clause.words
        for lead, antecedent, rest, start, stop in shapes(whole):
            if lead:
                role = role or lead
                reasons |= lead != CONCLUSION
            told = whole if stop - start == len(whole) else whole[start:stop]
            if antecedent is not None:
                pending, words = (antecedent, whole), told
            if rest is not None:
                own = told if pending is None else words + told
                found.append(Statement(role, pending, (rest, whole), own, joined=joined))
                role, pending, joined = "", None, True
        if clause.mark != ",":
            pending, joined = None, False
    return _with_conclusions(found) if reasons else found


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
    return Argument(conclusion, premises)


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
