"""Kernel that draws the clues of a puzzle of houses: enough for one solution, and none too many."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.randomness import draw_below
from synthgen.generators.omega.logic._zebra_solver import (
    APART,
    AT,
    GAP,
    JUST_LEFT,
    LEFT,
    MOST_VALUES,
    NEXT,
    NOT_AT,
    SAME,
    find_other,
)

MOST_CLUES = 150
_TRIES = 400
_KINDS = np.array(
    [SAME] * 5 + [APART, AT, NOT_AT] + [LEFT] * 2 + [JUST_LEFT] * 2 + [NEXT] * 2 + [GAP] * 2,
    np.int64,
)
"""A kind is drawn in proportion to its places here."""
Marks = NDArray[np.int64]


@njit(cache=True, nogil=True)
def draw_clues(key: np.uint64, n: Int, m: Int) -> Marks:
    """Draw clues of n houses and m categories that one solution satisfies, int64 (k, 3).

    Clues are added, each against a solution that is left besides the known one. Then, in random
    order, every clue that the others make superfluous is dropped.
    """
    clues = np.empty((MOST_CLUES, 3), np.int64)
    stack, other = (
        np.empty((MOST_VALUES + 1, MOST_VALUES), np.int64),
        np.empty(MOST_VALUES, np.int64),
    )
    nothing = np.int64(-1)
    count: Int = np.int64(0)
    j: Int = np.int64(0)
    while count < MOST_CLUES and find_other(clues[:count], nothing, n, m, stack, other):
        for _ in range(_TRIES):
            _put_clue(key, j, n, m, clues[count])
            j += 4
            if clues[count, 0] >= 0 and not _holds(clues[count], other):
                break
        else:
            _put_place(clues[count], other, n)
        count += 1
    for last in range(count - 1, 0, -1):
        chosen = draw_below(key, j + last, last + 1)
        clue = clues[chosen].copy()
        clues[chosen] = clues[last]
        clues[last] = clue
    place = count - 1
    while place >= 0:
        if not find_other(clues[:count], place, n, m, stack, other):
            for k in range(place, count - 1):
                clues[k] = clues[k + 1]
            count -= 1
        place -= 1
    return clues[:count].copy()


@njit(cache=True, nogil=True)
def _put_clue(key: np.uint64, j: Int, n: Int, m: Int, clue: Marks) -> None:
    """Draw a clue that the known solution satisfies; its kind is -1 if that failed."""
    kind = _KINDS[draw_below(key, j, len(_KINDS))]
    value = draw_below(key, j + 1, m * n)
    category, house = value // n, value % n
    other_category, other_house = draw_below(key, j + 2, m), house
    if kind in (SAME, APART):
        other_category = (category + 1 + draw_below(key, j + 2, m - 1)) % m
    if kind in (APART, NOT_AT):
        other_house = (house + 1 + draw_below(key, j + 3, n - 1)) % n
    elif kind == LEFT:
        other_house = house + 1 + draw_below(key, j + 3, n)
    elif kind in (JUST_LEFT, NEXT, GAP):
        other_house = house + (2 if kind == GAP else 1)
    clue[0], clue[1] = kind, value
    clue[2] = other_house if kind in (AT, NOT_AT) else other_category * n + other_house
    if other_house >= n:
        clue[0] = -1


@njit(cache=True, nogil=True)
def _holds(clue: Marks, houses: Marks) -> bool:
    """Say whether a clue is true where each value is in a house."""
    kind, here = clue[0], houses[clue[1]]
    if kind >= AT:
        return bool((here == clue[2]) == (kind == AT))
    there = houses[clue[2]]
    if kind in (SAME, APART):
        return bool((here == there) == (kind == SAME))
    if kind == LEFT:
        return bool(here < there)
    if kind == JUST_LEFT:
        return bool(here + 1 == there)
    return bool(abs(here - there) == (1 if kind == NEXT else 2))


@njit(cache=True, nogil=True)
def _put_place(clue: Marks, other: Marks, n: Int) -> None:
    """Name the house of the first value that another solution has elsewhere."""
    value: Int = np.int64(0)
    while other[value] == value % n:
        value += 1
    clue[0], clue[1], clue[2] = AT, value, value % n
