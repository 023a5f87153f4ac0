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


def _said(argument: Argument, wanted: Formula) -> bool:
    return any(one.formula == wanted for one in argument.premises)


def modus_ponens(argument: Argument) -> bool:
    """If A then B; A; so B."""
    end = argument.conclusion.formula
    return end not in argument.given and any(
        one.parts[1] == end and _said(argument, one.parts[0]) and proves((one, one.parts[0]), end)
        for one in argument.conditionals
    )


def modus_tollens(argument: Argument) -> bool:
    """If A then B; not B; so not A."""
    end = argument.conclusion.formula
    start = negate(end)
    return end not in argument.given and any(
        one.parts[0] == start
        and _said(argument, negate(one.parts[1]))
        and proves((one, negate(one.parts[1])), end)
        for one in argument.conditionals
    )


def hypothetical_syllogism(argument: Argument) -> bool:
    """If A then B; if B then C; so if A then C."""
    end = argument.conclusion.formula
    if end.op != "if" or end in argument.given:
        return False
    rules = argument.conditionals
    return any(
        first.parts[0] == end.parts[0]
        and second.parts == (first.parts[1], end.parts[1])
        and proves((first, second), end)
        for first in rules
        for second in rules
    )


def disjunctive_syllogism(argument: Argument) -> bool:
    """Either A or B; not A; so B."""
    end = argument.conclusion.formula
    if end in argument.given:
        return False
    for one in argument.premises:
        choice = one.formula
        if choice.op != "or" or end not in choice.parts or alike(*choice.parts):
            continue
        denied = negate(choice.parts[choice.parts[0] == end])
        if _said(argument, denied) and proves((choice, denied), end):
            return True
    return False


def de_morgan(argument: Argument) -> bool:
    """Not both A and B; so not A or not B: a denied pair, and the pair of denials."""
    end = argument.conclusion.formula
    if end in argument.given:
        return False
    return any(
        (_is_denied_pair(one.formula, end) or _is_denied_pair(end, one.formula))
        and entails((one.formula,), end)
        and entails((end,), one.formula)
        for one in argument.premises
    )


def _is_denied_pair(pair: Formula, denials: Formula) -> bool:
    if pair.op != "not" or pair.parts[0].op not in ("and", "or"):
        return False
    other = "or" if pair.parts[0].op == "and" else "and"
    one, two = pair.parts[0].parts
    return denials.op == other and set(denials.parts) == {negate(one), negate(two)} and one != two


def affirming_the_consequent(argument: Argument) -> bool:
    """If A then B; B; so A, which does not follow."""
    end = argument.conclusion.formula
    return end not in argument.given and any(
        one.parts[0] == end
        and _said(argument, one.parts[1])
        and not entails((one, one.parts[1]), end)
        for one in argument.conditionals
    )


def denying_the_antecedent(argument: Argument) -> bool:
    """If A then B; not A; so not B, which does not follow."""
    end = argument.conclusion.formula
    return end not in argument.given and any(
        one.parts[1] == negate(end)
        and _said(argument, negate(one.parts[0]))
        and not entails((one, negate(one.parts[0])), end)
        for one in argument.conditionals
    )
