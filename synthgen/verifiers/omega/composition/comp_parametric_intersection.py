"""Curves with random coefficients, from the text: by distances and roots, and by SymPy."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product
from math import prod

from synthgen.verifiers.omega._plain import PlainVerifier
from synthgen.verifiers.omega._sums import Sum, read_sum
from synthgen.verifiers.omega.composition._questions import (
    SMALL,
    Questions,
    parts_sum,
    sum_steps,
)

_TEXTS = {
    "meet": (
        "The letters in the equations <first> and <second>, other than x and y, are independent"
        " random numbers: <sets>, each element of a set being equally likely. What is the"
        " probability that the two curves with these equations in the x-y-plane have at least one"
        " point in common? <ending>",
        "Two curves in the plane have the equations <first> and <second>, where <sets>, uniformly"
        " and independently of each other. Find the probability that the curves meet. <ending>",
        "Numbers are chosen at random and independently, every number of a set with the same"
        " probability: <sets>. How likely is it that there are real numbers x and y with which"
        " both <first> and <second> hold? <ending>",
        "For coefficients that are picked independently and uniformly (<sets>), consider the"
        " curves <first> and <second>. Determine the probability that they intersect or touch in"
        " at least one real point. <ending>",
    ),
}
_SET = rf"\{{{SMALL}(?:, {SMALL}){{1,9}}\}}"
_PLAIN_CURVE = r"[^,.:?=()]{1,40} = [^,.:?=()]{1,60}"
_QUESTIONS = Questions(
    _TEXTS,
    first=_PLAIN_CURVE,
    second=_PLAIN_CURVE,
    sets=rf"[a-z] is drawn from {_SET}(?:, [a-z] from {_SET})* and [a-z] from {_SET}",
)
_DRAWN = re.compile(rf"([a-z]) (?:is drawn )?from ({_SET})", re.ASCII)
_BARS = re.compile(r"\|([^|]{1,20})\|", re.ASCII)
_MOST_OUTCOMES = 5_000

Coefficient = tuple[int, str]
"""A number, or the sign and the name of a letter."""
Curve = tuple[str, tuple[Coefficient, ...]]
"""Kind (circle, graph, abs) and coefficients: r; of x^2, x, 1; factor, corner and height."""
Problem = tuple[Curve, Curve, tuple[tuple[str, tuple[int, ...]], ...]]


def _read(statement: str) -> Problem | None:
    found = _QUESTIONS.read(statement)
    if found is None:
        return None
    holes = found[1]
    sets = tuple(
        (name, tuple(map(int, inside.strip("{}").split(", "))))
        for name, inside in _DRAWN.findall(holes["sets"])
    )
    curves = [curve for curve in (_curve(holes["first"]), _curve(holes["second"])) if curve]
    if len(curves) != 2 or all(kind != "graph" for kind, _ in curves):
        return None
    first, second = sorted(curves, key=lambda curve: curve[0] == "graph")
    used = [name for _, values in (first, second) for _, name in values if name]
    names = [name for name, _ in sets]
    if sorted(used) != sorted(names) or len(set(names)) != len(names):
        return None
    if any(len(set(values)) != len(values) for _, values in sets):
        return None
    if prod(len(values) for _, values in sets) > _MOST_OUTCOMES or {"x", "y"} & set(names):
        return None
    return first, second, sets


def _curve(text: str) -> Curve | None:
    left, _, right = text.partition(" = ")
    if left == "x^2 + y^2":
        terms = read_sum(right)
        found = _coefficients(terms, 0) if terms else None
        return ("circle", found) if found else None
    if left != "y":
        return None
    bars = _BARS.findall(right)
    if not bars:
        terms = read_sum(right)
        found = _coefficients(terms, 2) if terms else None
        return ("graph", found) if found else None
    inner, outer = read_sum(bars[0]), read_sum(_BARS.sub("x", right))
    corner = _coefficients(inner, 1) if inner else None
    around = _coefficients(outer, 1) if outer else None
    if len(bars) != 1 or corner is None or around is None or corner[0] != (1, ""):
        return None
    value, name = corner[1]
    return "abs", (around[0], (-value, name), around[1])


def _coefficients(terms: Sum, degree: int) -> tuple[Coefficient, ...] | None:
    """Return the coefficients from the highest power down; each is one number or letter."""
    found: dict[int, Coefficient] = {}
    for top, bottom, letters in terms:
        power = sum(p for name, p in letters if name == "x")
        others = [name for name, p in letters if name != "x" for _ in range(p)]
        if bottom != 1 or len(others) > 1 or power > degree or power in found:
            return None
        if others and abs(top) != 1:
            return None
        found[power] = (top, others[0] if others else "")
    return tuple(found.get(power, (0, "")) for power in range(degree, -1, -1))


Meets = Callable[[str, list[int], list[int]], bool]


def _tally(problem: Problem, meets: Meets) -> tuple[int, int]:
    first, second, sets = problem
    good = total = 0
    for values in product(*(values for _, values in sets)):
        known = dict(zip((name for name, _ in sets), values, strict=True))
        numbers = [_known(curve, known) for curve in (first, second)]
        good += meets(first[0], *numbers)
        total += 1
    return good, total


def _known(curve: Curve, known: Mapping[str, int]) -> list[int]:
    return [value * known.get(name, 1) for value, name in curve[1]]


def _meets(kind: str, curve: list[int], graph: list[int]) -> bool:
    """Look for the lowest point of a difference, a distance, or a root on a ray."""
    if kind == "circle":
        a, m, c = graph
        return a == 0 and Fraction(c * c, 1 + m * m) <= curve[0]  # square of the distance
    if kind == "abs":
        factor, corner, height = curve
        a, m, c = graph
        level = m * corner + c - height  # of the line over the corner
        rays = [Fraction(level, slope) for slope in (factor - m, factor + m) if slope]
        return a == 0 and (level == 0 or any(along >= 0 for along in rays))
    a, b, c = (p - q for p, q in zip(curve, graph, strict=True))
    if a == 0:
        return b != 0 or c == 0
    extreme = c - Fraction(b * b, 4 * a)
    return extreme == 0 or (extreme < 0) == (a > 0)


def _by_sympy(kind: str, curve: list[int], graph: list[int]) -> bool:
    """Count the real roots of the equation that the common points satisfy."""
    from sympy import Integer, Poly, Symbol

    x = Symbol("x")
    line = graph[0] * x**2 + graph[1] * x + graph[2]
    if kind == "circle":
        return bool(Poly(x**2 + line**2 - curve[0], x).count_roots() > 0)
    if kind == "abs":
        factor, corner, height = curve
        for sign in (1, -1):  # the sides of the corner, where sign * (x - corner) >= 0
            side = Poly(sign * factor * (x - corner) + height - line, x)
            if side.is_zero:
                return True
            bounds = (Integer(corner), None) if sign > 0 else (None, Integer(corner))
            if side.degree() > 0 and side.count_roots(*bounds) > 0:
                return True
        return False
    a, b, c = curve
    difference = Poly(a * x**2 + b * x + c - line, x)
    return bool(difference.is_zero or (difference.degree() > 0 and difference.count_roots() > 0))


def _answer(good: int, total: int) -> str | None:
    return parts_sum(Fraction(good, total)) if 0 < good < total else None


def _solve(problem: Problem) -> str | None:
    return _answer(*_tally(problem, _meets))


def _exact(problem: Problem) -> str | None:
    return _answer(*_tally(problem, _by_sympy))


def _follows(problem: Problem, answer: str, way: str) -> bool:
    """Compare with the lines that a solution must have; the sets are in any order."""
    good, total = _tally(problem, _meets)
    lines = way.split("\n")
    sizes = sorted(len(values) for _, values in problem[2])
    match = re.fullmatch(r"choices: ([0-9](?: \* [0-9])*) = ([0-9]{1,4})", lines[0], re.ASCII)
    if match is None or sorted(map(int, match[1].split(" * "))) != sizes:
        return False
    rest = [f"meet: {good}", sum_steps(Fraction(good, total))]
    return match[2] == str(total) and lines[1:] == rest and _answer(good, total) == answer


VERIFIER = PlainVerifier(_read, _solve, _exact, "integer", _follows)
