"""Roots of common divisors from the text."""

from __future__ import annotations

import pyarrow as pa
import pytest

from synthgen.verifiers.omega.composition.comp_polynomial_gcd import VERIFIER


def accepts(prompt: str, answer: str, way: str | None = None) -> bool:
    ways = None if way is None else pa.array([way])
    return bool(VERIFIER.check(pa.array([prompt]), pa.array([answer]), ways)[0])


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        (
            "Let p(x) = x^3 - 2*x^2 - 5*x + 6 and q(x) = x^3 - 9*x^2 + 23*x - 15. All"
            " roots of the greatest common divisor of these two polynomials are"
            " rational. Take the second-largest of its different roots, or its root"
            " if it has only one. Write it as n/m in lowest terms with m positive,"
            " where m is one for an integer, and give the integer n + m.",
            "2",
        ),
        (
            "Let p(x) = x^2 - 2*x + 1 and q(x) = -x^2 + 1. All roots of the greatest"
            " common divisor of these two polynomials are rational. Take the"
            " second-largest of its different roots, or its root if it has only one."
            " Write it as n/m in lowest terms with m positive, where m is one for an"
            " integer, and give the integer n + m.",
            "2",
        ),
        (
            "Let p(x) = 2*x^2 + x - 1 and q(x) = 4*x^2 - 1. All roots of the greatest"
            " common divisor of these two polynomials are rational. Take the"
            " second-largest of its different roots, or its root if it has only one."
            " Write it as n/m in lowest terms with m positive, where m is one for an"
            " integer, and give the integer n + m.",
            "3",
        ),
    ],
)
def test_examples_by_hand(prompt: str, answer: str) -> None:
    assert accepts(prompt, answer)
    assert VERIFIER.symbolic(pa.array([prompt]), pa.array([answer])).all()
    wrong = str(int(answer) + 1)
    assert not accepts(prompt, wrong)
    assert not VERIFIER.symbolic(pa.array([prompt]), pa.array([wrong])).any()


@pytest.mark.parametrize(
    "statement",
    [
        (
            "Let p(x) = x^2 - 2 and q(x) = x^3 - 2*x. All roots of the greatest"
            " common divisor of these two polynomials are rational. Take the"
            " second-largest of its different roots, or its root if it has only one."
            " Write it as n/m in lowest terms with m positive, where m is one for an"
            " integer, and give the integer n + m."
        ),
        (
            "Let p(x) = x - 1 and q(x) = x - 2. All roots of the greatest common"
            " divisor of these two polynomials are rational. Take the second-largest"
            " of its different roots, or its root if it has only one. Write it as n/m"
            " in lowest terms with m positive, where m is one for an integer, and"
            " give the integer n + m."
        ),
        (
            "Let p(x) = 5 and q(x) = x - 2. All roots of the greatest common divisor"
            " of these two polynomials are rational. Take the second-largest of its"
            " different roots, or its root if it has only one. Write it as n/m in"
            " lowest terms with m positive, where m is one for an integer, and give"
            " the integer n + m."
        ),
        (
            "Let p(x) = y - 1 and q(x) = x - 1. All roots of the greatest common"
            " divisor of these two polynomials are rational. Take the second-largest"
            " of its different roots, or its root if it has only one. Write it as n/m"
            " in lowest terms with m positive, where m is one for an integer, and"
            " give the integer n + m."
        ),
    ],
)
def test_other_statements_are_none_of_this_family(statement: str) -> None:
    assert VERIFIER.answer(statement) is None


def test_steps_must_be_the_way_to_the_answer() -> None:
    prompt = (
        "Let p(x) = 2*x^2 + x - 1 and q(x) = 4*x^2 - 1. All roots of the greatest"
        " common divisor of these two polynomials are rational. Take the"
        " second-largest of its different roots, or its root if it has only one."
        " Write it as n/m in lowest terms with m positive, where m is one for an"
        " integer, and give the integer n + m."
    )
    way = "gcd: 2*x - 1\nroots: 1/2\n1 + 2 = 3"
    assert accepts(prompt, "3", way)
    for other in [
        "gcd: 4*x - 2\nroots: 1/2\n1 + 2 = 3",
        "gcd: 2*x - 1\nroots: 1/2, -1\n1 + 2 = 3",
        "1 + 2 = 3",
    ]:
        assert not accepts(prompt, "3", other)
