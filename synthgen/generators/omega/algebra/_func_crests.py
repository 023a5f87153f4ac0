"""Kernels for crests of a wave, as `_func_turns` numbers them, and for its values."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from synthgen.core.kinds import Int
from synthgen.generators.omega.algebra._func_enclose import plus, scaled
from synthgen.generators.omega.algebra._func_numbers import (
    OPEN,
    REAL,
    REFUSED,
    SIN,
    Integers,
    Number,
    enclosed,
    note,
    rational,
)

_PHASE_ERROR = 2.0**-48
_LARGEST_PHASE, _MOST_CRESTS = 1e9, 1 << 40
_SINE_ERROR = 1e-13


@njit(cache=True, nogil=True)
def rises_before(c: Integers, k: Int) -> bool:
    """Say whether the layer rises between the crests k - 1 and k."""
    return bool((k % 2 == 0) == (c[0] > 0))


@njit(cache=True, nogil=True)
def crest(c: Integers, k: Int) -> Number:
    """Return the layer's value at crest k."""
    return rational(c[3] - c[0] if k % 2 else c[3] + c[0], np.int64(1))


@njit(cache=True, nogil=True)
def phase(kind: Int, c: Integers, u: Number, state: Integers) -> tuple[Int, bool]:
    """Return the phase rounded down, and whether it is an integer."""
    n, d, low, high = u
    if d == 0:
        note(state, REFUSED)  # infinitely many crests
        return np.int64(0), False
    if d > 0 and c[2] == 0:
        top = 2 * c[1] * n - (d if kind == SIN else 0)
        k = top // (2 * d)
        if abs(k) > _MOST_CRESTS:
            note(state, OPEN)
            return np.int64(0), False
        return k, top % (2 * d) == 0
    shift = float(c[2]) / math.pi - (0.5 if kind == SIN else 0.0)
    first, last = float(c[1]) * low + shift, float(c[1]) * high + shift
    if not (abs(first) < _LARGEST_PHASE and abs(last) < _LARGEST_PHASE):
        note(state, OPEN)
        return np.int64(0), False
    first -= (abs(first) + 8.0) * _PHASE_ERROR
    last += (abs(last) + 8.0) * _PHASE_ERROR
    if math.floor(first) != math.floor(last):
        note(state, OPEN)
    return np.int64(math.floor(first)), False


@njit(cache=True, nogil=True)
def first_above(kind: Int, c: Integers, u: Number, state: Integers) -> Int:
    """Return the first crest strictly above u."""
    return phase(kind, c, u, state)[0] + 1


@njit(cache=True, nogil=True)
def last_below(kind: Int, c: Integers, u: Number, state: Integers) -> Int:
    """Return the last crest strictly below u."""
    k, whole = phase(kind, c, u, state)
    return k - 1 if whole else k


@njit(cache=True, nogil=True)
def wave_at(kind: Int, c: Integers, u: Number, state: Integers) -> Number:
    """Return the layer's value."""
    n, d = u[0], u[1]
    if d == 0:
        note(state, REFUSED)
        return u
    if d < 0:
        note(state, OPEN)
        return u
    # Turns modulo two are n / d still, exactly.
    top = (2 * c[1] * n + (0 if kind == SIN else d)) % (4 * d)
    if c[2] == 0:
        if top % d == 0:  # a multiple of a quarter turn
            quarter = top // d
            side = 0 if quarter % 2 == 0 else (1 if quarter == 1 else -1)
            return rational(c[3] + c[0] * side, np.int64(1))
        if 3 * top % d == 0 and (3 * top // d) % 2 == 1:
            half = c[0] if top < 2 * d else -c[0]
            return rational(2 * c[3] + half, np.int64(2))
    sine = math.sin(math.pi * (float(top) / float(2 * d)) + float(c[2]))
    box = plus(
        scaled((sine - _SINE_ERROR, sine + _SINE_ERROR), float(c[0])),
        (float(c[3]), float(c[3])),
    )
    return enclosed(box, np.int64(REAL))
