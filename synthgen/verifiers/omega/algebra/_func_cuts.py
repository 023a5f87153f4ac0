"""Kernels that go back through a chain of layers, as `_func_back` and `_func_points` do.

All is in machine words; what they leave open, the slow way has to settle.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from synthgen.core.kinds import Int
from synthgen.verifiers.omega.algebra._func_layer import (
    ABS,
    COS,
    EXP,
    HIGHEST,
    LINEAR,
    LOWEST,
    MOST_PLACES,
    QUADRATIC,
    QUOTIENT,
    SIN,
    UNDEFINED,
    crest_start,
    inverse,
    spans_of,
    steepness,
    turn_of,
    value_at,
    wave_starts,
)
from synthgen.verifiers.omega.algebra._func_places import Places, get, put
from synthgen.verifiers.omega.algebra._func_words import (
    Flags,
    Integers,
    Word,
    affine,
    fraction,
    over_integer,
    sign,
)


class Chain(NamedTuple):
    """A function of x on [-reach, reach].

    Attributes:
        kinds: of the layers, (n,).
        layers: their coefficients, (n, 4).
        rest: 1 or -1 where all layers from one on rise or fall everywhere, else 0, (n + 1,).
        reach: end of the interval.
        low, high: bounds of what the wave, if any, is applied to.
    """

    kinds: Integers
    layers: Integers
    rest: Integers
    reach: Int
    low: float
    high: float


@njit(cache=True, nogil=True)
def chain_of(kinds: Integers, layers: Integers, reach: Int, open_: Flags) -> Chain:
    """Return a function with what there is to know about it beforehand."""
    n = len(kinds)
    rest = np.zeros(n + 1, np.int64)
    rest[n] = 1
    for i in range(n - 1, -1, -1):
        if kinds[i] == LINEAR:
            rest[i] = rest[i + 1] * np.sign(layers[i, 0])
        elif kinds[i] == EXP:
            rest[i] = rest[i + 1] * np.sign(layers[i, 0] * layers[i, 1])
    low, high = spans_of(kinds, layers, reach, open_)
    return Chain(kinds, layers, rest, np.int64(reach), low, high)


@njit(cache=True, nogil=True)
def _add_waves(chain: Chain, start: Word, b: Int, places: Places, open_: Flags) -> None:
    """Add (start + 2 k) / b for all k with such a place in the span of the wave, and some more."""
    if open_[0]:
        return
    first = math.floor((b * chain.low - start[3]) / 2) - 1
    last = math.ceil((b * chain.high - start[2]) / 2) + 1
    if last - first >= MOST_PLACES:
        open_[0] = True
        return
    for k in range(int(first), int(last) + 1):
        put(places, over_integer(affine(start, np.int64(1), np.int64(2 * k)), b), open_)


@njit(cache=True, nogil=True)
def go_back(
    chain: Chain,
    above: Int,
    begin: Places,
    other: Places,
    turning: bool,  # noqa: FBT001 - kernels take arguments by position
    open_: Flags,
) -> Places:
    """Return the places x, some of them outside the interval, at which there are some values.

    Args:
        chain: the function.
        above: number of layers that lead from x to the values.
        begin: the values; they are overwritten.
        other: more room.
        turning: whether to keep places at which one of these layers turns.
        open_: is set where anything is not settled.
    """
    now, before = begin, other
    for i in range(above - 1, -1, -1):
        kind, c = chain.kinds[i], chain.layers[i]
        before.size[0] = 0
        for at in range(now.size[0]):
            value = get(now.words, now.bounds, at)
            wave = kind in (SIN, COS)
            if wave:
                n, first, second = wave_starts(kind, c, value, open_)
            else:
                n, first, second = inverse(kind, c, value, open_)
            if open_[0]:
                return before
            if n == 0 or (n < 0 and not turning):
                continue
            if wave:
                _add_waves(chain, first, c[1], before, open_)
            else:
                put(before, first, open_)
            if n == 2:
                if wave:
                    _add_waves(chain, second, c[1], before, open_)
                else:
                    put(before, second, open_)
        now, before = before, now
    return now


@njit(cache=True, nogil=True)
def is_within(chain: Chain, x: Word, closed: bool, open_: Flags) -> bool:  # noqa: FBT001
    """Say whether a place belongs to the closed or the open interval."""
    n, d, low, high = x
    reach = chain.reach
    if d > 0:
        end = reach * d if closed else reach * d - 1
        return bool(-end <= n <= end)
    if low > -reach and high < reach:
        return True
    if not (high < -reach or low > reach):
        open_[0] = True
    return False


@njit(cache=True, nogil=True)
def _onward(
    chain: Chain,
    after: Int,
    value: Word,
    mark: Int,
    heights: bool,  # noqa: FBT001
    open_: Flags,
) -> tuple[Int, Word]:
    """Follow a turning value through the layers from `after` on; UNDEFINED at a pole."""
    for i in range(after, len(chain.kinds)):
        if not heights and chain.rest[i] != 0:
            return mark * chain.rest[i], value
        kind, c = chain.kinds[i], chain.layers[i]
        image, defined = value_at(kind, c, value, open_)
        if not defined:
            return np.int64(UNDEFINED), value
        steep = steepness(kind, c, value, open_)
        if open_[0]:
            break
        if steep != 0:
            mark *= steep
        elif kind in (SIN, COS):
            top = sign(affine(image, np.int64(1), -c[3]), open_) > 0
            mark = np.int64(HIGHEST if top else LOWEST)
        else:
            mark = np.int64(LOWEST if c[0] > 0 else HIGHEST)
        value = image
    return mark, value


@njit(cache=True, nogil=True)
def add_turns(
    chain: Chain,
    found: Places,
    rooms: tuple[Places, Places],
    heights: bool,  # noqa: FBT001
    open_: Flags,
) -> None:
    """Add all places inside the interval at which the function turns, with their marks."""
    for i in range(len(chain.kinds)):
        kind, c = chain.kinds[i], chain.layers[i]
        if kind in (SIN, COS):
            for top in (True, False):
                size = c[3] + abs(c[0]) if top else c[3] - abs(c[0])
                value = fraction(size, np.int64(1))
                own = np.int64(HIGHEST if top else LOWEST)
                mark, height = _onward(chain, i + 1, value, own, heights, open_)
                rooms[0].size[0] = 0
                _add_waves(chain, crest_start(kind, c, top), c[1], rooms[0], open_)
                _keep(chain, i, mark, height, found, rooms, open_)
        elif kind in (QUADRATIC, ABS):
            turn = turn_of(kind, c)
            value, _ = value_at(kind, c, turn, open_)
            own = np.int64(LOWEST if c[0] > 0 else HIGHEST)
            mark, height = _onward(chain, i + 1, value, own, heights, open_)
            rooms[0].size[0] = 0
            put(rooms[0], turn, open_)
            _keep(chain, i, mark, height, found, rooms, open_)
        if open_[0]:
            return


@njit(cache=True, nogil=True)
def _keep(
    chain: Chain,
    i: Int,
    mark: Int,
    height: Word,
    found: Places,
    rooms: tuple[Places, Places],
    open_: Flags,
) -> None:
    """Add the places inside the interval from which layer i turns, no layer before it does."""
    if mark == UNDEFINED or open_[0]:
        return
    back = go_back(chain, i, rooms[0], rooms[1], False, open_)
    for at in range(back.size[0]):
        x = get(back.words, back.bounds, at)
        if not open_[0] and is_within(chain, x, False, open_):
            row = put(found, x, open_)
            found.marks[row] = mark
            found.height_words[row, 0], found.height_words[row, 1] = height[0], height[1]
            found.height_bounds[row, 0], found.height_bounds[row, 1] = height[2], height[3]


@njit(cache=True, nogil=True)
def add_gaps(chain: Chain, found: Places, rooms: tuple[Places, Places], open_: Flags) -> None:
    """Add all places inside the open interval at which a denominator is zero."""
    for i in range(len(chain.kinds)):
        c = chain.layers[i]
        if chain.kinds[i] != QUOTIENT or open_[0]:
            continue
        rooms[0].size[0] = 0
        put(rooms[0], fraction(-c[3], c[2]), open_)
        back = go_back(chain, i, rooms[0], rooms[1], True, open_)
        for at in range(back.size[0]):
            x = get(back.words, back.bounds, at)
            if not open_[0] and is_within(chain, x, False, open_):
                found.marks[put(found, x, open_)] = UNDEFINED
