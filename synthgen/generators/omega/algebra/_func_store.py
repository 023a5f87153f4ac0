"""Tables of laps and turning points, as the kernel of the lap count keeps them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.generators.omega.algebra._func_numbers import Integers, Number, same, sign_from

MOST_LAPS = 512
MINIMUM, MAXIMUM = 0, 1


class Store(NamedTuple):
    """Laps and turning points.

    Attributes:
        lows, highs, values: numbers, as (n, d) and (low, high): of laps, and of turning points.
        lap_facts: whether a lap rises, and how many are like that, (n, 2).
        turn_facts: MINIMUM or MAXIMUM, and how many are like that, (n, 2).
        ends: of the interval, and whether they are defined, (2, 3).
        sizes: how many laps and turning points there are.
    """

    lows: Integers
    low_bounds: NDArray[np.float64]
    highs: Integers
    high_bounds: NDArray[np.float64]
    lap_facts: Integers
    values: Integers
    value_bounds: NDArray[np.float64]
    turn_facts: Integers
    ends: Integers
    end_bounds: NDArray[np.float64]
    sizes: Integers


@njit(cache=True, nogil=True)
def empty_store() -> Store:
    """Return tables for MOST_LAPS laps and as many turning points."""
    n = MOST_LAPS + 2
    return Store(
        np.empty((n, 2), np.int64),
        np.empty((n, 2), np.float64),
        np.empty((n, 2), np.int64),
        np.empty((n, 2), np.float64),
        np.empty((n, 2), np.int64),
        np.empty((n, 2), np.int64),
        np.empty((n, 2), np.float64),
        np.empty((n, 2), np.int64),
        np.empty((2, 3), np.int64),
        np.empty((2, 2), np.float64),
        np.zeros(2, np.int64),
    )


@njit(cache=True, nogil=True)
def put(table: Integers, bounds: NDArray[np.float64], at: Int, value: Number) -> None:
    """Write a number into a row of a table."""
    table[at, 0], table[at, 1], bounds[at, 0], bounds[at, 1] = value


@njit(cache=True, nogil=True)
def get(table: Integers, bounds: NDArray[np.float64], at: Int) -> Number:
    """Return the number in a row of a table."""
    return table[at, 0], table[at, 1], bounds[at, 0], bounds[at, 1]


@njit(cache=True, nogil=True)
def add_lap(new: Store, first: Number, second: Number, rises: bool, up: bool, n: Int) -> None:  # noqa: FBT001
    """Add a lap by the limits at its argument's lower and upper end."""
    at = new.sizes[0]
    if at <= MOST_LAPS:
        put(new.lows, new.low_bounds, at, first if rises else second)
        put(new.highs, new.high_bounds, at, second if rises else first)
        new.lap_facts[at, 0], new.lap_facts[at, 1] = rises == up, n
        new.sizes[0] += 1


@njit(cache=True, nogil=True)
def add_turn(new: Store, value: Number, kind: Int, n: Int) -> None:
    """Add n turning points of a kind."""
    at = new.sizes[1]
    if at <= MOST_LAPS:
        put(new.values, new.value_bounds, at, value)
        new.turn_facts[at, 0], new.turn_facts[at, 1] = kind, n
        new.sizes[1] += 1


@njit(cache=True, nogil=True)
def all_laps(laps: Store) -> Int:
    """Return how many laps there are, those between poles included."""
    n: Int = np.int64(0)
    for i in range(laps.sizes[0]):
        n += laps.lap_facts[i, 1]
    return n


@njit(cache=True, nogil=True)
def count_of_laps(laps: Store, up: Int) -> Int:
    """Return how many laps rise (1) or fall (0)."""
    n: Int = np.int64(0)
    for i in range(laps.sizes[0]):
        if laps.lap_facts[i, 0] == up:
            n += laps.lap_facts[i, 1]
    return n


@njit(cache=True, nogil=True)
def count_turns(laps: Store, kinds: Int) -> Int:
    """Return how many turning points there are of some kinds: 1 MINIMUM, 2 MAXIMUM, 3 both."""
    n: Int = np.int64(0)
    for i in range(laps.sizes[1]):
        if kinds >> laps.turn_facts[i, 0] & 1:
            n += laps.turn_facts[i, 1]
    return n


@njit(cache=True, nogil=True)
def count_zeros(laps: Store, state: Integers) -> Int:
    """Return how often the function is zero, the interval's ends included."""
    n: Int = np.int64(0)
    for i in range(laps.sizes[0]):
        low = sign_from(get(laps.lows, laps.low_bounds, i), np.int64(0), np.int64(1), state)
        high = sign_from(get(laps.highs, laps.high_bounds, i), np.int64(0), np.int64(1), state)
        if low < 0 < high:
            n += laps.lap_facts[i, 1]
    for i in range(laps.sizes[1]):
        value = get(laps.values, laps.value_bounds, i)
        if sign_from(value, np.int64(0), np.int64(1), state) == 0:
            n += laps.turn_facts[i, 1]
    for i in range(2):
        value = get(laps.ends, laps.end_bounds, i)
        if laps.ends[i, 2] and sign_from(value, np.int64(0), np.int64(1), state) == 0:
            n += 1
    return n


@njit(cache=True, nogil=True)
def count_turns_at(laps: Store, n: Int, d: Int, state: Integers) -> Int:
    """Return how many turning points have the value n / d, which is in lowest terms."""
    total: Int = np.int64(0)
    for i in range(laps.sizes[1]):
        if same(get(laps.values, laps.value_bounds, i), n, d, state):
            total += laps.turn_facts[i, 1]
    return total
