"""Kernels of the published HINT procedure: one pool of trees, by rejection from one stream."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.generators._hint_expression import FIRST_OPERATOR, apply_operator, leaf_value
from synthgen.generators._mersenne import State, below

Trees = NDArray[np.uint8]

_REJECTED = -1
_HASH_STEP, _HASH_FOLD = np.uint64(0x9E3779B97F4A7C15), np.uint64(29)


class Language(NamedTuple):
    """Codes that trees are made of, uint8, and the code that each must hold (-1 for none)."""

    digits: Trees
    operators: Trees
    required: int


@njit(cache=True, nogil=True)
def sample(
    state: State, language: Language, n_op: int, k: int, low: int, high: int, cap: int
) -> tuple[Trees, int]:
    """Draw random trees until k are kept; return them uint8 (k, width), and how many were drawn.

    A tree takes all its draws before it is judged, so a rejected one moves the stream as well.
    """
    trees = np.empty((k, 2 * n_op + 1), np.uint8)
    slots = np.int64(2)
    while slots < 2 * k:
        slots *= 2
    table = np.full(slots, -1, np.int32)
    same_result = np.zeros(high + 1, np.int64)
    stack = np.empty(n_op + 2, np.int64)
    kept = 0
    drawn = 0
    while kept < k:
        drawn += 1
        _draw_tree(state, language.digits, language.operators, trees[kept], stack)
        result = _root_value(trees[kept], low, high, stack)
        if result <= 0 or same_result[result] >= cap:
            continue
        if not _holds(trees[kept], language.required) or not _insert(table, trees, kept):
            continue
        same_result[result] += 1
        kept += 1
    return trees, drawn


@lent
def _draw_tree(
    state: State, digits: Trees, operators: Trees, tree: Trees, sizes: NDArray[np.int64]
) -> None:
    """Fill `tree` in prefix order; `sizes` is a stack of the operator counts still to be placed."""
    top = 0
    sizes[0] = len(tree) // 2
    for position in range(len(tree)):
        size = sizes[top]
        if size == 0:
            tree[position] = digits[below(state, len(digits))]
            top -= 1
            continue
        tree[position] = operators[below(state, len(operators))]
        left = below(state, size)
        sizes[top] = size - 1 - left
        sizes[top + 1] = left
        top += 1


@njit(cache=True, nogil=True)
def accepted(trees: Trees, required: int, low: int, high: int) -> NDArray[np.bool_]:
    """Mark the defined trees in the window that hold the required symbol, bool (n,)."""
    accepted = np.zeros(len(trees), np.bool_)
    stack = np.empty(trees.shape[1], np.int64)
    for i in range(len(trees)):
        defined = _root_value(trees[i], low, high, stack) != _REJECTED
        accepted[i] = defined and _holds(trees[i], required)
    return accepted


@lent
def _root_value(tree: Trees, low: int, high: int, stack: NDArray[np.int64]) -> int:
    """Value of a tree; `_REJECTED` if undefined or if its largest node is not in low..high.

    It stops at the first node above `high`, so no value can overflow.
    """
    top = -1
    largest: Int = 0
    for position in range(len(tree) - 1, -1, -1):
        code = tree[position]
        if code < FIRST_OPERATOR:
            value = leaf_value(code)
        else:
            value = apply_operator(code, stack[top], stack[top - 1])
            top -= 2
        if value < 0 or value > high:
            return _REJECTED
        largest = max(largest, value)
        top += 1
        stack[top] = value
    return stack[0] if largest >= low else _REJECTED


@lent
def _holds(tree: Trees, required: int) -> bool:
    """Say whether a tree holds the required code; nothing is required where it is negative."""
    if required < 0:
        return True
    for code in tree:
        if code == required:
            return True
    return False


@njit(cache=True, nogil=True)
def _insert(table: NDArray[np.int32], trees: Trees, row: int) -> bool:
    """Enter trees[row] in an open-addressing set of rows; say whether it is new."""
    digest = np.uint64(0)
    for code in trees[row]:
        digest = (digest ^ np.uint64(code)) * _HASH_STEP
        digest ^= digest >> _HASH_FOLD
    mask = len(table) - 1
    slot = np.int64(digest & np.uint64(mask))
    while table[slot] >= 0:
        if np.array_equal(trees[table[slot]], trees[row]):
            return False
        slot = (slot + 1) & mask
    table[slot] = row
    return True
