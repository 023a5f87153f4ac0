"""Kernels that draw problems of the string systems, run them, and write them as derivations."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.derivation import Codes
from synthgen.core.kinds import Int
from synthgen.core.randomness import U64, draw_below, draw_bits
from synthgen.generators._systems_rules import MANIPULATION, N_BANK
from synthgen.generators._systems_run import UNENDED, Marks, Symbols, trace_row

Lists = NDArray[np.int8]
"""Rules of each row in their order, int8 (n, N_BANK); -1 behind the last."""
_UNIT = 2.0**-53
_S11 = np.uint64(11)
_ROOM = 4096


class Inputs(NamedTuple):
    """Inputs of a batch.

    Attributes:
        symbols, offsets: the strings.
        lists: their rules.
        counts: how many rules each has, int64 (n,).
    """

    symbols: Symbols
    offsets: Marks
    lists: Lists
    counts: Marks


class Runs(NamedTuple):
    """What becomes of the inputs of a batch.

    Attributes:
        symbols, offsets: the answers.
        steps: to each answer, int64 (n,).
        fired: how many different rules fire, int64 (n,).
        ended: how, int64 (n,).
    """

    symbols: Symbols
    offsets: Marks
    steps: Marks
    fired: Marks
    ended: Marks


@njit(cache=True, nogil=True)
def draw_inputs(
    keys: U64,
    lengths: tuple[int, int],
    alphabet: Symbols,
    successor: Symbols,
    follow: float,
    rules: tuple[int, int],
) -> Inputs:
    """Draw the string and the list of rules of every row.

    Args:
        keys: of the rows.
        lengths: shortest and longest string.
        alphabet: symbols to draw from.
        successor: of each symbol that may be followed, uint8 (256,), 255 for none.
        follow: probability that a symbol is the successor of the one before it.
        rules: fewest and most rules of a list.
    """
    n = len(keys)
    symbols = np.empty(n * lengths[1], np.uint8)
    offsets = np.zeros(n + 1, np.int64)
    lists = np.full((n, N_BANK), -1, np.int8)
    counts = np.empty(n, np.int64)
    order = np.empty(N_BANK, np.int8)
    at = 0
    for i in range(n):
        key = keys[i]
        length = lengths[0] + draw_below(key, 0, lengths[1] - lengths[0] + 1)
        counts[i] = rules[0] + draw_below(key, 1, rules[1] - rules[0] + 1)
        for k in range(N_BANK):
            order[k] = k
        for k in range(counts[i]):
            other = k + draw_below(key, 2 + k, N_BANK - k)
            lists[i, k] = order[other]
            order[other] = order[k]
        j = 2 + N_BANK
        for k in range(length):
            symbol = alphabet[draw_below(key, j + 2 * k, len(alphabet))]
            if follow > 0 and k > 0:
                next_one = successor[symbols[at - 1]]
                chance = float(draw_bits(key, j + 2 * k + 1) >> _S11) * _UNIT
                if next_one != 255 and chance < follow:
                    symbol = next_one
            symbols[at] = symbol
            at += 1
        offsets[i + 1] = at
    return Inputs(symbols[:at].copy(), offsets, lists, counts)


@njit(cache=True, nogil=True)
def run_inputs(
    system: Int, symbols: Symbols, offsets: Marks, lists: Lists, counts: Marks, max_steps: Int
) -> Runs:
    """Run every row; the answer of one that does not end is left empty."""
    n = len(offsets) - 1
    answers = np.empty(len(symbols) + _ROOM, np.uint8)
    answer_offsets = np.zeros(n + 1, np.int64)
    steps = np.empty(n, np.int64)
    fired = np.zeros(n, np.int64)
    ended = np.empty(n, np.int64)
    states = np.empty(_ROOM, np.uint8)
    marks = np.empty(max_steps + 3, np.int64)
    labels = np.empty(max_steps + 1, np.int64)
    hashes = np.empty(max_steps + 2, np.uint64)
    at = 0
    for i in range(n):
        states, steps[i], ended[i] = trace_row(
            system,
            symbols,
            offsets[i],
            offsets[i + 1],
            lists[i, : counts[i]],
            max_steps,
            states,
            marks,
            labels,
            hashes,
        )
        seen = 0
        for k in range(steps[i]):
            seen |= 1 << labels[k]
        while seen > 0:
            fired[i] += seen & 1
            seen >>= 1
        if ended[i] != UNENDED:
            low, high = marks[steps[i]], marks[steps[i] + 1]
            if at + high - low > len(answers):
                larger = np.empty(2 * (at + high - low), np.uint8)
                larger[:at] = answers[:at]
                answers = larger
            answers[at : at + high - low] = states[low:high]
            at += high - low
        answer_offsets[i + 1] = at
    return Runs(answers[:at].copy(), answer_offsets, steps, fired, ended)


@njit(cache=True, nogil=True)
def input_codes(
    system: Int,
    symbols: Symbols,
    offsets: Marks,
    lists: Lists,
    counts: Marks,
    letter_codes: Codes,
    firsts: tuple[int, int, int],
) -> tuple[Codes, Marks]:
    """Return the derivations of the rows.

    Args:
        system: one of SYSTEMS; its root has code 0.
        symbols: of the strings.
        offsets: of the strings.
        lists: rules of the rows.
        counts: their numbers.
        letter_codes: code of each symbol, uint16 (256,).
        firsts: codes of the program of no rule, of the first rule and of the string of no letter.
    """
    program, rule, string = firsts
    n = len(offsets) - 1
    codes = np.empty(len(symbols) + counts.sum() + 3 * n, np.uint16)
    code_offsets = np.zeros(n + 1, np.int64)
    at = 0
    for i in range(n):
        codes[at] = 0
        at += 1
        if system == MANIPULATION:
            codes[at] = program + counts[i]
            at += 1
            for k in range(counts[i]):
                codes[at] = rule + np.int64(lists[i, k])
                at += 1
        codes[at] = string + offsets[i + 1] - offsets[i]
        at += 1
        for k in range(offsets[i], offsets[i + 1]):
            codes[at] = letter_codes[symbols[k]]
            at += 1
        code_offsets[i + 1] = at
    return codes[:at].copy(), code_offsets
