"""Where string manipulation ends: cycles are found by Brent's method, without keeping states."""

from __future__ import annotations

import numpy as np
from numba import njit

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.verifiers._systems_fire import Span, fire_first
from synthgen.verifiers._systems_read import Bytes, Rules

MOST_STEPS = 1 << 14
"""Steps of one walk after which a problem is refused."""
MOST_WORK = 1 << 27
"""Letters looked at for one row, likewise."""
ROOM = 4 * MOST_STEPS
"""Bytes beside the input that a walk can need: one before the string and two behind it a step."""


@njit(cache=True, nogil=True)
def begin(source: Bytes, start: Int, end: Int, text: Bytes, span: Span) -> None:
    """Put a string into a buffer, with room on both sides."""
    span[0] = MOST_STEPS + 1
    span[1] = span[0] + end - start
    text[span[0] : span[1]] = source[start:end]


@njit(cache=True, nogil=True)
def find_end(
    source: Bytes,
    start: Int,
    end: Int,
    rules: Rules,
    count: Int,
    one: Bytes,
    one_span: Span,
    other: Bytes,
    other_span: Span,
) -> tuple[Int, bool]:
    """Run a list of rules to the answer, which is then in `one`.

    Args:
        source: of the input.
        start: of the input.
        end: of the input.
        rules: in their order.
        count: how many they are.
        one: buffer with ROOM beside the input.
        one_span: where its string stands.
        other: another such buffer.
        other_span: where its string stands.

    Returns:
        The number of steps to the answer, or -1 for a problem that is refused, and whether it ends
        because a string comes up again.
    """
    begin(source, start, end, one, one_span)
    begin(source, start, end, other, other_span)
    steps, power, cycle, work = 0, 1, 0, 0
    while True:
        if fire_first(rules, count, one, one_span) < 0:
            return steps, False
        steps += 1
        cycle += 1
        work += (one_span[1] - one_span[0]) * count + count
        if _same(one, one_span, other, other_span):
            break
        if steps == MOST_STEPS or work > MOST_WORK:
            return np.int64(-1), False
        if cycle == power:
            _copy(one, one_span, other, other_span)
            power *= 2
            cycle = 0
    begin(source, start, end, one, one_span)
    begin(source, start, end, other, other_span)
    for _ in range(cycle):
        fire_first(rules, count, one, one_span)
    tail = 0
    while not _same(one, one_span, other, other_span):
        fire_first(rules, count, one, one_span)
        fire_first(rules, count, other, other_span)
        tail += 1
    begin(source, start, end, one, one_span)
    for _ in range(tail + cycle - 1):
        fire_first(rules, count, one, one_span)
    return tail + cycle - 1, True


@lent
def _same(one: Bytes, one_span: Span, other: Bytes, other_span: Span) -> bool:
    length = one_span[1] - one_span[0]
    if other_span[1] - other_span[0] != length:
        return False
    for k in range(length):
        if one[one_span[0] + k] != other[other_span[0] + k]:
            return False
    return True


@njit(cache=True, nogil=True)
def _copy(one: Bytes, one_span: Span, other: Bytes, other_span: Span) -> None:
    low, high = one_span[0], one_span[1]
    other[low:high] = one[low:high]
    other_span[0], other_span[1] = low, high
