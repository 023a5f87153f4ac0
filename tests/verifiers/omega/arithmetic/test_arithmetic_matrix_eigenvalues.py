"""Eigenvalues from the text: published examples, signs, multiple and close eigenvalues."""

from __future__ import annotations

import pytest

from synthgen.verifiers.omega.arithmetic.arithmetic_matrix_eigenvalues import VERIFIER
from tests.verifiers.omega.arithmetic.matrix_checks import both_answer

LARGEST = (
    "What is the largest absolute value of an eigenvalue of {}? Round it to the nearest integer."
)
SUM = (
    "Add up the absolute values of all eigenvalues of {}, each as often as its multiplicity, and "
    "round the sum to the nearest integer."
)
SYMMETRIC = [[2, 1, 0], [1, 2, 1], [0, 1, 2]]


@pytest.mark.parametrize(
    ("question", "matrix", "answer"),
    [
        (LARGEST, [[3, 1, 2], [0, -5, 4], [0, 0, 2]], "5"),  # defect M4: the eigenvalue is -5
        (SUM, [[3, 1, 2], [0, -5, 4], [0, 0, 2]], "10"),
        (LARGEST, SYMMETRIC, "3"),  # 2 + sqrt(2)
        (SUM, SYMMETRIC, "6"),
        (SUM, [[0, 1], [1, 0]], "2"),
        (LARGEST, [[1, 1], [1, 0]], "2"),  # the golden ratio
        (SUM, [[1, 1], [1, 0]], "2"),  # sqrt(5)
        (SUM, [[1, 1, 1], [1, 1, 1], [1, 1, 1]], "3"),  # 3, 0, 0
        (SUM, [[0, 1, 1], [1, 0, 1], [1, 1, 0]], "4"),  # 2, -1, -1
        (SUM, [[0, 0], [0, 0]], "0"),
        (LARGEST, [[-7]], "7"),
    ],
)
def test_examples_by_hand(question: str, matrix: list[list[int]], answer: str) -> None:
    assert both_answer(VERIFIER, question.format(matrix), answer)


@pytest.mark.parametrize(
    "matrix", [[[1, 2], [3, 4]], [[1, 0], [5, 1]], [[1, 2, 3]], [[0, 1], [-1, 0]]]
)
def test_other_matrices_are_none_of_this_family(matrix: list[list[int]]) -> None:
    assert VERIFIER.answer(LARGEST.format(matrix)) is None
