"""Drawing chains of layers in kernels: draw by draw the numbers of `_func_layers`."""

from __future__ import annotations

from math import gcd

import numpy as np
from numba import njit

from synthgen.core.kinds import Int
from synthgen.core.randomness import draw_below
from synthgen.generators.omega.algebra._func_enclose import KINDS
from synthgen.generators.omega.algebra._func_layers import POINTS, Function
from synthgen.generators.omega.algebra._func_numbers import (
    ABS,
    COS,
    EXP,
    LINEAR,
    QUADRATIC,
    QUOTIENT,
    SIN,
    Integers,
)

N_COEFFICIENTS = (2, 3, 3, 4, 3, 4, 4)
"""Coefficients of each of KINDS."""
_TRANSCENDENTAL = (SIN, COS, EXP)
_POINTS = tuple(POINTS[kind] for kind in KINDS)
_ELEMENTARY = (LINEAR, QUADRATIC, ABS, QUOTIENT)


def decoded(kinds: list[int], layers: list[list[int]]) -> Function:
    """Return a function from its codes and coefficients, of which it needs the first few."""
    pairs = zip(kinds, layers, strict=True)
    return tuple((KINDS[kind], tuple(c[: N_COEFFICIENTS[kind]])) for kind, c in pairs)


@njit(cache=True, nogil=True)
def points_of(kinds: Integers) -> Int:
    """Return the points of difficulty of a function."""
    total: Int = np.int64(0)
    for kind in kinds:
        total += _POINTS[kind]
    return total


@njit(cache=True, nogil=True)
def _between(key: np.uint64, at: Int, low: int, high: int) -> Int:
    """Return an integer from low to high - 1."""
    return low + draw_below(key, at, np.int64(high - low))


@njit(cache=True, nogil=True)
def _not_zero(key: np.uint64, at: Int, bound: int) -> Int:
    value = _between(key, at, -bound, bound)
    return value if value < 0 else value + 1


@njit(cache=True, nogil=True)
def _leading(key: np.uint64, at: Int) -> tuple[Int, Int]:
    """Return a leading coefficient, and the number of the next draw."""
    a = _between(key, at, -5, 6)
    if a != 0:
        return a, at + 1
    return 1 - 2 * _between(key, at + 1, 0, 2), at + 2


@njit(cache=True, nogil=True)
def _quotient(key: np.uint64, at: Int, c: Integers) -> Int:
    a, under = _not_zero(key, at, 3), _between(key, at + 1, 1, 4)
    b = _between(key, at + 2, -3, 4)
    fitting: Int = np.int64(0)
    for d in range(-3, 4):
        fitting += a * d != b * under
    left = draw_below(key, at + 3, fitting)
    last: Int = np.int64(-3)
    while left > 0 or a * last == b * under:
        left -= a * last != b * under
        last += 1
    common = gcd(gcd(a, b), gcd(under, last))
    c[0], c[1], c[2], c[3] = a // common, b // common, under // common, last // common
    return at + 4


@njit(cache=True, nogil=True)
def _coefficients(key: np.uint64, at: Int, kind: Int, c: Integers) -> Int:
    """Write a layer's coefficients; return the number of the next draw."""
    c[:] = 0
    if kind == LINEAR:
        c[0], at = _leading(key, at)
        c[1] = _not_zero(key, at, 5) if c[0] == 1 else _between(key, at, -5, 6)
        return at + 1
    if kind == QUADRATIC:
        c[0], at = _leading(key, at)
        c[1], c[2] = _between(key, at, -5, 6), _between(key, at + 1, -5, 6)
        return at + 2
    if kind == QUOTIENT:
        return _quotient(key, at, c)
    if kind in (ABS, EXP):
        c[0] = _not_zero(key, at, 3)
        c[1] = _between(key, at + 1, -3, 4) if kind == ABS else _not_zero(key, at + 1, 2)
        c[2] = _between(key, at + 2, -3, 4)
        return at + 3
    c[2], c[0] = _between(key, at, -3, 4), _not_zero(key, at + 1, 3)
    c[1], c[3] = _between(key, at + 2, 1, 4), _between(key, at + 3, -3, 4)
    return at + 4


@njit(cache=True, nogil=True)
def draw_layers(key: np.uint64, at: Int, kinds: Integers, layers: Integers) -> Int:
    """Draw a chain of as many layers as there is room for; return the number of the next draw."""
    n = len(kinds)
    for i in range(n):
        kinds[i] = _ELEMENTARY[draw_below(key, at, np.int64(4))]
        at += 1
    if n > 1:
        at += 1
        if draw_below(key, at - 1, np.int64(2)):
            kind = _TRANSCENDENTAL[draw_below(key, at, np.int64(3))]
            kinds[draw_below(key, at + 1, np.int64(n))] = kind
            at += 2
    for i in range(n):
        at = _coefficients(key, at, kinds[i], layers[i])
    return at
