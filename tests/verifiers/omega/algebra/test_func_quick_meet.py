"""Quick counts of meetings and the boxes they are made of, against long integers."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from synthgen.core.randomness import Rows
from synthgen.generators.omega.algebra._func_layers import draw_function
from synthgen.verifiers.omega.algebra import _func_boxes as boxes
from synthgen.verifiers.omega.algebra import _func_quick_meet as quick
from synthgen.verifiers.omega.algebra._func_fixed import OpenError, bounds
from synthgen.verifiers.omega.algebra._func_meet import _onward, _slope_range
from synthgen.verifiers.omega.algebra._func_quick import coded
from synthgen.verifiers.omega.algebra._func_read import Layer, Layers
from synthgen.verifiers.omega.algebra._func_verifier import settled_pair

BITS = 200
LAYERS: tuple[Layer, ...] = (
    ("linear", (-3, 2)),
    ("quadratic", (2, -5, 3)),
    ("abs", (-2, 3, 1)),
    ("quotient", (2, -1, 3, 2)),
    ("exp", (-2, 2, 1)),
    ("exp", (3, -1, 0)),
    ("sin", (2, 3, -1, 1)),
    ("cos", (-3, 1, 2, 0)),
    ("cos", (1, 2, 0, -1)),
    ("sin", (1, 1, 170_001, 0)),
    ("cos", (2, 1, 99_990, 0)),
)


def count(f: Layers, g: Layers, reach: int) -> int | None:
    return settled_pair(f, g, reach, lambda meeting: len(meeting.cells()))


@pytest.mark.parametrize("level", range(1, 8))
def test_random_pairs_meet_as_often_as_in_long_integers(level: int) -> None:
    settled = 0
    for draws in Rows.span(level, 0, 24).each():
        f, g = draw_function(draws, level + 1), draw_function(draws, level)
        found = quick.meetings(f, g, 5)
        settled += found is not None
        assert found is None or found == count(f, g, 5), (f, g)
    assert settled > 6


@pytest.mark.parametrize(
    ("f", "g", "n"),
    [
        (("abs", (2, 1, -3)), ("linear", (1, -1)), 2),
        (("cos", (2, 1, 0, 0)), ("linear", (1, 0)), 5),
        (("quotient", (1, 1, 1, 0)), ("linear", (1, 0)), 2),
        (("exp", (1, 1, 0)), ("linear", (2, 1)), 2),
        # A meeting at a crest of f, where g is steep.
        (("cos", (1, 1, 0, 0)), ("linear", (3, 1)), 1),
        # A pole of g where f turns, and poles at one place: neither is for floats.
        (("abs", (1, 3, 0)), ("quotient", (2, 1, 1, -3)), None),
        (("quotient", (0, 1, 1, 0)), ("quotient", (0, 2, 1, 0)), None),
        # Graphs that touch, meet at a corner, or coincide; a pole at an end.
        (("quadratic", (1, 0, 0)), ("linear", (2, -1)), None),
        (("abs", (1, 0, 0)), ("linear", (1, 0)), None),
        (("linear", (1, 0)), ("linear", (1, 0)), None),
        (("quotient", (1, 1, 1, -10)), ("linear", (1, 0)), None),
    ],
)
def test_examples_by_hand(f: Layer, g: Layer, n: int | None) -> None:
    assert quick.meetings((f,), (g,), 10) == n
    assert quick.meetings((g,), (f,), 10) == n


def test_a_meeting_beside_a_pole_is_not_overlooked() -> None:
    """The hyperbola comes down to the line at 5e-10, where the piece about its pole goes on."""
    hyperbola: Layers = (("quotient", (0, 1, 1, 0)),)
    line: Layers = (("linear", (1, 2_000_000_000)),)
    assert quick.meetings(hyperbola, line, 10) is None
    assert count(hyperbola, line, 10) == 1
    assert quick.meetings(hyperbola, (("linear", (1, 1_000)),), 10) == 1


@pytest.mark.parametrize(
    ("f", "g"),
    [
        (
            (("quadratic", (-2, 4, 4)), ("quadratic", (4, 1, 4)), ("exp", (2, 1, 2))),
            (("quadratic", (-4, 2, 3)),),
        ),
        (
            (("quadratic", (-5, 4, 2)), ("exp", (-2, -1, -3)), ("quotient", (3, 0, 2, 2))),
            (("linear", (-3, -1)),),
        ),
    ],
)
def test_large_powers_are_left_to_long_integers(f: Layers, g: Layers) -> None:
    """There one side may be too small for any precision, and floats are to know no more."""
    assert quick.meetings(f, g, 10) is None


@pytest.mark.parametrize("layer", LAYERS)
def test_boxes_hold_values_and_slopes(layer: Layer) -> None:
    rng = np.random.default_rng(5)
    kinds, layers = coded((layer,))
    one = 1 << BITS
    for size in (1.0, 30.0, 1e4):
        for width in (0.0, 1e-9, 0.1):
            low = float(rng.uniform(-size, size))
            exact = [bounds(Fraction(end), BITS) for end in (low, low + width)]
            for box, bound in (
                (boxes.onward, _onward),
                (boxes.slope, _slope_range),
            ):
                least, most = box(kinds[0], layers[0], (low, low + width))
                for place in exact:
                    try:
                        below, above = bound(layer, place, BITS)
                    except OpenError:
                        continue
                    assert least == -math.inf or Fraction(least) * one <= above
                    assert most == math.inf or Fraction(most) * one >= below


def test_boxes_of_large_numbers_keep_what_is_known() -> None:
    kinds, layers = coded(
        (("exp", (1, 2, 0)), ("quotient", (3, 1, 2, 0)), ("quadratic", (1, 0, 0)))
    )
    assert boxes.onward(kinds[0], layers[0], (400.0, 401.0))[0] > 1e250
    assert boxes.onward(kinds[0], layers[0], (-401.0, -400.0))[1] < 1e-250
    low, high = boxes.onward(kinds[1], layers[1], (1e100, math.inf))
    assert 1.499 < low <= 1.5 <= high < 1.501
    assert boxes.onward(kinds[1], layers[1], (-1.0, 1.0)) == (-math.inf, math.inf)
    low, high = boxes.onward(kinds[2], layers[2], (1e200, math.inf))
    assert low > 0.99 * boxes._LARGE
    assert high == math.inf
    assert boxes.times((0.0, 1.0), (1.0, math.inf)) == (-math.inf, math.inf)


def test_the_kernels_do_what_their_python_does() -> None:
    f, g = coded((("cos", (2, 1, 1, 0)),)), coded((("quotient", (1, 1, 1, 0)),))
    assert quick._meetings.py_func(*f, *g, 3) == quick._meetings(*f, *g, 3)
    for layer in LAYERS:
        kinds, layers = coded((layer,))
        for kernel in (boxes.onward, boxes.slope):
            given = kinds[0], layers[0], (1.25, 1.5)
            assert kernel.py_func(*given) == kernel(*given)


def test_many_meetings_are_counted() -> None:
    assert quick.meetings((("sin", (3, 3, 0, 0)),), (("linear", (1, 0)),), 100) == 19
