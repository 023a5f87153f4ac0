"""Determinants from the text: published examples, large ones, and wrong ways to right answers."""

from __future__ import annotations

import pytest

from synthgen.verifiers.omega.arithmetic.arithmetic_matrix_determinant import VERIFIER
from tests.verifiers.omega.arithmetic.matrix_checks import accepts, both_answer

QUESTION = (
    "Let A = {}. What is det(A) modulo one thousand? Give the least non-negative residue, an "
    "integer."
)
FIRST = [[2, -1, 3], [0, 4, 5], [-2, 1, 6]]
WAY = (
    "pivot 2, divisor 1: [[8, 10], [0, 18]]\npivot 8, divisor 2: [[72]]\ndet = 72\n72 mod 1000 = 72"
)
CIRCULANT = [[35 if (c - r) % 12 < 2 else -1 for c in range(12)] for r in range(12)]


@pytest.mark.parametrize(
    ("matrix", "answer"),
    [
        (FIRST, "72"),
        ([[-3, 2, 1], [4, 0, -2], [5, 1, 6]], "930"),
        ([[1, 2], [2, 4]], "0"),
        ([[0, 1], [1, 0]], "999"),
        ([[10, 1], [0, 100]], "0"),
        ([[5, 2], [25, 4]], "970"),
        ([[7]], "7"),
    ],
)
def test_examples_by_hand(matrix: list[list[int]], answer: str) -> None:
    assert both_answer(VERIFIER, QUESTION.format(matrix), answer)


def test_defect_m1_a_determinant_beyond_double_precision() -> None:
    """CIRCULANT is 36 (I + P) - J, P the cyclic shift, J all ones: it takes (1, -1, ...) to 0.

    The other one has 35^12 for its determinant, which is above 2^61.
    """
    assert both_answer(VERIFIER, QUESTION.format(CIRCULANT), "0")
    upper = [[35 if r == c else 1 if c > r else 0 for c in range(12)] for r in range(12)]
    assert both_answer(VERIFIER, QUESTION.format(upper), str(35**12 % 1000))


@pytest.mark.parametrize(
    "statement",
    [
        *(QUESTION.format([[1, 2]]), QUESTION.format([[1], [2]]), QUESTION.format([])),
        *(QUESTION.format("[[1,2],[3,4]]"), QUESTION.format("[[1, 2], [3]]"), "[[1]]"),
        QUESTION.format([[1]]) + " ",
    ],
)
def test_other_statements_are_none_of_this_family(statement: str) -> None:
    assert VERIFIER.answer(statement) is None


@pytest.mark.parametrize(
    "way",
    [
        "det = 72\n72 mod 1000 = 72",
        WAY.replace("[[8, 10], [0, 18]]", "[[8, 10], [0, 19]]"),
        WAY.replace("divisor 2", "divisor 1"),
        WAY.replace("det = 72", "det = 1072").replace("72 mod", "1072 mod"),
        WAY + "\n72 mod 1000 = 72",
        "swap rows 1 and 1\n" + WAY,
        "",
    ],
)
def test_steps_must_lead_to_the_answer(way: str) -> None:
    prompt = QUESTION.format(FIRST)
    assert accepts(VERIFIER, prompt, "72", WAY)
    assert not accepts(VERIFIER, prompt, "72", way)


def test_steps_of_a_singular_matrix_and_of_swapped_rows() -> None:
    assert not accepts(VERIFIER, QUESTION.format([[0, 1], [0, 2]]), "0", "det = 0\n0 mod 1000 = 0")
    way = "swap rows 1 and 2\npivot 3, divisor 1: [[6]]\ndet = -6\n-6 mod 1000 = 994"
    assert accepts(VERIFIER, QUESTION.format([[0, 2], [3, 5]]), "994", way)
