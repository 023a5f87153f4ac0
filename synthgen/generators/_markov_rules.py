"""Kernels that draw the rules of a program."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.randomness import draw_below, draw_bits
from synthgen.generators._markov_engine import (
    ALL,
    DECOYS,
    LEFTMOST,
    LHS,
    LHS_SIZE,
    N_RULES,
    PARALLEL,
    RHS,
    RHS_SIZE,
    SCOPE,
    STOP,
    STRATEGY,
    Letters,
    Numbers,
    Program,
)
from synthgen.generators._markov_symbols import STATUS_TASK

TERMINATING = ("none", "length", "order", "shortlex")
FREE, SHORTENING, ORDERING, SHORTLEX = range(4)
_TRIES = 12
_S11 = np.uint64(11)
_UNIT = 2.0**-53


class Settings(NamedTuple):
    """The params that decide what is drawn; `letters` are codes, data letters first."""

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


@lent
def below(key: np.uint64, cursor: Numbers, n: Int) -> Int:
    """Take the next draw as an integer from 0 to n - 1."""
    cursor[0] += 1
    return draw_below(key, cursor[0], n)


@lent
def chance(key: np.uint64, cursor: Numbers, share: float) -> bool:
    """Take the next draw as true with this probability."""
    cursor[0] += 1
    return bool(np.float64(draw_bits(key, cursor[0]) >> _S11) * _UNIT < share)


@lent
def draw_program(key: np.uint64, cursor: Numbers, s: Settings, program: Program) -> bool:
    """Draw a program with different left sides; false if that did not come about."""
    n = s.rules[0] + below(key, cursor, s.rules[1] - s.rules[0] + 1)
    program.head[N_RULES] = n
    program.head[STRATEGY] = s.strategies[below(key, cursor, len(s.strategies))]
    program.head[DECOYS] = 0
    at: Int = np.int64(0)
    for i in range(n):
        drawn = False
        empty = i == n - 1 and chance(key, cursor, s.empty_share)
        for _ in range(_TRIES):
            program.rules[i, LHS] = at
            program.rules[i, SCOPE] = s.scopes[below(key, cursor, len(s.scopes))]
            decoy = _draw_left(key, cursor, s, program, i, empty)
            if not _is_new(program, i) or not _draw_right(key, cursor, s, program, i):
                continue
            # Such a rule hardly ever stops to fire, so that attempts would be lost on it.
            if s.task == STATUS_TASK or empty or not _feeds_itself(program, i):
                drawn = True
                program.head[DECOYS] |= np.int64(decoy) << i
                break
        if not drawn:
            return False
        program.rules[i, STOP] = np.int64(chance(key, cursor, s.stop_share))
        at = program.rules[i, RHS] + program.rules[i, RHS_SIZE]
    return True


@lent
def _draw_left(
    key: np.uint64,
    cursor: Numbers,
    s: Settings,
    program: Program,
    i: Int,
    empty: Int,
) -> Int:
    """Draw the left side of rule i; return 1 for a decoy, which must not fire."""
    rule, sides = program.rules[i], program.sides
    rule[LHS_SIZE] = 0
    if empty:
        if rule[SCOPE] == ALL or rule[SCOPE] == PARALLEL:
            rule[SCOPE] = LEFTMOST
        return 0
    if i > 0 and chance(key, cursor, s.decoy_share):
        other = program.rules[below(key, cursor, i)]
        for k in range(other[LHS_SIZE]):
            sides[rule[LHS] + k] = sides[other[LHS] + k]
        if other[LHS_SIZE] > 0:
            rule[LHS_SIZE] = other[LHS_SIZE]
            changed = rule[LHS] + below(key, cursor, rule[LHS_SIZE])
            sides[changed] = s.letters[below(key, cursor, len(s.letters))]
            return 1
    least, most = s.lhs
    if i > 0 and chance(key, cursor, s.cascade_share):
        other = program.rules[below(key, cursor, i)]
        if other[RHS_SIZE] >= least:
            most = min(most, other[RHS_SIZE])
            size = least + below(key, cursor, most - least + 1)
            begin = other[RHS] + below(key, cursor, other[RHS_SIZE] - size + 1)
            for k in range(size):
                sides[rule[LHS] + k] = sides[begin + k]
            rule[LHS_SIZE] = size
            return 0
    rule[LHS_SIZE] = least + below(key, cursor, most - least + 1)
    for k in range(rule[LHS_SIZE]):
        sides[rule[LHS] + k] = s.letters[below(key, cursor, len(s.letters))]
    return 0


@lent
def _is_new(program: Program, i: Int) -> bool:
    """Say whether no earlier rule has the left side of rule i."""
    rule, sides = program.rules[i], program.sides
    for j in range(i):
        other = program.rules[j]
        if other[LHS_SIZE] != rule[LHS_SIZE]:
            continue
        k = 0
        while k < rule[LHS_SIZE] and sides[rule[LHS] + k] == sides[other[LHS] + k]:
            k += 1
        if k == rule[LHS_SIZE]:
            return False
    return True


@lent
def _feeds_itself(program: Program, i: Int) -> bool:
    """Say whether the left side of rule i stands in its own right side."""
    rule, sides = program.rules[i], program.sides
    for begin in range(rule[RHS], rule[RHS] + rule[RHS_SIZE] - rule[LHS_SIZE] + 1):
        k = 0
        while k < rule[LHS_SIZE] and sides[rule[LHS] + k] == sides[begin + k]:
            k += 1
        if k == rule[LHS_SIZE]:
            return True
    return False


@lent
def _draw_right(key: np.uint64, cursor: Numbers, s: Settings, program: Program, i: Int) -> bool:
    """Draw the right side of rule i; false if there is none for its left side."""
    rule, sides = program.rules[i], program.sides
    size, begin = rule[LHS_SIZE], rule[LHS] + rule[LHS_SIZE]
    rule[RHS] = begin
    if s.terminating == ORDERING:
        return _draw_ordered(key, cursor, rule, sides)
    least, most = s.rhs
    if s.terminating != FREE:
        same = s.terminating == SHORTLEX and least <= size <= most
        if same and (least > size - 1 or chance(key, cursor, 0.5)):
            return _draw_smaller(key, cursor, s, rule, sides)
        most = min(most, size - 1)
    elif chance(key, cursor, s.deletion_share):
        least = most = 0
    elif chance(key, cursor, s.growth_share):
        least = max(least, size + 1)
    else:
        least, most = max(least, min(most, 1)), min(most, size)
    if size == 0:
        least, most = max(s.rhs[0], 1), s.rhs[1]
    if least > most:
        return False
    rule[RHS_SIZE] = least + below(key, cursor, most - least + 1)
    differs = rule[RHS_SIZE] != size
    for k in range(rule[RHS_SIZE]):
        sides[begin + k] = s.letters[below(key, cursor, len(s.letters))]
        differs = differs or sides[begin + k] != sides[rule[LHS] + k]
    return bool(differs)


@lent
def _draw_ordered(key: np.uint64, cursor: Numbers, rule: NDArray[np.int64], sides: Letters) -> bool:
    """Make the right side the left one with fewer inversions; false if it has none.

    To exchange two letters that stand in the wrong order leaves fewer pairs in the wrong order.
    """
    size, begin = rule[LHS_SIZE], rule[RHS]
    rule[RHS_SIZE] = size
    for k in range(size):
        sides[begin + k] = sides[rule[LHS] + k]
    swapped = False
    for _ in range(1 + below(key, cursor, 2)):
        inversions: Int = np.int64(0)
        for a in range(size):
            for b in range(a + 1, size):
                inversions += np.int64(sides[begin + a] > sides[begin + b])
        if inversions == 0:
            break
        chosen = below(key, cursor, inversions)
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


@lent
def _draw_smaller(
    key: np.uint64, cursor: Numbers, s: Settings, rule: NDArray[np.int64], sides: Letters
) -> bool:
    """Draw a right side of the same length that comes earlier in the dictionary, if there is one.

    One letter becomes a smaller one, and those after it are drawn anew.
    """
    size, begin = rule[LHS_SIZE], rule[RHS]
    rule[RHS_SIZE] = size
    changed = below(key, cursor, size)
    smaller: Int = np.int64(0)
    for letter in s.letters:
        smaller += np.int64(letter < sides[rule[LHS] + changed])
    if smaller == 0:
        return False
    chosen = below(key, cursor, smaller)
    for letter in s.letters:
        if letter < sides[rule[LHS] + changed]:
            if chosen == 0:
                sides[begin + changed] = letter
            chosen -= 1
    for k in range(size):
        if k < changed:
            sides[begin + k] = sides[rule[LHS] + k]
        elif k > changed:
            sides[begin + k] = s.letters[below(key, cursor, len(s.letters))]
    return True
