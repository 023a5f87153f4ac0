"""The plane in complex numbers, and the choices that constructions leave open.

A point is a complex number, a line a point and a unit direction, a segment and a triangle their
points, a vector a complex number, a circle its centre and radius, a polygon its centre, radius
and vertices. What a command leaves open is chosen anew in every run, so that an answer that
depends on it differs from run to run.
"""

from __future__ import annotations

import cmath
from collections.abc import Sequence
from math import acos, pi, sqrt
from typing import Any

_CLEAR = 1e-3
"""Least difference of distances of which one is called the smaller, and the like."""
_CLOSE = 1e-6
"""Largest distance of a point from a line or circle on which it is told to lie."""


class IllPosedError(ArithmeticError):
    """A command has no result, or none that is clear."""


def need(*conditions: bool) -> None:
    """Go on only if all conditions hold.

    Raises:
        IllPosedError: if one does not.
    """
    if not all(conditions):
        raise IllPosedError


class Free:
    """What commands leave open, chosen for one run.

    Attributes:
        at: number of the command that is worked out.
    """

    at = 0

    def __init__(self, run: int) -> None:
        self._run = run
        self._calls = 0

    def turn(self) -> complex:
        """Return a direction."""
        return cmath.rect(1.0, self.part() * 2 * pi)

    def quarter(self, circle: Any) -> complex:
        """Return a direction from the centre of a circle, other than the last ones."""
        del circle
        return self.turn()

    def part(self) -> float:
        """Return a number between 0 and 1: steps of the golden ratio, shifted by the run."""
        self._calls += 1
        return (self._calls * 0.6180339887 + self._run * 0.2360679775) % 1.0 * 0.98 + 0.01

    def point(self) -> complex:
        """Return a point of the plane."""
        return complex(self.part() * 9 - 4, self.part() * 9 - 5)

    def on_line(self, line: Any) -> complex:
        """Return a point of a line."""
        return complex(line[0] + line[1] * (self.part() * 8 - 4))

    def side(self) -> int:
        """Return 1 or -1."""
        return 1 if self.part() > 0.5 else -1


class Frame(Free):
    """The choices of a solution: few places, of which the told one is meant.

    Args:
        told: where the first point of each command is said to be; anything for other commands.
    """

    def __init__(self, told: Sequence[complex]) -> None:
        super().__init__(0)
        self._told = told

    def _nearest(self, places: Sequence[complex]) -> complex:
        return min(places, key=lambda place: abs(place - self._told[self.at]))

    def turn(self) -> complex:
        """Return the first axis."""
        return 1 + 0j

    def quarter(self, circle: Any) -> complex:
        """Return one of three axes."""
        centre, r = circle
        return complex((self._nearest((centre + r, centre + 1j * r, centre - r)) - centre) / r)

    def part(self) -> float:
        """Return a third."""
        return 1 / 3

    def point(self) -> complex:
        """Return the origin or (1, 2)."""
        return self._nearest((0j, 1 + 2j))

    def on_line(self, line: Any) -> complex:
        """Return the point nearest to the origin."""
        return mirror(0j, line) / 2

    def side(self) -> int:
        """Return 1."""
        return 1


def through(p: complex, q: complex) -> tuple[complex, complex]:
    """Return the line through two points."""
    need(abs(p - q) > _CLEAR)
    return p, (q - p) / abs(q - p)


def cross(p: complex, q: complex) -> float:
    """Return the signed area that two vectors span."""
    return (p.conjugate() * q).imag


def mirror(p: complex, line: Any) -> complex:
    """Reflect a point in a line."""
    return complex(line[0] + line[1] ** 2 * (p - line[0]).conjugate())


def meet(one: Any, two: Any) -> complex:
    """Return the intersection of two lines."""
    sine = cross(two[1], one[1])
    need(abs(sine) > _CLEAR)
    return complex(one[0] + one[1] * cross(two[1], two[0] - one[0]) / sine)


def between(p: complex, segment: Any) -> complex:
    """Return a point of a segment's line, which must be inside the segment."""
    start, end = segment
    part = ((p - start) / (end - start)).real
    need(_CLEAR < part < 1 - _CLEAR)
    return p


def cuts(line: Any, circle: Any) -> tuple[complex, complex]:
    """Return both intersections of a line and a circle."""
    (p, u), (centre, r) = line, circle
    half = (u.conjugate() * (p - centre)).real
    square = half**2 - abs(p - centre) ** 2 + r**2
    need(square > _CLEAR * r**2)
    return p + u * (sqrt(square) - half), p - u * (sqrt(square) + half)


def crossings(one: Any, two: Any) -> tuple[complex, complex]:
    """Return both intersections of two circles, whose height is found by Heron's formula."""
    (p, r), (q, s) = one, two
    gap = abs(q - p)
    need(gap > _CLEAR)
    square = (gap + r + s) * (gap + r - s) * (gap - r + s) * (r + s - gap)
    need(square > 0)
    height = sqrt(square) / (2 * gap)
    need(height > 10 * _CLEAR * min(r, s))
    ahead, along = (q - p) / gap, (r**2 - s**2 + gap**2) / (2 * gap)
    return p + ahead * complex(along, height), p + ahead * complex(along, -height)


def contacts(p: complex, circle: Any) -> tuple[complex, complex]:
    """Return the points of contact of both tangents from a point outside."""
    centre, r = circle
    gap = abs(p - centre)
    need(gap > r * (1 + _CLEAR))
    turn, ahead = cmath.rect(r, acos(r / gap)), (p - centre) / gap
    return centre + ahead * turn, centre + ahead * turn.conjugate()


def sided(points: tuple[complex, complex], p: complex, farther: int) -> complex:
    """Return the one of two points that is nearer to or farther from a third."""
    gaps = [abs(point - p) for point in points]
    need(abs(gaps[0] - gaps[1]) > _CLEAR)
    return points[(gaps[0] < gaps[1]) == bool(farther)]


def other(points: tuple[complex, complex], known: complex) -> complex:
    """Return the one of two points that is not the known one, of which one must be."""
    gaps = [abs(point - known) for point in points]
    need(min(gaps) < _CLOSE, max(gaps) > _CLEAR)
    return points[gaps[0] < gaps[1]]


def on(p: complex, circle: Any) -> complex:
    """Return a point, which must be on a circle."""
    need(abs(abs(p - circle[0]) - circle[1]) < _CLOSE)
    return p


def acute(one: Any, two: Any) -> tuple[complex, complex]:
    """Return the bisector of the acute angles of two lines."""
    u, v = one[1], two[1]
    cosine = (u.conjugate() * v).real
    need(abs(cosine) > _CLEAR, abs(cross(u, v)) > _CLEAR)
    return meet(one, two), cmath.sqrt(u * v if cosine > 0 else -u * v)


def arc(points: tuple[complex, complex], circle: Any, start: complex, end: complex) -> complex:
    """Return the one of two points on the arc counterclockwise from start to end."""
    centre = circle[0]
    extent = cmath.phase((on(end, circle) - centre) / (on(start, circle) - centre)) % (2 * pi)
    turns = [cmath.phase((point - centre) / (start - centre)) % (2 * pi) for point in points]
    need(*(min(t, abs(t - extent), 2 * pi - t) > _CLEAR for t in turns))
    inside = [turn < extent for turn in turns]
    need(sum(inside) == 1)
    return points[inside.index(True)]
