"""Quick answers about one function from kernels, None where machine words leave them open."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from synthgen.core.kinds import Int
from synthgen.verifiers.omega.algebra._func_cuts import (
    Chain,
    add_gaps,
    add_turns,
    chain_of,
    go_back,
    is_within,
)
from synthgen.verifiers.omega.algebra._func_layer import KINDS, UNDEFINED, steepness, value_at
from synthgen.verifiers.omega.algebra._func_places import Places, empty_places, get, put
from synthgen.verifiers.omega.algebra._func_read import Layers
from synthgen.verifiers.omega.algebra._func_words import (
    Flags,
    Integers,
    Word,
    between,
    fraction,
    over_integer,
    plus,
)

FROM_LEFT, FROM_RIGHT, TOP, BOTTOM, MEAN = range(5)
_OPEN, _NONE = -(1 << 40), -(1 << 41)
_PARTS = (0.5, 0.27, 0.76, 0.06, 0.94)
"""Where to look at the slope between two neighbours."""
_CODES = {kind: code for code, kind in enumerate(KINDS)}
_PADDING = (0, 0)


def coded(layers: Layers) -> tuple[Integers, Integers]:
    """Return the kinds and the coefficients of layers, (n,) and (n, 4)."""
    kinds = np.array([_CODES[kind] for kind, _ in layers], np.int64)
    return kinds, np.array([(*c, *_PADDING)[:4] for _, c in layers], np.int64)


def zeros(layers: Layers, reach: int) -> int | None:
    """Return how many zeros a function has on [-reach, reach]."""
    return _settled(int(_zeros(*coded(layers), reach)))


def extrema(layers: Layers, reach: int, kinds: tuple[int, ...]) -> int | None:
    """Return how many extrema of some kinds a function has inside the interval."""
    return _settled(int(_extrema(*coded(layers), reach, _marks(kinds))))


def slopes(layers: Layers, reach: int, wanted: int) -> int | None:
    """Return on how many maximal open intervals the derivative has the sign `wanted`."""
    return _settled(int(_slopes(*coded(layers), reach, wanted)))


def place(layers: Layers, reach: int, kinds: tuple[int, ...], pick: int, k: int) -> int | None:
    """Return the integer nearest to one of the extrema: FROM_LEFT ... MEAN."""
    return _settled(int(_place(*coded(layers), reach, _marks(kinds), pick, k)))


def _marks(kinds: tuple[int, ...]) -> int:
    return kinds[0] if len(kinds) == 1 else UNDEFINED


def _settled(count: int) -> int | None:
    return None if count in (_OPEN, _NONE) else count


@njit(cache=True, nogil=True)
def _zeros(kinds: Integers, layers: Integers, reach: Int) -> Int:
    open_ = np.zeros(1, np.bool_)
    chain = chain_of(kinds, layers, reach, open_)
    rooms = (empty_places(), empty_places())
    put(rooms[0], fraction(np.int64(0), np.int64(1)), open_)
    back = go_back(chain, np.int64(len(kinds)), rooms[0], rooms[1], True, open_)
    count: Int = np.int64(0)
    for at in range(back.size[0]):
        count += not open_[0] and is_within(chain, get(back.words, back.bounds, at), True, open_)
    return np.int64(_OPEN) if open_[0] else count


@njit(cache=True, nogil=True)
def _found(chain: Chain, heights: bool, gaps: bool, open_: Flags) -> Places:  # noqa: FBT001
    """Return the turning points and, if asked for, the gaps inside the interval."""
    found = empty_places()
    rooms = (empty_places(), empty_places())
    add_turns(chain, found, rooms, heights, open_)
    if gaps:
        add_gaps(chain, found, rooms, open_)
    return found


@njit(cache=True, nogil=True)
def _extrema(kinds: Integers, layers: Integers, reach: Int, mark: Int) -> Int:
    open_ = np.zeros(1, np.bool_)
    found = _found(chain_of(kinds, layers, reach, open_), False, False, open_)
    if open_[0]:
        return np.int64(_OPEN)
    n = found.size[0]
    return n if mark == UNDEFINED else np.int64((found.marks[:n] == mark).sum())


@njit(cache=True, nogil=True)
def _ordered(found: Places, rows: Integers, open_: Flags) -> Integers:
    """Return rows from left to right."""
    ordered = rows[np.argsort(found.bounds[rows, 0])]
    for i in range(1, len(ordered)):
        if found.bounds[ordered[i - 1], 1] >= found.bounds[ordered[i], 0]:
            open_[0] = True
    return ordered


@njit(cache=True, nogil=True)
def _slope(chain: Chain, left: float, right: float, open_: Flags) -> Int:
    """Return the sign of the derivative between two neighbouring gaps or ends."""
    here = np.zeros(1, np.bool_)
    for part in _PARTS:
        here[0] = False
        x = left + part * (right - left)
        product, now = np.int64(1), between(x, x)
        for i in range(len(chain.kinds)):
            if chain.rest[i] != 0:
                product *= chain.rest[i]
                break
            product *= steepness(chain.kinds[i], chain.layers[i], now, here)
            now, _ = value_at(chain.kinds[i], chain.layers[i], now, here)
            if here[0]:
                break
        if not here[0] and product != 0:
            return product
    open_[0] = True
    return np.int64(0)


@njit(cache=True, nogil=True)
def _slopes(kinds: Integers, layers: Integers, reach: Int, wanted: Int) -> Int:
    open_ = np.zeros(1, np.bool_)
    chain = chain_of(kinds, layers, reach, open_)
    found = _found(chain, False, True, open_)
    order = _ordered(found, np.arange(found.size[0]), open_)
    count: Int = np.int64(0)
    left, mark = -float(reach), np.int64(UNDEFINED)
    for i in range(len(order) + 1):
        if open_[0]:
            return np.int64(_OPEN)
        last = i == len(order)
        right = float(reach) if last else found.bounds[order[i], 0]
        following = np.int64(UNDEFINED) if last else found.marks[order[i]]
        if mark == UNDEFINED and following == UNDEFINED:
            own = _slope(chain, left, right, open_)
        else:
            own = following if mark == UNDEFINED else -mark
            open_[0] = open_[0] or own == -following
        count += own == wanted
        if not last:
            left, mark = found.bounds[order[i], 1], following
    return np.int64(_OPEN) if open_[0] else count


@njit(cache=True, nogil=True)
def _place(kinds: Integers, layers: Integers, reach: Int, mark: Int, pick: Int, k: Int) -> Int:
    open_ = np.zeros(1, np.bool_)
    by_height = pick in (TOP, BOTTOM)
    found = _found(chain_of(kinds, layers, reach, open_), by_height, False, open_)
    rows = np.arange(found.size[0])
    if mark != UNDEFINED:
        rows = rows[found.marks[rows] == mark]
    if open_[0] or len(rows) == 0 or k > len(rows):
        return np.int64(_OPEN if open_[0] else _NONE)
    if by_height:
        x = _outermost(found, rows, 1 if pick == TOP else -1, open_)
    elif pick == MEAN:
        x = fraction(np.int64(0), np.int64(1))
        for row in rows:
            x = plus(x, get(found.words, found.bounds, row))
        x = over_integer(x, np.int64(len(rows)))
    else:
        order = _ordered(found, rows, open_)
        row = order[k - 1] if pick == FROM_LEFT else order[len(order) - k]
        x = get(found.words, found.bounds, row)
    nearest = _nearest(x, open_)
    return np.int64(_OPEN) if open_[0] else nearest


@njit(cache=True, nogil=True)
def _outermost(found: Places, rows: Integers, side: Int, open_: Flags) -> Word:
    """Return the one place whose value is greatest (side 1) or least (side -1)."""
    best, edge = rows[0], -math.inf
    for row in rows:
        low, high = found.height_bounds[row, 0], found.height_bounds[row, 1]
        inner = low if side > 0 else -high
        if inner > edge:
            best, edge = row, inner
    for row in rows:
        low, high = found.height_bounds[row, 0], found.height_bounds[row, 1]
        if row != best and not (high if side > 0 else -low) < edge:
            open_[0] = True
    return get(found.words, found.bounds, best)


@njit(cache=True, nogil=True)
def _nearest(x: Word, open_: Flags) -> Int:
    """Return the integer nearest to a number; half-way is left open."""
    n, d, low, high = x
    if d > 0:
        doubled, rest = (2 * n + d) // (2 * d), (2 * n + d) % (2 * d)
        open_[0] = open_[0] or rest == 0
        return doubled
    first, last = math.floor(low + 0.5), math.floor(high + 0.5)
    if first != last:
        open_[0] = True
        return np.int64(0)
    return np.int64(first)
