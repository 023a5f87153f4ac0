"""Kernels that draw HINT expressions: listed ones by number, larger ones by rejection sampling."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.derivation import Codes
from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.randomness import draw_bits
from synthgen.generators._hint_expression import (
    FIRST_OPERATOR,
    UNDEFINED,
    apply_operator,
    leaf_value,
)

MOST_OPERATORS = 64
_ATTEMPTS = 256
"""Trees tried for one address before it is given up as invalid."""
_LOW_32 = np.uint64(0xFFFFFFFF)
_S32 = np.uint64(32)


@njit(cache=True, nogil=True)
def accepted_trees(
    trees: Codes, n_op: Int, require: Codes, bounds: tuple[int, int, int]
) -> NDArray[np.bool_]:
    """Say which rows of a rectangle of trees meet the bounds."""
    kept = np.empty(len(trees), np.bool_)
    stack = np.empty(trees.shape[1] + 1, np.int64)
    for i in range(len(trees)):
        kept[i] = _meets(trees[i], n_op, require, bounds, stack)
    return kept


@njit(cache=True, nogil=True)
def _meets(
    tree: Codes, n_op: Int, require: Codes, bounds: tuple[int, int, int], stack: NDArray[np.int64]
) -> bool:
    """Evaluate one tree and test the bounds, leaving at the first value above the window."""
    min_value, max_value, zero_result_operators = bounds
    top = -1
    value: Int = 0
    largest: Int = 0
    for node in range(len(tree) - 1, -1, -1):
        code = np.int64(tree[node])
        if code < FIRST_OPERATOR:
            value = leaf_value(code)
        else:
            value = apply_operator(code, stack[top], stack[top - 1])
            top -= 2
        if value == UNDEFINED or value > max_value:
            return False
        top += 1
        stack[top] = value
        largest = max(largest, value)
    if largest < min_value or (stack[0] == 0 and n_op > zero_result_operators):
        return False
    return _has_all(tree, require)


@njit(cache=True, nogil=True)
def draw_trees(
    keys: NDArray[np.uint64],
    cycles: NDArray[np.uint64],
    n_op: NDArray[np.int64],
    operators: Codes,
    digits: Codes,
    require: Codes,
    bounds: tuple[int, int, int],
    listed_0: Codes,
    listed_1: Codes,
    listed_2: Codes,
) -> tuple[Codes, NDArray[np.int64], NDArray[np.bool_]]:
    """Draw the tree of every row; an invalid row holds a single symbol."""
    n = len(keys)
    codes = np.empty(2 * n_op.sum() + n, np.uint16)
    offsets = np.zeros(n + 1, np.int64)
    valid = np.ones(n, np.bool_)
    pending = np.empty(MOST_OPERATORS + 2, np.int64)
    waiting = np.empty((MOST_OPERATORS + 2, 2), np.int64)
    at = 0
    for i in range(n):
        tree = codes[at : at + 2 * n_op[i] + 1]
        if n_op[i] == 0:
            valid[i] = _copy_listed(tree, listed_0, cycles[i])
        elif n_op[i] == 1:
            valid[i] = _copy_listed(tree, listed_1, cycles[i])
        elif n_op[i] == 2:
            valid[i] = _copy_listed(tree, listed_2, cycles[i])
        else:
            j: Int = 0
            accepted = False
            for _ in range(_ATTEMPTS):
                j, accepted = _draw_tree(
                    tree, keys[i], j, operators, digits, bounds, pending, waiting
                )
                accepted = accepted and _has_all(tree, require)
                if accepted:
                    break
            valid[i] = accepted
        if valid[i]:
            at += len(tree)
        else:
            codes[at] = digits[0]
            at += 1
        offsets[i + 1] = at
    return codes[:at], offsets, valid


@njit(cache=True, nogil=True)
def _copy_listed(tree: Codes, listed: Codes, cycle: np.uint64) -> bool:
    """Copy the listed expression of this cycle; false if there is none at all."""
    if len(listed) == 0:
        return False
    tree[:] = listed[np.int64(cycle % np.uint64(len(listed)))]
    return True


@njit(cache=True, nogil=True)
def _has_all(tree: Codes, require: Codes) -> bool:
    for symbol in require:
        if not np.any(tree == symbol):
            return False
    return True


@lent
def _draw_tree(
    tree: Codes,
    key: np.uint64,
    j: Int,
    operators: Codes,
    digits: Codes,
    bounds: tuple[int, int, int],
    pending: NDArray[np.int64],
    waiting: NDArray[np.int64],
) -> tuple[Int, bool]:
    """Draw one random tree, beginning with draw number j; return the next draw and if it will do.

    The tree is evaluated as it grows, and given up at its first undefined or too large value. An
    operator takes one draw, the high half for the symbol and the low half for the size of its
    left argument; two digits share one. `pending` is a stack of subtree sizes still to be drawn,
    `waiting` one of operators with the value of their left argument, or UNDEFINED.
    """
    min_value, max_value, zero_result_operators = bounds
    n_op = len(tree) // 2
    pending[0] = n_op
    top, open_operators = 0, -1
    half = False
    word = np.uint64(0)
    value: Int = np.int64(0)
    largest: Int = np.int64(0)
    for node in range(2 * n_op + 1):
        size = pending[top]
        top -= 1
        if size > 0:
            bits = draw_bits(key, j)
            j += 1
            operator = operators[np.int64(((bits >> _S32) * np.uint64(len(operators))) >> _S32)]
            tree[node] = operator
            left = np.int64(((bits & _LOW_32) * np.uint64(size)) >> _S32)
            pending[top + 1] = size - 1 - left
            pending[top + 2] = left
            top += 2
            open_operators += 1
            waiting[open_operators, 0] = operator
            waiting[open_operators, 1] = UNDEFINED
            continue
        if half:
            word >>= _S32
        else:
            word = draw_bits(key, j)
            j += 1
        half = not half
        digit = digits[np.int64(((word & _LOW_32) * np.uint64(len(digits))) >> _S32)]
        tree[node] = digit
        value = leaf_value(digit)
        largest = max(largest, value)
        while open_operators >= 0 and waiting[open_operators, 1] != UNDEFINED:
            value = apply_operator(waiting[open_operators, 0], waiting[open_operators, 1], value)
            if value == UNDEFINED or value > max_value:
                return j, False
            largest = max(largest, value)
            open_operators -= 1
        if open_operators >= 0:
            waiting[open_operators, 1] = value
    fits = bool(min_value <= largest <= max_value)
    return j, fits and bool(value > 0 or n_op <= zero_result_operators)
