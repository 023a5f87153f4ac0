"""Searches for functions that pass a family's filters, many rows at a time.

A kernel draws functions and counts until a function passes or one comes up that it cannot count
with certainty. Python counts that one exactly, and the kernel goes on from there, so that every row
is what drawing and counting in Python alone would give.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.randomness import draw_below
from synthgen.generators.omega.algebra._func_draw import decoded, draw_layers
from synthgen.generators.omega.algebra._func_layers import Function
from synthgen.generators.omega.algebra._func_numbers import OPEN, REFUSED, SETTLED, Integers
from synthgen.generators.omega.algebra._func_quick import count_laps
from synthgen.generators.omega.algebra._func_store import (
    Store,
    all_laps,
    count_of_laps,
    count_turns,
    count_zeros,
    empty_store,
)

FALLING, RISING, MINIMA, MAXIMA, EXTREMA, ZEROS = range(6)
"""What is counted; kinds of turning points are these less FALLING + 1, as for `count_turns`."""
MOST_LAPS = 10_000
"""Laps, those between poles included, up to which turning points can be listed and so verified."""
MOST_LAYERS = 8
SOUGHT, ASKED, FOUND, MISSING = range(4)


class Hunt(NamedTuple):
    """Where the search for each of n rows stands.

    Attributes:
        keys: of the rows, uint64 (n,).
        measures: what is counted, (n,).
        sizes: layers of the functions, (n,).
        draws: number of the next draw, (n,).
        attempts: functions that were drawn, (n,).
        states: SOUGHT, ASKED (Python has to count), FOUND or MISSING, (n,).
        answers: counts, (n,); -1 for a function of no use.
        kinds, layers: the function drawn last, (n, MOST_LAYERS) and (n, MOST_LAYERS, 4).
    """

    keys: NDArray[np.uint64]
    measures: Integers
    sizes: Integers
    draws: Integers
    attempts: Integers
    states: Integers
    answers: Integers
    kinds: Integers
    layers: Integers

    def function(self, i: int) -> Function:
        """Return the function of a row that was drawn last."""
        n = int(self.sizes[i])
        return decoded(self.kinds[i, :n].tolist(), self.layers[i, :n].tolist())


def new_hunt(keys: NDArray[np.uint64], measures: Integers, sizes: Integers, first: int) -> Hunt:
    """Return the beginning of a search; `first` is the number of the first draw of a function."""
    n = len(keys)
    draws, attempts, states, answers = np.zeros((4, n), np.int64)
    kinds, layers = np.zeros((n, MOST_LAYERS), np.int64), np.zeros((n, MOST_LAYERS, 4), np.int64)
    return Hunt(keys, measures, sizes, draws + first, attempts, states, answers, kinds, layers)


@dataclass(frozen=True, slots=True)
class Filter:
    """Which counts are wanted.

    Attributes:
        reach: the interval is [-reach, reach].
        tries: functions that are drawn for a row at most.
        low, high: fewest and most.
        kept: of 256 functions with a count, how many are kept, (high + 1,).
    """

    reach: int
    tries: int
    low: int
    high: int
    kept: Integers


def hunt_counts(hunt: Hunt, wanted: Filter, exact: Callable[[Function, int], int]) -> None:
    """Go on with a search until every row is FOUND or MISSING.

    Args:
        hunt: is changed.
        wanted: the counts.
        exact: counts what a measure says, -1 for a function of no use.
    """
    numbers = np.array([wanted.reach, wanted.tries, wanted.low, wanted.high], np.int64)
    todo = np.arange(len(hunt.keys))
    while len(todo):
        _hunt(hunt, todo, numbers, wanted.kept)
        todo = np.flatnonzero(hunt.states == ASKED)
        for i in todo.tolist():
            answer = exact(hunt.function(i), int(hunt.measures[i]))
            hunt.answers[i] = min(answer, wanted.high + 1)


@njit(cache=True, nogil=True)
def _count(laps: Store, measure: Int, state: Integers) -> Int:
    if measure <= RISING:
        return count_of_laps(laps, measure)
    if measure == ZEROS:
        return count_zeros(laps, state)
    return count_turns(laps, measure - RISING) if all_laps(laps) <= MOST_LAPS else np.int64(-1)


@njit(cache=True, nogil=True)
def _hunt(hunt: Hunt, todo: Integers, numbers: Integers, kept: Integers) -> None:
    """Draw functions for some rows until one passes or has to be counted in Python."""
    reach, tries, low, high = numbers
    ends = np.array([[-reach, 1], [reach, 1]], np.int64)
    stores = (empty_store(), empty_store())
    state = np.zeros(1, np.int64)
    for i in todo:
        key, size, measure = hunt.keys[i], hunt.sizes[i], hunt.measures[i]
        kinds, layers = hunt.kinds[i, :size], hunt.layers[i, :size]
        asked = hunt.states[i] == ASKED
        hunt.states[i] = MISSING
        while asked or hunt.attempts[i] < tries:
            if not asked:
                hunt.attempts[i] += 1
                hunt.draws[i] = draw_layers(key, hunt.draws[i], kinds, layers)
                laps = count_laps(kinds, layers, ends, stores, state)
                if state[0] == SETTLED:
                    hunt.answers[i] = _count(laps, measure, state)
                if state[0] == OPEN:
                    hunt.states[i] = ASKED
                    break
                if state[0] == REFUSED:
                    continue
            asked = False
            if low <= hunt.answers[i] <= high:
                draw = draw_below(key, hunt.draws[i], np.int64(256))
                hunt.draws[i] += 1
                if draw < kept[hunt.answers[i]]:
                    hunt.states[i] = FOUND
                    break
