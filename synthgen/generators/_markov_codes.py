"""Problems as derivations and back: kernels between symbol codes and programs with their words."""

from __future__ import annotations

import numpy as np

from synthgen.core.derivation import Codes
from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.generators._markov_engine import (
    DECOYS,
    LHS,
    LHS_SIZE,
    MOST_RULES,
    N_RULES,
    RHS,
    RHS_SIZE,
    SCOPE,
    STOP,
    STRATEGY,
    Letters,
    Numbers,
    Program,
    Trace,
)
from synthgen.generators._markov_symbols import (
    APPLY_K,
    NUMBER,
    PROGRAM,
    RULE,
    STATUS_TASK,
    STRING,
    TASK,
)

FIRST, COUNT = range(2)
"""Places of a part of a run: the step whose word is the problem's word, and how many steps."""


@lent
def _write_string(codes: Codes, at: Int, letters: Letters, begin: Int, size: Int) -> Int:
    codes[at] = STRING + size
    for k in range(size):
        codes[at + 1 + k] = letters[begin + k]
    return at + 1 + size


@lent
def write_problem(
    codes: Codes,
    at: Int,
    task: Int,
    limits: tuple[Int, Int],
    program: Program,
    trace: Trace,
    part: Numbers,
) -> Int:
    """Write a problem at `at` and return where it ends.

    Args:
        codes: to write to.
        at: place in them.
        task: what is asked.
        limits: steps and letters, which the task `status` tells.
        program: the rules.
        trace: their run.
        part: of the run that the problem is about.
    """
    codes[at] = TASK + task
    at += 1
    if task == STATUS_TASK:
        codes[at] = NUMBER + limits[0]
        codes[at + 1] = NUMBER + limits[1]
        at += 2
    elif task == APPLY_K:
        codes[at] = NUMBER + part[COUNT]
        at += 1
    n = program.head[N_RULES]
    codes[at] = PROGRAM + program.head[STRATEGY] * MOST_RULES + n - 1
    at += 1
    for i in range(n):
        rule = program.rules[i]
        codes[at] = RULE + 2 * rule[SCOPE] + rule[STOP]
        at = _write_string(codes, at + 1, program.sides, rule[LHS], rule[LHS_SIZE])
        at = _write_string(codes, at, program.sides, rule[RHS], rule[RHS_SIZE])
    begin = trace.starts[part[FIRST]]
    return _write_string(codes, at, trace.words, begin, trace.starts[part[FIRST] + 1] - begin)


@lent
def read_problem(codes: Codes, at: Int, program: Program, trace: Trace) -> tuple[Int, Int, Int]:
    """Read the problem at `at`: its program, and its word as word 0 of the trace.

    Returns:
        The task, and its numbers: steps and letters for `status`, steps and 0 for `apply_k`.
    """
    task = np.int64(codes[at]) - TASK
    at += 1
    first: Int = np.int64(0)
    second: Int = np.int64(0)
    if task == STATUS_TASK or task == APPLY_K:
        first = np.int64(codes[at]) - NUMBER
        at += 1
    if task == STATUS_TASK:
        second = np.int64(codes[at]) - NUMBER
        at += 1
    kind = np.int64(codes[at]) - PROGRAM
    program.head[STRATEGY] = kind // MOST_RULES
    program.head[N_RULES] = kind % MOST_RULES + 1
    program.head[DECOYS] = 0
    at += 1
    side: Int = np.int64(0)
    for i in range(program.head[N_RULES]):
        rule = program.rules[i]
        kind = np.int64(codes[at]) - RULE
        rule[SCOPE], rule[STOP] = kind // 2, kind % 2
        at += 1
        rule[LHS], rule[LHS_SIZE] = side, np.int64(codes[at]) - STRING
        at, side = _read_string(codes, at, program.sides, side)
        rule[RHS], rule[RHS_SIZE] = side, np.int64(codes[at]) - STRING
        at, side = _read_string(codes, at, program.sides, side)
    trace.starts[0] = 0
    at, trace.starts[1] = _read_string(codes, at, trace.words, np.int64(0))
    return task, first, second


@lent
def _read_string(codes: Codes, at: Int, letters: Letters, begin: Int) -> tuple[Int, Int]:
    """Read a string to `begin`; return where the codes and the letters go on."""
    size = np.int64(codes[at]) - STRING
    for k in range(size):
        letters[begin + k] = codes[at + 1 + k]
    return at + 1 + size, begin + size
