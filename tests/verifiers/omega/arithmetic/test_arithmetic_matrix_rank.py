"""Ranks from the text: published examples, hidden dependence, and wrong ways to right answers."""

from __future__ import annotations

import pytest

from synthgen.verifiers.omega.arithmetic._matrix_residues import primes_below
from synthgen.verifiers.omega.arithmetic.arithmetic_matrix_rank import VERIFIER
from tests.verifiers.omega.arithmetic.matrix_checks import accepts, both_answer

QUESTION = "What is the rank of the matrix {}? Give an integer."
TWO = [[1, 2, 3, 4], [2, 4, 6, 8], [0, 1, 0, 1], [1, 3, 3, 5]]
WAY = (
    "pivot 1, divisor 1: [[0, 0, 0], [1, 0, 1], [1, 0, 1]]\n"
    "swap rows 1 and 2\n"
    "pivot 1, divisor 1: [[0, 0], [0, 0]]\n"
    "rank = 2"
)


@pytest.mark.parametrize(
    ("matrix", "answer"),
    [
        (TWO, "2"),
        ([[3, 0, 1, 2], [1, 1, 1, 1], [4, 1, 2, 3], [0, 0, 0, 5]], "3"),
        ([[0, 0], [0, 0]], "0"),
        ([[5]], "1"),
        ([[1, 2], [3, 4]], "2"),
        ([[i + j for j in range(20)] for i in range(20)], "2"),
        ([[i * j % 7 for j in range(20)] for i in range(20)], "4"),
    ],
)
def test_examples_by_hand(matrix: list[list[int]], answer: str) -> None:
    assert both_answer(VERIFIER, QUESTION.format(matrix), answer)


def test_defect_m3_the_rank_is_read_from_the_matrix() -> None:
    """A product of 3 x 2 and 2 x 3 factors whose rank is 1."""
    tall, wide = [[1, 2], [2, 4], [-1, -2]], [[3, 0, 1], [1, 1, 1]]
    matrix = [
        [sum(x * w[c] for x, w in zip(row, wide, strict=True)) for c in range(3)] for row in tall
    ]
    assert both_answer(VERIFIER, QUESTION.format(matrix), "1")


def test_a_determinant_that_a_prime_divides_is_not_zero() -> None:
    """p = a b + c: the matrix [[a, -c], [1, b]] has determinant p, so its rank modulo p is 1."""
    p = int(primes_below()[0])
    b, c = divmod(p, 32_768)
    assert both_answer(VERIFIER, QUESTION.format([[32_768, -c], [1, b]]), "2")


@pytest.mark.parametrize(
    "way",
    [
        WAY.replace("swap rows 1 and 2\n", ""),
        WAY.replace("rank = 2", "rank = 3"),
        WAY.partition("\n")[2],
        WAY + "\nrank = 2",
        "rank = 2",
    ],
)
def test_steps_must_lead_to_the_answer(way: str) -> None:
    assert accepts(VERIFIER, QUESTION.format(TWO), "2", WAY)
    assert not accepts(VERIFIER, QUESTION.format(TWO), "2", way)
    zero = "drop a zero column: [[2], [3]]\npivot 2, divisor 1: [[]]\nrank = 1"
    assert accepts(VERIFIER, QUESTION.format([[0, 2], [0, 3]]), "1", zero)
