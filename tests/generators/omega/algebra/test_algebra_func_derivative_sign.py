"""Signs of derivatives: worked examples, gaps of the domain, and the published miscount."""

from __future__ import annotations

from fractions import Fraction

import pytest

from synthgen.core.randomness import Rows
from synthgen.generators.omega.algebra._func_laps import laps_of
from synthgen.generators.omega.algebra._func_layers import Function
from synthgen.generators.omega.algebra.algebra_func_derivative_sign import (
    AlgebraFuncDerivativeSign,
)


@pytest.mark.parametrize(
    ("function", "rising", "falling"),
    [
        ((("quadratic", (1, 0, -4)), ("abs", (1, 0, 0))), 2, 2),
        ((("cos", (3, 1, -2, 1)),), 11, 10),
        # Defect: 120 intervals, where 200 samples of the published generator see 78.
        ((("linear", (4, 4)), ("cos", (-2, 3, 0, -1))), 120, 120),
        # x/(x - 1) falls on both sides of its pole: two intervals.
        ((("quotient", (1, 0, 1, -1)),), 0, 2),
        # 1/(1/x) rises on both sides of 0, where it is undefined.
        ((("quotient", (0, 1, 1, 0)), ("quotient", (0, 1, 1, 0))), 2, 0),
        ((("linear", (-3, 1)),), 0, 1),
    ],
)
def test_examples_by_hand(function: Function, rising: int, falling: int) -> None:
    laps = laps_of(function, Fraction(-10), Fraction(10))
    assert (laps.rising(), laps.falling()) == (rising, falling)


def test_rising_and_falling_pieces_alternate_but_for_gaps() -> None:
    made = AlgebraFuncDerivativeSign().draw(Rows.span(5, 0, 60)).parts["made"]
    for one in made:
        laps = laps_of(one.facts[0], Fraction(-10), Fraction(10))
        assert laps.undefined() >= 0
        assert abs(laps.rising() - laps.falling()) <= laps.undefined() + 1
