"""Zeros from the text: worked examples, forms of a definition, and other statements."""

from __future__ import annotations

import pyarrow as pa
import pytest

from synthgen.verifiers.omega.algebra._func_read import read_functions
from synthgen.verifiers.omega.algebra.algebra_func_zeros import VERIFIER

QUESTION = (
    "For {}, find the number of distinct x from -10 to 10 (both included) at which f is defined"
    " and equal to zero. Give an integer."
)


@pytest.mark.parametrize(
    ("formula", "answer"),
    [
        ("((2*x + 1)/(x - 3)) - 1", "1"),
        ("2*sin(3*pi*(5*x^2 + 3) + 1) - 1", "3000"),
        ("abs(x^2 - 4)", None),  # the argument of abs is a layer of its own, in parentheses
        ("abs((x^2 - 4))", "2"),
        ("(x^2 - 4)^2", "2"),
        ("sin(pi*x)", "21"),
        ("exp(x) - 1", "1"),
        ("2*exp((-x^2 + 2*x + 2)) - 2", "2"),
        ("B(A(x)) with A(x) = 1/x, B(x) = 1/x", None),
        ("2*(2*cos(pi*x) + 1)^2 - 2", "30"),
    ],
)
def test_examples_by_hand(formula: str, answer: str | None) -> None:
    prompt = QUESTION.format(f"f(x) = {formula}")
    assert VERIFIER.answer(prompt) == answer
    if answer is not None:
        assert VERIFIER.symbolic(pa.array([prompt]), pa.array([answer])).all()
        wrong = pa.array([str(int(answer) + 1)])
        assert not VERIFIER.check(pa.array([prompt]), wrong, None).any()


def test_a_chain_and_its_formula_are_one_function() -> None:
    chain = "f(x) = C(B(A(x))) with A(x) = 3*x - 2, B(x) = x/(x + 1), C(x) = -2*x^2 + x"
    nested = "f(x) = -2*((3*x - 2)/((3*x - 2) + 1))^2 + ((3*x - 2)/((3*x - 2) + 1))"
    assert read_functions(chain) == read_functions(nested) is not None


def test_waves_of_a_pole_have_no_answer() -> None:
    assert VERIFIER.answer(QUESTION.format("f(x) = sin(pi*((x + 1)/(x - 2)) + 1)")) is None


@pytest.mark.parametrize(
    "formula",
    [
        *("x^3", "x*x", "y + 1", "2x + 1", "sin(x)", "abs(2*x - 1)", "exp(x + 1)", "x/x", "0*x"),
        *("sin(pi*x) + cos(pi*x)", "exp((exp(x)))", "(x + 1)/(2*x + 2)", "x + (x + 1)", ""),
    ],
)
def test_other_formulas_are_none_of_this_family(formula: str) -> None:
    assert VERIFIER.answer(QUESTION.format(f"f(x) = {formula}")) is None
