"""Shuffled words from the text."""

from __future__ import annotations

import pyarrow as pa
import pytest

from synthgen.verifiers.omega.transformation.trans_prob_letter import VERIFIER

END = (
    " Write this value as a fraction in lowest terms (an integer has the denominator one) and give"
    " the sum of its numerator and its denominator, an integer."
)


def accepts(prompt: str, answer: str, way: str | None = None) -> bool:
    ways = None if way is None else pa.array([way])
    return bool(VERIFIER.check(pa.array([prompt]), pa.array([answer]), ways)[0])


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        (
            "A word of 10 different letters is shuffled, all orders of its letters"
            " being equally likely. What is the probability that no letter is where"
            " it was before?" + END,
            "61281",
        ),
        (
            "A word of 4 different letters is shuffled, all orders of its letters"
            " being equally likely. What is the probability that no letter is where"
            " it was before?" + END,
            "11",
        ),
        (
            "A word of 2 different letters is shuffled, all orders of its letters"
            " being equally likely. What is the probability that no letter is where"
            " it was before?" + END,
            "3",
        ),
        (
            "The letters of a word are 2 tiles marked 'a' and 2 tiles marked 'b'. The"
            " word is shuffled, all orders of its tiles being equally likely. What is"
            " the probability that no position shows the same letter as before?" + END,
            "7",
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
            "A word of 1 different letters is shuffled, all orders of its letters"
            " being equally likely. What is the probability that no letter is where"
            " it was before?" + END
        ),
        (
            "A word of 99 different letters is shuffled, all orders of its letters"
            " being equally likely. What is the probability that no letter is where"
            " it was before?" + END
        ),
        (
            "The letters of a word are 3 tiles marked 'a' and 2 tiles marked 'a'. The"
            " word is shuffled, all orders of its tiles being equally likely. What is"
            " the probability that no position shows the same letter as before?" + END
        ),
    ],
)
def test_other_statements_are_none_of_this_family(statement: str) -> None:
    assert VERIFIER.answer(statement) is None


def test_steps_must_be_the_way_to_the_answer() -> None:
    prompt = (
        "A word of 4 different letters is shuffled, all orders of its letters being"
        " equally likely. What is the probability that no letter is where it was"
        " before?" + END
    )
    way = "good: 9 of 4! = 24\n3/8: 3 + 8 = 11"
    assert accepts(prompt, "11", way)
    for other in ["good: 8 of 4! = 24\n3/8: 3 + 8 = 11", "3/8: 3 + 8 = 11"]:
        assert not accepts(prompt, "11", other)
