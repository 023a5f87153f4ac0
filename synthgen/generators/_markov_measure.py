"""The axes of rewriting problems, and bounds on the steps of programs that must halt."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.conditions import bounded, equal_to, one_of
from synthgen.core.contract import Axis
from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.generators._markov_codes import COUNT, FIRST
from synthgen.generators._markov_confluence import CONFLUENCE
from synthgen.generators._markov_engine import (
    LHS,
    LHS_SIZE,
    LOOP,
    LOOP_START,
    MOST_RULES,
    MOST_SIDE,
    N_RULES,
    OPEN,
    RHS,
    RHS_SIZE,
    SCOPE,
    SCOPES,
    STATUS,
    STATUSES,
    STOP,
    STRATEGIES,
    STRATEGY,
    Letters,
    Numbers,
    Program,
    Trace,
)
from synthgen.generators._markov_rules import FREE, ORDERING, SHORTENING, SHORTLEX, TERMINATING
from synthgen.generators._markov_symbols import APPLY_K, LETTERS, NEXT_RULE, RUN, TASKS

MEASURED = (
    *("question", "status", "strategy", "scope", "terminating"),
    *("n_steps", "n_rules", "n_fired", "has_stop", "n_stop_rules"),
    *("word_length", "answer_length", "longest_word", "longest_side"),
    *("loop_start", "loop_length", "first_rule", "first_place", "first_bin", "n_adjacent"),
)
N_AXES = len(MEASURED)
_TASK, _STATUS, _STRATEGY, _SCOPE, _TERMINATING = range(5)
_N_STEPS, _N_RULES, _N_FIRED, _HAS_STOP, _N_STOP_RULES = range(5, 10)
_WORD_LENGTH, _ANSWER_LENGTH, _LONGEST_WORD, _LONGEST_SIDE = range(10, 14)
_LOOP_START, _LOOP_LENGTH, _FIRST_RULE, _FIRST_PLACE, _FIRST_BIN, _N_ADJACENT = range(14, N_AXES)
_MIXED = len(SCOPES)
MOST_BOUND = 1 << 62
_WHOLE_RUNS = ("run", "status", "apply_k")
CONDITIONS = {
    "question": equal_to("task"),
    "status": one_of("statuses", task=("run", "status")),
    "strategy": one_of("strategies"),
    "scope": one_of("scopes"),
    "n_steps": bounded("min_steps", "max_steps", task=_WHOLE_RUNS),
    "n_rules": bounded("min_rules", "max_rules"),
    "word_length": bounded("min_word", "max_word", task=_WHOLE_RUNS),
}


def problem_axes(rules: tuple[int, int], max_steps: int, max_length: int) -> dict[str, Axis]:
    """Return the axes of problems with these numbers of rules, within these limits."""
    least, most = rules
    sides = MOST_SIDE
    return {
        "question": Axis("what is asked, the param `task`", values=TASKS),
        "status": Axis("how the run ends; open where it need not", values=STATUSES),
        "strategy": Axis("how the rule of a step is chosen", values=STRATEGIES),
        "scope": Axis("what a step replaces", values=(*SCOPES, "mixed")),
        "terminating": Axis("why every run of the program halts, if known", values=TERMINATING),
        "n_steps": Axis("steps that the answer takes", low=0, high=max_steps),
        "n_rules": Axis("rules of the program", low=least, high=most),
        "n_fired": Axis("different rules that fire", low=0, high=most),
        "has_stop": Axis("the program has a stop rule", low=0, high=1),
        "n_stop_rules": Axis("stop rules of the program", low=0, high=most),
        "word_length": Axis("letters of the word", low=0, high=max_length),
        "answer_length": Axis("letters of the answer, 0 if it is no word", low=0, high=max_length),
        "longest_word": Axis("letters of the longest word of all steps", low=0, high=max_length),
        "longest_side": Axis("letters of the longest side of a rule", low=0, high=sides),
        "loop_start": Axis("steps before the loop, -1 if there is none", low=-1, high=max_steps),
        "loop_length": Axis("steps of the loop, 0 if there is none", low=0, high=max_steps),
        "first_rule": Axis("rule that fires first, from 1, or 0", low=0, high=MOST_RULES),
        "first_place": Axis("where it matches, from 0, or -1", low=-1, high=max_length),
        "first_bin": Axis("tenth of its possible places that this is in, or -1", low=-1, high=9),
        "n_adjacent": Axis("pairs of rules that fire one after the other", low=0, high=most**2),
        "n_needed": Axis("rules without which the answer is another one", low=0, high=most),
        "confluent": Axis("all orders of rules and places have one result", values=CONFLUENCE),
        "bound": Axis("steps that the program can take at most, 0 if unknown", "int64", low=0),
    }


@njit(cache=True, nogil=True)
def measure_problem(
    axes: NDArray[np.int16], task: Int, program: Program, trace: Trace, part: Numbers
) -> Int:
    """Fill the axes MEASURED of one problem and return its bound."""
    first, count = part[FIRST], part[COUNT]
    n = program.head[N_RULES]
    axes[_TASK], axes[_STRATEGY], axes[_N_RULES] = task, program.head[STRATEGY], n
    axes[_STATUS] = OPEN if task == NEXT_RULE or task == APPLY_K else trace.outcome[STATUS]
    axes[_N_STEPS] = count
    axes[_SCOPE] = program.rules[0, SCOPE]
    for i in range(n):
        rule = program.rules[i]
        if rule[SCOPE] != program.rules[0, SCOPE]:
            axes[_SCOPE] = _MIXED
        axes[_N_STOP_RULES] += rule[STOP]
        axes[_LONGEST_SIDE] = max(axes[_LONGEST_SIDE], rule[LHS_SIZE], rule[RHS_SIZE])
    axes[_HAS_STOP] = axes[_N_STOP_RULES] > 0
    fired: Int = np.int64(0)
    for t in range(first, first + count):
        axes[_N_FIRED] += (fired >> trace.rules[t]) & 1 == 0
        fired |= np.int64(1) << trace.rules[t]
    axes[_N_ADJACENT] = _adjacent_pairs(trace.rules, first, first + count)
    last_word = first if task == NEXT_RULE else first + count
    for t in range(first, last_word + 1):
        size = trace.starts[t + 1] - trace.starts[t]
        axes[_LONGEST_WORD] = max(axes[_LONGEST_WORD], size)
        if t == first:
            axes[_WORD_LENGTH] = size
        if t == last_word and (task == RUN or task == APPLY_K):
            axes[_ANSWER_LENGTH] = size
    axes[_LOOP_START] = -1
    if axes[_STATUS] == LOOP:
        axes[_LOOP_START] = trace.outcome[LOOP_START]
        axes[_LOOP_LENGTH] = count - trace.outcome[LOOP_START]
    axes[_FIRST_PLACE] = axes[_FIRST_BIN] = -1
    if count > 0:
        axes[_FIRST_RULE] = trace.rules[first] + 1
        axes[_FIRST_PLACE] = trace.places[first]
        size = axes[_WORD_LENGTH] - program.rules[trace.rules[first], LHS_SIZE]
        axes[_FIRST_BIN] = 10 * trace.places[first] // (size + 1)
    axes[_TERMINATING] = why_halting(program)
    begin, end = trace.starts[first], trace.starts[first + 1]
    return most_steps(program, trace.words, begin, end, np.int64(axes[_TERMINATING]))


@njit(cache=True, nogil=True)
def _adjacent_pairs(rules: Numbers, begin: Int, end: Int) -> Int:
    """Return how many different pairs of neighbours rules[begin:end] has."""
    after = np.zeros(MOST_RULES, np.int64)
    pairs: Int = np.int64(0)
    for t in range(begin + 1, end):
        bit = np.int64(1) << rules[t]
        pairs += np.int64(after[rules[t - 1]] & bit == 0)
        after[rules[t - 1]] |= bit
    return pairs


@lent
def _inversions(letters: Letters, begin: Int, size: Int) -> Int:
    count: Int = np.int64(0)
    for a in range(begin, begin + size):
        for b in range(a + 1, begin + size):
            count += np.int64(letters[a] > letters[b])
    return count


@lent
def why_halting(program: Program) -> Int:
    """Return what each rule makes smaller, FREE if there is no such measure."""
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
        fewer = ordering and _inversions(sides, right, size) < _inversions(sides, left, size)
        ordering = bool(fewer and _same_letters(sides, left, right, size))
    if shortening:
        return np.int64(SHORTENING)
    if ordering:
        return np.int64(ORDERING)
    return np.int64(SHORTLEX if shortlex else FREE)


@lent
def _same_letters(sides: Letters, left: Int, right: Int, size: Int) -> bool:
    for k in range(size):
        count = 0
        for j in range(size):
            count += sides[left + j] == sides[left + k]
            count -= sides[right + j] == sides[left + k]
        if count != 0:
            return False
    return True


@njit(cache=True, nogil=True)
def most_steps(program: Program, words: Letters, begin: Int, end: Int, why: Int) -> Int:
    """Return how many steps a run on words[begin:end] can take at most, 0 if nothing is known.

    Its letters, if every step makes it shorter; its pairs of letters in the wrong order; or how
    many words over the problem's letters come before it, shorter ones first.
    """
    if why == SHORTENING:
        return np.int64(end - begin)
    if why == ORDERING:
        return _inversions(words, begin, end - begin)
    if why == FREE:
        return np.int64(0)
    used = np.zeros(len(LETTERS), np.int64)
    for at in range(begin, end):
        used[words[at]] = 1
    for i in range(program.head[N_RULES]):
        rule = program.rules[i]
        for k in range(rule[LHS], rule[LHS] + rule[LHS_SIZE] + rule[RHS_SIZE]):
            used[program.sides[k]] = 1
    base = used.sum()
    shorter: Int = np.int64(0)
    value: Int = np.int64(0)
    for at in range(begin, end):
        if max(shorter, value) > MOST_BOUND // (4 * base):
            return np.int64(MOST_BOUND)
        shorter = shorter * base + 1
        value = value * base + used[: words[at]].sum()
    return np.int64(shorter + value)
