"""Circles and graphs: counts by hand, touching and corners."""

from __future__ import annotations

from fractions import Fraction

import pytest

from synthgen.core.randomness import Rows
from synthgen.generators.omega.composition._circle_curves import Curve, crossings, roots_between
from synthgen.generators.omega.composition.comp_circles_algebra import CompCirclesAlgebra

HALF = Fraction(1, 2)


@pytest.mark.parametrize(
    ("circle", "curve", "points"),
    [
        ((0, 0, 4), Curve("plain", (-2, 0, 1)), 3),  # x^4 - 3 x^2 = 0: 0 and +-sqrt(3)
        ((0, 0, 1), Curve("plain", (1, 0)), 1),  # touches
        ((0, 0, 2), Curve("plain", (0, 1)), 2),
        ((0, 0, 1), Curve("plain", (5, 1)), 0),
        ((0, 1, 1), Curve("around", (0, 1), 1, 0, zeros=(Fraction(0),)), 3),  # corner at (0, 0)
        ((0, 0, 4), Curve("around", (-1, 2), -1, 9, zeros=(HALF,)), 0),
        ((0, 0, 9), Curve("inside", (-3, -1, 1), corner=0), 5),
    ],
)
def test_counts_by_hand(circle: tuple[int, int, int], curve: Curve, points: int) -> None:
    assert crossings(circle, curve) == points


def test_roots_are_counted_once_and_ends_belong_to_the_left() -> None:
    polynomial = [0, 0, 4, -4, 1]  # x^2 (x - 2)^2
    assert roots_between(polynomial, None, None) == 2
    assert roots_between(polynomial, Fraction(0), Fraction(2)) == 1
    assert roots_between(polynomial, Fraction(1), Fraction(3)) == 1
    assert roots_between(polynomial, Fraction(2), None) == 1


@pytest.mark.parametrize("level", range(1, 6))
def test_odd_counts_occur(level: int) -> None:
    problems = CompCirclesAlgebra(levels=(level,)).draw(Rows.span(3, 0, 120))
    points = problems.axes["n_points"][problems.valid]
    assert (points % 2 == 1).any()
    assert len(set(points.tolist())) >= 4
