"""Roots of unity as large integers, and points and sides of lines that they settle exactly.

Coordinates are integers in units of 2^-SCALE. What is asked of them is whether a sum of at most 32
roots of unity of order n is 0. If it is not, its norm is an integer other than 0, and as each of
its conjugates is at most 32, it is at least 32^(1 - phi(n)) itself: above 2^-290 for n to 60. The
errors of these calculations are below 2^-480.
"""

from __future__ import annotations

from cmath import exp
from functools import lru_cache
from math import pi

SCALE = 512
MOST_SIDES = 60
_ZERO = 1 << (SCALE - 400)
Point = tuple[int, int]
Line = tuple[int, int]
"""Two vertices of the polygon, from 0, the lesser first."""


@lru_cache(64)
def roots(n: int) -> tuple[Point, ...]:
    """Return all roots of unity of order n, by Newton's method."""
    first = exp(2j * pi / n)
    x, y = (int(part * 2**60) << (SCALE - 60) for part in (first.real, first.imag))
    for _ in range(5):
        u, v = _power(x, y, n)
        u -= 1 << SCALE  # z (1 - (z^n - 1) conj(z^n) / n), as |z| = 1
        p, q = _times(u, v, u + (1 << SCALE), -v)
        p, q = _times(p, q, x, y)
        x, y = x - p // n, y - q // n
    points = [(1 << SCALE, 0)]
    for _ in range(n - 1):
        points.append(_times(*points[-1], x, y))
    return tuple(points)


def _times(a: int, b: int, c: int, d: int) -> Point:
    return (a * c - b * d) >> SCALE, (a * d + b * c) >> SCALE


def _power(x: int, y: int, n: int) -> Point:
    u, v = 1 << SCALE, 0
    for _ in range(n):
        u, v = _times(u, v, x, y)
    return u, v


def sign(value: int) -> int:
    """Return the sign of a value, or 0 for one that can be nothing else."""
    if abs(value) < _ZERO:
        return 0
    return 1 if value > 0 else -1


def side(n: int, line: Line, point: Point) -> int:
    """Say on which side of a line a point lies: 1 to the left of it, 0 on it, -1 to the right."""
    (ax, ay), (bx, by) = (roots(n)[end] for end in line)
    return sign(((bx - ax) * (point[1] - ay) - (by - ay) * (point[0] - ax)) >> SCALE)


@lru_cache(1 << 17)
def meeting(n: int, one: Line, other: Line) -> Point:
    """Return where two lines meet that are not parallel."""
    (ax, ay), (bx, by) = (roots(n)[end] for end in one)
    (cx, cy), (dx, dy) = (roots(n)[end] for end in other)
    ux, uy, vx, vy = bx - ax, by - ay, dx - cx, dy - cy
    along = (((cx - ax) * vy - (cy - ay) * vx) << SCALE) // (ux * vy - uy * vx)
    return ax + (ux * along >> SCALE), ay + (uy * along >> SCALE)
