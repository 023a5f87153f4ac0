"""What keeps a figure readable: no command near a degenerate case, no object drawn twice.

All tests are on floats. Their margins are so much wider than the proven error of the floats that a
figure which passes them has one meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import hypot
from typing import Any, TypeAlias

from synthgen.generators.omega.geometry import _construct_plane as plane

Guard: TypeAlias = "Callable[..., bool]"
FARTHEST = 60.0
"""Bound of coordinates and radii."""
_APART = 0.1
"""Least distance of two points, in each direction or the other."""
_SINE = 0.18
"""Least sine of the angle of two lines that are told to meet: about ten degrees."""
_INSIDE = 0.04
"""How far from its ends a segment is cut, as a part of it."""
_SECANT = 0.94
"""A line that cuts a circle is at most this part of the radius away from the centre."""


def apart(p: Any, q: Any) -> bool:
    """Say whether two points are clearly different."""
    return bool(abs(p[0] - q[0]) > _APART or abs(p[1] - q[1]) > _APART)


def sine(one: Any, two: Any) -> float:
    """Return the sine of the angle between two lines."""
    return abs(float(one[2] * two[3] - one[3] * two[2]))


def away(p: Any, line: Any) -> float:
    """Return the distance of a point from a line."""
    return abs(float((p[0] - line[0]) * line[3] - (p[1] - line[1]) * line[2]))


def cuts(line: Any, circle: Any) -> bool:
    """Say whether a line clearly cuts a circle."""
    return bool(away(circle, line) < _SECANT * circle[2])


def crossing(one: Any, two: Any) -> bool:
    """Say whether two circles clearly cut each other."""
    gap = hypot(two[0] - one[0], two[1] - one[1])
    r, s = one[2], two[2]
    least, most = abs(r - s), r + s
    margin = 0.06 * min(r, s)
    return bool(least + margin < gap < most - margin)


def inside(p: Any, segment: Any) -> bool:
    """Say whether a point of a segment's line is clearly between its ends."""
    (x, y), (u, v) = segment
    square = (u - x) ** 2 + (v - y) ** 2
    part = ((p[0] - x) * (u - x) + (p[1] - y) * (v - y)) / square
    return bool(_INSIDE < part < 1 - _INSIDE)


def wide(p: Any, q: Any, r: Any) -> bool:
    """Say whether three points make a triangle that is not nearly flat."""
    area = abs(plane.double_area(p, q, r))
    sides = plane.distance(p, q), plane.distance(q, r), plane.distance(r, p)
    return bool(area > 0.5 and area > 0.15 * max(sides) ** 2)


def _meet_ls(line: Any, segment: Any) -> bool:
    other = plane.through(*segment)
    return sine(line, other) > _SINE and inside(plane.meet(line, other), segment)


def _meet_ss(one: Any, two: Any) -> bool:
    return _meet_ls(plane.through(*one), two) and _meet_ls(plane.through(*two), one)


def _acute(one: Any, two: Any) -> bool:
    """Neither parallel nor perpendicular, so that one pair of angles is acute."""
    return _SINE < sine(one, two) < 0.98


def _bend(p: Any, vertex: Any, q: Any) -> bool:
    return sine(plane.through(vertex, p), plane.through(vertex, q)) > _SINE


def _invertible(p: Any, circle: Any) -> bool:
    """Neither near the centre nor near the circle."""
    ratio = plane.distance(p, (circle[0], circle[1])) / circle[2]
    return bool(0.25 < ratio < 0.93 or 1.07 < ratio < 4.0)


def _outside(p: Any, circle: Any, _: Any) -> bool:
    return bool(plane.distance(p, (circle[0], circle[1])) > 1.07 * circle[2])


def _reaches(line: Any, p: Any, _: Any, length: Any) -> bool:
    return length > 0.3 and cuts(line, (p[0], p[1], length))


GUARDS: Mapping[str, Guard] = {
    "meet_ll": lambda one, two: sine(one, two) > _SINE,
    "meet_ls": _meet_ls,
    "meet_ss": _meet_ss,
    "bisector_ll": _acute,
    "bisector_ss": lambda one, two: _acute(plane.through(*one), plane.through(*two)),
    "angle_bisector": _bend,
    "mirror_pc": _invertible,
    "polar": _invertible,
    "circle_ppp": wide,
    "triangle": wide,
    "meet_lc": lambda line, circle, _: cuts(line, circle),
    "meet_lc_other": lambda line, circle, _: cuts(line, circle),
    "meet_arc": lambda circle, p, q, line: cuts(line, circle) and apart(p, q),
    "meet_cc": lambda one, two, _: crossing(one, two),
    "meet_cc_other": lambda one, two, _: crossing(one, two),
    "tangent_from": _outside,
    "point_along_m": _reaches,
}
"""Tests of the values of a command's arguments, for the commands that need one."""


def _new_point(value: Any, points: Iterable[Any]) -> bool:
    x, y = value
    if not (abs(x) < FARTHEST and abs(y) < FARTHEST):
        return False
    return all(abs(x - u) > _APART or abs(y - v) > _APART for u, v in points)


def _new_line(value: Any, lines: Iterable[Any]) -> bool:
    if not away((0.0, 0.0), value) < FARTHEST:
        return False
    return all(sine(value, line) > 0.01 or away(value, line) > _APART for line in lines)


def _new_circle(value: Any, circles: Iterable[Any]) -> bool:
    if not (0.2 < value[2] < FARTHEST and max(abs(value[0]), abs(value[1])) < FARTHEST):
        return False
    return all(apart(value, c) or abs(value[2] - c[2]) > _APART for c in circles)


def _new_pair(value: Any, others: Iterable[Any]) -> bool:
    return value not in others and (value[1], value[0]) not in others


def _new_vector(value: Any, others: Iterable[Any]) -> bool:
    return _new_point(value, others)


def _new_triangle(value: Any, others: Iterable[Any]) -> bool:
    return all(set(value) != set(other) for other in others)


def _new_length(value: Any, others: Iterable[Any]) -> bool:
    return 0.2 < value < FARTHEST and all(abs(value - other) > 0.01 for other in others)


_NEW: Mapping[str, Callable[[Any, Sequence[Any]], bool]] = {
    "P": _new_point,
    "L": _new_line,
    "S": _new_pair,
    "V": _new_vector,
    "C": _new_circle,
    "T": _new_triangle,
    "G": lambda value, others: True,  # noqa: ARG005
    "M": _new_length,
}


def is_new(kind: str, value: Any, others: Sequence[Any]) -> bool:
    """Say whether an object is of a fair size and clearly differs from all others of its kind."""
    return _NEW[kind](value, others)
