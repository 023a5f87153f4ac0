"""Kernels of t-way covering rows: one row at a time, each covering many open tuples.

A row begins with an open tuple of the combination of factors that has most of them; the other
factors follow in random order, each with the value that covers most, and with another one where
constraints leave no way on. The best of a few rows is taken (AETG: Cohen et al. 1997).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.randomness import draw_below

Ints = NDArray[np.int64]
UNSET = -1
OPEN, COVERED, IMPOSSIBLE, GAVE_UP = 0, 1, 2, 3
_MOST_NODES = 100_000
_LOT_BITS = 20


class Factors(NamedTuple):
    """Factors, their t-way combinations and the tuples that no row may have.

    Attributes:
        sizes: number of values of each factor, (f,).
        combinations: factors of each combination, rising, (c, t).
        strides: of their values in the number of a tuple, (c, t).
        bases: number of the first tuple of each combination, and of all tuples, (c + 1,).
        having: combinations that each factor is in, (f, C(f - 1, t - 1)).
        barred_factors, barred_values, barred_offsets: the forbidden tuples, ragged.
        barring, barring_offsets: the forbidden tuples that each factor is in, ragged.
    """

    sizes: Ints
    combinations: Ints
    strides: Ints
    bases: Ints
    having: Ints
    barred_factors: Ints
    barred_values: Ints
    barred_offsets: Ints
    barring: Ints
    barring_offsets: Ints


@njit(cache=True, nogil=True)
def next_row(
    factors: Factors,
    states: NDArray[np.int8],
    open_of: Ints,
    starts: Int,
    key: np.uint64,
    counter: Ints,
    best: Ints,
) -> Int:
    """Write the best of a few rows to `best` and cover its tuples.

    Args:
        factors: see there.
        states: of each tuple, OPEN at first; one met that no row can have becomes IMPOSSIBLE, one
            that took too long to decide GAVE_UP.
        open_of: open tuples of each combination, (c,).
        starts: most rows to try.
        key: 64 bits that the lots depend on.
        counter: number of the next lot, (1,).
        best: (f,).

    Returns:
        How many open tuples the row has covered, 0 if there is none to be had, or -1 for another
        call to try again, as the tuples tried can be in no row.
    """
    worst = 0
    for c in range(len(open_of)):
        if open_of[c] > open_of[worst]:
            worst = c
    if open_of[worst] == 0:
        return np.int64(0)
    row = np.empty(len(best), np.int64)
    best_gain: Int = np.int64(-1)
    for _ in range(starts):
        if open_of[worst] == 0:
            break
        number = _open_tuple(factors, worst, states, key, counter)
        set_tuple(factors, worst, number, row)
        found = _complete(factors, states, row, key, counter)
        if found == COVERED:
            gain = _mark(factors, row, states, open_of, 0)
            if gain > best_gain:
                best_gain = gain
                for factor in range(len(row)):
                    best[factor] = row[factor]
        else:
            states[number] = found
            open_of[worst] -= 1
    if best_gain > 0:
        _mark(factors, best, states, open_of, 1)
    return best_gain


@njit(cache=True, nogil=True)
def needed_rows(factors: Factors, rows: Ints) -> NDArray[np.bool_]:
    """Say which rows are left when those go, the last first, whose tuples all others have, too."""
    covers = np.zeros(factors.bases[-1], np.int32)
    for i in range(len(rows)):
        for c in range(len(factors.combinations)):
            covers[_number(factors, c, rows[i])] += 1
    kept = np.ones(len(rows), np.bool_)
    for i in range(len(rows) - 1, -1, -1):
        for c in range(len(factors.combinations)):
            if covers[_number(factors, c, rows[i])] == 1:
                break
        else:
            kept[i] = False
            for c in range(len(factors.combinations)):
                covers[_number(factors, c, rows[i])] -= 1
    return kept


@lent
def _number(factors: Factors, combination: Int, row: Ints) -> Int:
    """Return the number of a row's tuple of a combination, or UNSET if it has not all of it."""
    number: Int = factors.bases[combination]
    for j in range(factors.combinations.shape[1]):
        value = row[factors.combinations[combination, j]]
        if value == UNSET:
            return np.int64(UNSET)
        number += value * factors.strides[combination, j]
    return number


@lent
def _open_tuple(
    factors: Factors, combination: Int, states: NDArray[np.int8], key: np.uint64, counter: Ints
) -> Int:
    """Return the first open tuple of a combination from a random one on, in a circle."""
    base = factors.bases[combination]
    size = factors.bases[combination + 1] - base
    place = draw_below(key, counter[0], size)
    counter[0] += 1
    while states[base + place] != OPEN:
        place = place + 1 if place + 1 < size else np.int64(0)
    number: Int = base + place
    return number


@lent
def set_tuple(factors: Factors, combination: Int, number: Int, row: Ints) -> None:
    """Write a tuple by its number, and UNSET for the factors that are not in it."""
    for factor in range(len(row)):
        row[factor] = UNSET
    rest = number - factors.bases[combination]
    for j in range(factors.combinations.shape[1]):
        row[factors.combinations[combination, j]] = rest // factors.strides[combination, j]
        rest %= factors.strides[combination, j]


@njit(cache=True, nogil=True)
def _complete(
    factors: Factors, states: NDArray[np.int8], row: Ints, key: np.uint64, counter: Ints
) -> int:
    """Set the factors of a row that are not set, by gain, going back where there is no way on."""
    for factor in range(len(row)):
        if row[factor] != UNSET and not _allowed(factors, row, factor):
            return IMPOSSIBLE
    order = np.empty(len(row), np.int64)
    n = 0
    for factor in range(len(row)):
        if row[factor] == UNSET:
            order[n] = factor
            n += 1
    for last in range(n - 1, 0, -1):
        other = draw_below(key, counter[0], last + 1)
        counter[0] += 1
        order[last], order[other] = order[other], order[last]
    ranked = np.empty((n, factors.sizes.max()), np.int64)
    nexts = np.zeros(n + 1, np.int64)
    level, nodes = 0, 0
    while 0 <= level < n:
        factor = order[level]
        if nexts[level] == 0:
            row[factor] = UNSET
            _rank_values(factors, states, row, factor, key, counter, ranked[level])
        row[factor] = UNSET
        if nexts[level] == factors.sizes[factor]:
            level -= 1
            continue
        row[factor] = ranked[level, nexts[level]]
        nexts[level] += 1
        nodes += 1
        if nodes > _MOST_NODES:
            return GAVE_UP
        if _allowed(factors, row, factor):
            level += 1
            nexts[level] = 0
    return COVERED if level >= 0 else IMPOSSIBLE


@njit(cache=True, nogil=True)
def _rank_values(
    factors: Factors,
    states: NDArray[np.int8],
    row: Ints,
    factor: Int,
    key: np.uint64,
    counter: Ints,
    ranked: Ints,
) -> None:
    """Write the values of a factor by falling gain, equal ones in random order."""
    size = factors.sizes[factor]
    scores = np.empty(size, np.int64)
    for value in range(size):
        row[factor] = value
        gain: Int = np.int64(0)
        for c in factors.having[factor]:
            number = _number(factors, c, row)
            if number != UNSET and states[number] == OPEN:
                gain += 1
        score = (gain << _LOT_BITS) + draw_below(key, counter[0], 1 << _LOT_BITS)
        counter[0] += 1
        place = value
        while place > 0 and scores[place - 1] < score:
            scores[place], ranked[place] = scores[place - 1], ranked[place - 1]
            place -= 1
        scores[place], ranked[place] = score, value
    row[factor] = UNSET


@lent
def _allowed(factors: Factors, row: Ints, factor: Int) -> bool:
    """Say whether a row has no forbidden tuple that this factor is in."""
    for j in range(factors.barring_offsets[factor], factors.barring_offsets[factor + 1]):
        barred = factors.barring[j]
        for i in range(factors.barred_offsets[barred], factors.barred_offsets[barred + 1]):
            if row[factors.barred_factors[i]] != factors.barred_values[i]:
                break
        else:
            return False
    return True


@lent
def _mark(factors: Factors, row: Ints, states: NDArray[np.int8], open_of: Ints, close: Int) -> Int:
    """Count the open tuples of a whole row, and close them if asked."""
    gain: Int = np.int64(0)
    for c in range(len(factors.combinations)):
        number = _number(factors, c, row)
        if states[number] == OPEN:
            gain += 1
            if close:
                states[number] = COVERED
                open_of[c] -= 1
    return gain
