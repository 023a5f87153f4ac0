"""Compiled enclosures of functions on a cell, with their derivatives.

A function's value is kept as a quotient N / D of two enclosed numbers, so that poles are places
like others: f = g where N_f D_g - N_g D_f = 0 while neither D is. Bounds are floats, moved apart
after every operation by more than its rounding error; what cannot be bounded lies between the
infinities. Layers come as codes (n,) and coefficients (n, 4) from `coded`.
"""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.generators.omega.algebra._func_layers import Function

KINDS = ("linear", "quadratic", "abs", "quotient", "exp", "sin", "cos")
_LINEAR, _QUADRATIC, _ABS, _QUOTIENT, _EXP, _SIN, _COS = range(7)
_EPSILON, _TINY = 2.0**-52, 1e-300
LARGE = 1e60
"""Quotients are kept from growing larger."""
_INF = math.inf
_QUARTER = (math.pi / 2 - 1e-15, math.pi / 2 + 1e-15)

Box: TypeAlias = tuple[float, float]
Coded: TypeAlias = tuple[NDArray[np.int64], NDArray[np.float64]]
Enclosed: TypeAlias = tuple[Box, Box, Box, Box, bool]
"""N, its derivative, D, its derivative, and whether D is 1."""


def coded(function: Function) -> Coded:
    """Return a function's layers as arrays for the kernels."""
    coefficients = np.zeros((len(function), 4))
    for row, (_, c) in zip(coefficients, function, strict=True):
        row[: len(c)] = c
    return np.array([KINDS.index(kind) for kind, _ in function], np.int64), coefficients


@njit(cache=True, nogil=True)
def widened(low: float, high: float) -> Box:
    """Return bounds a rounding error further apart; all reals if one is no number."""
    if low != low or high != high:
        return -_INF, _INF
    return low - abs(low) * _EPSILON - _TINY, high + abs(high) * _EPSILON + _TINY


@njit(cache=True, nogil=True)
def times(a: Box, b: Box) -> Box:
    """Return the products of two boxes."""
    first, second, third, fourth = a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1]
    if first + second + third + fourth != first + second + third + fourth:
        return -_INF, _INF
    return widened(min(first, second, third, fourth), max(first, second, third, fourth))


@njit(cache=True, nogil=True)
def square(a: Box) -> Box:
    """Return the squares of a box."""
    first, second = a[0] * a[0], a[1] * a[1]
    low = 0.0 if a[0] <= 0.0 <= a[1] else min(first, second)
    return widened(low, max(first, second))


@njit(cache=True, nogil=True)
def plus(a: Box, b: Box) -> Box:
    """Return the sums of two boxes."""
    return widened(a[0] + b[0], a[1] + b[1])


@njit(cache=True, nogil=True)
def minus(a: Box, b: Box) -> Box:
    """Return the differences of two boxes."""
    return widened(a[0] - b[1], a[1] - b[0])


@njit(cache=True, nogil=True)
def scaled(a: Box, factor: float) -> Box:
    """Return a box times a number."""
    if factor == 0.0:
        return 0.0, 0.0
    if factor > 0:
        return widened(a[0] * factor, a[1] * factor)
    return widened(a[1] * factor, a[0] * factor)


@njit(cache=True, nogil=True)
def over(a: Box, b: Box) -> Box:
    """Return the quotients of two boxes, all reals where the second may be zero."""
    if not (b[0] > 0.0 or b[1] < 0.0):
        return -_INF, _INF
    return times(a, widened(1.0 / b[1], 1.0 / b[0]))


@njit(cache=True, nogil=True)
def definite(a: Box) -> bool:
    """Say whether a box does not contain zero."""
    return a[0] > 0.0 or a[1] < 0.0


@njit(cache=True, nogil=True)
def combined(n: Box, d: Box, a: float, b: float) -> Box:
    """Return a * n + b * d."""
    return plus(scaled(n, a), scaled(d, b))


@njit(cache=True, nogil=True)
def absolute(value: Box, slope: Box) -> tuple[Box, Box]:
    """Return |value| and its derivative, both signs of it at a corner."""
    if value[0] > 0.0:
        return value, slope
    if value[1] < 0.0:
        return (-value[1], -value[0]), (-slope[1], -slope[0])
    most = max(abs(slope[0]), abs(slope[1]))
    return (0.0, max(-value[0], value[1])), (-most, most)


@njit(cache=True, nogil=True)
def sine_of(low: float, high: float) -> Box:
    """Return the sines of a box of angles."""
    if not (high - low < 6.0) or abs(low) > 1e9:
        return -1.0, 1.0
    first, second = math.sin(low), math.sin(high)
    # A crest within the rounding of these quotients counts as inside.
    near = 1e-9 + abs(low) * 1e-13
    turn = 2 * math.pi
    top = math.ceil((low - near - math.pi / 2) / turn) * turn + math.pi / 2 <= high + near
    bottom = math.ceil((low - near + math.pi / 2) / turn) * turn - math.pi / 2 <= high + near
    least = -1.0 if bottom else min(first, second) - 1e-15
    most = 1.0 if top else max(first, second) + 1e-15
    return least, most


@njit(cache=True, nogil=True)
def bare_power(power: Box) -> Box:
    """Return e to the power of a box."""
    low, high = math.exp(min(power[0], 709.0)), _INF
    if power[1] < 709.0:
        high = math.exp(power[1])
    return low * (1 - 1e-13), high * (1 + 1e-13)


@njit(cache=True, nogil=True)
def _steepness(c: NDArray[np.float64]) -> Box:
    return c[1] * math.pi * (1 - 1e-15), c[1] * math.pi * (1 + 1e-15)


@njit(cache=True, nogil=True)
def angle_of(kind: int, c: NDArray[np.float64], u: Box) -> Box:
    """Return the angles of whose sines a wave consists."""
    angle = plus(times(u, _steepness(c)), (c[2], c[2]))
    return plus(angle, _QUARTER) if kind == _COS else angle


@njit(cache=True, nogil=True)
def _wave(kind: int, c: NDArray[np.float64], u: Box, du: Box) -> tuple[Box, Box]:
    """Enclose an exp, sin or cos layer and its derivative."""
    if kind == _EXP:
        bare = bare_power(scaled(u, c[1]))
        slope = scaled(times(bare, du), c[0] * c[1])
        return plus(scaled(bare, c[0]), (c[2], c[2])), slope
    angle = angle_of(kind, c, u)
    ahead = plus(angle, _QUARTER)
    value = plus(scaled(sine_of(angle[0], angle[1]), c[0]), (c[3], c[3]))
    slope = scaled(times(times(sine_of(ahead[0], ahead[1]), _steepness(c)), du), c[0])
    return value, slope


@njit(cache=True, nogil=True)
def enclose(kinds: NDArray[np.int64], layers: NDArray[np.float64], low: float, high: float) -> Any:
    """Enclose a function and its derivative on the cell from `low` to `high`: an `Enclosed`."""
    n, dn, d, dd = (low, high), (1.0, 1.0), (1.0, 1.0), (0.0, 0.0)
    flat = True
    for i in range(len(kinds)):
        kind, c = kinds[i], layers[i]
        if kind == _LINEAR:
            n, dn = combined(n, d, c[0], c[1]), combined(dn, dd, c[0], c[1])
        elif kind == _QUOTIENT:
            over_, dover = combined(n, d, c[0], c[1]), combined(dn, dd, c[0], c[1])
            d, dd = combined(n, d, c[2], c[3]), combined(dn, dd, c[2], c[3])
            n, dn = over_, dover
            flat = False
        elif kind == _ABS:
            m, dm = absolute(combined(n, d, 1.0, -c[1]), combined(dn, dd, 1.0, -c[1]))
            d, dd = absolute(d, dd)
            n, dn = combined(m, d, c[0], c[2]), combined(dm, dd, c[0], c[2])
        elif kind == _QUADRATIC:
            # a u^2 + b u + c = ((2 a u + b)^2 - (b^2 - 4 a c)) / (4 a)
            m, dm = combined(n, d, 2 * c[0], c[1]), combined(dn, dd, 2 * c[0], c[1])
            part = 0.25 / c[0]
            rest = 4 * c[0] * c[2] - c[1] * c[1]
            dd = scaled(times(d, dd), 2.0)
            d = square(d)
            n = scaled(combined(square(m), d, 1.0, rest), part)
            dn = scaled(combined(scaled(times(m, dm), 2.0), dd, 1.0, rest), part)
            # 0.25 / a is rounded where a is 3 or 5.
            n, dn = widened(n[0], n[1]), widened(dn[0], dn[1])
        else:
            if not flat:
                u = over(n, d)
                dn = over(minus(dn, times(u, dd)), d)
                n = u
            n, dn = _wave(kind, c, n, dn)
            d, dd = (1.0, 1.0), (0.0, 0.0)
            flat = True
        size = max(abs(n[0]), abs(n[1]), abs(d[0]), abs(d[1]))
        if not flat and LARGE < size < 1e300:
            down = math.ldexp(1.0, -math.frexp(size)[1])
            n, dn, d, dd = scaled(n, down), scaled(dn, down), scaled(d, down), scaled(dd, down)
        if flat:
            d, dd = (1.0, 1.0), (0.0, 0.0)
    return n, dn, d, dd, flat


@njit(cache=True, nogil=True)
def difference(f: Enclosed, g: Enclosed) -> tuple[Box, Box]:
    """Return N_f D_g - N_g D_f and its derivative."""
    if f[4] and g[4]:
        return minus(f[0], g[0]), minus(f[1], g[1])
    value = minus(times(f[0], g[2]), times(g[0], f[2]))
    first = plus(times(f[1], g[2]), times(f[0], g[3]))
    second = plus(times(g[1], f[2]), times(g[0], f[3]))
    return value, minus(first, second)


@njit(cache=True, nogil=True)
def height(f: Enclosed, g: Enclosed) -> tuple[Box, Box]:
    """Return f - g and its derivative, all reals where a denominator may be zero."""
    first, second = f[0], g[0]
    d_first, d_second = f[1], g[1]
    if not f[4]:
        first = over(f[0], f[2])
        d_first = over(minus(f[1], times(first, f[3])), f[2])
    if not g[4]:
        second = over(g[0], g[2])
        d_second = over(minus(g[1], times(second, g[3])), g[2])
    return minus(first, second), minus(d_first, d_second)
