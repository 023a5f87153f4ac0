"""Powers from the text: published examples, large powers, and wrong ways to right answers."""

from __future__ import annotations

import pytest

from synthgen.verifiers.omega.arithmetic.arithmetic_matrix_power import VERIFIER
from tests.verifiers.omega.arithmetic.matrix_checks import accepts, both_answer

UNIT = [[1, 1, 0], [0, 1, 1], [0, 0, 1]]
OTHER = [[1, -2, 0], [3, 1, 1], [0, 2, -1]]
SUM = "Let A = {}. What is the sum of all entries of A^{}? Give an integer."
ABS_SUM = (
    "Let A = {}. What is the sum of the absolute values of all entries of A^{}? Give an integer."
)
ENTRY = "Let A = {}. What is the entry in row {} and column {} of A^{}? Give an integer."
WAY = "A^2 = [[1, 2, 1], [0, 1, 2], [0, 0, 1]]\nA^3 = [[1, 3, 3], [0, 1, 3], [0, 0, 1]]\nsum = 12"


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        (SUM.format(UNIT, 3), "12"),
        (ENTRY.format(OTHER, 2, 1, 3), "-3"),
        (ABS_SUM.format([[0, -1], [1, 0]], 7), "2"),
        (SUM.format([[0, -1], [1, 0]], 1), "0"),
        (SUM.format([[-9] * 16] * 16, 11), str(-(9**11) * 16**12)),
        (ABS_SUM.format([[-9] * 16] * 16, 11), str(9**11 * 16**12)),
        (ABS_SUM.format([[9_999_999]], 16), str(9_999_999**16)),
        (ENTRY.format([[9_999_999]], 1, 1, 15), str(9_999_999**15)),
    ],
)
def test_examples_by_hand(prompt: str, answer: str) -> None:
    assert both_answer(VERIFIER, prompt, answer)


@pytest.mark.parametrize(
    "prompt",
    [
        *(SUM.format(UNIT, 0), SUM.format(UNIT, 17), SUM.format([[1, 2]], 3)),
        *(ENTRY.format(UNIT, 4, 1, 2), ENTRY.format(UNIT, 1, 4, 2)),
    ],
)
def test_other_statements_are_none_of_this_family(prompt: str) -> None:
    assert VERIFIER.answer(prompt) is None


@pytest.mark.parametrize(
    "way",
    [
        WAY.replace("A^2", "A^4"),
        WAY.replace("[0, 1, 3]", "[0, 1, 4]"),
        WAY.partition("\n")[2],
        WAY + "\nsum = 12",
        "sum = 12",
    ],
)
def test_steps_must_lead_to_the_answer(way: str) -> None:
    assert accepts(VERIFIER, SUM.format(UNIT, 3), "12", WAY)
    assert not accepts(VERIFIER, SUM.format(UNIT, 3), "12", way)
