"""Compiled arguments from conditionals and choices; see `_check_logic_propositional`."""

from __future__ import annotations

from synthgen.core.lent import lent
from synthgen.verifiers.skillmix._check_logic_kernel_formula import (
    Formulas,
    alike,
    entails,
    is_rule,
    negate,
    proves,
)
from synthgen.verifiers.skillmix._check_logic_kernel_known import AND, CONCLUSION, IF, NOT, OR
from synthgen.verifiers.skillmix._check_logic_kernel_told import FORMULA, ROLE
from synthgen.verifiers.skillmix._text_table import Ints

(
    MODUS_PONENS,
    MODUS_TOLLENS,
    HYPOTHETICAL,
    DISJUNCTIVE,
    CATEGORICAL,
    DE_MORGAN,
    STATISTICAL,
    AFFIRMING,
    DENYING,
    UNDISTRIBUTED,
    FALSE_DILEMMA,
    SLIPPERY_SLOPE,
    BEGGING,
    HASTY,
    COMPOSITION,
    DIVISION,
) = (1 << at for at in range(16))
"""Bits of the rules, in the order of their checkers."""


@lent
def conditional_rules(rows: Ints, premises: Ints, end: int, formulas: Formulas) -> int:
    """Return the rules with a conditional that an argument follows, whose end is not given."""
    nodes, found = formulas.nodes, 0
    start = negate(formulas, end)
    for premise in premises:
        rule = rows[premise, FORMULA]
        if not is_rule(formulas, rule):
            continue
        first, second = nodes[rule, 2], nodes[rule, 3]
        if second == end and says(rows, premises, first) and proves(formulas, rule, first, end):
            found |= MODUS_PONENS
        if (
            first == end
            and says(rows, premises, second)
            and not entails(formulas, rule, second, end)
        ):
            found |= AFFIRMING
        if first == start:
            denied = negate(formulas, second)
            if says(rows, premises, denied) and proves(formulas, rule, denied, end):
                found |= MODUS_TOLLENS
        if second == start:
            denied = negate(formulas, first)
            if says(rows, premises, denied) and not entails(formulas, rule, denied, end):
                found |= DENYING
        if nodes[end, 0] == IF and first == nodes[end, 2]:
            found |= _chained(rows, premises, rule, end, formulas)
    return found


@lent
def _chained(rows: Ints, premises: Ints, rule: int, end: int, formulas: Formulas) -> int:
    """Look for the rule that leads from where this one ends to where the conclusion does."""
    nodes = formulas.nodes
    for premise in premises:
        other = rows[premise, FORMULA]
        if (
            is_rule(formulas, other)
            and nodes[other, 2] == nodes[rule, 3]
            and nodes[other, 3] == nodes[end, 3]
            and proves(formulas, rule, other, end)
        ):
            return HYPOTHETICAL
    return 0


@lent
def says(rows: Ints, premises: Ints, formula: int) -> bool:
    """Say whether a premise says this."""
    for premise in premises:
        if rows[premise, FORMULA] == formula:
            return True
    return False


@lent
def is_given(rows: Ints, premises: Ints, formula: int) -> bool:
    """Say whether a premise that is no conclusion itself says this."""
    for premise in premises:
        if rows[premise, FORMULA] == formula and rows[premise, ROLE] != CONCLUSION:
            return True
    return False


@lent
def disjunctive_syllogism(rows: Ints, premises: Ints, end: int, formulas: Formulas) -> bool:
    """Either A or B; not A; so B."""
    nodes = formulas.nodes
    for premise in premises:
        choice = rows[premise, FORMULA]
        if nodes[choice, 0] != OR:
            continue
        first, second = nodes[choice, 2], nodes[choice, 3]
        if end not in (first, second) or alike(formulas, first, second):
            continue
        denied = negate(formulas, second if first == end else first)
        if says(rows, premises, denied) and proves(formulas, choice, denied, end):
            return True
    return False


@lent
def de_morgan(rows: Ints, premises: Ints, end: int, formulas: Formulas) -> bool:
    """Not both A and B; so not A or not B: a denied pair, and the pair of denials."""
    op = formulas.nodes[end, 0]
    if op != NOT and op != AND and op != OR:
        return False
    for premise in premises:
        pair = rows[premise, FORMULA]
        if op == NOT:
            fits = _is_denied_pair(end, pair, formulas)
        else:
            fits = _is_denied_pair(pair, end, formulas)
        if fits and entails(formulas, pair, pair, end) and entails(formulas, end, end, pair):
            return True
    return False


@lent
def _is_denied_pair(pair: int, denials: int, formulas: Formulas) -> bool:
    nodes = formulas.nodes
    if nodes[pair, 0] != NOT:
        return False
    inner = nodes[pair, 2]
    op = nodes[inner, 0]
    if (op != AND or nodes[denials, 0] != OR) and (op != OR or nodes[denials, 0] != AND):
        return False
    if nodes[inner, 2] == nodes[inner, 3]:
        return False
    one, two = negate(formulas, nodes[inner, 2]), negate(formulas, nodes[inner, 3])
    first, second = nodes[denials, 2], nodes[denials, 3]
    return bool((first == one and second == two) or (first == two and second == one))
