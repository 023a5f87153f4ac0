"""The plane in Cartesian equations, with fifty digits.

A line is (a, b, c) with a x + b y = c, a circle its centre and the square of its radius; a segment
and a triangle are their points, a polygon its centre, first vertex and number of sides.
"""

from __future__ import annotations

from functools import cache
from typing import Any

_DIGITS = 50
SURE = 30
"""Runs agree in so many decimals, and what is told to coincide does."""


class UnclearError(ArithmeticError):
    """A command has no result, or none that is clear."""


@cache
def context() -> Any:
    """Return an arithmetic of its own with fifty digits."""
    from mpmath import mp  # type: ignore[import-untyped]

    context = mp.clone()
    context.dps = _DIGITS
    return context


def need(*conditions: bool) -> None:
    """Go on only if all conditions hold."""
    if not all(conditions):
        raise UnclearError


def zero(value: Any) -> bool:
    """Say whether a number is nothing but rounding."""
    return bool(abs(value) < context().mpf(10) ** -SURE)


def square(p: Any, q: Any) -> Any:
    """Return the square of a distance."""
    return (p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2


def root(value: Any) -> Any:
    """Return a square root that is clearly not zero."""
    need(value > context().mpf(10) ** -6)
    return context().sqrt(value)


def joined(p: Any, q: Any) -> Any:
    """Return the line through two points."""
    a, b = p[1] - q[1], q[0] - p[0]
    return a, b, a * p[0] + b * p[1]


def parallel(p: Any, line: Any) -> Any:
    """Return the parallel to a line through a point."""
    return line[0], line[1], line[0] * p[0] + line[1] * p[1]


def upright(p: Any, line: Any) -> Any:
    """Return the perpendicular to a line through a point."""
    return parallel(p, (line[1], -line[0]))


def equal(p: Any, q: Any) -> Any:
    """Return the line of all points equally far from two points."""
    return 2 * (q[0] - p[0]), 2 * (q[1] - p[1]), q[0] ** 2 + q[1] ** 2 - p[0] ** 2 - p[1] ** 2


def met(one: Any, two: Any) -> Any:
    """Return the intersection of two lines, by Cramer's rule."""
    bottom = one[0] * two[1] - one[1] * two[0]
    scale = context().sqrt((one[0] ** 2 + one[1] ** 2) * (two[0] ** 2 + two[1] ** 2))
    need(abs(bottom) > scale / 1000)
    x, y = one[2] * two[1] - one[1] * two[2], one[0] * two[2] - one[2] * two[0]
    return x / bottom, y / bottom


def imaged(p: Any, line: Any) -> Any:
    """Reflect a point in a line."""
    a, b, c = line
    k = 2 * (a * p[0] + b * p[1] - c) / (a * a + b * b)
    return p[0] - k * a, p[1] - k * b


def turned_half(p: Any, centre: Any) -> Any:
    """Reflect a point in a point."""
    return 2 * centre[0] - p[0], 2 * centre[1] - p[1]


def two_of(line: Any) -> tuple[Any, Any]:
    """Return two points of a line."""
    a, b, c = line
    scale = c / (a * a + b * b)
    foot = a * scale, b * scale
    return foot, (foot[0] - b, foot[1] + a)


def secant(line: Any, circle: Any) -> tuple[Any, Any]:
    """Return both intersections of a line and a circle."""
    (a, b, c), (x, y, square) = line, circle
    norm = a * a + b * b
    k = (c - a * x - b * y) / norm
    half = root(square / norm - k * k)
    return (x + k * a - half * b, y + k * b + half * a), (
        *(x + k * a + half * b, y + k * b - half * a),
    )


def radical(one: Any, two: Any) -> Any:
    """Return the line of equal powers with respect to two circles."""
    (x, y, s), (u, v, t) = one, two
    return 2 * (u - x), 2 * (v - y), u * u + v * v - t - x * x - y * y + s


def crossings(one: Any, two: Any) -> tuple[Any, Any]:
    """Return both intersections of two circles."""
    return secant(radical(one, two), one)


def polar(p: Any, circle: Any) -> Any:
    """Return the polar of a point."""
    a, b = p[0] - circle[0], p[1] - circle[1]
    return a, b, circle[2] + a * circle[0] + b * circle[1]


def tangents(p: Any, circle: Any) -> tuple[Any, Any]:
    """Return the points of contact of both tangents, which lie on the polar."""
    return secant(polar(p, circle), circle)


def inverse(p: Any, circle: Any) -> Any:
    """Invert a point in a circle."""
    scale = circle[2] / square(p, circle)
    return tuple(circle[k] + scale * (p[k] - circle[k]) for k in (0, 1))


def sided(points: Any, p: Any, farther: int) -> Any:
    """Return the one of two points that is nearer to or farther from a third."""
    gaps = [context().sqrt(square(point, p)) for point in points]
    need(abs(gaps[0] - gaps[1]) > context().mpf(1) / 1000)
    return points[(gaps[0] < gaps[1]) == bool(farther)]


def other(points: Any, known: Any) -> Any:
    """Return the one of two points that is not the known one, of which one must be."""
    gaps = [square(point, known) for point in points]
    need(zero(min(gaps)), not zero(max(gaps)))
    return points[int(gaps[0] < gaps[1])]


def on(p: Any, circle: Any) -> Any:
    """Return a point, which must be on a circle."""
    need(zero(square(p, circle) - circle[2]))
    return p


def inside(p: Any, segment: Any) -> Any:
    """Say whether a point of a segment's line is between its ends."""
    (x, y), (u, v) = segment
    part = ((p[0] - x) * (u - x) + (p[1] - y) * (v - y)) / square(*segment)
    return 0 < part < 1


def normal(line: Any) -> Any:
    """Return the equation of a line with a normal of length one."""
    norm = context().sqrt(line[0] ** 2 + line[1] ** 2)
    return tuple(part / norm for part in line)


def acute(one: Any, two: Any) -> Any:
    """Return the bisector of the acute angles of two lines: the sum of their equations."""
    one, two = normal(one), normal(two)
    cosine = one[0] * two[0] + one[1] * two[1]
    need(abs(cosine) > context().mpf(1) / 1000)
    sign = 1 if cosine > 0 else -1
    return tuple(one[k] + sign * two[k] for k in range(3))


def halved(p: Any, vertex: Any, q: Any) -> Any:
    """Return the bisector of an angle, which cuts the opposite side in the others' ratio."""
    s, t = (context().sqrt(square(end, vertex)) for end in (p, q))
    return joined(vertex, tuple((t * p[k] + s * q[k]) / (s + t) for k in (0, 1)))


def around(t: Any) -> Any:
    """Return the circumcircle of a triangle."""
    x, y = met(equal(t[0], t[1]), equal(t[1], t[2]))
    return x, y, square((x, y), t[2])


def altitudes(t: Any) -> Any:
    """Return the orthocentre of a triangle."""
    return met(upright(t[0], joined(t[1], t[2])), upright(t[2], joined(t[0], t[1])))


def within(t: Any) -> Any:
    """Return the incircle of a triangle."""
    x, y = met(halved(t[0], t[1], t[2]), halved(t[1], t[2], t[0]))
    a, b, c = normal(joined(t[0], t[2]))
    return x, y, (a * x + b * y - c) ** 2
