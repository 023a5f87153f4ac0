"""Areas: worked examples between proven bounds, poles refused."""

from __future__ import annotations

import pytest

from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows
from synthgen.generators.omega.algebra._func_area import area
from synthgen.generators.omega.algebra._func_layers import Function
from synthgen.generators.omega.algebra._func_values import UndecidedError
from synthgen.generators.omega.algebra.algebra_func_area import AlgebraFuncArea, _tenths


@pytest.mark.parametrize(
    ("f", "g", "low", "high", "exact"),
    [
        # x^2 - 4 and x + 2: 125/6; -|x - 1| + 3 and x - 2: 4 by hand on two pieces.
        ((("quadratic", (1, 0, -4)),), (("linear", (1, 2)),), -2.0, 3.0, 125 / 6),
        ((("abs", (-1, 1, 3)),), (("linear", (1, -2)),), 1.0, 3.0, 4.0),
        # A change of sign inside: |x| from -1 to 2.
        ((("linear", (2, 0)),), (("linear", (1, 0)),), -1.0, 2.0, 2.5),
    ],
)
def test_examples_by_hand(f: Function, g: Function, low: float, high: float, exact: float) -> None:
    below, above = area(f, g, low, high, 100)
    assert below <= exact <= above
    assert above - below < 0.01


def test_ties_are_refused() -> None:
    assert _tenths((20.833, 20.834)) == 208
    assert _tenths((3.9999, 4.0001)) == 40
    assert _tenths((2.5499, 2.5501)) is None
    assert _tenths((2.55, 2.55)) is None


def test_a_pole_inside_is_refused() -> None:
    with pytest.raises(UndecidedError):
        area((("quotient", (0, 1, 1, 0)),), (("linear", (1, 0)),), -1.0, 2.0, 100)


def test_areas_stay_below_the_cap_of_the_level() -> None:
    for level, cap in ((1, 50), (4, 250)):
        made = AlgebraFuncArea(levels=(level,)).draw(Rows.span(5, 0, 20)).parts["made"]
        assert all(0 < float(one.answer) <= cap for one in made if one)
    small = AlgebraFuncArea(levels=(1,), max_area=2).draw(Rows.span(5, 0, 20)).parts["made"]
    assert all(float(one.answer) <= 2 for one in small if one)
    with pytest.raises(ParamError, match="max_area"):
        AlgebraFuncArea(max_area=-1)
