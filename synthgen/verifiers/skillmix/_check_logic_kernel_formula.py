"""Compiled formulas: the same number for the same formula, and what follows by truth table."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.lent import lent
from synthgen.verifiers.skillmix._check_logic_formula import MOST_ATOMS
from synthgen.verifiers.skillmix._check_logic_kernel_known import AND, IF, IS, NOT, OR
from synthgen.verifiers.skillmix._text_table import Ints

NOTHING = -1
_FULL = np.uint64((1 << 64) - 1)
_COLUMNS = np.array(
    [sum(1 << row for row in range(64) if row >> atom & 1) for atom in range(6)], np.uint64
)
"""Of a truth table of six atoms, each as 64 bits."""
_N_BODIES, _N_NODES = 0, 1


class Formulas(NamedTuple):
    """Formulas of a text; no two are the same.

    Attributes:
        stems: of all bodies, one after another.
        bodies: where each of them ends in the stems.
        nodes: operation, sign, and two numbers: of the body of a literal, or of the parts.
        sizes: how many bodies and formulas there are.
        values: columns of the truth table, by formula.
        columns: of the atoms, by body, -1 for none.
        stack: of those of a program that are not joined yet.
    """

    stems: Ints
    bodies: Ints
    nodes: Ints
    sizes: Ints
    values: NDArray[np.uint64]
    columns: Ints
    stack: Ints


@njit(cache=True, nogil=True)
def no_formulas(n_stems: int, n_bodies: int, n_nodes: int) -> Formulas:
    """Return room for so many; every formula can be denied, which needs twice the room."""
    return Formulas(
        np.empty(n_stems, np.int64),
        np.empty(n_bodies, np.int64),
        np.empty((2 * n_nodes, 4), np.int64),
        np.zeros(2, np.int64),
        np.empty(2 * n_nodes, np.uint64),
        np.empty(n_bodies, np.int64),
        np.empty(n_nodes, np.int64),
    )


@lent
def first_stem(formulas: Formulas, body: int) -> int:
    """Return where a body begins."""
    start: int = formulas.bodies[body - 1] if body else 0
    return start


@njit(cache=True, nogil=True, inline="always")
def stems_of(one: int, formulas: Formulas) -> Ints:
    """Return the stems of a literal."""
    body = formulas.nodes[one, 2]
    return formulas.stems[first_stem(formulas, body) : formulas.bodies[body]]


@lent
def next_stem(formulas: Formulas) -> int:
    """Return where the next new body begins."""
    return first_stem(formulas, formulas.sizes[_N_BODIES])


@lent
def body_up_to(formulas: Formulas, stop: int) -> int:
    """Return the number of the body whose stems were written behind all others, up to `stop`."""
    start = next_stem(formulas)
    begin = 0
    for body in range(formulas.sizes[_N_BODIES]):
        end = formulas.bodies[body]
        if end - begin == stop - start:
            at = 0
            while begin + at < end and formulas.stems[begin + at] == formulas.stems[start + at]:
                at += 1
            if begin + at == end:
                return body
        begin = end
    new: int = formulas.sizes[_N_BODIES]
    formulas.bodies[new] = stop
    formulas.sizes[_N_BODIES] += 1
    return new


@lent
def node(formulas: Formulas, op: int, positive: int, one: int, other: int) -> int:
    """Return the number of a formula."""
    nodes = formulas.nodes
    for at in range(formulas.sizes[_N_NODES]):
        if (
            nodes[at, 2] == one
            and nodes[at, 3] == other
            and nodes[at, 0] == op
            and nodes[at, 1] == positive
        ):
            return at
    new: int = formulas.sizes[_N_NODES]
    nodes[new, 0], nodes[new, 1], nodes[new, 2], nodes[new, 3] = op, positive, one, other
    formulas.sizes[_N_NODES] += 1
    return new


@lent
def negate(formulas: Formulas, one: int) -> int:
    """Return the denial; a double denial is taken away."""
    op, first = formulas.nodes[one, 0], int(formulas.nodes[one, 2])
    if op == IS:
        return node(formulas, IS, 1 - formulas.nodes[one, 1], first, NOTHING)
    if op == NOT:
        return first
    return node(formulas, NOT, 1, one, NOTHING)


@lent
def alike(formulas: Formulas, one: int, other: int) -> bool:
    """Say whether two formulas are the same but for a sign."""
    return one == other or one == negate(formulas, other)


@lent
def entails(formulas: Formulas, one: int, other: int, conclusion: int) -> bool:
    """Say whether no row of the truth table has true premises and a false conclusion.

    With too many atoms, the answer is no. Parts of a formula have lower numbers than the whole.
    """
    nodes, values = formulas.nodes, formulas.values
    top = max(one, other, conclusion)
    values[: top + 1] = np.uint64(0)
    for given in (one, other, conclusion):
        values[given] = np.uint64(1)  # it matters
    formulas.columns[: formulas.sizes[_N_BODIES]] = NOTHING
    n_atoms = 0
    for at in range(top, -1, -1):
        if values[at] == np.uint64(0):
            continue
        if nodes[at, 0] != IS:
            values[nodes[at, 2]] = np.uint64(1)
            if nodes[at, 0] != NOT:
                values[nodes[at, 3]] = np.uint64(1)
        elif formulas.columns[nodes[at, 2]] == NOTHING:
            if n_atoms == MOST_ATOMS:
                return False
            formulas.columns[nodes[at, 2]] = n_atoms
            n_atoms += 1
    for at in range(top + 1):
        if values[at] != np.uint64(0):
            values[at] = _value(formulas, at)
    return bool(values[one] & values[other] & (_FULL ^ values[conclusion]) == np.uint64(0))


@lent
def _value(formulas: Formulas, at: int) -> np.uint64:
    """Return the column of a formula whose parts have theirs."""
    op, one, other = formulas.nodes[at, 0], formulas.nodes[at, 2], formulas.nodes[at, 3]
    if op == IS:
        value: np.uint64 = _COLUMNS[formulas.columns[one]]
        return value if formulas.nodes[at, 1] else _FULL ^ value
    value = formulas.values[one]
    if op == NOT:
        return _FULL ^ value
    if op == AND:
        value &= formulas.values[other]
    elif op == OR:
        value |= formulas.values[other]
    else:
        value = (_FULL ^ value) | formulas.values[other]
    return value


@lent
def proves(formulas: Formulas, one: int, other: int, conclusion: int) -> bool:
    """Say whether two premises entail the conclusion, and neither does alone."""
    return (
        entails(formulas, one, other, conclusion)
        and not entails(formulas, one, one, conclusion)
        and not entails(formulas, other, other, conclusion)
    )


@lent
def is_rule(formulas: Formulas, one: int) -> bool:
    """Say whether a formula is a conditional whose two sides are not the same but for a sign."""
    nodes = formulas.nodes
    return nodes[one, 0] == IF and not alike(formulas, nodes[one, 2], nodes[one, 3])


@lent
def filled(formulas: Formulas, program: Ints, words: Ints, stems: Ints) -> int:
    """Return the formula of a clause by the program of its shape.

    Args:
        formulas: of the text.
        program: a formula with its parts before each operation; of a literal, its sign, how many
            stems it has, and for each its code, or -1 less the place of a word in the clause.
        words: of the clause.
        stems: codes of the stems of all words.
    """
    stack, top, at = formulas.stack, 0, 0
    while at < len(program):
        op = program[at]
        at += 1
        if op == IS:
            positive, n = program[at], program[at + 1]
            stop = next_stem(formulas)
            for stem in program[at + 2 : at + 2 + n]:
                formulas.stems[stop] = stem if stem >= 0 else stems[words[-1 - stem]]
                stop += 1
            stack[top] = node(formulas, IS, positive, body_up_to(formulas, stop), NOTHING)
            top += 1
            at += 2 + n
        elif op == NOT:
            stack[top - 1] = node(formulas, NOT, 1, stack[top - 1], NOTHING)
        else:
            top -= 1
            stack[top - 1] = node(formulas, op, 1, stack[top - 1], stack[top])
    return int(stack[0])
