"""Expressions of HINT (Li et al. 2023): symbols, operators and the axes of derivations.

An expression is a binary tree over single symbols, as codes in prefix order. All numbers are
natural: `-` stops at zero and `/` rounds up.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.derivation import Codes, Signature
from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.offsets import longest_row

CONSTANTS = "0123456789xy"
OPERATORS = "+-*/abcd"
SYMBOLS = CONSTANTS + OPERATORS
SIGNATURE = Signature(tuple(SYMBOLS), (0,) * len(CONSTANTS) + (2,) * len(OPERATORS))
FIRST_OPERATOR = len(CONSTANTS)
UNDEFINED = -1
VALUE_LIMIT = 10**9
"""Largest value of any node: a product of two still fits 64 bits."""

_PLUS, _MINUS, _TIMES, _DIVIDE, _MAX, _MIN, _MEAN, _HARMONIC = range(FIRST_OPERATOR, len(SYMBOLS))
_VALUES = np.array([*range(10), 11, 12], dtype=np.int64)
CHARS = np.frombuffer(SYMBOLS.encode(), np.uint8)

AXIS_NAMES = (
    "result",
    "max_value",
    "length",
    "depth",
    "n_paren",
    "paren_depth",
    "max_dependency",
)
_RESULT, _MAX_VALUE, _LENGTH, _DEPTH, _N_PAREN, _PAREN_DEPTH, _MAX_DEPENDENCY = range(7)
_POSITION, _LEVEL = 7, 8
"""Beside the axes: token index of a tree's root in its own text, and the rank of that root."""


@lent
def apply_operator(operator: Int, left: Int, right: Int) -> Int:
    """Return the value of one operator, or UNDEFINED.

    Args:
        operator: symbol code; + - * / as in arithmetic, a max, b min, c rounded-up mean, d
            rounded-up harmonic mean.
        left: value from 0 to VALUE_LIMIT.
        right: the same.
    """
    if operator == _PLUS:
        return left + right
    if operator == _MINUS:
        return max(0, left - right)
    if operator == _TIMES:
        return left * right
    if operator == _DIVIDE:
        return UNDEFINED if right == 0 else (left + right - 1) // right
    if operator == _MAX:
        return max(left, right)
    if operator == _MIN:
        return min(left, right)
    total = left + right
    if operator == _MEAN:
        return (total + 1) // 2
    return UNDEFINED if total == 0 else (2 * left * right + total - 1) // total


@njit(cache=True, nogil=True, inline="always")
def leaf_value(code: Int) -> Int:
    """Return the value of a constant."""
    value: Int = _VALUES[code]
    return value


@njit(cache=True, nogil=True, inline="always")
def precedence(code: Int) -> Int:
    """Return 3 for a constant, 2 for * / c d, 1 for + - a b."""
    if code < FIRST_OPERATOR:
        return 3
    if code == _TIMES or code == _DIVIDE or code >= _MEAN:
        return 2
    return 1


@njit(cache=True, nogil=True, inline="always")
def wraps(child: Int, parent: Int, on_right: bool, full: bool) -> bool:
    """Say whether a compound argument is written in parentheses."""
    if child == 3:
        return False
    return full or bool(child < parent) or (on_right and bool(child == parent))


@njit(cache=True, nogil=True)
def measure(codes: Codes, offsets: NDArray[np.int64], full: bool) -> NDArray[np.int32]:
    """Compute the axes of every expression, int32 (7, n) in the order of AXIS_NAMES.

    Args:
        codes: prefix codes of defined expressions, end to end.
        offsets: where each expression begins, and the end, (n + 1,).
        full: whether every compound argument is parenthesised, or only those that need it.
    """
    n = len(offsets) - 1
    axes = np.empty((7, n), np.int32)
    longest = longest_row(offsets)
    stack = np.empty((longest, 9), np.int32)
    for i in range(n):
        top = -1
        for position in range(offsets[i + 1] - 1, offsets[i] - 1, -1):
            code = np.int64(codes[position])
            if code < FIRST_OPERATOR:
                top += 1
                _measure_leaf(stack, top, leaf_value(code))
            else:
                top -= 1
                _measure_operator(stack, top, code, full)
        for axis in range(7):
            axes[axis, i] = stack[0, axis]
    return axes


@njit(cache=True, nogil=True, inline="always")
def _measure_leaf(stack: NDArray[np.int32], top: Int, value: Int) -> None:
    """Fill the record of a constant: one token at position 0, no parentheses."""
    stack[top, _RESULT] = value
    stack[top, _MAX_VALUE] = value
    stack[top, _LENGTH] = 1
    stack[top, _DEPTH] = 1
    stack[top, _N_PAREN] = 0
    stack[top, _PAREN_DEPTH] = 0
    stack[top, _MAX_DEPENDENCY] = 0
    stack[top, _POSITION] = 0
    stack[top, _LEVEL] = 3


@lent
def _measure_operator(stack: NDArray[np.int32], top: Int, code: Int, full: bool) -> None:
    """Join the records of the left (top + 1) and right (top) argument into one at top.

    Both parentheses of a group depend on the root of the group they enclose, as the data set
    defines heads.
    """
    left, right = top + 1, top
    level = precedence(code)
    wrap_left = np.int64(wraps(stack[left, _LEVEL], level, False, full))
    wrap_right = np.int64(wraps(stack[right, _LEVEL], level, True, full))
    operator_at = stack[left, _LENGTH] + 2 * wrap_left
    left_root = wrap_left + stack[left, _POSITION]
    right_root = operator_at + 1 + wrap_right + stack[right, _POSITION]
    length = operator_at + 1 + stack[right, _LENGTH] + 2 * wrap_right
    reach = max(operator_at - left_root, right_root - operator_at)
    if wrap_left:
        reach = max(reach, left_root, operator_at - 1 - left_root)
    if wrap_right:
        reach = max(reach, right_root - operator_at - 1, length - 1 - right_root)
    reach = max(reach, stack[left, _MAX_DEPENDENCY], stack[right, _MAX_DEPENDENCY])
    deepest = max(stack[left, _PAREN_DEPTH] + wrap_left, stack[right, _PAREN_DEPTH] + wrap_right)
    value = apply_operator(code, np.int64(stack[left, _RESULT]), np.int64(stack[right, _RESULT]))
    stack[top, _RESULT] = value
    stack[top, _MAX_VALUE] = max(value, stack[left, _MAX_VALUE], stack[right, _MAX_VALUE])
    stack[top, _LENGTH] = length
    stack[top, _DEPTH] = 1 + max(stack[left, _DEPTH], stack[right, _DEPTH])
    stack[top, _N_PAREN] += stack[left, _N_PAREN] + wrap_left + wrap_right
    stack[top, _PAREN_DEPTH] = deepest
    stack[top, _MAX_DEPENDENCY] = reach
    stack[top, _POSITION] = operator_at
    stack[top, _LEVEL] = level
