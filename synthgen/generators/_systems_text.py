"""Kernels that write problems of the string systems, their answers and their steps as text."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.numerals import write_integer
from synthgen.generators._systems_draw import Lists
from synthgen.generators._systems_rules import AB, TOKENS
from synthgen.generators._systems_run import REPEAT, Marks, Symbols, trace_row

Table = tuple[NDArray[np.uint8], NDArray[np.int64]]
"""Texts end to end and their offsets."""
_SPACE, _LINE, _DOT = np.uint8(32), np.uint8(10), np.uint8(ord("."))
_TOKENS = np.frombuffer("".join(TOKENS).encode(), np.uint8)
_EMPTY = np.frombuffer(b"(empty)", np.uint8)
_START = np.frombuffer(b"start: ", np.uint8)
_COLON = np.frombuffer(b": ", np.uint8)
_AGAIN = np.frombuffer(b" again", np.uint8)
_END = np.frombuffer(b"\nend", np.uint8)
_MOST_NUMBER = 5
_PER_LINE = 32
_ROOM = 4096


@lent
def _put(out: Symbols, at: Int, text: Symbols) -> Int:
    for k in range(len(text)):
        out[at + k] = text[k]
    return at + len(text)


@lent
def _put_state(out: Symbols, at: Int, system: Int, states: Symbols, low: Int, high: Int) -> Int:
    """Write a state: letters side by side, or tokens with spaces between them."""
    for k in range(low, high):
        if system != AB:
            out[at] = states[k]
            at += 1
            continue
        if k > low:
            out[at] = _SPACE
            at += 1
        out[at] = _TOKENS[2 * np.int64(states[k])]
        out[at + 1] = _TOKENS[2 * np.int64(states[k]) + 1]
        at += 2
    return at


@njit(cache=True, nogil=True)
def answer_text(system: Int, symbols: Symbols, offsets: Marks) -> Table:
    """Write one state a row."""
    n = len(offsets) - 1
    out = np.empty(3 * len(symbols) + 1, np.uint8)
    out_offsets = np.zeros(n + 1, np.int64)
    at: Int = np.int64(0)
    for i in range(n):
        at = _put_state(out, at, system, symbols, offsets[i], offsets[i + 1])
        out_offsets[i + 1] = at
    return out[:at].copy(), out_offsets


@njit(cache=True, nogil=True)
def prompt_text(
    system: Int,
    symbols: Symbols,
    offsets: Marks,
    lists: Lists,
    counts: Marks,
    wordings: NDArray[np.int64],
    heads: Table,
    tails: Table,
    rules: Table,
    numbered: Int,
) -> Table:
    """Write the prompts.

    Args:
        system: one of SYSTEMS.
        symbols: of the strings.
        offsets: of the strings.
        lists: rules of the rows; there are none of them but for manipulation.
        counts: how many are told.
        wordings: which of heads and tails each row has.
        heads: what stands before the rules.
        tails: what stands between rules and string; behind it comes its last text.
        rules: texts of the rules of the bank.
        numbered: 1 if each rule has a line and a number, 0 if one space parts it from the next.
    """
    n = len(offsets) - 1
    longest_rule = np.diff(rules[1]).max() + _MOST_NUMBER
    longest = np.diff(heads[1]).max() + np.diff(tails[1]).max() + 1
    bound = 3 * len(symbols) + counts.sum() * longest_rule + n * longest
    out = np.empty(bound, np.uint8)
    out_offsets = np.zeros(n + 1, np.int64)
    closing = len(tails[1]) - 2
    at: Int = np.int64(0)
    for i in range(n):
        wording = wordings[i]
        at = _put(out, at, heads[0][heads[1][wording] : heads[1][wording + 1]])
        for k in range(counts[i]):
            if numbered:
                out[at] = _LINE
                at = write_integer(out, at + 1, k + 1)
                out[at] = _DOT
                out[at + 1] = _SPACE
                at += 2
            elif k > 0:
                out[at] = _SPACE
                at += 1
            rule = np.int64(lists[i, k])
            at = _put(out, at, rules[0][rules[1][rule] : rules[1][rule + 1]])
        at = _put(out, at, tails[0][tails[1][wording] : tails[1][wording + 1]])
        at = _put_state(out, at, system, symbols, offsets[i], offsets[i + 1])
        at = _put(out, at, tails[0][tails[1][closing] : tails[1][closing + 1]])
        out_offsets[i + 1] = at
    return out[:at].copy(), out_offsets


@njit(cache=True, nogil=True)
def step_text(
    system: Int,
    symbols: Symbols,
    offsets: Marks,
    lists: Lists,
    counts: Marks,
    max_steps: Int,
    labels: Table,
) -> Table:
    """Write every state of every row, with what made it."""
    n = len(offsets) - 1
    out = np.empty(8 * len(symbols) + _ROOM, np.uint8)
    out_offsets = np.zeros(n + 1, np.int64)
    states = np.empty(_ROOM, np.uint8)
    marks = np.empty(max_steps + 3, np.int64)
    fired = np.empty(max_steps + 1, np.int64)
    hashes = np.empty(max_steps + 2, np.uint64)
    at: Int = np.int64(0)
    for i in range(n):
        states, steps, ended = trace_row(
            system,
            symbols,
            offsets[i],
            offsets[i + 1],
            lists[i, : counts[i]],
            max_steps,
            states,
            marks,
            fired,
            hashes,
        )
        told = steps + 1 if ended == REPEAT else steps
        bound = 3 * marks[told + 1] + (told + 2) * _PER_LINE
        if at + bound > len(out):
            larger = np.empty(2 * (at + bound), np.uint8)
            larger[:at] = out[:at]
            out = larger
        at = _put(out, at, _START)
        for k in range(told + 1):
            if k > 0:
                label = fired[k - 1]
                out[at] = _LINE
                at = _put(out, at + 1, labels[0][labels[1][label] : labels[1][label + 1]])
                at = _put(out, at, _COLON)
            if marks[k + 1] > marks[k]:
                at = _put_state(out, at, system, states, marks[k], marks[k + 1])
            else:
                at = _put(out, at, _EMPTY)
        at = _put(out, at, _AGAIN if ended == REPEAT else _END)
        out_offsets[i + 1] = at
    return out[:at].copy(), out_offsets
