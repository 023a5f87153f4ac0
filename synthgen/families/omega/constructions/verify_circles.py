"""Circles in equations, from the text: roots counted by SymPy, and centers in the plane."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import isqrt
from typing import Any, TypeAlias

from sympy import Poly, Rational, Symbol

from synthgen.authoring import PlainVerifier, Words, exactly, holes, reads

_WORDS = Words.beside(__file__)
_SHIFT = r"(?:{0}\^2|\({0} [+-] [1-9][0-9]?\)\^2)"
_CIRCLE = f"{_SHIFT.format('x')} [+] {_SHIFT.format('y')} = [1-9][0-9]{{0,3}}"
_TERM = r"(?:(?:[1-9][0-9]{0,3}\*)?x(?:\^[2-4])?|[1-9][0-9]{0,3})"
_SUM = re.compile(rf"-?{_TERM}(?: [+-] {_TERM})*", re.ASCII)
_PARTS = re.compile(r"(-?)(?:([0-9]+)\*)?(?:(x)(?:\^([0-9]))?|([0-9]+))", re.ASCII)
_BARS = re.compile(r"\|([^|]{1,80})\|", re.ASCII)
_X = Symbol("x")

Values: TypeAlias = "tuple[int, ...]"
Intersection: TypeAlias = "tuple[Values, Values | None, Values]"
"""Circle (a, b, square of the radius); polynomial between bars, if any; polynomial in that."""


def _read_circle(text: str) -> Values:
    left, right, square = re.split(r" \+ (?=\(?y)| = ", text)
    return _centre(left), _centre(right), int(square)


def _centre(text: str) -> int:
    """Return a for (x - a)^2, and 0 for x^2."""
    match = re.search(r"([+-]) ([0-9]+)\)", text)
    return -int(match[1] + match[2]) if match else 0


def _read_sum(text: str) -> Values | None:
    """Return the coefficients of a polynomial that is not constant, lowest first."""
    if _SUM.fullmatch(text) is None:
        return None
    coefficients: dict[int, int] = {}
    for term in text.replace(" - ", " + -").split(" + "):
        sign, factor, letter, power, number = _PARTS.findall(term)[0]
        exponent = int(power or 1) if letter else 0
        if exponent in coefficients:
            return None
        coefficients[exponent] = int(f"{sign}{factor or number or 1}")
    highest = max(coefficients)
    return tuple(coefficients.get(power, 0) for power in range(highest + 1)) if highest else None


@reads(
    Words({"prompts": {"instruction": _WORDS["comp_circles_algebra"]["points"]}}),
    circle=holes.pattern(_CIRCLE, _read_circle),
    graph=holes.pattern(r"y = [^=.?]{1,200}"),
)
def _read_intersection(circle: Values, graph: str) -> Intersection | None:
    text = graph.removeprefix("y = ")
    bars = set(_BARS.findall(text))
    outer = _read_sum(_BARS.sub("x", text))
    if len(bars) > 1 or outer is None or (bars and "x" in _BARS.sub("", text)):
        return None
    inner = _read_sum(bars.pop()) if bars else None
    if inner is None and "|" in text:
        return None
    if inner is not None and min(len(inner), len(outer)) > 2:
        return None
    return circle, inner, outer


def _branches(inner: Values | None) -> Iterator[tuple[Any, Any, Any]]:
    """Yield the expression between bars, signed as with bars, between its rational zeros.

    Raises:
        ValueError: if it has other zeros.
    """
    if inner is None:
        yield Poly(_X), None, None
        return
    polynomial = Poly(list(inner[::-1]), _X)
    factors = [factor for factor, _ in polynomial.factor_list()[1]]
    if any(factor.degree() > 1 for factor in factors):
        raise ValueError
    zeros = sorted(Rational(-factor.eval(0), factor.LC()) for factor in factors)
    for low, high in pairwise([None, *zeros, None]):
        if low is None or high is None:
            sample = zeros[0] - 1 if low is None else zeros[-1] + 1
        else:
            sample = (low + high) / 2
        yield polynomial * (1 if polynomial.eval(sample) > 0 else -1), low, high


def _points(problem: Intersection) -> str | None:
    """Count abscissas on every branch, and subtract the corners counted twice."""
    (a, b, square), inner, outer = problem
    count = 0
    try:
        for branch, low, high in _branches(inner):
            graph = Poly(list(outer[::-1]), _X).compose(branch)
            equation = Poly(_X - a) ** 2 + (graph - b) ** 2 - square
            count += equation.count_roots(low, high)
            count -= low is not None and equation.eval(low) == 0
    except ValueError:
        return None
    return str(count)


def _points_follow(problem: Intersection, answer: str, lines: Sequence[str]) -> bool:
    """Isolate the roots on every branch again, and compare."""
    (a, b, square), inner, outer = problem
    graph, x = Poly(list(outer[::-1]), _X), Poly(_X)

    def equation(branch: Poly) -> Poly:
        return (x - a) ** 2 + (graph.compose(branch) - b) ** 2 - square

    def start(branch: Poly) -> str:
        return f"{[int(c) for c in equation(branch).all_coeffs()]}; "

    if len(lines) != (2 if inner is None else 4) or lines[-1] != f"points: {answer}":
        return False
    if inner is None:
        return _lists(lines[0], f"coefficients: {start(x)}", _isolated(equation(x)))
    polynomial = Poly(list(inner[::-1]), _X)
    roots: dict[str, list[Any]] = {">": [], "<": [], "=": []}
    for branch, low, high in _branches(inner):
        roots[">" if branch == polynomial else "<"] += _isolated(equation(branch), low, high)
        if low is not None and equation(branch).eval(low) == 0:
            roots["="].append((low, low))
    starts = {">": start(polynomial), "<": start(-polynomial), "=": ""}
    return all(
        _lists(line, f"inside the bars {sign} 0: {starts[sign]}", roots[sign])
        for sign, line in zip(roots, lines, strict=False)
    )


def _isolated(polynomial: Poly, low: Any = None, high: Any = None) -> list[tuple[Any, Any]]:
    """Return narrow intervals around the real roots strictly between two bounds."""
    own = polynomial.sqf_part()
    for bound in (low, high):
        if bound is not None and own.eval(bound) == 0:
            own = own.quo(Poly([bound.q, -bound.p], _X))
    return (
        own.intervals(eps=Rational(1, 10**7), inf=low, sup=high, sqf=True) if own.degree() else []
    )


def _lists(line: str, start: str, roots: Sequence[tuple[Any, Any]]) -> bool:
    """Return whether a line lists some roots, rounded to three decimals, in order."""
    if not line.startswith(f"{start}x = "):
        return False
    texts = line.removeprefix(f"{start}x = ").split(", ")
    if not roots:
        return texts == ["none"]
    bounds = [[(1000 * end + Rational(1, 2)).floor() for end in ends] for ends in sorted(roots)]
    return len(texts) == len(bounds) and all(
        text in {f"{'-' if v < 0 else ''}{abs(v) // 1000}.{int(abs(v)) % 1000:03d}" for v in ends}
        for text, ends in zip(texts, bounds, strict=True)
    )


CIRCLES_ALGEBRA = PlainVerifier(_read_intersection, _points, follows=_points_follow)

_RADIUS = holes.pattern(
    r"(?:1|1/(?:[2-9]|[1-9][0-9]{1,3}))", lambda text: int(text.removeprefix("1/"))
)
_LONGEST = 12

Contact: TypeAlias = "tuple[str, tuple[int, ...], int]"
"""Kind, curvatures (a chain leaves the third one), number of new circles."""
Circle: TypeAlias = "tuple[Fraction, Fraction, Fraction]"
"""Coordinates of the center, and radius."""


@reads(
    _WORDS.part("trans_circles"),
    radii=holes.listed(_RADIUS, last=" and "),
    first=_RADIUS,
    second=_RADIUS,
    third=_RADIUS,
    nth=holes.ORDINAL,
)
def _read_contact(kind: str, nth: int = 1, **given: Any) -> Contact | None:
    pair = [given[name] for name in ("first", "second") if name in given]
    radii = tuple(sorted(given.get("radii") or (*pair, given["third"])))
    if len(radii) != (2 if kind == "line" else 3):
        return None
    if kind != "chain":
        return kind, radii, 1
    rest = list(radii)
    for value in pair:
        if value not in rest:
            return None
        rest.remove(value)
    return (kind, (*sorted(pair), *rest), nth) if 2 <= nth <= _LONGEST else None


def _root(value: Fraction) -> Fraction | None:
    """Return the square root of a number, if it is rational."""
    if value < 0:
        return None
    top, bottom = isqrt(value.numerator), isqrt(value.denominator)
    exact = top * top == value.numerator and bottom * bottom == value.denominator
    return Fraction(top, bottom) if exact else None


def _placed(p: Fraction, q: Fraction, r: Fraction) -> list[Circle] | None:
    """Place three circles in the plane so that they touch each other, the first two on an axis."""
    base, left, right = p + q, p + r, q + r
    x = (base * base + left * left - right * right) / (2 * base)
    y = _root(left * left - x * x)
    zero = Fraction(0)
    return None if y is None else [(zero, zero, p), (base, zero, q), (x, y, r)]


def _touching(circles: Sequence[Circle], side: int) -> list[Circle]:
    """Return the circles that touch three others, from outside (1) or around them (-1).

    Differences of the equations (x - x_i)^2 + (y - y_i)^2 = (r + side * r_i)^2 are linear in x, y
    and r; with x and y in terms of r, one of them is quadratic in r.
    """
    (x1, y1, r1), *others = circles
    rows = []
    for x2, y2, r2 in others:
        right = x2**2 - x1**2 + y2**2 - y1**2 - r2**2 + r1**2
        rows.append((2 * (x2 - x1), 2 * (y2 - y1), -2 * side * (r1 - r2), right))
    (a, b, e, f), (c, d, g, h) = rows
    determinant = a * d - b * c
    if determinant == 0:
        return []
    # a x + b y = f - e r and c x + d y = h - g r
    px, qx = (f * d - b * h) / determinant, (-e * d + b * g) / determinant
    py, qy = (a * h - c * f) / determinant, (-a * g + c * e) / determinant
    dx, dy = px - x1, py - y1
    square = qx * qx + qy * qy - 1
    linear = 2 * (dx * qx + dy * qy - side * r1)
    constant = dx * dx + dy * dy - r1 * r1
    return [(px + qx * r, py + qy * r, r) for r in _quadratic(square, linear, constant) if r > 0]


def _quadratic(a: Fraction, b: Fraction, c: Fraction) -> list[Fraction]:
    if a == 0:
        return [-c / b] if b else []
    root = _root(b * b - 4 * a * c)
    return [] if root is None else [(-b + root) / (2 * a), (-b - root) / (2 * a)]


def _curvature(problem: Contact) -> str | None:
    """Place the circles in the plane, and compute each new one from the equations of touching."""
    kind, given, n = problem
    radii = [Fraction(1, value) for value in given]
    radius = _on_a_line(*radii) if kind == "line" else _in_the_plane(kind, radii, n)
    if radius is None or radius.numerator != 1:
        return None
    return str(radius.denominator)


def _in_the_plane(kind: str, radii: Sequence[Fraction], n: int) -> Fraction | None:
    circles = _placed(*radii)
    if circles is None:
        return None
    if kind == "outer":
        around = [circle[2] for circle in _touching(circles, -1) if circle[2] > max(radii)]
        return around[0] if around else None
    first, second, last = circles
    before = last
    for _ in range(n):
        touching = [one for one in _touching([first, second, last], 1) if one != before]
        if not touching:
            return None
        before, last = last, min(touching, key=lambda circle: circle[2])
    return last[2]


def _on_a_line(p: Fraction, q: Fraction) -> Fraction | None:
    """Feet of touching circles on a line are 2 sqrt(p q) apart; two such distances make a third."""
    distance = _root(p * q)
    # sqrt(r) (sqrt(p) + sqrt(q)) = sqrt(p q), squared
    return None if distance is None else p * q / (p + q + 2 * distance)


def _lines(problem: Contact) -> Iterator[str | None]:
    """Write Descartes' formula and, for a chain, the sums of its two roots."""
    kind, given, n = problem
    a, b, c = (0, *given) if kind == "line" else given
    inside = a * b + b * c + c * a
    root = isqrt(inside)
    is_square = root * root == inside
    yield f"{a} * {b} + {b} * {c} + {c} * {a} = {inside} = {root}^2" if is_square else None
    if kind == "outer":
        yield f"2 * {root} - {a + b + c} = {2 * root - a - b - c}"
        return
    before, last = c, a + b + c + 2 * root
    yield f"{a + b + c} + 2 * {root} = {last}"
    for _ in range(n - 1):
        curvature = 2 * (a + b + last) - before
        yield f"2 * ({a} + {b} + {last}) - {before} = {curvature}"
        before, last = last, curvature


TOUCHING_CIRCLES = PlainVerifier(_read_contact, _curvature, follows=exactly(_lines))
