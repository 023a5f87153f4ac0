"""Places of extrema: worked examples by counts on parts of the interval, ties refused."""

from __future__ import annotations

from fractions import Fraction

import pytest

from synthgen.core.randomness import Rows
from synthgen.generators.omega.algebra._func_laps import MAXIMUM, MINIMUM
from synthgen.generators.omega.algebra._func_layers import Function
from synthgen.generators.omega.algebra._func_search import Search
from synthgen.generators.omega.algebra.algebra_func_extrema_coords import (
    SUBTYPES,
    AlgebraFuncExtremaCoords,
)


def search(*function: tuple[str, tuple[int, ...]], kind: int = MINIMUM) -> Search:
    return Search(function, Fraction(-10), Fraction(10), lambda laps: laps.turning(kind))


def test_examples_by_hand() -> None:
    # 2(3x - 4)^2 - 1 is least at 4/3; |x^2 - 2x - 8| at -2 and 4, highest between them at 1.
    assert search(("linear", (3, -4)), ("quadratic", (2, 0, -1))).nearest(1) == 1
    corners: Function = (("quadratic", (1, -2, -8)), ("abs", (1, 0, 0)))
    assert [search(*corners).nearest(k) for k in (1, 2)] == [-2, 4]
    assert search(*corners, kind=MAXIMUM).nearest(1) == 1
    assert search(*corners).mean(2) == 1


def test_a_place_halfway_between_two_integers_is_refused() -> None:
    assert search(("quadratic", (1, -1, 0))).nearest(1) is None  # least at 1/2
    assert search(("quadratic", (1, 0, -2)), ("abs", (1, 0, 0))).mean(2) == 0


@pytest.mark.parametrize("level", [1, 4, 7])
def test_levels_give_problems_of_every_kind(level: int) -> None:
    generator = AlgebraFuncExtremaCoords(levels=(level,))
    made = [one for one in generator.draw(Rows.span(5, 0, 40)).parts["made"] if one]
    assert len(made) > 35
    assert {one.tree[0] for one in made} <= set(SUBTYPES)
    assert len({one.subtype for one in made}) >= 3
    assert all(-10 <= int(one.answer) <= 10 for one in made)


def test_a_function_with_more_crests_than_can_be_listed_is_refused() -> None:
    """Its one minimum is clear, at the corner 3, between millions of poles at the crests."""
    layers: Function = (
        ("abs", (-3, 3, -3)),
        ("quadratic", (1, -3, 3)),
        ("quadratic", (3, 0, 0)),
        ("cos", (2, 2, 3, -1)),
        ("quotient", (2, 0, 3, -3)),
    )
    assert search(*layers).nearest(1) == 3
    place = AlgebraFuncExtremaCoords()._place
    assert place(layers, 1, SUBTYPES.index("from_right"), "minima", lambda n: 0)[1] is None
    assert place(layers[:3], 1, SUBTYPES.index("from_right"), "minima", lambda n: 0)[1] == 3
