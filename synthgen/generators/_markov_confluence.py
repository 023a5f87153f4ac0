"""Kernels that decide whether the order in which rules are used matters (Knuth and Bendix 1970).

Where every rule makes the word smaller, all orders lead to one result if and only if they do for
the critical pairs: the two words that two rules make of the shortest word they overlap in.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.generators._markov_engine import (
    LEFTMOST,
    LHS,
    LHS_SIZE,
    MOST_SIDE,
    MOST_STEPS,
    N_RULES,
    RHS,
    RHS_SIZE,
    SCOPE,
    STOP,
    Letters,
    Program,
    match_place,
)
from synthgen.generators._markov_rules import FREE

CONFLUENCE = ("unknown", "no", "yes")
UNKNOWN, NO, YES = range(3)


@njit(cache=True, nogil=True)
def confluence(program: Program, why: Int) -> Int:
    """Say whether every word has one result, whichever rule is used wherever it matches.

    Unknown for rules that stop, have a scope or an empty left side, or may not end.

    Args:
        program: whose rules it is about.
        why: its runs end, one of TERMINATING.
    """
    rules = program.rules
    for i in range(program.head[N_RULES]):
        plain = rules[i, SCOPE] == LEFTMOST and rules[i, STOP] == 0
        if why == FREE or not plain or rules[i, LHS_SIZE] == 0:
            return np.int64(UNKNOWN)
    one, other, spare = np.empty((3, 2 * MOST_SIDE), np.uint8)
    answer = np.int64(YES)
    for i in range(program.head[N_RULES]):
        for j in range(program.head[N_RULES]):
            size, inner = rules[i, LHS_SIZE], rules[j, LHS_SIZE]
            for at in range(size):
                if (i == j and at == 0) or not _overlaps(program, i, j, at):
                    continue
                # What stands behind the end of j, if i reaches further; else j reaches on from i.
                rest = max(size - at - inner, 0)
                more = max(at + inner - size, 0)
                first = _put(one, 0, program.sides, rules[i, RHS], rules[i, RHS_SIZE])
                first = _put(one, first, program.sides, rules[j, LHS] + inner - more, more)
                second = _put(other, 0, program.sides, rules[i, LHS], at)
                second = _put(other, second, program.sides, rules[j, RHS], rules[j, RHS_SIZE])
                second = _put(other, second, program.sides, rules[i, LHS] + size - rest, rest)
                first = _reduce(program, one, first, spare)
                second = _reduce(program, other, second, spare)
                if first < 0 or second < 0:
                    answer = np.int64(UNKNOWN)
                elif not _equal(one, first, other, second):
                    return np.int64(NO)
    return answer


@lent
def _overlaps(program: Program, i: Int, j: Int, at: Int) -> bool:
    """Say whether the left side of j can stand in that of i from `at` on, or begin there."""
    rules, sides = program.rules, program.sides
    for k in range(min(rules[i, LHS_SIZE] - at, rules[j, LHS_SIZE])):
        if sides[rules[i, LHS] + at + k] != sides[rules[j, LHS] + k]:
            return False
    return True


@lent
def _put(word: Letters, at: Int, letters: Letters, begin: Int, size: Int) -> Int:
    for k in range(size):
        word[at + k] = letters[begin + k]
    return at + size


@lent
def _equal(one: Letters, first: Int, other: Letters, second: Int) -> bool:
    if first != second:
        return False
    for k in range(first):
        if one[k] != other[k]:
            return False
    return True


@lent
def _reduce(program: Program, word: Letters, size: Int, spare: Letters) -> Int:
    """Use rules until none matches; return the letters that are left, -1 for too many steps."""
    rules, sides = program.rules, program.sides
    for _ in range(MOST_STEPS):
        place: Int = np.int64(-1)
        rule = 0
        for number in range(program.head[N_RULES]):
            place = match_place(rules, sides, np.int64(number), word, np.int64(0), size)
            if place >= 0:
                rule = number
                break
        if place < 0:
            return size
        behind = place + rules[rule, LHS_SIZE]
        at = _put(spare, place, sides, rules[rule, RHS], rules[rule, RHS_SIZE])
        at = _put(spare, at, word, behind, size - behind)
        _put(word, place, spare, place, at - place)
        size = at
    return np.int64(-1)
