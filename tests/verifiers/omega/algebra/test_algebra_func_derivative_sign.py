"""Signs of derivatives from the text: worked examples and the published miscount."""

from __future__ import annotations

import pyarrow as pa
import pytest

from synthgen.verifiers.omega.algebra.algebra_func_derivative_sign import VERIFIER

QUESTION = (
    "Given f(x) = {}, count the maximal open subintervals of (-10, 10) on which the derivative of f"
    " exists and is {} everywhere. Answer with an integer."
)


@pytest.mark.parametrize(
    ("formula", "rising", "falling"),
    [
        ("abs((x^2 - 4))", 2, 2),
        ("3*cos(pi*x - 2) + 1", 11, 10),
        ("-2*cos(3*pi*(4*x + 4)) - 1", 120, 120),
        ("x/(x - 1)", 0, 2),
        ("((x + 1)/x + 1)/((x + 1)/x)", None, None),
        ("(((x + 1)/x) + 1)/((x + 1)/x)", 3, 0),
        ("-3*x + 1", 0, 1),
        ("-exp(-2*x)", 1, 0),
    ],
)
def test_examples_by_hand(formula: str, rising: int | None, falling: int | None) -> None:
    for what, count in (("positive", rising), ("negative", falling)):
        prompt = QUESTION.format(formula, what)
        assert VERIFIER.answer(prompt) == (None if count is None else str(count))
        if count is not None:
            assert VERIFIER.symbolic(pa.array([prompt]), pa.array([str(count)])).all()
            assert not VERIFIER.check(pa.array([prompt]), pa.array([str(count + 1)]), None).any()
