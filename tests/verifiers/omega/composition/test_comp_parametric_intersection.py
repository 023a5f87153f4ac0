"""Curves with random coefficients from the text."""

from __future__ import annotations

import pyarrow as pa
import pytest

from synthgen.verifiers.omega.composition.comp_parametric_intersection import VERIFIER


def accepts(prompt: str, answer: str, way: str | None = None) -> bool:
    ways = None if way is None else pa.array([way])
    return bool(VERIFIER.check(pa.array([prompt]), pa.array([answer]), ways)[0])


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        (
            "Two curves in the plane have the equations y = x^2 and y = b*x + c,"
            " where b is drawn from {0, 1} and c from {-1, 1}, uniformly and"
            " independently of each other. Find the probability that the curves meet."
            " If this value is P/Q in lowest terms, where Q is one for an integer,"
            " what is P + Q? Give an integer.",
            "3",
        ),
        (
            "Two curves in the plane have the equations x^2 + y^2 = r and y = x + c,"
            " where r is drawn from {1, 2} and c from {2, 3}, uniformly and"
            " independently of each other. Find the probability that the curves meet."
            " If this value is P/Q in lowest terms, where Q is one for an integer,"
            " what is P + Q? Give an integer.",
            "5",
        ),
        (
            "Two curves in the plane have the equations y = a*|x - 1| + 2 and y = c,"
            " where a is drawn from {-1, 1} and c from {1, 2}, uniformly and"
            " independently of each other. Find the probability that the curves meet."
            " If this value is P/Q in lowest terms, where Q is one for an integer,"
            " what is P + Q? Give an integer.",
            "7",
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
            "Two curves in the plane have the equations y = x^2 and y = b*x + c,"
            " where b is drawn from {0, 0} and c from {-1, 1}, uniformly and"
            " independently of each other. Find the probability that the curves meet."
            " If this value is P/Q in lowest terms, where Q is one for an integer,"
            " what is P + Q? Give an integer."
        ),
        (
            "Two curves in the plane have the equations y = x^2 and y = b*x, where b"
            " is drawn from {0, 1} and c from {-1, 1}, uniformly and independently of"
            " each other. Find the probability that the curves meet. If this value is"
            " P/Q in lowest terms, where Q is one for an integer, what is P + Q? Give"
            " an integer."
        ),
        (
            "Two curves in the plane have the equations y = x^2 and y = b*x + b,"
            " where b is drawn from {0, 1} and c from {-1, 1}, uniformly and"
            " independently of each other. Find the probability that the curves meet."
            " If this value is P/Q in lowest terms, where Q is one for an integer,"
            " what is P + Q? Give an integer."
        ),
        (
            "Two curves in the plane have the equations y = x^2 and y = b*x - c,"
            " where b is drawn from {0, 1} and c from {-9, -8}, uniformly and"
            " independently of each other. Find the probability that the curves meet."
            " If this value is P/Q in lowest terms, where Q is one for an integer,"
            " what is P + Q? Give an integer."
        ),
    ],
)
def test_other_statements_are_none_of_this_family(statement: str) -> None:
    assert VERIFIER.answer(statement) is None


def test_steps_must_be_the_way_to_the_answer() -> None:
    prompt = (
        "Two curves in the plane have the equations y = x^2 and y = b*x + c, where b"
        " is drawn from {0, 1} and c from {-1, 1}, uniformly and independently of"
        " each other. Find the probability that the curves meet. If this value is P/Q"
        " in lowest terms, where Q is one for an integer, what is P + Q? Give an"
        " integer."
    )
    way = "choices: 2 * 2 = 4\nmeet: 2\n1/2: 1 + 2 = 3"
    assert accepts(prompt, "3", way)
    for other in ["choices: 2 * 2 = 4\nmeet: 3\n1/2: 1 + 2 = 3", "meet: 2\n1/2: 1 + 2 = 3"]:
        assert not accepts(prompt, "3", other)
