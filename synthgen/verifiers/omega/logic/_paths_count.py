"""Paths around blocked cells by inclusion and exclusion, modulo primes that together are enough.

The paths to a blocked cell that meet no other before are all paths to it less, for every earlier
blocked cell, those that meet that one first and then go on to this one. Modulo several primes whose
product exceeds the number of all paths of the empty board, equal remainders are the number.
"""

from __future__ import annotations

from functools import cache
from math import comb, prod

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.offsets import longest_row
from synthgen.verifiers.omega._forms import NO_FORM
from synthgen.verifiers.omega._kernel_check import NO_ANSWER

LONGEST = 100
"""Longest side of a board that is looked at."""
Marks = NDArray[np.int64]
_PRIMES = (
    *(2147483647, 2147483629, 2147483587, 2147483579),
    *(2147483563, 2147483549, 2147483543),
)
"""The largest below 2^31."""


def count_all(kinds: Marks, values: Marks, offsets: Marks) -> Marks:
    """Count the paths of every board; NO_ANSWER for values that make none, or more than 2^31."""
    return _count_all(kinds, values, offsets, np.array(_PRIMES), _ways(), _needed())


@cache
def _ways() -> Marks:
    """Return the paths between cells so many rows and columns apart, modulo each prime."""
    table = np.ones((len(_PRIMES), LONGEST, LONGEST), np.int64)
    for k, prime in enumerate(_PRIMES):
        for y in range(1, LONGEST):
            table[k, y] = np.cumsum(table[k, y - 1]) % prime
    return table


@cache
def _needed() -> Marks:
    """Return how many primes it takes for as many steps as a board's sides have together."""
    products = [prod(_PRIMES[:k]) for k in range(len(_PRIMES) + 1)]
    paths = [comb(steps, steps // 2) for steps in range(2 * LONGEST)]
    return np.array([sum(product <= most for product in products) for most in paths])


@njit(cache=True, nogil=True)
def _is_board(values: Marks) -> bool:
    """Say whether values are sides and a list of different cells, row by row, no corner of it."""
    w, h, count = values[0], values[1], values[2]
    if not (2 <= w <= LONGEST and 2 <= h <= LONGEST) or len(values) != 2 * count + 3:
        return False
    before: Int = np.int64(0)
    for k in range(count):
        x, y = values[2 * k + 3], values[2 * k + 4]
        if x >= w or y * w + x <= before or y * w + x >= w * h - 1:
            return False
        before = y * w + x
    return True


@njit(cache=True, nogil=True)
def _remainder(values: Marks, prime: Int, ways: Marks, met: Marks) -> Int:
    """Count the paths of a board modulo a prime.

    Args:
        values: sides and blocked cells.
        prime: modulus.
        ways: paths between two cells by their distance, modulo it.
        met: room for blocked cells that paths can meet first, and how many do, (k, 3).
    """
    w, h, count = values[0], values[1], values[2]
    bound = prime << 31
    n_met: Int = np.int64(0)
    for k in range(count):
        x, y = values[2 * k + 3], values[2 * k + 4]
        paths = _avoiding(x, y, prime, bound, ways, met[:n_met])
        if paths != 0:
            met[n_met, 0], met[n_met, 1], met[n_met, 2] = x, y, paths
            n_met += 1
    return _avoiding(w - 1, h - 1, prime, bound, ways, met[:n_met])


@njit(cache=True, nogil=True)
def _avoiding(x: Int, y: Int, prime: Int, bound: Int, ways: Marks, met: Marks) -> Int:
    """Count the paths to (x, y) that meet no blocked cell before."""
    lost: Int = np.int64(0)
    for k in range(len(met)):
        if met[k, 0] <= x:
            lost += met[k, 2] * ways[y - met[k, 1], x - met[k, 0]]
            if lost >= bound:
                lost -= bound
    return np.int64((ways[y, x] + prime - lost % prime) % prime)


@njit(cache=True, nogil=True)
def _count_all(
    kinds: Marks, values: Marks, offsets: Marks, primes: Marks, ways: Marks, needed: Marks
) -> Marks:
    found = np.full(len(kinds), NO_ANSWER, np.int64)
    met = np.empty((longest_row(offsets), 3), np.int64)
    for i in range(len(kinds)):
        board = values[offsets[i] : offsets[i + 1]]
        if kinds[i] == NO_FORM or not _is_board(board):
            continue
        found[i] = _remainder(board, primes[0], ways[0], met)
        for k in range(1, needed[board[0] + board[1] - 2]):
            if _remainder(board, primes[k], ways[k], met) != found[i]:
                found[i] = NO_ANSWER  # the number is larger than a remainder can be
                break
    return found
