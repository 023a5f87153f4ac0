"""Quick counts of meetings from kernels, None where floats leave them open.

As in `_func_meet`, the interval is cut where f or g turns or is undefined, and cells between cuts
are cut further until the functions are apart on them, or f - g is monotone. A piece about a cut is
narrow, but wide enough for floats. On one with a pole of f, f goes away from its value at the
piece's end, in the direction in which it rises there, as it turns nowhere in between.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.verifiers.omega.algebra._func_boxes import Box, onward, slope, times
from synthgen.verifiers.omega.algebra._func_cuts import Chain, add_gaps, add_turns, chain_of
from synthgen.verifiers.omega.algebra._func_layer import EXP, UNDEFINED
from synthgen.verifiers.omega.algebra._func_places import empty_places
from synthgen.verifiers.omega.algebra._func_quick import coded
from synthgen.verifiers.omega.algebra._func_read import Layers
from synthgen.verifiers.omega.algebra._func_words import Flags, Integers

Boxes = NDArray[np.float64]
"""The values of x and of all layers at a place or on a piece, (layers + 1, 2)."""

_OPEN = -1
_GAP = 2.0**-30
"""A piece ends so far from its cut."""
_DEEPEST, _MOST_CELLS = 60, 12_000
_MOST_POWER = 100.0
_CUT = 15_487 / 32_000


class _Pieces(NamedTuple):
    """Pieces about cuts, from left to right.

    Attributes:
        ends: (n, 2).
        poles: 0 or 1 for the function that is undefined on a piece, -1 for none, -2 if that is not
            the only cut on it.
    """

    ends: Boxes
    poles: Integers


def meetings(f: Layers, g: Layers, reach: int) -> int | None:
    """Return at how many places of [-reach, reach] two functions are equal."""
    count = int(_meetings(*coded(f), *coded(g), reach))
    return None if count == _OPEN else count


@njit(cache=True, nogil=True)
def _fill(chain: Chain, x: Box, out: Boxes, open_: Flags) -> None:
    """Write the values of all layers; what a large power leads to is for long integers to say."""
    out[0, 0], out[0, 1] = x
    for i in range(len(chain.kinds)):
        if chain.kinds[i] == EXP:
            power = max(abs(x[0]), abs(x[1])) * abs(chain.layers[i, 1])
            open_[0] = open_[0] or not power < _MOST_POWER
        x = onward(chain.kinds[i], chain.layers[i], x)
        out[i + 1, 0], out[i + 1, 1] = x


@njit(cache=True, nogil=True)
def _hull(first: Boxes, second: Boxes, i: Int) -> Box:
    return min(first[i, 0], second[i, 0]), max(first[i, 1], second[i, 1])


@njit(cache=True, nogil=True)
def _slopes(chain: Chain, first: Boxes, second: Boxes) -> Box:
    """Bound the derivative where the values of all layers lie between those at two places."""
    product = (1.0, 1.0)
    for i in range(len(chain.kinds)):
        factor = slope(chain.kinds[i], chain.layers[i], _hull(first, second, i))
        product = times(product, factor)
    return product


@njit(cache=True, nogil=True)
def _side(a: Box, b: Box) -> Int:
    """Return the sign of a - b, 0 where boxes meet."""
    return np.int64(1 if a[0] > b[1] else (-1 if a[1] < b[0] else 0))


@njit(cache=True, nogil=True)
def _last(values: Boxes) -> Box:
    return values[-1, 0], values[-1, 1]


@njit(cache=True, nogil=True)
def _pieces(f: Chain, g: Chain, open_: Flags) -> _Pieces:
    """Return a piece about every cut; those that overlap are one."""
    rooms = (empty_places(), empty_places())
    of_f, of_g = empty_places(), empty_places()
    for chain, found in ((f, of_f), (g, of_g)):
        add_turns(chain, found, rooms, False, open_)
        if not open_[0]:
            add_gaps(chain, found, rooms, open_)
    n, more = of_f.size[0], of_g.size[0]
    ends, poles = np.empty((n + more, 2)), np.full(n + more, -1)
    if open_[0]:
        return _Pieces(ends[:0], poles[:0])
    ends[:n], ends[n:] = of_f.bounds[:n], of_g.bounds[:more]
    ends[:, 0] -= _GAP
    ends[:, 1] += _GAP
    poles[:n][of_f.marks[:n] == UNDEFINED] = 0
    poles[n:][of_g.marks[:more] == UNDEFINED] = 1
    order = np.argsort(ends[:, 0])
    ends, poles = ends[order], poles[order]
    last = -1
    for i in range(len(ends)):
        if last < 0 or ends[i, 0] > ends[last, 1]:
            last += 1
            ends[last, 0], ends[last, 1], poles[last] = ends[i, 0], ends[i, 1], poles[i]
            continue
        ends[last, 1] = max(ends[last, 1], ends[i, 1])
        if poles[last] != -1 or poles[i] != -1:
            poles[last] = -2
    return _Pieces(ends[: last + 1], poles[: last + 1])


@njit(cache=True, nogil=True)
def _about_turn(f: Chain, g: Chain, low: float, high: float, open_: Flags) -> Int:
    """Return how many meetings there are on a piece on which both functions are defined."""
    first, second = np.empty((len(f.kinds) + 1, 2)), np.empty((len(g.kinds) + 1, 2))
    _fill(f, (low, high), first, open_)
    _fill(g, (low, high), second, open_)
    if _side(_last(first), _last(second)) != 0:
        return np.int64(0)
    sides = np.zeros(2, np.int64)
    if _side(_slopes(f, first, first), _slopes(g, second, second)) != 0:
        for i, x in ((0, low), (1, high)):
            _fill(f, (x, x), first, open_)
            _fill(g, (x, x), second, open_)
            sides[i] = _side(_last(first), _last(second))
    if sides[0] * sides[1] == 0:
        open_[0] = True
    return np.int64(sides[0] != sides[1])


@njit(cache=True, nogil=True)
def _check_pole(f: Chain, g: Chain, low: float, high: float, open_: Flags) -> None:
    """See that there is no meeting on a piece about a pole of f, where neither f nor g turns."""
    first, second = np.empty((len(f.kinds) + 1, 2)), np.empty((len(f.kinds) + 1, 2))
    before, after = np.empty((len(g.kinds) + 1, 2)), np.empty((len(g.kinds) + 1, 2))
    _fill(f, (low, low), first, open_)
    _fill(f, (high, high), second, open_)
    _fill(g, (low, low), before, open_)
    _fill(g, (high, high), after, open_)
    other = _hull(before, after, len(g.kinds))
    zero = (0.0, 0.0)
    left = _side(_slopes(f, first, first), zero)
    right = -_side(_slopes(f, second, second), zero)
    away = _side(_last(first), other) == left and _side(_last(second), other) == right
    if left == 0 or right == 0 or not away:
        open_[0] = True


@njit(cache=True, nogil=True)
def _on_cells(f: Chain, g: Chain, low: float, high: float, seen: Integers, open_: Flags) -> Int:
    """Return how many meetings there are between two neighbouring pieces.

    Places between which it remains to look are a stack, with the values of all layers there.
    """
    count: Int = np.int64(0)
    f_values = np.empty((_DEEPEST + 2, len(f.kinds) + 1, 2))
    g_values = np.empty((_DEEPEST + 2, len(g.kinds) + 1, 2))
    for i, x in ((0, low), (1, high)):
        _fill(f, (x, x), f_values[i], open_)
        _fill(g, (x, x), g_values[i], open_)
    top = 1
    while top > 0 and not open_[0]:
        seen[0] += 1
        inside, across = f_values[top], g_values[top]  # the next place to the right
        start, begin = f_values[0], g_values[0]
        first, second = _hull(start, inside, len(f.kinds)), _hull(begin, across, len(g.kinds))
        settled = _side(first, second) != 0
        if not settled and _side(_slopes(f, start, inside), _slopes(g, begin, across)) != 0:
            sides = (_side(_last(start), _last(begin)), _side(_last(inside), _last(across)))
            if sides[0] * sides[1] == 0:
                open_[0] = True
                break
            count += sides[0] != sides[1]
            settled = True
        if settled:
            start[:], begin[:] = inside, across
            top -= 1
            continue
        if top > _DEEPEST or seen[0] > _MOST_CELLS:
            open_[0] = True
            break
        x = start[0, 0] + (inside[0, 0] - start[0, 0]) * _CUT
        top += 1
        _fill(f, (x, x), f_values[top], open_)
        _fill(g, (x, x), g_values[top], open_)
    return count


@njit(cache=True, nogil=True)
def _meetings(
    f_kinds: Integers, f_layers: Integers, g_kinds: Integers, g_layers: Integers, reach: Int
) -> Int:
    open_ = np.zeros(1, np.bool_)
    f, g = chain_of(f_kinds, f_layers, reach, open_), chain_of(g_kinds, g_layers, reach, open_)
    if open_[0]:
        return np.int64(_OPEN)
    ends, poles = _pieces(f, g, open_)
    count: Int = np.int64(0)
    seen = np.zeros(1, np.int64)
    start = -float(reach)
    for i in range(len(ends)):
        low, high = ends[i, 0], ends[i, 1]
        if open_[0] or low <= -reach or high >= reach or poles[i] == -2:
            return np.int64(_OPEN)
        count += _on_cells(f, g, start, low, seen, open_)
        if poles[i] == -1:
            count += _about_turn(f, g, low, high, open_)
        elif poles[i] == 0:
            _check_pole(f, g, low, high, open_)
        else:
            _check_pole(g, f, low, high, open_)
        start = high
    count += _on_cells(f, g, start, float(reach), seen, open_)
    return np.int64(_OPEN) if open_[0] else count
