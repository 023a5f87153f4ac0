"""Zeros: worked examples, defects of the published counts, and a grid that finds the same."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows
from synthgen.generators.omega.algebra._func_laps import laps_of
from synthgen.generators.omega.algebra._func_layers import Function, draw_function, layer_text
from synthgen.generators.omega.algebra._func_values import UndecidedError
from synthgen.generators.omega.algebra.algebra_func_zeros import AlgebraFuncZeros

TEN = Fraction(10)


def zeros(*function: tuple[str, tuple[int, ...]], reach: Fraction = TEN) -> int:
    return laps_of(function, -reach, reach).zeros()


@pytest.mark.parametrize(
    ("function", "count"),
    [
        # (2x + 1)/(x - 3) - 1 is zero at x = -4 alone.
        ((("quotient", (2, 1, 1, -3)), ("linear", (1, -1))), 1),
        # The published generator says 1462.
        ((("quadratic", (5, 0, 3)), ("sin", (2, 3, 1, -1))), 3000),
        # Only touches: |x^2 - 4| and (x^2 - 4)^2.
        ((("quadratic", (1, 0, -4)), ("abs", (1, 0, 0))), 2),
        ((("quadratic", (1, 0, -4)), ("quadratic", (1, 0, 0))), 2),
        # Both ends count: sin(pi x) at -10, -9, ..., 10.
        ((("sin", (1, 1, 0, 0)),), 21),
        # e^x - 1 is zero at 0; 2e^(-x^2 + 2x + 2) - 2 where -x^2 + 2x + 2 = 0.
        ((("exp", (1, 1, -1)),), 1),
        ((("quadratic", (-1, 2, 2)), ("exp", (2, 1, -2))), 2),
        # 1/(1/x) has no zero: it is undefined at 0.
        ((("quotient", (0, 1, 1, 0)), ("quotient", (0, 1, 1, 0))), 0),
    ],
)
def test_examples_by_hand(function: Function, count: int) -> None:
    assert zeros(*function) == count


@pytest.mark.parametrize("wave", ["sin", "cos"])
def test_waves_of_a_quotient_with_a_pole_are_refused(wave: str) -> None:
    with pytest.raises(UndecidedError):
        zeros(("quotient", (1, 1, 1, -2)), (wave, (1, 1, 1, 0)))


def rough(function: Function, x: np.ndarray) -> np.ndarray:
    for kind, c in function:
        x = {
            "linear": lambda x, c: c[0] * x + c[1],
            "quadratic": lambda x, c: c[0] * x * x + c[1] * x + c[2],
            "abs": lambda x, c: c[0] * np.abs(x - c[1]) + c[2],
            "exp": lambda x, c: c[0] * np.exp(c[1] * x) + c[2],
            "sin": lambda x, c: c[0] * np.sin(c[1] * np.pi * x + c[2]) + c[3],
            "cos": lambda x, c: c[0] * np.cos(c[1] * np.pi * x + c[2]) + c[3],
        }[kind](x, c)
    return x


def test_a_fine_grid_finds_the_same_zeros() -> None:
    """Continuous functions of moderate slope that cross zero or stay away from it."""
    x = np.linspace(-10, 10, 400_001)
    compared = 0
    for draws in Rows.span(11, 0, 400).each():
        function = draw_function(draws, 2)
        if any(kind in ("quotient", "exp") for kind, _ in function):
            continue
        y = rough(function, x)
        signs, size = np.sign(y), np.abs(y)
        least = (size[1:-1] < size[:-2]) & (size[1:-1] <= size[2:])
        touching = least & (signs[:-2] == signs[2:]) & (size[1:-1] < 0.01)
        if touching.any() or (size < 1e-9).any():
            continue  # touches, ends and exact hits of the grid have examples of their own
        assert zeros(*function) == np.sum(signs[1:] != signs[:-1])
        compared += 1
    assert compared > 80


def test_answers_pass_the_filter_and_levels_have_their_layers() -> None:
    for level in range(1, 8):
        problems = AlgebraFuncZeros(levels=(level,)).draw(Rows.span(3, 0, 12))
        assert problems.valid.mean() > 0.9
        made = [one for one in problems.parts["made"] if one]
        assert all(4 <= int(one.answer) <= 1000 for one in made)
        assert {len(one.facts[0]) for one in made} == {level + 1}


def test_fields_replace_reach_and_filter() -> None:
    generator = AlgebraFuncZeros(levels=(1,), reach=3, min_answer=0, max_answer=20)
    made = generator.draw(Rows.span(3, 0, 60)).parts["made"]
    answers = {int(one.answer) for one in made if one}
    assert min(answers) < 4
    assert max(answers) <= 20


@pytest.mark.parametrize(
    "params", [{"reach": 0}, {"reach": True}, {"min_answer": -1}, {"max_answer": 10**6}]
)
def test_parameters_out_of_range_are_refused(params: dict[str, int]) -> None:
    with pytest.raises(ParamError, match=rf"{next(iter(params))}=.*an integer from"):
        AlgebraFuncZeros(**params)


def test_layers_are_written_as_usual() -> None:
    assert layer_text(("linear", (-1, 3)), "x") == "-x + 3"
    assert layer_text(("quadratic", (1, -1, -5)), "x") == "x^2 - x - 5"
    assert layer_text(("abs", (-2, -1, 0)), "x") == "-2*abs(x + 1)"
    assert layer_text(("quotient", (1, 0, 3, -2)), "x") == "x/(3*x - 2)"
    assert layer_text(("sin", (1, 1, -2, 1)), "(x + 1)") == "sin(pi*(x + 1) - 2) + 1"
    assert layer_text(("exp", (3, -2, 0)), "x") == "3*exp(-2*x)"
