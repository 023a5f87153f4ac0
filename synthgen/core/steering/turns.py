"""Orders that are made row by row: smooth weighted round robin, and rows set free bit by bit."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.randomness import U64, scale_below

Ints = NDArray[np.int64]


@njit(cache=True, nogil=True)
def smooth_turns(weights: Ints, counts: Ints) -> Ints:
    """Say whose turn it is, row by row, until every family has had its rows.

    In each turn every family gains its weight; the one that has most, of equal ones
    the first, takes the turn and pays the weight of all (smooth weighted round robin of nginx). A
    family without rows left leaves when it would be its turn.

    Args:
        weights: of each family, above 0, (k,).
        counts: rows of each family, (k,).

    Returns:
        The family of each turn, (sum of counts,).
    """
    left, credit = counts.copy(), np.zeros(len(counts), np.int64)
    there = counts > 0
    n = np.int64(0)
    for count in counts:
        n += count
    turns = np.empty(n, np.int64)
    turn = 0
    while turn < n:
        total, best = np.int64(0), -1
        for family in range(len(left)):
            if there[family]:
                credit[family] += weights[family]
                total += weights[family]
                if best < 0 or credit[family] > credit[best]:
                    best = family
        credit[best] -= total
        if left[best] == 0:
            there[best] = False
            continue
        left[best] -= 1
        turns[turn] = best
        turn += 1
    return turns


@njit(cache=True, nogil=True)
def release_order(rows: Ints, offsets: Ints, visible: Ints, words: U64) -> Ints:
    """Draw every row once, each out of those that are visible and not drawn yet.

    Args:
        rows: row numbers, group after group.
        offsets: of the groups in them, (g + 1,), in the order in which groups become visible.
        visible: groups visible at each position, never falling, (n,); the next group comes early
            where nothing else is left.
        words: 64 uniform bits for each position, (n,).

    Returns:
        Row numbers, (n,).
    """
    pool = np.empty(len(rows), np.int64)
    order = np.empty(len(rows), np.int64)
    size: Int = np.int64(0)
    opened: Int = np.int64(0)
    for position in range(len(rows)):
        while opened < visible[position] or size == 0:
            for j in range(offsets[opened], offsets[opened + 1]):
                pool[size] = rows[j]
                size += 1
            opened += 1
        place = np.int64(scale_below(words[position], np.uint64(size)))
        order[position] = pool[place]
        size -= 1
        pool[place] = pool[size]
    return order
