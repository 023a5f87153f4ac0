"""Constructions in Cartesian equations with fifty digits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from synthgen.verifiers.omega.geometry import _construct_digits as plane
from synthgen.verifiers.omega.geometry._construct_digits import UnclearError, context, need
from synthgen.verifiers.omega.geometry._construct_read import Construction

Values: TypeAlias = "Sequence[Any]"
Work: TypeAlias = "Callable[[Values, Sequence[int], _Free], tuple[Any, ...]]"
_TIE = 7
"""An answer is so many decimals away from a tie."""


class _Free:
    """What commands leave open, chosen for one run."""

    def __init__(self, run: int) -> None:
        self._next = 7 * run + 3

    def part(self) -> Any:
        """Return a number between 0 and 1."""
        self._next = self._next * 48271 % 2147483647
        return context().mpf(self._next) / 2147483647

    def point(self) -> Any:
        return self.part() * 8 - 3, self.part() * 8 - 5

    def turn(self) -> Any:
        angle = self.part() * 6
        return context().cos(angle), context().sin(angle)


def _one(function: Callable[..., Any]) -> Work:
    return lambda v, *_: (function(*v),)


def _line(segment: Any) -> Any:
    return plane.joined(*segment)


def _moved(p: Any, way: Any, length: Any) -> Any:
    return p[0] + way[0] * length, p[1] + way[1] * length


def _part(ends: Any, part: Any) -> Any:
    p, q = ends
    return _moved(p, (q[0] - p[0], q[1] - p[1]), part)


def _rotated(p: Any, centre: Any, degrees: Any) -> Any:
    angle = context().radians(degrees)
    c, s = context().cos(angle), context().sin(angle)
    x, y = p[0] - centre[0], p[1] - centre[1]
    return centre[0] + c * x - s * y, centre[1] + s * x + c * y


def _between(p: Any, *segments: Any) -> Any:
    need(*(plane.inside(p, segment) for segment in segments))
    return p


def _meet_cs(circle: Any, segment: Any) -> Any:
    found = [p for p in plane.secant(_line(segment), circle) if plane.inside(p, segment)]
    need(len(found) == 1)
    return found[0]


def _meet_arc(circle: Any, p: Any, q: Any, line: Any) -> Any:
    """A point is on the arc if it makes a clockwise triangle with the ends of the arc."""
    plane.on(p, circle), plane.on(q, circle)
    sides = [
        (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
        for r in plane.secant(line, circle)
    ]
    need(sides[0] * sides[1] < 0)
    return plane.secant(line, circle)[int(sides[1] < 0)]


def _chord(v: Values, n: Sequence[int], free: _Free) -> tuple[Any, ...]:
    (x, y, square), centre = v[0], v[1]
    need(plane.zero(plane.square((x, y), centre)))
    start = _moved(centre, free.turn(), plane.root(square))
    ends = plane.crossings((x, y, square), (*start, n[0] ** 2))
    ahead = [(start[0] - x) * (end[1] - y) - (start[1] - y) * (end[0] - x) for end in ends]
    return start, ends[int(ahead[1] > 0)]


def _touch(way: int) -> Work:
    def work(v: Values, n: Sequence[int], free: _Free) -> tuple[Any, ...]:
        r = plane.root(v[0][2])
        need(r + way * n[0] > 0)
        if len(v) == 1:
            hub = _moved(v[0], free.turn(), r + way * n[0])
        else:
            p = plane.on(v[1], v[0])
            hub = _moved(v[0], (p[0] - v[0][0], p[1] - v[0][1]), 1 + way * n[0] / r)
        return hub, (*hub, context().mpf(n[0]) ** 2)

    return work


def _touch_both(v: Values, n: Sequence[int], _: _Free) -> tuple[Any, ...]:
    wider = [(c[0], c[1], (plane.root(c[2]) + n[0]) ** 2) for c in v[:2]]
    hub = plane.sided(plane.crossings(*wider), v[2], n[1])
    return hub, (*hub, context().mpf(n[0]) ** 2)


def _tangent_from(v: Values, n: Sequence[int], _: _Free) -> tuple[Any, ...]:
    contact = plane.sided(plane.tangents(v[0], v[1]), v[2], n[0])
    return (plane.polar(contact, v[1]),)


def _polygon(centre: Any, first: Any, sides: int) -> tuple[Any, ...]:
    turn = context().mpf(360) / sides
    vertices = tuple(_rotated(first, centre, turn * j) for j in range(sides))
    return *vertices, (centre, vertices)


def _polygon_at(v: Values, n: Sequence[int], _: _Free) -> tuple[Any, ...]:
    scale = n[1] / plane.root(plane.square(v[0], v[1]))
    way = v[1][0] - v[0][0], v[1][1] - v[0][1]
    return _polygon(v[0], _moved(v[0], way, scale), n[0])


def _equilateral(_: Values, n: Sequence[int], free: _Free) -> tuple[Any, ...]:
    start = free.point()
    end = _moved(start, free.turn(), n[0])
    points = start, end, _rotated(end, start, 60)
    return *points, points


def _along(line: Any, p: Any, q: Any, length: Any, farther: int) -> Any:
    return plane.sided(plane.secant(line, (*p, context().mpf(length) ** 2)), q, farther)


def _on_circle(v: Values, _: Sequence[int], free: _Free) -> tuple[Any, ...]:
    return (_moved(v[0], free.turn(), plane.root(v[0][2])),)


def _aside(v: Values, n: Sequence[int], free: _Free) -> tuple[Any, ...]:
    ends = plane.secant(v[0], (*v[1], context().mpf(n[0]) ** 2))
    return (ends[int(free.part() * 2)],)


def _mirrored_line(line: Any, axis: Any) -> Any:
    return plane.joined(*(plane.imaged(p, axis) for p in plane.two_of(line)))


def _length(p: Any, q: Any) -> Any:
    return plane.root(plane.square(p, q))


_WORK: Mapping[str, Work] = {
    "point": lambda _v, _n, free: (free.point(),),
    "point_apart": lambda v, n, free: (_moved(v[0], free.turn(), n[0]),),
    "point_away": lambda v, _n, free: (_moved(v[0], free.turn(), v[1]),),
    "point_along": lambda v, n, _: (_along(v[0], v[1], v[2], n[0], n[1]),),
    "point_along_m": lambda v, n, _: (_along(v[0], v[1], v[2], v[3], n[0]),),
    "point_on_l": lambda v, _n, free: (_part(plane.two_of(v[0]), free.part()),),
    "point_on_s": lambda v, _n, free: (_part(v[0], free.part()),),
    "line_pp": _one(plane.joined),
    "segment_pp": _one(lambda p, q: (p, q)),
    "vector_pp": _one(lambda p, q: (q[0] - p[0], q[1] - p[1])),
    "parallel_pl": _one(plane.parallel),
    "parallel_ps": _one(lambda p, s: plane.parallel(p, _line(s))),
    "perpendicular_pl": _one(plane.upright),
    "perpendicular_ps": _one(lambda p, s: plane.upright(p, _line(s))),
    "bisector_pp": _one(plane.equal),
    "bisector_s": _one(lambda s: plane.equal(*s)),
    "midpoint_pp": _one(lambda p, q: ((p[0] + q[0]) / 2, (p[1] + q[1]) / 2)),
    "midpoint_s": _one(lambda s: ((s[0][0] + s[1][0]) / 2, (s[0][1] + s[1][1]) / 2)),
    "mirror_pp": _one(plane.turned_half),
    "mirror_pl": _one(plane.imaged),
    "mirror_ps": _one(lambda p, s: plane.imaged(p, _line(s))),
    "mirror_pc": _one(plane.inverse),
    "mirror_lp": _one(lambda m, p: (m[0], m[1], 2 * (m[0] * p[0] + m[1] * p[1]) - m[2])),
    "mirror_ll": _one(_mirrored_line),
    "mirror_cp": _one(lambda c, p: (*plane.turned_half(c, p), c[2])),
    "mirror_cl": _one(lambda c, m: (*plane.imaged(c, m), c[2])),
    "meet_ll": _one(plane.met),
    "meet_ls": _one(lambda m, s: _between(plane.met(m, _line(s)), s)),
    "meet_ss": _one(lambda s, t: _between(plane.met(_line(s), _line(t)), s, t)),
    "translate": _one(lambda p, v: (p[0] + v[0], p[1] + v[1])),
    "rotate": lambda v, n, _: (_rotated(v[0], v[1], n[0]),),
    "angle_bisector": _one(plane.halved),
    "bisector_ll": _one(plane.acute),
    "bisector_ss": _one(lambda s, t: plane.acute(_line(s), _line(t))),
    "distance": _one(_length),
    "circle_pr": lambda v, n, _: ((*v[0], context().mpf(n[0]) ** 2),),
    "circle_pm": _one(lambda p, m: (*p, m**2)),
    "circle_pp": _one(lambda p, q: (*p, plane.square(p, q))),
    "circle_ppp": _one(lambda *t: plane.around(t)),
    "center": _one(lambda c: c[:2]),
    "chord": _chord,
    "meet_lc": lambda v, n, _: (plane.sided(plane.secant(v[0], v[1]), v[2], n[0]),),
    "meet_lc_other": _one(lambda m, c, p: plane.other(plane.secant(m, c), p)),
    "meet_cs": _one(_meet_cs),
    "meet_arc": _one(_meet_arc),
    "meet_cc": lambda v, n, _: (plane.sided(plane.crossings(v[0], v[1]), v[2], n[0]),),
    "meet_cc_other": _one(lambda c, d, p: plane.other(plane.crossings(c, d), p)),
    "point_on_c": _on_circle,
    "point_aside": _aside,
    "polar": _one(plane.polar),
    "radius": _one(lambda c: plane.root(c[2])),
    "tangent_at": _one(lambda p, c: plane.polar(plane.on(p, c), c)),
    "tangent_from": _tangent_from,
    "touch_out": _touch(1),
    "touch_in": _touch(-1),
    "touch_out_at": _touch(1),
    "touch_in_at": _touch(-1),
    "touch_out_cc": _touch_both,
    "triangle": _one(lambda *t: t),
    "equilateral": _equilateral,
    "centroid": _one(lambda t: tuple(sum(p[k] for p in t) / 3 for k in (0, 1))),
    "circumcenter": _one(lambda t: plane.around(t)[:2]),
    "orthocenter": _one(plane.altitudes),
    "incenter": _one(lambda t: plane.within(t)[:2]),
    "circumcircle_t": _one(plane.around),
    "incircle": _one(plane.within),
    "circumradius": _one(lambda t: plane.root(plane.around(t)[2])),
    "inradius": _one(lambda t: plane.root(plane.within(t)[2])),
    "polygon": lambda v, n, free: _polygon(v[0], _moved(v[0], free.turn(), n[1]), n[0]),
    "polygon_at": _polygon_at,
    "polygon_m": lambda v, n, free: _polygon(v[0], _moved(v[0], free.turn(), v[1]), n[0]),
    "circumcircle_g": _one(lambda g: (*g[0], plane.square(g[0], g[1][0]))),
}


def _angle(p: Any, vertex: Any, q: Any) -> Any:
    """The law of cosines."""
    a, b, c = plane.square(p, vertex), plane.square(q, vertex), plane.square(p, q)
    return context().degrees(context().acos((a + b - c) / (2 * plane.root(a) * plane.root(b))))


def _area(points: Any) -> Any:
    """The shoelace formula."""
    turned = (*points[1:], points[0])
    pairs = zip(points, turned, strict=True)
    return abs(sum(p[0] * q[1] - p[1] * q[0] for p, q in pairs)) / 2


_MEASURES: Mapping[str, Callable[..., Any]] = {
    "distance": _length,
    "length": lambda s: _length(*s),
    "angle": _angle,
    "ratio": lambda one, two: one / two,
    "triangle_area": _area,
    "circumradius": lambda t: plane.root(plane.around(t)[2]),
    "inradius": lambda t: 2 * _area(t) / (_length(*t[:2]) + _length(*t[1:]) + _length(*t[::2])),
    "radius": lambda c: plane.root(c[2]),
    "polygon_area": lambda g: _area(g[1]),
}


def _run(problem: Construction, free: _Free) -> Any:
    values: list[Any] = []
    for step in problem.steps:
        values += _WORK[step.name]([values[one] for one in step.args], step.numbers, free)
    return _MEASURES[problem.asked](*(values[one] for one in problem.about))


def exact(problem: Construction) -> str | None:
    """Work a construction out in two runs, which must agree."""
    try:
        one, two = (_run(problem, _Free(number)) for number in (1, 2))
        if not plane.zero(one - two):
            return None
        hundredths = int(context().nint(one * 100))
        gap = abs(one * 100 - hundredths)
    except (UnclearError, ArithmeticError, ValueError):
        return None
    if gap > context().mpf(1) / 2 - context().mpf(10) ** (2 - _TIE):
        return None
    return f"{hundredths // 100}.{hundredths % 100:02d}"
