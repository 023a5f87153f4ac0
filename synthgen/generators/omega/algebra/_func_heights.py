"""Kernels of a function's values without derivatives: enclosed as by `enclose`, or only roughly."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.generators.omega.algebra._func_enclose import (
    KINDS,
    LARGE,
    Box,
    absolute,
    angle_of,
    bare_power,
    combined,
    over,
    plus,
    scaled,
    sine_of,
    square,
    widened,
)

LINEAR, QUADRATIC, ABS, QUOTIENT, EXP, SIN, _ = range(len(KINDS))


@njit(cache=True, nogil=True)
def _wave_value(kind: int, c: NDArray[np.float64], u: Box) -> Box:
    """Enclose an exp, sin or cos layer, as `_wave` does."""
    if kind == EXP:
        return plus(scaled(bare_power(scaled(u, c[1])), c[0]), (c[2], c[2]))
    angle = angle_of(kind, c, u)
    return plus(scaled(sine_of(angle[0], angle[1]), c[0]), (c[3], c[3]))


@njit(cache=True, nogil=True)
def enclose_value(
    kinds: NDArray[np.int64], layers: NDArray[np.float64], low: float, high: float
) -> Any:
    """Return N, D and whether D is 1, exactly as `enclose` does, without derivatives."""
    n, d, flat = (low, high), (1.0, 1.0), True
    for i in range(len(kinds)):
        kind, c = kinds[i], layers[i]
        if kind == LINEAR:
            n = combined(n, d, c[0], c[1])
        elif kind == QUOTIENT:
            n, d = combined(n, d, c[0], c[1]), combined(n, d, c[2], c[3])
            flat = False
        elif kind == ABS:
            m, _ = absolute(combined(n, d, 1.0, -c[1]), (0.0, 0.0))
            d, _ = absolute(d, (0.0, 0.0))
            n = combined(m, d, c[0], c[2])
        elif kind == QUADRATIC:
            m = combined(n, d, 2 * c[0], c[1])
            d = square(d)
            rest = 4 * c[0] * c[2] - c[1] * c[1]
            n = scaled(combined(square(m), d, 1.0, rest), 0.25 / c[0])
            n = widened(n[0], n[1])
        else:
            n = _wave_value(kind, c, n if flat else over(n, d))
            flat = True
        if flat:
            d = (1.0, 1.0)
            continue
        size = max(abs(n[0]), abs(n[1]), abs(d[0]), abs(d[1]))
        if LARGE < size < 1e300:
            down = math.ldexp(1.0, -math.frexp(size)[1])
            n, d = scaled(n, down), scaled(d, down)
    return n, d, flat


@njit(cache=True, nogil=True)
def roughly(kinds: NDArray[np.int64], layers: NDArray[np.float64], x: float) -> tuple[float, float]:
    """Return a function at a place as N / D, without any bound of the error."""
    n, d = x, 1.0
    for i in range(len(kinds)):
        kind, c = kinds[i], layers[i]
        if kind == LINEAR:
            n = c[0] * n + c[1] * d
        elif kind == QUOTIENT:
            n, d = c[0] * n + c[1] * d, c[2] * n + c[3] * d
        elif kind == ABS:
            d = abs(d)
            n = c[0] * abs(n - c[1] * d) + c[2] * d
        elif kind == QUADRATIC:
            n, d = (c[0] * n + c[1] * d) * n + c[2] * d * d, d * d
        else:
            u = n / d if d != 0.0 else math.inf
            d = 1.0
            if kind == EXP:
                n = c[0] * math.exp(min(c[1] * u, 300.0)) + c[2]
            elif not abs(u) < 1e9:
                n = 0.0
            elif kind == SIN:
                n = c[0] * math.sin(c[1] * math.pi * u + c[2]) + c[3]
            else:
                n = c[0] * math.cos(c[1] * math.pi * u + c[2]) + c[3]
        if d != 1.0:
            size = max(abs(n), abs(d))
            if size > 0.0:
                n, d = n / size, d / size
    return n, d
