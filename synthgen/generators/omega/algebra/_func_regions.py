"""Draws in a kernel of two functions and a region between them, until both are defined on it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple, TypeAlias

import numpy as np
from numba import njit

from synthgen.core.kinds import Int
from synthgen.core.randomness import draw_below
from synthgen.generators.omega._draws import AheadDraws
from synthgen.generators.omega.algebra._func_draw import decoded, draw_layers, points_of
from synthgen.generators.omega.algebra._func_layers import Function
from synthgen.generators.omega.algebra._func_meet import Floats, changes
from synthgen.generators.omega.algebra._func_numbers import OPEN, REFUSED, SETTLED, Integers
from synthgen.generators.omega.algebra._func_quick import count_laps
from synthgen.generators.omega.algebra._func_store import Store, empty_store
from synthgen.generators.omega.algebra._func_tame import exact_shape, shape_from
from synthgen.generators.omega.algebra._func_values import UndecidedError

DEFAULT_ENDS = (-30, 30)
"""In tenths, of functions that do not meet twice."""
_PER_UNIT = 10
_MOST_MEETINGS = 100
Region: TypeAlias = tuple[Function, Function, tuple[int, int]]


class _Room(NamedTuple):
    """Room to work in.

    Attributes:
        kinds, layers: of f, with `n` layers, and of g behind it, (2 n - 1,) and (2 n - 1, 4).
        n: layers of f.
        ends: of the region, in tenths, (2,).
        places: where the functions seem to meet.
        stores: of laps.
        state: what the lap counts found, (1,).
    """

    kinds: Integers
    layers: Integers
    n: Int
    ends: Integers
    places: Floats
    stores: tuple[Store, Store]
    state: Integers


def regions(draws: AheadDraws, level: int, tries: int, reach: int, least: int) -> Iterator[Region]:
    """Yield f, g and the ends of a region in tenths where both are defined everywhere on it.

    The draws are those of `FunctionFamily.draw_functions`, then one for the place of the region if
    the functions seem to meet more than once in [-reach, reach]; `tries` pairs are drawn, of which
    those with fewer points of difficulty than `least` are left out. The draws go on behind those
    of a region once it is yielded.
    """
    n, whole = level + 1, np.int64(2 * level + 1)
    room = _Room(
        np.empty(whole, np.int64),
        np.empty((whole, 4), np.int64),
        np.int64(n),
        np.empty(2, np.int64),
        np.empty(_MOST_MEETINGS),
        (empty_store(), empty_store()),
        np.zeros(1, np.int64),
    )
    left = tries
    while left:
        found, at, tried = _next_region(draws.key, draws.at, left, room, float(reach), least)
        draws.move_to(int(at))
        left -= int(tried)
        if not found:
            return
        f = decoded(room.kinds[:n].tolist(), room.layers[:n].tolist())
        g = decoded(room.kinds[n:].tolist(), room.layers[n:].tolist())
        low, high = room.ends.tolist()
        if room.state[0] == SETTLED or _are_whole((f, g), low, high):
            yield f, g, (low, high)


def _are_whole(functions: tuple[Function, Function], low: int, high: int) -> bool:
    """Say whether functions are certainly defined from `low` to `high`."""
    ends = Fraction(low, _PER_UNIT), Fraction(high, _PER_UNIT)
    try:
        return all(exact_shape(function, *ends).whole for function in functions)
    except UndecidedError:
        return False


@njit(cache=True, nogil=True)
def _next_region(
    key: np.uint64, at: Int, left: Int, room: _Room, reach: float, least: Int
) -> tuple[bool, Int, Int]:
    """Draw until a region may do; return the next draw's number and how many pairs were drawn.

    The state is SETTLED if the functions are certainly defined, and OPEN if that is to be seen.
    """
    n = room.n
    for tried in range(1, left + 1):
        at = draw_layers(key, at, room.kinds[:n], room.layers[:n])
        at = draw_layers(key, at, room.kinds[n:], room.layers[n:])
        if points_of(room.kinds) + 2 < least:
            continue
        at = _draw_ends(key, at, room, reach)
        if _may_be_whole(room):
            return True, at, tried
    return False, at, left


@njit(cache=True, nogil=True)
def _draw_ends(key: np.uint64, at: Int, room: _Room, reach: float) -> Int:
    """Write two meetings that follow each other, in tenths, or the default."""
    n = room.n
    f = room.kinds[:n], room.layers[:n].astype(np.float64)
    g = room.kinds[n:], room.layers[n:].astype(np.float64)
    found = changes(f, g, -reach, reach, room.places)
    room.ends[0], room.ends[1] = DEFAULT_ENDS
    if found < 2:
        return at
    place = draw_below(key, at, np.int64(found - 1))
    low, high = np.rint(10.0 * room.places[place]), np.rint(10.0 * room.places[place + 1])
    if low < high:
        room.ends[0], room.ends[1] = np.int64(low), np.int64(high)
    return at + 1


@njit(cache=True, nogil=True)
def _may_be_whole(room: _Room) -> bool:
    n, open_ = room.n, False
    ends = np.empty((2, 2), np.int64)
    ends[:, 0], ends[:, 1] = room.ends, np.int64(_PER_UNIT)
    for first, last in ((np.int64(0), n), (n, np.int64(len(room.kinds)))):
        kinds, layers = room.kinds[first:last], room.layers[first:last]
        laps = count_laps(kinds, layers, ends, room.stores, room.state)
        if room.state[0] == REFUSED:
            return False
        if room.state[0] == OPEN:
            open_ = True
        elif not shape_from(laps).whole:
            return False
    room.state[0] = OPEN if open_ else SETTLED
    return True
