"""Places of extrema from the text: worked examples, and ties that have no answer."""

from __future__ import annotations

import pytest

from synthgen.verifiers.omega.algebra.algebra_func_extrema_coords import VERIFIER

QUESTION = (
    "Let f(x) = {}. Consider all {} of f with -10 < x < 10; corners of the graph count, points"
    " where f is undefined do not. {} Round p to the nearest integer and give that integer."
)
LEFT = "Let p be the x-coordinate of number {} of these points, counted from the left."
RIGHT = "Let p be the x-coordinate of number {} of these points, counted from the right."
HIGHEST = "Let p be the x-coordinate of the one at which f has the greatest value."
LOWEST = "Let p be the x-coordinate of the one at which f has the least value."
MEAN = "Let p be the mean of their x-coordinates."


@pytest.mark.parametrize(
    ("formula", "what", "pick", "answer"),
    [
        ("2*(3*x - 4)^2 - 1", "minima", LEFT.format(1), "1"),
        ("abs((x^2 - 2*x - 8))", "minima", LEFT.format(1), "-2"),
        ("abs((x^2 - 2*x - 8))", "minima", RIGHT.format(1), "4"),
        ("abs((x^2 - 2*x - 8))", "minima", RIGHT.format(3), None),
        ("abs((x^2 - 2*x - 8))", "maxima", MEAN, "1"),
        ("abs((x^2 - 2*x - 8))", "minima", HIGHEST, None),  # both have the value 0
        ("x^2 - x", "minima", LEFT.format(1), None),  # at 1/2
        # Minima of |x^2 - 4| - 1 made corners of a quadratic: -5, and 1/2-ties aside.
        ("(abs((x^2 - 4)) - 2)^2 + (abs((x^2 - 4)) - 2)", "maxima", HIGHEST, "0"),
        ("sin(pi*x)", "maxima", LEFT.format(1), None),  # at -19/2
        ("sin(pi*x + 1)", "maxima", LEFT.format(1), "-10"),
        ("sin(pi*x + 1)", "maxima", RIGHT.format(1), "8"),
        ("2*x + 1", "minima", MEAN, None),
        ("(x^2 - 3)^2", "minima", LOWEST, None),
    ],
)
def test_examples_by_hand(formula: str, what: str, pick: str, answer: str | None) -> None:
    prompt = QUESTION.format(formula, f"local {what}", pick)
    assert VERIFIER.answer(prompt) == answer
