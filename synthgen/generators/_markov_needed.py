"""Kernels that count which of the rules that fire are needed for the answer."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.derivation import Codes
from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.generators._markov_codes import read_problem
from synthgen.generators._markov_confluence import confluence
from synthgen.generators._markov_engine import (
    ANY,
    BLOCKED,
    LOOP,
    LOOP_START,
    MOST_LENGTH,
    MOST_STEPS,
    N_RULES,
    PARALLEL,
    PRIORITY,
    SCOPE,
    STATUS,
    STEPS,
    STOPPED,
    STRATEGY,
    Numbers,
    Program,
    Trace,
    empty_trace,
    run_program,
)
from synthgen.generators._markov_measure import why_halting
from synthgen.generators._markov_symbols import APPLY_K, NEXT_RULE, RUN, STATUS_TASK

Limits = tuple[Int, Int]
"""Steps and letters."""
_MORE_STEPS, _MORE_LETTERS = 100, 20


def spare_trace() -> Trace:
    """Return room for a program that lacks a rule: twice the steps and letters, and some more."""
    return empty_trace(2 * MOST_STEPS + _MORE_STEPS, 2 * MOST_LENGTH + _MORE_LETTERS)


@njit(cache=True, nogil=True)
def measure_rules(
    codes: Codes, offsets: Numbers, program: Program, trace: Trace, reduced: Program, other: Trace
) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """Return how many rules each problem needs, and its confluence.

    Args:
        codes: of the problems.
        offsets: of their codes.
        program: room for one.
        trace: room for one, of MOST_STEPS and MOST_LENGTH.
        reduced: further room for a program.
        other: of `spare_trace`.
    """
    n = len(offsets) - 1
    needed = np.zeros(n, np.int16)
    confluent = np.zeros(n, np.int16)
    for i in range(n):
        if offsets[i + 1] - offsets[i] == 1:
            continue
        task, first, second = read_problem(codes, offsets[i], program, trace)
        limits: Limits = (np.int64(MOST_STEPS), np.int64(MOST_LENGTH))
        if task == STATUS_TASK:
            limits = (first, second)
        elif task == APPLY_K or task == NEXT_RULE:
            limits = (first if task == APPLY_K else np.int64(1), np.int64(MOST_LENGTH))
        run_program(program, _with_slots(trace, limits[0]), limits[0], limits[1])
        needed[i] = count_needed(program, trace, reduced, other, task, limits)
        confluent[i] = confluence(program, why_halting(program))
    return needed, confluent


@njit(cache=True, nogil=True)
def count_needed(
    program: Program, trace: Trace, reduced: Program, other: Trace, task: Int, limits: Limits
) -> Int:
    """Return how many of the rules that fire in the trace are needed for the answer.

    A rule is needed if the program without it gives another answer, or none: the run of the task
    `run` is given up beyond twice the steps of the trace and 100, or twice its letters and 20.
    """
    if task == RUN:
        longest = 2 * _longest(trace) + _MORE_LETTERS
        limits = (2 * trace.outcome[STEPS] + _MORE_STEPS, longest)
    other = _with_slots(other, limits[0])
    fired: Int = np.int64(0)
    for t in range(trace.outcome[STEPS]):
        fired |= np.int64(1) << trace.rules[t]
    needed: Int = np.int64(0)
    for rule in range(program.head[N_RULES]):
        if (fired >> rule) & 1 == 0:
            continue
        if task == NEXT_RULE:
            needed += 1
            continue
        same: Int = np.int64(0)
        if task == RUN and _acts_alone(program, rule):
            while trace.rules[same] != rule:
                same += 1
        begin, end = trace.starts[same], trace.starts[same + 1]
        other.words[: end - begin] = trace.words[begin:end]
        other.starts[0], other.starts[1] = 0, end - begin
        run_program(_without(program, rule, reduced), other, limits[0] - same, limits[1])
        needed += not _same_answer(trace, other, task, limits[0])
    return needed


@lent
def _acts_alone(program: Program, rule: Int) -> bool:
    """Say whether a run without the rule is the same up to where the rule fires first."""
    first = program.head[STRATEGY] == PRIORITY or program.head[STRATEGY] == ANY
    return bool(first and program.rules[rule, SCOPE] != PARALLEL)


@lent
def _longest(trace: Trace) -> Int:
    longest: Int = np.int64(0)
    for t in range(trace.outcome[STEPS] + 1):
        longest = max(longest, trace.starts[t + 1] - trace.starts[t])
    return longest


@njit(cache=True, nogil=True)
def _with_slots(trace: Trace, max_steps: Int) -> Trace:
    """Return the trace with no larger a hash table than so many steps need; it is often cleared."""
    slots = 4
    while slots < 2 * (max_steps + 1):
        slots *= 2
    return Trace(
        trace.words,
        trace.starts,
        trace.rules,
        trace.places,
        trace.pointers,
        trace.slots[:slots],
        trace.outcome,
    )


@njit(cache=True, nogil=True)
def _without(program: Program, rule: Int, reduced: Program) -> Program:
    """Return the program without a rule, with its sides and in the room of the other."""
    count = program.head[N_RULES]
    reduced.head[N_RULES], reduced.head[STRATEGY] = count - 1, program.head[STRATEGY]
    reduced.rules[:rule] = program.rules[:rule]
    reduced.rules[rule : count - 1] = program.rules[rule + 1 : count]
    return Program(reduced.rules, program.sides, reduced.head)


@lent
def _same_answer(trace: Trace, other: Trace, task: Int, steps: Int) -> bool:
    status = other.outcome[STATUS]
    if task == STATUS_TASK:
        return bool(trace.outcome[STATUS] == status)
    last = other.outcome[STEPS]
    if task == APPLY_K:
        if status == LOOP:
            start = other.outcome[LOOP_START]
            last = start + (steps - start) % (last - start)
        elif last < steps:
            return False
    elif status != BLOCKED and status != STOPPED:
        return False
    at, begin = trace.starts[trace.outcome[STEPS]], other.starts[last]
    size = trace.starts[trace.outcome[STEPS] + 1] - at
    if other.starts[last + 1] - begin != size:
        return False
    for k in range(size):
        if trace.words[at + k] != other.words[begin + k]:
            return False
    return True
