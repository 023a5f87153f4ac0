"""Draws of two functions in a kernel, until they seem to meet as often as is wanted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numba import njit

from synthgen.core.kinds import Int
from synthgen.generators.omega._draws import AheadDraws
from synthgen.generators.omega.algebra._func_draw import decoded, draw_layers
from synthgen.generators.omega.algebra._func_layers import Function
from synthgen.generators.omega.algebra._func_meet import Floats, changes
from synthgen.generators.omega.algebra._func_numbers import Integers


@dataclass(frozen=True, slots=True)
class About:
    """How often two functions are to meet, as seen from the grid of `Pair.changes`.

    Attributes:
        reach: the interval is [-reach, reach].
        least, most: number of times; no most for any number.
    """

    reach: int
    least: int
    most: int | None = None


def pairs(
    draws: AheadDraws, level: int, tries: int, about: About
) -> Iterator[tuple[Function, Function]]:
    """Yield the pairs that seem to meet as wanted, of so many that are drawn.

    The draws are those of `FunctionFamily.draw_functions`; they go on behind a pair's once it is
    yielded.
    """
    kinds, layers = np.empty(2 * level + 1, np.int64), np.empty((2 * level + 1, 4), np.int64)
    n = level + 1
    left = tries
    ends = -float(about.reach), float(about.reach)
    room = max(about.least, 1) if about.most is None else about.most + 1
    wanted = about.least, room if about.most is None else about.most
    out = np.empty(room)
    while left:
        found, at, tried = _next_pair(
            draws.key, draws.at, left, (kinds, layers), n, ends, wanted, out
        )
        draws.move_to(int(at))
        left -= int(tried)
        if not found:
            return
        yield (
            decoded(kinds[:n].tolist(), layers[:n].tolist()),
            decoded(kinds[n:].tolist(), layers[n:].tolist()),
        )


@njit(cache=True, nogil=True)
def _next_pair(
    key: np.uint64,
    at: Int,
    left: Int,
    room: tuple[Integers, Integers],
    n: Int,
    ends: tuple[float, float],
    wanted: tuple[int, int],
    out: Floats,
) -> tuple[bool, Int, Int]:
    """Draw pairs until one passes; return the next draw's number and how many were drawn."""
    kinds, layers = room
    for tried in range(1, left + 1):
        at = draw_layers(key, at, kinds[:n], layers[:n])
        at = draw_layers(key, at, kinds[n:], layers[n:])
        f = kinds[:n], layers[:n].astype(np.float64)
        g = kinds[n:], layers[n:].astype(np.float64)
        if wanted[0] <= changes(f, g, ends[0], ends[1], out) <= wanted[1]:
            return True, at, tried
    return False, at, left
