"""Roots of polynomials from the text: published examples, repeated roots, and wrong ways."""

from __future__ import annotations

from fractions import Fraction
from math import prod

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.verifiers.omega.algebra._roots import primitive, rational_roots
from synthgen.verifiers.omega.algebra.algebra_polynomial_roots import VERIFIER

FORMAT = (
    "Write it as n/m in lowest terms with m positive, where m is one for an integer, and give the "
    "integer n + m."
)
QUESTION = "Let p(x) = {}. What is the second-largest of the different roots of p? " + FORMAT
CUBIC = QUESTION.format("30*x^3 - 17*x^2 - 11*x + 6")
WAY = """30*x^3 - 17*x^2 - 11*x + 6 = 0
2/3: (3*x - 2)*(10*x^2 + x - 3)
1/2: (2*x - 1)*(5*x + 3)
-3/5: (5*x + 3)*(1)
second 1/2, 1 + 2 = 3"""


def accepts(prompt: str, answer: str, way: str | None = None) -> bool:
    ways = None if way is None else pa.array([way])
    return bool(VERIFIER.check(pa.array([prompt]), pa.array([answer]), ways)[0])


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        (CUBIC, "3"),
        (QUESTION.format("150*x^4 + 335*x^3 - 649*x^2 + 88*x + 112"), "2"),
        (QUESTION.format("-(3/2)*x^3 + (17/20)*x^2 + (11/20)*x - (3/10)"), "3"),
        (QUESTION.format("x^3 - x"), "1"),
        (QUESTION.format("2*x^2 + 3*x"), "-1"),
        ("Let b be 5*6. " + QUESTION.format("b*x^3 - 17*x^2 - 11*x + 6"), "3"),
        ("Let f(x) = x^2 - 9. " + QUESTION.format("f(x - 2)"), "0"),
        ("Let f(x) = x^2 - 9. " + QUESTION.format("f(x + 2)"), "-4"),
        ("Let f(x) = x^2. Let g(x) = x^2 + 5*x - 6. " + QUESTION.format("2*f(x) - g(x)"), "3"),
        (
            "For which t does p(t) = t^2 - 4 vanish? Take the second-largest of these values. "
            + FORMAT,
            "-1",
        ),
    ],
)  # fmt: skip
def test_examples_by_hand(prompt: str, answer: str) -> None:
    assert accepts(prompt, answer)
    assert VERIFIER.symbolic(pa.array([prompt]), pa.array([answer])).all()
    assert not accepts(prompt, str(int(answer) + 1))


@pytest.mark.parametrize(
    "body", ["x^2 - 2", "x^2 + 1", "x^2 - 2*x + 1", "5", "x - x", "x^4 - 5*x^2 + 6", "x - 3"]
)
def test_without_two_different_roots_or_with_irrational_ones_there_is_no_answer(body: str) -> None:
    prompts = pa.array([QUESTION.format(body)] * 9)
    answers = pa.array([str(value) for value in range(-4, 5)])
    assert not VERIFIER.check(prompts, answers, None).any()
    assert not VERIFIER.symbolic(prompts, answers).any()


@pytest.mark.parametrize(
    "statement",
    [
        CUBIC.replace("p(x)", "p(t)"),
        CUBIC.replace("30*", "b*"),
        CUBIC.replace("x^3", "x^17"),
        CUBIC.replace("30*x^3", "f(x)"),
        QUESTION.format("f(x - 2)"),
        "Let f(x) = x^2 - 9. " + CUBIC,
        "Let f(t) = t^2 - 9. " + QUESTION.format("f(x - 2)"),
        "Let x = 3. " + CUBIC,
        CUBIC + " ",
    ],
)
def test_other_statements_are_none_of_this_family(statement: str) -> None:
    assert VERIFIER.problem(statement) is None or VERIFIER.answer(statement) is None


@pytest.mark.parametrize(
    "way",
    [
        "",
        WAY.replace("\nsecond 1/2, 1 + 2 = 3", ""),
        WAY.replace("second 1/2", "second 2/4"),
        WAY.replace("1 + 2 = 3", "2 + 1 = 3"),
        WAY.replace("30*x^3", "31*x^3"),
        WAY.replace("10*x^2", "11*x^2"),
        WAY.replace("2/3:", "3/2:"),
        WAY.replace("-3/5: (5*x + 3)*(1)\n", ""),
        WAY.replace("(5*x + 3)*(1)", "(5*x + 3)*(2)"),
        WAY + "\n" + WAY.splitlines()[-1],
        "\n".join([WAY.splitlines()[0], "1/2: (2*x - 1)*(15*x^2 - x - 6)",
                   "2/3: (3*x - 2)*(5*x + 3)", *WAY.splitlines()[-2:]]),
    ],
)  # fmt: skip
def test_steps_must_be_factors_from_the_largest_root_down(way: str) -> None:
    assert accepts(CUBIC, "3", WAY)
    assert not accepts(CUBIC, "3", way)


roots = st.lists(st.fractions(-60, 60, max_denominator=40), min_size=1, max_size=7)


@settings(max_examples=80, deadline=None, database=None)
@given(roots, st.sampled_from([1, -1, 6]), st.booleans())
def test_all_rational_roots_are_found(wanted: list[Fraction], times: int, more: bool) -> None:
    polynomial = [times]
    for root in wanted:
        low, high = -root.numerator, root.denominator
        polynomial = [
            a * low + b * high for a, b in zip([*polynomial, 0], [0, *polynomial], strict=True)
        ]
    if more:
        polynomial = [a + b for a, b in zip([*polynomial, 0, 0], [0, 0, *polynomial], strict=True)]
    found = rational_roots(primitive(polynomial))
    expected = {root: wanted.count(root) for root in wanted}
    assert found == (None if more else expected)
    assert prod(expected.values()) >= 1
