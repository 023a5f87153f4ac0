"""Circles and graphs from the text."""

from __future__ import annotations

import pyarrow as pa
import pytest

from synthgen.verifiers.omega.composition.comp_circles_algebra import VERIFIER


def accepts(prompt: str, answer: str, way: str | None = None) -> bool:
    ways = None if way is None else pa.array([way])
    return bool(VERIFIER.check(pa.array([prompt]), pa.array([answer]), ways)[0])


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        (
            "How many points do the circle x^2 + y^2 = 4 and the curve y = x^2 - 2"
            " have in common? Give an integer.",
            "3",
        ),
        (
            "How many points do the circle x^2 + (y - 1)^2 = 1 and the curve y = |x|"
            " have in common? Give an integer.",
            "3",
        ),
        (
            "How many points do the circle x^2 + (y - 1)^2 = 1 and the curve y = |x^2"
            " - 1| have in common? Give an integer.",
            "2",
        ),
        (
            "How many points do the circle x^2 + y^2 = 1 and the curve y = |x^2 - 4|"
            " - 4 have in common? Give an integer.",
            "2",
        ),
        (
            "How many points do the circle (x + 1)^2 + (y - 2)^2 = 9 and the curve y"
            " = x + 3 have in common? Give an integer.",
            "2",
        ),
        (
            "How many points do the circle x^2 + y^2 = 9 and the curve y = |x|^2 -"
            " |x| - 3 have in common? Give an integer.",
            "5",
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
            "How many points do the circle x^2 + y^2 = 0 and the curve y = x have in"
            " common? Give an integer."
        ),
        (
            "How many points do the circle x^2 + y^2 = 4 and the curve y = 3 have in"
            " common? Give an integer."
        ),
        (
            "How many points do the circle x^2 + y^2 = 4 and the curve y = |x^2 - 2|"
            " have in common? Give an integer."
        ),
        (
            "How many points do the circle y^2 + x^2 = 4 and the curve y = x have in"
            " common? Give an integer."
        ),
        (
            "How many points do the circle x^2 + y^2 = 4 and the curve y = |x| + x"
            " have in common? Give an integer."
        ),
    ],
)
def test_other_statements_are_none_of_this_family(statement: str) -> None:
    assert VERIFIER.answer(statement) is None
