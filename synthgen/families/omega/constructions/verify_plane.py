"""The plane in Cartesian equations, with fifty digits.

A line is (a, b, c) with a x + b y = c, a circle its center and the square of its radius, a segment
and a triangle their points, a vector its coordinates, a regular polygon its center and vertices.
What a command leaves open is chosen anew in every run, so that an answer that depends on it
differs from run to run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Context, Decimal, DivisionByZero, InvalidOperation, Overflow, localcontext
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from mpmath import MPContext

_CONTEXT = Context(prec=50, traps=[InvalidOperation, DivisionByZero, Overflow])
_MP = MPContext()
_MP.dps = 60
_ZERO = Decimal("1e-30")
"""Tolerance for runs to agree, and for points to be on the curves that they must be on."""
_CLEAR = Decimal("1e-3")
"""Least difference of distances of which one is called the smaller, and the like."""
_TIE = Decimal("1e-7")
"""Least distance of an answer from a value halfway between two hundredths."""
_MAX = 100_000


class IllPosedError(ArithmeticError):
    """A command has no clear result."""


def need(*conditions: bool) -> None:
    """Raise IllPosedError unless all conditions hold."""
    if not all(conditions):
        raise IllPosedError


class Command(NamedTuple):
    """A command: its name, arguments and results as numbers of objects, and its integers."""

    name: str
    args: tuple[int, ...]
    made: tuple[int, ...]
    numbers: tuple[int, ...]


class Construction(NamedTuple):
    """A problem: commands, the kind and arguments of the question, names and kinds of objects."""

    steps: tuple[Command, ...]
    asked: str
    about: tuple[int, ...]
    names: tuple[str, ...]
    kinds: str


class Free:
    """The choices that commands leave open, for one run.

    Attributes:
        at: Number of the current command.
    """

    at = 0

    def __init__(self, run: int) -> None:
        self._run = run
        self._calls = 0

    def part(self) -> Decimal:
        """Return a number between 0 and 1: steps of the golden ratio, shifted by the run."""
        self._calls += 1
        millionths = (self._calls * 618_033 + self._run * 236_067) % 1_000_000
        return Decimal(millionths * 98 + 1_000_000) / 100_000_000

    def turn(self) -> Any:
        """Return a direction, from the tangent of half its angle."""
        t = self.part() * 4 - 2
        return (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)

    def point(self) -> Any:
        """Return a point of the plane."""
        return self.part() * 9 - 4, self.part() * 9 - 5

    def on_line(self, line: Any) -> Any:
        """Return a point on a line."""
        foot, other = _two_of(line)
        return _between(foot, other, self.part() * 4 - 2)

    def on_circle(self, circle: Any) -> Any:
        """Return a point on a circle."""
        return _moved(circle, self.turn(), circle[2].sqrt())

    def one_of(self, places: Sequence[Any]) -> Any:
        """Return one of two places."""
        return places[self.part() > Decimal("0.5")]


class Frame(Free):
    """The choices of a solution: out of a few places, the one nearest to the claimed one.

    Args:
        claimed: Claimed place of the first point of each command; anything for other commands.
    """

    def __init__(self, claimed: Sequence[Any]) -> None:
        super().__init__(0)
        self._claimed = claimed

    def part(self) -> Decimal:
        """Return a third."""
        return 1 / Decimal(3)

    def turn(self) -> Any:
        """Return the direction of the first axis."""
        return Decimal(1), Decimal(0)

    def point(self) -> Any:
        """Return the origin or (1, 2)."""
        return self.one_of([(Decimal(0), Decimal(0)), (Decimal(1), Decimal(2))])

    def on_line(self, line: Any) -> Any:
        """Return the point nearest to the origin."""
        return _two_of(line)[0]

    def on_circle(self, circle: Any) -> Any:
        """Return one of six places, whose distances from the axes are fifths of the radius."""
        (x, y), r = circle[:2], circle[2].sqrt()
        fifths = ((5, 0), (0, 5), (-5, 0), (3, 4), (-3, 4), (-4, -3))
        return self.one_of([(x + r * a / 5, y + r * b / 5) for a, b in fifths])

    def one_of(self, places: Sequence[Any]) -> Any:
        """Return the place nearest to the claimed one."""
        return min(places, key=lambda place: square(place, self._claimed[self.at]))


def square(p: Any, q: Any) -> Any:
    """Return the square of a distance."""
    return (p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2


def length(p: Any, q: Any) -> Any:
    """Return a distance."""
    return square(p, q).sqrt()


def _cross(p: Any, q: Any, r: Any) -> Any:
    """Return twice the signed area of a triangle."""
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])


def _moved(p: Any, direction: Any, by: Any) -> Any:
    return p[0] + direction[0] * by, p[1] + direction[1] * by


def _between(p: Any, q: Any, part: Any) -> Any:
    """Return the point at a part of the way from p to q."""
    return _moved(p, (q[0] - p[0], q[1] - p[1]), part)


@lru_cache(4_096)
def _cosine_sine(top: int, bottom: int) -> tuple[Decimal, Decimal]:
    """Return cosine and sine of top/bottom degrees."""
    part = _MP.mpf(top) / (180 * bottom)
    cosine, sine = (_MP.nstr(f(part), _MP.dps) for f in (_MP.cospi, _MP.sinpi))
    return Decimal(cosine), Decimal(sine)


def _rotated(p: Any, centre: Any, top: int, bottom: int = 1) -> Any:
    c, s = _cosine_sine(top, bottom)
    x, y = p[0] - centre[0], p[1] - centre[1]
    return centre[0] + c * x - s * y, centre[1] + s * x + c * y


def _joined(p: Any, q: Any) -> Any:
    """Return the line through two points."""
    need(length(p, q) > _CLEAR)
    return _parallel(p, (p[1] - q[1], q[0] - p[0]))


def _line(segment: Any) -> Any:
    return _joined(*segment)


def _parallel(p: Any, line: Any) -> Any:
    return line[0], line[1], line[0] * p[0] + line[1] * p[1]


def _upright(p: Any, line: Any) -> Any:
    """Return the perpendicular to a line through a point."""
    return _parallel(p, (line[1], -line[0]))


def _equal(p: Any, q: Any) -> Any:
    """Return the line of all points equidistant from two points."""
    return 2 * (q[0] - p[0]), 2 * (q[1] - p[1]), q[0] ** 2 + q[1] ** 2 - p[0] ** 2 - p[1] ** 2


def _normal(line: Any) -> Any:
    """Return the equation of a line with a normal of length one."""
    norm = (line[0] ** 2 + line[1] ** 2).sqrt()
    return line[0] / norm, line[1] / norm, line[2] / norm


def _met(one: Any, two: Any) -> Any:
    """Return the intersection of two lines, by Cramer's rule."""
    bottom = one[0] * two[1] - one[1] * two[0]
    norms = (one[0] ** 2 + one[1] ** 2) * (two[0] ** 2 + two[1] ** 2)
    need(bottom**2 > _CLEAR**2 * norms)
    x, y = one[2] * two[1] - one[1] * two[2], one[0] * two[2] - one[2] * two[0]
    return x / bottom, y / bottom


def _imaged(p: Any, line: Any) -> Any:
    """Reflect a point in a line."""
    a, b, c = line
    k = 2 * (a * p[0] + b * p[1] - c) / (a * a + b * b)
    return p[0] - k * a, p[1] - k * b


def _half_turned(p: Any, centre: Any) -> Any:
    """Reflect a point in a point."""
    return 2 * centre[0] - p[0], 2 * centre[1] - p[1]


def _two_of(line: Any) -> Any:
    """Return two points of a line, first the one nearest to the origin."""
    a, b, c = line
    scale = c / (a * a + b * b)
    return (a * scale, b * scale), (a * scale - b, b * scale + a)


def _secant(line: Any, circle: Any) -> Any:
    """Return both intersections of a line and a circle."""
    (a, b, c), (x, y, square_) = line, circle
    norm = a * a + b * b
    k = (c - a * x - b * y) / norm
    power = square_ - k * k * norm
    need(power > _CLEAR * square_)
    half = (power / norm).sqrt()
    p = x + k * a, y + k * b
    return (p[0] - half * b, p[1] + half * a), (p[0] + half * b, p[1] - half * a)


def _crossings(one: Any, two: Any) -> Any:
    """Return both intersections of two circles: those of the smaller one with the radical axis."""
    (x, y, s), (u, v, t) = one, two
    axis = 2 * (u - x), 2 * (v - y), u * u + v * v - t - x * x - y * y + s
    return _secant(axis, one if s < t else two)


def _polar(p: Any, circle: Any) -> Any:
    a, b = p[0] - circle[0], p[1] - circle[1]
    need(a * a + b * b > _CLEAR**2)
    return a, b, circle[2] + a * circle[0] + b * circle[1]


def _inverse(p: Any, circle: Any) -> Any:
    need(square(p, circle) > _CLEAR**2)
    return _between(circle, p, circle[2] / square(p, circle))


def _sided(points: Any, p: Any, farther: int) -> Any:
    """Return the one of two points that is nearer to or farther from a third."""
    gaps = [length(point, p) for point in points]
    need(abs(gaps[0] - gaps[1]) > _CLEAR)
    return points[(gaps[0] < gaps[1]) == bool(farther)]


def _other(points: Any, known: Any) -> Any:
    """Return the one of two points that is not the known one, of which one must be."""
    gaps = [square(point, known) for point in points]
    need(min(gaps) < _ZERO, max(gaps) > _CLEAR**2)
    return points[gaps[0] < gaps[1]]


def _on(p: Any, circle: Any) -> Any:
    """Return a point, which must be on a circle."""
    need(abs(square(p, circle) - circle[2]) < _ZERO)
    return p


def _is_inside(p: Any, segment: Any) -> bool:
    """Return whether a point of a segment's line is between its ends."""
    (x, y), (u, v) = segment
    part = ((p[0] - x) * (u - x) + (p[1] - y) * (v - y)) / square(*segment)
    need(min(abs(part), abs(1 - part)) > _CLEAR)
    return bool(0 < part < 1)


def _inside(p: Any, *segments: Any) -> Any:
    need(*(_is_inside(p, segment) for segment in segments))
    return p


def _meet_cs(circle: Any, segment: Any) -> Any:
    crossings = [p for p in _secant(_line(segment), circle) if _is_inside(p, segment)]
    need(len(crossings) == 1)
    return crossings[0]


def _meet_arc(circle: Any, p: Any, q: Any, line: Any) -> Any:
    """Return the end on the arc: it makes a clockwise triangle with the arc's ends."""
    ends = _secant(line, circle)
    sides = [_cross(_on(p, circle), _on(q, circle), end) for end in ends]
    need(min(map(abs, sides)) > _CLEAR, sides[0] * sides[1] < 0)
    return ends[sides[1] < 0]


def _acute(one: Any, two: Any) -> Any:
    """Return the bisector of the acute angles of two lines: the sum of their equations."""
    _met(one, two)
    one, two = _normal(one), _normal(two)
    cosine = one[0] * two[0] + one[1] * two[1]
    need(abs(cosine) > _CLEAR)
    sign = 1 if cosine > 0 else -1
    return tuple(one[k] + sign * two[k] for k in range(3))


def _halved(p: Any, vertex: Any, q: Any) -> Any:
    """Return the bisector of an angle, which divides the opposite side in the others' ratio."""
    s, t = length(p, vertex), length(q, vertex)
    need(abs(_cross(vertex, p, q)) > _CLEAR * s * t)
    return _joined(vertex, _between(p, q, s / (s + t)))


def _around(p: Any, q: Any, r: Any) -> Any:
    """Return the circumcircle of a triangle."""
    centre = _met(_equal(p, q), _equal(q, r))
    return *centre, square(centre, r)


def _altitudes(p: Any, q: Any, r: Any) -> Any:
    """Return the orthocenter of a triangle."""
    return _met(_upright(p, _joined(q, r)), _upright(r, _joined(p, q)))


def _within(p: Any, q: Any, r: Any) -> Any:
    """Return the incircle of a triangle."""
    x, y = _met(_halved(p, q, r), _halved(q, r, p))
    a, b, c = _normal(_joined(p, r))
    return x, y, (a * x + b * y - c) ** 2


def _area(points: Any) -> Any:
    """Return the area of a polygon, by the shoelace formula."""
    pairs = zip(points, (*points[1:], points[0]), strict=True)
    return abs(sum(p[0] * q[1] - p[1] * q[0] for p, q in pairs)) / 2


def _angle(p: Any, vertex: Any, q: Any) -> Any:
    """Return an angle in degrees, by the law of cosines."""
    a, b, c = square(p, vertex), square(q, vertex), square(p, q)
    cosine = (a + b - c) / (2 * (a * b).sqrt())
    return Decimal(_MP.nstr(_MP.degrees(_MP.acos(_MP.mpf(str(cosine)))), _MP.dps))


Values: TypeAlias = Sequence[Any]
Work: TypeAlias = Callable[[Values, Sequence[int], Free], tuple[Any, ...]]
"""Values of the arguments, integers and free choices to the values of the results."""


def _one(function: Callable[..., Any]) -> Work:
    return lambda v, *_: (function(*v),)


def _circle(centre: Any, radius: Any) -> Any:
    return *centre, Decimal(radius) ** 2


def _chord(v: Values, n: Sequence[int], free: Free) -> tuple[Any, ...]:
    circle, centre = v
    need(square(circle, centre) < _ZERO)
    start = free.on_circle(circle)
    ends = _crossings(circle, _circle(start, n[0]))
    return start, ends[_cross(centre, start, ends[1]) > 0]


def _touch(side: int) -> Work:
    def work(v: Values, n: Sequence[int], free: Free) -> tuple[Any, ...]:
        reach = v[0][2].sqrt() + side * n[0]
        need(reach > _CLEAR)
        if len(v) == 1:
            hub = _moved(v[0], free.turn(), reach)
        else:
            hub = _between(v[0], _on(v[1], v[0]), reach / v[0][2].sqrt())
        return hub, _circle(hub, n[0])

    return work


def _touch_both(v: Values, n: Sequence[int], _: Free) -> tuple[Any, ...]:
    wider = [_circle(c[:2], c[2].sqrt() + n[0]) for c in v[:2]]
    hub = _sided(_crossings(*wider), v[2], n[1])
    return hub, _circle(hub, n[0])


def _tangent_from(v: Values, n: Sequence[int], _: Free) -> tuple[Any, ...]:
    contact = _sided(_secant(_polar(v[0], v[1]), v[1]), v[2], n[0])
    return (_polar(contact, v[1]),)


def _polygon(centre: Any, first: Any, sides: int) -> tuple[Any, ...]:
    vertices = tuple(_rotated(first, centre, 360 * j, sides) for j in range(sides))
    return *vertices, (centre, vertices)


def _polygon_at(v: Values, n: Sequence[int], _: Free) -> tuple[Any, ...]:
    need(length(*v) > _CLEAR)
    return _polygon(v[0], _between(v[0], v[1], n[1] / length(*v)), n[0])


def _equilateral(_: Values, n: Sequence[int], free: Free) -> tuple[Any, ...]:
    start = free.point()
    end = _moved(start, free.turn(), n[0])
    points = start, end, _rotated(end, start, 60)
    return *points, points


def _along(line: Any, p: Any, q: Any, gap: Any, farther: int) -> Any:
    return (_sided(_secant(line, _circle(p, gap)), q, farther),)


def _mirrored_line(line: Any, axis: Any) -> Any:
    return _joined(*(_imaged(p, axis) for p in _two_of(line)))


_WORK: Mapping[str, Work] = {
    "point": lambda _v, _n, free: (free.point(),),
    "point_apart": lambda v, n, free: (_moved(v[0], free.turn(), n[0]),),
    "point_away": lambda v, _n, free: (_moved(v[0], free.turn(), v[1]),),
    "point_along": lambda v, n, _: _along(v[0], v[1], v[2], n[0], n[1]),
    "point_along_m": lambda v, n, _: _along(v[0], v[1], v[2], v[3], n[0]),
    "point_on_l": lambda v, _n, free: (free.on_line(v[0]),),
    "point_on_s": lambda v, _n, free: (_between(v[0][0], v[0][1], free.part()),),
    "line_pp": _one(_joined),
    "segment_pp": _one(lambda p, q: (p, q)),
    "vector_pp": _one(lambda p, q: (q[0] - p[0], q[1] - p[1])),
    "parallel_pl": _one(_parallel),
    "parallel_ps": _one(lambda p, s: _parallel(p, _line(s))),
    "perpendicular_pl": _one(_upright),
    "perpendicular_ps": _one(lambda p, s: _upright(p, _line(s))),
    "bisector_pp": _one(_equal),
    "bisector_s": _one(lambda s: _equal(*s)),
    "midpoint_pp": _one(lambda p, q: ((p[0] + q[0]) / 2, (p[1] + q[1]) / 2)),
    "midpoint_s": _one(lambda s: ((s[0][0] + s[1][0]) / 2, (s[0][1] + s[1][1]) / 2)),
    "mirror_pp": _one(_half_turned),
    "mirror_pl": _one(_imaged),
    "mirror_ps": _one(lambda p, s: _imaged(p, _line(s))),
    "mirror_pc": _one(_inverse),
    "mirror_lp": _one(lambda m, p: (m[0], m[1], 2 * (m[0] * p[0] + m[1] * p[1]) - m[2])),
    "mirror_ll": _one(_mirrored_line),
    "mirror_cp": _one(lambda c, p: (*_half_turned(c, p), c[2])),
    "mirror_cl": _one(lambda c, m: (*_imaged(c, m), c[2])),
    "meet_ll": _one(_met),
    "meet_ls": _one(lambda m, s: _inside(_met(m, _line(s)), s)),
    "meet_ss": _one(lambda s, t: _inside(_met(_line(s), _line(t)), s, t)),
    "translate": _one(lambda p, v: (p[0] + v[0], p[1] + v[1])),
    "rotate": lambda v, n, _: (_rotated(v[0], v[1], n[0]),),
    "angle_bisector": _one(_halved),
    "bisector_ll": _one(_acute),
    "bisector_ss": _one(lambda s, t: _acute(_line(s), _line(t))),
    "distance": _one(length),
    "circle_pr": lambda v, n, _: (_circle(v[0], n[0]),),
    "circle_pm": _one(_circle),
    "circle_pp": _one(lambda p, q: (*p, square(p, q))),
    "circle_ppp": _one(_around),
    "center": _one(lambda c: c[:2]),
    "chord": _chord,
    "meet_lc": lambda v, n, _: (_sided(_secant(v[0], v[1]), v[2], n[0]),),
    "meet_lc_other": _one(lambda m, c, p: _other(_secant(m, c), p)),
    "meet_cs": _one(_meet_cs),
    "meet_arc": _one(_meet_arc),
    "meet_cc": lambda v, n, _: (_sided(_crossings(v[0], v[1]), v[2], n[0]),),
    "meet_cc_other": _one(lambda c, d, p: _other(_crossings(c, d), p)),
    "point_on_c": lambda v, _n, free: (free.on_circle(v[0]),),
    "point_aside": lambda v, n, free: (free.one_of(_secant(v[0], _circle(v[1], n[0]))),),
    "polar": _one(_polar),
    "radius": _one(lambda c: c[2].sqrt()),
    "tangent_at": _one(lambda p, c: _polar(_on(p, c), c)),
    "tangent_from": _tangent_from,
    "touch_out": _touch(1),
    "touch_in": _touch(-1),
    "touch_out_at": _touch(1),
    "touch_in_at": _touch(-1),
    "touch_out_cc": _touch_both,
    "triangle": _one(lambda *t: t),
    "equilateral": _equilateral,
    "centroid": _one(lambda t: tuple(sum(p[k] for p in t) / 3 for k in (0, 1))),
    "circumcenter": _one(lambda t: _around(*t)[:2]),
    "orthocenter": _one(lambda t: _altitudes(*t)),
    "incenter": _one(lambda t: _within(*t)[:2]),
    "circumcircle_t": _one(lambda t: _around(*t)),
    "incircle": _one(lambda t: _within(*t)),
    "circumradius": _one(lambda t: _around(*t)[2].sqrt()),
    "inradius": _one(lambda t: _within(*t)[2].sqrt()),
    "polygon": lambda v, n, free: _polygon(v[0], _moved(v[0], free.turn(), n[1]), n[0]),
    "polygon_at": _polygon_at,
    "polygon_m": lambda v, n, free: _polygon(v[0], _moved(v[0], free.turn(), v[1]), n[0]),
    "circumcircle_g": _one(lambda g: (*g[0], square(g[0], g[1][0]))),
}
_MEASURES: Mapping[str, Callable[..., Any]] = {
    "distance": length,
    "length": lambda s: length(*s),
    "angle": _angle,
    "ratio": lambda one, two: one / two,
    "triangle_area": _area,
    "circumradius": lambda t: _around(*t)[2].sqrt(),
    "inradius": lambda t: 2 * _area(t) / (length(*t[:2]) + length(*t[1:]) + length(*t[::2])),
    "radius": lambda c: c[2].sqrt(),
    "polygon_area": lambda g: _area(g[1]),
}


def run(problem: Construction, free: Free) -> list[Any]:
    """Return the value of each object, and last that of the question.

    Raises:
        ArithmeticError: if a command has no clear result.
    """
    values: list[Any] = []
    with localcontext(_CONTEXT):
        for free.at, step in enumerate(problem.steps):
            values += _WORK[step.name]([values[one] for one in step.args], step.numbers, free)
        values.append(_MEASURES[problem.asked](*(values[one] for one in problem.about)))
        need(_CLEAR < values[-1] < _MAX)
    return values


def solve(problem: Construction) -> str | None:
    """Solve a construction in two runs, which must agree on the answer."""
    try:
        one, two = (run(problem, Free(number))[-1] for number in (1, 2))
    except ArithmeticError:
        return None
    with localcontext(_CONTEXT):
        hundredths = (one * 100).to_integral_value()
        if abs(one - two) > _ZERO or abs(one * 100 - hundredths) > Decimal("0.5") - 100 * _TIE:
            return None
    return f"{int(hundredths) // 100}.{int(hundredths) % 100:02d}"
