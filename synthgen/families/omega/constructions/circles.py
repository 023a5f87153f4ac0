"""Circles in equations: points shared with a graph, and curvatures of circles that touch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, reduce
from itertools import pairwise
from math import floor, isqrt
from typing import Any, NamedTuple

from flint import arb, ctx, fmpz_poly

from synthgen.authoring import (
    LevelledFamily,
    LevelledListedFamily,
    Problem,
    RowDraws,
    Tree,
    Words,
    axis,
    holes,
)

_WORDS = Words.beside(__file__)
_POINTS = _WORDS["comp_circles_algebra"]["points"]
_KINDS = ("plain", "around", "inside")
_GRAPHS = (
    ((("plain", 1), ("plain", 2), ("around", 1)), 2, 25),
    ((("plain", 2), ("plain", 3), ("around", 1), ("around", 2)), 3, 40),
    ((("plain", 3), ("around", 2), ("inside", 2)), 3, 60),
    ((("plain", 4), ("around", 2), ("around", 3), ("inside", 2), ("inside", 3)), 4, 80),
    ((("around", 3), ("around", 4), ("inside", 3), ("inside", 4)), 4, 100),
)
"""Kinds of graphs with their degrees, largest shift, largest square of the radius, by level."""
_HIGHEST, _MAX_POINTS, _TRIES, _MAX_BITS = 4, 16, 16, 512


class Curve(NamedTuple):
    """The graph of y = p(x), y = sign * |p(x)| + height, or y = p(|x - corner|).

    Attributes:
        kind: "plain", "around" (bars around the polynomial) or "inside".
        p: Polynomial.
        sign, height: Sign and height of "around".
        corner: Corner of "inside".
    """

    kind: str
    p: fmpz_poly
    sign: int = 1
    height: int = 0
    corner: int = 0


@dataclass(frozen=True)
class CompCirclesAlgebra(LevelledFamily):
    """A circle and the graph of a polynomial, perhaps with bars around it or around its variable.

    Attributes:
        levels: Difficulty levels, 1 to 5, drawn with equal probability; an empty list means all.
            Polynomials have degree 1-2, 1-3, 2-3, 2-4 or 3-4; bars inside occur from level 3 on.
    """

    version = 2
    verifier = "comp_circles_algebra"
    domain = "omega"
    words = Words({"prompts": {"instruction": dict.fromkeys(_KINDS, _POINTS)}})
    n_levels = len(_GRAPHS)
    block = 64
    symbols = {"circle_plain": 4, "circle_around": 6, "circle_inside": 5, "poly": (2, _HIGHEST + 1)}
    own_axes = {
        "degree": axis("degree of the polynomial", 1, _HIGHEST),
        "n_points": axis("points in common", 0, _MAX_POINTS),
    }

    def make(self, level: int, draws: RowDraws) -> Problem | None:
        """Draw a circle and a graph, aiming at every number of points equally often."""
        graphs, shift, largest = _GRAPHS[level - 1]
        kind, degree = draws.choice(graphs)
        wanted = draws.integer(0, 2 * degree + 2)
        for _ in range(_TRIES):
            curve = _curve(kind, degree, shift, draws)
            if curve is None:
                continue
            even = wanted % 2 == 1 and _is_even(curve)
            a = 0 if even else draws.integer(-shift, shift + 1)
            b = draws.integer(-shift, shift + 1)
            square = draws.integer(largest // 12 + 1, largest + 1)
            if even:  # through the point on the axis of symmetry
                square = (_middle(curve) - b) ** 2 or square
            circle = (a, b, square)
            count = common_points(circle, curve)
            if count == wanted:
                break
        if curve is None:
            return None
        return Problem(
            tree=_tree(circle, curve),
            answer=str(count),
            kind=kind,
            holes={
                "circle": f"{_square('x', a)} + {_square('y', b)} = {square}",
                "graph": f"y = {_graph(curve)}",
            },
            axes={"degree": degree, "n_points": count},
            data=(circle, curve),
        )

    def steps_of(self, problem: Problem) -> list[str]:
        """Substitute each branch of the graph into the circle's equation, and list the roots."""
        circle, curve = problem.data
        return [*_branch_lines(circle, curve), f"points: {problem.answer}"]


def _curve(kind: str, degree: int, shift: int, draws: RowDraws) -> Curve | None:
    """Draw a graph; None for one that could be written in another way."""
    even = draws.integer(0, 2) == 0
    if kind == "around":
        zeros = set[Fraction]()
        if even:
            zeros = {Fraction(side * (i + 1)) for i in range(degree // 2) for side in (1, -1)}
            zeros |= {Fraction(0)} if degree % 2 else zeros
        while len(zeros) < degree:
            zeros.add(Fraction(draws.integer(-2 * shift, 2 * shift + 1), draws.integer(1, 3)))
        factors = (fmpz_poly([-zero.numerator, zero.denominator]) for zero in zeros)
        polynomial = reduce(fmpz_poly.__mul__, factors)
        if degree == 1:
            polynomial *= draws.integer(1, 3)
        sign = draws.choice((1, -1))
        return Curve(kind, polynomial, sign, draws.integer(-2 * shift, 2 * shift + 1))
    values = [draws.integer(-2 * shift, 2 * shift + 1) for _ in range(degree)]
    values.append(draws.choice((1, 1, -1, -1, 2, -2)))
    if kind == "plain":
        if even and degree % 2 == 0:
            values[1::2] = [0] * (degree // 2)
        return Curve(kind, fmpz_poly(values))
    if not any(values[1::2]):
        return None
    corner = 0 if even else draws.integer(-shift, shift + 1)
    return Curve(kind, fmpz_poly(values), corner=corner)


def _is_even(curve: Curve) -> bool:
    """Return whether a graph is its own mirror image in the y-axis."""
    return not curve.corner if curve.kind == "inside" else not any(curve.p.coeffs()[1::2])


def _middle(curve: Curve) -> int:
    """Return the value of an even function at zero."""
    value = int(curve.p[0])
    return curve.sign * abs(value) + curve.height if curve.kind == "around" else value


def common_points(circle: tuple[int, int, int], curve: Curve) -> int:
    """Count the points that a circle (center a, b; square of the radius) shares with a graph."""
    return sum(len(_roots_with(*one)) for one in _equations(circle, curve))


def _equations(circle: tuple[int, int, int], curve: Curve) -> Iterator[tuple[fmpz_poly, fmpz_poly]]:
    """Yield equations in x, each with a polynomial that is positive where it counts.

    The expression g between bars is positive on one branch of the graph and negative on the other.
    Each branch is the graph of a polynomial. Where g is zero, they meet, and both equations hold.
    Without bars there is one branch.
    """
    a, b, square = circle
    x, one = fmpz_poly([0, 1]), fmpz_poly([1])
    inner = curve.p if curve.kind == "around" else x - curve.corner
    for s in (1, -1):
        ordinate = curve.p
        if curve.kind == "around":
            ordinate = curve.sign * s * curve.p + curve.height
        elif curve.kind == "inside":
            ordinate = curve.p(s * inner)
        equation = (x - a) ** 2 + (ordinate - b) ** 2 - square
        if curve.kind == "plain":
            yield equation, one
            return
        yield equation, s * inner
    yield equation.gcd(inner), one


def _branch_lines(circle: tuple[int, int, int], curve: Curve) -> Iterator[str]:
    """Write the equation in x of each branch, and its roots there, with three decimals."""
    for sign, (equation, condition) in zip("><=", _equations(circle, curve), strict=False):
        listed = _listed(equation, condition)
        start = "coefficients: " if curve.kind == "plain" else f"inside the bars {sign} 0: "
        if sign == "=":
            yield f"{start}{listed}"
            continue
        coefficients = [int(c) for c in reversed(equation.coeffs())]
        yield f"{start}{coefficients}; {listed}"


def _listed(polynomial: fmpz_poly, condition: fmpz_poly) -> str:
    """Write the different real roots at which another polynomial is positive."""
    bits = 64
    thousandths: list[Any] = [None]
    while None in thousandths and bits <= _MAX_BITS:
        with ctx.workprec(bits):
            thousandths = [
                (1000 * x + arb(1) / 2).floor().unique_fmpz()
                for x in _roots_with(polynomial, condition)
            ]
        bits *= 2
    if None in thousandths:  # halfway between two thousandths
        thousandths = [floor(1000 * float(x) + 0.5) for x in _roots_with(polynomial, condition)]
    texts = (
        f"{'-' if v < 0 else ''}{abs(v) // 1000}.{abs(v) % 1000:03d}"
        for v in sorted(map(int, thousandths))
    )
    return f"x = {', '.join(texts) or 'none'}"


def _roots_with(polynomial: fmpz_poly, condition: fmpz_poly) -> list[Any]:
    """Return the different real roots at which another polynomial is positive, as balls."""
    rest = polynomial // polynomial.gcd(polynomial.derivative())
    rest //= rest.gcd(condition)  # no precision settles the sign of the condition at its own roots
    bits = ctx.prec
    while True:
        with ctx.workprec(bits):
            complex_roots: Any = (
                rest.complex_roots()
            )  # of a real one the imaginary part is exactly zero
            roots = [root.real for root, _ in complex_roots if root.imag == 0]
            values = [condition(root) for root in roots]
        if all(value > 0 or value < 0 for value in values):
            return [root for root, value in zip(roots, values, strict=True) if value > 0]
        bits *= 2


def _tree(circle: tuple[int, int, int], curve: Curve) -> Tree:
    polynomial: Tree = ("poly", *map(int, curve.p.coeffs()))
    own: tuple[int, ...] = ()
    if curve.kind == "around":
        own = (curve.sign, curve.height)
    elif curve.kind == "inside":
        own = (curve.corner,)
    return (f"circle_{curve.kind}", *circle, *own, polynomial)


def _square(name: str, shift: int) -> str:
    return f"{name}^2" if shift == 0 else f"({_sum([-shift, 1], name)})^2"


def _graph(curve: Curve) -> str:
    text = _sum(list(map(int, curve.p.coeffs())), "x")
    if curve.kind == "plain":
        return text
    if curve.kind == "inside":
        return text.replace("x", f"|{_sum([-curve.corner, 1], 'x')}|")
    return _sum([curve.height, curve.sign], "x").replace("x", f"|{text}|")


def _sum(coefficients: Sequence[int], name: str) -> str:
    """Write a polynomial, the highest power first; coefficients come lowest first."""
    text = ""
    for power, value in reversed(list(enumerate(coefficients))):
        if value:
            factor = ("", name, f"{name}^{power}")[min(power, 2)]
            number = "" if factor and abs(value) == 1 else f"{abs(value)}{'*' if factor else ''}"
            text += f" {'-' if value < 0 else '+'} {number}{factor}"
    return f"-{text[3:]}" if text.startswith(" -") else text[3:]


_LARGEST = (12, 24, 40, 60, 90)
_CHAINS = (0, 3, 4, 5, 6)
"""Largest curvature of the given circles, and longest chain, of each level."""


@dataclass(frozen=True)
class TransCircles(LevelledListedFamily):
    """Circles that touch each other, all with integer curvatures.

    Curvatures a, b, c, d of four circles that touch each other satisfy (a + b + c + d)^2 =
    2(a^2 + b^2 + c^2 + d^2), so that d = a + b + c +- 2 sqrt(ab + bc + ca); a line has curvature
    zero, and a circle around the others a negative one.

    Attributes:
        levels: Difficulty levels, 1 to 5; an empty list means all. The largest curvature given is
            at most 12, 24, 40, 60 or 90; chains have up to 3, 4, 5 or 6 circles from level 2 on.
        repeats: Addresses for each problem, to see it in other wordings.
    """

    version = 3
    verifier = "trans_circles"
    domain = "omega"
    words = _WORDS.part("trans_circles")
    n_levels = len(_LARGEST)
    level_is_canonical = True
    symbols = {"touch_inner": 3, "touch_outer": 3, "touch_line": 2, "touch_chain": 4}
    own_axes = {
        "max_curvature": axis("largest curvature given", 1, _LARGEST[-1]),
        "n_circles": axis("circles to be found one after another", 1, _CHAINS[-1]),
    }

    def problems_at(self, level: int) -> Iterator[Problem]:
        """Yield the problems that need this level for their curvatures or their chain."""
        for a, b, c in _triples():
            if c > _LARGEST[level - 1]:
                continue
            lowest = next(i + 1 for i, largest in enumerate(_LARGEST) if c <= largest)
            root = 2 * isqrt(a * b + b * c + c * a)
            if a == 0 and lowest == level:
                yield _touching("line", (b, c), b + c + root, 1)
            if a == 0:
                continue
            if lowest == level:
                yield _touching("inner", (a, b, c), a + b + c + root, 1)
                if root > a + b + c:
                    yield _touching("outer", (a, b, c), root - a - b - c, 1)
            for length in range(2, _CHAINS[level - 1] + 1):
                needed = next(i + 1 for i, longest in enumerate(_CHAINS) if length <= longest)
                if max(lowest, needed) != level:
                    continue
                for first, second, third in sorted({(a, b, c), (a, c, b), (b, c, a)}):
                    chain = _chain(first, second, third, length)
                    yield _touching("chain", (first, second, third), chain[-1], length)

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Write the radii as fractions, in a random order."""
        given, length = problem.data
        radii = [f"1/{curvature}" if curvature > 1 else "1" for curvature in given]
        first, second = draws.shuffled(radii[:2])
        *most, last = draws.shuffled(radii)
        return {
            "radii": f"{', '.join(most)} and {last}",
            "first": first,
            "second": second,
            "third": radii[-1],
            "nth": holes.ordinal(length),
        }

    def steps_of(self, problem: Problem) -> list[str]:
        """Write Descartes' sum under the root, and the curvatures one after the other."""
        given, length = problem.data
        a, b, c = given if problem.kind != "line" else (0, *given)
        inside = a * b + b * c + c * a
        root = isqrt(inside)
        lines = [f"{a} * {b} + {b} * {c} + {c} * {a} = {inside} = {root}^2"]
        if problem.kind == "outer":
            return [*lines, f"2 * {root} - {a + b + c} = {problem.answer}"]
        chain = _chain(a, b, c, length)
        lines.append(f"{a + b + c} + 2 * {root} = {chain[0]}")
        for before, (old, new) in zip((c, *chain), pairwise(chain), strict=False):
            lines.append(f"2 * ({a} + {b} + {old}) - {before} = {new}")
        return lines


@cache
def _triples() -> tuple[tuple[int, int, int], ...]:
    """Return a <= b <= c whose ab + bc + ca is a square; a is zero for a line."""
    return tuple(
        (a, b, c)
        for c in range(1, _LARGEST[-1] + 1)
        for b in range(1, c + 1)
        for a in range(b + 1)
        if isqrt(a * b + b * c + c * a) ** 2 == a * b + b * c + c * a
    )


def _chain(a: int, b: int, c: int, length: int) -> list[int]:
    """Return the curvatures of circles between a, b and the one before, which begins with c."""
    chain = [c, a + b + c + 2 * isqrt(a * b + b * c + c * a)]
    while len(chain) <= length:
        chain.append(2 * (a + b + chain[-1]) - chain[-2])
    return chain[1:]


def _touching(kind: str, given: tuple[int, ...], answer: int, length: int) -> Problem:
    if kind == "chain":
        given = (*sorted(given[:2]), given[2])
    return Problem(
        tree=(f"touch_{kind}", *given, *((length,) if kind == "chain" else ())),
        answer=str(answer),
        kind=kind,
        axes={"max_curvature": max(given), "n_circles": length},
        data=(given, length),
    )
