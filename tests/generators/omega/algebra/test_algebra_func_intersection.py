"""Meetings of graphs: worked examples, and graphs that only touch or coincide are refused."""

from __future__ import annotations

from fractions import Fraction

import pytest

from synthgen.core.randomness import Rows
from synthgen.generators.omega.algebra._func_family import check_tame
from synthgen.generators.omega.algebra._func_layers import Function
from synthgen.generators.omega.algebra._func_meet import Pair
from synthgen.generators.omega.algebra._func_values import UndecidedError
from synthgen.generators.omega.algebra.algebra_func_intersection import AlgebraFuncIntersection

LINE: Function = (("linear", (1, 0)),)


def meetings(f: Function, g: Function) -> int:
    return len(Pair(f, g).meetings(-10, 10, 5_000))


@pytest.mark.parametrize(
    ("f", "g", "count"),
    [
        ((("abs", (2, 1, -3)),), (("linear", (1, -1)),), 2),
        ((("cos", (2, 1, 0, 0)),), LINE, 5),
        # 1/x = x at -1 and 1; the change of sign at the pole is no meeting.
        ((("quotient", (0, 1, 1, 0)),), LINE, 2),
        # Two crossings within 0.0015: the published grid of 0.004 misses them.
        ((("quadratic", (5, 0, 3)), ("sin", (2, 3, 1, -1))), (("linear", (0, 0)),), 3000),
    ],
)
def test_examples_by_hand(f: Function, g: Function, count: int) -> None:
    assert meetings(f, g) == count
    assert meetings(g, f) == count


@pytest.mark.parametrize(
    ("f", "g"),
    [
        ((("quadratic", (1, 0, 0)),), (("linear", (2, -1)),)),  # touch at 1
        ((("abs", (1, 0, 0)),), LINE),  # coincide for x >= 0
        ((("abs", (1, 1, 0)),), (("abs", (-1, 1, 0)),)),  # meet at corners
    ],
)
def test_touching_graphs_are_refused(f: Function, g: Function) -> None:
    with pytest.raises(UndecidedError):
        meetings(f, g)


def test_functions_with_gaps_that_look_filled_are_refused() -> None:
    gap: Function = (("quotient", (0, 1, 1, 0)), ("quotient", (0, 1, 1, 0)))
    with pytest.raises(UndecidedError):
        check_tame((gap,), Fraction(-10), Fraction(10))


def test_a_pair_is_one_problem_whichever_function_is_f() -> None:
    made = AlgebraFuncIntersection(levels=(1, 2)).draw(Rows.span(5, 0, 24)).parts["made"]
    for one in made:
        assert list(one.tree[1:3]) == sorted(one.tree[1:3], key=repr)
        assert 4 <= int(one.answer) <= 200
