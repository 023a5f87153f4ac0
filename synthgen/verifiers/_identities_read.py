"""Reading terms: infix text to shared nodes, in which equal terms have equal numbers.

A node is a symbol with its operands' numbers, and every different node is kept once. The reader
has explicit stacks and takes the one spelling that a term has: single spaces around + - * /, none
elsewhere, parentheses exactly where the tree needs them.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent

Bytes = NDArray[np.uint8]
Table = NDArray[np.int64]
Space: TypeAlias = tuple[Table, Table, Table, Table, Table]
"""Nodes (SYMBOL, LEFT, RIGHT), hash slots (generation, node), counters (COUNT, GENERATION), and the
stacks of values (node, rank, wrapped) and of open operators."""
SYMBOL, LEFT, RIGHT = range(3)
COUNT, GENERATION = range(2)
NONE = -1
MOST_NODES = 8_192
_N_SLOTS = 4 * MOST_NODES
_MOST_DIGITS = 6
NUMBER = 1 << 40
"""Symbol of the number 0; letters, functions and operators are their bytes in base 256."""
META_FIRST, META_LAST = ord("a"), ord("d")
_VARIABLE_FIRST, _VARIABLE_LAST = ord("m"), ord("z")
_FUNCTION_NAMES = ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "log", "sqrt", "abs")
_FUNCTIONS = np.array([int.from_bytes(name.encode(), "big") for name in _FUNCTION_NAMES], np.int64)
_LONGEST_WORD = 4
_PLUS, _MINUS, _TIMES, _OVER, _POWER = (ord(sign) for sign in "+-*/^")
_OPEN, _CLOSE, _SPACE = (ord(sign) for sign in "() ")
_ATOM = 9
_FIRST_WORD = 256


def new_space() -> Space:
    """Return empty tables for `fresh` and the readers."""
    return (
        np.empty((MOST_NODES, 3), np.int64),
        np.zeros((_N_SLOTS, 2), np.int64),
        np.zeros(2, np.int64),
        np.empty((MOST_NODES, 3), np.int64),
        np.empty(MOST_NODES, np.int64),
    )


@lent
def fresh(space: Space) -> None:
    """Forget all nodes."""
    counters = space[2]
    counters[COUNT] = 0
    counters[GENERATION] += 1


@lent
def node_of(space: Space, symbol: Int, left: Int, right: Int) -> Int:
    """Return the number of a node, NONE if there is no room for it; NONE for absent operands."""
    nodes, slots, counters = space[0], space[1], space[2]
    slot = (symbol * 31 + left * 8_191 + right * 131_071) % _N_SLOTS
    while slots[slot, 0] == counters[GENERATION]:
        node = slots[slot, 1]
        same_symbol = nodes[node, SYMBOL] == symbol
        if same_symbol and nodes[node, LEFT] == left and nodes[node, RIGHT] == right:
            return np.int64(node)
        slot = (slot + 1) % _N_SLOTS
    node = counters[COUNT]
    if node >= MOST_NODES:
        return NONE
    counters[COUNT] += 1
    nodes[node, SYMBOL] = symbol
    nodes[node, LEFT] = left
    nodes[node, RIGHT] = right
    slots[slot, 0] = counters[GENERATION]
    slots[slot, 1] = node
    return np.int64(node)


@lent
def is_meta(symbol: Int) -> bool:
    """Say whether a symbol is a meta-variable."""
    return bool(META_FIRST <= symbol <= META_LAST)


@lent
def read_term(text: Bytes, start: Int, end: Int, of_rule: Int, space: Space) -> Int:
    """Return the node of the term that is text[start:end], or NONE.

    Args:
        text: bytes.
        start: where the term begins.
        end: where it ends.
        of_rule: 1 if its letters are meta-variables, 0 if they are variables.
        space: where nodes are kept.
    """
    values, opened = space[3], space[4]
    n_values: Int = np.int64(0)
    n_opened: Int = np.int64(0)
    at: Int = np.int64(start)
    wants_operand = True
    while at < end:
        if n_values + 2 >= MOST_NODES or n_opened + 2 >= MOST_NODES:
            return NONE
        sign = np.int64(text[at])
        if wants_operand:
            if sign == _OPEN:
                opened[n_opened] = _OPEN
                n_opened += 1
                at += 1
                continue
            symbol, at = _read_word(text, at, end, of_rule)
            if symbol == NONE:
                return NONE
            if _FIRST_WORD <= symbol < NUMBER:
                opened[n_opened] = symbol
                n_opened += 1
                continue
            if not _push(space, n_values, node_of(space, symbol, NONE, NONE), _ATOM):
                return NONE
            n_values += 1
            wants_operand = False
            continue
        if sign == _CLOSE:
            n_values, n_opened = _reduce(space, n_values, n_opened, 1)
            if n_opened <= 0 or not _close(values, n_values, opened[n_opened - 1], space):
                return NONE
            n_opened -= 1
            at += 1
            continue
        operator, at = _read_operator(text, at, end)
        if operator == NONE:
            return NONE
        n_values, n_opened = _reduce(space, n_values, n_opened, _rank(operator))
        if n_values < 0:
            return NONE
        opened[n_opened] = operator
        n_opened += 1
        wants_operand = True
    if wants_operand:
        return NONE
    n_values, n_opened = _reduce(space, n_values, n_opened, 1)
    if n_values != 1 or n_opened != 0 or values[0, 2] == 1:
        return NONE
    return np.int64(values[0, 0])


@lent
def _push(space: Space, place: Int, node: Int, rank: Int) -> bool:
    """Put an unwrapped value on the stack; false if there is no node."""
    values = space[3]
    values[place, 0] = node
    values[place, 1] = rank
    values[place, 2] = 0
    return bool(node != NONE)


@lent
def _close(values: Table, n_values: Int, opener: Int, space: Space) -> bool:
    """Close a parenthesis: of a function, or one that groups an operation that is not grouped."""
    top = n_values - 1
    if top < 0 or values[top, 2] == 1:
        return False
    if opener == _OPEN:
        values[top, 2] = 1
        return bool(values[top, 1] != _ATOM)
    return _push(space, top, node_of(space, opener, values[top, 0], NONE), _ATOM)


@lent
def _reduce(space: Space, n_values: Int, n_opened: Int, lowest: Int) -> tuple[Int, Int]:
    """Join values by the operators of rank >= lowest on top; NONE, NONE if they do not fit."""
    values, opened = space[3], space[4]
    while n_opened > 0 and _rank(opened[n_opened - 1]) >= lowest:
        operator = opened[n_opened - 1]
        n_opened -= 1
        rank = _rank(operator)
        left, right = n_values - 2, n_values - 1
        if left < 0:
            return NONE, NONE
        if values[left, 2] != _needs_wrap(values[left, 1], rank, 0):
            return NONE, NONE
        if values[right, 2] != _needs_wrap(values[right, 1], rank, 1):
            return NONE, NONE
        n_values -= 1
        if not _push(
            space, left, node_of(space, operator, values[left, 0], values[right, 0]), rank
        ):
            return NONE, NONE
    return n_values, n_opened


@lent
def _needs_wrap(inner: Int, outer: Int, is_right: Int) -> Int:
    """Return 1 if an operand of this rank must stand in parentheses, else 0."""
    if inner == outer:
        return 1 if is_right == 1 or outer == 3 else 0
    return 1 if inner < outer else 0


@lent
def _rank(symbol: Int) -> Int:
    """Return how tight an operator binds, 0 if it is none."""
    if symbol == _PLUS or symbol == _MINUS:
        return 1
    if symbol == _TIMES or symbol == _OVER:
        return 2
    return 3 if symbol == _POWER else 0


@lent
def _read_operator(text: Bytes, at: Int, end: Int) -> tuple[Int, Int]:
    """Return the operator at this place, with its spaces, and where it ends; NONE if none is."""
    if text[at] == _POWER:
        return _POWER, at + 1
    if at + 2 >= end or text[at] != _SPACE or text[at + 2] != _SPACE:
        return NONE, at
    rank = _rank(np.int64(text[at + 1]))
    return (np.int64(text[at + 1]), at + 3) if 0 < rank < 3 else (NONE, at)


@lent
def _read_word(text: Bytes, at: Int, end: Int, of_rule: Int) -> tuple[Int, Int]:
    """Return the number, letter or function (with its parenthesis) here and its end, or NONE."""
    start = at
    value: Int = np.int64(0)
    while at < end and 48 <= text[at] <= 57 and at - start <= _MOST_DIGITS:
        value = value * 10 + np.int64(text[at]) - 48
        at += 1
    if at > start:
        padded = text[start] == 48 and at > start + 1
        return (NONE, at) if padded or at - start > _MOST_DIGITS else (NUMBER + value, at)
    while at < end and 97 <= text[at] <= 122 and at - start <= _LONGEST_WORD:
        value = value * 256 + np.int64(text[at])
        at += 1
    if at == start + 1:
        fits = is_meta(value) if of_rule == 1 else _VARIABLE_FIRST <= value <= _VARIABLE_LAST
        return (value, at) if fits else (NONE, at)
    if at < end and text[at] == _OPEN:
        for function in _FUNCTIONS:
            if function == value:
                return value, at + 1
    return NONE, at
