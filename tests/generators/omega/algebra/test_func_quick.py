"""The quick lap count against the exact one, and rows drawn by kernels against rows made alone."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from synthgen.core.randomness import RowDraws, Rows
from synthgen.core.registry import generator_class
from synthgen.generators.omega._numbers import tree_codes
from synthgen.generators.omega.algebra._func_draw import decoded, draw_layers
from synthgen.generators.omega.algebra._func_enclose import coded
from synthgen.generators.omega.algebra._func_laps import Laps, laps_of
from synthgen.generators.omega.algebra._func_layers import Function, draw_function
from synthgen.generators.omega.algebra._func_numbers import OPEN, REFUSED, SETTLED
from synthgen.generators.omega.algebra._func_quick import count_laps
from synthgen.generators.omega.algebra._func_store import (
    count_of_laps,
    count_turns,
    count_turns_at,
    count_zeros,
    empty_store,
)
from synthgen.generators.omega.algebra._func_values import UndecidedError

REACH = (Fraction(-10), Fraction(10))
PARTS = (REACH, (Fraction(-10), Fraction(7, 2)), (Fraction(-31, 7), Fraction(13, 3)))
STORES = (empty_store(), empty_store())


def exact(function: Function, low: Fraction, high: Fraction) -> Laps | None:
    try:
        return laps_of(function, low, high)
    except UndecidedError:
        return None


def zeros(laps: Laps) -> int | None:
    try:
        return laps.zeros()
    except UndecidedError:
        return None


def compare(function: Function, low: Fraction, high: Fraction) -> int:
    """Count both ways, and return how far the quick one was certain."""
    kinds, layers = coded(function)
    ends = np.array([[end.numerator, end.denominator] for end in (low, high)])
    state = np.zeros(1, np.int64)
    quick = count_laps(kinds, layers.astype(np.int64), ends, STORES, state)
    laps = exact(function, low, high)
    reached = int(state[0])
    assert (reached == SETTLED and laps is None) is False, function
    assert (reached == REFUSED and laps is not None) is False, function
    if reached == SETTLED and laps is not None:
        assert count_of_laps(quick, 1) == laps.rising(), function
        assert count_of_laps(quick, 0) == laps.falling(), function
        assert [count_turns(quick, mask) for mask in (1, 2)] == [laps.turning(k) for k in (0, 1)]
        for value, _, _ in laps.turns:
            if isinstance(value, tuple) and value[1] < 1_000:
                place = Fraction(*value)
                found = count_turns_at(quick, place.numerator, place.denominator, state)
                assert state[0] != SETTLED or found == laps.turning_at(place), function
        state[0] = SETTLED
        count = int(count_zeros(quick, state))
        assert state[0] != SETTLED or count == zeros(laps), function
    return reached


@pytest.mark.parametrize("level", range(1, 8))
def test_random_chains_are_counted_alike(level: int) -> None:
    states = [
        compare(draw_function(draws, level + 1), *PARTS[i % 3])
        for i, draws in enumerate(Rows.span(level, 0, 150).each())
    ]
    assert states.count(OPEN) <= 12


@pytest.mark.parametrize(
    "function",
    [
        # A crest, a corner and a pole exactly at an end, at another turn, at a limit.
        (("linear", (1, -10)), ("abs", (1, 0, 0)), ("quotient", (1, 0, 1, 0))),
        (("quotient", (0, 1, 1, 0)), ("quotient", (0, 1, 1, 0))),
        (("quadratic", (1, 0, 0)), ("quotient", (1, 1, 1, 0)), ("abs", (1, 1, 0))),
        (("cos", (1, 1, 0, 0)), ("quadratic", (1, 0, -1)), ("quotient", (1, 2, 1, 0))),
        (("sin", (2, 1, 0, 0)), ("abs", (1, 1, 0)), ("quadratic", (1, -2, 1))),
        # Values that are equal but for 1e-17 and those that 64 bits do not hold.
        (("exp", (1, -2, 1)), ("abs", (1, 1, 0))),
        (*[("quadratic", (5, 5, 5))] * 6, ("abs", (1, 0, 0))),
        (*[("quadratic", (5, 5, 5))] * 4, ("sin", (1, 3, 0, 0))),
        (("quotient", (1, 0, 1, -1)), ("sin", (1, 3, 1, 0))),
    ],
)
def test_exact_coincidences_and_large_values(function: Function) -> None:
    for low, high in (*PARTS, (Fraction(-1), Fraction(1))):
        compare(function, low, high)


@pytest.mark.parametrize("n", [1, 2, 5, 8])
def test_kernels_draw_the_same_functions(n: int) -> None:
    kinds, layers = np.empty(n, np.int64), np.empty((n, 4), np.int64)
    for key in range(300):
        draws = RowDraws(7_919 * key + n)
        function = draw_function(draws, n)
        at = draw_layers(np.uint64(7_919 * key + n), 0, kinds, layers)
        assert decoded(kinds.tolist(), layers.tolist()) == function
        # The next draw of both is the same.
        assert RowDraws(7_919 * key + n + at * 0x9E3779B97F4A7C15).bits() == draws.bits()


@pytest.mark.parametrize("level", [1, 3, 6])
@pytest.mark.parametrize(
    "name",
    [
        "algebra_func_derivative_sign",
        "algebra_func_extrema",
        "algebra_func_extrema_coords",
        "algebra_func_zeros",
    ],
)
def test_kernels_give_the_rows_that_exact_counts_give(name: str, level: int) -> None:
    generator = generator_class(name)(levels=(level,))
    rows = Rows.span(77, 0, 25)
    problems = generator.draw(rows)
    alone = [generator.make(level, draws) for draws in rows.each()]
    assert problems.parts["made"] == alone
    codes = [problems.derivations.row(i).tolist() for i in range(len(rows))]
    assert codes == [tree_codes(one.tree, generator.signature) if one else [] for one in alone]
