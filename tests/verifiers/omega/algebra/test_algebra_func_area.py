"""Areas from the text: worked examples; poles, ties and reversed ends have no answer."""

from __future__ import annotations

import pyarrow as pa
import pytest

from synthgen.verifiers.omega.algebra.algebra_func_area import VERIFIER

QUESTION = (
    "Given f(x) = {}; g(x) = {}, integrate the absolute value of f(x) - g(x) from x = {} to x = {}."
    " Give the result rounded to one decimal."
)


@pytest.mark.parametrize(
    ("f", "g", "low", "high", "answer"),
    [
        ("x^2 - 4", "x + 2", "-2.0", "3.0", "20.8"),
        ("-abs(x - 1) + 3", "x - 2", "1.0", "3.0", "4.0"),
        ("2*x", "x", "-1.0", "2.0", "2.5"),
        ("exp(x)", "-x", "0.0", "1.0", "2.2"),  # e - 1 + 1/2 = 2.218
        ("(x + 2)/(x + 1)", "-x + 1", "0.0", "1.0", "1.2"),  # ln 2 + 1/2 = 1.193
        ("(x + 1)/x", "x", "-1.0", "2.0", None),
        ("x", "-x", "1.0", "1.0", None),
        ("x", "-x", "2.0", "1.0", None),
        ("3*x", "x", "0.0", "0.5", None),  # 0.25 is a tie
        ("x", "-x", "-0.5", "500.0", None),
    ],
)
def test_examples_by_hand(f: str, g: str, low: str, high: str, answer: str | None) -> None:
    prompt = QUESTION.format(f, g, low, high)
    assert VERIFIER.answer(prompt) == answer
    if answer is not None:
        assert VERIFIER.symbolic(pa.array([prompt]), pa.array([answer])).all()
        assert not VERIFIER.check(pa.array([prompt]), pa.array([answer + "0"]), None).any()
