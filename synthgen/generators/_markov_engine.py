"""The engine of rewriting programs: kernels that match, apply and run ordered string rules.

A word is a run of letter codes. A step takes the rule that the program's strategy chooses and
replaces what its scope says. A run keeps every word, so that a state that comes back is found by a
hash table with comparison of the whole word.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent

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
"""`open` is the status of a problem that does not run to the end."""

LHS, LHS_SIZE, RHS, RHS_SIZE, STOP, SCOPE = range(6)
"""Columns of a rule: where its sides begin in `sides`, their lengths, whether it stops, scope."""
N_RULES, STRATEGY, DECOYS = range(3)
"""Places of a program's head; DECOYS has a bit for each rule that must not fire."""
STATUS, STEPS, LOOP_START = range(3)
"""Places of a trace's outcome; LOOP_START is -1 without a loop."""
MOST_RULES = 32
MOST_SIDE = 32
MOST_LENGTH = 500
MOST_STEPS = 1000
_HASH_FACTOR = 131
_HASH_MASK = (1 << 40) - 1


class Program(NamedTuple):
    """Rules in order: int64 (MOST_RULES, 6), the letters of their sides, and the head."""

    rules: Numbers
    sides: Letters
    head: Numbers


class Trace(NamedTuple):
    """A run: word t is words[starts[t] : starts[t + 1]], made by rules[t - 1] at places[t - 1].

    `pointers` says where the strategy goes on, `slots` is the hash table, `outcome` the status, the
    number of steps and where the loop begins.
    """

    words: Letters
    starts: Numbers
    rules: Numbers
    places: Numbers
    pointers: Numbers
    slots: Numbers
    outcome: Numbers


def empty_program() -> Program:
    """Return room for a program."""
    sides = np.zeros(2 * MOST_RULES * MOST_SIDE, np.uint8)
    return Program(np.zeros((MOST_RULES, 6), np.int64), sides, np.zeros(3, np.int64))


def empty_trace(max_steps: int, max_length: int) -> Trace:
    """Return room for a run within these limits."""
    slots = 4
    while slots < 2 * (max_steps + 1):
        slots *= 2
    counts = (max_steps + 2, max_steps + 1, max_steps + 1, max_steps + 1, slots, 3)
    words = np.zeros((max_steps + 1) * max(max_length, 1), np.uint8)
    return Trace(words, *(np.zeros(count, np.int64) for count in counts))


@lent
def _stands_at(words: Letters, at: Int, sides: Letters, side: Int, size: Int) -> bool:
    for k in range(size):
        if words[at + k] != sides[side + k]:
            return False
    return True


@lent
def match_place(
    rules: Numbers, sides: Letters, number: Int, words: Letters, begin: Int, end: Int
) -> Int:
    """Return where in words[begin:end] a rule matches first by its scope, counted from 0, or -1.

    An empty left side matches before the first letter, or behind the last one where the scope
    looks from the right.
    """
    side, size, scope = rules[number, LHS], rules[number, LHS_SIZE], rules[number, SCOPE]
    last = end - size
    if last < begin or (scope == WHOLE and last > begin):
        return np.int64(-1)
    if scope == SUFFIX:
        return np.int64(last - begin if _stands_at(words, last, sides, side, size) else -1)
    if scope == PREFIX or scope == WHOLE:
        return np.int64(0 if _stands_at(words, begin, sides, side, size) else -1)
    if scope == RIGHTMOST:
        for at in range(last, begin - 1, -1):
            if _stands_at(words, at, sides, side, size):
                return np.int64(at - begin)
        return np.int64(-1)
    if size == 0:
        return np.int64(0)
    first = sides[side]
    for at in range(begin, last + 1):
        if words[at] == first and _stands_at(words, at, sides, side, size):
            return np.int64(at - begin)
    return np.int64(-1)


@lent
def choose_rule(
    rules: Numbers,
    sides: Letters,
    head: Numbers,
    words: Letters,
    begin: Int,
    end: Int,
    pointer: Int,
) -> tuple[Int, Int]:
    """Return the rule that fires on words[begin:end] and where it matches, -1 and -1 for none.

    The search begins at rule `pointer`, and goes round only by `round_robin`.
    """
    n, strategy = head[N_RULES], head[STRATEGY]
    for k in range(n if strategy == ROUND_ROBIN else n - pointer):
        rule = pointer + k
        if rule >= n:
            rule -= n
        place = match_place(rules, sides, rule, words, begin, end)
        if place >= 0:
            return np.int64(rule), place
    return np.int64(-1), np.int64(-1)


@lent
def _pointer_after(head: Numbers, rule: Int) -> Int:
    """Return the rule that the search begins with after `rule` has fired."""
    if head[STRATEGY] == PRIORITY or head[STRATEGY] == ANY:
        return np.int64(0)
    if head[STRATEGY] == ROUND_ROBIN and rule + 1 == head[N_RULES]:
        return np.int64(0)
    return np.int64(rule + 1)


@lent
def _apply_rule(
    rules: Numbers,
    sides: Letters,
    words: Letters,
    begin: Int,
    end: Int,
    rule: Int,
    place: Int,
    max_length: Int,
) -> Int:
    """Write the word behind `end` with one place replaced; return its length, -1 if too long."""
    size, new_size, right = rules[rule, LHS_SIZE], rules[rule, RHS_SIZE], rules[rule, RHS]
    length = end - begin - size + new_size
    if length > max_length:
        return np.int64(-1)
    at = end
    for k in range(begin, begin + place):
        words[at] = words[k]
        at += 1
    for k in range(right, right + new_size):
        words[at] = sides[k]
        at += 1
    for k in range(begin + place + size, end):
        words[at] = words[k]
        at += 1
    return np.int64(length)


@lent
def _apply_everywhere(
    program: Program, words: Letters, begin: Int, end: Int, rule: Int, max_length: Int
) -> Int:
    """Replace all occurrences from left to right without overlap.

    A rule with scope `all_parallel` takes all rules of this scope with it: at each place the first
    of them that matches there.
    """
    rules, sides = program.rules, program.sides
    first, last = rule, rule + 1
    if rules[rule, SCOPE] == PARALLEL:
        first, last = 0, program.head[N_RULES]
    length: Int = np.int64(0)
    at = begin
    while at < end:
        found = -1
        for k in range(first, last):
            size = rules[k, LHS_SIZE]
            if rules[k, SCOPE] != rules[rule, SCOPE] or size == 0 or at + size > end:
                continue
            if _stands_at(words, at, sides, rules[k, LHS], size):
                found = k
                break
        added = 1 if found < 0 else rules[found, RHS_SIZE]
        if length + added > max_length:
            return np.int64(-1)
        if found < 0:
            words[end + length] = words[at]
            at += 1
        else:
            for k in range(added):
                words[end + length + k] = sides[rules[found, RHS] + k]
            at += rules[found, LHS_SIZE]
        length += added
    return length


@lent
def _earlier(words: Letters, starts: Numbers, pointers: Numbers, slots: Numbers, t: Int) -> Int:
    """Remember the state after step t; return the earlier step with the same state, or -1."""
    begin, size = starts[t], starts[t + 1] - starts[t]
    code: Int = pointers[t] + 7
    for at in range(begin, begin + size):
        code = (code * _HASH_FACTOR + np.int64(words[at]) + 1) & _HASH_MASK
    slot = (code ^ (code >> 17)) & (len(slots) - 1)
    while slots[slot] >= 0:
        step = slots[slot]
        same = starts[step + 1] - starts[step] == size
        if same and pointers[step] == pointers[t]:
            k = 0
            while k < size and words[starts[step] + k] == words[begin + k]:
                k += 1
            if k == size:
                return np.int64(step)
        slot = (slot + 1) & (len(slots) - 1)
    slots[slot] = t
    return np.int64(-1)


@lent
def run_program(program: Program, trace: Trace, max_steps: Int, max_length: Int) -> None:
    """Run on word 0 of the trace, which has at most `max_length` letters.

    After each step, in this order: a stop rule ends as `stopped`; a state that was there before
    (the word, and by `round_robin` also the rule that is next) as `loop`; no rule to fire as
    `blocked`; `max_steps` steps as `budget`; a next word of more than `max_length` letters, which
    is not made, as `overflow`.
    """
    rules, sides, head = program.rules, program.sides, program.head
    words, starts, pointers = trace.words, trace.starts, trace.pointers
    slots, strategy = trace.slots, head[STRATEGY]
    slots[:] = -1
    pointers[0] = 0
    status = np.int64(OPEN)
    loop_start: Int = np.int64(-1)
    t: Int = np.int64(0)
    while status == OPEN:
        if strategy != ONCE:
            loop_start = _earlier(words, starts, pointers, slots, t)
            if loop_start >= 0:
                status = np.int64(LOOP)
                break
        begin, end = starts[t], starts[t + 1]
        rule, place = choose_rule(rules, sides, head, words, begin, end, pointers[t])
        if rule < 0:
            status = np.int64(BLOCKED)
            break
        if t == max_steps:
            status = np.int64(BUDGET)
            break
        if rules[rule, SCOPE] == ALL or rules[rule, SCOPE] == PARALLEL:
            length = _apply_everywhere(program, words, begin, end, rule, max_length)
        else:
            length = _apply_rule(rules, sides, words, begin, end, rule, place, max_length)
        if length < 0:
            status = np.int64(OVERFLOW)
            break
        trace.rules[t] = rule
        trace.places[t] = place
        t += 1
        starts[t + 1] = end + length
        pointers[t] = _pointer_after(head, rule)
        if rules[rule, STOP] == 1:
            status = np.int64(STOPPED)
    trace.outcome[STATUS] = status
    trace.outcome[STEPS] = t
    trace.outcome[LOOP_START] = loop_start
