"""Kernels that draw problems of inference, again and again until the answer is the only one."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.derivation import Codes
from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.randomness import U64, draw_below, draw_bits
from synthgen.generators._infer_strings import (
    FIRST,
    LHS,
    RHS,
    Letters,
    Marks,
    count_inputs,
    count_rules,
    find,
    is_same,
    put_rewritten,
)

_ATTEMPTS = 60
_ABSENT = 30
"""Strings drawn for a pair that shall not change."""
_UNIT = 2.0**-53
_S11 = np.uint64(11)


class Drawn(NamedTuple):
    """Problems of a batch.

    Attributes:
        letters: of all strings, end to end.
        marks: where each string begins, and where the last one ends.
        rows: number of each problem's first string, and of all strings, int64 (n + 1,).
        candidates: rules that fit all pairs, or places at which the output may have been made.
        valid: whether the answer is the only one.
    """

    letters: Letters
    marks: Marks
    rows: Marks
    candidates: Marks
    valid: NDArray[np.bool_]


@njit(cache=True, nogil=True)
def draw_problems(
    keys: U64,
    is_rule: Int,
    pairs: tuple[int, int],
    inputs: tuple[int, int],
    lhs: tuple[int, int],
    rhs: tuple[int, int],
    alphabet: Letters,
    p_noop: float,
) -> Drawn:
    """Draw the problem of every row.

    Args:
        keys: of the rows.
        is_rule: 1 for the task "rule", 0 for "input".
        pairs: fewest and most pairs.
        inputs: shortest and longest input.
        lhs: shortest and longest left side.
        rhs: shortest and longest right side.
        alphabet: letters to draw from.
        p_noop: probability that a pair does not change.
    """
    n = len(keys)
    most_strings = FIRST + (2 * pairs[1] if is_rule else 2)
    most_letters = lhs[1] + rhs[1] + (most_strings - FIRST) * (inputs[1] + rhs[1])
    letters = np.empty(n * most_letters, np.uint8)
    marks = np.zeros(n * most_strings + 1, np.int64)
    rows = np.zeros(n + 1, np.int64)
    candidates = np.zeros(n, np.int64)
    valid = np.zeros(n, np.bool_)
    own = np.empty(most_letters + inputs[1], np.uint8)
    own_marks = np.zeros(most_strings + 1, np.int64)
    scratch = np.empty(2 * inputs[1] + rhs[1] + lhs[1], np.uint8)
    for i in range(n):
        j: Int = np.int64(0)
        n_strings: Int = np.int64(0)
        for _ in range(_ATTEMPTS):
            j = _draw_rule(keys[i], j, lhs, rhs, alphabet, own, own_marks)
            if is_same(own, own_marks[LHS], own_marks[RHS], own_marks[RHS], own_marks[FIRST]):
                continue
            if is_rule:
                n_strings, j, first = _draw_pairs(
                    keys[i], j, pairs, inputs, alphabet, p_noop, own, own_marks
                )
                if first >= 0:
                    n_pairs = (n_strings - FIRST) // 2
                    candidates[i], valid[i] = count_rules(own, own_marks, n_pairs, first)
            else:
                j = _draw_output(keys[i], j, inputs, alphabet, own, own_marks)
                n_strings = np.int64(most_strings)
                candidates[i], found = count_inputs(own, own_marks, scratch)
                valid[i] = found == 1
            if valid[i]:
                break
        if n_strings == 0:  # never two different sides
            own_marks[:] = 0
            n_strings = np.int64(FIRST + 2)
        rows[i + 1] = rows[i] + n_strings
        begin = marks[rows[i]]
        letters[begin : begin + own_marks[n_strings]] = own[: own_marks[n_strings]]
        for k in range(n_strings):
            marks[rows[i] + k + 1] = begin + own_marks[k + 1]
    total = rows[n]
    return Drawn(letters[: marks[total]].copy(), marks[: total + 1].copy(), rows, candidates, valid)


@lent
def _put_letters(
    key: np.uint64, j: Int, own: Letters, at: Int, length: Int, alphabet: Letters
) -> Int:
    """Draw letters to own[at : at + length] and return the number of the next draw."""
    for k in range(length):
        own[at + k] = alphabet[draw_below(key, j + k, len(alphabet))]
    return j + length


@lent
def _draw_rule(
    key: np.uint64,
    j: Int,
    lhs: tuple[int, int],
    rhs: tuple[int, int],
    alphabet: Letters,
    own: Letters,
    marks: Marks,
) -> Int:
    n_x = lhs[0] + draw_below(key, j, lhs[1] - lhs[0] + 1)
    n_y = rhs[0] + draw_below(key, j + 1, rhs[1] - rhs[0] + 1)
    marks[RHS] = n_x
    marks[FIRST] = n_x + n_y
    return _put_letters(key, j + 2, own, 0, n_x + n_y, alphabet)


@njit(cache=True, nogil=True)
def _draw_pairs(
    key: np.uint64,
    j: Int,
    pairs: tuple[int, int],
    inputs: tuple[int, int],
    alphabet: Letters,
    p_noop: float,
    own: Letters,
    marks: Marks,
) -> tuple[Int, Int, Int]:
    """Draw the pairs.

    Returns:
        The number of strings, that of the next draw, and a pair that changes: -1 if there is none,
        an input occurs twice, or the rule could not be kept out of one that shall not change.
    """
    n_pairs = pairs[0] + draw_below(key, j, pairs[1] - pairs[0] + 1)
    j += 1
    n_x = marks[RHS]
    first: Int = np.int64(-1)
    usable = True
    for pair in range(n_pairs):
        low = marks[FIRST + 2 * pair]
        high = low + inputs[0] + draw_below(key, j, inputs[1] - inputs[0] + 1)
        changes = float(draw_bits(key, j + 1) >> _S11) * _UNIT >= p_noop
        j += 2
        place: Int = np.int64(-1)
        for _ in range(_ABSENT):
            j = _put_letters(key, j, own, low, high - low, alphabet)
            if changes:
                planted = low + draw_below(key, j, high - low - n_x + 1)
                j += 1
                own[planted : planted + n_x] = own[:n_x]
            place = find(own, low, high, 0, n_x)
            if changes or place < 0:
                break
        usable = usable and changes == (place >= 0)
        if place < 0:
            own[high : high + high - low] = own[low:high]
            marks[FIRST + 2 * pair + 2] = high + high - low
        else:
            first = pair if first < 0 else first
            marks[FIRST + 2 * pair + 2] = put_rewritten(own, high, low, high, place, marks)
        marks[FIRST + 2 * pair + 1] = high
        for other in range(pair):
            begin, end = marks[FIRST + 2 * other], marks[FIRST + 2 * other + 1]
            usable = usable and not is_same(own, low, high, begin, end)
    return FIRST + 2 * n_pairs, j, first if usable else np.int64(-1)


@njit(cache=True, nogil=True)
def _draw_output(
    key: np.uint64,
    j: Int,
    inputs: tuple[int, int],
    alphabet: Letters,
    own: Letters,
    marks: Marks,
) -> Int:
    """Draw an input with the left side in it, and write its output before it."""
    n_x = marks[RHS]
    n_y = marks[FIRST] - marks[RHS]
    length = inputs[0] + draw_below(key, j, inputs[1] - inputs[0] + 1)
    low = marks[FIRST] + length - n_x + n_y
    high = low + length
    j = _put_letters(key, j + 1, own, low, length, alphabet)
    planted = low + draw_below(key, j, length - n_x + 1)
    own[planted : planted + n_x] = own[:n_x]
    place = find(own, low, high, 0, n_x)
    marks[FIRST + 1] = put_rewritten(own, marks[FIRST], low, high, place, marks)
    marks[FIRST + 2] = high
    return j + 1


@njit(cache=True, nogil=True)
def problem_codes(
    is_rule: Int,
    letters: Letters,
    marks: Marks,
    rows: Marks,
    letter_codes: Codes,
    firsts: tuple[int, int, int],
) -> tuple[Codes, Marks]:
    """Return the derivations: of pairs without the rule, or of a rule, an output and a length.

    Args:
        is_rule: 1 for the task "rule", 0 for "input".
        letters: of the problems.
        marks: of the problems.
        rows: of the problems.
        letter_codes: code of each letter, uint16 (256,).
        firsts: codes of the string of no letter, and for the task "rule" of pair and the root of no
            pair, for the task "input" of rule and the length of no letter. The root of "input" is
            right before rule.
    """
    string, node, many = firsts
    n = len(rows) - 1
    codes = np.empty(len(letters) + 2 * len(marks) + 4 * n, np.uint16)
    offsets = np.zeros(n + 1, np.int64)
    at = 0
    for i in range(n):
        begin, end = rows[i] + FIRST, rows[i + 1]
        if is_rule:
            codes[at] = many + (end - begin) // 2
            at += 1
        else:
            codes[at] = node - 1
            codes[at + 1] = node
            at += 2
            begin, end = rows[i], rows[i + 1] - 1
        for k in range(begin, end):
            if is_rule and (k - begin) % 2 == 0:
                codes[at] = node
                at += 1
            codes[at] = string + marks[k + 1] - marks[k]
            at += 1
            for place in range(marks[k], marks[k + 1]):
                codes[at] = letter_codes[letters[place]]
                at += 1
        if not is_rule:
            codes[at] = many + marks[end + 1] - marks[end]
            at += 1
        offsets[i + 1] = at
    return codes[:at].copy(), offsets
