"""Arguments about all, some, most and a few."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from synthgen.verifiers.skillmix._check_logic_clauses import Argument
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
_REMEMBERED = 64
"""Arguments that are remembered: checkers look at one text in turn, or at a few."""
_MEMBERSHIP = (" be one of ", " be among ", " belong to ", " be ")


class _Form(NamedTuple):
    """Two premises and a conclusion as form, subject and predicate; terms numbered 0, 1, 2."""

    premises: tuple[tuple[str, int, int], tuple[str, int, int]]
    end: tuple[str, int, int]


@lru_cache(maxsize=_REMEMBERED)
def _forms(argument: Argument) -> list[_Form]:
    """Return the pairs of premises that share three terms with the conclusion, each term twice.

    Arguments are remembered by identity: two rules look at the forms of each.
    """
    end = argument.conclusion.quantified
    if end is None or not letter(end):
        return []
    first, last = end.body.partition(" ")[0], end.body.rpartition(" ")[2]
    said = [
        (one, first in one.body, last in one.body)
        for one in argument.shares
        if letter(one) and one.body != end.body
    ]
    found = []
    for (one, starts, ends), (other, begins, stops) in combinations(said, 2):
        if (starts or begins) and (ends or stops) and not one.share == ONE == other.share:
            form = _numbered((one, other, end))
            if form is not None:
                found.append(form)
    return found


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
    said = argument.shares
    rules = [one for one in said if one.share == MOST]
    if not rules:
        return False
    end = quantified(argument.conclusion.words)
    if end.share != ONE:
        return False
    for rule in rules:
        if rule.positive != end.positive:
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
    said = argument.shares
    if any(one.share in (ALL, NO, MOST) and one.body == end.body for one in said):
        return False
    count = sum(
        one.members
        for one in said
        if one.share == ONE and one.positive == positive and one.body == end.body
    )
    return 0 < count <= MOST_INSTANCES
