"""The searches that prove an answer the only one: all rules that fit, all inputs that fit."""

from __future__ import annotations

import numpy as np
from numba import njit

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.verifiers._infer_read import OUTPUT, UNKNOWN, Bytes, Fields, X, Y
from synthgen.verifiers._problem_text import after

MOST_WORK = 1 << 25
"""A bound of the letters compared; problems that need more are refused."""


@lent
def first_place(text: Bytes, other: Bytes) -> Int:
    """Return where `other` first stands in a text, or -1."""
    for at in range(len(text) - len(other) + 1):
        if after(text, at, len(text), other) >= 0:
            return np.int64(at)
    return np.int64(-1)


@njit(cache=True, nogil=True)
def _part(text: Bytes, fields: Fields, field: Int) -> Bytes:
    return text[fields[field, 0] : fields[field, 1]]


@lent
def rule_fits(x: Bytes, y: Bytes, before: Bytes, result: Bytes) -> bool:
    """Say whether the rule x > y makes the result of the string before it."""
    place = first_place(before, x)
    if place < 0:
        return bool(after(result, 0, len(result), before) == len(result))
    if len(before) - len(x) + len(y) != len(result):
        return False
    at = after(result, 0, len(result), before[:place])
    at = after(result, at, len(result), y)
    return bool(after(result, at, len(result), before[place + len(x) :]) == len(result))


@njit(cache=True, nogil=True)
def shortest_rule(text: Bytes, fields: Fields, n_pairs: Int, found: Fields) -> bool:
    """Look for the shortest rule that fits all pairs, and note it; false if there are several.

    The left side is a part of every input that changes, so that all parts of the shortest such
    input are tried; the lengths then say which right side it would have.
    """
    base: Int = np.int64(-1)
    total = 0
    for pair in range(n_pairs):
        before, result = _part(text, fields, 2 * pair), _part(text, fields, 2 * pair + 1)
        total += len(before) + len(result)
        same = len(before) == len(result) and after(before, 0, len(before), result) >= 0
        if not same and (base < 0 or len(before) < len(_part(text, fields, base))):
            base = np.int64(2 * pair)
    if base < 0:
        return False
    before, result = _part(text, fields, base), _part(text, fields, base + 1)
    size = len(before)
    if size * size * total > MOST_WORK:
        return False
    for length in range(max(1, size - len(result)), size + 1):
        n_y = len(result) - size + length
        times = 0
        for begin in range(size - length + 1):
            x, y = before[begin : begin + length], result[begin : begin + n_y]
            fits = first_place(before, x) == begin
            for pair in range(n_pairs):
                fits = fits and rule_fits(
                    x, y, _part(text, fields, 2 * pair), _part(text, fields, 2 * pair + 1)
                )
            if fits:
                times += 1
                low = fields[base, 0] + begin
                found[X, 0], found[X, 1] = low, low + length
                low = fields[base + 1, 0] + begin
                found[Y, 0], found[Y, 1] = low, low + n_y
        if times > 0:
            return times == 1
    return False


@njit(cache=True, nogil=True)
def only_input(text: Bytes, fields: Fields, one: Bytes, kept: Bytes) -> bool:
    """Look for the inputs that fit, and write one to `kept`; false unless it is the only one.

    Args:
        text: of the problem.
        fields: of the problem.
        one: room for an input.
        kept: room for an input.
    """
    x, y, output = _part(text, fields, X), _part(text, fields, Y), _part(text, fields, OUTPUT)
    size = fields[UNKNOWN, 1] - fields[UNKNOWN, 0]
    if (len(output) + 1) * (size + 1) * (len(x) + 1) > MOST_WORK:
        return False
    times = 0
    if size == len(output) and first_place(output, x) < 0:
        kept[:size] = output
        times += 1
    if size == len(output) - len(y) + len(x):
        for place in range(len(output) - len(y) + 1):
            if after(output, place, len(output), y) < 0:
                continue
            put_back(output, place, x, len(y), one)
            if first_place(one[:size], x) == place:
                kept[:size] = one[:size]
                times += 1
    return times == 1


@njit(cache=True, nogil=True)
def put_back(output: Bytes, place: Int, x: Bytes, n_y: Int, one: Bytes) -> None:
    """Write the output with x in the place of the n_y letters at `place` to the front of `one`."""
    one[:place] = output[:place]
    one[place : place + len(x)] = x
    one[place + len(x) : len(output) - n_y + len(x)] = output[place + n_y :]
