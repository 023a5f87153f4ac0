"""Kernels that render rewriting problems: prompts, answers and traces.

A prompt is `[strategy :] lhs > rhs [@scope] ; ... | word [? question] =` with `>.` for a stop rule
and `_` for the empty string, as in `ba > ab ; c >. _ | bbcaa =` or `any_order : ba > ab | bba =`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from synthgen.core.byte_spans import copy_bytes, write_integer
from synthgen.core.columns import offsets_of
from synthgen.core.kernels import Int, inner, jit
from synthgen.families.markov.engine import (
    APPLY_K,
    LETTERS,
    LHS,
    LHS_SIZE,
    LOOP,
    LOOP_START,
    N_RULES,
    NEXT_RULE,
    RHS,
    RHS_SIZE,
    SCOPE,
    SCOPES,
    STATUS,
    STATUS_TASK,
    STATUSES,
    STEPS,
    STOP,
    STRATEGIES,
    STRATEGY,
    Letters,
    Numbers,
    Program,
    Trace,
    match_place,
    read_problem,
    run_program,
)
from synthgen.trees.derivations import Codes

Bytes = NDArray[np.uint8]
_CHARS = np.frombuffer(LETTERS.encode(), np.uint8)
_PIECES = (
    *("", *(f" @{scope}" for scope in SCOPES[1:])),
    *("", *(f"{strategy} : " for strategy in STRATEGIES[1:])),
    *(STATUSES),
    *(" > ", " >. ", " ; ", " | ", " =", " ? rule", " ? status ", " ? ", "none", "done"),
)
_PIECE_BYTES = np.frombuffer("".join(_PIECES).encode(), np.uint8)
_PIECE_ENDS = offsets_of(np.array([len(piece) for piece in _PIECES]))
# As numbers of numpy, as a kernel is compiled again for every literal of Python.
_STRATEGY = np.int64(len(SCOPES))
_STATUS = np.int64(_STRATEGY + len(STRATEGIES))
_ARROW, _STOP_ARROW, _SEMICOLON, _BAR, _EQUALS, _ASK_RULE, _ASK_STATUS, _ASK, _NO_RULE, _DONE = (
    np.arange(10) + _STATUS + len(STATUSES)
)
_SPACE, _NEWLINE, _EMPTY, _AT, _MINUS = (ord(char) for char in " \n_@-")
_PROMPT_ROOM = 80
"""Bytes of a prompt besides those of its rules and letters."""
_RULE_ROOM = 32
_LINE_ROOM = 24


@inner
def _put(out: Bytes, at: Int, piece: Int) -> Int:
    for k in range(_PIECE_ENDS[piece], _PIECE_ENDS[piece + 1]):
        out[at] = _PIECE_BYTES[k]
        at += 1
    return at


@inner
def _put_word(out: Bytes, at: Int, letters: Letters, begin: Int, end: Int) -> Int:
    if begin == end:
        out[at] = _EMPTY
        return at + 1
    for k in range(begin, end):
        out[at] = _CHARS[letters[k]]
        at += 1
    return at


@jit
def write_prompts(
    codes: Codes, offsets: Numbers, program: Program, trace: Trace
) -> tuple[Bytes, Numbers]:
    """Write every problem in its bare form."""
    n = len(offsets) - 1
    out = np.empty(_RULE_ROOM * len(codes) + _PROMPT_ROOM * n, np.uint8)
    text_offsets = np.zeros(n + 1, np.int64)
    at: Int = np.int64(0)
    for i in range(n):
        task, first, second = read_problem(codes, offsets[i], program, trace)
        at = _put(out, at, _STRATEGY + program.head[STRATEGY])
        for j in range(program.head[N_RULES]):
            rule = program.rules[j]
            if j > 0:
                at = _put(out, at, _SEMICOLON)
            left, right = rule[LHS], rule[RHS]
            at = _put_word(out, at, program.sides, left, left + rule[LHS_SIZE])
            at = _put(out, at, _STOP_ARROW if rule[STOP] == 1 else _ARROW)
            at = _put_word(out, at, program.sides, right, right + rule[RHS_SIZE])
            at = _put(out, at, rule[SCOPE])
        at = _put(out, at, _BAR)
        at = _put_word(out, at, trace.words, np.int64(0), trace.starts[1])
        if task == NEXT_RULE:
            at = _put(out, at, _ASK_RULE)
        elif task == STATUS_TASK:
            at = write_integer(out, _put(out, at, _ASK_STATUS), first)
            out[at] = _SPACE
            at = write_integer(out, at + 1, second)
        elif task == APPLY_K:
            at = write_integer(out, _put(out, at, _ASK), first)
        at = _put(out, at, _EQUALS)
        text_offsets[i + 1] = at
    return out, text_offsets


@jit
def write_results(
    problems: tuple[Codes, Numbers],
    program: Program,
    trace: Trace,
    limits: tuple[Int, Int],
    traced: Int,
) -> tuple[Bytes, Numbers, Bytes, Numbers]:
    """Write the answer of every problem and, if `traced` is 1, its trace.

    Args:
        problems: their codes and offsets.
        program: room for one.
        trace: room for one.
        limits: steps and letters that no run exceeds, except for the task `status`.
        traced: 0 or 1.
    """
    codes, offsets = problems
    n = len(offsets) - 1
    answers = np.empty(n * 64 + 1024, np.uint8)
    lines = np.empty(n * 256 * traced + 1024, np.uint8)
    answer_offsets = np.zeros(n + 1, np.int64)
    line_offsets = np.zeros(n + 1, np.int64)
    at: Int = np.int64(0)
    line_at: Int = np.int64(0)
    for i in range(n):
        task, first, second = read_problem(codes, offsets[i], program, trace)
        if task == NEXT_RULE:
            trace.outcome[STEPS] = 0
        elif task == STATUS_TASK:
            run_program(program, trace, first, second)
        else:
            run_program(program, trace, first if task == APPLY_K else limits[0], limits[1])
        answers = _with_room(answers, at, limits[1] + _LINE_ROOM)
        at = _write_answer(answers, at, task, program, trace)
        answer_offsets[i + 1] = at
        if traced == 1:
            steps = trace.outcome[STEPS]
            room = trace.starts[steps + 1] + (steps + program.head[N_RULES] + 1) * _LINE_ROOM
            lines = _with_room(lines, line_at, room)
            line_at = _write_lines(lines, line_at, task, program, trace)
            line_offsets[i + 1] = line_at
    return answers, answer_offsets, lines, line_offsets


@jit
def _with_room(out: Bytes, used: Int, room: Int) -> Bytes:
    """Return a buffer with the same beginning and at least `room` bytes more."""
    if used + room <= len(out):
        return out
    larger = np.empty(2 * len(out) + room, np.uint8)
    copy_bytes(larger, np.int64(0), out, np.int64(0), used)
    return larger


@inner
def _write_answer(out: Bytes, at: Int, task: Int, program: Program, trace: Trace) -> Int:
    steps = trace.outcome[STEPS]
    if task == STATUS_TASK:
        return _put(out, at, _STATUS + trace.outcome[STATUS])
    if task != NEXT_RULE:
        return _put_word(out, at, trace.words, trace.starts[steps], trace.starts[steps + 1])
    for rule in range(program.head[N_RULES]):
        if match_place(program, np.int64(rule), trace.words, np.int64(0), trace.starts[1]) >= 0:
            return write_integer(out, at, np.int64(rule + 1))
    return _put(out, at, _NO_RULE)


@inner
def _write_lines(out: Bytes, at: Int, task: Int, program: Program, trace: Trace) -> Int:
    """Write a line `rule@place word` for each step and one for the end.

    The task `next_rule` has a line `rule -` for each rule that does not match, up to the one that
    does, whose line is `rule@place`.
    """
    if task == NEXT_RULE:
        for rule in range(program.head[N_RULES]):
            at = write_integer(out, at, np.int64(rule + 1))
            place = match_place(program, np.int64(rule), trace.words, np.int64(0), trace.starts[1])
            if place >= 0:
                out[at] = _AT
                return write_integer(out, at + 1, place)
            out[at], out[at + 1], out[at + 2] = _SPACE, _MINUS, _NEWLINE
            at += 3
        return _put(out, at, _NO_RULE)
    for t in range(trace.outcome[STEPS]):
        at = write_integer(out, at, trace.rules[t] + 1)
        out[at] = _AT
        at = write_integer(out, at + 1, trace.places[t])
        out[at] = _SPACE
        at = _put_word(out, at + 1, trace.words, trace.starts[t + 1], trace.starts[t + 2])
        out[at] = _NEWLINE
        at += 1
    if task == APPLY_K:
        return _put(out, at, _DONE)
    at = _put(out, at, _STATUS + trace.outcome[STATUS])
    if trace.outcome[STATUS] == LOOP:
        out[at] = _SPACE
        at = write_integer(out, at + 1, trace.outcome[LOOP_START])
        out[at] = _SPACE
        at = write_integer(out, at + 1, trace.outcome[STEPS] - trace.outcome[LOOP_START])
    return at
