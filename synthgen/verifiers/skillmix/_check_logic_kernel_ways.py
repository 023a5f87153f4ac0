"""Compiled fallacies of slopes and of choices, which a whole text shows."""

from __future__ import annotations

from synthgen.core.lent import lent
from synthgen.verifiers.skillmix._check_logic_informal import SHORTEST_SLOPE
from synthgen.verifiers.skillmix._check_logic_kernel_formula import (
    Formulas,
    negate,
    stems_of,
)
from synthgen.verifiers.skillmix._check_logic_kernel_known import END, IF, IS, OR, PRONOUN, Known
from synthgen.verifiers.skillmix._check_logic_kernel_share import begins
from synthgen.verifiers.skillmix._check_logic_kernel_told import FORMULA, Told, words_of
from synthgen.verifiers.skillmix._text_table import Ints


@lent
def slippery_slope(told: Told, formulas: Formulas, known: Known) -> bool:
    """A leads to B, B to C, C to something terrible."""
    nodes, n = formulas.nodes, told.sizes[0]
    steps = 0
    for at in range(n):
        steps += nodes[told.rows[at, FORMULA], 0] == IF
    if steps < SHORTEST_SLOPE:
        return False
    for at in range(n):
        one = told.rows[at, FORMULA]
        if nodes[one, 0] != IF or not _is_terrible(nodes[one, 3], formulas, known):
            continue
        third, end = nodes[one, 2], nodes[one, 3]
        if third != end and _leads(told, third, end, formulas):
            return True
    return False


@lent
def _is_terrible(one: int, formulas: Formulas, known: Known) -> bool:
    if formulas.nodes[one, 0] != IS:
        return False
    for stem in stems_of(one, formulas):
        if known.stems[stem, END]:
            return True
    return False


@lent
def _leads(told: Told, third: int, end: int, formulas: Formulas) -> bool:
    """Say whether two more steps lead to this one."""
    nodes, n = formulas.nodes, told.sizes[0]
    for at in range(n):
        one = told.rows[at, FORMULA]
        if nodes[one, 0] != IF or nodes[one, 3] != third:
            continue
        second = nodes[one, 2]
        if second == third or second == end:
            continue
        for before in range(n):
            other = told.rows[before, FORMULA]
            if nodes[other, 0] != IF or nodes[other, 3] != second:
                continue
            if nodes[other, 2] not in (second, third, end):
                return True
    return False


@lent
def false_dilemma(told: Told, formulas: Formulas, known: Known) -> bool:
    """Only two ways are left open, though it is known that there is more between them."""
    nodes, n = formulas.nodes, told.sizes[0]
    for at in range(n):
        one = told.rows[at, FORMULA]
        if nodes[one, 0] != OR or not _open_between(nodes[one, 2], nodes[one, 3], formulas, known):
            continue
        for near in range(max(0, at - 1), min(n, at + 2)):
            if _closes(words_of(told, near), known):
                return True
        first, second = nodes[one, 2], nodes[one, 3]
        if _both_told(told, at + 1, negate(formulas, first), second) or _both_told(
            told, at + 1, negate(formulas, second), first
        ):
            return True
    return False


@lent
def _open_between(one: int, other: int, formulas: Formulas, known: Known) -> bool:
    """Say whether statements differ in one word, whose opposites have something in between."""
    nodes = formulas.nodes
    if nodes[one, 0] != IS or nodes[other, 0] != IS or nodes[one, 1] != nodes[other, 1]:
        return False
    first, second = stems_of(one, formulas), stems_of(other, formulas)
    if len(first) != len(second):
        return False
    found = 0
    for at in range(len(first)):
        if (
            first[at] == second[at]
            or known.stems[first[at], PRONOUN]
            or known.stems[second[at], PRONOUN]
        ):
            continue
        found += 1
        if found > 1 or not _are_opposed(first[at], second[at], known.opposed):
            return False
    return found == 1


@lent
def _are_opposed(one: int, other: int, pairs: Ints) -> bool:
    for at in range(len(pairs)):
        if pairs[at, 0] == one and pairs[at, 1] == other:
            return True
    return False


@lent
def _closes(words: Ints, known: Known) -> bool:
    for at in range(len(words)):
        for row in range(len(known.closings)):
            n = known.closings[row, 0]
            if begins(words[at:], known.closings[row, 1 : 1 + n], known):
                return True
    return False


@lent
def _both_told(told: Told, first: int, one: int, other: int) -> bool:
    """Say whether both formulas are among the next three."""
    has_one = has_other = False
    for at in range(first, min(told.sizes[0], first + 3)):
        has_one |= told.rows[at, FORMULA] == one
        has_other |= told.rows[at, FORMULA] == other
    return has_one and has_other
