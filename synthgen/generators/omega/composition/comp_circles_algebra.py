"""OMEGA composition: the number of points that a circle shares with the graph of a function."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import ClassVar

from synthgen.core.contract import Axis
from synthgen.core.randomness import RowDraws
from synthgen.generators.omega._family import Made, PlainFamily
from synthgen.generators.omega._numbers import Tree
from synthgen.generators.omega.algebra._polynomials import Polynomial, polynomial_text, product
from synthgen.generators.omega.composition._circle_curves import Curve, crossings
from synthgen.generators.omega.composition._questions import N_WORDINGS, ask

_KINDS = ("plain", "around", "inside")
_LEVELS = (
    ((("plain", 1), ("plain", 2), ("around", 1)), 2, 25),
    ((("plain", 2), ("plain", 3), ("around", 1), ("around", 2)), 3, 40),
    ((("plain", 3), ("around", 2), ("inside", 2)), 3, 60),
    ((("plain", 4), ("around", 2), ("around", 3), ("inside", 2), ("inside", 3)), 4, 80),
    ((("around", 3), ("around", 4), ("inside", 3), ("inside", 4)), 4, 100),
)
"""Kinds of graphs with their degrees, largest shift, largest square of the radius, by level."""
_HIGHEST, _MOST_POINTS, _TRIES = 4, 16, 16
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


@dataclass(frozen=True)
class CompCirclesAlgebra(PlainFamily):
    """A circle and the graph of a polynomial, perhaps with bars around it or around its variable.

    Attributes:
        levels: of difficulty, 1 to 5, drawn with equal probability; none stand for all. Polynomials
            have degree 1-2, 1-3, 2-3, 2-4 or 3-4; bars inside occur from level 3 on.
    """

    version: ClassVar[int] = 1
    verifier: ClassVar[str] = "comp_circles_algebra"
    n_levels: ClassVar[int] = len(_LEVELS)
    block: ClassVar[int] = 64
    wordings: ClassVar[int] = N_WORDINGS
    subtypes: ClassVar[tuple[str, ...]] = _KINDS
    symbols: ClassVar[Mapping[str, int]] = {
        "circle_plain": 4,
        "circle_around": 6,
        "circle_inside": 5,
    } | {f"poly{n}": n for n in range(2, _HIGHEST + 2)}

    @property
    def own_axes(self) -> Mapping[str, Axis]:
        """The degree and the number of points."""
        return {
            "degree": Axis("degree of the polynomial", low=1, high=_HIGHEST),
            "n_points": Axis("points in common", low=0, high=_MOST_POINTS),
        }

    def make(self, level: int, draws: RowDraws) -> Made | None:
        """Draw a circle and a graph; all numbers of points are tried for alike."""
        graphs, shift, largest = _LEVELS[level - 1]
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
            count = crossings((a, b, square), curve)
            circle = (a, b, square)
            if count == wanted:
                break
        else:
            if curve is None:
                return None
        axes = {"degree": degree, "n_points": count}
        facts = (*circle, curve)
        return Made(_tree(facts), str(count), facts, _KINDS.index(kind), axes)

    def tell(self, made: Made, wording: int, draws: RowDraws) -> str:
        """Write both equations."""
        del draws
        a, b, square, curve = made.facts
        circle = f"{_square('x', a)} + {_square('y', b)} = {square}"
        return ask(_TEXTS, "points", wording, circle=circle, graph=f"y = {_graph(curve)}")


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
        factors = [[-zero.numerator, zero.denominator] for zero in sorted(zeros)]
        polynomial = reduce(product, factors)
        if degree == 1:
            scale = draws.integer(1, 3)
            polynomial = [scale * value for value in polynomial]
        sign = draws.choice((1, -1))
        height = draws.integer(-2 * shift, 2 * shift + 1)
        return Curve(kind, tuple(polynomial), sign, height, zeros=tuple(sorted(zeros)))
    values: Polynomial = [draws.integer(-2 * shift, 2 * shift + 1) for _ in range(degree)]
    values.append(draws.choice((1, 1, -1, -1, 2, -2)))
    if kind == "plain":
        if even and degree % 2 == 0:
            values[1::2] = [0] * (degree // 2)
        return Curve(kind, tuple(values))
    if not any(values[1::2]):
        return None
    corner = 0 if even else draws.integer(-shift, shift + 1)
    return Curve(kind, tuple(values), corner=corner)


def _is_even(curve: Curve) -> bool:
    """Say whether a graph is its own mirror image in the y-axis."""
    return not curve.corner if curve.kind == "inside" else not any(curve.polynomial[1::2])


def _middle(curve: Curve) -> int:
    """Return the value of an even function at zero."""
    value = curve.polynomial[0]
    return curve.sign * abs(value) + curve.height if curve.kind == "around" else value


def _tree(facts: tuple[int, int, int, Curve]) -> Tree:
    *circle, curve = facts
    polynomial: Tree = (f"poly{len(curve.polynomial)}", *curve.polynomial)
    own: tuple[int, ...] = ()
    if curve.kind == "around":
        own = (curve.sign, curve.height)
    elif curve.kind == "inside":
        own = (curve.corner,)
    return (f"circle_{curve.kind}", *circle, *own, polynomial)


def _square(name: str, shift: int) -> str:
    return f"{name}^2" if shift == 0 else f"({polynomial_text([-shift, 1], name)})^2"


def _graph(curve: Curve) -> str:
    if curve.kind == "inside":
        inner = polynomial_text([-curve.corner, 1], "x")
        return polynomial_text(curve.polynomial, "x").replace("x", f"|{inner}|")
    text = polynomial_text(curve.polynomial, "x")
    if curve.kind == "plain":
        return text
    return polynomial_text([curve.height, curve.sign], "x").replace("x", f"|{text}|")


GENERATOR = CompCirclesAlgebra
