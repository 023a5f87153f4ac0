"""Kernels that measure problems: axes, bounds on steps, rules that are needed, confluence."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from synthgen.core.byte_spans import copy_bytes
from synthgen.core.kernels import Int, inner, jit
from synthgen.families.markov.engine import (
    ANY,
    APPLY_K,
    BLOCKED,
    LEFTMOST,
    LHS,
    LHS_SIZE,
    LOOP,
    LOOP_START,
    MAX_LENGTH,
    MAX_RULES,
    MAX_SIDE,
    MAX_STEPS,
    N_RULES,
    NEXT_RULE,
    OPEN,
    PARALLEL,
    PRIORITY,
    RHS,
    RHS_SIZE,
    RUN,
    SCOPE,
    SCOPES,
    STATUS,
    STATUS_TASK,
    STEPS,
    STOP,
    STOPPED,
    STRATEGY,
    Letters,
    Numbers,
    Program,
    Trace,
    count_bits,
    empty_program,
    empty_trace,
    fired_rules,
    match_place,
    run_problem,
    run_program,
    same_letters,
)
from synthgen.trees.derivations import Codes

TERMINATING = ("none", "length", "order", "shortlex")
FREE, SHORTENING, ORDERING, SHORTLEX = range(4)
"""Measures that every rule of a program reduces."""
CONFLUENCE = ("unknown", "no", "yes")
_UNKNOWN, _NO, _YES = range(3)

MEASURED = (
    *("question", "status", "strategy", "scope", "terminating"),
    *("n_steps", "n_rules", "n_fired", "has_stop", "n_stop_rules"),
    *("word_length", "answer_length", "longest_word", "longest_side"),
    *("answer_letters", "n_growing", "feeds_itself"),
    *("loop_start", "loop_length", "first_rule", "first_place", "first_bin", "n_adjacent"),
)
"""Axes in the order in which a kernel fills them."""
N_AXES = len(MEASURED)
_QUESTION, _STATUS, _STRATEGY, _SCOPE, _TERMINATING = range(5)
_N_STEPS, _N_RULES, _N_FIRED, _HAS_STOP, _N_STOP_RULES = range(5, 10)
_WORD_LENGTH, _ANSWER_LENGTH, _LONGEST_WORD, _LONGEST_SIDE = range(10, 14)
_ANSWER_LETTERS, _N_GROWING, _FEEDS_ITSELF = range(14, 17)
_LOOP_START, _LOOP_LENGTH, _FIRST_RULE, _FIRST_PLACE, _FIRST_BIN, _N_ADJACENT = range(17, N_AXES)
_MIXED = len(SCOPES)
_MAX_BOUND = 1 << 62
_MORE_STEPS, _MORE_LETTERS = 100, 20
"""Added to twice the steps and letters: limits of a program without one of its rules."""


@inner
def measure_problem(
    axes: NDArray[np.int16], task: Int, program: Program, trace: Trace, part: tuple[Int, Int]
) -> Int:
    """Fill the axes of a problem about a part of a run (first step, steps); return its bound."""
    first, count = part
    axes[_QUESTION], axes[_STRATEGY] = task, program.head[STRATEGY]
    axes[_STATUS] = OPEN if task == NEXT_RULE or task == APPLY_K else trace.outcome[STATUS]
    axes[_N_STEPS] = count
    _measure_rules(axes, program)
    fired: Int = fired_rules(trace, first, first + count)
    axes[_N_FIRED] = count_bits(fired)
    for rule in range(program.head[N_RULES]):
        if (fired >> rule) & 1 == 0:
            continue
        after: Int = np.int64(0)
        for t in range(first + 1, first + count):
            if trace.rules[t - 1] == rule:
                after |= np.int64(1) << trace.rules[t]
        axes[_N_ADJACENT] += count_bits(after)
    last_word = first if task == NEXT_RULE else first + count
    for t in range(first, last_word + 1):
        axes[_LONGEST_WORD] = max(axes[_LONGEST_WORD], trace.starts[t + 1] - trace.starts[t])
    begin, end = trace.starts[first], trace.starts[first + 1]
    axes[_WORD_LENGTH] = end - begin
    if task == RUN or task == APPLY_K:
        axes[_ANSWER_LENGTH] = trace.starts[last_word + 1] - trace.starts[last_word]
        seen: Int = _used(trace.words, trace.starts[last_word], trace.starts[last_word + 1])
        axes[_ANSWER_LETTERS] = count_bits(seen)
    axes[_LOOP_START] = -1
    if axes[_STATUS] == LOOP:
        axes[_LOOP_START] = trace.outcome[LOOP_START]
        axes[_LOOP_LENGTH] = count - trace.outcome[LOOP_START]
    axes[_FIRST_PLACE] = axes[_FIRST_BIN] = -1
    if count > 0:
        axes[_FIRST_RULE] = trace.rules[first] + 1
        axes[_FIRST_PLACE] = trace.places[first]
        size = end - begin - program.rules[trace.rules[first], LHS_SIZE]
        axes[_FIRST_BIN] = 10 * trace.places[first] // (size + 1)
    return _most_steps(program, trace.words, begin, end, np.int64(axes[_TERMINATING]))


@inner
def _measure_rules(axes: NDArray[np.int16], program: Program) -> None:
    axes[_N_RULES] = program.head[N_RULES]
    axes[_SCOPE] = program.rules[0, SCOPE]
    for i in range(program.head[N_RULES]):
        rule = program.rules[i]
        if rule[SCOPE] != program.rules[0, SCOPE]:
            axes[_SCOPE] = _MIXED
        axes[_N_STOP_RULES] += rule[STOP]
        axes[_N_GROWING] += rule[RHS_SIZE] > rule[LHS_SIZE]
        axes[_FEEDS_ITSELF] |= feeds_itself(rule, program.sides)
        axes[_LONGEST_SIDE] = max(axes[_LONGEST_SIDE], rule[LHS_SIZE], rule[RHS_SIZE])
    axes[_HAS_STOP] = axes[_N_STOP_RULES] > 0
    axes[_TERMINATING] = _why_halting(program)


@inner
def feeds_itself(rule: Numbers, sides: Letters) -> bool:
    """Return whether the left side of a rule occurs in its own right side."""
    for begin in range(rule[RHS], rule[RHS] + rule[RHS_SIZE] - rule[LHS_SIZE] + 1):
        if same_letters(sides, begin, sides, rule[LHS], rule[LHS_SIZE]):
            return True
    return False


@inner
def inversions(letters: Letters, begin: Int, size: Int) -> Int:
    """Return the number of pairs of letters in the wrong order."""
    count: Int = np.int64(0)
    for a in range(begin, begin + size):
        for b in range(a + 1, begin + size):
            count += np.int64(letters[a] > letters[b])
    return count


@inner
def _why_halting(program: Program) -> Int:
    """Return the measure that every rule reduces, FREE if there is none."""
    shortening, ordering, shortlex = True, True, True
    sides = program.sides
    for i in range(program.head[N_RULES]):
        rule = program.rules[i]
        left, right, size = rule[LHS], rule[RHS], rule[LHS_SIZE]
        if rule[RHS_SIZE] > size:
            return np.int64(FREE)
        if rule[RHS_SIZE] < size:
            ordering = False
            continue
        shortening = False
        k = 0
        while k < size and sides[left + k] == sides[right + k]:
            k += 1
        shortlex = bool(shortlex and k < size and sides[right + k] < sides[left + k])
        fewer = ordering and inversions(sides, right, size) < inversions(sides, left, size)
        ordering = bool(fewer and _are_rearranged(sides, left, right, size))
    if shortening:
        return np.int64(SHORTENING)
    if ordering:
        return np.int64(ORDERING)
    return np.int64(SHORTLEX if shortlex else FREE)


@inner
def _are_rearranged(sides: Letters, left: Int, right: Int, size: Int) -> bool:
    """Return whether two sides have the same letters, each equally often."""
    for k in range(size):
        count = 0
        for j in range(size):
            count += sides[left + j] == sides[left + k]
            count -= sides[right + j] == sides[left + k]
        if count != 0:
            return False
    return True


@inner
def _used(letters: Letters, begin: Int, end: Int) -> Int:
    """Return a bit for each letter that occurs."""
    used: Int = np.int64(0)
    for at in range(begin, end):
        used |= np.int64(1) << np.int64(letters[at])
    return used


@inner
def _most_steps(program: Program, words: Letters, begin: Int, end: Int, why: Int) -> Int:
    """Return the largest number of steps a run on words[begin:end] can take, 0 if unknown.

    The bound is the number of letters, if every step makes the word shorter; or its inversions; or
    the number of words over the problem's letters that come before it, shorter ones first.
    """
    if why == SHORTENING:
        return np.int64(end - begin)
    if why == ORDERING:
        return inversions(words, begin, end - begin)
    if why == FREE:
        return np.int64(0)
    used = _used(words, begin, end)
    for i in range(program.head[N_RULES]):
        rule = program.rules[i]
        used |= _used(program.sides, rule[LHS], rule[RHS] + rule[RHS_SIZE])
    base = count_bits(used)
    shorter: Int = np.int64(0)
    value: Int = np.int64(0)
    for at in range(begin, end):
        if max(shorter, value) > _MAX_BOUND // (4 * base):
            return np.int64(_MAX_BOUND)
        shorter = shorter * base + 1
        value = value * base + count_bits(used & ((np.int64(1) << np.int64(words[at])) - 1))
    return np.int64(shorter + value)


# Rules that are needed for the answer.


def needed_and_confluent(codes: Codes, offsets: Numbers) -> tuple[NDArray[np.int16], ...]:
    """Return the number of rules that each problem needs, and its confluence."""
    other = empty_trace(2 * MAX_STEPS + _MORE_STEPS, 2 * MAX_LENGTH + _MORE_LETTERS)
    room = (empty_program(), empty_trace(), other)
    return _needed_and_confluent(codes, offsets, *room)


@jit
def _needed_and_confluent(
    codes: Codes, offsets: Numbers, program: Program, trace: Trace, other: Trace
) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    n = len(offsets) - 1
    fewer = Program(np.empty((MAX_RULES, 6), np.int64), program.sides, np.empty(3, np.int64))
    words = np.empty((3, 2 * MAX_SIDE), np.uint8)
    needed = np.zeros(n, np.int16)
    confluent = np.zeros(n, np.int16)
    for i in range(n):
        if offsets[i + 1] - offsets[i] == 1:
            continue
        task, steps, letters = run_problem(codes, offsets[i], program, trace)
        needed[i] = _count_needed((program, fewer), trace, other, task, (steps, letters))
        confluent[i] = _confluence(program, words[0], words[1], words[2])
    return needed, confluent


@inner
def _count_needed(
    programs: tuple[Program, Program],
    trace: Trace,
    other: Trace,
    task: Int,
    limits: tuple[Int, Int],
) -> Int:
    """Return the number of rules that fire in the trace and are needed for the answer.

    A rule is needed if the program without it gives another answer, or none: for the task `run`,
    none within twice the steps of the trace plus 100 and twice its letters plus 20.
    """
    program, fewer = programs
    steps = trace.outcome[STEPS]
    fired: Int = fired_rules(trace, np.int64(0), steps)
    if task == NEXT_RULE:
        return count_bits(fired)
    if task == RUN:
        longest: Int = np.int64(0)
        for t in range(steps + 1):
            longest = max(longest, trace.starts[t + 1] - trace.starts[t])
        limits = (2 * steps + _MORE_STEPS, 2 * longest + _MORE_LETTERS)
    ranked = program.head[STRATEGY] == PRIORITY or program.head[STRATEGY] == ANY
    needed: Int = np.int64(0)
    for rule in range(program.head[N_RULES]):
        if (fired >> rule) & 1 == 0:
            continue
        same: Int = np.int64(0)  # steps up to which the run without the rule is the same
        if task == RUN and ranked and program.rules[rule, SCOPE] != PARALLEL:
            while trace.rules[same] != rule:
                same += 1
        begin, end = trace.starts[same], trace.starts[same + 1]
        copy_bytes(other.words, np.int64(0), trace.words, begin, end - begin)
        other.starts[0], other.starts[1] = 0, end - begin
        _leave_out(program, rule, fewer)
        run_program(fewer, other, limits[0] - same, limits[1])
        needed += not _same_answer(trace, other, task, limits[0])
    return needed


@inner
def _leave_out(program: Program, rule: Int, fewer: Program) -> None:
    """Copy a program without one rule into `fewer`, which shares its sides."""
    fewer.head[STRATEGY], fewer.head[N_RULES] = program.head[STRATEGY], program.head[N_RULES] - 1
    for i in range(fewer.head[N_RULES]):
        for column in range(6):
            fewer.rules[i, column] = program.rules[i + np.int64(i >= rule), column]


@inner
def _same_answer(trace: Trace, other: Trace, task: Int, steps: Int) -> bool:
    status, last = other.outcome[STATUS], other.outcome[STEPS]
    if task == STATUS_TASK:
        return bool(trace.outcome[STATUS] == status)
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
    same = other.starts[last + 1] - begin == size
    return bool(same and same_letters(trace.words, at, other.words, begin, size))


# Confluence (Knuth and Bendix 1970). If every rule makes the word smaller, all orders lead to one
# result if and only if they do for the critical pairs: the two words that two rules make of the
# shortest word in which they overlap.


@inner
def _confluence(program: Program, first_word: Letters, second_word: Letters, spare: Letters) -> Int:
    """Return whether every word has one result, in whichever order and place rules are used.

    Unknown for rules that stop, have a scope or an empty left side, or may not terminate.
    """
    rules, sides = program.rules, program.sides
    free = _why_halting(program) == FREE
    for i in range(program.head[N_RULES]):
        plain = rules[i, SCOPE] == LEFTMOST and rules[i, STOP] == 0
        if free or not plain or rules[i, LHS_SIZE] == 0:
            return np.int64(_UNKNOWN)
    answer, start = np.int64(_YES), np.int64(0)
    for i in range(program.head[N_RULES]):
        for j in range(program.head[N_RULES]):
            size, inner = rules[i, LHS_SIZE], rules[j, LHS_SIZE]
            for at in range(np.int64(i == j), size):
                shared = min(size - at, inner)
                if not same_letters(sides, rules[i, LHS] + at, sides, rules[j, LHS], shared):
                    continue
                # Either the left side of i reaches beyond that of j, or j beyond i.
                rest, more = max(size - at - inner, 0), max(at + inner - size, 0)
                first = rules[i, RHS_SIZE]
                copy_bytes(first_word, start, sides, rules[i, RHS], first)
                copy_bytes(first_word, first, sides, rules[j, LHS] + inner - more, more)
                second = at + rules[j, RHS_SIZE]
                copy_bytes(second_word, start, sides, rules[i, LHS], at)
                copy_bytes(second_word, at, sides, rules[j, RHS], second - at)
                copy_bytes(second_word, second, sides, rules[i, LHS] + size - rest, rest)
                first, second = first + more, second + rest
                first = _reduce(program, first_word, first, spare)
                second = _reduce(program, second_word, second, spare)
                if first < 0 or second < 0:
                    answer = np.int64(_UNKNOWN)
                elif first != second or not same_letters(
                    first_word, start, second_word, start, first
                ):
                    return np.int64(_NO)
    return answer


@inner
def _reduce(program: Program, word: Letters, size: Int, spare: Letters) -> Int:
    """Use rules until none matches; return the letters that remain, -1 for too many steps."""
    rules, sides = program.rules, program.sides
    for _ in range(MAX_STEPS):
        place: Int = np.int64(-1)
        rule = 0
        for number in range(program.head[N_RULES]):
            place = match_place(program, np.int64(number), word, np.int64(0), size)
            if place >= 0:
                rule = number
                break
        if place < 0:
            return size
        rest = place + rules[rule, LHS_SIZE]
        new = rules[rule, RHS_SIZE]
        copy_bytes(spare, np.int64(0), word, rest, size - rest)
        copy_bytes(word, place, sides, rules[rule, RHS], new)
        copy_bytes(word, place + new, spare, np.int64(0), size - rest)
        size += new - rules[rule, LHS_SIZE]
    return np.int64(-1)
