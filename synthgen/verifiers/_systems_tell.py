"""Comparing text with what a string system does: answers, and solutions line by line."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.verifiers._problem_text import after
from synthgen.verifiers._systems_fire import Span, fire_first
from synthgen.verifiers._systems_loop import begin
from synthgen.verifiers._systems_pass import GROUP, insertion_step, pair_step
from synthgen.verifiers._systems_read import (
    MANIPULATION,
    PAIRING,
    Bytes,
    Rules,
    token_at,
)

_SPACE = np.uint8(32)
_ZERO = ord("0")
_START = np.frombuffer(b"start: ", np.uint8)
_COLON = np.frombuffer(b": ", np.uint8)
_EMPTY = np.frombuffer(b"(empty)", np.uint8)
_LINE = np.frombuffer(b"\n", np.uint8)
_END = np.frombuffer(b"\nend", np.uint8)
_AGAIN = np.frombuffer(b" again", np.uint8)
_PAIRS = np.frombuffer(b"A# #AA# #BB# #AB# #B", np.uint8)
_PAIR_LENGTH = 5


@lent
def after_state(system: Int, text: Bytes, at: Int, end: Int, state: Bytes, span: Span) -> Int:
    """Return where a state ends if it stands at `at`, else -1; -1 stays -1."""
    if at < 0:
        return at
    if system != PAIRING:
        return after(text, at, end, state[span[0] : span[1]])
    for k in range(span[0], span[1]):
        if k > span[0]:
            if at >= end or text[at] != _SPACE:
                return np.int64(-1)
            at += 1
        if token_at(text, at, end) != np.int64(state[k]):
            return np.int64(-1)
        at += 2
    return at


@njit(cache=True, nogil=True)
def tells_steps(
    system: Int,
    text: Bytes,
    at: Int,
    end: Int,
    source: Bytes,
    start: Int,
    stop: Int,
    rules: Rules,
    count: Int,
    expected: tuple[Int, bool],
    state: Bytes,
    span: Span,
    done: NDArray[np.int64],
) -> bool:
    """Say whether text[at:end] tells every step of a problem.

    Args:
        system: of the problem.
        text: of the solutions.
        at: where the solution begins.
        end: where it ends.
        source: of the input.
        start: where the input begins.
        stop: where it ends.
        rules: of manipulation.
        count: of them.
        expected: steps of manipulation, and whether a string comes up again then.
        state: buffer.
        span: where the string stands in it.
        done: room for one number.
    """
    if system == PAIRING:
        span[0], span[1] = 0, (stop - start + 1) // 3
        for k in range(span[1]):
            state[k] = token_at(source, start + 3 * k, stop)
    else:
        begin(source, start, stop, state, span)
    done[0] = 0
    at = after(text, at, end, _START)
    at = after_state(system, text, at, end, state, span)
    steps = 0
    while at >= 0:
        if system == MANIPULATION:
            fired = fire_first(rules, count, state, span)
        elif system == PAIRING:
            fired = pair_step(state, span)
        else:
            fired = insertion_step(state, span, done)
        if fired < 0:
            return bool(after(text, at, end, _END) == end)
        at = _after_label(system, text, after(text, at, end, _LINE), end, fired, state)
        at = after(text, at, end, _COLON)
        if span[0] == span[1]:
            at = after(text, at, end, _EMPTY)
        at = after_state(system, text, at, end, state, span)
        if system == MANIPULATION and expected[1] and steps == expected[0]:
            return bool(after(text, at, end, _AGAIN) == end)
        steps += 1
    return False


@lent
def _after_label(system: Int, text: Bytes, at: Int, end: Int, fired: Int, state: Bytes) -> Int:
    """Return where what was done ends if it is told at `at`, else -1; -1 stays -1."""
    if at < 0:
        return at
    if system == PAIRING:
        pair = _PAIRS[_PAIR_LENGTH * fired : _PAIR_LENGTH * (fired + 1)]
        return after(text, at, end, pair)
    if system != MANIPULATION:
        return after(text, at, end, state[fired : fired + GROUP])
    number = fired + 1
    if number >= 10:
        if at >= end or text[at] != _ZERO + number // 10:
            return np.int64(-1)
        at += 1
    return at + 1 if at < end and text[at] == _ZERO + number % 10 else np.int64(-1)
