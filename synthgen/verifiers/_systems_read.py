"""Reading problems of the string systems: which system, which rules, and which string.

A bare problem is `RULE RULE ... | STRING`, `A::B | TOKENS` or `insertion | LETTERS`. In an
instruction the backticks may hold just that, or the string alone: then the kind of its letters says
which system is meant, and the rules of manipulation are the numbered lines of the prompt.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.verifiers._problem_text import problem_span
from synthgen.verifiers._systems_words import (
    FACTOR,
    LETTERS,
    LONGEST_FORM,
    N_RULES,
    N_SLOTS,
    NO_FORM,
    SENTENCES,
    SIGNS,
    SLOTS,
    STARTS,
)

Bytes = NDArray[np.uint8]
Rules = NDArray[np.int64]
NO_SYSTEM, MANIPULATION, PAIRING, INSERTION = range(4)
LEFT_A, LEFT_B, RIGHT_A, RIGHT_B = range(4)
"""Tokens by number: `#A` and `#B` face left; `A#` and `B#` face right."""
_SPACE, _LINE, _DOT, _BAR, _SIGN = (np.uint8(ord(char)) for char in " \n.|#")
_BIG_A, _BIG_B, _BIG_Z, _SMALL_A, _SMALL_Z = (np.uint8(ord(char)) for char in "ABZaz")
_ZERO, _NINE = np.uint8(ord("0")), np.uint8(ord("9"))
_PAIRING_NAME = np.frombuffer(b"A::B", np.uint8)
_INSERTION_NAME = np.frombuffer(b"insertion", np.uint8)


@lent
def read_problem(text: Bytes, start: Int, end: Int, rules: Rules) -> tuple[Int, Int, Int, Int]:
    """Read a prompt.

    Args:
        text: of all prompts.
        start: of the prompt.
        end: of the prompt.
        rules: room for N_RULES numbers of rules.

    Returns:
        The system (NO_SYSTEM for what is no problem), the number of rules, and where the string
        begins and ends.
    """
    low, high = problem_span(text, start, end)
    bar = low
    while bar < high and text[bar] != _BAR:
        bar += 1
    count: Int = np.int64(0)
    if bar == high:
        system = _system_of(text, low, high) if low > start else NO_SYSTEM
        if system == MANIPULATION:
            count = _read_lines(text, start, low - 1, rules)
            if count == 0:
                system = NO_SYSTEM
        return system, count, low, high
    begin = bar + 2
    if bar - low < 2 or begin >= high or text[bar - 1] != _SPACE or text[bar + 1] != _SPACE:
        return NO_SYSTEM, count, low, high
    system = _system_of(text, begin, high)
    if system == MANIPULATION:
        count = _read_signs(text, low, bar - 1, rules)
        named = count > 0
    elif system == PAIRING:
        named = _equals(text, low, bar - 1, _PAIRING_NAME)
    else:
        named = system == INSERTION and _equals(text, low, bar - 1, _INSERTION_NAME)
    return system if named else NO_SYSTEM, count, begin, high


@lent
def _equals(text: Bytes, start: Int, end: Int, other: Bytes) -> bool:
    if end - start != len(other):
        return False
    for k in range(len(other)):
        if text[start + k] != other[k]:
            return False
    return True


@lent
def _system_of(text: Bytes, start: Int, end: Int) -> Int:
    """Return the system that works on such a string."""
    if start >= end:
        return NO_SYSTEM
    n_small, n_big = 0, 0
    for at in range(start, end):
        n_small += _SMALL_A <= text[at] <= _SMALL_Z
        n_big += _BIG_A <= text[at] <= _BIG_Z
    if n_small == end - start:
        return MANIPULATION
    if n_big == end - start:
        return INSERTION
    if (end - start) % 3 != 2:
        return NO_SYSTEM
    for at in range(start, end, 3):
        if token_at(text, at, end) < 0 or (at + 2 < end and text[at + 2] != _SPACE):
            return NO_SYSTEM
    return PAIRING


@lent
def token_at(text: Bytes, at: Int, end: Int) -> Int:
    """Return the token that begins at `at`, or -1."""
    if at + 2 > end:
        return np.int64(-1)
    for letter, faces_left, faces_right in (
        (_BIG_A, LEFT_A, RIGHT_A),
        (_BIG_B, LEFT_B, RIGHT_B),
    ):
        if text[at] == letter and text[at + 1] == _SIGN:
            return np.int64(faces_right)
        if text[at] == _SIGN and text[at + 1] == letter:
            return np.int64(faces_left)
    return np.int64(-1)


@lent
def _read_signs(text: Bytes, start: Int, end: Int, rules: Rules) -> Int:
    """Read rules with one space between them; return their number, or 0 if they are none."""
    count: Int = np.int64(0)
    at = start
    while at <= end:
        stop = at
        while stop < end and text[stop] != _SPACE:
            stop += 1
        if not _take_rule(text, at, stop, SIGNS, rules, count):
            return np.int64(0)
        count += 1
        at = stop + 1
    return count


@lent
def _read_lines(text: Bytes, start: Int, end: Int, rules: Rules) -> Int:
    """Read the rules of the lines that begin `1. `, `2. ` and so on; 0 if anything is wrong."""
    count: Int = np.int64(0)
    at = start
    while at < end:
        stop = at
        while stop < end and text[stop] != _LINE:
            stop += 1
        number: Int = np.int64(0)
        behind = at
        while behind < stop and behind < at + 3 and _ZERO <= text[behind] <= _NINE:
            number = number * 10 + np.int64(text[behind] - _ZERO)
            behind += 1
        if behind > at and behind + 1 < stop and text[behind] == _DOT:
            known = number == count + 1 and text[at] != _ZERO and text[behind + 1] == _SPACE
            if not known or not _take_rule(text, behind + 2, stop, SENTENCES, rules, count):
                return np.int64(0)
            count += 1
        at = stop + 1
    return count


@lent
def _take_rule(text: Bytes, start: Int, end: Int, form: Int, rules: Rules, count: Int) -> bool:
    """Note the rule that text[start:end] tells in this form, unless it is none or a repeat."""
    rule = _find_rule(text, start, end, form)
    if rule == NO_FORM or count == N_RULES:
        return False
    for k in range(count):
        if rules[k] == rule:
            return False
    rules[count] = rule
    return True


@lent
def _find_rule(text: Bytes, start: Int, end: Int, form: Int) -> Int:
    """Return the number of a rule (from 1), or NO_FORM."""
    length = end - start
    if length <= 0 or length > LONGEST_FORM:
        return NO_FORM
    slot: Int = np.int64(0)
    for at in range(start, end):
        slot = (slot * FACTOR + np.int64(text[at])) % N_SLOTS
    while SLOTS[slot] != NO_FORM:
        known = SLOTS[slot]
        if _equals(text, start, end, LETTERS[STARTS[known] : STARTS[known + 1]]):
            return known // 2 + 1 if known % 2 == form else np.int64(NO_FORM)
        slot = (slot + 1) % N_SLOTS
    return NO_FORM
