"""Ranks of matrices by formula from the text."""

from __future__ import annotations

import pyarrow as pa
import pytest

from synthgen.verifiers.omega.transformation.trans_matrix_rank import VERIFIER


def accepts(prompt: str, answer: str, way: str | None = None) -> bool:
    ways = None if way is None else pa.array([way])
    return bool(VERIFIER.check(pa.array([prompt]), pa.array([answer]), ways)[0])


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        (
            "A matrix has 20 rows and 20 columns, both numbered from one. Its entry"
            " in row i and column j is i + j. What is the rank of the matrix over the"
            " rational numbers? Give an integer.",
            "2",
        ),
        (
            "A matrix has 21 rows and 21 columns, both numbered from one. Its entry"
            " in row i and column j is the remainder of i*j on division by 7. What is"
            " the rank of the matrix over the rational numbers? Give an integer.",
            "4",
        ),
        (
            "A matrix has 20 rows and 20 columns, both numbered from one. Its entry"
            " in row i and column j is (i + j)^2. What is the rank of the matrix over"
            " the rational numbers? Give an integer.",
            "3",
        ),
        (
            "A matrix has 20 rows and 20 columns, both numbered from one. Its entry"
            " in row i and column j is the larger of i and j. What is the rank of the"
            " matrix over the rational numbers? Give an integer.",
            "20",
        ),
        (
            "A matrix has 24 rows and 24 columns, both numbered from one. Its entry"
            " in row i and column j is one if i + j is divisible by 5, and zero"
            " otherwise. What is the rank of the matrix over the rational numbers?"
            " Give an integer.",
            "5",
        ),
        (
            "A matrix has 20 rows and 20 columns, both numbered from one. Its entry"
            " in row i and column j is -3*i^2*j + 4. What is the rank of the matrix"
            " over the rational numbers? Give an integer.",
            "2",
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
            "A matrix has 99 rows and 99 columns, both numbered from one. Its entry"
            " in row i and column j is i + j. What is the rank of the matrix over the"
            " rational numbers? Give an integer."
        ),
        (
            "A matrix has 20 rows and 20 columns, both numbered from one. Its entry"
            " in row i and column j is i + k. What is the rank of the matrix over the"
            " rational numbers? Give an integer."
        ),
        (
            "A matrix has 20 rows and 20 columns, both numbered from one. Its entry"
            " in row i and column j is i*i. What is the rank of the matrix over the"
            " rational numbers? Give an integer."
        ),
        (
            "A matrix has 20 rows and 20 columns, both numbered from one. Its entry"
            " in row i and column j is ij. What is the rank of the matrix over the"
            " rational numbers? Give an integer."
        ),
        (
            "A matrix has 20 rows and 20 columns, both numbered from one. Its entry"
            " in row i and column j is 1*i. What is the rank of the matrix over the"
            " rational numbers? Give an integer."
        ),
        (
            "A matrix has 20 rows and 20 columns, both numbered from one. Its entry"
            " in row i and column j is i + . What is the rank of the matrix over the"
            " rational numbers? Give an integer."
        ),
    ],
)
def test_other_statements_are_none_of_this_family(statement: str) -> None:
    assert VERIFIER.answer(statement) is None
