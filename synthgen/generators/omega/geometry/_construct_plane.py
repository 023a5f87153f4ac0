"""Formulae of the plane, for floats and for balls alike.

A point is (x, y), a line is a point and a unit direction (x, y, u, v), a segment its two ends, a
circle its centre and radius (x, y, r), a triangle its three vertices.
"""

from __future__ import annotations

from typing import TypeAlias

from synthgen.generators.omega.geometry._construct_ball import Real, degrees_between, root

Point: TypeAlias = "tuple[Real, Real]"
Line: TypeAlias = "tuple[Real, Real, Real, Real]"
Segment: TypeAlias = "tuple[Point[Real], Point[Real]]"
Circle: TypeAlias = "tuple[Real, Real, Real]"
Triangle: TypeAlias = "tuple[Point[Real], Point[Real], Point[Real]]"


def distance(p: Point[Real], q: Point[Real]) -> Real:
    """Return the length of pq."""
    x, y = q[0] - p[0], q[1] - p[1]
    return root(x * x + y * y)


def midpoint(p: Point[Real], q: Point[Real]) -> Point[Real]:
    """Return the middle of pq."""
    return (p[0] + q[0]) * 0.5, (p[1] + q[1]) * 0.5


def through(p: Point[Real], q: Point[Real]) -> Line[Real]:
    """Return the line through two points."""
    x, y = q[0] - p[0], q[1] - p[1]
    length = root(x * x + y * y)
    return p[0], p[1], x / length, y / length


def parallel(p: Point[Real], line: Line[Real]) -> Line[Real]:
    """Return the parallel of a line through a point."""
    return p[0], p[1], line[2], line[3]


def perpendicular(p: Point[Real], line: Line[Real]) -> Line[Real]:
    """Return the perpendicular of a line through a point."""
    return p[0], p[1], -line[3], line[2]


def bisector(p: Point[Real], q: Point[Real]) -> Line[Real]:
    """Return the perpendicular bisector of two points."""
    return perpendicular(midpoint(p, q), through(p, q))


def foot(p: Point[Real], line: Line[Real]) -> Point[Real]:
    """Return the foot of the perpendicular from a point to a line."""
    along = (p[0] - line[0]) * line[2] + (p[1] - line[1]) * line[3]
    return line[0] + along * line[2], line[1] + along * line[3]


def mirrored(p: Point[Real], centre: Point[Real]) -> Point[Real]:
    """Reflect a point in a point."""
    return centre[0] * 2.0 - p[0], centre[1] * 2.0 - p[1]


def reflected(p: Point[Real], line: Line[Real]) -> Point[Real]:
    """Reflect a point in a line."""
    return mirrored(p, foot(p, line))


def reflected_line(line: Line[Real], axis: Line[Real]) -> Line[Real]:
    """Reflect a line in a line."""
    x, y = reflected((line[0], line[1]), axis)
    along = (line[2] * axis[2] + line[3] * axis[3]) * 2.0
    return x, y, along * axis[2] - line[2], along * axis[3] - line[3]


def inverse(p: Point[Real], circle: Circle[Real]) -> Point[Real]:
    """Invert a point in a circle."""
    x, y = p[0] - circle[0], p[1] - circle[1]
    scale = circle[2] * circle[2] / (x * x + y * y)
    return circle[0] + scale * x, circle[1] + scale * y


def polar(p: Point[Real], circle: Circle[Real]) -> Line[Real]:
    """Return the polar of a point: the perpendicular, through its inverse, of the line of both."""
    centre = (circle[0], circle[1])
    return perpendicular(inverse(p, circle), through(centre, p))


def meet(one: Line[Real], two: Line[Real]) -> Point[Real]:
    """Return the intersection of two lines."""
    sine = one[2] * two[3] - one[3] * two[2]
    x, y = two[0] - one[0], two[1] - one[1]
    along = (x * two[3] - y * two[2]) / sine
    return one[0] + along * one[2], one[1] + along * one[3]


def line_circle(line: Line[Real], circle: Circle[Real], sign: int) -> Point[Real]:
    """Return the intersection ahead of (sign 1) or behind (-1) the foot of the centre."""
    x, y = foot((circle[0], circle[1]), line)
    away_x, away_y = x - circle[0], y - circle[1]
    half = root(circle[2] * circle[2] - (away_x * away_x + away_y * away_y)) * sign
    return x + half * line[2], y + half * line[3]


def circle_circle(one: Circle[Real], two: Circle[Real], sign: int) -> Point[Real]:
    """Return the intersection to the left (sign 1) or right (-1) of the ray of the centres."""
    x, y = two[0] - one[0], two[1] - one[1]
    square = x * x + y * y
    along = (one[2] * one[2] - two[2] * two[2] + square) / (square * 2.0)
    aside = root(one[2] * one[2] / square - along * along) * sign
    return one[0] + along * x - aside * y, one[1] + along * y + aside * x


def touching(p: Point[Real], circle: Circle[Real], sign: int) -> Line[Real]:
    """Return a tangent through a point outside, given by its point of contact and direction."""
    x, y = p[0] - circle[0], p[1] - circle[1]
    square = x * x + y * y
    along = circle[2] * circle[2] / square
    aside = circle[2] * root(square - circle[2] * circle[2]) / square * sign
    contact = circle[0] + along * x - aside * y, circle[1] + along * y + aside * x
    return through(contact, p)


def angle_bisector(p: Point[Real], vertex: Point[Real], q: Point[Real]) -> Line[Real]:
    """Return the bisector of the angle at a vertex, which lies inside the angle."""
    one, two = through(vertex, p), through(vertex, q)
    ahead = (vertex[0] + one[2] + two[2], vertex[1] + one[3] + two[3])
    return through(vertex, ahead)


def acute_bisector(one: Line[Real], two: Line[Real], sign: int) -> Line[Real]:
    """Return the bisector of two lines; `sign` is that of the product of their directions."""
    x, y = meet(one, two)
    return through((x, y), (x + one[2] + two[2] * sign, y + one[3] + two[3] * sign))


def double_area(p: Point[Real], q: Point[Real], r: Point[Real]) -> Real:
    """Return twice the signed area of a triangle, positive if it is counterclockwise."""
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])


def centroid(t: Triangle[Real]) -> Point[Real]:
    """Return the mean of the vertices."""
    return (t[0][0] + t[1][0] + t[2][0]) / 3.0, (t[0][1] + t[1][1] + t[2][1]) / 3.0


def circumcircle(t: Triangle[Real]) -> Circle[Real]:
    """Return the circle through the vertices."""
    x, y = meet(bisector(t[0], t[1]), bisector(t[0], t[2]))
    return x, y, distance((x, y), t[0])


def orthocenter(t: Triangle[Real]) -> Point[Real]:
    """Return the intersection of two altitudes."""
    one = perpendicular(t[0], through(t[1], t[2]))
    return meet(one, perpendicular(t[1], through(t[0], t[2])))


def incircle(t: Triangle[Real]) -> Circle[Real]:
    """Return the circle that touches the sides from inside."""
    x, y = meet(angle_bisector(t[1], t[0], t[2]), angle_bisector(t[0], t[1], t[2]))
    return x, y, distance((x, y), foot((x, y), through(t[0], t[1])))


def angle(p: Point[Real], vertex: Point[Real], q: Point[Real]) -> Real:
    """Return the angle at a vertex in degrees, from 0 to 180."""
    x, y = p[0] - vertex[0], p[1] - vertex[1]
    u, v = q[0] - vertex[0], q[1] - vertex[1]
    return degrees_between(x * v - y * u, x * u + y * v)
