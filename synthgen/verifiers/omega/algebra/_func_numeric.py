"""Functions in plain floats, many places at once: quadrature and brute-force counts."""

from __future__ import annotations

from math import pi

import numpy as np
from numpy.typing import NDArray

from synthgen.verifiers.omega.algebra._func_read import Layers

Floats = NDArray[np.float64]
_GRID = 300_001


def values(layers: Layers, x: Floats) -> Floats:
    """Return a function's values; what is undefined or too large is no finite number."""
    with np.errstate(all="ignore"):
        for kind, c in layers:
            if kind == "linear":
                x = c[0] * x + c[1]
            elif kind == "quadratic":
                x = (c[0] * x + c[1]) * x + c[2]
            elif kind == "abs":
                x = c[0] * np.abs(x - c[1]) + c[2]
            elif kind == "quotient":
                x = (c[0] * x + c[1]) / (c[2] * x + c[3])
            elif kind == "exp":
                x = c[0] * np.exp(c[1] * x) + c[2]
            else:
                wave = np.sin if kind == "sin" else np.cos
                x = c[0] * wave(c[1] * pi * x + c[2]) + c[3]
    return x


def area(f: Layers, g: Layers, low: float, high: float, cells: int, points: int) -> float:
    """Integrate |f - g| by Gauss-Legendre quadrature on equal cells."""
    nodes, weights = np.polynomial.legendre.leggauss(points)
    ends = np.linspace(low, high, cells + 1)
    half = (high - low) / cells / 2
    x = (ends[:-1, None] + half) + half * nodes
    heights = np.abs(values(f, x) - values(g, x))
    return float((heights @ weights).sum() * half)


def _projective(layers: Layers, x: Floats) -> tuple[Floats, Floats]:
    """Return a function's values as N / D, both finite at poles."""
    n, d = x, np.ones_like(x)
    for kind, c in layers:
        if kind == "linear":
            n = c[0] * n + c[1] * d
        elif kind == "quadratic":
            n, d = (c[0] * n + c[1] * d) * n + c[2] * d * d, d * d
        elif kind == "abs":
            n, d = c[0] * np.abs(n - c[1] * d) + c[2] * np.abs(d), np.abs(d)
        elif kind == "quotient":
            n, d = c[0] * n + c[1] * d, c[2] * n + c[3] * d
        else:
            n, d = values(((kind, c),), n / d), np.ones_like(x)
        size = np.maximum(np.abs(n), np.abs(d))
        n, d = n / size, d / size
    return n, d


def meetings(f: Layers, g: Layers, reach: int) -> Floats | None:
    """Return the places, on a fine grid, after which f - g changes its sign without a pole.

    None stands for values that floats do not hold.
    """
    x = np.linspace(-reach, reach, _GRID)
    with np.errstate(all="ignore"):
        (n, d), (m, e) = _projective(f, x), _projective(g, x)
        if not np.isfinite([n, d, m, e]).all():
            return None
        above = n * e > m * d
    changes = above[1:] != above[:-1]
    middles: Floats = (x[1:][changes] + x[:-1][changes]) / 2
    return middles
