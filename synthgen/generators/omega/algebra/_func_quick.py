"""The lap count of `_func_laps` as a kernel, which says where it needs the exact one.

Laps, turning points and ends are those of `Laps`, kept in tables; whatever is counted here is what
`laps_of` counts.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from synthgen.core.kinds import Int
from synthgen.generators.omega.algebra._func_crests import (
    crest,
    first_above,
    last_below,
    rises_before,
    wave_at,
)
from synthgen.generators.omega.algebra._func_numbers import (
    ABS,
    COS,
    EXP,
    LINEAR,
    OPEN,
    QUADRATIC,
    QUOTIENT,
    SETTLED,
    SIN,
    Integers,
    Number,
    exponential,
    note,
    rational,
    sign_from,
    through,
)
from synthgen.generators.omega.algebra._func_store import (
    MAXIMUM,
    MINIMUM,
    MOST_LAPS,
    Store,
    add_lap,
    add_turn,
    get,
    put,
)


@njit(cache=True, nogil=True)
def _at(kind: Int, c: Integers, value: Number, state: Integers) -> Number:
    if kind == EXP:
        return exponential(c, value, state)
    if kind in (SIN, COS):
        return wave_at(kind, c, value, state)
    return through(kind, c, value)


@njit(cache=True, nogil=True)
def _turn(kind: Int, c: Integers) -> tuple[Int, Int]:
    """Return numerator and denominator of the turning point of a layer that has one."""
    if kind == ABS:
        return c[1], np.int64(1)
    return (-c[1], 2 * c[0]) if c[0] > 0 else (c[1], -2 * c[0])


@njit(cache=True, nogil=True)
def _rises(kind: Int, c: Integers, value: Number, above: bool, state: Integers) -> bool:  # noqa: FBT001
    """Say whether the layer rises just above or just below a value."""
    if kind == LINEAR:
        return bool(c[0] > 0)
    if kind == EXP:
        return bool(c[0] * c[1] > 0)
    if kind == QUOTIENT:
        return bool(c[0] * c[3] > c[1] * c[2])
    if kind in (SIN, COS):
        if above:
            return rises_before(c, first_above(kind, c, value, state))
        return rises_before(c, last_below(kind, c, value, state) + 1)
    a, b = _turn(kind, c)
    side = sign_from(value, a, b, state)
    if side == 0:
        side = np.int64(1 if above else -1)
    return bool((side > 0) == (c[0] > 0))


@njit(cache=True, nogil=True)
def _split(kind: Int, c: Integers, old: Store, i: Int, new: Store, state: Integers) -> None:
    """Cut lap i where the layer turns, and add its parts."""
    low, high = get(old.lows, old.low_bounds, i), get(old.highs, old.high_bounds, i)
    up, n = old.lap_facts[i, 0] == 1, old.lap_facts[i, 1]
    if kind in (QUADRATIC, ABS):
        a, b = _turn(kind, c)
        if sign_from(low, a, b, state) < 0 < sign_from(high, a, b, state):
            value = through(kind, c, rational(a, b))
            add_turn(new, value, np.int64(MINIMUM if c[0] > 0 else MAXIMUM), n)
            add_lap(new, through(kind, c, low), value, c[0] < 0, up, n)
            add_lap(new, value, through(kind, c, high), c[0] > 0, up, n)
            return
    elif kind == QUOTIENT:
        rises = c[0] * c[3] > c[1] * c[2]
        far = rational(np.int64(1 if rises else -1), np.int64(0))  # the limit below the pole
        other = rational(np.int64(-1 if rises else 1), np.int64(0))
        first, second = sign_from(low, -c[3], c[2], state), sign_from(high, -c[3], c[2], state)
        at_low = through(kind, c, low) if first != 0 else other
        at_high = through(kind, c, high) if second != 0 else far
        if first < 0 < second:
            add_lap(new, at_low, far, rises, up, n)
            add_lap(new, other, at_high, rises, up, n)
        else:
            add_lap(new, at_low, at_high, rises, up, n)
        return
    rises = _rises(kind, c, low, True, state)
    add_lap(new, _at(kind, c, low, state), _at(kind, c, high, state), rises, up, n)


@njit(cache=True, nogil=True)
def _waves(kind: Int, c: Integers, old: Store, new: Store, state: Integers) -> None:
    """Cut all laps at crests; the laps between crests are all alike."""
    whole, crests = np.zeros((2, 2), np.int64), np.zeros(2, np.int64)
    for i in range(old.sizes[0]):
        low, high = get(old.lows, old.low_bounds, i), get(old.highs, old.high_bounds, i)
        up, n = old.lap_facts[i, 0], old.lap_facts[i, 1]
        first, last = first_above(kind, c, low, state), last_below(kind, c, high, state)
        begin, end = wave_at(kind, c, low, state), wave_at(kind, c, high, state)
        if state[0] != SETTLED:
            return
        rises = rises_before(c, first)
        if first > last:
            add_lap(new, begin, end, rises, up == 1, n)
            continue
        add_lap(new, begin, crest(c, first), rises, up == 1, n)
        add_lap(new, crest(c, last), end, rises_before(c, last + 1), up == 1, n)
        for parity in range(2):
            crests[parity] += n * ((last - first + 1 + (first % 2 == parity)) // 2)
            whole[parity, up] += n * ((last - first + ((first + 1) % 2 == parity)) // 2)
    for parity in range(2):
        rises = rises_before(c, parity)
        if crests[parity]:
            kind_of = np.int64(MAXIMUM if rises else MINIMUM)
            add_turn(new, crest(c, parity), kind_of, crests[parity])
        for up in range(2):
            n = whole[parity, up]
            if n:
                add_lap(new, crest(c, parity + 1), crest(c, parity), rises, up == 1, n)


@njit(cache=True, nogil=True)
def _push(kind: Int, c: Integers, old: Store, new: Store, state: Integers) -> None:
    """Apply one layer to all laps."""
    new.sizes[:] = 0
    for i in range(old.sizes[1]):
        value = get(old.values, old.value_bounds, i)
        if kind == QUOTIENT and sign_from(value, -c[3], c[2], state) == 0:
            continue
        own = old.turn_facts[i, 0]
        up = _rises(kind, c, value, own == MINIMUM, state)
        add_turn(new, _at(kind, c, value, state), own if up else 1 - own, old.turn_facts[i, 1])
    if kind in (SIN, COS):
        _waves(kind, c, old, new, state)
    else:
        for i in range(old.sizes[0]):
            _split(kind, c, old, i, new, state)
    if new.sizes.max() > MOST_LAPS:
        note(state, OPEN)
    for i in range(2):
        value = get(old.ends, old.end_bounds, i)
        defined = old.ends[i, 2] == 1
        if defined and kind == QUOTIENT and sign_from(value, -c[3], c[2], state) == 0:
            defined = False
        new.ends[i, 2] = defined
        if defined:
            put(new.ends, new.end_bounds, i, _at(kind, c, value, state))


@njit(cache=True, nogil=True)
def count_laps(
    kinds: Integers, layers: Integers, ends: Integers, stores: tuple[Store, Store], state: Integers
) -> Store:
    """Return the laps on an interval; `state` says whether they are certain.

    Args:
        kinds: of the layers, (n,).
        layers: coefficients, (n, 4).
        ends: numerator and denominator of each end, below 2^52, (2, 2).
        stores: tables to work in.
        state: is set.
    """
    old, new = stores
    state[0] = SETTLED
    low, high = rational(ends[0, 0], ends[0, 1]), rational(ends[1, 0], ends[1, 1])
    old.sizes[:] = 0
    add_lap(old, low, high, True, True, np.int64(1))
    for i in range(2):
        put(old.ends, old.end_bounds, i, low if i == 0 else high)
        old.ends[i, 2] = 1
    for i in range(len(kinds)):
        _push(kinds[i], layers[i], old, new, state)
        if state[0] != SETTLED:
            return new
        old, new = new, old
    return old
