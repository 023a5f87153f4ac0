"""Expressions of HINT in compiled code: values, random trees, axes, infix text and worked steps.

An expression is a binary tree over single symbols, as codes in prefix order. All numbers are
natural: `-` stops at zero and `/` rounds up.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthgen.core.byte_spans import write_integer
from synthgen.core.columns import longest_row
from synthgen.core.kernels import Int, inline, jit, kernel
from synthgen.draws.randomness import draw_bits
from synthgen.trees.derivations import Codes, Signature

CONSTANTS = "0123456789xy"
OPERATORS = "+-*/abcd"
SYMBOLS = CONSTANTS + OPERATORS
SIGNATURE = Signature(tuple(SYMBOLS), (0,) * len(CONSTANTS) + (2,) * len(OPERATORS))
FIRST_OPERATOR = len(CONSTANTS)
MAX_OPERATORS = 64
LISTED_OPERATORS = 2
"""Up to this number of operators, expressions are listed, not sampled."""
VALUE_LIMIT = 10**9
"""Largest value of any node, so that a product of two still fits 64 bits."""
UNDEFINED = -1

AXES = ("result", "max_value", "length", "depth", "n_paren", "paren_depth", "max_dependency")
"""Rows of `measure`."""

Ints = NDArray[np.int64]
Text = tuple[NDArray[np.uint8], Ints]
"""Bytes of all rows, and their offsets (n + 1,)."""

_PLUS, _MINUS, _TIMES, _DIVIDE, _MAX, _MIN, _MEAN, _HARMONIC = range(FIRST_OPERATOR, len(SYMBOLS))
_VALUES = np.array([*range(10), 11, 12], np.int64)
_RANKS = np.array([3] * len(CONSTANTS) + [1, 1, 2, 2, 1, 1, 2, 2], np.int64)
"""Precedence of each symbol; a constant never needs parentheses."""
_CHARS = np.frombuffer(SYMBOLS.encode(), np.uint8)
_OPEN, _CLOSE, _EQUALS, _NEWLINE = (np.uint8(ord(char)) for char in "()=\n")
_ATTEMPTS = 256
"""Trees tried for one address before it is given up as invalid."""
_STEP_BYTES = 36
"""Most bytes of a step: three values of up to ten digits, the operator, `=` and the line end."""
_LOW_32, _S32 = np.uint64(0xFFFFFFFF), np.uint64(32)


class Choices(NamedTuple):
    """Symbols to draw from and conditions on accepted expressions.

    Attributes:
        operators, digits: Codes to draw from.
        require: Codes, each of which must occur.
        bounds: Smallest and largest value of `max_value`, and the number of operators up to which
            a result of 0 is accepted.
        listed: All accepted expressions of 0, 1 and 2 operators, codes (m, 2 n_op + 1).
    """

    operators: Codes
    digits: Codes
    require: Codes
    bounds: tuple[int, int, int]
    listed: tuple[Codes, Codes, Codes]


@kernel
def apply_operator(operator: Int, left: Int, right: Int) -> Int:
    """Return the value of one operator; UNDEFINED also for an undefined argument or a huge value.

    Args:
        operator: Symbol code; + - * / as in arithmetic, a max, b min, c rounded-up mean, d
            rounded-up harmonic mean.
        left: Either UNDEFINED or a value up to VALUE_LIMIT.
        right: Like `left`.
    """
    if left < 0 or right < 0:
        return UNDEFINED
    if operator == _PLUS:
        value = left + right
    elif operator == _MINUS:
        value = max(0, left - right)
    elif operator == _TIMES:
        value = left * right
    elif operator == _DIVIDE:
        value = (left + right - 1) // right if right > 0 else UNDEFINED
    elif operator == _MAX:
        value = max(left, right)
    elif operator == _MIN:
        value = min(left, right)
    elif operator == _MEAN:
        value = (left + right + 1) // 2
    else:
        total = left + right
        value = (2 * left * right + total - 1) // total if total > 0 else UNDEFINED
    return value if value <= VALUE_LIMIT else UNDEFINED


@inline
def _wraps(child: Int, parent: Int, on_right: Int, full: bool) -> bool:
    """Return whether an argument of this rank is written in parentheses."""
    return bool(child < 3 and (full or child < parent or (on_right and child == parent)))


@jit
def draw_trees(
    keys: NDArray[np.uint64], cycles: NDArray[np.uint64], n_op: Ints, choices: Choices
) -> tuple[Codes, Ints, NDArray[np.bool_]]:
    """Draw the tree of every row; an invalid row holds a single symbol.

    Args:
        keys: Row keys.
        cycles: Place of each row among those with its number of operators.
        n_op: Number of operators of each row.
        choices: Symbols and conditions.
    """
    n = len(keys)
    codes = np.empty(2 * n_op.sum() + n, np.uint16)
    offsets = np.zeros(n + 1, np.int64)
    valid = np.zeros(n, np.bool_)
    stack = np.empty((MAX_OPERATORS + 2, 3), np.int64)
    at = 0
    for i in range(n):
        tree = codes[at : at + 2 * n_op[i] + 1]
        if n_op[i] <= LISTED_OPERATORS:
            listed = choices.listed[n_op[i]]
            if len(listed) > 0:
                place = np.int64(cycles[i] % np.uint64(len(listed)))
                for node in range(len(tree)):
                    tree[node] = listed[place, node]
                valid[i] = True
        else:
            j: Int = 0
            for _ in range(_ATTEMPTS):
                j, accepted = _draw_tree(tree, keys[i], j, choices, stack)
                if accepted:
                    valid[i] = True
                    break
        if not valid[i]:
            tree = codes[at : at + 1]
            tree[0] = choices.digits[0]
        at += len(tree)
        offsets[i + 1] = at
    return codes[:at], offsets, valid


@kernel
def _draw_tree(
    tree: Codes, key: np.uint64, j: Int, choices: Choices, stack: Ints
) -> tuple[Int, bool]:
    """Draw a tree from draw number j on; return the next draw number and whether it is accepted.

    The tree is evaluated as it grows, and rejected at its first undefined or too large value. An
    operator takes one draw, the high half for the symbol and the low half for the size of its
    left argument; two digits share one. `stack` holds two stacks: subtree sizes still to be drawn
    (column 0), and open operators with the value of their left argument or UNDEFINED (1 and 2).
    """
    operators, digits = choices.operators, choices.digits
    min_value, max_value, zero_result_operators = choices.bounds
    n_op = len(tree) // 2
    stack[0, 0] = n_op
    top, open_operators = 0, -1
    half = False
    word = np.uint64(0)
    value: Int = np.int64(0)
    largest: Int = np.int64(0)
    for node in range(2 * n_op + 1):
        size = stack[top, 0]
        top -= 1
        if size > 0:
            bits = draw_bits(key, j)
            j += 1
            operator = operators[np.int64(((bits >> _S32) * np.uint64(len(operators))) >> _S32)]
            tree[node] = operator
            left = np.int64(((bits & _LOW_32) * np.uint64(size)) >> _S32)
            stack[top + 1, 0] = size - 1 - left
            stack[top + 2, 0] = left
            top += 2
            open_operators += 1
            stack[open_operators, 1] = operator
            stack[open_operators, 2] = UNDEFINED
            continue
        if half:
            word >>= _S32
        else:
            word = draw_bits(key, j)
            j += 1
        half = not half
        digit = digits[np.int64(((word & _LOW_32) * np.uint64(len(digits))) >> _S32)]
        tree[node] = digit
        value = _VALUES[digit]
        largest = max(largest, value)
        while open_operators >= 0 and stack[open_operators, 2] != UNDEFINED:
            value = apply_operator(stack[open_operators, 1], stack[open_operators, 2], value)
            if value == UNDEFINED or value > max_value:
                return j, False
            largest = max(largest, value)
            open_operators -= 1
        if open_operators >= 0:
            stack[open_operators, 2] = value
    fits = min_value <= largest <= max_value and (value > 0 or n_op <= zero_result_operators)
    return j, bool(fits) and _has_all(tree, choices.require)


@kernel
def _has_all(tree: Codes, require: Codes) -> bool:
    for symbol in require:
        node = 0
        while node < len(tree) and tree[node] != symbol:
            node += 1
        if node == len(tree):
            return False
    return True


_RESULT, _MAX_VALUE, _LENGTH, _DEPTH, _N_PAREN, _PAREN_DEPTH, _MAX_DEPENDENCY = range(7)
_POSITION, _RANK = 7, 8
"""Columns besides the axes: token index of a tree's root in its own text, and the root's rank."""


@jit
def measure(codes: Codes, offsets: Ints, full: bool) -> NDArray[np.int32]:
    """Compute the axes of every expression, int32 (7, n) in the order of AXES.

    Args:
        codes: Prefix codes of expressions, end to end. The result of an undefined one is UNDEFINED.
        offsets: Begin of each expression, and the end, (n + 1,).
        full: Whether every compound argument has parentheses, or only those that need them.
    """
    n = len(offsets) - 1
    axes = np.empty((7, n), np.int32)
    stack = np.empty((longest_row(offsets), 9), np.int32)
    for i in range(n):
        top = -1
        # Backwards, both arguments of an operator are on the stack when it is reached.
        for position in range(offsets[i + 1] - 1, offsets[i] - 1, -1):
            code = np.int64(codes[position])
            if code >= FIRST_OPERATOR:
                top -= 1
                _measure_operator(stack, top, code, full)
                continue
            top += 1
            stack[top, _RESULT] = _VALUES[code]
            stack[top, _MAX_VALUE] = _VALUES[code]
            stack[top, _LENGTH] = 1
            stack[top, _DEPTH] = 1
            stack[top, _N_PAREN] = 0
            stack[top, _PAREN_DEPTH] = 0
            stack[top, _MAX_DEPENDENCY] = 0
            stack[top, _POSITION] = 0
            stack[top, _RANK] = 3
        for axis in range(7):
            axes[axis, i] = stack[0, axis]
    return axes


@kernel
def _measure_operator(stack: NDArray[np.int32], top: Int, code: Int, full: bool) -> None:
    """Merge the records of the left (top + 1) and right (top) argument into one at top.

    Both parentheses of a group depend on the root of the group they enclose, as the data set
    defines heads.
    """
    left, right = top + 1, top
    rank = _RANKS[code]
    wrap_left = np.int64(_wraps(stack[left, _RANK], rank, 0, full))
    wrap_right = np.int64(_wraps(stack[right, _RANK], rank, 1, full))
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
    stack[top, _RANK] = rank


@jit
def write_infix(codes: Codes, offsets: Ints, full: bool) -> Text:
    """Write every expression as infix text without spaces; `full` as in `measure`.

    `stack` holds the operators that are not finished: their code, whether they are in parentheses,
    and whether their right argument is being written.
    """
    out = np.empty(2 * len(codes), np.uint8)
    ends = np.zeros(len(offsets), np.int64)
    stack = np.empty((longest_row(offsets), 3), np.int64)
    at = 0
    for i in range(len(offsets) - 1):
        top = -1
        for node in range(offsets[i], offsets[i + 1]):
            code = np.int64(codes[node])
            if code >= FIRST_OPERATOR:
                wrapped = top >= 0 and _wraps(
                    _RANKS[code], _RANKS[stack[top, 0]], stack[top, 2], full
                )
                if wrapped:
                    out[at] = _OPEN
                    at += 1
                top += 1
                stack[top, 0], stack[top, 1], stack[top, 2] = code, np.int64(wrapped), 0
                continue
            out[at] = _CHARS[code]
            at += 1
            while top >= 0 and stack[top, 2]:
                if stack[top, 1]:
                    out[at] = _CLOSE
                    at += 1
                top -= 1
            if top >= 0:
                out[at] = _CHARS[stack[top, 0]]
                at += 1
                stack[top, 2] = 1
        ends[i + 1] = at
    return out, ends


@jit
def write_steps(codes: Codes, offsets: Ints) -> Text:
    """Write the worked solution of every expression, with one `left operator right=value` per line.

    Steps come in the order in which operators complete from left to right. An expression without
    operators has its value as its only line. `stack` holds open operators and the values of their
    left arguments, or UNDEFINED.
    """
    out = np.empty(_STEP_BYTES * (len(codes) // 2 + len(offsets)), np.uint8)
    ends = np.zeros(len(offsets), np.int64)
    stack = np.empty((longest_row(offsets), 2), np.int64)
    at: Int = 0
    for i in range(len(offsets) - 1):
        top = -1
        for node in range(offsets[i], offsets[i + 1]):
            code = np.int64(codes[node])
            if code >= FIRST_OPERATOR:
                top += 1
                stack[top, 0], stack[top, 1] = code, UNDEFINED
                continue
            value = _VALUES[code]
            if top < 0:
                at = write_integer(out, at, value)
            while top >= 0 and stack[top, 1] != UNDEFINED:
                if at > ends[i]:
                    out[at] = _NEWLINE
                    at += 1
                operator, left = stack[top, 0], stack[top, 1]
                at = write_integer(out, at, left)
                out[at] = _CHARS[operator]
                at = write_integer(out, at + 1, value)
                value = apply_operator(operator, left, value)
                out[at] = _EQUALS
                at = write_integer(out, at + 1, value)
                top -= 1
            if top >= 0:
                stack[top, 1] = value
        ends[i + 1] = at
    return out, ends


def all_trees(operators: Codes, digits: Codes, n_op: int) -> Codes:
    """Return every expression of n_op operators, codes (m, 2 n_op + 1)."""
    trees = [digits[:, None]]
    for size in range(1, n_op + 1):
        pairs = [(trees[left], trees[size - 1 - left]) for left in range(size)]
        trees.append(np.concatenate([_joined(operators, *pair) for pair in pairs]))
    return trees[n_op]


def _joined(operators: Codes, left: Codes, right: Codes) -> Codes:
    """Return every operator over every pair of arguments, in prefix order."""
    arguments = np.hstack([np.repeat(left, len(right), axis=0), np.tile(right, (len(left), 1))])
    roots = np.repeat(operators, len(arguments))[:, None]
    return np.hstack([roots, np.tile(arguments, (len(operators), 1))])


def results_within(trees: Codes, require: Codes, low: int, high: int) -> NDArray[np.int32]:
    """Return the results of trees (m, width), or UNDEFINED if a tree is not accepted.

    Args:
        trees: Codes.
        require: Codes, each of which must occur.
        low: Smallest value of the largest node.
        high: Largest value of the largest node.
    """
    axes = measure(trees.ravel(), np.arange(len(trees) + 1) * trees.shape[1], False)
    within = (low <= axes[_MAX_VALUE]) & (axes[_MAX_VALUE] <= high)
    for symbol in require:
        within &= (trees == symbol).any(axis=1)
    return np.where(within, axes[_RESULT], UNDEFINED)
