"""Greatest common divisors from the text: published examples, and wrong ways to right answers."""

from __future__ import annotations

import pyarrow as pa
import pytest

from synthgen.verifiers.omega.arithmetic.arithmetic_gcd import VERIFIER

QUESTION = "What is the greatest common divisor of {} and {}? Give an integer."
WAY = "9702 = 3 * 2772 + 1386\n2772 = 2 * 1386 + 0"


def accepts(prompt: str, answer: str, way: str | None = None) -> bool:
    ways = None if way is None else pa.array([way])
    return bool(VERIFIER.check(pa.array([prompt]), pa.array([answer]), ways)[0])


@pytest.mark.parametrize(
    ("p", "q", "answer"),
    [(2772, 9702, "1386"), (123456789, 987654321, "9"), (7, 7, "7"), (1, 10, "1"), (8, 12, "4")],
)
def test_examples_by_hand(p: int, q: int, answer: str) -> None:
    prompt = QUESTION.format(p, q)
    assert accepts(prompt, answer)
    assert VERIFIER.symbolic(pa.array([prompt]), pa.array([answer])).all()
    assert not accepts(prompt, str(int(answer) + 1))


@pytest.mark.parametrize(
    "statement",
    [
        *(QUESTION.format(0, 5), QUESTION.format(-4, 6), QUESTION.format("04", 6)),
        *(QUESTION.format("4.0", 6), QUESTION.format("k", 6), QUESTION.format(4, 6) + " "),
    ],
)
def test_other_statements_are_none_of_this_family(statement: str) -> None:
    assert VERIFIER.answer(statement) is None


@pytest.mark.parametrize(
    "way",
    [
        "9702 = 3 * 2772 + 1386",
        "2772 = 2 * 1386 + 0",
        "9702 = 2 * 2772 + 4158\n4158 = 1 * 2772 + 1386\n2772 = 2 * 1386 + 0",
        "9702 = 3 * 2772 + 1386\n2772 = 1 * 1386 + 1386\n1386 = 1 * 1386 + 0",
        "9702 = 3 * 2772 + 1387\n2772 = 2 * 1386 + 0",
        WAY + "\n1386 = 1 * 1386 + 0",
        "",
    ],
)
def test_steps_must_be_divisions_that_lead_to_the_answer(way: str) -> None:
    prompt = QUESTION.format(2772, 9702)
    assert accepts(prompt, "1386", WAY)
    assert not accepts(prompt, "1386", way)
