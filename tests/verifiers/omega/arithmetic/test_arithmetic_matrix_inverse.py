"""Inverses from the text: published examples, ties, signs, and wrong ways to right answers."""

from __future__ import annotations

import pyarrow as pa
import pytest

from synthgen.verifiers.omega.arithmetic.arithmetic_matrix_inverse import VERIFIER
from tests.verifiers.omega.arithmetic.matrix_checks import accepts, both_answer

BEGIN = "Let A = {}, and let B be A with every entry divided by {}. "
TRACE = BEGIN + "What is the trace of the inverse of B, rounded to the nearest integer?"
SUM = BEGIN + "What is the sum of all entries of the inverse of B, rounded to the nearest integer?"
ABS_SUM = BEGIN + (
    "What is the sum of the absolute values of all entries of the inverse of B, rounded to the "
    "nearest integer?"
)
LARGEST = BEGIN + (
    "Which entry of the inverse of B has the largest absolute value? Give that entry with its "
    "sign, rounded to the nearest integer."
)
ENTRY = BEGIN + (
    "What is the entry in row {} and column {} of the inverse of B, rounded to the nearest integer?"
)
EXAMPLE = [[2, 0, 1], [0, 3, 0], [1, 0, 1]]
WAY = (
    "inverse of A = [[3, 0, -3], [0, 1, 0], [-3, 0, 6]] / 3\n"
    "trace of the inverse of A = 10/3\n"
    "trace of the inverse of B = 60 * 10/3 = 200\n"
    "rounded = 200"
)


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        (TRACE.format(EXAMPLE, 60), "200"),
        (SUM.format(EXAMPLE, 60), "80"),
        (ABS_SUM.format(EXAMPLE, 60), "320"),
        (LARGEST.format(EXAMPLE, 60), "120"),
        (LARGEST.format([[2, 0], [0, -1]], 3), "-3"),
        (ENTRY.format(EXAMPLE, 60, 3, 1), "-60"),
        (ENTRY.format([[1, 2], [3, 4]], 10, 2, 1), "15"),
        (ENTRY.format([[1, 2], [3, 4]], 10, 1, 2), "10"),
        (ABS_SUM.format([[0, 1], [1, 0]], 7), "14"),
        (TRACE.format([[3]], 10), "3"),
    ],
)
def test_examples_by_hand(prompt: str, answer: str) -> None:
    assert both_answer(VERIFIER, prompt, answer)


@pytest.mark.parametrize(
    "prompt",
    [
        SUM.format([[1, 2], [2, 4]], 10),
        ENTRY.format([[2, 0], [0, 4]], 3, 1, 1),
        LARGEST.format([[2, 0], [0, -2]], 4),
        SUM.format([[-2, 0], [0, 1]], 1).replace("sum", "summ"),
        ENTRY.format(EXAMPLE, 60, 4, 1),
        ENTRY.format(EXAMPLE, 60, 1, 0),
        SUM.format(EXAMPLE, 0),
    ],
)
def test_defect_m2_questions_without_one_answer_have_none(prompt: str) -> None:
    assert VERIFIER.answer(prompt) is None
    answers = pa.array(["0", "1", "2", "-2"])
    assert not VERIFIER.symbolic(pa.array([prompt] * 4), answers).any()


def test_opposite_largest_entries_that_round_alike_do_no_harm() -> None:
    assert both_answer(VERIFIER, LARGEST.format([[3, 0], [0, -3]], 1), "0")


@pytest.mark.parametrize(
    "way",
    [
        WAY.replace("/ 3\n", "/ 6\n"),
        WAY.replace(
            "[[3, 0, -3], [0, 1, 0], [-3, 0, 6]] / 3", "[[6, 0, -6], [0, 2, 0], [-6, 0, 12]] / 6"
        ),
        WAY.replace("[[3, 0, -3], [0, 1, 0], [-3, 0, 6]]", "[[3, 0, -3], [0, 1, 0], [-3, 0, 5]]"),
        WAY.replace("A = 10/3", "A = 20/6"),
        WAY.replace("= 60 *", "= 61 *"),
        WAY.partition("\n")[2],
        WAY + "\nrounded = 200",
        "",
    ],
)
def test_steps_must_lead_to_the_answer(way: str) -> None:
    prompt = TRACE.format(EXAMPLE, 60)
    assert accepts(VERIFIER, prompt, "200", WAY)
    assert not accepts(VERIFIER, prompt, "200", way)
