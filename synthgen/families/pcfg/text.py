"""PCFG SET as text: kernels that write programs, their results and their worked solutions."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.authoring import Signature
from synthgen.authoring.compiled import (
    MAX_DIGITS,
    Codes,
    Int,
    Ragged,
    jit,
    kernel,
    longest_row,
    text_column,
    write_integer,
)
from synthgen.families.pcfg.kernels import (
    APPEND,
    ECHO,
    FIRST_STRING,
    MAX_FUNCTIONS,
    N_FUNCTIONS,
    N_UNARY,
    PREPEND,
    REMOVE_FIRST,
    REPEAT,
    REVERSE,
    SHIFT,
    SWAP,
    Ints,
)

Bytes = NDArray[np.uint8]

_SPACE, _OPEN, _CLOSE, _COMMA, _EQUALS, _STAR, _NEWLINE = (np.uint8(ord(c)) for c in " (),=*\n")
_BESIDE_NAME = 5
"""Largest number of bytes around a name in a program: a bracket or a comma, and spaces."""
_BESIDE_CALL = 10 + 3 * MAX_DIGITS
"""Largest number of bytes of a line besides its names: marks, spaces and three places."""
_NO_SOLUTION, _STEPS, _UNROLLED = 0, 1, 2
_STYLES = {"none": _NO_SOLUTION, "steps": _STEPS, "unrolled": _UNROLLED}
_MAX_NODES = 2 * (MAX_FUNCTIONS + 1) + 1
_START, _LENGTH, _SIZE, _LINE = range(4)
"""Columns of a node: begin of its result in `work`, its length, the codes of the node's subtree,
and the line of the solution with its result (0: none yet)."""


Names = tuple[Bytes, Ints]
"""The names of all codes end to end, and their offsets."""


class _Desk(NamedTuple):
    """Buffers for writing results, with room for any program of a batch.

    Attributes:
        names: Names of all codes.
        widest: Bytes of the longest name and a space.
        first_symbol: Code of the first symbol of the alphabet.
        style: Style of solutions.
        nodes: Array (nodes, 4), see the columns above.
        stack: Array (nodes, 2): open functions and the number of arguments that they still await.
        work: Results of all nodes.
    """

    names: Names
    widest: int
    first_symbol: int
    style: int
    nodes: Ints
    stack: Ints
    work: Codes


def program_text(programs: Ragged, signature: Signature, *, bracketed: bool) -> pa.StringArray:
    """Write every program in prefix notation, with or without brackets."""
    names = signature.name_table
    room = int((np.diff(names[1]) + _BESIDE_NAME)[programs.values].sum())
    first_symbol = signature.arities.index(0)
    columns = programs.values, programs.offsets
    return text_column(*_write_programs(*columns, names, first_symbol, bracketed, room))


def result_text(
    meant: Ragged, signature: Signature, max_result: int, solution: str
) -> tuple[pa.StringArray, pa.StringArray | None]:
    """Write the answer of every program, and its solution.

    Args:
        meant: Programs whose exceptional pairs are replaced.
        signature: Signature of the codes.
        max_result: Longest string of any step.
        solution: "none"; "steps", the result of each function on its own line, arguments before
            their function and left before right; or "unrolled", one function per line in the same
            order, in which *k is the string of line k.
    """
    max_nodes = int(meant.lengths.max(initial=1))
    desk = _Desk(
        signature.name_table,
        int(np.diff(signature.name_table[1]).max()) + 1,
        signature.arities.index(0),
        _STYLES[solution],
        np.zeros((max_nodes, 4), np.int64),
        np.zeros((max_nodes, 2), np.int64),
        np.empty(min(max_nodes, _MAX_NODES) * max_result, np.uint16),
    )
    answers, answer_offsets, lines, line_offsets = _write_results(meant.values, meant.offsets, desk)
    stated = None if solution == "none" else text_column(lines, line_offsets)
    return text_column(answers, answer_offsets), stated


@kernel
def _write_name(out: Bytes, at: Int, names: Names, code: Int) -> Int:
    """Write a name at `at`; return its end."""
    text, offsets = names
    for byte in range(offsets[code], offsets[code + 1]):
        out[at] = text[byte]
        at += 1
    return at


@kernel
def _write_mark(out: Bytes, at: Int, mark: np.uint8) -> Int:
    """Write a mark and a space at `at`; return their end."""
    out[at] = mark
    out[at + 1] = _SPACE
    return at + 2


@jit
def _write_programs(
    codes: Codes, offsets: Ints, names: Names, first_symbol: Int, bracketed: bool, room: Int
) -> tuple[Bytes, Ints]:
    out = np.empty(room, np.uint8)
    text_offsets = np.zeros(len(offsets), np.int64)
    stack = np.empty(longest_row(offsets), np.int64)  # arguments that open functions still await
    at: Int = np.int64(0)
    for i in range(len(offsets) - 1):
        top = -1
        missing: Int = np.int64(0)  # symbols that the string still lacks
        for place in range(offsets[i], offsets[i + 1]):
            code = np.int64(codes[place])
            if FIRST_STRING <= code < first_symbol:
                missing = code - FIRST_STRING + 1
                continue
            at = _write_name(out, at, names, code)
            out[at] = _SPACE
            at += 1
            if code < FIRST_STRING:
                at = _write_mark(out, at, _OPEN) if bracketed else at
                top += 1
                stack[top] = 2 if code % N_FUNCTIONS >= N_UNARY else 1
                continue
            missing -= 1
            while missing == 0 and top >= 0:
                stack[top] -= 1
                if stack[top] > 0:
                    at = _write_mark(out, at, _COMMA)
                    break
                at = _write_mark(out, at, _CLOSE) if bracketed else at
                top -= 1
        at -= 1
        text_offsets[i + 1] = at
    return out, text_offsets


@jit
def _write_results(codes: Codes, offsets: Ints, desk: _Desk) -> tuple[Bytes, Ints, Bytes, Ints]:
    n = len(offsets) - 1
    answers, lines = np.empty(64 * n + 64, np.uint8), np.empty(64, np.uint8)
    answer_offsets, line_offsets = np.zeros(n + 1, np.int64), np.zeros(n + 1, np.int64)
    names, nodes, work = desk.names, desk.nodes, desk.work
    widest = desk.widest
    at: Int = np.int64(0)
    line_at: Int = np.int64(0)
    for i in range(n):
        program = codes[offsets[i] : offsets[i + 1]]
        symbols = _evaluate(program, desk.first_symbol, nodes, work)
        answers = _with_room(answers, at, widest * nodes[0, _LENGTH])
        at = _write_string(answers, at, names, nodes, work, 0)
        if desk.style != _NO_SOLUTION:
            # Every result is written once as such and at most once as an argument.
            room = 2 * widest * symbols + (widest + _BESIDE_CALL) * len(program)
            lines = _with_room(lines, line_at, room)
            line_at = _write_lines(lines, line_at, program, desk)
        answer_offsets[i + 1] = at
        line_offsets[i + 1] = line_at
    return answers, answer_offsets, lines, line_offsets


@jit
def _with_room(out: Bytes, at: Int, more: Int) -> Bytes:
    """Return the buffer, or a larger copy if it has no room for `more` bytes at `at`."""
    if at + more <= len(out):
        return out
    larger = np.empty(2 * (at + more), np.uint8)
    for byte in range(at):
        larger[byte] = out[byte]
    return larger


@kernel
def _evaluate(program: Codes, first_symbol: Int, nodes: Ints, work: Codes) -> Int:
    """Compute the result of every node, last first; return the total number of symbols."""
    at: Int = np.int64(0)
    for node in range(len(program) - 1, -1, -1):
        code = np.int64(program[node])
        if code >= first_symbol:
            continue
        nodes[node, _START] = at
        nodes[node, _LINE] = 0
        length: Int
        if code >= FIRST_STRING:
            length = code - FIRST_STRING + 1
            for i in range(length):
                work[at + i] = program[node + 1 + i]
            nodes[node, _SIZE] = 1 + length
        else:
            second = node + 1 + nodes[node + 1, _SIZE]
            nodes[node, _SIZE] = second - node
            if code % N_FUNCTIONS >= N_UNARY:
                nodes[node, _SIZE] += nodes[second, _SIZE]
                length = _join(code % N_FUNCTIONS, nodes, node + 1, second, work, at)
            else:
                length = _change(code % N_FUNCTIONS, nodes, node + 1, work, at)
        nodes[node, _LENGTH] = length
        at += length
    return at


@kernel
def _copy(nodes: Ints, node: Int, work: Codes, at: Int) -> Int:
    """Copy the result of a node to `at` and return its length."""
    start: Int = nodes[node, _START]
    length: Int = nodes[node, _LENGTH]
    for i in range(length):
        work[at + i] = work[start + i]
    return length


@kernel
def _join(function: Int, nodes: Ints, first: Int, second: Int, work: Codes, at: Int) -> Int:
    """Write the result of a binary function at `at` and return its length."""
    length: Int = np.int64(0)
    if function == PREPEND or function == REMOVE_FIRST:
        length += _copy(nodes, second, work, at)
    if function != REMOVE_FIRST:
        length += _copy(nodes, first, work, at + length)
    if function == APPEND:
        length += _copy(nodes, second, work, at + length)
    return length


@kernel
def _change(function: Int, nodes: Ints, argument: Int, work: Codes, at: Int) -> Int:
    """Write the result of a unary function at `at` and return its length."""
    start = nodes[argument, _START]
    n: Int = _copy(nodes, argument, work, at)
    last = at + n - 1
    if function == REVERSE:
        for i in range(n):
            work[at + i] = work[start + n - 1 - i]
    elif function == SHIFT:
        for i in range(n - 1):
            work[at + i] = work[start + 1 + i]
        work[last] = work[start]
    elif function == ECHO:
        work[last + 1] = work[last]
        return n + 1
    elif function == SWAP:
        work[at], work[last] = work[last], work[at]
    elif function == REPEAT:
        return n + _copy(nodes, argument, work, at + n)
    return n


@kernel
def _write_string(out: Bytes, at: Int, names: Names, nodes: Ints, work: Codes, node: Int) -> Int:
    """Write the result of a node at `at`; return its end."""
    start = nodes[node, _START]
    for place in range(start, start + nodes[node, _LENGTH]):
        if place > start:
            out[at] = _SPACE
            at += 1
        at = _write_name(out, at, names, np.int64(work[place]))
    return at


@kernel
def _write_lines(out: Bytes, at: Int, program: Codes, desk: _Desk) -> Int:
    """Write the solution of a program at `at`; return its end."""
    nodes, stack = desk.nodes, desk.stack
    top = -1
    line = 0
    node = 0
    while node < len(program):
        if program[node] < FIRST_STRING:
            top += 1
            stack[top, 0] = node
            stack[top, 1] = 2 if program[node] % N_FUNCTIONS >= N_UNARY else 1
            node += 1
            continue
        node += nodes[node, _SIZE]
        while top >= 0:
            stack[top, 1] -= 1
            if stack[top, 1] > 0:
                break
            done = stack[top, 0]
            top -= 1
            if line > 0:
                out[at] = _NEWLINE
                at += 1
            line += 1
            if desk.style == _UNROLLED:
                at = _write_call(out, at, program, desk, done)
            if desk.style == _STEPS or top < 0:
                at = _write_string(out, at, desk.names, nodes, desk.work, done)
            else:
                at = _write_place(out, at, line)
            nodes[done, _LINE] = line
    return at


@kernel
def _write_call(out: Bytes, at: Int, program: Codes, desk: _Desk, node: Int) -> Int:
    """Write one function with its arguments and ` = ` at `at`; return its end."""
    nodes = desk.nodes
    at = _write_name(out, at, desk.names, np.int64(program[node]))
    n_arguments = 2 if program[node] % N_FUNCTIONS >= N_UNARY else 1
    argument = node + 1
    for k in range(n_arguments):
        out[at] = _SPACE
        at = _write_mark(out, at + 1, _COMMA) if k > 0 else at + 1
        if nodes[argument, _LINE] > 0:
            at = _write_place(out, at, nodes[argument, _LINE])
        else:
            at = _write_string(out, at, desk.names, nodes, desk.work, argument)
        argument += nodes[argument, _SIZE]
    out[at] = _SPACE
    return _write_mark(out, at + 1, _EQUALS)


@kernel
def _write_place(out: Bytes, at: Int, line: Int) -> Int:
    """Write the placeholder of a line at `at`; return its end."""
    out[at] = _STAR
    return write_integer(out, at + 1, line)
