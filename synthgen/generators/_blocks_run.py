"""Kernels of block synthesis: counts from addresses, runs of the rules, and their text."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.numerals import write_integer
from synthgen.core.permutation import permuted
from synthgen.core.randomness import U64
from synthgen.generators._blocks_rules import GIVEN, N_BLOCKS, N_RULES, NOTATIONS, TAKEN

Bytes = NDArray[np.uint8]
Counts = NDArray[np.int64]
"""Blocks of each kind, int64 (n, N_BLOCKS)."""
Orders = NDArray[np.int64]
"""Rules of each row in their order, int64 (n, N_RULES)."""
_RULE_BYTES = np.frombuffer("".join(NOTATIONS).encode(), np.uint8)
_RULE_ENDS = np.cumsum(np.array([0, *map(len, NOTATIONS)]))
_SPACE, _BAR, _LINE, _COLON = np.frombuffer(b" |\n:", np.uint8)
_START = np.frombuffer(b"start: ", np.uint8)
_END = np.frombuffer(b"\nend", np.uint8)
_COUNT_ROOM = 6
"""Bytes of a count and the sign behind it."""
_LINE_ROOM = 8 + _COUNT_ROOM * N_BLOCKS


@njit(cache=True, nogil=True)
def unrank(
    addresses: U64, table: U64, counts: tuple[Int, Int], kinds: Int, shuffled: Int
) -> tuple[Orders, Counts]:
    """Return the rules and blocks of each address.

    Args:
        addresses: below the number of problems.
        table: of the permutation of all problems.
        counts: fewest and most blocks of a kind.
        kinds: that may be there at the start.
        shuffled: 1 if the order of the rules is part of the number.
    """
    n = len(addresses)
    orders = np.empty((n, N_RULES), np.int64)
    blocks = np.zeros((n, N_BLOCKS), np.int64)
    base = np.uint64(counts[1] - counts[0] + 1)
    for i in range(n):
        number = permuted(addresses[i], table)
        for kind in range(kinds):
            blocks[i, kind] = counts[0] + np.int64(number % base)
            number //= base
        for rule in range(N_RULES):
            orders[i, rule] = rule
        if shuffled == 1:
            for rule in range(N_RULES - 1):
                left = np.uint64(N_RULES - rule)
                other = rule + np.int64(number % left)
                number //= left
                taken = orders[i, other]
                orders[i, other] = orders[i, rule]
                orders[i, rule] = taken
    return orders, blocks


@lent
def _use_first(order: NDArray[np.int64], blocks: NDArray[np.int64]) -> Int:
    """Use the first rule there are blocks for; return its place in the order, or -1."""
    for place in range(N_RULES):
        rule = order[place]
        enough = True
        for kind in range(N_BLOCKS):
            enough = enough and blocks[kind] >= TAKEN[rule, kind]
        if enough:
            for kind in range(N_BLOCKS):
                blocks[kind] += GIVEN[rule, kind] - TAKEN[rule, kind]
            return np.int64(place)
    return np.int64(-1)


@njit(cache=True, nogil=True)
def run_rows(orders: Orders, starts: Counts) -> tuple[Counts, Counts, Counts]:
    """Return the last counts of every row, its steps, and how many different rules are used."""
    ends = starts.copy()
    n = len(starts)
    steps = np.zeros(n, np.int64)
    used = np.zeros(n, np.int64)
    for i in range(n):
        seen: Int = np.int64(0)
        while True:
            place = _use_first(orders[i], ends[i])
            if place < 0:
                break
            steps[i] += 1
            used[i] += (seen >> place) & 1 == 0
            seen |= np.int64(1) << place
    return ends, steps, used


@lent
def _put_counts(out: Bytes, at: Int, blocks: NDArray[np.int64]) -> Int:
    for kind in range(N_BLOCKS):
        if kind > 0:
            out[at] = _SPACE
            at += 1
        at = write_integer(out, at, blocks[kind])
    return at


@njit(cache=True, nogil=True)
def count_text(counts: Counts) -> tuple[Bytes, NDArray[np.int64]]:
    """Write the counts of every row with spaces between them."""
    n = len(counts)
    out = np.empty(n * _LINE_ROOM, np.uint8)
    offsets = np.zeros(n + 1, np.int64)
    for i in range(n):
        offsets[i + 1] = _put_counts(out, offsets[i], counts[i])
    return out, offsets


@njit(cache=True, nogil=True)
def problem_text(orders: Orders, starts: Counts) -> tuple[Bytes, NDArray[np.int64]]:
    """Write the rules and the counts of every row."""
    n = len(starts)
    out = np.empty(n * (len(_RULE_BYTES) + N_RULES + 2 + _LINE_ROOM), np.uint8)
    offsets = np.zeros(n + 1, np.int64)
    for i in range(n):
        at = offsets[i]
        for place in range(N_RULES):
            rule = orders[i, place]
            for k in range(_RULE_ENDS[rule], _RULE_ENDS[rule + 1]):
                out[at] = _RULE_BYTES[k]
                at += 1
            out[at] = _SPACE
            at += 1
        out[at], out[at + 1] = _BAR, _SPACE
        offsets[i + 1] = _put_counts(out, at + 2, starts[i])
    return out, offsets


@njit(cache=True, nogil=True)
def step_text(
    orders: Orders, starts: Counts, steps: NDArray[np.int64]
) -> tuple[Bytes, NDArray[np.int64]]:
    """Write a line for the start, for each step the place of its rule and the counts, and `end`."""
    n = len(starts)
    out = np.empty((steps.sum() + 2 * n) * _LINE_ROOM, np.uint8)
    offsets = np.zeros(n + 1, np.int64)
    blocks = np.empty(N_BLOCKS, np.int64)
    for i in range(n):
        at = offsets[i]
        blocks[:] = starts[i]
        out[at : at + len(_START)] = _START
        at = _put_counts(out, at + len(_START), blocks)
        while True:
            place = _use_first(orders[i], blocks)
            if place < 0:
                break
            out[at] = _LINE
            at = write_integer(out, at + 1, place + 1)
            out[at], out[at + 1] = _COLON, _SPACE
            at = _put_counts(out, at + 2, blocks)
        out[at : at + len(_END)] = _END
        offsets[i + 1] = at + len(_END)
    return out, offsets
