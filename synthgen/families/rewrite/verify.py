"""String rewriting from the text: Knuth-Morris-Pratt finds the leftmost x of z in `x > y | z`.

The problem is between the last two backticks of a prompt, or the whole prompt if there are none.
Letters are a to z, and `_` is the empty right side. The oracle is Python's `str.replace`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthgen.authoring import TextVerifier
from synthgen.authoring.problem_text import problem_of, problem_span
from synthgen.core.byte_spans import find_byte, same_bytes
from synthgen.core.columns import longest_row
from synthgen.core.kernels import Int, jit, kernel

Bytes = NDArray[np.uint8]
Offsets = NDArray[np.int64]
_WRONG, _ONE = np.int64(-1), np.uintp(1)
_A, _Z, _SPACE, _GREATER, _BAR, _EMPTY = (ord(char) for char in "az >|_")
_ZERO, _COLON, _NEWLINE, _OPEN, _CLOSE = (ord(char) for char in "0:\n[]")
_NONE = np.frombuffer(b"none", np.uint8)
_PROBLEM = re.compile(r"([a-z]+) > ([a-z]+|_) \| ([a-z]+)", re.ASCII)


def _exact(prompt: str) -> str | None:
    """Return the result of a prompt, or None if it is not a problem."""
    match = _PROBLEM.fullmatch(problem_of(prompt))
    if match is None:
        return None
    lhs, rhs, string = match.groups()
    return string.replace(lhs, "" if rhs == "_" else rhs, 1)


class _Problem(NamedTuple):
    """Where the parts of a problem are in its text.

    It has no arrays, as a `kernel` kernel must not return any.

    Attributes:
        lhs, lhs_end: span of x.
        rhs, rhs_end: span of y.
        string, end: span of z; `end` is -1 for a text that is not a problem.
    """

    lhs: Int
    lhs_end: Int
    rhs: Int
    rhs_end: Int
    string: Int
    end: Int


class _Columns(NamedTuple):
    """Bytes and offsets of the texts of all rows; `stated` says which of them have a solution."""

    prompts: Bytes
    prompt_offsets: Offsets
    answers: Bytes
    answer_offsets: Offsets
    solutions: Bytes
    solution_offsets: Offsets
    stated: NDArray[np.bool_]


@jit
def _check_rows(columns: _Columns) -> NDArray[np.bool_]:
    n, prompts = len(columns.stated), columns.prompts
    right = np.zeros(n, np.bool_)
    borders = np.empty(longest_row(columns.prompt_offsets), np.int64)
    for i in range(n):
        start, end = columns.prompt_offsets[i], columns.prompt_offsets[i + 1]
        problem = _read(prompts, start, end)
        if problem.end == _WRONG:  # a prompt that is a problem has no backticks
            problem = _read(prompts, *problem_span(prompts, start, end))
        if problem.end == _WRONG:
            continue
        match = _leftmost(prompts, problem, borders)
        span = columns.answer_offsets[i], columns.answer_offsets[i + 1]
        right[i] = _is_result(prompts, problem, match, columns.answers, span)
        if right[i] and columns.stated[i]:
            span = columns.solution_offsets[i], columns.solution_offsets[i + 1]
            right[i] = _is_worked(prompts, problem, match, columns.solutions, span)
    return right


VERIFIERS = {
    "rewrite": TextVerifier(lambda *columns: _check_rows(_Columns(*columns)), _exact, "string")
}


@kernel
def _read(text: Bytes, start: Int, end: Int) -> _Problem:
    """Read text[start:end]: sides and string are lower-case letters, at least one."""
    lhs_end = _letters_end(text, start, end)
    rhs = _sign_end(text, lhs_end, end, _GREATER)
    if lhs_end == start or rhs == _WRONG:
        return _Problem(start, start, start, start, start, _WRONG)
    rhs_end = _letters_end(text, rhs, end)
    is_empty = rhs_end == rhs and rhs < end and text[rhs] == _EMPTY
    string = _sign_end(text, rhs_end + is_empty, end, _BAR)
    if rhs_end == rhs and not is_empty:
        string = _WRONG
    if string == _WRONG or string == end or _letters_end(text, string, end) < end:
        return _Problem(start, start, start, start, start, _WRONG)
    return _Problem(start, lhs_end, rhs, rhs_end, string, end)


@kernel
def _letters_end(text: Bytes, at: Int, end: Int) -> Int:
    place = np.uintp(at)  # unsigned: compiled code does not test whether to count from the end
    while place < np.uintp(end) and _A <= text[place] <= _Z:
        place += _ONE
    return np.int64(place)


@kernel
def _sign_end(text: Bytes, at: Int, end: Int, sign: Int) -> Int:
    """Return where a sign with a space on either side ends, or -1 if it is not at `at`."""
    if at + 3 > end or text[at] != _SPACE or text[at + 1] != sign or text[at + 2] != _SPACE:
        return _WRONG
    return at + 3


@kernel
def _leftmost(text: Bytes, problem: _Problem, borders: NDArray[np.int64]) -> Int:
    """Return where x first occurs in z, or -1 (Knuth, Morris and Pratt 1977).

    `borders` gets the length of the longest proper border of each prefix of x, as far as they are
    needed, so that no letter of z is read twice.
    """
    lhs, size = problem.lhs, problem.lhs_end - problem.lhs
    at, known = problem.string, np.int64(1)
    same: Int = np.int64(0)
    borders[0] = 0
    while at < problem.end:
        if same == 0:
            at += find_byte(text, text[lhs], at, problem.end - at)
        while same < size and at < problem.end and text[at] == text[lhs + same]:
            at += 1
            same += 1
        if same == size:
            return at - size
        while known < same:
            borders[known] = _border(text, lhs, known, borders)
            known += 1
        same = borders[same - 1] if same > 0 else np.int64(0)
    return _WRONG


@kernel
def _border(text: Bytes, lhs: Int, place: Int, borders: NDArray[np.int64]) -> Int:
    """Return the longest proper border of the prefix of x that ends with the letter at `place`."""
    border: Int = borders[place - 1]
    while border > 0 and text[lhs + place] != text[lhs + border]:
        border = borders[border - 1]
    return border + 1 if text[lhs + place] == text[lhs + border] else border


@kernel
def _after(text: Bytes, at: Int, other: Bytes, start: Int, stop: Int) -> Int:
    """Return where other[start:stop] ends if it is at `at` in a text, else -1; -1 stays -1."""
    if at < 0 or at + stop - start > len(text):
        return _WRONG
    return at + stop - start if same_bytes(text, at, other, start, stop - start) else _WRONG


@kernel
def _after_char(text: Bytes, at: Int, char: Int) -> Int:
    return at + 1 if 0 <= at < len(text) and text[at] == char else _WRONG


@kernel
def _is_result(
    source: Bytes, problem: _Problem, match: Int, answers: Bytes, span: tuple[Int, Int]
) -> bool:
    """Say whether an answer is z with y in the place of its match."""
    text = answers[span[0] : span[1]]
    if match == _WRONG:
        return bool(_after(text, 0, source, problem.string, problem.end) == len(text))
    at = _after(text, 0, source, problem.string, match)
    at = _after(text, at, source, problem.rhs, problem.rhs_end)
    rest = match + problem.lhs_end - problem.lhs
    return bool(_after(text, at, source, rest, problem.end) == len(text))


@kernel
def _is_worked(
    source: Bytes, problem: _Problem, match: Int, solutions: Bytes, span: tuple[Int, Int]
) -> bool:
    """Say whether a solution is `p: before[x]after` and the same with y, or `none`."""
    text = solutions[span[0] : span[1]]
    if match == _WRONG:
        return bool(_after(text, 0, _NONE, 0, len(_NONE)) == len(text))
    at = _after_number(text, match - problem.string)
    at = _after_char(text, at, _COLON)
    at = _after_char(text, at, _SPACE)
    at = _after_marked(text, at, source, problem, match, (problem.lhs, problem.lhs_end))
    at = _after_char(text, at, _NEWLINE)
    side = problem.rhs, problem.rhs_end
    return bool(_after_marked(text, at, source, problem, match, side) == len(text))


@kernel
def _after_marked(
    text: Bytes, at: Int, source: Bytes, problem: _Problem, match: Int, side: tuple[Int, Int]
) -> Int:
    """Return where z ends, with a side of the rule in brackets in the place of its match."""
    at = _after(text, at, source, problem.string, match)
    at = _after_char(text, at, _OPEN)
    at = _after(text, at, source, side[0], side[1])
    at = _after_char(text, at, _CLOSE)
    rest = match + problem.lhs_end - problem.lhs
    return _after(text, at, source, rest, problem.end)


@kernel
def _after_number(text: Bytes, value: Int) -> Int:
    """Return where a text's first number ends if it is this one, without leading zeros, else -1."""
    at: Int = np.int64(0)
    power = np.int64(1)
    while value // power >= 10:
        power *= 10
    while power > 0:
        at = _after_char(text, at, _ZERO + value // power % 10)
        power //= 10
    return at
