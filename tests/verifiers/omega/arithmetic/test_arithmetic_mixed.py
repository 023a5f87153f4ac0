"""Mixed expressions from the text: published examples, and wrong ways to right answers."""

from __future__ import annotations

import pyarrow as pa
import pytest

from synthgen.verifiers.omega.arithmetic.arithmetic_mixed import VERIFIER

FORMAT = "Give an integer, or a fraction p/q in lowest terms with a positive denominator."
QUESTION = "Evaluate {}. " + FORMAT
PROMPT = QUESTION.format("(7/3)/(14/9) - 5/4")
WAY = "(7/3) / (14/9) = 3/2\n(3/2) - (5/4) = 1/4"


def accepts(prompt: str, answer: str, way: str | None = None) -> bool:
    ways = None if way is None else pa.array([way])
    return bool(VERIFIER.check(pa.array([prompt]), pa.array([answer]), ways)[0])


@pytest.mark.parametrize(
    ("prompt", "answer", "wrong"),
    [
        (PROMPT, "1/4", "2/8"),
        (QUESTION.format("-18/(-4) + 35/(-10)*3"), "-6", "-6/1"),
        (f"What is the exact value of 1/(-6) + 0*4? {FORMAT}", "-1/6", "1/-6"),
        (f"Let b = 2 + 1. Work out 6/b - 2*b. {FORMAT}", "-4", "0"),
        (f"Simplify 3 - 3 to a single number. {FORMAT}", "0", "-0"),
        (f"Calculate (2 + 1)*(2 - 5) without rounding. {FORMAT}", "-9", "9"),
    ],
)
def test_examples_by_hand(prompt: str, answer: str, wrong: str) -> None:
    assert accepts(prompt, answer)
    assert VERIFIER.symbolic(pa.array([prompt]), pa.array([answer])).all()
    assert not accepts(prompt, wrong)
    assert not VERIFIER.symbolic(pa.array([prompt]), pa.array([wrong])).any()


def test_predictions_are_compared_as_numbers() -> None:
    assert VERIFIER.grade("2/8", "1/4") == 1.0
    assert VERIFIER.grade("0.25", "1/4") == 0.0


@pytest.mark.parametrize("text", ["1/0", "1/(2 - 2)", "b", "", "1 +", "2**3", "1. 2"])
def test_texts_without_a_value_have_no_answer(text: str) -> None:
    assert VERIFIER.answer(QUESTION.format(text)) is None


@pytest.mark.parametrize(
    "way",
    [
        "",
        "(3/2) - (5/4) = 1/4",
        "(7/3) / (14/9) = 3/2",
        "\n".join(WAY.split("\n")[::-1]),
        WAY.replace("3/2", "6/4"),
        WAY.replace("7/3", "7/4"),
        WAY + "\n",
        WAY + "\n(3/2) - (5/4) = 1/4",
    ],
)
def test_steps_must_be_all_signs_in_order(way: str) -> None:
    assert accepts(PROMPT, "1/4", WAY)
    assert not accepts(PROMPT, "1/4", way)
