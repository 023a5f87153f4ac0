"""Circles and graphs, from the text: Descartes' rule and bisection on each branch, and SymPy."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import comb, isqrt

from synthgen.verifiers.omega._plain import PlainVerifier
from synthgen.verifiers.omega._sums import Sum, read_sum
from synthgen.verifiers.omega.algebra._roots import primitive, rational_roots
from synthgen.verifiers.omega.composition._questions import Questions
from synthgen.verifiers.omega.composition._real_roots import Bound, count_inside, value_at

_TEXTS = {
    "points": (
        "How many points do the circle <circle> and the curve <graph> have in common? Give an"
        " integer.",
        "In the x-y-plane, consider the circle with the equation <circle> and the graph of the"
        " function <graph>. Find the number of their points of intersection, where a point at"
        " which they only touch counts once. Answer with an integer.",
        "How many pairs (x, y) of real numbers satisfy both <circle> and <graph>? The answer is an"
        " integer.",
        "Determine the number of different real points at which the graph <graph> meets (crosses"
        " or touches) the circle <circle>. Give an integer.",
    ),
}
_SHIFT = r"(?:{0}\^2|\({0} [+-] [1-9][0-9]?\)\^2)"
_QUESTIONS = Questions(
    _TEXTS,
    circle=f"{_SHIFT.format('x')} [+] {_SHIFT.format('y')} = [1-9][0-9]{{0,3}}",
    graph=r"y = [^=.?]{1,200}",
)
_CENTRE = re.compile(r"\([xy] ([+-]) ([1-9][0-9]?)\)\^2", re.ASCII)
_BARS = re.compile(r"\|([^|]{1,80})\|", re.ASCII)
_HIGHEST, _LARGEST = 4, 10_000

Values = tuple[int, ...]
Problem = tuple[tuple[int, int, int], Values | None, Values]
"""Circle; polynomial between bars, if any; polynomial in what is between the bars, or in x."""
Count = Callable[[Sequence[int], Bound, Bound], int]


def _read(statement: str) -> Problem | None:
    found = _QUESTIONS.read(statement)
    if found is None:
        return None
    circle, graph = found[1]["circle"], found[1]["graph"].removeprefix("y = ")
    left, right, square = re.split(r" \+ (?=[(y])(?=.*=)| = ", circle)
    centre = [_centre(part) for part in (left, right)]
    bars = set(_BARS.findall(graph))
    outer_sum, inner_sum = read_sum(_BARS.sub("x", graph)), None
    if len(bars) > 1 or outer_sum is None:
        return None
    if bars:
        if "x" in _BARS.sub("", graph):
            return None
        inner_sum = read_sum(bars.pop())
        if inner_sum is None:
            return None
    outer = _values(outer_sum)
    inner = _values(inner_sum) if inner_sum else None
    if outer is None or (inner_sum and inner is None):
        return None
    if inner is not None and (len(outer) > 2) and inner[1:] != (1,):
        return None
    return (centre[0], centre[1], int(square)), inner, outer


def _centre(text: str) -> int:
    match = _CENTRE.fullmatch(text)
    return -int(match[1] + match[2]) if match else 0


def _values(terms: Sum) -> Values | None:
    """Return the coefficients of a polynomial in x that is not constant, lowest first."""
    found: dict[int, int] = {}
    for top, bottom, letters in terms:
        power = letters[0][1] if letters else 0
        if bottom != 1 or len(letters) > 1 or (letters and letters[0][0] != "x"):
            return None
        if (
            power in found
            or power > _HIGHEST
            or abs(top) > _LARGEST
            or (top == 0 and len(terms) > 1)
        ):
            return None
        found[power] = top
    values = tuple(found.get(power, 0) for power in range(max(found) + 1))
    return values if len(values) > 1 else None


def _branches(problem: Problem) -> Iterator[tuple[list[int], Bound, Bound]]:
    """Yield the polynomials that the graph has between the zeros of what is between bars."""
    _, inner, outer = problem
    if inner is None:
        yield list(outer), None, None
        return
    roots = rational_roots(primitive(inner))
    if roots is None:
        return
    ends = [None, *sorted(root for root, times in roots.items() if times % 2), None]
    for low, high in pairwise(ends):
        inside = Fraction(0)
        if low is not None and high is not None:
            inside = (low + high) / 2
        elif low is not None:
            inside = low + 1
        elif high is not None:
            inside = high - 1
        sign = 1 if value_at(inner, inside) >= 0 else -1
        yield _into(outer, [sign * value for value in inner]), low, high


def _into(outer: Sequence[int], inner: Sequence[int]) -> list[int]:
    """Return outer(inner(x)) as a sum of powers."""
    total, power = [0] * (_HIGHEST * _HIGHEST + 1), [1]
    for value in outer:
        for i, term in enumerate(power):
            total[i] += value * term
        power = _times(power, inner)
    return total[: (len(outer) - 1) * (len(inner) - 1) + 1]


def _times(first: Sequence[int], second: Sequence[int]) -> list[int]:
    result = [0] * (len(first) + len(second) - 1)
    for i, p in enumerate(first):
        for j, q in enumerate(second):
            result[i + j] += p * q
    return result


def _points(problem: Problem, count: Count) -> str | None:
    """Count abscissas on every branch, and the corners between branches."""
    (a, b, square), _, _ = problem
    reach = isqrt(square) + 1  # of the circle to either side: there are no roots beyond
    found, corners, branches = 0, set[Fraction](), 0
    for graph, low, high in _branches(problem):
        branches += 1
        height = [graph[0] - b, *graph[1:]]
        equation = [*_times(height, height), 0, 0]
        for power in range(3):
            equation[power] += comb(2, power) * (-a) ** (2 - power)
        equation[0] -= square
        left = Fraction(a - reach) if low is None else max(low, Fraction(a - reach))
        right = Fraction(a + reach) if high is None else min(high, Fraction(a + reach))
        found += count(equation, left, right) if left < right else 0
        for end in (low, high):
            if end is not None and value_at(equation, end) == 0:
                corners.add(end)
    return str(found + len(corners)) if branches else None


def _by_sympy(equation: Sequence[int], low: Bound, high: Bound) -> int:
    """Count the roots strictly between two numbers."""
    from sympy import Poly, Rational, Symbol

    polynomial = Poly(list(reversed(equation)), Symbol("x"))
    if polynomial.degree() < 1:
        return 0
    ends = [
        None if end is None else Rational(end.numerator, end.denominator) for end in (low, high)
    ]
    at_ends = sum(end is not None and value_at(equation, end) == 0 for end in (low, high))
    return int(polynomial.count_roots(*ends)) - at_ends


def _solve(problem: Problem) -> str | None:
    return _points(problem, count_inside)


def _exact(problem: Problem) -> str | None:
    return _points(problem, _by_sympy)


VERIFIER = PlainVerifier(_read, _solve, _exact, "integer")
