"""Rewriting shared nodes: how often a left side matches a term, and what becomes of it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.verifiers._identities_read import (
    COUNT,
    LEFT,
    META_FIRST,
    META_LAST,
    MOST_NODES,
    NONE,
    RIGHT,
    SYMBOL,
    Space,
    Table,
    is_meta,
    node_of,
)

N_METAS = META_LAST - META_FIRST + 1
Work = tuple[Table, Table, Table]
"""Matches below each node, values of the meta-variables, and a stack of pairs of nodes."""


def new_work() -> Work:
    """Return tables for `rewritten`."""
    stack = np.empty((2 * MOST_NODES, 2), np.int64)
    return np.empty(MOST_NODES, np.int64), np.empty(N_METAS, np.int64), stack


@lent
def rewritten(space: Space, work: Work, left: Int, right: Int, n_rule: Int, term: Int) -> Int:
    """Return the term with its only instance of the left side rewritten.

    The values of the meta-variables are then in `work`. NONE if there is another number of
    instances than one, or the right side has a meta-variable that the left side lacks. The first
    `n_rule` nodes are those of the rule.
    """
    nodes, counters = space[0], space[2]
    counts, bound, stack = work
    for each in range(counters[COUNT]):
        counts[each] = _match(nodes, left, each, bound, stack)
        for side in range(LEFT, RIGHT + 1):
            if nodes[each, side] != NONE:
                counts[each] += counts[nodes[each, side]]
    if counts[term] != 1:
        return NONE
    depth = 0
    node: Int = np.int64(term)
    while _match(nodes, left, node, bound, stack[depth:]) == 0:
        stack[depth, 0] = node
        below = nodes[node, LEFT]
        stack[depth, 1] = LEFT if counts[below] == 1 else RIGHT
        node = nodes[node, stack[depth, 1]]
        depth += 1
    node = _instance(space, right, n_rule, bound, counts)
    while depth > 0 and node != NONE:
        depth -= 1
        above = stack[depth, 0]
        if stack[depth, 1] == LEFT:
            node = node_of(space, nodes[above, SYMBOL], node, nodes[above, RIGHT])
        else:
            node = node_of(space, nodes[above, SYMBOL], nodes[above, LEFT], node)
    return node


@lent
def _match(nodes: Table, pattern: Int, node: Int, bound: NDArray[np.int64], stack: Table) -> Int:
    """Return 1 if the pattern matches the whole node, with its values in `bound`, else 0."""
    if nodes[pattern, SYMBOL] != nodes[node, SYMBOL] and not is_meta(nodes[pattern, SYMBOL]):
        return 0
    bound[:] = NONE
    stack[0, 0] = pattern
    stack[0, 1] = node
    top = 0
    while top >= 0:
        pattern, node = stack[top, 0], stack[top, 1]
        top -= 1
        symbol = nodes[pattern, SYMBOL]
        if is_meta(symbol):
            value = bound[symbol - META_FIRST]
            if value != NONE and value != node:
                return 0
            bound[symbol - META_FIRST] = node
            continue
        if symbol != nodes[node, SYMBOL]:
            return 0
        for side in range(RIGHT, LEFT - 1, -1):
            if nodes[pattern, side] != NONE:
                top += 1
                stack[top, 0] = nodes[pattern, side]
                stack[top, 1] = nodes[node, side]
    return 1


@lent
def _instance(
    space: Space, right: Int, n_rule: Int, bound: NDArray[np.int64], made: NDArray[np.int64]
) -> Int:
    """Return the right side with these values, or NONE; operands have lower numbers than nodes."""
    nodes = space[0]
    for node in range(n_rule):
        symbol = nodes[node, SYMBOL]
        if is_meta(symbol):
            made[node] = bound[symbol - META_FIRST]
            continue
        complete = True
        operands = (np.int64(NONE), np.int64(NONE))
        first, second = nodes[node, LEFT], nodes[node, RIGHT]
        if first != NONE:
            complete = made[first] != NONE
            operands = (made[first], np.int64(NONE))
        if second != NONE:
            complete = complete and made[second] != NONE
            operands = (operands[0], made[second])
        made[node] = NONE
        if complete:
            made[node] = node_of(space, symbol, operands[0], operands[1])
    return np.int64(made[right])
