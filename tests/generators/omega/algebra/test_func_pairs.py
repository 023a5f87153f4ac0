"""Pairs drawn in a kernel are those that Python draws and filters."""

from __future__ import annotations

import pytest

from synthgen.core.randomness import Rows
from synthgen.generators.omega._draws import each_row
from synthgen.generators.omega.algebra._func_meet import Pair
from synthgen.generators.omega.algebra._func_pairs import About, pairs
from synthgen.generators.omega.algebra.algebra_func_intersection import AlgebraFuncIntersection

TRIES = 60


@pytest.mark.parametrize("level", [1, 4, 7])
@pytest.mark.parametrize("about", [About(10, 4), About(10, 1, 3), About(7, 0)])
def test_pairs_and_later_draws_are_those_of_python(level: int, about: About) -> None:
    rows = Rows.span(5, 0, 3)
    family = AlgebraFuncIntersection()
    most = about.most or 1_000
    for plain, draws in zip(rows.each(), each_row(rows), strict=True):
        kept = pairs(draws, level, TRIES, about)
        for _ in range(TRIES):
            f, g = family.draw_functions(level, plain)
            n = len(Pair(f, g).changes(-about.reach, about.reach, 1_001))
            if about.least <= n <= most:
                assert next(kept) == (f, g)
                assert draws.integer(0, 1_000) == plain.integer(0, 1_000)
        assert next(kept, None) is None
