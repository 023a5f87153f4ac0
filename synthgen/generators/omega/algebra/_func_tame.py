"""Where functions are undefined and how many laps they have, quickly where that is certain."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numba import njit

from synthgen.core.kinds import Int
from synthgen.generators.omega.algebra._func_enclose import coded
from synthgen.generators.omega.algebra._func_laps import laps_of
from synthgen.generators.omega.algebra._func_layers import Function
from synthgen.generators.omega.algebra._func_numbers import OPEN, SETTLED, Integers
from synthgen.generators.omega.algebra._func_quick import count_laps
from synthgen.generators.omega.algebra._func_store import Store, all_laps, empty_store
from synthgen.generators.omega.algebra._func_values import UndecidedError


class Shape(NamedTuple):
    """What is known of a function on an interval.

    Attributes:
        laps: how many there are.
        whole: whether the function is defined everywhere.
        finite_gaps: whether it is undefined somewhere with a finite limit from a side.
    """

    laps: Int
    whole: bool
    finite_gaps: bool


@njit(cache=True, nogil=True)
def shape_from(laps: Store) -> Shape:
    """Return what `shape_of` does, from a count that is certain."""
    n = all_laps(laps)
    gaps, infinite = n - 1, np.int64(0)
    for i in range(laps.sizes[1]):
        gaps -= laps.turn_facts[i, 1]
    for i in range(laps.sizes[0]):
        ends = np.int64(laps.lows[i, 1] == 0) + np.int64(laps.highs[i, 1] == 0)
        infinite += ends * laps.lap_facts[i, 1]
    defined = laps.ends[0, 2] == 1 and laps.ends[1, 2] == 1
    return Shape(n, defined and gaps == 0, not defined or infinite != 2 * gaps)


@njit(cache=True, nogil=True)
def _quick_shape(kinds: Integers, layers: Integers, ends: Integers, state: Integers) -> Shape:
    laps = count_laps(kinds, layers, ends, (empty_store(), empty_store()), state)
    if state[0] != SETTLED:
        return Shape(np.int64(0), False, False)
    return shape_from(laps)


def shape_of(function: Function, low: Fraction, high: Fraction) -> Shape:
    """Return what is known of a function from `low` to `high`.

    Raises:
        UndecidedError: as `laps_of` does.
    """
    kinds, layers = coded(function)
    ends = np.array([[end.numerator, end.denominator] for end in (low, high)], np.int64)
    state = np.zeros(1, np.int64)
    shape = _quick_shape(kinds, layers.astype(np.int64), ends, state)
    if state[0] == SETTLED:
        return Shape(*shape)
    if state[0] == OPEN:
        return exact_shape(function, low, high)
    raise UndecidedError


def exact_shape(function: Function, low: Fraction, high: Fraction) -> Shape:
    """Return what `shape_of` does, always from an exact count.

    Raises:
        UndecidedError: as `laps_of` does.
    """
    laps = laps_of(function, low, high)
    whole = laps.undefined() == 0 and None not in laps.ends
    return Shape(sum(lap[3] for lap in laps.laps), whole, laps.has_finite_gaps())
