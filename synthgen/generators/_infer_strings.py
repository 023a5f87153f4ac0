"""Kernels on strings that lie in one buffer: finding, replacing, and all rules that fit.

A problem is a run of strings, string k in letters[marks[k] : marks[k + 1]]: first the two sides of
the rule, then for the task "rule" an input and an output for each pair, and for the task "input"
the output and its input.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent

Letters = NDArray[np.uint8]
Marks = NDArray[np.int64]
LHS, RHS, FIRST = range(3)
"""Places of the rule's sides and of the first other string."""


@lent
def find(letters: Letters, low: Int, high: Int, begin: Int, length: Int) -> Int:
    """Return where letters[begin : begin + length] first stands in letters[low:high], or -1."""
    for place in range(low, high - length + 1):
        same = 0
        while same < length and letters[place + same] == letters[begin + same]:
            same += 1
        if same == length:
            return place
    return np.int64(-1)


@lent
def is_same(letters: Letters, one: Int, one_end: Int, other: Int, other_end: Int) -> bool:
    """Say whether two stretches hold the same letters."""
    if one_end - one != other_end - other:
        return False
    for k in range(one_end - one):
        if letters[one + k] != letters[other + k]:
            return False
    return True


@lent
def put_rewritten(letters: Letters, at: Int, low: Int, high: Int, place: Int, marks: Marks) -> Int:
    """Write letters[low:high] with the rule carried out at `place`; return where it ends."""
    for k in range(low, place):
        letters[at] = letters[k]
        at += 1
    for k in range(marks[RHS], marks[RHS + 1]):
        letters[at] = letters[k]
        at += 1
    for k in range(place + marks[LHS + 1] - marks[LHS], high):
        letters[at] = letters[k]
        at += 1
    return at


@lent
def count_rules(letters: Letters, marks: Marks, n_pairs: Int, first: Int) -> tuple[Int, bool]:
    """Count the rules that fit every pair, and say if the problem's own is the only shortest.

    A rule that changes pair `first` leaves some letters at its beginning and at its end as they
    are, so that all rules are tried by trying all numbers of such letters.

    Args:
        letters: of the problem.
        marks: of the problem.
        n_pairs: of the problem.
        first: a pair whose output differs from its input.
    """
    low, high = marks[FIRST + 2 * first], marks[FIRST + 2 * first + 1]
    after, end = high, marks[FIRST + 2 * first + 2]
    shorter = min(high - low, end - after)
    prefix, suffix = 0, 0
    while prefix < shorter and letters[low + prefix] == letters[after + prefix]:
        prefix += 1
    while suffix < shorter and letters[high - 1 - suffix] == letters[end - 1 - suffix]:
        suffix += 1
    own = marks[FIRST] - marks[LHS]
    count: Int = np.int64(0)
    unrivalled = True
    for left in range(prefix + 1):
        for right in range(min(suffix, shorter - left, high - low - 1 - left) + 1):
            x, x_end = low + left, high - right
            y, y_end = after + left, end - right
            if find(letters, low, high, x, x_end - x) != x:
                continue
            fits = True
            for pair in range(n_pairs):
                fits = fits and (pair == first or _fits(letters, marks, pair, x, x_end, y, y_end))
            if not fits:
                continue
            count += 1
            size = x_end - x + y_end - y
            itself = is_same(letters, x, x_end, marks[LHS], marks[LHS + 1])
            if size < own or (size == own and not itself):
                unrivalled = False
    return count, unrivalled


@lent
def _fits(
    letters: Letters, marks: Marks, pair: Int, x: Int, x_end: Int, y: Int, y_end: Int
) -> bool:
    """Say whether a rule makes the pair's output of its input."""
    low, high = marks[FIRST + 2 * pair], marks[FIRST + 2 * pair + 1]
    end = marks[FIRST + 2 * pair + 2]
    place = find(letters, low, high, x, x_end - x)
    if place < 0:
        return is_same(letters, low, high, high, end)
    if high - low - (x_end - x) + (y_end - y) != end - high:
        return False
    new_end = high + (place - low) + (y_end - y)
    return (
        is_same(letters, low, place, high, high + place - low)
        and is_same(letters, y, y_end, high + place - low, new_end)
        and is_same(letters, place + x_end - x, high, new_end, end)
    )


@lent
def count_inputs(letters: Letters, marks: Marks, scratch: Letters) -> tuple[Int, Int]:
    """Count places at which the output may have been made, and inputs that do give it.

    Args:
        letters: of a problem of the task "input".
        marks: of the problem.
        scratch: room for an input.
    """
    low, high = marks[FIRST], marks[FIRST + 1]
    n_x, n_y = marks[LHS + 1] - marks[LHS], marks[RHS + 1] - marks[RHS]
    places: Int = np.int64(0)
    inputs: Int = np.int64(0)
    if n_x == n_y:
        places += 1
        inputs += find(letters, low, high, marks[LHS], n_x) < 0
    for place in range(low, high - n_y + 1):
        if not is_same(letters, place, place + n_y, marks[RHS], marks[RHS + 1]):
            continue
        places += 1
        inputs += is_input(letters, marks, place, scratch)
    return places, inputs


@lent
def is_input(letters: Letters, marks: Marks, place: Int, scratch: Letters) -> bool:
    """Say whether the rule's left side, put at `place` of the output, is the leftmost one there."""
    low = marks[FIRST]
    n_x = marks[LHS + 1] - marks[LHS]
    shift = place - low
    for k in range(shift):
        scratch[k] = letters[low + k]
    for k in range(n_x):
        scratch[shift + k] = letters[marks[LHS] + k]
    # What overlaps the new left side from the left ends before its own end.
    for begin in range(shift):
        if is_same_at(scratch, begin, letters, marks[LHS], n_x):
            return False
    return True


@lent
def is_same_at(one: Letters, at: Int, other: Letters, other_at: Int, length: Int) -> bool:
    """Say whether two buffers hold the same letters at these places."""
    for k in range(length):
        if one[at + k] != other[other_at + k]:
            return False
    return True


@njit(cache=True, nogil=True)
def measure_pairs(letters: Letters, marks: Marks, rows: Marks) -> tuple[Marks, Marks, Marks]:
    """Return how many pairs do not change, and the longest input and output, int64 (n,) each."""
    n = len(rows) - 1
    noops, inputs, outputs = np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.int64)
    for i in range(n):
        for k in range(rows[i] + FIRST, rows[i + 1] - 1, 2):
            low, high, end = marks[k], marks[k + 1], marks[k + 2]
            noops[i] += is_same(letters, low, high, high, end)
            inputs[i] = max(inputs[i], high - low)
            outputs[i] = max(outputs[i], end - high)
    return noops, inputs, outputs
