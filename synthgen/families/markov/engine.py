"""Kernels that run rewriting programs, and the codes of their derivations.

A word is a stretch of letter codes. A run keeps all its words, and detects a state that comes back
by comparing hashes, then words.
"""

from __future__ import annotations

from functools import cache
from string import ascii_lowercase, ascii_uppercase, digits
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthgen.core.byte_spans import copy_bytes, same_bytes
from synthgen.core.kernels import Int, inner, kernel
from synthgen.trees.derivations import Codes, Signature

Letters = NDArray[np.uint8]
Numbers = NDArray[np.int64]

SCOPES = (
    *("leftmost", "rightmost", "all_nonoverlap", "all_parallel"),
    *("prefix", "suffix", "whole"),
)
LEFTMOST, RIGHTMOST, ALL, PARALLEL, PREFIX, SUFFIX, WHOLE = range(7)
STRATEGIES = ("markov_priority", "round_robin", "sequential_once", "any_order")
PRIORITY, ROUND_ROBIN, ONCE, ANY = range(4)
"""`any_order` runs as `markov_priority`; in its problems the order makes no difference."""
STATUSES = ("blocked", "stopped", "loop", "budget", "overflow", "open")
BLOCKED, STOPPED, LOOP, BUDGET, OVERFLOW, OPEN = range(6)
"""`open` is the status of a problem whose run does not have to end."""
TASKS = ("run", "next_rule", "status", "apply_k")
RUN, NEXT_RULE, STATUS_TASK, APPLY_K = range(4)

LHS, LHS_SIZE, RHS, RHS_SIZE, STOP, SCOPE = range(6)
"""Columns of a rule: begins of its sides in `sides`, their lengths, whether it stops, scope."""
N_RULES, STRATEGY, DECOYS = range(3)
"""Places of a program's head. DECOYS has a bit for each rule that must not fire."""
STATUS, STEPS, LOOP_START = range(3)
"""Places of a trace's outcome; LOOP_START is -1 without a loop."""
MAX_RULES = 32
MAX_SIDE = 32
MAX_LENGTH = 500
MAX_STEPS = 1000
_HASH_FACTOR = 131
_HASH_MASK = (1 << 40) - 1
_NONE = np.int64(-1)


class Program(NamedTuple):
    """Rules in order, int64 (MAX_RULES, 6), the letters of their sides, and the head."""

    rules: Numbers
    sides: Letters
    head: Numbers


class Trace(NamedTuple):
    """A run: word t is words[starts[t] : starts[t + 1]], made by rules[t - 1] at places[t - 1].

    `pointers` holds the rule with which each search begins, `hashes` the hashes of the states, and
    `outcome` the status, the number of steps and the begin of the loop.
    """

    words: Letters
    starts: Numbers
    rules: Numbers
    places: Numbers
    pointers: Numbers
    hashes: Numbers
    outcome: Numbers


def empty_program() -> Program:
    """Return room for a program."""
    sides = np.zeros(2 * MAX_RULES * MAX_SIDE, np.uint8)
    return Program(np.zeros((MAX_RULES, 6), np.int64), sides, np.zeros(3, np.int64))


def empty_trace(max_steps: int = MAX_STEPS, max_length: int = MAX_LENGTH) -> Trace:
    """Return room for a run within these limits."""
    counts = (max_steps + 2, *(max_steps + 1,) * 4, 3)
    words = np.zeros((max_steps + 1) * max(max_length, 1), np.uint8)
    return Trace(words, *(np.zeros(count, np.int64) for count in counts))


# Running a program.


@inner
def match_place(program: Program, number: Int, words: Letters, begin: Int, end: Int) -> Int:
    """Return the place of a rule's first match in words[begin:end] by its scope, from 0, or -1.

    An empty left side matches before the first letter, or after the last one where the scope
    searches from the right.
    """
    sides, rule = program.sides, program.rules[number]
    side, size, scope = rule[LHS], rule[LHS_SIZE], rule[SCOPE]
    last = end - size
    if last < begin or (scope == WHOLE and last > begin):
        return _NONE
    if scope == RIGHTMOST or scope == SUFFIX:
        for at in range(last, begin - 1 if scope == RIGHTMOST else last - 1, -1):
            if same_letters(words, at, sides, side, size):
                return np.int64(at - begin)
        return _NONE
    for at in range(begin, begin + 1 if scope == PREFIX else last + 1):
        if same_letters(words, at, sides, side, size):
            return np.int64(at - begin)
    return _NONE


@inner
def same_letters(words: Letters, at: Int, sides: Letters, side: Int, size: Int) -> bool:
    """Return whether two stretches of `size` letters are equal; most differ in the first one."""
    for k in range(size):
        if words[at + k] != sides[side + k]:
            return False
    return True


@inner
def _choose_rule(
    program: Program, words: Letters, begin: Int, end: Int, pointer: Int
) -> tuple[Int, Int]:
    """Return the rule that fires on words[begin:end] and the place of its match, or -1 and -1.

    The search begins at rule `pointer`; only `round_robin` wraps around.
    """
    n = program.head[N_RULES]
    for k in range(n if program.head[STRATEGY] == ROUND_ROBIN else n - pointer):
        rule = np.int64(pointer + k)
        if rule >= n:
            rule -= n
        place = match_place(program, rule, words, begin, end)
        if place >= 0:
            return rule, place
    return _NONE, _NONE


@inner
def _replace(program: Program, words: Letters, begin: Int, end: Int, rule: Int, place: Int) -> None:
    """Write words[begin:end] after `end`, with the match at one place replaced."""
    size, new_size = program.rules[rule, LHS_SIZE], program.rules[rule, RHS_SIZE]
    copy_bytes(words, end, words, begin, place)
    copy_bytes(words, end + place, program.sides, program.rules[rule, RHS], new_size)
    rest = begin + place + size
    copy_bytes(words, end + place + new_size, words, rest, end - rest)


@inner
def _replace_all(
    program: Program, words: Letters, begin: Int, end: Int, rule: Int, max_length: Int
) -> Int:
    """Write words[begin:end] after `end`, with all matches from left to right replaced.

    A rule with scope `all_parallel` acts together with all rules of this scope: at each place the
    first of them that matches there. Returns the length, -1 if it exceeds `max_length`.
    """
    rules, sides = program.rules, program.sides
    first, last = rule, rule + 1
    if rules[rule, SCOPE] == PARALLEL:
        first, last = np.int64(0), program.head[N_RULES]
    length: Int = np.int64(0)
    at = begin
    while at < end:
        fires = _NONE
        for k in range(first, last):
            size = rules[k, LHS_SIZE]
            if rules[k, SCOPE] != rules[rule, SCOPE] or size == 0 or at + size > end:
                continue
            if same_letters(words, at, sides, rules[k, LHS], size):
                fires = np.int64(k)
                break
        added = np.int64(1) if fires < 0 else rules[fires, RHS_SIZE]
        if length + added > max_length:
            return _NONE
        if fires < 0:
            words[end + length] = words[at]
            at += 1
        else:
            copy_bytes(words, end + length, sides, rules[fires, RHS], added)
            at += rules[fires, LHS_SIZE]
        length += added
    return length


@inner
def _earlier(trace: Trace, t: Int) -> Int:
    """Record the hash of the state after step t; return the earlier step with this state, or -1."""
    words, starts, pointers = trace.words, trace.starts, trace.pointers
    begin, size = starts[t], starts[t + 1] - starts[t]
    code: Int = pointers[t] + 7
    for at in range(begin, begin + size):
        code = (code * _HASH_FACTOR + np.int64(words[at]) + 1) & _HASH_MASK
    trace.hashes[t] = code
    for step in range(t):
        same = trace.hashes[step] == code and pointers[step] == pointers[t]
        if not same or starts[step + 1] - starts[step] != size:
            continue
        if same_bytes(words, begin, words, starts[step], size):
            return np.int64(step)
    return _NONE


@inner
def run_program(program: Program, trace: Trace, max_steps: Int, max_length: Int) -> None:
    """Run on word 0 of the trace, which has at most `max_length` letters.

    After each step, in this order: a stop rule ends as `stopped`; a state that occurred before
    (the word, and by `round_robin` also the rule that is next) as `loop`; no matching rule as
    `blocked`; `max_steps` steps as `budget`; a next word of more than `max_length` letters, which
    is not made, as `overflow`.
    """
    rules, strategy = program.rules, program.head[STRATEGY]
    words, starts, pointers = trace.words, trace.starts, trace.pointers
    pointers[0] = 0
    status = np.int64(OPEN)
    loop_start: Int = _NONE
    t: Int = np.int64(0)
    while status == OPEN:
        if strategy != ONCE:
            loop_start = _earlier(trace, t)
            if loop_start >= 0:
                status = np.int64(LOOP)
                break
        begin, end = starts[t], starts[t + 1]
        rule, place = _choose_rule(program, words, begin, end, pointers[t])
        if rule < 0 or t == max_steps:
            status = np.int64(BLOCKED if rule < 0 else BUDGET)
            break
        if rules[rule, SCOPE] == ALL or rules[rule, SCOPE] == PARALLEL:
            length: Int = _replace_all(program, words, begin, end, rule, max_length)
        else:
            length = end - begin - rules[rule, LHS_SIZE] + rules[rule, RHS_SIZE]
            if length <= max_length:
                _replace(program, words, begin, end, rule, place)
        if length < 0 or length > max_length:
            status = np.int64(OVERFLOW)
            break
        trace.rules[t], trace.places[t] = rule, place
        t += 1
        starts[t + 1] = end + length
        pointers[t] = 0
        if strategy == ONCE or (strategy == ROUND_ROBIN and rule + 1 < program.head[N_RULES]):
            pointers[t] = rule + 1
        if rules[rule, STOP] == 1:
            status = np.int64(STOPPED)
    trace.outcome[STATUS], trace.outcome[STEPS] = status, t
    trace.outcome[LOOP_START] = loop_start


@inner
def fired_rules(trace: Trace, begin: Int, end: Int) -> Int:
    """Return a bit for each rule that fires in steps begin to end - 1."""
    fired: Int = np.int64(0)
    for t in range(begin, end):
        fired |= np.int64(1) << trace.rules[t]
    return fired


@inner
def count_bits(bits: Int) -> Int:
    """Return the number of set bits."""
    count: Int = np.int64(0)
    while bits != 0:
        bits &= bits - 1
        count += 1
    return count


# Derivations: a problem is a tree such as `(run (program2 (rule (string2 b a) (string2 a b))
# (stop_rule (string1 c) string0)) (string4 b b a a))`, for any params.

LETTERS = ascii_lowercase + ascii_uppercase + digits
"""Letters in the order that defines inversions and the dictionary."""
STRING = len(LETTERS)
"""Code of the empty string; add k for a string of k letters."""
_RULE = STRING + MAX_LENGTH + 1
"""Code of a rule of the first scope without stop; add 2 * scope + stop for the others."""
_PROGRAM = _RULE + 2 * len(SCOPES)
"""Code of a program of one rule; add strategy * MAX_RULES + rules - 1 for the others."""
_NUMBER = _PROGRAM + len(STRATEGIES) * MAX_RULES
"""Code of the number 0."""
_MAX_NUMBER = max(MAX_STEPS, MAX_LENGTH)
_TASK = _NUMBER + _MAX_NUMBER + 1
_TASK_ARITIES = (2, 2, 4, 3)

Question = tuple[Int, Int, Int]
"""The task, and the limits on steps and letters of its run, which some prompts state."""


@cache
def signature() -> Signature:
    """Return the vocabulary of all programs."""
    names, arities = list(LETTERS), [0] * len(LETTERS)
    names += [f"string{length}" for length in range(MAX_LENGTH + 1)]
    arities += range(MAX_LENGTH + 1)
    for scope in SCOPES:
        suffix = "" if scope == SCOPES[0] else f"_{scope}"
        names += [f"rule{suffix}", f"stop_rule{suffix}"]
        arities += [2, 2]
    for strategy in STRATEGIES:
        name = "program" if strategy == STRATEGIES[0] else strategy
        names += [f"{name}{count}" for count in range(1, MAX_RULES + 1)]
        arities += range(1, MAX_RULES + 1)
    names += [f"#{number}" for number in range(_MAX_NUMBER + 1)]
    arities += [0] * (_MAX_NUMBER + 1)
    return Signature((*names, *TASKS), (*arities, *_TASK_ARITIES))


@inner
def write_problem(
    codes: Codes, at: Int, question: Question, program: Program, trace: Trace, step: Int
) -> Int:
    """Write a problem about the word after a step of the trace; return the end of its codes."""
    task, first, second = question
    codes[at] = _TASK + task
    at += 1
    if task == STATUS_TASK or task == APPLY_K:
        codes[at] = _NUMBER + first
        at += 1
    if task == STATUS_TASK:
        codes[at] = _NUMBER + second
        at += 1
    n = program.head[N_RULES]
    codes[at] = _PROGRAM + program.head[STRATEGY] * MAX_RULES + n - 1
    at += 1
    for i in range(n):
        rule = program.rules[i]
        codes[at] = _RULE + 2 * rule[SCOPE] + rule[STOP]
        at = _write_string(codes, at + 1, program.sides, rule[LHS], rule[LHS_SIZE])
        at = _write_string(codes, at, program.sides, rule[RHS], rule[RHS_SIZE])
    begin = trace.starts[step]
    return _write_string(codes, at, trace.words, begin, trace.starts[step + 1] - begin)


@inner
def _write_string(codes: Codes, at: Int, letters: Letters, begin: Int, size: Int) -> Int:
    codes[at] = STRING + size
    for k in range(size):
        codes[at + 1 + k] = letters[begin + k]
    return at + 1 + size


@kernel
def run_problem(codes: Codes, at: Int, program: Program, trace: Trace) -> Question:
    """Read the problem at `at`, and run it; only one step for `next_rule`."""
    task, steps, letters = _read_problem(codes, at, program, trace)
    run_program(program, trace, steps, letters)
    return task, steps, letters


@inner
def _read_problem(codes: Codes, at: Int, program: Program, trace: Trace) -> Question:
    """Read the problem at `at`: its question, its program, and its word as word 0 of the trace."""
    task = np.int64(codes[at]) - _TASK
    at += 1
    steps: Int = np.int64(1 if task == NEXT_RULE else MAX_STEPS)
    letters: Int = np.int64(MAX_LENGTH)
    if task == STATUS_TASK or task == APPLY_K:
        steps = np.int64(codes[at]) - _NUMBER
        at += 1
    if task == STATUS_TASK:
        letters = np.int64(codes[at]) - _NUMBER
        at += 1
    kind = np.int64(codes[at]) - _PROGRAM
    program.head[STRATEGY], program.head[N_RULES] = kind // MAX_RULES, kind % MAX_RULES + 1
    at += 1
    side: Int = np.int64(0)
    for i in range(program.head[N_RULES]):
        rule = program.rules[i]
        kind = np.int64(codes[at]) - _RULE
        rule[SCOPE], rule[STOP], rule[LHS] = kind // 2, kind % 2, side
        at, side = _read_string(codes, at + 1, program.sides, side)
        rule[LHS_SIZE], rule[RHS] = side - rule[LHS], side
        at, side = _read_string(codes, at, program.sides, side)
        rule[RHS_SIZE] = side - rule[RHS]
    trace.starts[0] = 0
    at, trace.starts[1] = _read_string(codes, at, trace.words, np.int64(0))
    return task, steps, letters


@inner
def _read_string(codes: Codes, at: Int, letters: Letters, begin: Int) -> tuple[Int, Int]:
    """Read a string to `begin`; return the next places of the codes and the letters."""
    size = np.int64(codes[at]) - STRING
    for k in range(size):
        letters[begin + k] = codes[at + 1 + k]
    return at + 1 + size, begin + size
