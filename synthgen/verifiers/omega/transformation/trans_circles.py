"""Touching circles, from the text: centres in the plane, and the roots of Descartes' equation."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from synthgen.verifiers.omega._grouped import GroupedVerifier
from synthgen.verifiers.omega.composition._questions import Questions

_TEXTS = {
    "inner": (
        "Three circles have the radii <radii>, and each of them touches the other two from"
        " outside. A small circle in the gap between them touches all three. What is the"
        " reciprocal of its radius? Give an integer.",
        "The circles A, B and C with radii <radii> are pairwise tangent to each other, none of"
        " them lying inside another. A fourth circle lies in the region that is bounded by three"
        " arcs of A, B and C, and touches all of them. Find its curvature, that is one divided by"
        " its radius. Answer with an integer.",
        "Three coins with radii <radii> lie flat on a table such that every two of them touch. The"
        " largest coin that fits into the hole between them has the radius one divided by n. Find"
        " n, an integer.",
        "Discs of radii <radii> are placed in the plane without overlapping so that each touches"
        " both of the others. What is the curvature (the reciprocal of the radius) of the circle"
        " that is inscribed in the curved triangle between them? The answer is an integer.",
    ),
    "outer": (
        "Three circles have the radii <radii>, and each of them touches the other two from"
        " outside. A large circle contains all of them and touches all three. What is the"
        " reciprocal of its radius? Give an integer.",
        "The circles A, B and C with radii <radii> are pairwise tangent to each other, none of"
        " them lying inside another. A fourth circle goes around A, B and C, and touches each of"
        " them from outside. Find one divided by its radius. Answer with an integer.",
        "Three coins with radii <radii> lie flat on a table such that every two of them touch. A"
        " round hoop goes around them and touches all three, and its radius is one divided by n."
        " Find n, an integer.",
        "Discs of radii <radii> are placed in the plane without overlapping so that each touches"
        " both of the others. The circle around them that is tangent to all three has the radius"
        " r. What is one divided by r? The answer is an integer.",
    ),
    "line": (
        "Two circles have the radii <radii>, touch each other from outside, and both touch the"
        " same straight line. A small circle between them and the line touches both circles and"
        " the line. What is the reciprocal of its radius? Give an integer.",
        "The circles A and B with radii <radii> lie on the same side of a line, are tangent to it"
        " and to each other. A third circle lies in the region that is bounded by A, B and the"
        " line, and touches all of them. Find its curvature, that is one divided by its radius."
        " Answer with an integer.",
        "Two wheels with radii <radii> stand on level ground in one plane and touch each other."
        " The largest wheel that fits into the gap between the two and the ground, in the same"
        " plane, has the radius one divided by n. Find n, an integer.",
        "Discs of radii <radii> lie on a straight line, on the same side of it, and touch each"
        " other. What is the curvature (the reciprocal of the radius) of the circle that is"
        " inscribed in the gap between the line and the two discs? The answer is an integer.",
    ),
    "chain": (
        "Three circles have the radii <radii>, and each of them touches the other two from"
        " outside. A chain of circles begins in the gap between them: the first circle of the"
        " chain touches all three; each later circle of the chain lies in the gap between the"
        " given circles of radii <first> and <second> and the previous circle of the chain, and"
        " touches these three. What is the reciprocal of the radius of circle number <n> of the"
        " chain? Give an integer.",
        "The circles A, B and C with radii <first>, <second> and <third>, in this order, are"
        " pairwise tangent to each other, none of them lying inside another. Circle number one is"
        " inscribed in the region between A, B and C and touches all of them. Every following"
        " circle is inscribed in the region between A, B and the circle just before it, touching"
        " these three. Find one divided by the radius of circle number <n>. Answer with an"
        " integer.",
        "Three coins with radii <radii> lie flat on a table such that every two of them touch. Put"
        " the largest possible coin into the hole between them; then, again and again, the largest"
        " possible coin into the hole between the coin that was put in last and the original coins"
        " of radii <first> and <second>. The coin put in as number <n> has the radius one divided"
        " by k. Find k, an integer.",
        "Discs A, B and C of radii <first>, <second> and <third>, in this order, are placed in the"
        " plane without overlapping so that each touches both of the others. Inscribe a circle in"
        " the curved triangle between A, B and C, another one in the curved triangle between A, B"
        " and the circle just inscribed, and so on. What is the curvature (the reciprocal of the"
        " radius) of the inscribed circle number <n>? The answer is an integer.",
    ),
}
_RADIUS = r"(?:1|1/[1-9][0-9]{0,3})"
_QUESTIONS = Questions(
    _TEXTS,
    radii=rf"{_RADIUS}(?:, {_RADIUS})? and {_RADIUS}",
    first=_RADIUS,
    second=_RADIUS,
    third=_RADIUS,
)
_LONGEST = 12

Problem = tuple[str, tuple[int, ...], int]
"""Kind, curvatures (the chain's third is the one that it leaves), circles to be found."""
Circle = tuple[Fraction, Fraction, Fraction]
"""Centre and radius."""


def _read(statement: str) -> Problem | None:
    found = _QUESTIONS.read(statement)
    if found is None:
        return None
    kind, holes = found
    named = [_curvature(holes[name]) for name in ("first", "second", "third") if holes.get(name)]
    radii = holes.get("radii")
    given = sorted(map(_curvature, radii.replace(" and ", ", ").split(", "))) if radii else named
    if len(given) != (2 if kind == "line" else 3):
        return None
    if kind != "chain":
        return kind, tuple(given), 1
    if len(named) == 2:
        rest = list(given)
        for value in named:
            if value not in rest:
                return None
            rest.remove(value)
        named += rest
    length = int(holes["n"])
    fits = 2 <= length <= _LONGEST
    return (kind, (*sorted(named[:2]), named[2]), length) if fits else None


def _curvature(radius: str) -> int:
    return int(radius.removeprefix("1/"))


def _root(value: Fraction) -> Fraction | None:
    """Return the square root of a number, if it is rational."""
    if value < 0:
        return None
    top, bottom = isqrt(value.numerator), isqrt(value.denominator)
    exact = top * top == value.numerator and bottom * bottom == value.denominator
    return Fraction(top, bottom) if exact else None


def _placed(radii: list[Fraction]) -> list[Circle] | None:
    """Put three circles into the plane so that they touch each other, the first two on a line."""
    p, q, r = radii
    base, left, right = p + q, p + r, q + r
    x = (base * base + left * left - right * right) / (2 * base)
    y = _root(left * left - x * x)
    zero = Fraction(0)
    return None if y is None else [(zero, zero, p), (base, zero, q), (x, y, r)]


def _touching(circles: list[Circle], side: int) -> list[Circle]:
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


def _solve(problem: Problem) -> str | None:
    """Put the circles into the plane, and find each new one from the equations of touching."""
    kind, given, length = problem
    radii = [Fraction(1, value) for value in given]
    if kind == "line":
        return _on_a_line(*radii)
    circles = _placed(radii)
    if circles is None:
        return None
    if kind == "outer":
        around = [circle for circle in _touching(circles, -1) if circle[2] > max(radii)]
        return _curvature_of(around[0]) if around else None
    found = circles[2]
    seen = circles[2]
    for _ in range(length):
        touching = _touching([circles[0], circles[1], found], 1)
        new = [circle for circle in touching if circle != seen]
        if not new:
            return None
        seen, found = found, min(new, key=lambda circle: circle[2])
    return _curvature_of(found)


def _curvature_of(circle: Circle) -> str | None:
    value = 1 / circle[2]
    return str(value) if value.denominator == 1 else None


def _on_a_line(p: Fraction, q: Fraction) -> str | None:
    """Feet of touching circles on a line are 2 sqrt(p q) apart; two such distances make a third."""
    distance = _root(p * q)
    if distance is None:
        return None
    # sqrt(r) (sqrt(p) + sqrt(q)) = sqrt(p q), squared
    value = (p + q + 2 * distance) / (p * q)
    return str(value) if value.denominator == 1 else None


def _exact(problem: Problem) -> str | None:
    """Solve Descartes' equation for the curvature that is missing, circle after circle."""
    kind, given, length = problem
    a, b, c = (0, *given) if kind == "line" else given
    roots = _descartes(a, b, c)
    if roots is None:
        return None
    if kind == "outer":
        return str(-roots[0]) if roots[0] < 0 else None
    before, new = c, roots[1]
    for _ in range(length - 1):
        pair = _descartes(a, b, new)
        if pair is None or before not in pair:
            return None
        before, new = new, sum(pair) - before
    return str(new)


def _descartes(a: int, b: int, c: int) -> tuple[int, int] | None:
    """Return the roots of (a + b + c + d)^2 = 2 (a^2 + b^2 + c^2 + d^2), the smaller one first."""
    total = a + b + c
    inside = total * total - (2 * (a * a + b * b + c * c) - total * total)
    root = isqrt(max(inside, 0))
    return (total - root, total + root) if root * root == inside else None


def _follows(problem: Problem, answer: str, way: str) -> bool:
    """Compare with the lines that a solution must have."""
    kind, given, length = problem
    a, b, c = (0, *given) if kind == "line" else given
    pair = _descartes(a, b, c)
    if pair is None:
        return False
    inside, root = a * b + b * c + c * a, (pair[1] - pair[0]) // 4
    lines = [f"{a} * {b} + {b} * {c} + {c} * {a} = {inside} = {root}^2"]
    if kind == "outer":
        lines.append(f"2 * {root} - {a + b + c} = {-pair[0]}")
        return way == "\n".join(lines) and answer == str(-pair[0])
    lines.append(f"{a + b + c} + 2 * {root} = {pair[1]}")
    before, new = c, pair[1]
    for _ in range(length - 1):
        before, new, gone = new, 2 * (a + b + new) - before, before
        lines.append(f"2 * ({a} + {b} + {before}) - {gone} = {new}")
    return way == "\n".join(lines) and answer == str(new)


VERIFIER = GroupedVerifier(_read, _solve, _exact, "integer", _follows)
