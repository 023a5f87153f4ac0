"""Kernels for single layers: values, slopes, and the places of a value, as in `_func_back`."""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.verifiers.omega.algebra._func_words import (
    Flags,
    Integers,
    Word,
    affine,
    arcsine_over_pi,
    between,
    exponential,
    fraction,
    logarithm,
    over_integer,
    plus,
    ratio,
    root,
    sign,
    sine_of_turns,
    times,
)

KINDS = ("linear", "quadratic", "abs", "quotient", "exp", "sin", "cos")
LINEAR, QUADRATIC, ABS, QUOTIENT, EXP, SIN, COS = range(len(KINDS))
LOWEST, HIGHEST, UNDEFINED = -1, 1, 0
MOST_PLACES = 6_000
_MOST_TURNS = 1e6


@njit(cache=True, nogil=True)
def turn_of(kind: Int, c: Integers) -> Word:
    """Return where a quadratic or abs layer turns."""
    if kind == ABS:
        return fraction(c[1], np.int64(1))
    return fraction(-c[1], 2 * c[0])


@njit(cache=True, nogil=True)
def _turns(kind: Int, c: Integers, u: Word, ahead: Int) -> Word:
    """Return the angle of a wave over pi, `ahead` quarters of a turn on, without the shift."""
    quarters = ahead + (1 if kind == COS else 0)
    doubled = affine(u, 2 * c[1], np.int64(quarters))
    return over_integer(doubled, np.int64(2))


@njit(cache=True, nogil=True)
def value_at(kind: Int, c: Integers, u: Word, open_: Flags) -> tuple[Word, bool]:
    """Return a layer's value, and whether it has one."""
    if kind == LINEAR:
        return affine(u, c[0], c[1]), True
    if kind == QUADRATIC:
        return affine(times(affine(u, c[0], c[1]), u), np.int64(1), c[2]), True
    if kind == ABS:
        inside = affine(u, np.int64(1), -c[1])
        n, d, low, high = inside
        if d > 0:
            inside = fraction(n if n >= 0 else -n, d)
        elif high < 0.0 or low < 0.0:
            inside = between(-high if high < 0.0 else 0.0, max(-low, high))
        return affine(inside, c[0], c[2]), True
    if kind == QUOTIENT:
        under = affine(u, c[2], c[3])
        if under[1] > 0 and under[0] == 0:
            return under, False
        return ratio(affine(u, c[0], c[1]), under, open_), True
    if kind == EXP:
        if u[1] > 0 and u[0] == 0:
            return fraction(c[0] + c[2], np.int64(1)), True
        return affine(exponential(affine(u, c[1], np.int64(0)), open_), c[0], c[2]), True
    sine = sine_of_turns(_turns(kind, c, u, np.int64(0)), c[2], open_)
    return affine(sine, c[0], c[3]), True


@njit(cache=True, nogil=True)
def steepness(kind: Int, c: Integers, u: Word, open_: Flags) -> Int:
    """Return the sign of a layer's derivative, 0 where it turns."""
    if kind == LINEAR:
        return np.int64(1 if c[0] > 0 else -1)
    if kind == QUADRATIC:
        return sign(affine(u, 2 * c[0], c[1]), open_)
    if kind == ABS:
        return sign(affine(u, c[0], -c[0] * c[1]), open_)
    if kind == EXP:
        return np.int64(1 if c[0] * c[1] > 0 else -1)
    if kind == QUOTIENT:
        return np.int64(1 if c[0] * c[3] > c[1] * c[2] else -1)
    sine = sine_of_turns(_turns(kind, c, u, np.int64(1)), c[2], open_)
    return sign(affine(sine, c[0], np.int64(0)), open_)


@njit(cache=True, nogil=True)
def inverse(kind: Int, c: Integers, y: Word, open_: Flags) -> tuple[Int, Word, Word]:
    """Return at how many places a layer that is no wave has the value y, and these places.

    One place, counted as -1, is where the layer turns.
    """
    one = np.int64(1)
    if kind == LINEAR:
        x = over_integer(affine(y, one, -c[1]), c[0])
        return one, x, x
    if kind == QUADRATIC:
        inside = affine(y, 4 * c[0], c[1] * c[1] - 4 * c[0] * c[2])
        side = sign(inside, open_)
        if side <= 0:
            return np.int64(-1 if side == 0 else 0), turn_of(kind, c), inside
        half = root(inside)
        first = over_integer(affine(half, one, -c[1]), 2 * c[0])
        return np.int64(2), first, over_integer(affine(half, -one, -c[1]), 2 * c[0])
    if kind == ABS:
        height = over_integer(affine(y, one, -c[2]), c[0])
        side = sign(height, open_)
        if side <= 0:
            return np.int64(-1 if side == 0 else 0), turn_of(kind, c), height
        return np.int64(2), affine(height, one, c[1]), affine(height, -one, c[1])
    if kind == QUOTIENT:
        under = affine(y, -c[2], c[0])
        if sign(under, open_) == 0:
            return np.int64(0), under, under
        x = ratio(affine(y, c[3], -c[1]), under, open_)
        return one, x, x
    power = over_integer(affine(y, one, -c[2]), c[0])
    if sign(power, open_) <= 0:
        return np.int64(0), power, power
    log = logarithm(power)
    if power[1] > 0 and power[0] == power[1]:
        log = fraction(np.int64(0), one)
    log = over_integer(log, c[1])
    return one, log, log


@njit(cache=True, nogil=True)
def wave_starts(kind: Int, c: Integers, y: Word, open_: Flags) -> tuple[Int, Word, Word]:
    """Return how often a wave has the value y in a turn, and where, in b times the argument.

    Once, counted as -1, is at a crest.
    """
    one = np.int64(1)
    height = over_integer(affine(y, one, -c[3]), c[0])
    below, above = sign(affine(height, one, one), open_), sign(affine(height, -one, one), open_)
    if below < 0 or above < 0 or open_[0]:
        return np.int64(0), height, height
    angle = arcsine_over_pi(height)
    first = _shifted(kind, c, angle)
    if below == 0 or above == 0:
        return np.int64(-1), first, first
    return np.int64(2), first, _shifted(kind, c, affine(angle, -one, one))


@njit(cache=True, nogil=True)
def crest_start(kind: Int, c: Integers, top: bool) -> Word:  # noqa: FBT001 - a kernel
    """Return where a crest of a height is, in b times the argument, up to turns."""
    highest = top == (c[0] > 0)
    return _shifted(kind, c, fraction(np.int64(1 if highest else -1), np.int64(2)))


@njit(cache=True, nogil=True)
def _shifted(kind: Int, c: Integers, angle: Word) -> Word:
    """Return b u for an angle over pi."""
    if kind == COS:
        angle = plus(angle, fraction(np.int64(-1), np.int64(2)))
    if c[2] == 0:
        return angle
    shift = -float(c[2]) / math.pi
    return plus(angle, between(shift, shift))


@njit(cache=True, nogil=True)
def spans_of(kinds: Integers, layers: Integers, reach: Int, open_: Flags) -> tuple[float, float]:
    """Return bounds of the values before the wave among some layers, (0, 0) without one."""
    low, high = np.empty(64), np.empty(64)
    low[0], high[0] = -float(reach), float(reach)
    n: Int = np.int64(1)
    for i in range(len(kinds)):
        if kinds[i] in (SIN, COS):
            least, most = low[:n].min(), high[:n].max()
            open_[0] = open_[0] or not (abs(least) < _MOST_TURNS and abs(most) < _MOST_TURNS)
            return least, most
        n = _ranges_after(kinds[i], layers[i], low, high, n)
        if n > len(low) // 2:
            open_[0] = True
            break
    return 0.0, 0.0


@njit(cache=True, nogil=True)
def _ranges_after(
    kind: Int, c: Integers, low: NDArray[np.float64], high: NDArray[np.float64], n: Int
) -> Int:
    """Replace ranges by those of a layer's values on them; return how many there are.

    A rounding error is far below the turn of a wave that callers look beyond both ends.
    """
    begin = n
    for i in range(begin):
        a, b = low[i], high[i]
        if kind == QUOTIENT:
            pole = -float(c[3]) / float(c[2])
            slack = abs(pole) * 1e-12 + 1e-12
            first, second = _bare_quotient(c, a), _bare_quotient(c, b)
            if a > pole + slack or b < pole - slack:
                least, most = min(first, second), max(first, second)
            elif a < pole - slack and b > pole + slack:
                rises = c[0] * c[3] > c[1] * c[2]
                least, most = (first, math.inf) if rises else (-math.inf, first)
                low[n], high[n] = (-math.inf, second) if rises else (second, math.inf)
                n += 1
            else:
                least, most = -math.inf, math.inf
        elif kind == EXP:
            least, most = -math.inf, math.inf
        else:
            first, second = _bare(kind, c, a), _bare(kind, c, b)
            least, most = min(first, second), max(first, second)
            turn = float(c[1]) if kind == ABS else -float(c[1]) / (2.0 * float(c[0]))
            if kind != LINEAR and a <= turn <= b:
                height = _bare(kind, c, turn)
                least, most = min(least, height), max(most, height)
        low[i] = least - abs(least) * 1e-12 - 1e-12 if least > -math.inf else least
        high[i] = most + abs(most) * 1e-12 + 1e-12 if most < math.inf else most
    return n


@njit(cache=True, nogil=True)
def _bare_quotient(c: Integers, u: float) -> float:
    if math.isinf(u):
        return float(c[0]) / float(c[2])
    under = float(c[2]) * u + float(c[3])
    return (float(c[0]) * u + float(c[1])) / under if under != 0.0 else math.inf


@njit(cache=True, nogil=True)
def _bare(kind: Int, c: Integers, u: float) -> float:
    first, second = float(c[0]), float(c[1])
    if math.isinf(u):
        return u * first if kind == LINEAR else math.inf * first
    if kind == LINEAR:
        return first * u + second
    if kind == ABS:
        return first * abs(u - second) + float(c[2])
    return (first * u + second) * u + float(c[2])
