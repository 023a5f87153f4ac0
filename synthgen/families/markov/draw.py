"""Kernels that draw problems: programs and words are tried until a run meets the params."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthgen.core.kernels import Int, inner, jit
from synthgen.draws.randomness import U64, draw_below, draw_bits
from synthgen.families.markov.engine import (
    ALL,
    ANY,
    APPLY_K,
    BLOCKED,
    DECOYS,
    LEFTMOST,
    LHS,
    LHS_SIZE,
    N_RULES,
    NEXT_RULE,
    PARALLEL,
    PRIORITY,
    RHS,
    RHS_SIZE,
    SCOPE,
    STATUS,
    STATUS_TASK,
    STEPS,
    STOP,
    STOPPED,
    STRATEGY,
    STRING,
    Letters,
    Numbers,
    Program,
    Question,
    Trace,
    count_bits,
    fired_rules,
    run_program,
    same_letters,
    write_problem,
)
from synthgen.families.markov.measure import (
    FREE,
    N_AXES,
    ORDERING,
    SHORTLEX,
    feeds_itself,
    inversions,
    measure_problem,
)
from synthgen.trees.derivations import Codes

ATTEMPTS = 64
"""Programs tried for one address before it is given up as invalid."""
_TRIES = 12
"""Pairs of sides tried for a rule before its program is given up."""
_NONE_SHARE = 0.125
"""Share of answers "none" to questions for the next rule, among runs that can have them."""
_S11 = np.uint64(11)
_UNIT = 2.0**-53
_KEY, _CURSOR = range(2)
"""Places of draws, uint64 (2,): their key, and the number of the last one."""


class Settings(NamedTuple):
    """Params of the draws; `letters` are codes, data letters first."""

    task: int
    letters: Letters
    n_data: int
    strategies: Numbers
    scopes: Numbers
    statuses: Numbers
    terminating: int
    rules: tuple[int, int]
    lhs: tuple[int, int]
    rhs: tuple[int, int]
    word: tuple[int, int]
    steps: tuple[int, int]
    max_length: int
    min_fired: int
    trivial: int
    steer: int
    stop_share: float
    empty_share: float
    cascade_share: float
    growth_share: float
    deletion_share: float
    decoy_share: float


# Draws.


@inner
def _restart(draws: U64, key: np.uint64, cursor: Int) -> None:
    """Continue with the draw after `cursor` of a key."""
    draws[_KEY], draws[_CURSOR] = key, np.uint64(cursor)


@inner
def _below(draws: U64, n: Int) -> Int:
    """Take the next draw as an integer from 0 to n - 1."""
    draws[_CURSOR] += np.uint64(1)
    return draw_below(draws[_KEY], np.int64(draws[_CURSOR]), n)


@inner
def _between(draws: U64, bounds: tuple[Int, Int]) -> Int:
    """Take the next draw as an integer within bounds."""
    return bounds[0] + _below(draws, bounds[1] - bounds[0] + 1)


@inner
def _chance(draws: U64, share: float) -> bool:
    """Take the next draw as true with this probability."""
    draws[_CURSOR] += np.uint64(1)
    bits = draw_bits(draws[_KEY], np.int64(draws[_CURSOR]))
    return bool(np.float64(bits >> _S11) * _UNIT < share)


@inner
def _letters(draws: U64, letters: Letters, n: Int, out: Letters, begin: Int, size: Int) -> None:
    """Draw letters, each one of the first n."""
    for k in range(begin, begin + size):
        out[k] = letters[_below(draws, n)]


# Rules.


@inner
def _draw_program(draws: U64, s: Settings, program: Program) -> bool:
    """Draw a program with different left sides; return whether that succeeded."""
    n = _between(draws, s.rules)
    program.head[N_RULES] = n
    program.head[STRATEGY] = s.strategies[_below(draws, np.int64(len(s.strategies)))]
    program.head[DECOYS] = 0
    at: Int = np.int64(0)
    for i in range(n):
        rule = program.rules[i]
        drawn = False
        empty = i == n - 1 and _chance(draws, s.empty_share)
        for _ in range(_TRIES):
            rule[LHS] = at
            rule[SCOPE] = s.scopes[_below(draws, np.int64(len(s.scopes)))]
            decoy = _draw_left(draws, s, program, np.int64(i), empty)
            if not _is_new(program, np.int64(i)) or not _draw_right(draws, s, rule, program.sides):
                continue
            # A rule that feeds itself fires forever, so its attempts would be wasted.
            if s.task == STATUS_TASK or empty or not feeds_itself(rule, program.sides):
                drawn = True
                program.head[DECOYS] |= np.int64(decoy) << i
                break
        if not drawn:
            return False
        rule[STOP] = np.int64(_chance(draws, s.stop_share))
        at = rule[RHS] + rule[RHS_SIZE]
        if program.head[STRATEGY] == ANY:
            _sort_in(program, np.int64(i))
    return True


@inner
def _sort_in(program: Program, last: Int) -> None:
    """Move the last rule to its place in the alphabetical order of left sides."""
    sides, i = program.sides, last
    while i > 0:
        rule, before = program.rules[i], program.rules[i - 1]
        size, k = min(rule[LHS_SIZE], before[LHS_SIZE]), np.int64(0)
        while k < size and sides[rule[LHS] + k] == sides[before[LHS] + k]:
            k += 1
        later = rule[LHS_SIZE] > size
        if k < size:
            later = sides[rule[LHS] + k] > sides[before[LHS] + k]
        if later:
            break
        for column in range(6):
            rule[column], before[column] = before[column], rule[column]
        i -= 1
    # In DECOYS the bit of the last rule moves to place i, and the bits it passes move up by one.
    bits = program.head[DECOYS]
    below, moved = bits & ((np.int64(1) << i) - 1), (bits >> last) & 1
    passed = (bits & ((np.int64(1) << last) - 1)) ^ below
    program.head[DECOYS] = below | (moved << i) | (passed << 1)


@inner
def _draw_left(draws: U64, s: Settings, program: Program, i: Int, empty: bool) -> bool:
    """Draw the left side of rule i; return whether it is a decoy, which must not fire."""
    rule, sides = program.rules[i], program.sides
    rule[LHS_SIZE] = 0
    if empty:
        if rule[SCOPE] == ALL or rule[SCOPE] == PARALLEL:
            rule[SCOPE] = LEFTMOST
        return False
    if i > 0 and _chance(draws, s.decoy_share):
        other = program.rules[_below(draws, i)]
        size = other[LHS_SIZE]
        for k in range(size):
            sides[rule[LHS] + k] = sides[other[LHS] + k]
        if size > 0:
            rule[LHS_SIZE] = size
            _letters(
                draws,
                s.letters,
                np.int64(len(s.letters)),
                sides,
                rule[LHS] + _below(draws, size),
                np.int64(1),
            )
            return True
    least, most = s.lhs
    if i > 0 and _chance(draws, s.cascade_share):
        other = program.rules[_below(draws, i)]
        if other[RHS_SIZE] >= least:
            size = _between(draws, (least, min(most, other[RHS_SIZE])))
            begin = other[RHS] + _below(draws, other[RHS_SIZE] - size + 1)
            for k in range(size):
                sides[rule[LHS] + k] = sides[begin + k]
            rule[LHS_SIZE] = size
            return False
    rule[LHS_SIZE] = _between(draws, s.lhs)
    _letters(draws, s.letters, np.int64(len(s.letters)), sides, rule[LHS], rule[LHS_SIZE])
    return False


@inner
def _is_new(program: Program, i: Int) -> bool:
    """Return whether no earlier rule has the left side of rule i."""
    sides, size = program.sides, program.rules[i, LHS_SIZE]
    for j in range(i):
        left = program.rules[j, LHS]
        if program.rules[j, LHS_SIZE] == size and same_letters(
            sides, program.rules[i, LHS], sides, left, size
        ):
            return False
    return True


@inner
def _draw_right(draws: U64, s: Settings, rule: Numbers, sides: Letters) -> bool:
    """Draw the right side of a rule; return whether its left side allows one."""
    size, begin = rule[LHS_SIZE], rule[LHS] + rule[LHS_SIZE]
    rule[RHS] = begin
    if s.terminating == ORDERING:
        return _draw_ordered(draws, rule, sides)
    least, most = s.rhs
    if s.terminating != FREE:
        same = s.terminating == SHORTLEX and least <= size <= most
        if same and (least > size - 1 or _chance(draws, 0.5)):
            return _draw_smaller(draws, s, rule, sides)
        most = min(most, size - 1)
    elif _chance(draws, s.deletion_share):
        least = most = 0
    elif _chance(draws, s.growth_share):
        least = max(least, size + 1)
    else:
        least, most = max(least, min(most, 1)), min(most, size)
    if size == 0:
        least, most = max(s.rhs[0], 1), s.rhs[1]
    if least > most:
        return False
    rule[RHS_SIZE] = _between(draws, (least, most))
    _letters(draws, s.letters, np.int64(len(s.letters)), sides, begin, rule[RHS_SIZE])
    return rule[RHS_SIZE] != size or not same_letters(sides, begin, sides, rule[LHS], size)


@inner
def _draw_ordered(draws: U64, rule: Numbers, sides: Letters) -> bool:
    """Make the right side the left one with fewer inversions; return whether that is possible.

    Exchanging two letters that are in the wrong order always leaves fewer inversions.
    """
    size, begin = rule[LHS_SIZE], rule[RHS]
    rule[RHS_SIZE] = size
    for k in range(size):
        sides[begin + k] = sides[rule[LHS] + k]
    swapped = False
    for _ in range(1 + _below(draws, np.int64(2))):
        count = inversions(sides, begin, size)
        if count == 0:
            break
        chosen = _below(draws, count)
        for a in range(size):
            for b in range(a + 1, size):
                if sides[begin + a] > sides[begin + b]:
                    if chosen == 0:
                        small = sides[begin + b]
                        sides[begin + b] = sides[begin + a]
                        sides[begin + a] = small
                        swapped = True
                    chosen -= 1
    return swapped


@inner
def _draw_smaller(draws: U64, s: Settings, rule: Numbers, sides: Letters) -> bool:
    """Draw an equally long right side that comes earlier in the dictionary; return if one exists.

    One letter becomes a smaller one, and those after it are drawn anew.
    """
    size, begin = rule[LHS_SIZE], rule[RHS]
    rule[RHS_SIZE] = size
    changed = _below(draws, size)
    smaller: Int = np.int64(0)
    for letter in s.letters:
        smaller += np.int64(letter < sides[rule[LHS] + changed])
    if smaller == 0:
        return False
    chosen = _below(draws, smaller)
    for letter in s.letters:
        if letter < sides[rule[LHS] + changed]:
            if chosen == 0:
                sides[begin + changed] = letter
            chosen -= 1
    for k in range(changed):
        sides[begin + k] = sides[rule[LHS] + k]
    _letters(
        draws, s.letters, np.int64(len(s.letters)), sides, begin + changed + 1, size - changed - 1
    )
    return True


# Problems.


@jit
def draw_problems(
    keys: U64, s: Settings, program: Program, trace: Trace, room: Int
) -> tuple[Codes, Numbers, NDArray[np.bool_], NDArray[np.int16], Numbers]:
    """Draw the problem of every row; return codes, offsets, validity, axes and bounds.

    An invalid row holds the empty string; `room` is the largest number of codes of a problem.
    """
    n = len(keys)
    codes = np.empty(n * 64 + room, np.uint16)
    offsets = np.zeros(n + 1, np.int64)
    valid = np.zeros(n, np.bool_)
    axes = np.zeros((N_AXES, n), np.int16)
    bounds = np.zeros(n, np.int64)
    draws = np.zeros(2, np.uint64)
    at: Int = np.int64(0)
    for i in range(n):
        if at + room > len(codes):
            larger = np.empty(2 * len(codes), np.uint16)
            for k in range(at):
                larger[k] = codes[k]
            codes = larger
        valid[i] = _search(keys[i], draws, s, program, trace)
        if valid[i]:
            part = _choose_part(keys[i], draws, s, program, trace)
            question: Question = (np.int64(s.task), np.int64(s.steps[1]), np.int64(s.max_length))
            if s.task == APPLY_K:
                question = (np.int64(s.task), part[1], np.int64(0))
            at = write_problem(codes, at, question, program, trace, part[0])
            bounds[i] = measure_problem(axes[:, i], np.int64(s.task), program, trace, part)
        else:
            codes[at] = STRING
            at += 1
        offsets[i + 1] = at
    return codes[:at], offsets, valid, axes, bounds


@inner
def _search(key: np.uint64, draws: U64, s: Settings, program: Program, trace: Trace) -> bool:
    """Fill `program` and `trace` with a run that meets the params; return whether one exists.

    Each row has a target: a number of steps, or a status for the task "status". Of the first
    `steer` attempts the run nearest to the target is taken; after them the first run that meets the
    params.
    """
    _restart(draws, key, np.int64(ATTEMPTS))
    if s.task == STATUS_TASK:
        target = s.statuses[_below(draws, np.int64(len(s.statuses)))]
    else:
        target = _between(draws, s.steps)
    best: Int = np.int64(-1)
    nearest: Int = np.int64(0)
    attempt: Int = np.int64(0)
    while attempt < ATTEMPTS:
        again = attempt >= s.steer and best >= 0
        if again:  # only one run is kept, so the best attempt is drawn once more
            attempt = best
        _restart(draws, draw_bits(key, attempt), np.int64(0))
        if _draw_program(draws, s, program):
            size = _between(draws, s.word)
            _letters(draws, s.letters, np.int64(s.n_data), trace.words, np.int64(0), size)
            trace.starts[0], trace.starts[1] = 0, size
            run_program(program, trace, np.int64(s.steps[1]), np.int64(s.max_length))
            if _is_accepted(s, program, trace):
                distance = _distance(s, trace, target)
                if again or attempt >= s.steer or distance == 0:
                    return True
                if best < 0 or distance < nearest:
                    best, nearest = attempt, distance
        attempt += 1
    return False


@inner
def _distance(s: Settings, trace: Trace, target: Int) -> Int:
    """Return the distance of a run from the row's target."""
    if s.task == STATUS_TASK:
        return np.int64(trace.outcome[STATUS] != target)
    steps = trace.outcome[STEPS]
    distance = abs(steps - target)
    longer = s.task == APPLY_K and steps >= target
    return np.int64(0 if longer or distance * 8 <= target else distance)


@inner
def _is_accepted(s: Settings, program: Program, trace: Trace) -> bool:
    """Return whether a run meets the params."""
    steps, accepted = trace.outcome[STEPS], False
    for status in s.statuses:
        accepted = accepted or trace.outcome[STATUS] == status
    if not accepted or steps < s.steps[0]:
        return False
    fired: Int = fired_rules(trace, np.int64(0), steps)
    if fired & program.head[DECOYS] != 0 or count_bits(fired) < s.min_fired:
        return False
    return s.trivial == 1 or trace.outcome[STATUS] > STOPPED or _changes(trace, steps)


@inner
def _changes(trace: Trace, step: Int) -> bool:
    """Return whether the word after a step differs from the first."""
    begin, size = trace.starts[step], trace.starts[1]
    if trace.starts[step + 1] - begin != size:
        return True
    return not same_letters(trace.words, np.int64(0), trace.words, begin, size)


@inner
def _choose_part(
    key: np.uint64, draws: U64, s: Settings, program: Program, trace: Trace
) -> tuple[Int, Int]:
    """Return the step after which the problem's word occurs, and the number of steps of its run.

    The task "next_rule" chooses a rule that fired, each equally likely, and a word on which it
    fires; only with `markov_priority` can a word in the middle of a run be a start, too.
    """
    steps, start = trace.outcome[STEPS], np.int64(0)
    if s.task == APPLY_K:
        _restart(draws, key, np.int64(ATTEMPTS))
        target = _between(draws, s.steps)
        if target < steps and (s.trivial == 1 or _changes(trace, target)):
            return start, target
    if s.task != NEXT_RULE:
        return start, steps
    _restart(draws, key, np.int64(ATTEMPTS + 1))
    if program.head[STRATEGY] != PRIORITY or steps == 0:
        return start, min(steps, np.int64(1))
    if trace.outcome[STATUS] == BLOCKED and _chance(draws, _NONE_SHARE):
        return steps, np.int64(0)
    fired: Int = fired_rules(trace, np.int64(0), steps)
    rule: Int = np.int64(-1)
    for _ in range(_below(draws, count_bits(fired)) + 1):
        rule += 1
        while (fired >> rule) & 1 == 0:
            rule += 1
    seen: Int = np.int64(0)
    for t in range(steps):  # reservoir sampling of a step at which this rule fires
        if trace.rules[t] == rule:
            seen += 1
            if _below(draws, seen) == 0:
                start = np.int64(t)
    return start, np.int64(1)
