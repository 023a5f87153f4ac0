"""Answers and worked solutions of PCFG SET programs as text."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numba import njit
from numpy.typing import NDArray

from synthgen.core.columns import Ragged, text_column
from synthgen.core.derivation import Codes, Signature
from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.numerals import MOST_DIGITS, write_integer
from synthgen.core.offsets import longest_row
from synthgen.generators._pcfg_strings import evaluate
from synthgen.generators._pcfg_symbols import FIRST_STRING, N_FUNCTIONS, N_UNARY
from synthgen.generators._pcfg_text import Bytes, Names, write_name

_SPACE, _COMMA, _EQUALS, _STAR, _NEWLINE = (np.uint8(ord(char)) for char in " ,=*\n")
_NO_SOLUTION, _STEPS, _UNROLLED = 0, 1, 2
_SOLUTIONS = {"none": _NO_SOLUTION, "steps": _STEPS, "unrolled": _UNROLLED}


def result_text(
    programs: Ragged, signature: Signature, limits: tuple[int, int, int], solution: str
) -> tuple[pa.StringArray, pa.StringArray | None]:
    """Write the answer of every program, and its solution.

    Args:
        programs: as meant, exceptional pairs replaced.
        signature: of the codes.
        limits: longest string argument, longest string of any step, most functions.
        solution: "none"; "steps", the string that each function gives, arguments before their
            function and left before right, one a line; or "unrolled", one function a line in the
            same order, in which *k stands for the string of line k.
    """
    max_string, max_result, max_functions = limits
    names = signature.name_table
    answers, answer_offsets, lines, line_offsets = _write_results(
        programs.values,
        programs.offsets,
        names,
        FIRST_STRING + max_string,
        (2 * max_functions + 4) * max_result,
        int(np.diff(names[1]).max()) + 1,
        _SOLUTIONS[solution],
    )
    stated = None if solution == "none" else text_column(lines, line_offsets)
    return text_column(answers, answer_offsets), stated


@njit(cache=True, nogil=True)
def _with_room(out: Bytes, at: Int, more: Int) -> Bytes:
    """Return the buffer, or a larger copy if it has no room for `more` bytes at `at`."""
    if at + more <= len(out):
        return out
    larger = np.empty(2 * (at + more), np.uint8)
    for byte in range(at):
        larger[byte] = out[byte]
    return larger


@njit(cache=True, nogil=True)
def _write_results(
    codes: Codes,
    offsets: NDArray[np.int64],
    names: Names,
    first_symbol: Int,
    most_work: Int,
    widest: Int,
    style: Int,
) -> tuple[Bytes, NDArray[np.int64], Bytes, NDArray[np.int64]]:
    n = len(offsets) - 1
    answers, lines = np.empty(64 * n + 64, np.uint8), np.empty(64, np.uint8)
    answer_offsets, line_offsets = np.zeros(n + 1, np.int64), np.zeros(n + 1, np.int64)
    longest = longest_row(offsets)
    spans = np.zeros((longest, 4), np.int64)
    work = np.empty(most_work, np.uint16)
    stack = np.empty((longest, 2), np.int64)
    at: Int = np.int64(0)
    line_at: Int = np.int64(0)
    for i in range(n):
        program = codes[offsets[i] : offsets[i + 1]]
        if program[0] < FIRST_STRING:
            evaluate(program, first_symbol, spans, work)
            answers = _with_room(answers, at, widest * spans[0, 1])
            at = _write_span(answers, at, work, spans[0, 0], spans[0, 1], names)
            if style != _NO_SOLUTION:
                lines, line_at = _write_lines(
                    lines, line_at, program, spans, work, stack, names, widest, style
                )
        answer_offsets[i + 1] = at
        line_offsets[i + 1] = line_at
    return answers, answer_offsets, lines, line_offsets


@lent
def _write_span(out: Bytes, at: Int, work: Codes, start: Int, length: Int, names: Names) -> Int:
    """Write a string of symbols at `at` and return where it ends."""
    for position in range(start, start + length):
        if position > start:
            out[at] = _SPACE
            at += 1
        at = write_name(out, at, names, np.int64(work[position]))
    return at


@njit(cache=True, nogil=True)
def _write_lines(
    out: Bytes,
    at: Int,
    program: Codes,
    spans: NDArray[np.int64],
    work: Codes,
    stack: NDArray[np.int64],
    names: Names,
    widest: Int,
    style: Int,
) -> tuple[Bytes, Int]:
    """Write the lines of one program; return the buffer and where they end.

    `stack` holds the open functions and their arguments to come. A function that has been told
    keeps the number of its line in its span.
    """
    top = -1
    told = 0
    node = 0
    while node < len(program):
        code = np.int64(program[node])
        if code < FIRST_STRING:
            top += 1
            stack[top, 0] = node
            stack[top, 1] = 2 if code % N_FUNCTIONS >= N_UNARY else 1
            node += 1
            continue
        node += spans[node, 2]
        while top >= 0:
            stack[top, 1] -= 1
            if stack[top, 1] > 0:
                break
            done = stack[top, 0]
            top -= 1
            second = done + 1 + spans[done + 1, 2]
            second = second if program[done] % N_FUNCTIONS >= N_UNARY else -1
            symbols = spans[done, 1] + spans[done + 1, 1]
            symbols += spans[second, 1] if second >= 0 else 0
            out = _with_room(out, at, widest * (symbols + 2) + 4 * MOST_DIGITS)
            if told > 0:
                out[at] = _NEWLINE
                at += 1
            told += 1
            if style == _UNROLLED:
                at = _write_call(out, at, program, spans, work, names, done, second)
            if style == _STEPS or top < 0:
                at = _write_span(out, at, work, spans[done, 0], spans[done, 1], names)
            else:
                at = _write_place(out, at, told)
            spans[done, 3] = told
    return out, at


@lent
def _write_call(
    out: Bytes,
    at: Int,
    program: Codes,
    spans: NDArray[np.int64],
    work: Codes,
    names: Names,
    node: Int,
    second: Int,
) -> Int:
    """Write one function with its arguments and ` = ` at `at`; return where it ends."""
    at = write_name(out, at, names, np.int64(program[node]))
    argument = node + 1
    while argument >= 0:
        out[at] = _SPACE
        at += 1
        if spans[argument, 3] > 0:
            at = _write_place(out, at, spans[argument, 3])
        else:
            at = _write_span(out, at, work, spans[argument, 0], spans[argument, 1], names)
        if argument == second or second < 0:
            break
        out[at] = _SPACE
        out[at + 1] = _COMMA
        at += 2
        argument = second
    out[at] = _SPACE
    out[at + 1] = _EQUALS
    out[at + 2] = _SPACE
    return at + 3


@lent
def _write_place(out: Bytes, at: Int, number: Int) -> Int:
    """Write the placeholder of a line at `at` and return where it ends."""
    out[at] = _STAR
    return write_integer(out, at + 1, number)
