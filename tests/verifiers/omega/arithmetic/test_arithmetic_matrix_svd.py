"""Singular values from the text: published examples, multiple and vanishing ones."""

from __future__ import annotations

import pytest

from synthgen.verifiers.omega.arithmetic.arithmetic_matrix_svd import VERIFIER
from tests.verifiers.omega.arithmetic.matrix_checks import both_answer

LARGEST = "What is the largest singular value of {}, rounded to the nearest integer?"
SUM = "What is the sum of all singular values of {}, rounded to the nearest integer?"
SPREAD = (
    "By how much does the largest singular value of {} exceed the smallest? Round the difference "
    "to the nearest integer."
)
DIAGONAL = [[3, 0, 0, 0], [0, -4, 0, 0], [0, 0, 1, 0], [0, 0, 0, 2]]
GENERAL = [[1, 2, 0, -1], [0, 3, 1, 2], [-2, 0, 1, 1], [4, -1, 0, 2]]


@pytest.mark.parametrize(
    ("question", "matrix", "answer"),
    [
        (SUM, DIAGONAL, "10"),
        (SPREAD, DIAGONAL, "3"),
        (LARGEST, GENERAL, "5"),
        (LARGEST, [[1, 1], [1, 1]], "2"),
        (SUM, [[1, 1], [1, 1]], "2"),
        (SPREAD, [[0, 5], [-5, 0]], "0"),
        (SUM, [[0, 5], [-5, 0]], "10"),
        (SUM, [[0, 0], [0, 0]], "0"),
        (SUM, [[2] * 20] * 20, "40"),
        (LARGEST, [[1, 1], [0, 1]], "2"),  # the golden ratio
        (SPREAD, [[1, 1], [0, 1]], "1"),  # just 1: the golden ratio less its inverse
        (LARGEST, [[-6]], "6"),
    ],
)
def test_examples_by_hand(question: str, matrix: list[list[int]], answer: str) -> None:
    assert both_answer(VERIFIER, question.format(matrix), answer)


@pytest.mark.parametrize("matrix", [[[1, 2]], [[1], [2]], "A"])
def test_other_matrices_are_none_of_this_family(matrix: object) -> None:
    assert VERIFIER.answer(LARGEST.format(matrix)) is None
