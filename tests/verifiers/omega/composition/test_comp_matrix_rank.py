"""Ranks of randomly filled matrices from the text."""

from __future__ import annotations

import pyarrow as pa
import pytest

from synthgen.verifiers.omega.composition.comp_matrix_rank import VERIFIER

END = (
    " Write this value as a fraction in lowest terms (an integer has the denominator one) and give"
    " the sum of its numerator and its denominator, an integer."
)


def accepts(prompt: str, answer: str, way: str | None = None) -> bool:
    ways = None if way is None else pa.array([way])
    return bool(VERIFIER.check(pa.array([prompt]), pa.array([answer]), ways)[0])


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        (
            "In the matrix [[*, *], [*, *]], the stars are replaced by the numbers 0,"
            " 1, 1, 0 in a random order, each number being used once and all orders"
            " being equally likely. What is the probability that the resulting matrix"
            " has rank 2?" + END,
            "4",
        ),
        (
            "In the matrix [[*, *], [*, *]], every star is replaced by a number that"
            " is drawn at random from {0, 1}, each element being equally likely,"
            " independently of the other stars. What is the probability that the"
            " resulting matrix has rank 1?" + END,
            "25",
        ),
        (
            "In the matrix [[1, 2], [*, 4]], every star is replaced by a number that"
            " is drawn at random from {2, 0}, each element being equally likely,"
            " independently of the other stars. What is the probability that the"
            " resulting matrix has rank 1?" + END,
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
            "In the matrix [[*, *], [*, *]], the stars are replaced by the numbers 0,"
            " 1, 1 in a random order, each number being used once and all orders"
            " being equally likely. What is the probability that the resulting matrix"
            " has rank 2?" + END
        ),
        (
            "In the matrix [[*, *], [*]], every star is replaced by a number that is"
            " drawn at random from {0, 1}, each element being equally likely,"
            " independently of the other stars. What is the probability that the"
            " resulting matrix has rank 1?" + END
        ),
        (
            "In the matrix [[*, *], [*, *]], every star is replaced by a number that"
            " is drawn at random from {1, 1}, each element being equally likely,"
            " independently of the other stars. What is the probability that the"
            " resulting matrix has rank 1?" + END
        ),
        (
            "In the matrix [[1, 2], [3, 4]], every star is replaced by a number that"
            " is drawn at random from {0, 1}, each element being equally likely,"
            " independently of the other stars. What is the probability that the"
            " resulting matrix has rank 1?" + END
        ),
    ],
)
def test_other_statements_are_none_of_this_family(statement: str) -> None:
    assert VERIFIER.answer(statement) is None


def test_steps_must_be_the_way_to_the_answer() -> None:
    prompt = (
        "In the matrix [[*, *], [*, *]], the stars are replaced by the numbers 0, 1,"
        " 1, 0 in a random order, each number being used once and all orders being"
        " equally likely. What is the probability that the resulting matrix has rank"
        " 2?" + END
    )
    way = "rank 0: 0\nrank 1: 4\nrank 2: 2\n2 of 6\n1/3: 1 + 3 = 4"
    assert accepts(prompt, "4", way)
    for other in ["rank 1: 4\nrank 2: 2\n2 of 6\n1/3: 1 + 3 = 4", "2 of 6\n1/3: 1 + 3 = 4"]:
        assert not accepts(prompt, "4", other)
