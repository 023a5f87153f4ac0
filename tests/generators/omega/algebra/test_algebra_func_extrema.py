"""Extrema: worked examples and the published counts that are certainly wrong."""

from __future__ import annotations

from fractions import Fraction

import pytest

from synthgen.core.randomness import Rows
from synthgen.generators.omega.algebra._func_laps import MAXIMUM, MINIMUM, laps_of
from synthgen.generators.omega.algebra._func_layers import Function
from synthgen.generators.omega.algebra.algebra_func_extrema import SUBTYPES, AlgebraFuncExtrema


@pytest.mark.parametrize(
    ("function", "minima", "maxima"),
    [
        # |x^2 - 4|: corners at -2 and 2, a maximum at 0.
        ((("quadratic", (1, 0, -4)), ("abs", (1, 0, 0))), 2, 1),
        ((("cos", (3, 1, -2, 1)),), 10, 10),
        # Defect: 20 maxima, where the published generator counts 40 (minima at corners).
        ((("cos", (-3, 1, -2, 2)), ("abs", (1, 0, 3))), 20, 20),
        # Defect: one extremum, where the published generator finds 9 in the flat tail.
        ((("quadratic", (-1, 2, 2)), ("exp", (2, 1, -2))), 0, 1),
        # 1/x turns nowhere; 1/x^2 + ... neither; 1/(x^2 + 1) once.
        ((("quotient", (0, 1, 1, 0)),), 0, 0),
        ((("quadratic", (1, 0, 1)), ("quotient", (0, 1, 1, 0))), 0, 1),
        # Turning where another layer turns as well: (x^2)^2 and |x^2|.
        ((("quadratic", (1, 0, 0)), ("quadratic", (1, 0, 0))), 1, 0),
        ((("quadratic", (1, 0, 0)), ("abs", (-1, 0, 0))), 0, 1),
        # A pole where the inner function turns: 1/x^2.
        ((("quadratic", (1, 0, 0)), ("quotient", (0, 1, 1, 0))), 0, 0),
    ],
)
def test_examples_by_hand(function: Function, minima: int, maxima: int) -> None:
    laps = laps_of(function, Fraction(-10), Fraction(10))
    assert (laps.turning(MINIMUM), laps.turning(MAXIMUM)) == (minima, maxima)


def test_the_ends_are_no_extrema() -> None:
    laps = laps_of((("linear", (1, 0)),), Fraction(-10), Fraction(10))
    assert not laps.turns


def test_every_kind_of_question_occurs_and_is_answered() -> None:
    made = AlgebraFuncExtrema(levels=(1, 3)).draw(Rows.span(5, 0, 60)).parts["made"]
    assert {one.subtype for one in made if one} == {0, 1, 2}
    for one in made:
        laps = laps_of(one.facts[0], Fraction(-10), Fraction(10))
        counts = {"minima": laps.turning(MINIMUM), "maxima": laps.turning(MAXIMUM)}
        counts["extrema"] = sum(counts.values())
        assert one.answer == str(counts[SUBTYPES[one.subtype]])
