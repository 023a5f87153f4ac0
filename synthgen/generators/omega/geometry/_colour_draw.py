"""Kernel that draws coloured polygons: the address is a number among all of a level and kind."""

from __future__ import annotations

from functools import cache
from math import comb, gcd

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.permutation import permuted
from synthgen.generators.omega._kernel_family import Codes, put_integer
from synthgen.generators.omega._numbers import OWN_SYMBOLS
from synthgen.generators.omega.geometry._dihedral import MOST_SIDES, ones, turned

PAINT, TURN, BEST = range(3)
"""Kinds: paint the open vertices; turn by so many places; the best turn."""
KIND_OF_SLOT = np.array([PAINT, TURN, BEST, PAINT, BEST], np.int64)
"""Two in five addresses paint, one turns, two look for the best turn."""
TIMES_OF_KIND = np.array([2, 1, 2], np.int64)
_TIME_OF_SLOT = np.array([0, 0, 0, 1, 1], np.int64)
N_SLOTS = len(KIND_OF_SLOT)
MOST_OPEN = 6
SYMBOLS = {"a": 0, "b": 0, "open": 0} | {
    f"{name}{n}": n + (name == "turn")
    for name in ("paint", "turn", "best")
    for n in range(4, MOST_SIDES + 1)
}
_PER_NAME = MOST_SIDES - 3
_LEAF_A, _LEAF_B, _LEAF_OPEN, _FIRST_NAME = range(OWN_SYMBOLS, OWN_SYMBOLS + 4)
_CODES, _VALUES = MOST_SIDES + 4, MOST_SIDES + 5
_BINOMIALS = np.array([[comb(n, k) for k in range(MOST_OPEN + 1)] for n in range(MOST_SIDES + 1)])
_LARGEST = 2**63 - 1
_SECOND = 32
"""Two masks are compared as one number: the first one that many bits higher than the second."""


def colourings(kind: int, n: int, n_open: int) -> int:
    """Return how many colourings of n numbered vertices there are, with a turn where it is told."""
    if kind == PAINT:
        return comb(n, n_open) << (n - n_open)
    return (n - 1 if kind == TURN else 1) << n


@cache
def distinct(kind: int, n: int, n_open: int) -> int:
    """Return how many problems these are: by Burnside's lemma over the turns and mirrorings.

    Coloured vertices of one colour alone make no problem. A mirrored polygon turns the other way.
    """
    n_open = n_open if kind == PAINT else 0
    turns = [[n // gcd(n, places)] * gcd(n, places) for places in range(n)]
    mirrored = [[1] * fixed + [2] * ((n - fixed) // 2) for fixed in _fixed_vertices(n)]
    weights = (n - 1, 1 - n % 2) if kind == TURN else (1, 1)
    total = sum(
        weight * _fixed_colourings(cycles, n_open)
        for weight, group in zip(weights, (turns, mirrored), strict=True)
        for cycles in group
    )
    return total // (2 * n)


def _fixed_vertices(n: int) -> list[int]:
    return [1] * n if n % 2 else [0] * (n // 2) + [2] * (n // 2)


def _fixed_colourings(cycles: list[int], n_open: int) -> int:
    """Count colourings that are constant on each cycle: both colours occur, so many are open."""
    return _ways(cycles, n_open, 2) - 2 * _ways(cycles, n_open, 1)


def _ways(cycles: list[int], n_open: int, colours: int) -> int:
    ways = [1] + [0] * n_open
    for length in cycles:
        ways = [
            colours * ways[k] + (ways[k - length] if k >= length else 0) for k in range(n_open + 1)
        ]
    return ways[n_open]


@njit(cache=True, nogil=True)
def draw_colours(
    addresses: NDArray[np.uint64],
    counts: NDArray[np.int64],
    tables: NDArray[np.uint64],
    n_open: Int,
    pairs: NDArray[np.int64],
) -> tuple[NDArray[np.int64], Codes, NDArray[np.int64], NDArray[np.int16], NDArray[np.int64]]:
    """Draw rows.

    Args:
        addresses: of the rows.
        counts: int64 (levels, kinds, sides), what `colourings` gives for the sides of a level.
        tables: permutations, (levels, kinds, words).
        n_open: vertices to paint.
        pairs: numbers of the two colours, (n, 2).

    Returns:
        int64 (n, 5) of level's place, kind, sides, answer and validity; codes and their offsets;
        values of the statement's holes and theirs.
    """
    n_rows, n_levels = len(addresses), len(counts)
    facts = np.zeros((n_rows, 5), np.int64)
    codes, values = np.empty(n_rows * _CODES, np.uint16), np.empty(n_rows * _VALUES, np.int16)
    code_marks, value_marks = np.zeros(n_rows + 1, np.int64), np.zeros(n_rows + 1, np.int64)
    totals = counts.sum(axis=2)
    at: Int = np.int64(0)
    fill: Int = np.int64(0)
    for i in range(n_rows):
        address = np.int64(addresses[i])
        level = address % n_levels
        slot = address // n_levels % N_SLOTS
        kind = KIND_OF_SLOT[slot]
        place = address // (n_levels * N_SLOTS) * TIMES_OF_KIND[kind] + _TIME_OF_SLOT[slot]
        place %= totals[level, kind]
        number = np.int64(permuted(np.uint64(place), tables[level, kind]))
        sides: Int = np.int64(0)
        while number >= counts[level, kind, sides]:
            number -= counts[level, kind, sides]
            sides += 1
        first, second, turn = _unranked(kind, sides, n_open, number)
        facts[i, 0], facts[i, 1], facts[i, 2] = level, kind, sides
        facts[i, 3] = _answer(kind, sides, first, second, turn)
        facts[i, 4] = first != 0 and second != 0
        at = _put_tree(codes, at, kind, sides, first, second, turn)
        fill = _put_values(values, fill, kind, sides, first, second, turn, pairs, i)
        code_marks[i + 1], value_marks[i + 1] = at, fill
    return facts, codes[:at].copy(), code_marks, values[:fill].copy(), value_marks


@lent
def _unranked(kind: Int, n: Int, n_open: Int, number: Int) -> tuple[Int, Int, Int]:
    """Return the vertices of the first and the second colour as masks, and the turn."""
    first: Int = np.int64(0)
    second: Int = np.int64(0)
    if kind != PAINT:
        full = (np.int64(1) << n) - 1
        first = number & full
        return first, full & ~first, (number >> n) + 1
    rest = number >> (n - n_open)
    colours = number & ((np.int64(1) << (n - n_open)) - 1)
    left = n_open
    for vertex in range(n - 1, -1, -1):
        if left > 0 and rest >= _BINOMIALS[vertex, left]:
            rest -= _BINOMIALS[vertex, left]
            left -= 1
            continue
        if colours & 1:
            first |= np.int64(1) << vertex
        else:
            second |= np.int64(1) << vertex
        colours >>= 1
    return first, second, np.int64(0)


@lent
def _answer(kind: Int, n: Int, first: Int, second: Int, turn: Int) -> Int:
    if kind == TURN:
        return ones(turned(first, turn, n) & second)
    most: Int = np.int64(0)
    if kind == BEST:  # all others are of the second colour, so that turning back does the same
        for places in range(n // 2 + 1):
            most = max(most, ones(turned(first, places, n) & second))
        return most
    free = ((np.int64(1) << n) - 1) & ~(first | second)
    part = free
    while True:  # every subset of the open vertices
        painted = first | part
        for places in range(n // 2 + 1):  # likewise
            if turned(painted, places, n) & painted == 0:
                most += 1
                break
        if part == 0:
            return most
        part = (part - 1) & free


@lent
def _mirrored(mask: Int, n: Int) -> Int:
    other: Int = np.int64(0)
    for vertex in range(n):
        other = other << 1 | (mask >> vertex & 1)
    return other


@lent
def _least_turn(first: Int, second: Int, n: Int) -> Int:
    """Return the least of all turns of two masks, as one number."""
    least = first << _SECOND | second
    for places in range(1, n):
        least = min(least, turned(first, places, n) << _SECOND | turned(second, places, n))
    return least


@lent
def _put_tree(codes: Codes, at: Int, kind: Int, n: Int, first: Int, second: Int, turn: Int) -> Int:
    """Write the canonical form: of all turns and mirror images the least, by turn, then masks."""
    best: Int = np.int64(_LARGEST)
    if kind != TURN or 2 * turn <= n:
        best = _least_turn(first, second, n)
    if kind != TURN or 2 * turn >= n:
        best = min(best, _least_turn(_mirrored(first, n), _mirrored(second, n), n))
    codes[at] = _FIRST_NAME + kind * _PER_NAME + n - 4
    at += 1
    if kind == TURN:
        at = put_integer(codes, at, min(turn, n - turn))
    for vertex in range(n):
        code: Int = np.int64(_LEAF_OPEN)
        if best >> (vertex + _SECOND) & 1:
            code = np.int64(_LEAF_A)
        elif best >> vertex & 1:
            code = np.int64(_LEAF_B)
        codes[at] = code
        at += 1
    return at


@lent
def _put_values(
    values: NDArray[np.int16],
    fill: Int,
    kind: Int,
    n: Int,
    first: Int,
    second: Int,
    turn: Int,
    pairs: NDArray[np.int64],
    row: Int,
) -> Int:
    """Write the sides, the turn if there is one, the list of colours, and the two colours."""
    values[fill] = n
    fill += 1
    if kind == TURN:
        values[fill] = turn
        fill += 1
    values[fill] = n
    colours = pairs[row, 0] + 1, pairs[row, 1] + 1
    for vertex in range(n):
        fill += 1
        in_first, in_second = first >> vertex & 1, second >> vertex & 1
        values[fill] = in_first * colours[0] + in_second * colours[1]
    values[fill + 1], values[fill + 2] = colours
    return fill + 3
