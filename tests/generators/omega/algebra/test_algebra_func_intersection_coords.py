"""Places of meetings: worked examples and levels."""

from __future__ import annotations

import numpy as np
import pytest

from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows
from synthgen.generators.omega.algebra._func_layers import Function
from synthgen.generators.omega.algebra._func_meet import Pair
from synthgen.generators.omega.algebra.algebra_func_intersection_coords import (
    AlgebraFuncIntersectionCoords,
)


def test_examples_by_hand() -> None:
    # (2x - 1)^2 - 9 = x + 1 where 4x^2 - 5x - 9 = 0: x = -1 and x = 9/4.
    f: Function = (("linear", (2, -1)), ("quadratic", (1, 0, -9)))
    cells = Pair(f, (("linear", (1, 1)),)).meetings(-10, 10, 10, 1e-9)
    assert np.allclose(cells.mean(axis=1), [-1, 2.25], atol=1e-8)


@pytest.mark.parametrize("level", [1, 3, 6])
def test_few_meetings_and_answers_inside(level: int) -> None:
    generator = AlgebraFuncIntersectionCoords(levels=(level,))
    made = [one for one in generator.draw(Rows.span(5, 0, 30)).parts["made"] if one]
    assert len(made) > 25
    for one in made:
        bound = 30 if one.tree[0] == "sum" else 10
        assert abs(int(one.answer)) <= bound
        assert sum(map(len, one.facts[:2])) == 2 * level + 1


@pytest.mark.parametrize("most", [0, 21, True])
def test_numbers_of_meetings_out_of_range_are_refused(most: int) -> None:
    with pytest.raises(ParamError, match=r"max_meetings=.*an integer from 1 to 20"):
        AlgebraFuncIntersectionCoords(max_meetings=most)
