"""The commands of constructions: what they take, what they make, and how it is computed.

A point is (x, y), a line a point and a unit direction (x, y, u, v), a segment its two ends, a
vector (x, y), a circle its center and radius (x, y, r), a triangle its vertices, a regular polygon
its center, radius and vertices, a length a number. Every formula works for floats, with which a
figure is found, and for the balls of FLINT (`arb`), with which its answer is proven.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from flint import arb, fmpq

from synthgen.authoring import Words

WORDS = Words.beside(__file__)
Point: TypeAlias = tuple[Any, Any]
Line: TypeAlias = tuple[Any, Any, Any, Any]
Circle: TypeAlias = tuple[Any, Any, Any]
Triangle: TypeAlias = tuple[Point, Point, Point]


def root(value: Any) -> Any:
    """Return the square root; of a ball that may be negative it is not a number."""
    return value.sqrt() if isinstance(value, arb) else math.sqrt(value)


def distance(p: Point, q: Point) -> Any:
    """Return the length of pq."""
    x, y = q[0] - p[0], q[1] - p[1]
    return root(x * x + y * y)


def midpoint(p: Point, q: Point) -> Point:
    """Return the midpoint of pq."""
    return (p[0] + q[0]) * 0.5, (p[1] + q[1]) * 0.5


def through(p: Point, q: Point) -> Line:
    """Return the line through two points."""
    x, y = q[0] - p[0], q[1] - p[1]
    length = root(x * x + y * y)
    return p[0], p[1], x / length, y / length


def parallel(p: Point, line: Line) -> Line:
    """Return the parallel to a line through a point."""
    return p[0], p[1], line[2], line[3]


def perpendicular(p: Point, line: Line) -> Line:
    """Return the perpendicular to a line through a point."""
    return p[0], p[1], -line[3], line[2]


def bisector(p: Point, q: Point) -> Line:
    """Return the perpendicular bisector of pq."""
    return perpendicular(midpoint(p, q), through(p, q))


def foot(p: Point, line: Line) -> Point:
    """Return the foot of the perpendicular from a point to a line."""
    along = (p[0] - line[0]) * line[2] + (p[1] - line[1]) * line[3]
    return line[0] + along * line[2], line[1] + along * line[3]


def mirrored(p: Any, centre: Any) -> Point:
    """Reflect a point, or the center of a circle, in a point."""
    return centre[0] * 2.0 - p[0], centre[1] * 2.0 - p[1]


def reflected(p: Any, line: Line) -> Point:
    """Reflect a point, or the center of a circle, in a line."""
    return mirrored(p, foot(p, line))


def reflected_line(line: Line, axis: Line) -> Line:
    """Reflect a line in a line."""
    x, y = reflected(line, axis)
    along = (line[2] * axis[2] + line[3] * axis[3]) * 2.0
    return x, y, along * axis[2] - line[2], along * axis[3] - line[3]


def inverse(p: Point, circle: Circle) -> Point:
    """Invert a point in a circle."""
    x, y = p[0] - circle[0], p[1] - circle[1]
    scale = circle[2] * circle[2] / (x * x + y * y)
    return circle[0] + scale * x, circle[1] + scale * y


def polar(p: Point, circle: Circle) -> Line:
    """Return the polar of a point: through its inverse, perpendicular to its ray."""
    return perpendicular(inverse(p, circle), through(circle[:2], p))


def meet(one: Line, two: Line) -> Point:
    """Return the intersection of two lines."""
    sine = one[2] * two[3] - one[3] * two[2]
    x, y = two[0] - one[0], two[1] - one[1]
    along = (x * two[3] - y * two[2]) / sine
    return one[0] + along * one[2], one[1] + along * one[3]


def line_circle(line: Line, circle: Circle, sign: int) -> Point:
    """Return the intersection ahead of (sign 1) or behind (-1) the foot of the center."""
    x, y = foot(circle[:2], line)
    away_x, away_y = x - circle[0], y - circle[1]
    half = root(circle[2] * circle[2] - (away_x * away_x + away_y * away_y)) * sign
    return x + half * line[2], y + half * line[3]


def circle_circle(one: Circle, two: Circle, sign: int) -> Point:
    """Return the intersection to the left (sign 1) or right (-1) of the ray of the centers."""
    x, y = two[0] - one[0], two[1] - one[1]
    square = x * x + y * y
    along = (one[2] * one[2] - two[2] * two[2] + square) / (square * 2.0)
    aside = root(one[2] * one[2] / square - along * along) * sign
    return one[0] + along * x - aside * y, one[1] + along * y + aside * x


def touching(p: Point, circle: Circle, sign: int) -> Line:
    """Return a tangent through a point outside, from its point of tangency."""
    x, y = p[0] - circle[0], p[1] - circle[1]
    square = x * x + y * y
    along = circle[2] * circle[2] / square
    aside = circle[2] * root(square - circle[2] * circle[2]) / square * sign
    contact = circle[0] + along * x - aside * y, circle[1] + along * y + aside * x
    return through(contact, p)


def angle_bisector(p: Point, vertex: Point, q: Point) -> Line:
    """Return the internal bisector of the angle at a vertex."""
    one, two = through(vertex, p), through(vertex, q)
    return through(vertex, (vertex[0] + one[2] + two[2], vertex[1] + one[3] + two[3]))


def acute_bisector(one: Line, two: Line, sign: int) -> Line:
    """Return a bisector of two lines; `sign` is that of the scalar product of their directions."""
    x, y = meet(one, two)
    return through((x, y), (x + one[2] + two[2] * sign, y + one[3] + two[3] * sign))


def double_area(p: Point, q: Point, r: Point) -> Any:
    """Return twice the signed area of a triangle, positive if it is counterclockwise."""
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])


def centroid(t: Triangle) -> Point:
    """Return the mean of the vertices."""
    return (t[0][0] + t[1][0] + t[2][0]) / 3.0, (t[0][1] + t[1][1] + t[2][1]) / 3.0


def circumcircle(t: Triangle) -> Circle:
    """Return the circle through the vertices."""
    x, y = meet(bisector(t[0], t[1]), bisector(t[0], t[2]))
    return x, y, distance((x, y), t[0])


def orthocenter(t: Triangle) -> Point:
    """Return the intersection of two altitudes."""
    one = perpendicular(t[0], through(t[1], t[2]))
    return meet(one, perpendicular(t[1], through(t[0], t[2])))


def incircle(t: Triangle) -> Circle:
    """Return the circle that touches the sides from inside."""
    x, y = meet(angle_bisector(t[1], t[0], t[2]), angle_bisector(t[0], t[1], t[2]))
    return x, y, distance((x, y), foot((x, y), through(t[0], t[1])))


def angle(p: Point, vertex: Point, q: Point) -> Any:
    """Return the angle at a vertex in degrees, from 0 to 180."""
    x, y = p[0] - vertex[0], p[1] - vertex[1]
    u, v = q[0] - vertex[0], q[1] - vertex[1]
    cross, dot = abs(x * v - y * u), x * u + y * v
    if isinstance(dot, arb):
        return arb.atan2(cross, dot) * 180 / arb.pi()
    return math.degrees(math.atan2(cross, dot))


class Given(NamedTuple):
    """Input of a formula.

    Attributes:
        v: Values of the arguments.
        n: Integers of the command.
        s: Choice among several results.
        real: Constructor of numbers: `float` or `arb`.
    """

    v: Sequence[Any]
    n: Sequence[int]
    s: int
    real: Callable[[float], Any]


Formula: TypeAlias = Callable[[Given], tuple[Any, ...]]
"""Values of a command's results."""


def _plain(function: Callable[..., Any]) -> Formula:
    return lambda g: (function(*g.v),)


def _signed(function: Callable[..., Any], take: int) -> Formula:
    """Return the formula of one result, from the first `take` arguments and the sign."""
    return lambda g: (function(*g.v[:take], g.s),)


def cosine_sine(top: int, bottom: int, real: Callable[[float], Any]) -> tuple[Any, Any]:
    """Return cosine and sine of top/bottom degrees."""
    if real is arb:
        part = fmpq(top, 180 * bottom)
        return arb.cos_pi_fmpq(part), arb.sin_pi_fmpq(part)
    radians = top / bottom * math.pi / 180
    return math.cos(radians), math.sin(radians)


def _turned(p: Point, centre: Point, turn: tuple[Any, Any]) -> Point:
    (c, s), x, y = turn, p[0] - centre[0], p[1] - centre[1]
    return centre[0] + c * x - s * y, centre[1] + s * x + c * y


def _line(segment: Any) -> Line:
    return through(*segment)


N_SPOTS = 6


def _on_circle(g: Given) -> tuple[Any, ...]:
    """Return one of the `N_SPOTS` points on a circle that free choices try."""
    x, y, r = g.v[0]
    if g.s < 3:
        return (((x + r, y), (x, y + r), (x - r, y))[g.s],)
    a, b = ((3.0, 4.0), (-3.0, 4.0), (-4.0, -3.0))[g.s - 3]
    return ((x + r * a / 5.0, y + r * b / 5.0),)


def _chord(g: Given) -> tuple[Any, ...]:
    x, y, r = g.v[0]
    cosine = 1.0 - g.n[0] * g.n[0] / (r * r * 2.0)
    return (x + r, y), (x + r * cosine, y + r * root(1.0 - cosine * cosine))


def _along(line: Line, p: Point, length: Any, sign: int) -> tuple[Any, ...]:
    return (line_circle(line, (*p, length), sign),)


def _touching(g: Given, side: int) -> tuple[Any, ...]:
    """Return a circle that touches one from outside (1) or inside (-1), at a point or the right."""
    (x, y, r), radius = g.v[0], g.real(g.n[0])
    reach = r + radius * side
    if len(g.v) == 1:
        centre = (x + reach, y)
    else:
        scale = reach / r
        centre = (x + scale * (g.v[1][0] - x), y + scale * (g.v[1][1] - y))
    return centre, (*centre, radius)


def _touching_both(g: Given) -> tuple[Any, ...]:
    (x, y, r), (u, w, t) = g.v[0], g.v[1]
    centre = circle_circle((x, y, r + g.n[0]), (u, w, t + g.n[0]), g.s)
    return centre, (*centre, g.real(g.n[0]))


def _polygon(g: Given, first: Point, radius: Any) -> tuple[Any, ...]:
    sides, centre = g.n[0], g.v[0]
    turns = [cosine_sine(360 * j, sides, g.real) for j in range(1, sides)]
    vertices = (first, *(_turned(first, centre, turn) for turn in turns))
    return *vertices, (centre, radius, vertices)


def _polygon_right(g: Given) -> tuple[Any, ...]:
    (x, y), radius = g.v[0], g.v[1] if len(g.v) > 1 else g.real(g.n[1])
    return _polygon(g, (x + radius, y), radius)


def _polygon_at(g: Given) -> tuple[Any, ...]:
    (x, y, u, w), radius = through(g.v[0], g.v[1]), g.real(g.n[1])
    return _polygon(g, (x + u * radius, y + w * radius), radius)


def _equilateral(g: Given) -> tuple[Any, ...]:
    side, zero = g.real(g.n[0]), g.real(0)
    points = (zero, zero), (side, zero), (side * 0.5, side * (root(g.real(3)) * 0.5))
    return *points, points


def _point_aside(g: Given) -> tuple[Any, ...]:
    (_, _, u, v), (x, y) = g.v
    return ((x + u * g.n[0], y + v * g.n[0]),)


# Choices that a command leaves open (a motion of the whole figure, or one that does not change the
# answer) are the simplest possible; this is the frame of the solutions. The order of the commands
# is part of the canonical form: append new ones.
_FORMULAS: Mapping[str, Formula] = {
    "point": lambda g: ((g.real(g.s), g.real(2 * g.s)),),
    "point_apart": lambda g: ((g.v[0][0] + g.n[0], g.v[0][1]),),
    "point_away": lambda g: ((g.v[0][0] + g.v[1], g.v[0][1]),),
    "point_along": lambda g: _along(g.v[0], g.v[1], g.real(g.n[0]), g.s),
    "point_along_m": lambda g: _along(g.v[0], g.v[1], g.v[3], g.s),
    "point_on_l": lambda g: (foot((g.real(0), g.real(0)), *g.v),),
    "point_on_s": lambda g: (centroid((g.v[0][0], g.v[0][0], g.v[0][1])),),
    "line_pp": _plain(through),
    "segment_pp": _plain(lambda p, q: (p, q)),
    "vector_pp": _plain(lambda p, q: (q[0] - p[0], q[1] - p[1])),
    "parallel_pl": _plain(parallel),
    "parallel_ps": _plain(lambda p, s: parallel(p, _line(s))),
    "perpendicular_pl": _plain(perpendicular),
    "perpendicular_ps": _plain(lambda p, s: perpendicular(p, _line(s))),
    "bisector_pp": _plain(bisector),
    "bisector_s": _plain(lambda s: bisector(*s)),
    "midpoint_pp": _plain(midpoint),
    "midpoint_s": _plain(lambda s: midpoint(*s)),
    "mirror_pp": _plain(mirrored),
    "mirror_pl": _plain(reflected),
    "mirror_ps": _plain(lambda p, s: reflected(p, _line(s))),
    "mirror_pc": _plain(inverse),
    "mirror_lp": _plain(lambda m, p: (*mirrored(m, p), m[2], m[3])),
    "mirror_ll": _plain(reflected_line),
    "mirror_cp": _plain(lambda c, p: (*mirrored(c, p), c[2])),
    "mirror_cl": _plain(lambda c, m: (*reflected(c, m), c[2])),
    "meet_ll": _plain(meet),
    "meet_ls": _plain(lambda m, s: meet(m, _line(s))),
    "meet_ss": _plain(lambda s, t: meet(_line(s), _line(t))),
    "translate": _plain(lambda p, v: (p[0] + v[0], p[1] + v[1])),
    "rotate": lambda g: (_turned(g.v[0], g.v[1], cosine_sine(g.n[0], 1, g.real)),),
    "angle_bisector": _plain(angle_bisector),
    "bisector_ll": _signed(acute_bisector, 2),
    "bisector_ss": lambda g: (acute_bisector(_line(g.v[0]), _line(g.v[1]), g.s),),
    "distance": _plain(distance),
    "circle_pr": lambda g: ((*g.v[0], g.real(g.n[0])),),
    "circle_pm": _plain(lambda p, m: (*p, m)),
    "circle_pp": _plain(lambda p, q: (*p, distance(p, q))),
    "circle_ppp": _plain(lambda *t: circumcircle(t)),
    "center": _plain(lambda c: c[:2]),
    "chord": _chord,
    "meet_lc": _signed(line_circle, 2),
    "meet_lc_other": _plain(lambda m, c, p: mirrored(p, foot(c, m))),
    "meet_cs": lambda g: (line_circle(_line(g.v[1]), g.v[0], g.s),),
    "meet_arc": lambda g: (line_circle(g.v[3], g.v[0], g.s),),
    "meet_cc": _signed(circle_circle, 2),
    "meet_cc_other": _plain(lambda c, d, p: reflected(p, through(c[:2], d[:2]))),
    "point_on_c": _on_circle,
    "point_aside": _point_aside,
    "polar": _plain(polar),
    "radius": _plain(lambda c: c[2]),
    "tangent_at": _plain(lambda p, c: perpendicular(p, through(c[:2], p))),
    "tangent_from": _signed(touching, 2),
    "touch_out": lambda g: _touching(g, 1),
    "touch_in": lambda g: _touching(g, -1),
    "touch_out_at": lambda g: _touching(g, 1),
    "touch_in_at": lambda g: _touching(g, -1),
    "touch_out_cc": _touching_both,
    "triangle": _plain(lambda *t: t),
    "equilateral": _equilateral,
    "centroid": _plain(centroid),
    "circumcenter": _plain(lambda t: circumcircle(t)[:2]),
    "orthocenter": _plain(orthocenter),
    "incenter": _plain(lambda t: incircle(t)[:2]),
    "circumcircle_t": _plain(circumcircle),
    "incircle": _plain(incircle),
    "circumradius": _plain(lambda t: circumcircle(t)[2]),
    "inradius": _plain(lambda t: incircle(t)[2]),
    "polygon": _polygon_right,
    "polygon_at": _polygon_at,
    "polygon_m": _polygon_right,
    "circumcircle_g": _plain(lambda g: (*g[0], g[1])),
}
_SAME: Mapping[str, str] = {
    **dict.fromkeys(("line_pp", "segment_pp", "bisector_pp", "midpoint_pp", "distance"), "aa"),
    **dict.fromkeys(("meet_ll", "meet_ss", "bisector_ll", "bisector_ss"), "aa"),
    **dict.fromkeys(("circle_ppp", "triangle"), "aaa"),
    **dict.fromkeys(("meet_cc", "meet_cc_other", "touch_out_cc"), "aab"),
    "angle_bisector": "aba",
}
_RINGS = ("equilateral", "polygon", "polygon_m")
_FAMILIES = ("basic", "circle", "triangle", "polygon")


@dataclass(frozen=True, slots=True)
class Command:
    """One command.

    Attributes:
        takes: Kinds of the arguments.
        makes: Kinds of the results; `*` means the vertices of a polygon.
        numbers: Number of its integers; if `sided`, the last is 0 for "nearer", 1 for "farther".
        sided: Whether it names one of two results by its distance from the third argument.
        family: Command set that it belongs to.
        formula: Formula of the results.
        same: Letter for each argument; arguments of equal letters may be exchanged.
        ring: Whether the points that it makes may be renamed in turn.
    """

    takes: str
    makes: str
    numbers: int
    sided: bool
    family: str
    formula: Formula
    same: str
    ring: bool

    def kinds_made(self, numbers: Sequence[int]) -> str:
        """Return the kinds of the results, one letter each."""
        return self.makes.replace("*", "P" * numbers[0] if "*" in self.makes else "")


def _command(name: str, family: str) -> Command:
    said = WORDS[family][name]
    takes, sentence = said.get("takes", ""), said["sentences"][0]
    return Command(
        takes,
        said["makes"],
        len(re.findall(r"\{(?:n|m|side)\}", sentence)),
        "{side}" in sentence,
        family,
        _FORMULAS[name],
        _SAME.get(name, "abcd"[: len(takes)]),
        name in _RINGS,
    )


COMMANDS: Mapping[str, Command] = {
    name: _command(name, family)
    for name in _FORMULAS
    for family in _FAMILIES
    if name in WORDS[family]
}
"""All commands by name."""
