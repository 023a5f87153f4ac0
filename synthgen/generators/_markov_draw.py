"""Kernels that draw problems: programs and words are tried until a run is as asked."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.derivation import Codes
from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.randomness import draw_bits
from synthgen.generators._markov_codes import COUNT, FIRST, write_problem
from synthgen.generators._markov_engine import (
    BLOCKED,
    DECOYS,
    N_RULES,
    PRIORITY,
    STATUS,
    STEPS,
    STOPPED,
    STRATEGY,
    Numbers,
    Program,
    Trace,
    run_program,
)
from synthgen.generators._markov_measure import N_AXES, measure_problem
from synthgen.generators._markov_rules import Settings, below, chance, draw_program
from synthgen.generators._markov_symbols import APPLY_K, NEXT_RULE, STATUS_TASK, STRING

ATTEMPTS = 64
"""Programs tried for one address before it is given up as invalid."""
_NONE_SHARE = 0.125
"""Share of the questions for the next rule, where it can be, whose answer is that none fires."""


@njit(cache=True, nogil=True)
def draw_problems(
    keys: NDArray[np.uint64], s: Settings, program: Program, trace: Trace, room: Int
) -> tuple[Codes, Numbers, NDArray[np.bool_], NDArray[np.int16], Numbers]:
    """Draw the problem of every row; return codes, offsets, validity, axes and bounds.

    Each row has a target, a number of steps (or a status, for the task of that), and the first
    `steer` attempts are searched for what comes closest to it; from then on the first run that is
    as asked is taken. An invalid row holds the empty string.

    Args:
        keys: of the rows.
        s: what to draw.
        program: room for one.
        trace: room for one.
        room: most codes of a problem.
    """
    n = len(keys)
    codes = np.empty(n * 64 + room, np.uint16)
    offsets = np.zeros(n + 1, np.int64)
    valid = np.zeros(n, np.bool_)
    axes = np.zeros((N_AXES, n), np.int16)
    bounds = np.zeros(n, np.int64)
    cursor = np.zeros(1, np.int64)
    part = np.zeros(2, np.int64)
    at: Int = np.int64(0)
    for i in range(n):
        if at + room > len(codes):
            larger = np.empty(2 * len(codes), np.uint16)
            larger[:at] = codes[:at]
            codes = larger
        if _search(keys[i], cursor, s, program, trace):
            valid[i] = True
            _choose_part(keys[i], cursor, s, program, trace, part)
            limits = (s.steps[1], s.max_length)
            at = write_problem(codes, at, s.task, limits, program, trace, part)
            bounds[i] = measure_problem(axes[:, i], s.task, program, trace, part)
        else:
            codes[at] = STRING
            at += 1
        offsets[i + 1] = at
    return codes[:at], offsets, valid, axes, bounds


@lent
def _search(key: np.uint64, cursor: Numbers, s: Settings, program: Program, trace: Trace) -> bool:
    """Leave a program and its run that are as asked in their rooms; false if none was found."""
    cursor[0] = ATTEMPTS
    if s.task == STATUS_TASK:
        target = s.statuses[below(key, cursor, len(s.statuses))]
    else:
        target = s.steps[0] + below(key, cursor, s.steps[1] - s.steps[0] + 1)
    best: Int = np.int64(-1)
    nearest: Int = np.int64(0)
    for attempt in range(ATTEMPTS):
        if attempt >= s.steer and best >= 0:
            break
        if not _attempt(draw_bits(key, attempt), cursor, s, program, trace):
            continue
        distance: Int = np.int64(0)
        if s.task == STATUS_TASK:
            distance = np.int64(trace.outcome[STATUS] != target)
        else:
            distance = abs(trace.outcome[STEPS] - target)
            longer = s.task == APPLY_K and trace.outcome[STEPS] >= target
            if longer or distance * 8 <= target:
                distance = np.int64(0)
        if best < 0 or distance < nearest:
            best, nearest = np.int64(attempt), distance
        if attempt >= s.steer or distance == 0:
            return True
    if best < 0:
        return False
    return _attempt(draw_bits(key, best), cursor, s, program, trace)


@lent
def _attempt(key: np.uint64, cursor: Numbers, s: Settings, program: Program, trace: Trace) -> bool:
    """Draw a program and a word, run them, and say whether the run is as asked."""
    cursor[0] = 0
    if not draw_program(key, cursor, s, program):
        return False
    size = s.word[0] + below(key, cursor, s.word[1] - s.word[0] + 1)
    for k in range(size):
        trace.words[k] = s.letters[below(key, cursor, s.n_data)]
    trace.starts[0], trace.starts[1] = 0, size
    run_program(program, trace, s.steps[1], s.max_length)
    steps = trace.outcome[STEPS]
    asked = False
    for status in s.statuses:
        asked = asked or trace.outcome[STATUS] == status
    if not asked or steps < s.steps[0]:
        return False
    fired: Int = np.int64(0)
    for t in range(steps):
        fired |= np.int64(1) << trace.rules[t]
    if fired & program.head[DECOYS] != 0:
        return False
    distinct: Int = np.int64(0)
    for rule in range(program.head[N_RULES]):
        distinct += (fired >> rule) & 1
    if distinct < s.min_fired:
        return False
    return s.trivial == 1 or trace.outcome[STATUS] > STOPPED or _changes(trace, steps)


@lent
def _changes(trace: Trace, step: Int) -> bool:
    """Say whether the word after a step is another one than the first."""
    begin, size = trace.starts[step], trace.starts[1]
    if trace.starts[step + 1] - begin != size:
        return True
    for k in range(size):
        if trace.words[k] != trace.words[begin + k]:
            return True
    return False


@lent
def _choose_part(
    key: np.uint64, cursor: Numbers, s: Settings, program: Program, trace: Trace, part: Numbers
) -> None:
    """Choose what is asked: from which word of the run on, and for how many steps.

    The next rule is asked for one of the rules that fired, each equally likely, at one of the words
    that it fires on; a word in the middle of a run can stand alone only by `markov_priority`.
    """
    steps = trace.outcome[STEPS]
    part[FIRST], part[COUNT] = 0, steps
    cursor[0] = ATTEMPTS
    if s.task == APPLY_K:
        target = s.steps[0] + below(key, cursor, s.steps[1] - s.steps[0] + 1)
        if target < steps and (s.trivial == 1 or _changes(trace, target)):
            part[COUNT] = target
    if s.task != NEXT_RULE:
        return
    cursor[0] = ATTEMPTS + 1
    part[COUNT] = min(steps, 1)
    if program.head[STRATEGY] != PRIORITY or steps == 0:
        return
    if trace.outcome[STATUS] == BLOCKED and chance(key, cursor, _NONE_SHARE):
        part[FIRST], part[COUNT] = steps, 0
        return
    fired: Int = np.int64(0)
    distinct: Int = np.int64(0)
    for t in range(steps):
        distinct += np.int64((fired >> trace.rules[t]) & 1 == 0)
        fired |= np.int64(1) << trace.rules[t]
    chosen = below(key, cursor, distinct)
    rule = -1
    for _ in range(chosen + 1):
        rule += 1
        while (fired >> rule) & 1 == 0:
            rule += 1
    seen = 0
    for t in range(steps):
        if trace.rules[t] == rule:
            seen += 1
            if below(key, cursor, seen) == 0:
                part[FIRST] = t
