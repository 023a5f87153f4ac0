"""Meetings of graphs from the text: worked examples; touching graphs have no answer."""

from __future__ import annotations

import pyarrow as pa
import pytest

from synthgen.verifiers.omega.algebra.algebra_func_intersection import VERIFIER

QUESTION = (
    "Given f(x) = {}; g(x) = {}, count the different solutions of f(x) = g(x) in the closed"
    " interval [-10, 10]. At a solution both functions must be defined. Answer with an integer."
)


@pytest.mark.parametrize(
    ("f", "g", "answer"),
    [
        ("2*abs(x - 1) - 3", "x - 1", "2"),
        ("2*cos(pi*x)", "x", "5"),
        ("(x + 1)/x", "x", "2"),
        ("exp(x)", "2*x + 1", "2"),
        ("exp(x)", "-x^2", "0"),
        # A meeting at a crest of f, where g is steep.
        ("cos(pi*x)", "3*x + 1", "1"),
        # A pole of g where f turns.
        ("abs(x - 3)", "(2*x + 1)/(x - 3)", "1"),
        ("x^2", "2*x - 1", None),
        ("abs(x)", "x", None),
    ],
)
def test_examples_by_hand(f: str, g: str, answer: str | None) -> None:
    prompt = QUESTION.format(f, g)
    assert VERIFIER.answer(prompt) == answer
    assert VERIFIER.answer(QUESTION.format(g, f)) == answer
    if answer is not None:
        assert VERIFIER.symbolic(pa.array([prompt]), pa.array([answer])).all()


def test_one_function_is_no_pair() -> None:
    assert VERIFIER.answer(QUESTION.replace("; g(x) = {}", "").format("x")) is None
