"""Fallacies of content: what they say is tested against a knowledge base."""

from __future__ import annotations

from functools import cache

from synthgen.core.skill_logic import logic_knowledge
from synthgen.verifiers.skillmix._check_logic_clauses import Argument, Statement, statements
from synthgen.verifiers.skillmix._check_logic_formula import Formula, negate
from synthgen.verifiers.skillmix._check_logic_words import stem
from synthgen.verifiers.skillmix._text import Text

SHORTEST_SLOPE = 3
CLOSINGS = (
    ("no", "third"),
    ("nothing", "between"),
    ("nothing", "in", "between"),
    ("no", "middle"),
    ("no", "other"),
    ("only", "two"),
    ("only", "choices"),
    ("only", "options"),
    ("must", "choose"),
    ("has", "to", "be", "one"),
)
PRONOUNS = frozenset(("it", "they", "he", "she"))
EACH = frozenset(("each", "every", "all", "any"))
WITHIN = frozenset(("in", "of", "from", "on", "within"))
AS_ONE = frozenset(("whole", "entire", "itself", "as", "themselve", "single"))


@cache
def opposed() -> frozenset[tuple[str, str]]:
    """Return all pairs with something in between, as stems and in both orders."""
    known = logic_knowledge()
    pairs = (*known.opposites, *known.persons.opposites, *known.things.opposites)
    stems = {(_noun(one), _noun(other)) for one, other in pairs}
    return frozenset(stems | {(other, one) for one, other in stems})


def _noun(told: str) -> str:
    return stem(told.split()[-1])


@cache
def opposites() -> frozenset[str]:
    """Return the stems that have an opposite with something in between."""
    return frozenset(one for one, _ in opposed())


@cache
def ends() -> frozenset[str]:
    """Return the stems of bad ends."""
    return frozenset(map(stem, logic_knowledge().ends))


@cache
def same() -> dict[str, frozenset[int]]:
    """Return the groups of one meaning that each stem is in."""
    known = logic_knowledge()
    found: dict[str, set[int]] = {}
    for at, group in enumerate((*known.persons.same, *known.things.same)):
        for word in group:
            found.setdefault(stem(word), set()).add(at)
    return {word: frozenset(groups) for word, groups in found.items()}


@cache
def wholes() -> frozenset[str]:
    known = logic_knowledge()
    return frozenset(map(stem, (*known.persons.wholes, *known.things.wholes)))


@cache
def parts() -> frozenset[str]:
    return frozenset(map(stem, logic_knowledge().parts))


@cache
def small() -> frozenset[str]:
    """Return what may be true of every part and not of the whole."""
    known = logic_knowledge()
    return frozenset((*known.persons.small, *known.things.small))


@cache
def large() -> frozenset[str]:
    """Return what may be true of the whole and not of any part."""
    known = logic_knowledge()
    return frozenset((*known.persons.large, *known.things.large))


def slippery_slope(text: Text) -> bool:
    """A leads to B, B to C, C to something terrible."""
    steps = [one.formula.parts for one in statements(text) if one.op == "if"]
    if len(steps) < SHORTEST_SLOPE:
        return False
    causes: dict[Formula, set[Formula]] = {}
    for start, end in steps:
        causes.setdefault(end, set()).add(start)
    return any(
        causes.get(second, set()) - {second, third, end}
        for third, end in steps
        if third != end and not ends().isdisjoint(end.body.split())
        for second in causes.get(third, set()) - {third, end}
    )


def false_dilemma(text: Text) -> bool:
    """Only two ways are left open, though it is known that there is more between them."""
    said = statements(text)
    for at, one in enumerate(said):
        if one.op == "or" and _open_between(*one.formula.parts):
            near = said[max(0, at - 1) : at + 2]
            if any(_closes(other.words) for other in near) or _goes_on(said[at + 1 : at + 4], one):
                return True
    return False


def _open_between(one: Formula, other: Formula) -> bool:
    """Whether two statements differ in one word, whose opposites have something in between."""
    if one.op != "is" or other.op != "is" or one.positive != other.positive:
        return False
    first, second = one.body.split(), other.body.split()
    if len(first) != len(second):
        return False
    different = [pair for pair in zip(first, second, strict=True) if pair[0] != pair[1]]
    pronoun = [pair for pair in different if PRONOUNS.isdisjoint(pair)]
    return len(pronoun) == 1 and pronoun[0] in opposed()


def _closes(words: tuple[str, ...]) -> bool:
    for phrase in CLOSINGS:
        if phrase[0] in words and any(
            words[at : at + len(phrase)] == phrase for at in range(len(words))
        ):
            return True
    return False


def _goes_on(following: tuple[Statement, ...], choice: Statement) -> bool:
    """Whether one of the two is denied and the other concluded."""
    formulas = {one.formula for one in following}
    first, second = choice.formula.parts
    return {negate(first), second} <= formulas or {negate(second), first} <= formulas


def begging_the_question(argument: Argument) -> bool:
    """The conclusion is a premise in other words."""
    if argument.conclusion.op != "is":
        return False
    end = argument.conclusion.formula
    told = end.body.split()
    return end not in argument.given and any(
        one.op == "is"
        and one.formula.positive == end.positive
        and _reworded(one.formula.body.split(), told)
        for one in argument.premises
    )


def _reworded(one: list[str], other: list[str]) -> bool:
    """Whether two statements differ in words of one meaning alone.

    A pronoun as the subject stands for the subject of the other.
    """
    if "be" in one and "be" in other and one[0] != other[0]:
        first, second = one.index("be"), other.index("be")
        if not (one[:first] != other[:second] and _stands_for(one[:first], other[:second])):
            return False
        one, other = one[first:], other[second:]
    if len(one) != len(other):
        return False
    different = [pair for pair in zip(one, other, strict=True) if pair[0] != pair[1]]
    return len(different) > 0 and all(
        not same().get(first, frozenset()).isdisjoint(same().get(second, frozenset()))
        for first, second in different
    )


def _stands_for(one: list[str], other: list[str]) -> bool:
    return any(len(side) == 1 and side[0] in PRONOUNS for side in (one, other))


def _of_parts(formula: Formula) -> tuple[str, str] | None:
    """Read "each brick in the wall is light" as (wall, light)."""
    words = formula.body.split()
    if formula.op != "is" or not formula.positive or "be" not in words or words[0] not in EACH:
        return None
    be = words.index("be")
    subject = words[1:be]
    at = next((i for i, word in enumerate(subject) if word in WITHIN and i > 0), 0)
    whole = subject[at + 1 :]
    if not at or len(whole) != 1 or be + 2 != len(words):
        return None
    if whole[0] in wholes() or subject[at - 1] in parts():
        return whole[0], words[be + 1]
    return None


def _of_whole(formula: Formula) -> tuple[str, str] | None:
    """Read "the whole wall is light" as (wall, light)."""
    subject, copula, told = formula.body.partition(" be ")
    if formula.op != "is" or not formula.positive or not copula:
        return None
    words = [word for word in subject.split() if word not in AS_ONE]
    return (words[0], told) if len(words) == 1 and told else None


def composition_fallacy(argument: Argument) -> bool:
    """What is true of each part is said of the whole, though it need not carry over."""
    end = _of_whole(argument.conclusion.formula)
    return (
        end is not None
        and end[1] in small()
        and any(_of_parts(one.formula) == end for one in argument.premises)
    )


def fallacy_of_division(argument: Argument) -> bool:
    """What is true of the whole is said of each part, though it need not carry over."""
    end = _of_parts(argument.conclusion.formula)
    return (
        end is not None
        and end[1] in large()
        and any(_of_whole(one.formula) == end for one in argument.premises)
    )
