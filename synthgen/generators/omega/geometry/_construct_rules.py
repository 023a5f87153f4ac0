"""The commands of constructions: what they take, what they make, and how it is computed.

Kinds of objects: P point, L line, S segment, V vector, C circle, T triangle, G regular polygon,
M length. Where a command leaves a choice that changes the figure by a motion at most, or that the
question does not depend on, its formula makes the choice of the solutions' frame.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import cos, pi, sin, sqrt
from typing import Any, NamedTuple, TypeAlias

from synthgen.generators.omega.geometry import _construct_plane as plane
from synthgen.generators.omega.geometry._construct_ball import root

Lift: TypeAlias = "Callable[[float, float], Any]"
"""Makes a real of a float and a bound of its error."""


class Given(NamedTuple):
    """What a formula is given.

    Attributes:
        v: values of the arguments.
        n: the command's integers.
        s: which of several choices.
        lift: makes a real of a constant.
    """

    v: Sequence[Any]
    n: Sequence[int]
    s: int
    lift: Lift


Formula: TypeAlias = "Callable[[Given], tuple[Any, ...]]"
"""Values of a command's results."""
_ULP = 5e-15
"""Bounds the error of a cosine or sine of a computed angle of at most a full turn."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One command.

    Attributes:
        takes: kinds of the arguments.
        makes: kinds of the results; `*` stands for the vertices of a polygon, as many points as
            the command's first number says.
        formula: values of the results.
        numbers: how many integers the command has; the last may be 0 for "nearer", 1 for "farther".
        same: a letter for each argument; those of equal letters may be exchanged.
        ring: points among the first results that may be renamed in turn, all of them or none.
        family: whose own command it is.
    """

    takes: str
    makes: str
    formula: Formula
    numbers: int = 0
    same: str = ""
    ring: bool = False
    family: str = "basic"

    def kinds_made(self, numbers: Sequence[int]) -> str:
        """Return the kinds of the results, one letter each."""
        return self.makes.replace("*", "P" * numbers[0] if "*" in self.makes else "")


def _plain(function: Callable[..., Any]) -> Formula:
    return lambda g: (function(*g.v),)


def _signed(function: Callable[..., Any], take: int) -> Formula:
    """One result of the first `take` arguments and the sign."""
    return lambda g: (function(*g.v[:take], g.s),)


def _turned(p: Any, centre: Any, degrees: float, lift: Lift) -> Any:
    angle = degrees * pi / 180
    c, s = lift(cos(angle), _ULP), lift(sin(angle), _ULP)
    x, y = p[0] - centre[0], p[1] - centre[1]
    return centre[0] + c * x - s * y, centre[1] + s * x + c * y


def _line(segment: Any) -> Any:
    return plane.through(*segment)


def _on_circle(g: Given) -> tuple[Any, ...]:
    x, y, r = g.v[0]
    return (((x + r, y), (x, y + r), (x - r, y))[g.s],)


def _chord(g: Given) -> tuple[Any, ...]:
    x, y, r = g.v[0]
    cosine = 1.0 - g.n[0] * g.n[0] / (r * r * 2.0)
    return (x + r, y), (x + r * cosine, y + r * root(1.0 - cosine * cosine))


def _along(v: Sequence[Any], length: Any, s: int) -> tuple[Any, ...]:
    line, (x, y) = v[0], v[1]
    return (plane.line_circle(line, (x, y, length), s),)


def _touching(v: Sequence[Any], radius: Any, way: int) -> tuple[Any, ...]:
    """A circle that touches one from outside (way 1) or inside (-1), at a point or to the right."""
    x, y, r = v[0]
    reach = r + radius * way
    if len(v) == 1:
        centre = (x + reach, y)
    else:
        scale = reach / r
        centre = (x + scale * (v[1][0] - x), y + scale * (v[1][1] - y))
    return centre, (*centre, radius)


def _touching_both(g: Given) -> tuple[Any, ...]:
    (x, y, r), (u, w, t) = g.v[0], g.v[1]
    centre = plane.circle_circle((x, y, r + g.n[0]), (u, w, t + g.n[0]), g.s)
    return centre, (*centre, g.lift(g.n[0], 0.0))


def _polygon(centre: Any, first: Any, radius: Any, sides: int, lift: Lift) -> tuple[Any, ...]:
    turned = [_turned(first, centre, 360 * j / sides, lift) for j in range(1, sides)]
    vertices = (first, *turned)
    return *vertices, (centre, radius, vertices)


def _polygon_right(g: Given) -> tuple[Any, ...]:
    (x, y), radius = g.v[0], g.v[1] if len(g.v) > 1 else g.lift(g.n[1], 0.0)
    return _polygon((x, y), (x + radius, y), radius, g.n[0], g.lift)


def _polygon_at(g: Given) -> tuple[Any, ...]:
    x, y, u, w = plane.through(g.v[0], g.v[1])
    radius = g.lift(g.n[1], 0.0)
    return _polygon((x, y), (x + u * radius, y + w * radius), radius, g.n[0], g.lift)


def _equilateral(g: Given) -> tuple[Any, ...]:
    side, zero = g.lift(g.n[0], 0.0), g.lift(0.0, 0.0)
    points = (zero, zero), (side, zero), (side * 0.5, side * g.lift(sqrt(3) / 2, _ULP))
    return *points, points


_BASIC = {
    "point": Rule("", "P", lambda g: ((g.lift(g.s, 0.0), g.lift(2 * g.s, 0.0)),)),
    "point_apart": Rule("P", "P", lambda g: ((g.v[0][0] + g.n[0], g.v[0][1]),), 1),
    "point_away": Rule("PM", "P", lambda g: ((g.v[0][0] + g.v[1], g.v[0][1]),)),
    "point_along": Rule("LPP", "P", lambda g: _along(g.v, g.lift(g.n[0], 0.0), g.s), 2),
    "point_along_m": Rule("LPPM", "P", lambda g: _along(g.v, g.v[3], g.s), 1),
    "point_on_l": Rule("L", "P", lambda g: (plane.foot((g.lift(0, 0), g.lift(0, 0)), *g.v),)),
    "point_on_s": Rule("S", "P", lambda g: (plane.centroid((g.v[0][0], g.v[0][0], g.v[0][1])),)),
    "line_pp": Rule("PP", "L", _plain(plane.through), same="aa"),
    "segment_pp": Rule("PP", "S", _plain(lambda p, q: (p, q)), same="aa"),
    "vector_pp": Rule("PP", "V", _plain(lambda p, q: (q[0] - p[0], q[1] - p[1]))),
    "parallel_pl": Rule("PL", "L", _plain(plane.parallel)),
    "parallel_ps": Rule("PS", "L", _plain(lambda p, s: plane.parallel(p, _line(s)))),
    "perpendicular_pl": Rule("PL", "L", _plain(plane.perpendicular)),
    "perpendicular_ps": Rule("PS", "L", _plain(lambda p, s: plane.perpendicular(p, _line(s)))),
    "bisector_pp": Rule("PP", "L", _plain(plane.bisector), same="aa"),
    "bisector_s": Rule("S", "L", _plain(lambda s: plane.bisector(*s))),
    "midpoint_pp": Rule("PP", "P", _plain(plane.midpoint), same="aa"),
    "midpoint_s": Rule("S", "P", _plain(lambda s: plane.midpoint(*s))),
    "mirror_pp": Rule("PP", "P", _plain(plane.mirrored)),
    "mirror_pl": Rule("PL", "P", _plain(plane.reflected)),
    "mirror_ps": Rule("PS", "P", _plain(lambda p, s: plane.reflected(p, _line(s)))),
    "mirror_pc": Rule("PC", "P", _plain(plane.inverse)),
    "mirror_lp": Rule(
        "LP", "L", _plain(lambda m, p: (*plane.mirrored((m[0], m[1]), p), m[2], m[3]))
    ),
    "mirror_ll": Rule("LL", "L", _plain(plane.reflected_line)),
    "mirror_cp": Rule("CP", "C", _plain(lambda c, p: (*plane.mirrored((c[0], c[1]), p), c[2]))),
    "mirror_cl": Rule("CL", "C", _plain(lambda c, m: (*plane.reflected((c[0], c[1]), m), c[2]))),
    "meet_ll": Rule("LL", "P", _plain(plane.meet), same="aa"),
    "meet_ls": Rule("LS", "P", _plain(lambda m, s: plane.meet(m, _line(s)))),
    "meet_ss": Rule("SS", "P", _plain(lambda s, t: plane.meet(_line(s), _line(t))), same="aa"),
    "translate": Rule("PV", "P", _plain(lambda p, v: (p[0] + v[0], p[1] + v[1]))),
    "rotate": Rule("PP", "P", lambda g: (_turned(g.v[0], g.v[1], g.n[0], g.lift),), 1),
    "angle_bisector": Rule("PPP", "L", _plain(plane.angle_bisector), same="aba"),
    "bisector_ll": Rule("LL", "L", _signed(plane.acute_bisector, 2), same="aa"),
    "bisector_ss": Rule(
        "SS",
        "L",
        lambda g: (plane.acute_bisector(_line(g.v[0]), _line(g.v[1]), g.s),),
        same="aa",
    ),
    "distance": Rule("PP", "M", _plain(plane.distance), same="aa"),
}
_CIRCLE = {
    "circle_pr": Rule("P", "C", lambda g: ((*g.v[0], g.lift(g.n[0], 0.0)),), 1),
    "circle_pm": Rule("PM", "C", _plain(lambda p, m: (*p, m))),
    "circle_pp": Rule("PP", "C", _plain(lambda p, q: (*p, plane.distance(p, q)))),
    "circle_ppp": Rule("PPP", "C", _plain(lambda *t: plane.circumcircle(t)), same="aaa"),
    "center": Rule("C", "P", _plain(lambda c: (c[0], c[1]))),
    "chord": Rule("CP", "PP", _chord, 1),
    "meet_lc": Rule("LCP", "P", _signed(plane.line_circle, 2), 1),
    "meet_lc_other": Rule(
        "LCP", "P", _plain(lambda m, c, p: plane.mirrored(p, plane.foot((c[0], c[1]), m)))
    ),
    "meet_cs": Rule("CS", "P", lambda g: (plane.line_circle(_line(g.v[1]), g.v[0], g.s),)),
    "meet_arc": Rule("CPPL", "P", lambda g: (plane.line_circle(g.v[3], g.v[0], g.s),)),
    "meet_cc": Rule("CCP", "P", _signed(plane.circle_circle, 2), 1, same="aab"),
    "meet_cc_other": Rule(
        "CCP",
        "P",
        _plain(lambda c, d, p: plane.reflected(p, plane.through(c[:2], d[:2]))),
        same="aab",
    ),
    "point_on_c": Rule("C", "P", _on_circle),
    "point_aside": Rule(
        "LP", "P", lambda g: ((g.v[1][0] + g.v[0][2] * g.n[0], g.v[1][1] + g.v[0][3] * g.n[0]),), 1
    ),
    "polar": Rule("PC", "L", _plain(plane.polar)),
    "radius": Rule("C", "M", _plain(lambda c: c[2])),
    "tangent_at": Rule(
        "PC", "L", _plain(lambda p, c: plane.perpendicular(p, plane.through(c[:2], p)))
    ),
    "tangent_from": Rule("PCP", "L", _signed(plane.touching, 2), 1),
    "touch_out": Rule("C", "PC", lambda g: _touching(g.v, g.lift(g.n[0], 0.0), 1), 1),
    "touch_in": Rule("C", "PC", lambda g: _touching(g.v, g.lift(g.n[0], 0.0), -1), 1),
    "touch_out_at": Rule("CP", "PC", lambda g: _touching(g.v, g.lift(g.n[0], 0.0), 1), 1),
    "touch_in_at": Rule("CP", "PC", lambda g: _touching(g.v, g.lift(g.n[0], 0.0), -1), 1),
    "touch_out_cc": Rule("CCP", "PC", _touching_both, 2, same="aab"),
}
_TRIANGLE = {
    "triangle": Rule("PPP", "T", _plain(lambda *t: t), same="aaa"),
    "equilateral": Rule("", "PPPT", _equilateral, 1, ring=True),
    "centroid": Rule("T", "P", _plain(plane.centroid)),
    "circumcenter": Rule("T", "P", _plain(lambda t: plane.circumcircle(t)[:2])),
    "orthocenter": Rule("T", "P", _plain(plane.orthocenter)),
    "incenter": Rule("T", "P", _plain(lambda t: plane.incircle(t)[:2])),
    "circumcircle_t": Rule("T", "C", _plain(plane.circumcircle)),
    "incircle": Rule("T", "C", _plain(plane.incircle)),
    "circumradius": Rule("T", "M", _plain(lambda t: plane.circumcircle(t)[2])),
    "inradius": Rule("T", "M", _plain(lambda t: plane.incircle(t)[2])),
}
_POLYGON = {
    "polygon": Rule("P", "*G", _polygon_right, 2, ring=True),
    "polygon_at": Rule("PP", "*G", _polygon_at, 2),
    "polygon_m": Rule("PM", "*G", _polygon_right, 1, ring=True),
    "circumcircle_g": Rule("G", "C", _plain(lambda g: (*g[0], g[1]))),
}


def _owned(rules: Mapping[str, Rule], family: str) -> dict[str, Rule]:
    return {name: replace(rule, family=family) for name, rule in rules.items()}


RULES: Mapping[str, Rule] = {
    **_BASIC,
    **_owned(_CIRCLE, "circle"),
    **_owned(_TRIANGLE, "triangle"),
    **_owned(_POLYGON, "polygon"),
}
"""All commands by name."""
