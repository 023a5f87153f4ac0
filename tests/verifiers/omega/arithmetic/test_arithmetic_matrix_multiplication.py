"""Products from the text: published examples, large entries, and wrong ways to right answers."""

from __future__ import annotations

import pytest

from synthgen.verifiers.omega.arithmetic.arithmetic_matrix_multiplication import VERIFIER
from tests.verifiers.omega.arithmetic.matrix_checks import accepts, both_answer

LEFT = [[1, -2, 3], [0, 4, -1], [5, 2, 2]]
RIGHT = [[2, 0, 1], [-3, 1, 4], [1, 1, -2]]
BEGIN = "Let A = {} and B = {}. "
TRACE = BEGIN + "What is the trace of A*B? Give an integer."
SUM = BEGIN + "What is the sum of all entries of A*B? Give an integer."
ABS_SUM = BEGIN + ("What is the sum of the absolute values of all entries of A*B? Give an integer.")
ENTRY = BEGIN + "What is the entry in row {} and column {} of A*B? Give an integer."
WAY = (
    "entry (1, 1) of A*B = 1*2 + (-2)*(-3) + 3*1 = 11\n"
    "entry (2, 2) of A*B = 0*0 + 4*1 + (-1)*1 = 3\n"
    "entry (3, 3) of A*B = 5*1 + 2*4 + 2*(-2) = 9\n"
    "trace = 23"
)
ROWS = (
    "row 1 of A*B = [11, 1, -13], sum -1\n"
    "row 2 of A*B = [-13, 3, 18], sum 8\n"
    "row 3 of A*B = [6, 4, 9], sum 19\n"
    "sum = 26"
)


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        (TRACE.format(LEFT, RIGHT), "23"),
        (ABS_SUM.format(LEFT, RIGHT), "78"),
        (SUM.format(LEFT, RIGHT), "26"),
        (ENTRY.format(LEFT, RIGHT, 2, 3), "18"),
        (ENTRY.format([[1, 2]], [[3, 4, 5], [6, 7, 8]], 1, 3), "21"),
        (SUM.format([[1], [2]], [[3, 4]]), "21"),
        (
            ABS_SUM.format([[9_999_999] * 20] * 20, [[-9_999_999] * 20] * 20),
            str(8000 * 9_999_999**2),
        ),
    ],
)
def test_examples_by_hand(prompt: str, answer: str) -> None:
    assert both_answer(VERIFIER, prompt, answer)


@pytest.mark.parametrize(
    "prompt",
    [
        TRACE.format([[1, 2]], [[3], [4], [5]]),
        TRACE.format([[1, 2]], [[3, 4, 5], [6, 7, 8]]),
        ENTRY.format(LEFT, RIGHT, 4, 1),
        SUM.format(LEFT, 5),
    ],
)
def test_other_statements_are_none_of_this_family(prompt: str) -> None:
    assert VERIFIER.answer(prompt) is None


@pytest.mark.parametrize(
    "way",
    [
        WAY.replace("(-2)*(-3)", "-2*-3"),
        WAY.replace("= 11", "= 12"),
        WAY.partition("\n")[2],
        WAY + "\ntrace = 23",
        ROWS,
        "trace = 23",
    ],
)
def test_steps_must_lead_to_the_answer(way: str) -> None:
    assert accepts(VERIFIER, TRACE.format(LEFT, RIGHT), "23", WAY)
    assert accepts(VERIFIER, SUM.format(LEFT, RIGHT), "26", ROWS)
    assert not accepts(VERIFIER, TRACE.format(LEFT, RIGHT), "23", way)
    entry = WAY.partition("\n")[0]
    assert accepts(VERIFIER, ENTRY.format(LEFT, RIGHT, 1, 1), "11", entry)
