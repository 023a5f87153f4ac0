"""Compiled checkers of orders in space and time; see `_check_world_order`."""

from __future__ import annotations

import numpy as np
from numba import njit

from synthgen.core.lent import lent
from synthgen.verifiers.skillmix._check_world_kernel_bits import SPATIAL_REASONING, TEMPORAL_ORDER
from synthgen.verifiers.skillmix._check_world_kernel_order_read import (
    AT,
    AXIS,
    HIGH,
    IN,
    LOW,
    N_PLACES,
    ON,
    SIZE,
    Orders,
    Things,
    Z,
    spatial_fact,
    temporal_fact,
)
from synthgen.verifiers.skillmix._check_world_kernel_told import (
    CONCLUDES,
    LINK,
    START,
    STOP,
    Cuts,
    concluded,
)
from synthgen.verifiers.skillmix._check_world_order import MOST_FACTS
from synthgen.verifiers.skillmix._text_table import Ints

_FEWEST = 3
"""Facts of a conclusion and what it is from."""
_MOST_THINGS = 4 * MOST_FACTS + 2
"""Of the premises on both sides and of a conclusion, which fit into the bits of one number."""
_GOAL, _INSIDE, _UPON, _NOTHING, _NAMES = range(5)
"""Rows of orders: on the axis of the goal, what is in what, what is on what, and none; and the
numbers of the things, from 1 on, the first two of the goal."""


@njit(cache=True, nogil=True)
def skills(cuts: Cuts, told: Ints, wanted: int, known: Orders) -> int:
    """Return the bits of the wanted skills that a text shows by its statements.

    A relation is concluded that follows from two others or more, and from no fewer.
    """
    found = 0
    if not wanted & (SPATIAL_REASONING | TEMPORAL_ORDER) or len(told) < _FEWEST:
        return found
    n_words = told[len(told) - 1, STOP] - told[0, START]
    facts = np.empty((len(told), 4), np.int64)
    things = Things(  # a thing has words of its own, and at most one of another
        np.empty(n_words + len(told), np.int64),
        np.empty(2 * len(told), np.int64),
        np.empty(2, np.int64),
    )
    for skill in (SPATIAL_REASONING, TEMPORAL_ORDER):
        if wanted & skill:
            things.sizes[0] = things.sizes[1] = n = 0
            for at in range(len(told)):
                start, stop, fact = told[at, START], told[at, STOP], facts[n]
                if skill == SPATIAL_REASONING:
                    reads = spatial_fact(cuts.words, start, stop, known, things, fact)
                else:
                    reads = temporal_fact(cuts.words, start, stop, known.kinds, things, fact)
                if reads:
                    fact[AT] = at
                    n += 1
            for goal in range(n if n >= _FEWEST else 0):
                if concluded(cuts, told, facts[goal, AT]) and _follows(facts[:n], goal, told):
                    found |= skill
                    break
    return found


@njit(cache=True, nogil=True)
def _follows(facts: Ints, goal: int, told: Ints) -> bool:
    """Say whether a fact follows from those next to it that are no conclusions, and from no one.

    All that follows is found as rows of bits, those that come behind each thing. What follows on
    an axis depends on that axis, "in" and "on" alone, and what follows on "in" on the last two.
    """
    axis, low, high = facts[goal, AXIS], facts[goal, LOW], facts[goal, HIGH]
    rows = np.zeros((5, _MOST_THINGS), np.int64)
    rows[_NAMES, 0], rows[_NAMES, 1] = low + 1, high + 1
    one, several = -1, False
    for at in range(max(0, goal - MOST_FACTS), min(len(facts), goal + MOST_FACTS + 1)):
        kind, below, above = facts[at, AXIS], facts[at, LOW], facts[at, HIGH]
        if at == goal or told[facts[at, AT], LINK] == CONCLUDES:
            continue
        if below == low and above == high and (kind == axis or (kind == IN and axis == SIZE)):
            return False
        if kind == ON and axis == Z and below == high and above == low:
            return False
        if one < 0:
            one = at
        elif kind != facts[one, AXIS] or below != facts[one, LOW] or above != facts[one, HIGH]:
            several = True
        lower, upper = _place(rows, below + 1), _place(rows, above + 1)
        if kind == IN:
            rows[_INSIDE, lower] |= 1 << upper
        elif kind == ON:
            rows[_UPON, lower] |= 1 << upper
            if axis == Z:
                rows[_GOAL, upper] |= 1 << lower
        elif kind == axis:
            rows[_GOAL, lower] |= 1 << upper
    if not several or low == high:
        return False
    _close(rows, axis)
    return bool(rows[_GOAL, 0] & 2 and not rows[_GOAL, 1] & 1)


@lent
def _place(rows: Ints, name: int) -> int:
    """Return the place of a thing, which gets one if it is new."""
    at = 0
    while rows[_NAMES, at] != name and rows[_NAMES, at]:
        at += 1
    rows[_NAMES, at] = name
    return at


@lent
def _close(rows: Ints, axis: int) -> None:
    """Add all that follows about "in", and then about the axis of the goal.

    Both are transitive. What is on a thing is in what the thing is in. What is in a thing lies
    where the thing lies, as seen from either side, and is smaller than it.
    """
    for closed, through in ((_INSIDE, _UPON), (_GOAL, _INSIDE if axis < N_PLACES else _NOTHING)):
        if closed == _GOAL and (axis == IN or axis == SIZE):
            for thing in range(_MOST_THINGS):
                rows[_GOAL, thing] |= rows[_INSIDE, thing]
        changed = True
        while changed:
            changed = False
            for low in range(_MOST_THINGS):
                before = rows[closed, low]
                for middle in range(_MOST_THINGS if before | rows[through, low] else 0):
                    if rows[closed, low] >> middle & 1:
                        rows[closed, low] |= rows[closed, middle] & ~(1 << low)
                    if rows[through, low] >> middle & 1:
                        rows[closed, low] |= rows[closed, middle]
                        for below in range(_MOST_THINGS if through == _INSIDE else 0):
                            order = rows[closed, below]
                            is_new = order >> middle & 1 and not order >> low & 1
                            if is_new and below != middle:
                                rows[closed, below] |= 1 << low
                                changed = True
                changed |= rows[closed, low] != before
