"""Replaying solutions of inference, line by line."""

from __future__ import annotations

import numpy as np
from numba import njit

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.verifiers._infer_read import OUTPUT, UNKNOWN, Bytes, Fields, X, Y
from synthgen.verifiers._infer_search import first_place, put_back
from synthgen.verifiers._problem_text import after

_OPEN = np.frombuffer(b"[", np.uint8)
_CLOSE = np.frombuffer(b"]", np.uint8)
_ARROW = np.frombuffer(b" > ", np.uint8)
_LINE = np.frombuffer(b"\n", np.uint8)
_WITHOUT = np.frombuffer(b" without ", np.uint8)
_FITS = np.frombuffer(b" fits", np.uint8)
_GIVES = np.frombuffer(b" gives ", np.uint8)
_EMPTY = np.frombuffer(b"_", np.uint8)


@lent
def _after_marked(
    text: Bytes, at: Int, end: Int, told: Bytes, place: Int, length: Int, inner: Bytes
) -> Int:
    """Return where `told` ends, with `inner` in brackets for told[place : place + length]."""
    at = after(text, after(text, at, end, told[:place]), end, _OPEN)
    at = after(text, after(text, at, end, inner), end, _CLOSE)
    return after(text, at, end, told[place + length :])


@lent
def tells_uses(
    text: Bytes, at: Int, end: Int, source: Bytes, fields: Fields, n_pairs: Int, rule: Fields
) -> bool:
    """Say whether text[at:end] tells how the rule acts in every pair.

    Args:
        text: of the solutions.
        at: where the solution begins.
        end: where it ends.
        source: of the prompts.
        fields: of the pairs.
        n_pairs: of the problem.
        rule: its sides, as parts of the prompts.
    """
    x, y = source[rule[X, 0] : rule[X, 1]], source[rule[Y, 0] : rule[Y, 1]]
    for pair in range(n_pairs):
        if pair > 0:
            at = after(text, at, end, _LINE)
        before = source[fields[2 * pair, 0] : fields[2 * pair, 1]]
        place = first_place(before, x)
        if place < 0:
            at = after(text, after(text, at, end, before), end, _WITHOUT)
            at = after(text, at, end, x)
        else:
            at = _after_marked(text, at, end, before, place, len(x), x)
            at = after(text, at, end, _ARROW)
            at = _after_marked(text, at, end, before, place, len(x), y)
        if at < 0:
            return False
    return at == end


@njit(cache=True, nogil=True)
def tells_places(text: Bytes, at: Int, end: Int, source: Bytes, fields: Fields, one: Bytes) -> bool:
    """Say whether text[at:end] tells what each possible place of the output comes to.

    Args:
        text: of the solutions.
        at: where the solution begins.
        end: where it ends.
        source: of the prompts.
        fields: of the problem.
        one: room for an input.
    """
    x, y = source[fields[X, 0] : fields[X, 1]], source[fields[Y, 0] : fields[Y, 1]]
    output = source[fields[OUTPUT, 0] : fields[OUTPUT, 1]]
    size = fields[UNKNOWN, 1] - fields[UNKNOWN, 0]
    begin = at
    if size == len(output):
        at = after(text, at, end, output)
        at = _after_verdict(text, at, end, output, x, y, np.int64(-1))
    if size != len(output) - len(y) + len(x):
        return bool(at == end and at > begin)
    for place in range(len(output) - len(y) + 1):
        if at < 0:
            return False
        if after(output, place, len(output), y) < 0:
            continue
        if at > begin:
            at = after(text, at, end, _LINE)
        at = _after_marked(text, at, end, output, place, len(y), x)
        put_back(output, place, x, len(y), one)
        at = _after_verdict(text, at, end, one[:size], x, y, place)
    return bool(at == end)


@lent
def _after_verdict(
    text: Bytes, at: Int, end: Int, tried: Bytes, x: Bytes, y: Bytes, wanted: Int
) -> Int:
    """Return where the verdict on an input ends: it fits if its first x stands at `wanted`."""
    place = first_place(tried, x)
    if place == wanted:
        return after(text, at, end, _FITS)
    at = after(text, at, end, _GIVES)
    if len(tried) - len(x) + len(y) == 0:
        return after(text, at, end, _EMPTY)
    at = after(text, after(text, at, end, tried[:place]), end, y)
    return after(text, at, end, tried[place + len(x) :])
