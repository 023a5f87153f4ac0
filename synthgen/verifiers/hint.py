"""HINT arithmetic from the text: a precedence parser, and a slow oracle in exact integers.

The expression is what stands between the last two backticks of a prompt, or the whole prompt if
there are none. Operators are binary and associate to the left; * / c d rank above + - a b. Numbers
are natural: l-r stops at 0, l/r rounds up and is undefined for r = 0.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.offsets import longest_row
from synthgen.verifiers._hint_exact import exact_value
from synthgen.verifiers._problem_text import problem_span
from synthgen.verifiers._text_verifier import TextVerifier

Bytes = NDArray[np.uint8]

_LIMIT = 2**30
"""Operands above this are refused, so that no product can overflow 64 bits."""
_WRONG = -1
_OPEN, _CLOSE, _NEWLINE, _EQUALS, _ZERO, _NINE = (ord(char) for char in "()\n=09")
_PLUS, _MINUS, _TIMES, _SLASH = (ord(char) for char in "+-*/")
_X, _Y, _A, _B, _C, _D = (ord(char) for char in "xyabcd")


@njit(cache=True, nogil=True)
def _check_rows(
    prompts: Bytes,
    prompt_offsets: NDArray[np.int64],
    answers: Bytes,
    answer_offsets: NDArray[np.int64],
    solutions: Bytes,
    solution_offsets: NDArray[np.int64],
    stated: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Check all rows; `stated` says which of them have a solution."""
    n = len(prompt_offsets) - 1
    right = np.zeros(n, np.bool_)
    longest = longest_row(prompt_offsets)
    values = np.empty(longest, np.int64)
    operators = np.empty(longest, np.int64)
    steps = np.empty((longest, 4), np.int64)
    for i in range(n):
        answer = _read_number(answers, answer_offsets[i], answer_offsets[i + 1])
        start, end = problem_span(prompts, prompt_offsets[i], prompt_offsets[i + 1])
        value, n_steps = _evaluate(prompts, start, end, values, operators, steps)
        right[i] = answer != _WRONG and answer == value
        if stated[i]:
            start, end = solution_offsets[i], solution_offsets[i + 1]
            right[i] &= _tells(solutions, start, end, steps[:n_steps], value)
    return right


@lent
def _rank(operator: Int) -> Int:
    """Return 2 for * / c d, 1 for + - a b, 0 for an open parenthesis, -1 for anything else."""
    if operator == _TIMES or operator == _SLASH or operator == _C or operator == _D:
        return 2
    if operator == _PLUS or operator == _MINUS or operator == _A or operator == _B:
        return 1
    return 0 if operator == _OPEN else -1


@lent
def _operand(char: Int) -> Int:
    """Return the value of a digit, x or y, else _WRONG."""
    if _ZERO <= char <= _NINE:
        return char - _ZERO
    if char == _X:
        return 11
    return 12 if char == _Y else _WRONG


@lent
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


@lent
def _evaluate(
    text: Bytes,
    start: Int,
    end: Int,
    values: NDArray[np.int64],
    operators: NDArray[np.int64],
    steps: NDArray[np.int64],
) -> tuple[Int, Int]:
    """Return the value of text[start:end], or _WRONG if it is no defined expression.

    Two stacks: an operator waits until one of lower or equal rank, a closing parenthesis or the
    end has been read, which makes all of them associate to the left. Each reduction is noted in
    `steps` as left value, operator, right value and value; their number is returned, too.
    """
    n_values, n_operators, n_steps = 0, 0, 0
    want_operand = True
    for at in range(start, end):
        char = np.int64(text[at])
        if want_operand:
            value = _operand(char)
            if value != _WRONG:
                values[n_values] = value
                n_values += 1
                want_operand = False
            elif char == _OPEN:
                operators[n_operators] = char
                n_operators += 1
            else:
                return _WRONG, 0
            continue
        rank = 1 if char == _CLOSE else _rank(char)
        if rank < 1:
            return _WRONG, 0
        while n_operators > 0 and _rank(operators[n_operators - 1]) >= rank:
            n_operators -= 1
            n_values -= 1
            _reduce(operators[n_operators], values, n_values, steps, n_steps)
            n_steps += 1
        if char == _CLOSE:
            if n_operators == 0:
                return _WRONG, 0
            n_operators -= 1
        else:
            operators[n_operators] = char
            n_operators += 1
            want_operand = True
    if want_operand:
        return _WRONG, 0
    while n_operators > 0:
        n_operators -= 1
        if operators[n_operators] == _OPEN:
            return _WRONG, 0
        n_values -= 1
        _reduce(operators[n_operators], values, n_values, steps, n_steps)
        n_steps += 1
    return values[0], n_steps


@lent
def _reduce(
    operator: Int, values: NDArray[np.int64], top: Int, steps: NDArray[np.int64], step: Int
) -> None:
    """Combine the two values at the top, in whose place the result goes, and note the step."""
    left, right = values[top - 1], values[top]
    value = _combine(operator, left, right)
    values[top - 1] = value
    steps[step, 0] = left
    steps[step, 1] = operator
    steps[step, 2] = right
    steps[step, 3] = value


@lent
def _read_number(text: Bytes, start: Int, end: Int) -> Int:
    """Return the number that is all of text[start:end] in canonical decimal, else _WRONG."""
    if end <= start or end - start > 18 or (text[start] == _ZERO and end - start > 1):
        return _WRONG
    value: Int = 0
    for at in range(start, end):
        digit = np.int64(text[at]) - _ZERO
        if digit < 0 or digit > 9:
            return _WRONG
        value = 10 * value + digit
    return value


@lent
def _tells(text: Bytes, start: Int, end: Int, steps: NDArray[np.int64], value: Int) -> bool:
    """Say whether text[start:end] tells these steps, one a line, or without any the value."""
    if len(steps) == 0:
        return bool(_read_number(text, start, end) == value)
    n_steps, line = 0, start
    for at in range(start, end + 1):
        if at < end and text[at] != _NEWLINE:
            continue
        if n_steps == len(steps) or not _is_step(text, line, at, steps[n_steps]):
            return False
        n_steps += 1
        line = at + 1
    return n_steps == len(steps)


@lent
def _is_step(text: Bytes, start: Int, end: Int, step: NDArray[np.int64]) -> bool:
    """Say whether text[start:end] is the line `l operator r=v` of a step."""
    operator, equals = start, start
    for at in range(start, end):
        if operator == start and _rank(np.int64(text[at])) > 0:
            operator = at
        elif text[at] == _EQUALS:
            equals = at
    if equals <= operator or text[operator] != step[1]:
        return False
    left = _read_number(text, start, operator)
    right = _read_number(text, operator + 1, equals)
    value = _read_number(text, equals + 1, end)
    return bool(left == step[0] and right == step[2] and value == step[3] and value != _WRONG)


VERIFIER = TextVerifier(_check_rows, exact_value, "integer")
