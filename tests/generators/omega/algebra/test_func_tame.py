"""Shapes, regions and areas from kernels are those that Python finds."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from synthgen.core.randomness import Rows
from synthgen.generators.omega._draws import each_row
from synthgen.generators.omega.algebra import _func_area as areas
from synthgen.generators.omega.algebra._func_enclose import coded, enclose
from synthgen.generators.omega.algebra._func_heights import enclose_value
from synthgen.generators.omega.algebra._func_layers import Function, draw_function, points
from synthgen.generators.omega.algebra._func_meet import Pair
from synthgen.generators.omega.algebra._func_regions import DEFAULT_ENDS, regions
from synthgen.generators.omega.algebra._func_tame import Shape, exact_shape, shape_of
from synthgen.generators.omega.algebra._func_values import UndecidedError
from synthgen.generators.omega.algebra.algebra_func_area import AlgebraFuncArea

PARTS = (
    (Fraction(-10), Fraction(10)),
    (Fraction(-10), Fraction(7, 2)),
    (Fraction(-31, 10), Fraction(13, 5)),
)


def settled(function: Function, ends: tuple[Fraction, Fraction], *, exact: bool) -> Shape | None:
    try:
        return (exact_shape if exact else shape_of)(function, *ends)
    except UndecidedError:
        return None


@pytest.mark.parametrize("level", range(1, 8))
def test_shapes_are_those_of_exact_laps(level: int) -> None:
    for i, draws in enumerate(Rows.span(level, 0, 150).each()):
        function = draw_function(draws, level + 1)
        ends = PARTS[i % 3]
        assert settled(function, ends, exact=False) == settled(function, ends, exact=True)


@pytest.mark.parametrize(
    ("function", "shape"),
    [
        ((("linear", (2, 1)),), Shape(1, True, False)),
        ((("quotient", (0, 1, 1, 0)),), Shape(2, False, False)),
        # 1 / (1 / x) is undefined at 0, where it comes near to 0.
        ((("quotient", (0, 1, 1, 0)), ("quotient", (0, 1, 1, 0))), Shape(2, False, True)),
        # Undefined at an end.
        ((("quotient", (0, 1, 1, 10)),), Shape(1, False, True)),
        # e^(1 / x): on the left it comes near to 0.
        ((("quotient", (0, 1, 1, 0)), ("exp", (1, 1, 0))), Shape(2, False, True)),
    ],
)
def test_shapes_by_hand(function: Function, shape: Shape) -> None:
    assert shape_of(function, *PARTS[0]) == shape


@pytest.mark.parametrize("level", [1, 4, 7])
def test_regions_and_later_draws_are_those_of_python(level: int) -> None:
    rows = Rows.span(9, 0, 4)
    family = AlgebraFuncArea()
    for plain, draws in zip(rows.each(), each_row(rows), strict=True):
        kept = regions(draws, level, 40, 5, 4 * level)
        for _ in range(40):
            f, g = family.draw_functions(level, plain)
            if points(f) + points(g) + 2 < 4 * level:
                continue
            at = Pair(f, g).changes(-5, 5, 100)
            ends = DEFAULT_ENDS
            if len(at) > 1:
                place = plain.integer(0, len(at) - 1)
                low, high = (round(10 * end) for end in at[place : place + 2])
                ends = (low, high) if low < high else ends
            part = Fraction(ends[0], 10), Fraction(ends[1], 10)
            shapes = [settled(function, part, exact=True) for function in (f, g)]
            if all(shape is not None and shape.whole for shape in shapes):
                assert next(kept) == (f, g, ends)
                assert draws.integer(0, 1_000) == plain.integer(0, 1_000)
        assert next(kept, None) is None


@pytest.mark.parametrize("level", [1, 4, 7])
def test_values_are_enclosed_alike_with_and_without_derivatives(level: int) -> None:
    for draws in Rows.span(level, 0, 200).each():
        kinds, layers = coded(draw_function(draws, level + 1))
        low = 20 * draws.uniform() - 10
        for high in (low, low + draws.uniform()):
            full = enclose(kinds, layers, low, high)
            assert enclose_value(kinds, layers, low, high) == (full[0], full[2], full[4])


def left_to_right(f: Function, g: Function, low: float, high: float) -> tuple[float, float] | None:
    """Sum an area cell by cell from the left, each with the value at its middle."""
    first, second = coded(f), coded(g)
    error = areas._NARROW / (high - low)
    below, above, cells = 0.0, 0.0, 0
    waiting = [
        (low + (high - low) * i / 64, low + (high - low) * (i + 1) / 64) for i in range(63, -1, -1)
    ]
    while waiting:
        a, b = waiting.pop()
        cells += 1
        if cells > areas._MOST_CELLS:
            return None
        h, slope = areas.height(enclose(*first, a, b), enclose(*second, a, b))
        least, largest = 0.0, max(abs(h[0]), abs(h[1])) * (b - a)
        if areas.definite(h):
            x = a + (b - a) / 2
            at, _ = areas.height(enclose(*first, x, x), enclose(*second, x, x))
            spread = (b - a) * (b - a) / 8 * (slope[1] - slope[0])
            least = max(min(abs(at[0]), abs(at[1])) * (b - a) - spread, 0.0)
            largest = min(max(abs(at[0]), abs(at[1])) * (b - a) + spread, largest)
        if largest - least <= error * (b - a):
            below, above = below + least, above + largest
            continue
        middle = a + (b - a) / 2
        waiting += [(middle, b), (a, middle)]
    return below - areas._ROUNDING, above + areas._ROUNDING


@pytest.mark.parametrize("level", [2, 5])
def test_areas_are_those_of_cells_from_left_to_right(level: int) -> None:
    rows, found = Rows.span(6, 0, 6), 0
    for draws in each_row(rows):
        for f, g, ends in regions(draws, level, 8, 5, 0):
            low, high = ends[0] / 10, ends[1] / 10
            try:
                area = areas.area(f, g, low, high, 1e9)
            except UndecidedError:
                area = None
            found += area is not None
            assert area == left_to_right(f, g, low, high)
    assert found > 2


def test_kernels_of_areas_do_what_their_python_does() -> None:
    f, g = (("quadratic", (1, 0, -4)),), (("linear", (1, 2)),)
    given = (coded(f), coded(g), -2.0, 3.0, 100.0)
    compiled, enough = areas._cut(*given)
    plain, also_enough = areas._cut.py_func(*given)
    assert enough
    assert also_enough
    assert areas._summed.py_func(plain, 100.0) == areas._summed(compiled, 100.0)
    assert np.array_equal(plain.halves, compiled.halves)
