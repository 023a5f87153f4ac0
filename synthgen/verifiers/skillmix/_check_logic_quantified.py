"""Arguments about all, some, most and a few."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from synthgen.verifiers.skillmix._check_logic_clauses import Argument, Statement
from synthgen.verifiers.skillmix._check_logic_sets import (
    ALL,
    MOST,
    NO,
    ONE,
    Quantified,
    follows,
    letter,
    quantified,
    terms,
)

MOST_INSTANCES = 3
_MEMBERSHIP = (" be one of ", " be among ", " belong to ", " be ")


class _Form(NamedTuple):
    """Two premises and a conclusion as form, subject and predicate; terms numbered 0, 1, 2."""

    premises: tuple[tuple[str, int, int], tuple[str, int, int]]
    end: tuple[str, int, int]


def _forms(argument: Argument) -> Iterator[_Form]:
    """Yield the pairs of premises that share three terms with the conclusion, each term twice."""
    if argument.conclusion.formula.op != "is":
        return
    end = quantified(argument.conclusion.words)
    if not letter(end):
        return
    first, last = end.body.partition(" ")[0], end.body.rpartition(" ")[2]
    said = [
        one for one in map(_quantified_of, argument.premises) if one is not None and letter(one)
    ]
    for pair in combinations(said, 2):
        if pair[0].share == ONE == pair[1].share or any(one.body == end.body for one in pair):
            continue
        bodies = [one.body for one in pair]
        if not any(first in body for body in bodies) or not any(last in body for body in bodies):
            continue
        form = _numbered((*pair, end))
        if form is not None:
            yield form


def _quantified_of(said: Statement) -> Quantified | None:
    return quantified(said.words) if said.formula.op == "is" else None


def _numbered(three: tuple[Quantified, Quantified, Quantified]) -> _Form | None:
    pairs = terms([one.body for one in three])
    uses = [name for pair in pairs for name in pair]
    numbers: dict[str, int] = {}
    for name in uses:
        numbers.setdefault(name, len(numbers))
    if len(numbers) != 3 or any(uses.count(name) != 2 for name in numbers):
        return None
    first, second, end = (
        (letter(one), numbers[subject], numbers[predicate])
        for one, (subject, predicate) in zip(three, pairs, strict=True)
    )
    return _Form((first, second), end)


def categorical_syllogism(argument: Argument) -> bool:
    """All M are P; all S are M; so all S are P, and the other forms that hold."""
    return any(
        follows(form.premises, form.end)
        and not follows(form.premises[:1], form.end)
        and not follows(form.premises[1:], form.end)
        for form in _forms(argument)
    )


def undistributed_middle(argument: Argument) -> bool:
    """All X are M; all Y are M; so all X are Y, which does not follow."""
    return any(
        form.premises[0][0] == form.premises[1][0] == form.end[0] == "A"
        and form.premises[0][2] == form.premises[1][2]
        and not follows(form.premises, form.end)
        for form in _forms(argument)
    )


def statistical_syllogism(argument: Argument) -> bool:
    """Most F are G; a is an F; so a is probably G."""
    end = quantified(argument.conclusion.words)
    if end.share != ONE:
        return False
    said = [one for one in map(_quantified_of, argument.premises) if one is not None]
    for rule in said:
        if rule.share != MOST or rule.positive != end.positive:
            continue
        for fact in said:
            if fact.share == ONE and fact.positive and _applies(rule.body, fact.body, end.body):
                return True
    return False


def _applies(rule: str, fact: str, end: str) -> bool:
    """Whether a rule about F, and that a is an F, give the rule's predicate to a."""
    for phrase in _MEMBERSHIP:
        individual, found, group = fact.partition(phrase)
        if found and rule.startswith(f"{group} ") and end == individual + rule[len(group) :]:
            return True
    return False


def hasty_generalisation(argument: Argument) -> bool:
    """One or two F are G, three at most; so all F are G."""
    end = quantified(argument.conclusion.words)
    if end.share not in (ALL, NO):
        return False
    positive = end.positive == (end.share == ALL)
    said = [one for one in map(_quantified_of, argument.premises) if one is not None]
    if any(one.share in (ALL, NO, MOST) and one.body == end.body for one in said):
        return False
    count = sum(
        one.members
        for one in said
        if one.share == ONE and one.positive == positive and one.body == end.body
    )
    return 0 < count <= MOST_INSTANCES
