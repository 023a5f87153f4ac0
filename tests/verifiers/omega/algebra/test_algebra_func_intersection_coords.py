"""Places of meetings from the text: worked examples."""

from __future__ import annotations

import pyarrow as pa
import pytest

from synthgen.verifiers.omega.algebra.algebra_func_intersection_coords import VERIFIER

QUESTION = (
    "Consider f(x) = {}; g(x) = {} and the points, with x from -10 to 10, that both graphs have in"
    " common. {} Answer with the integer nearest to p."
)
LEFT = "Let p be the x-coordinate of number {} of these points, counted from the left."
RIGHT = "Let p be the x-coordinate of number {} of these points, counted from the right."
SUM, MEAN = "Let p be the sum of their x-coordinates.", "Let p be the mean of their x-coordinates."


@pytest.mark.parametrize(
    ("f", "g", "pick", "answer"),
    [
        ("(2*x - 1)^2 - 9", "x + 1", SUM, "1"),
        ("(2*x - 1)^2 - 9", "x + 1", RIGHT.format(1), "2"),
        ("(2*x - 1)^2 - 9", "x + 1", LEFT.format(1), "-1"),
        ("(2*x - 1)^2 - 9", "x + 1", LEFT.format(3), None),
        ("(2*x - 1)^2 - 9", "x + 1", MEAN, "1"),
        ("x^2 - 2", "x + 1", MEAN, None),  # exactly 1/2
        ("exp(x)", "-x", LEFT.format(1), "-1"),
        ("x^2 + 1", "x", SUM, None),
    ],
)
def test_examples_by_hand(f: str, g: str, pick: str, answer: str | None) -> None:
    prompt = QUESTION.format(f, g, pick)
    assert VERIFIER.answer(prompt) == answer
    if answer is not None:
        assert VERIFIER.symbolic(pa.array([prompt]), pa.array([answer])).all()
