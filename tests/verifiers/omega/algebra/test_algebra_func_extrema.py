"""Extrema from the text: worked examples and defects of the published counts."""

from __future__ import annotations

import pyarrow as pa
import pytest

from synthgen.verifiers.omega.algebra.algebra_func_extrema import VERIFIER

QUESTION = (
    "Given f(x) = {}, count the local {} of f in the open interval (-10, 10). They may lie at"
    " corners, where f has no derivative, but not where a denominator is zero. Answer with an"
    " integer."
)


@pytest.mark.parametrize(
    ("formula", "minima", "maxima"),
    [
        ("abs((x^2 - 4))", 2, 1),
        ("3*cos(pi*x - 2) + 1", 10, 10),
        ("abs((-3*cos(pi*x - 2) + 2)) + 3", 20, 20),
        ("2*exp((-x^2 + 2*x + 2)) - 2", 0, 1),
        ("x/(x - 1)", 0, 0),
        ("(x^2)^2", 1, 0),
        ("-abs((x^2))", 0, 1),
        ("((x^2) - 1)/(x^2)", 0, 0),
        ("(2*x + 3)/(x + 1)", 0, 0),
    ],
)
def test_examples_by_hand(formula: str, minima: int, maxima: int) -> None:
    counts = {"minima": minima, "maxima": maxima}
    for what, count in counts.items():
        prompt = QUESTION.format(formula, what)
        assert VERIFIER.answer(prompt) == str(count)
        assert VERIFIER.symbolic(pa.array([prompt]), pa.array([str(count)])).all()
    both = QUESTION.format(formula, "extrema (minima and maxima together)")
    assert VERIFIER.answer(both) == str(minima + maxima)


def test_a_statement_with_unequal_ends_is_none_of_this_family() -> None:
    prompt = QUESTION.format("x^2", "minima")
    assert VERIFIER.answer(prompt) == "1"
    assert VERIFIER.answer(prompt.replace("(-10, 10)", "(-10, 11)")) is None
    assert VERIFIER.answer(prompt.replace("(-10, 10)", "(-1000, 1000)")) is None
