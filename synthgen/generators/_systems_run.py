"""Kernels that run the string systems, keeping every state.

A state is a row of symbols: bytes of letters, or numbers of TOKENS for A::B. `states` holds them
end to end, state k in states[marks[k] : marks[k + 1]]; `fired` says which rule made state k + 1:
the place in the problem's list, the number of a pair, or the number of a run.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.generators._systems_rules import (
    AB,
    BANK,
    CYCLE,
    EVEN,
    LATER,
    LONG,
    LONGEST,
    MANIPULATION,
    PREFIX,
    RUN,
    SUFFIX,
    letter_rows,
)

Symbols = NDArray[np.uint8]
Marks = NDArray[np.int64]
BLOCKED, REPEAT, UNENDED = range(3)
_WHERE = np.array([rule.where for rule in BANK], np.int64)
_CUT = np.array([rule.cut for rule in BANK], np.int64)
_PATTERN, _PATTERN_LENGTH = letter_rows([rule.pattern for rule in BANK])
_NEW, _NEW_LENGTH = letter_rows([rule.replacement for rule in BANK])
_FRONT, _FRONT_LENGTH = letter_rows([rule.front for rule in BANK])
_BACK, _BACK_LENGTH = letter_rows([rule.back for rule in BANK])
_B, _FIRST = np.uint8(ord("b")), np.uint8(ord(CYCLE[0]))
_N_CYCLE = len(CYCLE)
_GROWTH = 8
"""No rule makes a string longer by as much."""
_SEED, _FACTOR = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)  # FNV-1a


@njit(cache=True, nogil=True)
def trace_row(
    system: Int,
    symbols: Symbols,
    start: Int,
    end: Int,
    rules: NDArray[np.int8],
    max_steps: Int,
    states: Symbols,
    marks: Marks,
    fired: Marks,
    hashes: NDArray[np.uint64],
) -> tuple[Symbols, Int, Int]:
    """Run symbols[start:end] to its end.

    Args:
        system: one of SYSTEMS.
        symbols: of the inputs.
        start: of the input in them.
        end: of the input in them.
        rules: of the bank, in the order in which they are tried; only manipulation looks at them.
        max_steps: after which the run is given up.
        states: room for the states; too little is replaced by more.
        marks: room for max_steps + 3 marks.
        fired: room for max_steps + 1 rules.
        hashes: room for max_steps + 2 words.

    Returns:
        The states, the number of steps to the answer, and how the run ended. If it is REPEAT, one
        more state is the one that occurs a second time.
    """
    states = _with_room(states, 0, end - start)
    for at in range(start, end):
        states[at - start] = symbols[at]
    marks[0] = 0
    marks[1] = end - start
    hashes[0] = _hash_of(states, 0, end - start)
    scanned: Int = np.int64(0)
    for step in range(max_steps + 1):
        low, high = marks[step], marks[step + 1]
        states = _with_room(states, high, high - low + _GROWTH)
        if system == MANIPULATION:
            rule, new = _first_rule(rules, states, low, high)
        elif system == AB:
            rule, new = _rewrite_pair(states, low, high)
        else:
            rule, new, scanned = _insert_next(states, low, high, scanned)
        if rule < 0:
            return states, step, BLOCKED
        fired[step] = rule
        marks[step + 2] = new
        if system == MANIPULATION:
            hashes[step + 1] = _hash_of(states, high, new)
            if _is_known(states, marks, hashes, step + 1):
                return states, step, REPEAT
    return states, max_steps, UNENDED


@njit(cache=True, nogil=True)
def _with_room(states: Symbols, used: Int, more: Int) -> Symbols:
    if used + more <= len(states):
        return states
    larger = np.empty(2 * (used + more), np.uint8)
    larger[:used] = states[:used]
    return larger


@lent
def _hash_of(states: Symbols, low: Int, high: Int) -> np.uint64:
    value = _SEED
    for at in range(low, high):
        value = (value ^ np.uint64(states[at])) * _FACTOR
    return value


@lent
def _is_known(states: Symbols, marks: Marks, hashes: NDArray[np.uint64], last: Int) -> bool:
    """Say whether state `last` is one of those before it."""
    length = marks[last + 1] - marks[last]
    for k in range(last):
        if hashes[k] != hashes[last] or marks[k + 1] - marks[k] != length:
            continue
        same = 0
        while same < length and states[marks[k] + same] == states[marks[last] + same]:
            same += 1
        if same == length:
            return True
    return False


@lent
def _first_rule(rules: NDArray[np.int8], states: Symbols, low: Int, high: Int) -> tuple[Int, Int]:
    """Apply the first rule that fires; return its place and the end of the new state, or -1, -1."""
    for place in range(len(rules)):
        rule = np.int64(rules[place])
        found = _place_of(rule, states, low, high)
        if found >= 0:
            return place, _exchange(rule, states, low, high, found)
    return np.int64(-1), np.int64(-1)


@lent
def _place_of(rule: Int, states: Symbols, low: Int, high: Int) -> Int:
    """Return where the rule's pattern stands in states[low:high], or -1."""
    where, length = _WHERE[rule], _PATTERN_LENGTH[rule]
    if where == LONG:
        return low + (high - low) // 2 if high - low > LONGEST else np.int64(-1)
    if where == EVEN:
        n_b = 0
        for at in range(low, high):
            n_b += states[at] == _B
        return high if n_b > 0 and n_b % 2 == 0 else np.int64(-1)
    first, last = low, high - length
    if where == PREFIX:
        last = min(last, low)
    elif where == SUFFIX:
        first = max(low, last)
    elif where == LATER:
        first = low + 1
    for place in range(first, last + 1):
        same = 0
        while same < length and states[place + same] == _PATTERN[rule, same]:
            same += 1
        if same == length:
            return place
    return np.int64(-1)


@lent
def _exchange(rule: Int, states: Symbols, low: Int, high: Int, place: Int) -> Int:
    """Write the state that the rule makes behind the others and return where it ends."""
    behind = place + _PATTERN_LENGTH[rule]
    at = high
    for k in range(_FRONT_LENGTH[rule]):
        states[at] = _FRONT[rule, k]
        at += 1
    for k in range(low, place):
        states[at] = states[k]
        at += 1
    for k in range(_NEW_LENGTH[rule]):
        states[at] = _NEW[rule, k]
        at += 1
    for k in range(behind, high - _CUT[rule]):
        states[at] = states[k]
        at += 1
    for k in range(_BACK_LENGTH[rule]):
        states[at] = _BACK[rule, k]
        at += 1
    return at


@lent
def _rewrite_pair(states: Symbols, low: Int, high: Int) -> tuple[Int, Int]:
    """Rewrite the leftmost pair that faces each other; return its number and the new end."""
    at = high
    for k in range(low, high - 1):
        left, right = np.int64(states[k]), np.int64(states[k + 1])
        if left > 1 or right < 2:
            continue
        for before in range(low, k):
            states[at] = states[before]
            at += 1
        if right != left + 2:
            states[at] = right
            states[at + 1] = left
            at += 2
        for behind in range(k + 2, high):
            states[at] = states[behind]
            at += 1
        return 2 * left + right - 2, at
    return np.int64(-1), np.int64(-1)


@lent
def _insert_next(states: Symbols, low: Int, high: Int, scanned: Int) -> tuple[Int, Int, Int]:
    """Insert behind the first run from `scanned` on; return also how far the search has come."""
    for place in range(low + scanned, high - RUN + 1):
        first = np.int64(states[place]) - np.int64(_FIRST)
        if first < 0 or first >= _N_CYCLE:
            continue
        same = 1
        while same < RUN and states[place + same] == _FIRST + (first + same) % _N_CYCLE:
            same += 1
        if same < RUN:
            continue
        at = high
        for k in range(low, place + RUN):
            states[at] = states[k]
            at += 1
        states[at] = states[place]
        at += 1
        for k in range(place + RUN, high):
            states[at] = states[k]
            at += 1
        return first, at, place + RUN + 1 - low
    return np.int64(-1), np.int64(-1), scanned
