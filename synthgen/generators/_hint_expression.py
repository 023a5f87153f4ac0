"""Expressions of HINT (Li et al. 2023): symbols, operators and the axes of derivations.

An expression is a binary tree over single symbols, as codes in prefix order. All numbers are
natural: `-` stops at zero and `/` rounds up.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.derivation import Codes, Signature

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
_POSITION = 7
_LEVEL = 8


@njit(cache=True, nogil=True)
def apply_operator(operator: int, left: int, right: int) -> int:
    """Return the value of one operator, or UNDEFINED.

    Args:
        operator: symbol code; + - * / as in arithmetic, a max, b min, c rounded-up mean, d
            rounded-up harmonic mean.
        left, right: values from 0 to VALUE_LIMIT.
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
def leaf_value(code: int) -> int:
    """Return the value of a constant."""
    return _VALUES[code]


@njit(cache=True, nogil=True, inline="always")
def precedence(code: int) -> int:
    """Return 3 for a constant, 2 for * / c d, 1 for + - a b."""
    if code < FIRST_OPERATOR:
        return 3
    if code == _TIMES or code == _DIVIDE or code >= _MEAN:
        return 2
    return 1


@njit(cache=True, nogil=True, inline="always")
def wraps(child: int, parent: int, on_right: bool, full: bool) -> bool:
    """Say whether a compound argument is written in parentheses."""
    if child == 3:
        return False
    return full or child < parent or (on_right and child == parent)


@njit(cache=True, nogil=True)
def measure(codes: Codes, offsets: NDArray[np.int64], full: bool) -> NDArray[np.int64]:
    """Compute the axes of every expression, int64 (n, 7) in the order of AXIS_NAMES.

    Args:
        codes, offsets: ragged prefix codes of defined expressions.
        full: whether every compound argument is parenthesised, or only those that need it.
    """
    n = len(offsets) - 1
    axes = np.empty((n, 7), np.int64)
    longest = 1
    for i in range(n):
        longest = max(longest, offsets[i + 1] - offsets[i])
    stack = np.empty((longest, 9), np.int64)
    for i in range(n):
        top = -1
        for position in range(offsets[i + 1] - 1, offsets[i] - 1, -1):
            code = np.int64(codes[position])
            if code < FIRST_OPERATOR:
                top += 1
                _measure_leaf(stack[top], leaf_value(code))
            else:
                top -= 1
                _measure_operator(stack[top + 1], stack[top], code, full)
        axes[i] = stack[0, :7]
    return axes


@njit(cache=True, nogil=True)
def _measure_leaf(record: NDArray[np.int64], value: int) -> None:
    """Fill the record of a constant: one token at position 0, no parentheses."""
    record[_RESULT] = value
    record[_MAX_VALUE] = value
    record[_LENGTH] = 1
    record[_DEPTH] = 1
    record[_N_PAREN] = 0
    record[_PAREN_DEPTH] = 0
    record[_MAX_DEPENDENCY] = 0
    record[_POSITION] = 0
    record[_LEVEL] = 3


@njit(cache=True, nogil=True)
def _measure_operator(
    left: NDArray[np.int64], right: NDArray[np.int64], code: int, full: bool
) -> None:
    """Join the records of both arguments into `right`, whose place on the stack the result takes.

    `position` is the token index of a tree's root inside its own text. Both parentheses of a group
    depend on the root of the group they enclose, as the data set defines heads.
    """
    level = precedence(code)
    wrap_left = np.int64(wraps(left[_LEVEL], level, False, full))
    wrap_right = np.int64(wraps(right[_LEVEL], level, True, full))
    operator_at = left[_LENGTH] + 2 * wrap_left
    left_root = wrap_left + left[_POSITION]
    right_root = operator_at + 1 + wrap_right + right[_POSITION]
    length = operator_at + 1 + right[_LENGTH] + 2 * wrap_right
    reach = max(operator_at - left_root, right_root - operator_at)
    if wrap_left:
        reach = max(reach, left_root, operator_at - 1 - left_root)
    if wrap_right:
        reach = max(reach, right_root - operator_at - 1, length - 1 - right_root)
    value = apply_operator(code, left[_RESULT], right[_RESULT])
    right[_RESULT] = value
    right[_MAX_VALUE] = max(value, left[_MAX_VALUE], right[_MAX_VALUE])
    right[_LENGTH] = length
    right[_DEPTH] = 1 + max(left[_DEPTH], right[_DEPTH])
    right[_N_PAREN] += left[_N_PAREN] + wrap_left + wrap_right
    right[_PAREN_DEPTH] = max(left[_PAREN_DEPTH] + wrap_left, right[_PAREN_DEPTH] + wrap_right)
    right[_MAX_DEPENDENCY] = max(reach, left[_MAX_DEPENDENCY], right[_MAX_DEPENDENCY])
    right[_POSITION] = operator_at
    right[_LEVEL] = level
