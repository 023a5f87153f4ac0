"""The search for functions with extrema at certain places, many rows at a time, as `_func_hunt`."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.randomness import draw_below
from synthgen.generators.omega.algebra._func_draw import decoded, draw_layers, points_of
from synthgen.generators.omega.algebra._func_hunt import ASKED, FOUND, MISSING, MOST_LAYERS
from synthgen.generators.omega.algebra._func_layers import Function
from synthgen.generators.omega.algebra._func_numbers import OPEN, SETTLED, Integers
from synthgen.generators.omega.algebra._func_seek import (
    NOWHERE,
    laps_between,
    nearest,
    nearest_mean,
    new_stores,
    set_best,
    sought,
)
from synthgen.generators.omega.algebra._func_store import Store, all_laps, count_turns

FROM_LEFT, FROM_RIGHT, HIGHEST, LOWEST, MEAN = range(5)
N_PICKS, N_KINDS = 5, 3
_MASKS = (3, 1, 2)
"""Extrema, minima and maxima, as for `count_turns`."""
MOST_AVERAGED, LARGEST_NUMBER, MOST_EXTREMA = 5, 60, 1_000
MOST_LAPS = 4_000
"""Laps of a function, those at its poles included, up to which all crests can be listed."""
PATIENCE = 25
"""Draws of a function before another kind of question is tried."""


class Hunt(NamedTuple):
    """Where the search for each of n rows stands.

    Attributes:
        keys: of the rows, uint64 (n,).
        sizes: layers of the functions, (n,).
        least: points of difficulty that are wanted, (n,).
        draws: number of the next draw, (n,).
        attempts: functions that were drawn, (n,).
        states: as in `_func_hunt`, (n,).
        picks, names: the question: FROM_LEFT ... MEAN, and the kind of extrema, (n,).
        numbers: of the extremum from a side, (n,).
        answers: places, (n,).
        kinds, layers: the function drawn last, (n, MOST_LAYERS) and (n, MOST_LAYERS, 4).
    """

    keys: NDArray[np.uint64]
    sizes: Integers
    least: Integers
    draws: Integers
    attempts: Integers
    states: Integers
    picks: Integers
    names: Integers
    numbers: Integers
    answers: Integers
    kinds: Integers
    layers: Integers

    def function(self, i: int) -> Function:
        """Return the function of a row that was drawn last."""
        n = int(self.sizes[i])
        return decoded(self.kinds[i, :n].tolist(), self.layers[i, :n].tolist())


def new_hunt(keys: NDArray[np.uint64], sizes: Integers, least: Integers) -> Hunt:
    """Return the beginning of a search."""
    n = len(keys)
    kinds, layers = np.zeros((n, MOST_LAYERS), np.int64), np.zeros((n, MOST_LAYERS, 4), np.int64)
    draws, attempts, states, answers = np.zeros((4, n), np.int64)
    picks, names, numbers = np.zeros((3, n), np.int64)
    asked = picks, names, numbers
    return Hunt(keys, sizes, least, draws, attempts, states, *asked, answers, kinds, layers)


def hunt_places(
    hunt: Hunt, reach: int, tries: int, kept: Integers, exact: Callable[[Hunt, int], bool]
) -> None:
    """Go on with a search until every row is FOUND or MISSING.

    Args:
        hunt: is changed.
        reach: the interval is (-reach, reach).
        tries: functions that are drawn for a row at most.
        kept: of 256 functions with the place x, how many are kept, (2 reach + 1,), at x + reach.
        exact: looks at a row's function exactly, takes the draws for it and says if it is kept.
    """
    todo = np.arange(len(hunt.keys))
    while len(todo):
        _hunt(hunt, todo, reach, tries, kept)
        asked = np.flatnonzero(hunt.states == ASKED)
        for i in asked.tolist():
            if exact(hunt, i):
                hunt.states[i] = FOUND
        todo = np.flatnonzero(hunt.states == ASKED)


def draw_of(hunt: Hunt, i: int, n: int) -> int:
    """Take a row's next draw as an integer from 0 to n - 1."""
    hunt.draws[i] += 1
    return int(draw_below(hunt.keys[i], hunt.draws[i] - 1, np.int64(n)))


@njit(cache=True, nogil=True)
def _hunt(hunt: Hunt, todo: Integers, reach: Int, tries: Int, kept: Integers) -> None:
    """Draw functions for some rows until one passes or has to be looked at in Python."""
    stores = new_stores()
    for i in todo:
        key, size = hunt.keys[i], hunt.sizes[i]
        kinds, layers = hunt.kinds[i, :size], hunt.layers[i, :size]
        hunt.states[i] = MISSING
        while hunt.attempts[i] < tries:
            at = hunt.draws[i]
            if hunt.attempts[i] % PATIENCE == 0:
                hunt.picks[i] = draw_below(key, at, np.int64(N_PICKS))
                hunt.names[i] = draw_below(key, at + 1, np.int64(N_KINDS))
                at += 2
            hunt.attempts[i] += 1
            hunt.draws[i] = draw_layers(key, at, kinds, layers)
            if points_of(kinds) < hunt.least[i] - 2:
                continue
            x = _try(hunt, i, np.int64(reach), stores)
            if hunt.states[i] == ASKED:
                break
            if x != NOWHERE:
                draw = draw_below(key, hunt.draws[i], np.int64(256))
                hunt.draws[i] += 1
                if draw < kept[x + reach]:
                    hunt.answers[i], hunt.states[i] = x, FOUND
                    break


@njit(cache=True, nogil=True)
def _try(hunt: Hunt, i: Int, reach: Int, stores: tuple[Store, Store]) -> Int:
    """Return the place that is asked for in a row's function, or NOWHERE.

    Where Python has to look, the row is ASKED and no draw is taken.
    """
    kinds, layers = hunt.kinds[i, : hunt.sizes[i]], hunt.layers[i, : hunt.sizes[i]]
    before, pick = hunt.draws[i], hunt.picks[i]
    points = sought(kinds, layers, np.int64(_MASKS[hunt.names[i]]), reach, stores)
    laps = laps_between(points, -reach, reach, np.int64(1))
    x: Int = np.int64(NOWHERE)
    n = count_turns(laps, points.mask)
    enough = points_of(kinds) + min(2, n - 1) >= hunt.least[i]
    enough = enough and all_laps(laps) <= MOST_LAPS
    if points.state[0] == SETTLED and 1 <= n <= MOST_EXTREMA and enough:
        number = 1 + draw_below(hunt.keys[i], before, np.int64(min(n, LARGEST_NUMBER)))
        hunt.draws[i] += 1
        hunt.numbers[i] = number
        if pick == MEAN:
            if 2 <= n <= MOST_AVERAGED:
                x = nearest_mean(points, n)
        elif pick in (HIGHEST, LOWEST):
            if n > 1 and set_best(points, laps, pick == HIGHEST):
                x = nearest(points, np.int64(1), np.int64(1))
        else:
            x = nearest(points, number if pick == FROM_LEFT else n + 1 - number, n)
    if points.state[0] == OPEN:
        hunt.states[i], hunt.draws[i] = ASKED, before
    return x if points.state[0] == SETTLED else np.int64(NOWHERE)
