"""OMEGA composition: a root of the greatest common divisor of two polynomials."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import isqrt
from typing import ClassVar

from synthgen.core.contract import Axis
from synthgen.core.randomness import RowDraws
from synthgen.generators.omega._family import Made, PlainFamily
from synthgen.generators.omega.algebra._polynomials import (
    Polynomial,
    polynomial_text,
    primitive,
    product,
)
from synthgen.generators.omega.composition._questions import N_WORDINGS, ask

_LEVELS = (
    *(((2, 2), (1, 1), 6, 1), ((2, 3), (1, 2), 6, 3), ((3, 3), (2, 2), 9, 5)),
    *(((3, 4), (2, 3), 12, 7), ((4, 5), (2, 4), 15, 9)),
)
"""Degree of the divisor, of what each polynomial has besides, largest parts of the roots."""
_HIGHEST = 12
_QUADRATIC_LEVEL = 3
_SCALES = (1, 1, 1, -1, 2, -2, 3)
_FORMAT = (
    "Write it as n/m in lowest terms with m positive, where m is one for an integer, and give the"
    " integer n + m."
)
_TEXTS = {
    "root": (
        "Let p(<x>) = <p> and q(<x>) = <q>. All roots of the greatest common divisor of these two"
        " polynomials are rational. Take the second-largest of its different roots, or its root if"
        " it has only one. <format>",
        "Two polynomials are given by p(<x>) = <p> and q(<x>) = <q>. Find their greatest common"
        " divisor, whose roots are all rational, and of these roots, each counted once, the"
        " second-largest (the largest if there is just one). <format>",
        "Consider the numbers <x> at which both p(<x>) = <p> and q(<x>) = <q> vanish. They are the"
        " roots of the greatest common divisor of p and q, and all of them are rational. Which is"
        " the second-largest of them? If there is only one, take that one. <format>",
        "The polynomials p(<x>) = <p> and q(<x>) = <q> have a non-constant greatest common divisor"
        " that splits into linear factors with rational roots. Sort its different roots from the"
        " largest to the smallest and take the second one, or the first if there is no second."
        " <format>",
    )
}


@dataclass(frozen=True)
class CompPolynomialGcd(PlainFamily):
    """Two expanded polynomials with a common divisor that has rational roots.

    Attributes:
        levels: of difficulty, 1 to 5, drawn with equal probability; none stand for all. The divisor
            has degree 2, 2-3, 3, 3-4 or 4-5, and each polynomial 1, 1-2, 2, 2-3 or 2-4 more; from
            level 3 on it may have factors without rational roots.
    """

    version: ClassVar[int] = 1
    verifier: ClassVar[str] = "comp_polynomial_gcd"
    solutions: ClassVar[tuple[str, ...]] = ("none", "steps")
    n_levels: ClassVar[int] = len(_LEVELS)
    wordings: ClassVar[int] = N_WORDINGS
    symbols: ClassVar[Mapping[str, int]] = {"common_root": 2} | {
        f"poly{n}": n for n in range(2, _HIGHEST + 2)
    }

    @property
    def own_axes(self) -> Mapping[str, Axis]:
        """Degrees, and the number of roots that are in question."""
        return {
            "degree": Axis("higher degree of the two polynomials", low=3, high=_HIGHEST),
            "n_roots": Axis("different roots of the common divisor", low=1, high=5),
        }

    def make(self, level: int, draws: RowDraws) -> Made | None:
        """Multiply the divisor by coprime polynomials."""
        degrees, others, most_top, most_bottom = _LEVELS[level - 1]
        pool = _Roots(draws, most_top, most_bottom)
        roots = [pool.new() for _ in range(draws.integer(degrees[0], degrees[1] + 1))]
        if draws.integer(0, 6) == 0:
            roots[-1] = roots[0]
        divisor = reduce(product, map(_factor, roots))
        pair = []
        for _ in range(2):
            rest: Polynomial = [1]
            degree = draws.integer(others[0], others[1] + 1)
            if level >= _QUADRATIC_LEVEL and degree > 1 and draws.integer(0, 3) == 0:
                rest = pool.quadratic()
            while len(rest) <= degree:
                rest = product(rest, _factor(pool.new()))
            pair.append(product(divisor, rest))
        if draws.integer(0, 4) == 0:  # a root that one polynomial has more often
            pair[1] = product(pair[1], _factor(draws.choice(roots)))
        first, second = sorted(map(primitive, pair), key=lambda p: (len(p), p[::-1]))
        different = sorted(set(roots), reverse=True)
        root = different[min(1, len(different) - 1)]
        tree = ("common_root", _tree(first), _tree(second))
        facts = (tuple(map(primitive, pair)), primitive(divisor), different, root)
        axes = {"degree": max(map(len, pair)) - 1, "n_roots": len(different)}
        return Made(tree, str(root.numerator + root.denominator), facts, axes=axes)

    def tell(self, made: Made, wording: int, draws: RowDraws) -> str:
        """Write both polynomials, times small factors."""
        name = draws.choice("tuvwxyz")
        texts = []
        for polynomial in made.facts[0]:
            scale = draws.choice(_SCALES)
            texts.append(polynomial_text([scale * value for value in polynomial], name))
        p, q = texts
        return ask(_TEXTS, "root", wording, x=name, p=p, q=q, format=_FORMAT)

    def steps(self, made: Made) -> str:
        """Tell the divisor, its roots and the sum."""
        _, divisor, roots, root = made.facts
        return (
            f"gcd: {polynomial_text(divisor, 'x')}\n"
            f"roots: {', '.join(map(str, roots))}\n"
            f"{root.numerator} + {root.denominator} = {made.answer}"
        )


class _Roots:
    """Rational roots and quadratic factors, each once."""

    def __init__(self, draws: RowDraws, most_top: int, most_bottom: int) -> None:
        self._draws, self._top, self._bottom = draws, most_top, most_bottom
        self._used: set[Fraction] = set()
        self._taken: list[Polynomial] = []

    def new(self) -> Fraction:
        """Return a root that did not occur; more of them than are needed are possible."""
        while True:
            bottom = self._draws.integer(1, self._bottom + 1)
            root = Fraction(self._draws.integer(-self._top, self._top + 1), bottom)
            if root not in self._used:
                self._used.add(root)
                return root

    def quadratic(self) -> Polynomial:
        """Return a quadratic polynomial without rational roots that did not occur."""
        while True:
            factor = [
                self._draws.integer(-9, 10),
                self._draws.integer(-5, 6),
                self._draws.integer(1, 4),
            ]
            factor = primitive(factor)
            inside = factor[1] ** 2 - 4 * factor[0] * factor[2]
            if (inside < 0 or isqrt(inside) ** 2 != inside) and factor not in self._taken:
                self._taken.append(factor)
                return factor


def _factor(root: Fraction) -> Polynomial:
    return [-root.numerator, root.denominator]


def _tree(polynomial: Sequence[int]) -> tuple[str | int, ...]:
    return (f"poly{len(polynomial)}", *polynomial)


GENERATOR = CompPolynomialGcd
