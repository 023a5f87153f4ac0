"""Kernel that draws diagonals of regular polygons and counts the right angles between them."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.randomness import draw_below
from synthgen.generators.omega._kernel_family import (
    Codes,
    grown_codes,
    grown_values,
    put_integer,
)
from synthgen.generators.omega._numbers import LARGEST_LEAF, OWN_SYMBOLS
from synthgen.generators.omega.geometry._dihedral import MOST_SIDES, Masks, take_least

MOST_DIAGONALS = 60
SYMBOLS = {f"diagonals{k}": 2 * k + 1 for k in range(1, MOST_DIAGONALS + 1)}
ODD_ONE_IN = 20
"""Polygons with an odd number of sides have no perpendicular diagonals; one in so many stays."""
_TRIES = 64
_GAPS = MOST_SIDES // 2 + 1
Values = NDArray[np.int16]
Marks = NDArray[np.int64]


@njit(cache=True, nogil=True)
def draw_chords(
    keys: NDArray[np.uint64], sides: Marks, counts: Marks
) -> tuple[Marks, Codes, Marks, Values, Marks]:
    """Draw rows.

    Args:
        keys: of the rows.
        sides: fewest and most sides of each row, (n, 2).
        counts: fewest and most diagonals, (n, 2).

    Returns:
        int64 (n, 4) of sides, diagonals, answer and validity; codes and their offsets; values of
        the statement's holes and theirs.
    """
    n_rows = len(keys)
    facts = np.zeros((n_rows, 4), np.int64)
    codes, values = np.empty(40 * n_rows, np.uint16), np.empty(40 * n_rows, np.int16)
    code_marks, value_marks = np.zeros(n_rows + 1, np.int64), np.zeros(n_rows + 1, np.int64)
    words = np.empty(_GAPS, np.int64)
    at: Int = np.int64(0)
    fill: Int = np.int64(0)
    for i in range(n_rows):
        count = counts[i, 0] + draw_below(keys[i], 0, counts[i, 1] - counts[i, 0] + 1)
        n, j = _draw_sides(keys[i], sides[i], count)
        values = grown_values(values, fill, 2 * count + 2)
        codes = grown_codes(codes, at, 2 * count + 4)
        facts[i, 0], facts[i, 1] = n, count
        facts[i, 3] = n * (n - 3) // 2 >= count
        if facts[i, 3]:
            _draw_pairs(keys[i], j, n, count, words, values, fill)
            facts[i, 2] = _right_angles(values, fill, n, count)
            at = _put_tree(codes, at, n, count, words)
            fill += 2 * count + 2
        code_marks[i + 1], value_marks[i + 1] = at, fill
    return facts, codes[:at].copy(), code_marks, values[:fill].copy(), value_marks


@njit(cache=True, nogil=True)
def _draw_sides(key: np.uint64, sides: Marks, count: Int) -> tuple[Int, Int]:
    """Return a number of sides with that many diagonals, mostly even, and the next draw."""
    low, high = sides[0], sides[1]
    n = high
    for j in range(1, 2 * _TRIES, 2):
        n = low + draw_below(key, j, high - low + 1)
        even = n % 2 == 0 or low == high or draw_below(key, j + 1, ODD_ONE_IN) == 0
        if even and n * (n - 3) // 2 >= count:
            return n, np.int64(j + 2)
    return high, np.int64(2 * _TRIES + 1)


@njit(cache=True, nogil=True)
def _draw_pairs(
    key: np.uint64, j: Int, n: Int, count: Int, words: Marks, values: Values, fill: Int
) -> None:
    """Draw different diagonals into the values, and as a mask of starts for each gap."""
    words[:] = 0
    values[fill], values[fill + 1] = n, count
    drawn: Int = np.int64(0)
    while drawn < count:
        start = draw_below(key, j, n)
        gap = 2 + draw_below(key, j + 1, n - 3)
        j += 2
        end = (start + gap) % n
        if 2 * gap > n:
            gap, first = n - gap, end
        else:
            first = start
        bit = np.int64(1) << first
        if words[gap] & bit:
            continue
        words[gap] |= bit
        if 2 * gap == n:
            words[gap] |= np.int64(1) << (first + gap) % n
        values[fill + 2 + 2 * drawn] = start + 1
        values[fill + 3 + 2 * drawn] = end + 1
        drawn += 1


@njit(cache=True, nogil=True)
def _right_angles(values: Values, fill: Int, n: Int, count: Int) -> Int:
    """Count pairs of diagonals that meet at a right angle, within the polygon or on its vertices.

    The diagonal from vertex i to j has the direction of (i + j) / 2 steps around.
    """
    pairs: Int = np.int64(0)
    if n % 2:
        return pairs
    for x in range(count):
        a, b = np.int64(values[fill + 2 + 2 * x]), np.int64(values[fill + 3 + 2 * x])
        low, high = min(a, b), max(a, b)
        for y in range(x):
            c, d = np.int64(values[fill + 2 + 2 * y]), np.int64(values[fill + 3 + 2 * y])
            if (a + b - c - d - n // 2) % n:
                continue
            common = a == c or a == d or b == c or b == d
            pairs += common or (low < c < high) != (low < d < high)
    return pairs


@njit(cache=True, nogil=True)
def _put_tree(codes: Codes, at: Int, n: Int, count: Int, words: Masks) -> Int:
    """Write the diagonals in canonical form: of all turns and mirror images the least."""
    n_gaps = n // 2 - 1
    masks, best = np.zeros(n_gaps, np.int64), np.zeros(n_gaps, np.int64)
    for place in range(n_gaps):
        masks[place] = words[place + 2]
    take_least(masks, n_gaps, n, best, np.int64(1))
    for place in range(n_gaps):
        gap = place + 2
        masks[place] = 0
        for vertex in range(n):
            if words[gap] >> vertex & 1:
                masks[place] |= np.int64(1) << (2 * n - vertex - gap) % n
    take_least(masks, n_gaps, n, best, np.int64(0))
    codes[at] = OWN_SYMBOLS + count - 1
    at = put_integer(codes, at + 1, n)
    for place in range(n_gaps):
        gap = place + 2
        for vertex in range(n):
            double = 2 * gap == n and vertex >= gap
            if best[place] >> vertex & 1 and not double:
                codes[at] = vertex + 1 + LARGEST_LEAF
                codes[at + 1] = (vertex + gap) % n + 1 + LARGEST_LEAF
                at += 2
    return at
