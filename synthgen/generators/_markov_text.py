"""Kernels that write rewriting problems as text: prompts, answers and traces.

A prompt is `[strategy :] lhs > rhs [@scope] ; ... | word [? question] =` with `>.` for a stop rule
and `_` for the empty string, as in `ba > ab ; c >. _ | bbcaa =` or `any_order : ba > ab | bba =`.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.columns import offsets_of
from synthgen.core.derivation import Codes
from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.numerals import write_integer
from synthgen.generators._markov_codes import read_problem
from synthgen.generators._markov_engine import (
    LHS,
    LHS_SIZE,
    LOOP,
    LOOP_START,
    N_RULES,
    RHS,
    RHS_SIZE,
    SCOPE,
    SCOPES,
    STATUS,
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
    run_program,
)
from synthgen.generators._markov_symbols import APPLY_K, LETTERS, NEXT_RULE, STATUS_TASK

Bytes = NDArray[np.uint8]
Texts = tuple[Bytes, Numbers]
_CHARS = np.frombuffer(LETTERS.encode(), np.uint8)
_PIECES = (
    *("", *(f" @{scope}" for scope in SCOPES[1:])),
    *("", *(f"{strategy} : " for strategy in STRATEGIES[1:])),
    *(STATUSES),
    *(" > ", " >. ", " ; ", " | ", " =", " ? rule", " ? status ", " ? ", "none", "done"),
)
_PIECE_BYTES = np.frombuffer("".join(_PIECES).encode(), np.uint8)
_PIECE_ENDS = offsets_of(np.array([len(piece) for piece in _PIECES]))
_STRATEGY = len(SCOPES)
_STATUS = _STRATEGY + len(STRATEGIES)
_ARROW = _STATUS + len(STATUSES)
_STOP_ARROW, _SEMICOLON, _BAR, _EQUALS, _ASK_RULE, _ASK_STATUS, _ASK, _NO_RULE, _DONE = range(
    _ARROW + 1, _ARROW + 10
)
_SPACE, _NEWLINE, _EMPTY, _AT, _MINUS = (ord(char) for char in " \n_@-")
_PROMPT_ROOM = 80
"""Bytes that a prompt takes beside those of its rules and letters."""
_RULE_ROOM = 32
_LINE_ROOM = 24


@lent
def _put(out: Bytes, at: Int, piece: Int) -> Int:
    for k in range(_PIECE_ENDS[piece], _PIECE_ENDS[piece + 1]):
        out[at] = _PIECE_BYTES[k]
        at += 1
    return at


@lent
def _put_word(out: Bytes, at: Int, letters: Letters, begin: Int, end: Int) -> Int:
    if begin == end:
        out[at] = _EMPTY
        return at + 1
    for k in range(begin, end):
        out[at] = _CHARS[letters[k]]
        at += 1
    return at


@njit(cache=True, nogil=True)
def write_prompts(codes: Codes, offsets: Numbers, program: Program, trace: Trace) -> Texts:
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


@njit(cache=True, nogil=True)
def write_results(
    codes: Codes,
    offsets: Numbers,
    program: Program,
    trace: Trace,
    limits: tuple[Int, Int],
    traced: Int,
) -> tuple[Bytes, Numbers, Bytes, Numbers]:
    """Write the answer of every problem and, if `traced` is 1, how it comes about.

    Args:
        codes: of the problems.
        offsets: of their codes.
        program: room for one.
        trace: room for one.
        limits: steps and letters that no run goes beyond, but for the task `status`.
        traced: 0 or 1.
    """
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


@njit(cache=True, nogil=True)
def _with_room(out: Bytes, used: Int, room: Int) -> Bytes:
    """Return a buffer with the same beginning and at least `room` bytes more."""
    if used + room <= len(out):
        return out
    larger = np.empty(2 * len(out) + room, np.uint8)
    larger[:used] = out[:used]
    return larger


@lent
def _place(program: Program, rule: Int, trace: Trace) -> Int:
    """Return where a rule matches in the first word, or -1."""
    return match_place(
        program.rules, program.sides, rule, trace.words, np.int64(0), trace.starts[1]
    )


@lent
def _write_answer(out: Bytes, at: Int, task: Int, program: Program, trace: Trace) -> Int:
    steps = trace.outcome[STEPS]
    if task == STATUS_TASK:
        return _put(out, at, _STATUS + trace.outcome[STATUS])
    if task != NEXT_RULE:
        return _put_word(out, at, trace.words, trace.starts[steps], trace.starts[steps + 1])
    for rule in range(program.head[N_RULES]):
        if _place(program, rule, trace) >= 0:
            return write_integer(out, at, np.int64(rule + 1))
    return _put(out, at, _NO_RULE)


@lent
def _write_lines(out: Bytes, at: Int, task: Int, program: Program, trace: Trace) -> Int:
    """Write a line `rule@place word` for each step and one for the end.

    The task `next_rule` has a line `rule -` for each rule that does not match, up to the one that
    does, whose line is `rule@place`.
    """
    if task == NEXT_RULE:
        for rule in range(program.head[N_RULES]):
            at = write_integer(out, at, np.int64(rule + 1))
            place = _place(program, rule, trace)
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
