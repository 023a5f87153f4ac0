"""Constructions worked out in complex numbers, at several places and with several choices."""

from __future__ import annotations

import cmath
from collections.abc import Callable, Mapping, Sequence
from math import degrees, pi, radians, sin
from typing import Any, TypeAlias

from synthgen.verifiers.omega.geometry import _construct_values as plane
from synthgen.verifiers.omega.geometry._construct_read import Construction
from synthgen.verifiers.omega.geometry._construct_values import Free, IllPosedError, need

Values: TypeAlias = "Sequence[Any]"
Work: TypeAlias = "Callable[[Values, Sequence[int], Free], tuple[Any, ...]]"
"""Values of the arguments, integers and free choices to the values of the results."""
_RUNS = 3
_SURE = 2e-7
"""Runs may differ by this much, and an answer is so far from a tie."""
_HUGE = 1e5


def _one(function: Callable[..., Any]) -> Work:
    return lambda v, *_: (function(*v),)


def _line(segment: Any) -> Any:
    return plane.through(*segment)


def _bisector(p: complex, q: complex) -> Any:
    return (p + q) / 2, plane.through(p, q)[1] * 1j


def _inverse(p: complex, circle: Any) -> complex:
    centre, r = circle
    need(abs(p - centre) > 1e-3)
    return complex(centre + r**2 / (p - centre).conjugate())


def _circumcircle(a: complex, b: complex, c: complex) -> Any:
    area = plane.cross(b - a, c - a)
    need(abs(area) > 1e-3)
    b, c = b - a, c - a
    centre = (abs(b) ** 2 * c - abs(c) ** 2 * b) / (b.conjugate() * c - b * c.conjugate())
    return a + centre, abs(centre)


def _incircle(a: complex, b: complex, c: complex) -> Any:
    weights = abs(b - c), abs(c - a), abs(a - b)
    area = abs(plane.cross(b - a, c - a))
    need(area > 1e-3)
    centre = (weights[0] * a + weights[1] * b + weights[2] * c) / sum(weights)
    return centre, area / sum(weights)


def _orthocentre(a: complex, b: complex, c: complex) -> complex:
    return complex(a + b + c - 2 * _circumcircle(a, b, c)[0])


def _angle_bisector(p: complex, vertex: complex, q: complex) -> Any:
    u, v = plane.through(vertex, p)[1], plane.through(vertex, q)[1]
    need(abs(plane.cross(u, v)) > 1e-3)
    return vertex, (u + v) / abs(u + v)


def _meet_ss(s: Any, t: Any) -> complex:
    return plane.between(plane.between(plane.meet(_line(s), _line(t)), s), t)


def _meet_cs(circle: Any, segment: Any) -> complex:
    start, end = segment
    length = abs(end - start)
    found = []
    for point in plane.cuts(_line(segment), circle):
        part = ((point - start) / (end - start)).real
        need(min(abs(part), abs(1 - part)) * length > 1e-3)
        found += [point] if 0 < part < 1 else []
    need(len(found) == 1)
    return found[0]


def _chord(v: Values, n: Sequence[int], free: Free) -> tuple[Any, ...]:
    centre, r = v[0]
    need(abs(centre - v[1]) < 1e-6, n[0] < 1.999 * r)
    start = free.turn() * r
    turn = 2 * cmath.phase(complex((r**2 - n[0] ** 2 / 4) ** 0.5, n[0] / 2))
    return centre + start, centre + start * cmath.rect(1.0, turn)


def _touch(way: int) -> Work:
    def work(v: Values, n: Sequence[int], free: Free) -> tuple[Any, ...]:
        centre, r = v[0]
        need(way == 1 or r - n[0] > 1e-3)
        ahead = (plane.on(v[1], v[0]) - centre) / r if len(v) > 1 else free.turn()
        hub = centre + ahead * (r + way * n[0])
        return hub, (hub, float(n[0]))

    return work


def _touch_both(v: Values, n: Sequence[int], _: Free) -> tuple[Any, ...]:
    (p, r), (q, s) = v[0], v[1]
    found = plane.crossings((p, r + n[0]), (q, s + n[0]))
    hub = plane.sided(found, v[2], n[1])
    return hub, (hub, float(n[0]))


def _tangent_from(v: Values, n: Sequence[int], _: Free) -> tuple[Any, ...]:
    return (plane.through(plane.sided(plane.contacts(v[0], v[1]), v[2], n[0]), v[0]),)


def _polygon(centre: complex, first: complex, sides: int) -> tuple[Any, ...]:
    vertices = tuple(centre + first * cmath.rect(1.0, 2 * pi * j / sides) for j in range(sides))
    return *vertices, (centre, abs(first), vertices)


def _equilateral(_: Values, n: Sequence[int], free: Free) -> tuple[Any, ...]:
    start, side = free.point(), n[0] * free.turn()
    points = start, start + side, start + side * cmath.rect(1.0, pi / 3)
    return *points, points


def _along(line: Any, p: complex, q: complex, length: float, farther: int) -> complex:
    return plane.sided(plane.cuts(line, (p, length)), q, farther)


_WORK: Mapping[str, Work] = {
    "point": lambda _v, _n, free: (free.point(),),
    "point_apart": lambda v, n, free: (v[0] + n[0] * free.turn(),),
    "point_away": lambda v, _n, free: (v[0] + v[1] * free.turn(),),
    "point_along": lambda v, n, _: (_along(v[0], v[1], v[2], n[0], n[1]),),
    "point_along_m": lambda v, n, _: (_along(v[0], v[1], v[2], v[3], n[0]),),
    "point_on_l": lambda v, _n, free: (free.on_line(v[0]),),
    "point_on_s": lambda v, _n, free: (v[0][0] + (v[0][1] - v[0][0]) * free.part(),),
    "line_pp": _one(plane.through),
    "segment_pp": _one(lambda p, q: (p, q)),
    "vector_pp": _one(lambda p, q: q - p),
    "parallel_pl": _one(lambda p, m: (p, m[1])),
    "parallel_ps": _one(lambda p, s: (p, _line(s)[1])),
    "perpendicular_pl": _one(lambda p, m: (p, m[1] * 1j)),
    "perpendicular_ps": _one(lambda p, s: (p, _line(s)[1] * 1j)),
    "bisector_pp": _one(_bisector),
    "bisector_s": _one(lambda s: _bisector(*s)),
    "midpoint_pp": _one(lambda p, q: (p + q) / 2),
    "midpoint_s": _one(lambda s: (s[0] + s[1]) / 2),
    "mirror_pp": _one(lambda p, q: 2 * q - p),
    "mirror_pl": _one(plane.mirror),
    "mirror_ps": _one(lambda p, s: plane.mirror(p, _line(s))),
    "mirror_pc": _one(_inverse),
    "mirror_lp": _one(lambda m, p: (2 * p - m[0], m[1])),
    "mirror_ll": _one(lambda m, a: (plane.mirror(m[0], a), a[1] ** 2 * m[1].conjugate())),
    "mirror_cp": _one(lambda c, p: (2 * p - c[0], c[1])),
    "mirror_cl": _one(lambda c, m: (plane.mirror(c[0], m), c[1])),
    "meet_ll": _one(plane.meet),
    "meet_ls": _one(lambda m, s: plane.between(plane.meet(m, _line(s)), s)),
    "meet_ss": _one(_meet_ss),
    "translate": _one(lambda p, v: p + v),
    "rotate": lambda v, n, _: (v[1] + (v[0] - v[1]) * cmath.rect(1.0, radians(n[0])),),
    "angle_bisector": _one(_angle_bisector),
    "bisector_ll": _one(plane.acute),
    "bisector_ss": _one(lambda s, t: plane.acute(_line(s), _line(t))),
    "distance": _one(lambda p, q: abs(p - q)),
    "circle_pr": lambda v, n, _: ((v[0], float(n[0])),),
    "circle_pm": _one(lambda p, m: (p, m)),
    "circle_pp": _one(lambda p, q: (p, abs(p - q))),
    "circle_ppp": _one(_circumcircle),
    "center": _one(lambda c: c[0]),
    "chord": _chord,
    "meet_lc": lambda v, n, _: (plane.sided(plane.cuts(v[0], v[1]), v[2], n[0]),),
    "meet_lc_other": _one(lambda m, c, p: plane.other(plane.cuts(m, c), p)),
    "meet_cs": _one(_meet_cs),
    "meet_arc": _one(lambda c, p, q, m: plane.arc(plane.cuts(m, c), c, p, q)),
    "meet_cc": lambda v, n, _: (plane.sided(plane.crossings(v[0], v[1]), v[2], n[0]),),
    "meet_cc_other": _one(lambda c, d, p: plane.other(plane.crossings(c, d), p)),
    "point_on_c": lambda v, _n, free: (v[0][0] + v[0][1] * free.quarter(v[0]),),
    "point_aside": lambda v, n, free: (v[1] + v[0][1] * n[0] * free.side(),),
    "polar": _one(lambda p, c: (_inverse(p, c), (p - c[0]) / abs(p - c[0]) * 1j)),
    "radius": _one(lambda c: c[1]),
    "tangent_at": _one(lambda p, c: (plane.on(p, c), (p - c[0]) / c[1] * 1j)),
    "tangent_from": _tangent_from,
    "touch_out": _touch(1),
    "touch_in": _touch(-1),
    "touch_out_at": _touch(1),
    "touch_in_at": _touch(-1),
    "touch_out_cc": _touch_both,
    "triangle": _one(lambda *t: t),
    "equilateral": _equilateral,
    "centroid": _one(lambda t: sum(t) / 3),
    "circumcenter": _one(lambda t: _circumcircle(*t)[0]),
    "orthocenter": _one(lambda t: _orthocentre(*t)),
    "incenter": _one(lambda t: _incircle(*t)[0]),
    "circumcircle_t": _one(lambda t: _circumcircle(*t)),
    "incircle": _one(lambda t: _incircle(*t)),
    "circumradius": _one(lambda t: _circumcircle(*t)[1]),
    "inradius": _one(lambda t: _incircle(*t)[1]),
    "polygon": lambda v, n, free: _polygon(v[0], n[1] * free.turn(), n[0]),
    "polygon_at": lambda v, n, _: _polygon(v[0], n[1] * plane.through(v[0], v[1])[1], n[0]),
    "polygon_m": lambda v, n, free: _polygon(v[0], v[1] * free.turn(), n[0]),
    "circumcircle_g": _one(lambda g: (g[0], g[1])),
}
_MEASURES: Mapping[str, Callable[..., float]] = {
    "distance": lambda p, q: abs(p - q),
    "length": lambda s: abs(s[0] - s[1]),
    "angle": lambda p, v, q: degrees(abs(cmath.phase((p - v) / (q - v)))),
    "ratio": lambda one, two: one / two,
    "triangle_area": lambda t: abs(plane.cross(t[1] - t[0], t[2] - t[0])) / 2,
    "circumradius": lambda t: _circumcircle(*t)[1],
    "inradius": lambda t: _incircle(*t)[1],
    "radius": lambda c: c[1],
    "polygon_area": lambda g: len(g[2]) * g[1] ** 2 * sin(2 * pi / len(g[2])) / 2,
}


def run(problem: Construction, free: Free) -> list[Any]:
    """Return the value of each object, and last that of the question.

    Raises:
        IllPosedError: if a command has no clear result.
        ArithmeticError, ValueError: from numbers out of all bounds.
    """
    values: list[Any] = []
    for free.at, step in enumerate(problem.steps):
        made = _WORK[step.name]([values[one] for one in step.args], step.numbers, free)
        need(*(abs(one) < _HUGE for one in made if not isinstance(one, tuple)))
        values += made
    values.append(_MEASURES[problem.asked](*(values[one] for one in problem.about)))
    need(1e-3 < values[-1] < _HUGE)
    return values


def solve(problem: Construction) -> str | None:
    """Work a construction out in several runs, which must agree on the answer."""
    try:
        found = [run(problem, Free(number))[-1] for number in range(_RUNS)]
    except (IllPosedError, ArithmeticError, ValueError):
        return None
    if max(found) - min(found) > _SURE:
        return None
    hundredths = round(found[0] * 100)
    if abs(found[0] * 100 - hundredths) > 0.5 - 200 * _SURE:
        return None
    return f"{hundredths // 100}.{hundredths % 100:02d}"
