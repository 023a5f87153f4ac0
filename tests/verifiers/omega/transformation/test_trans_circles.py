"""Touching circles from the text."""

from __future__ import annotations

import pyarrow as pa
import pytest

from synthgen.verifiers.omega.transformation.trans_circles import VERIFIER


def accepts(prompt: str, answer: str, way: str | None = None) -> bool:
    ways = None if way is None else pa.array([way])
    return bool(VERIFIER.check(pa.array([prompt]), pa.array([answer]), ways)[0])


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        (
            "Three circles have the radii 1/2, 1/3 and 1/6, and each of them touches"
            " the other two from outside. A small circle in the gap between them"
            " touches all three. What is the reciprocal of its radius? Give an"
            " integer.",
            "23",
        ),
        (
            "Three circles have the radii 1/2, 1/3 and 1/6, and each of them touches"
            " the other two from outside. A large circle contains all of them and"
            " touches all three. What is the reciprocal of its radius? Give an"
            " integer.",
            "1",
        ),
        (
            "Three circles have the radii 1/2, 1/3 and 1/6, and each of them touches"
            " the other two from outside. A chain of circles begins in the gap"
            " between them: the first circle of the chain touches all three; each"
            " later circle of the chain lies in the gap between the given circles of"
            " radii 1/3 and 1/2 and the previous circle of the chain, and touches"
            " these three. What is the reciprocal of the radius of circle number 2 of"
            " the chain? Give an integer.",
            "50",
        ),
        (
            "Two circles have the radii 1 and 1/4, touch each other from outside, and"
            " both touch the same straight line. A small circle between them and the"
            " line touches both circles and the line. What is the reciprocal of its"
            " radius? Give an integer.",
            "9",
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
            "Three circles have the radii 1/2, 1/3 and 1/5, and each of them touches"
            " the other two from outside. A small circle in the gap between them"
            " touches all three. What is the reciprocal of its radius? Give an"
            " integer."
        ),
        (
            "Three circles have the radii 1/2 and 1/3, and each of them touches the"
            " other two from outside. A small circle in the gap between them touches"
            " all three. What is the reciprocal of its radius? Give an integer."
        ),
        (
            "Three circles have the radii 1/2, 1/3 and 6, and each of them touches"
            " the other two from outside. A small circle in the gap between them"
            " touches all three. What is the reciprocal of its radius? Give an"
            " integer."
        ),
        (
            "Three circles have the radii 1/2, 1/3 and 1/6, and each of them touches"
            " the other two from outside. A chain of circles begins in the gap"
            " between them: the first circle of the chain touches all three; each"
            " later circle of the chain lies in the gap between the given circles of"
            " radii 1/3 and 1/3 and the previous circle of the chain, and touches"
            " these three. What is the reciprocal of the radius of circle number 2 of"
            " the chain? Give an integer."
        ),
        (
            "Three circles have the radii 1/2, 1/3 and 1/6, and each of them touches"
            " the other two from outside. A chain of circles begins in the gap"
            " between them: the first circle of the chain touches all three; each"
            " later circle of the chain lies in the gap between the given circles of"
            " radii 1/3 and 1/2 and the previous circle of the chain, and touches"
            " these three. What is the reciprocal of the radius of circle number 1 of"
            " the chain? Give an integer."
        ),
    ],
)
def test_other_statements_are_none_of_this_family(statement: str) -> None:
    assert VERIFIER.answer(statement) is None


def test_steps_must_be_the_way_to_the_answer() -> None:
    prompt = (
        "Three circles have the radii 1/2, 1/3 and 1/6, and each of them touches the"
        " other two from outside. A small circle in the gap between them touches all"
        " three. What is the reciprocal of its radius? Give an integer."
    )
    way = "2 * 3 + 3 * 6 + 6 * 2 = 36 = 6^2\n11 + 2 * 6 = 23"
    assert accepts(prompt, "23", way)
    for other in ["11 + 2 * 6 = 23", "2 * 3 + 3 * 6 + 6 * 2 = 36 = 6^2\n11 - 2 * 6 = 23"]:
        assert not accepts(prompt, "23", other)
