"""HINT arithmetic from the text: a precedence parser, compiled since rows are made by the million.

The expression is the text between the last two backticks of a prompt, or the whole prompt if there
are none. Operators are binary and associate to the left; * / c d rank above + - a b. Numbers are
natural: l-r stops at 0, l/r rounds up and is undefined for r = 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.authoring import Verifier, parse_integer
from synthgen.authoring.compiled import (
    MAX_DIGITS,
    Int,
    jit,
    kernel,
    longest_row,
    null_mask,
    same_bytes,
    text_bytes,
    write_integer,
)

Bytes = NDArray[np.uint8]

_OPERANDS = {str(digit): digit for digit in range(10)} | {"x": 11, "y": 12}
_RANKS = dict.fromkeys("+-ab", 1) | dict.fromkeys("*/cd", 2)
_LIMIT = 2**30
"""Operands above this are rejected, so that no product can overflow 64 bits."""
_WRONG = -1
_STEP_BYTES = 4 + 3 * MAX_DIGITS


def _by_byte(values: Mapping[str, int]) -> NDArray[np.int64]:
    table = np.full(256, _WRONG, np.int64)
    for char, value in values.items():
        table[ord(char)] = value
    return table


_OPERAND_OF, _RANK_OF = _by_byte(_OPERANDS), _by_byte({**_RANKS, "(": 0})
_OPEN, _CLOSE, _NEWLINE, _EQUALS = (ord(char) for char in "()\n=")
_PLUS, _MINUS, _TIMES, _SLASH, _A, _B, _C, _D = (ord(char) for char in "+-*/abcd")
_TICK = ord("`")


class HintVerifier(Verifier):
    """Evaluates expressions in compiled code."""

    def check(
        self, prompts: pa.StringArray, answers: pa.StringArray, solutions: pa.StringArray | None
    ) -> NDArray[np.bool_]:
        """Compare every answer, and the steps of every solution, with those of the expression."""
        stated = np.zeros(len(answers), bool) if solutions is None else ~null_mask(solutions)
        steps = answers if solutions is None else solutions
        columns = (*text_bytes(prompts), *text_bytes(answers), *text_bytes(steps))
        return _check_rows(*columns, stated)

    def reads(self, prompt: str) -> bool:
        """Return whether a prompt has an expression with a value."""
        text = np.frombuffer(prompt.encode() + b" ", np.uint8)  # no buffer is empty
        start, end = _expression_span(text, 0, len(text) - 1)
        stacks = np.empty((len(text), 2), np.int64)
        value, _ = _evaluate(text, start, end, stacks, np.empty(0, np.uint8))
        return bool(value != _WRONG)

    def accepts(self, prompt: str, prediction: str) -> bool:
        """Return whether an answer to a prompt is right, with or without separators."""
        parsed = parse_integer(prediction)
        plain = f"{'-' * parsed[0]}{parsed[1]}" if parsed else prediction
        return super().accepts(prompt, plain)


VERIFIERS = {"hint": HintVerifier()}


@jit
def _check_rows(*columns: Any) -> NDArray[np.bool_]:
    """Compare the answers and steps of all rows with those of their expressions."""
    prompts, prompt_ends, answers, answer_ends, solutions, solution_ends, stated = columns
    n = len(prompt_ends) - 1
    right = np.zeros(n, np.bool_)
    longest = longest_row(prompt_ends)
    stacks = np.empty((longest + 1, 2), np.int64)
    steps = np.empty(_STEP_BYTES * (longest // 2 + 1), np.uint8)
    result = np.empty(MAX_DIGITS, np.uint8)
    for i in range(n):
        start, end = _expression_span(prompts, prompt_ends[i], prompt_ends[i + 1])
        value, written = _evaluate(prompts, start, end, stacks, steps if stated[i] else steps[:0])
        if value == _WRONG:
            continue
        length = write_integer(result, 0, value)
        right[i] = _is(answers, answer_ends[i], answer_ends[i + 1], result, length)
        if stated[i]:
            if written == 0:
                written = write_integer(steps, 0, value)
            right[i] &= _is(solutions, solution_ends[i], solution_ends[i + 1], steps, written)
    return right


@kernel
def _expression_span(text: Bytes, start: Int, end: Int) -> tuple[Int, Int]:
    """Return the span between the last two backticks of text[start:end], or all of it."""
    last: Int = np.int64(-1)
    for at in range(end - 1, start - 1, -1):
        if text[at] == _TICK:
            if last >= 0:
                return np.int64(at + 1), last
            last = np.int64(at)
    return np.int64(start), np.int64(end)


@kernel
def _is(text: Bytes, start: Int, end: Int, wanted: Bytes, length: Int) -> bool:
    """Return whether text[start:end] is wanted[:length]."""
    return bool(end - start == length and same_bytes(text, start, wanted, 0, length))


@kernel
def _evaluate(
    text: Bytes, start: Int, end: Int, stacks: NDArray[np.int64], steps: Bytes
) -> tuple[Int, Int]:
    """Return the value of text[start:end], or _WRONG, and the bytes of its steps.

    Two stacks, of values (column 0) and of operators (1): an operator waits until one of lower or
    equal rank, a closing parenthesis or the end has been read, which makes all of them associate
    to the left. Each reduction is written to `steps`, unless that is empty.
    """
    n_values, n_operators = 0, 0
    written: Int = 0
    want_operand = True
    for at in range(start, end + 1):
        char = np.int64(text[at]) if at < end else _CLOSE
        if want_operand:
            if _OPERAND_OF[char] != _WRONG:
                stacks[n_values, 0] = _OPERAND_OF[char]
                n_values += 1
                want_operand = False
            elif char == _OPEN:
                stacks[n_operators, 1] = char
                n_operators += 1
            else:
                return _WRONG, 0
            continue
        rank = 1 if char == _CLOSE else _RANK_OF[char]
        if rank < 1:
            return _WRONG, 0
        while n_operators > 0 and _RANK_OF[stacks[n_operators - 1, 1]] >= rank:
            n_operators -= 1
            n_values -= 1
            written = _reduce(stacks, n_operators, n_values, steps, written)
        if char != _CLOSE:
            stacks[n_operators, 1] = char
            n_operators += 1
            want_operand = True
        elif (n_operators == 0) != (at == end):
            return _WRONG, 0
        else:
            n_operators -= 1
    return stacks[0, 0], written


@kernel
def _reduce(
    stacks: NDArray[np.int64], operator_at: Int, value_at: Int, steps: Bytes, written: Int
) -> Int:
    """Replace the two values at the top by their result, and write `l operator r=v` as a line."""
    operator = stacks[operator_at, 1]
    left, right = stacks[value_at - 1, 0], stacks[value_at, 0]
    value = _combine(operator, left, right)
    stacks[value_at - 1, 0] = value
    if value == _WRONG or len(steps) == 0:
        return written
    if written > 0:
        steps[written] = _NEWLINE
        written += 1
    written = write_integer(steps, written, left)
    steps[written] = operator
    written = write_integer(steps, written + 1, right)
    steps[written] = _EQUALS
    return write_integer(steps, written + 1, value)


@kernel
def _combine(operator: Int, left: Int, right: Int) -> Int:
    """Return l operator r, or _WRONG if it is undefined or an operand is out of bounds."""
    if left == _WRONG or right == _WRONG or left > _LIMIT or right > _LIMIT:
        return _WRONG
    if operator == _PLUS:
        return left + right
    if operator == _MINUS:
        return left - right if left > right else 0
    if operator == _TIMES:
        return left * right
    if operator == _A:
        return left if left > right else right
    if operator == _B:
        return left if left < right else right
    if operator == _SLASH:
        above, below = left, right
    elif operator == _C:
        above, below = left + right, 2
    else:
        above, below = 2 * left * right, left + right
    if below == 0:
        return _WRONG
    quotient = above // below
    return quotient if quotient * below == above else quotient + 1
