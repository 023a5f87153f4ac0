"""Arguments from conditionals and choices: forms that hold, and two that look like them."""

from __future__ import annotations

from synthgen.verifiers.skillmix._check_logic_clauses import Argument
from synthgen.verifiers.skillmix._check_logic_formula import (
    Formula,
    alike,
    entails,
    negate,
    proves,
)


def modus_ponens(argument: Argument) -> bool:
    """If A then B; A; so B."""
    if not argument.conditionals:
        return False
    end = argument.conclusion.formula
    return any(
        one.parts[1] == end
        and one.parts[0] in argument.said
        and end not in argument.given
        and proves((one, one.parts[0]), end)
        for one in argument.conditionals
    )


def modus_tollens(argument: Argument) -> bool:
    """If A then B; not B; so not A."""
    if not argument.conditionals:
        return False
    end = argument.conclusion.formula
    start = negate(end)
    return any(
        one.parts[0] == start
        and negate(one.parts[1]) in argument.said
        and end not in argument.given
        and proves((one, negate(one.parts[1])), end)
        for one in argument.conditionals
    )


def hypothetical_syllogism(argument: Argument) -> bool:
    """If A then B; if B then C; so if A then C."""
    if argument.conclusion.op != "if":
        return False
    end = argument.conclusion.formula
    rules = argument.conditionals
    return any(
        first.parts[0] == end.parts[0]
        and second.parts == (first.parts[1], end.parts[1])
        and end not in argument.given
        and proves((first, second), end)
        for first in rules
        for second in rules
    )


def disjunctive_syllogism(argument: Argument) -> bool:
    """Either A or B; not A; so B."""
    choices = [one.formula for one in argument.premises if one.op == "or"]
    if not choices:
        return False
    end = argument.conclusion.formula
    for choice in choices:
        if end not in choice.parts or alike(*choice.parts):
            continue
        denied = negate(choice.parts[choice.parts[0] == end])
        if denied in argument.said and proves((choice, denied), end):
            return end not in argument.given
    return False


_PAIR = ("and", "or")


def de_morgan(argument: Argument) -> bool:
    """Not both A and B; so not A or not B: a denied pair, and the pair of denials."""
    op = argument.conclusion.op
    if op != "not" and op not in _PAIR:
        return False
    other = _PAIR if op == "not" else ("not",)
    pairs = [one.formula for one in argument.premises if one.op in other]
    end = argument.conclusion.formula
    return any(
        (_is_denied_pair(one, end) or _is_denied_pair(end, one))
        and end not in argument.given
        and entails((one,), end)
        and entails((end,), one)
        for one in pairs
    )


def _is_denied_pair(pair: Formula, denials: Formula) -> bool:
    if pair.op != "not" or pair.parts[0].op not in _PAIR:
        return False
    other = "or" if pair.parts[0].op == "and" else "and"
    one, two = pair.parts[0].parts
    return denials.op == other and set(denials.parts) == {negate(one), negate(two)} and one != two


def affirming_the_consequent(argument: Argument) -> bool:
    """If A then B; B; so A, which does not follow."""
    if not argument.conditionals:
        return False
    end = argument.conclusion.formula
    return any(
        one.parts[0] == end
        and one.parts[1] in argument.said
        and end not in argument.given
        and not entails((one, one.parts[1]), end)
        for one in argument.conditionals
    )


def denying_the_antecedent(argument: Argument) -> bool:
    """If A then B; not A; so not B, which does not follow."""
    if not argument.conditionals:
        return False
    end = argument.conclusion.formula
    start = negate(end)
    return any(
        one.parts[1] == start
        and negate(one.parts[0]) in argument.said
        and end not in argument.given
        and not entails((one, negate(one.parts[0])), end)
        for one in argument.conditionals
    )
