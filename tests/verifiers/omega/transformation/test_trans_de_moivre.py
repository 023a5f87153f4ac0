"""Roots in parts of the plane and powers from the text."""

from __future__ import annotations

import pyarrow as pa
import pytest

from synthgen.verifiers.omega.transformation.trans_de_moivre import VERIFIER


def accepts(prompt: str, answer: str, way: str | None = None) -> bool:
    ways = None if way is None else pa.array([way])
    return bool(VERIFIER.check(pa.array([prompt]), pa.array([answer]), ways)[0])


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        (
            "How many different complex roots of the polynomial 1 + x + x^2 + ... +"
            " x^11 have positive real part and positive imaginary part? Give an"
            " integer.",
            "2",
        ),
        (
            "How many different complex roots of the polynomial 1 - x + x^2 - ... -"
            " x^5 have positive real part? Give an integer.",
            "3",
        ),
        (
            "How many complex numbers x with x^8 = 5i have positive real part and"
            " positive imaginary part? Here i is the imaginary unit. Give an integer.",
            "2",
        ),
        (
            "Let i be the imaginary unit. What is the real part of (1 + i)^20? Give an integer.",
            "-1024",
        ),
        (
            "Let i be the imaginary unit. What is the real part of (1 + sqrt(3)*i)^7?"
            " Give an integer.",
            "64",
        ),
        (
            "Let i be the imaginary unit. What is the imaginary part of (-1 - i)^5?"
            " Give an integer.",
            "4",
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
            "How many different complex roots of the polynomial 1 + x + x^3 + ... +"
            " x^11 have positive real part and positive imaginary part? Give an"
            " integer."
        ),
        (
            "How many different complex roots of the polynomial 1 - x + x^2 - ... +"
            " x^5 have positive real part and positive imaginary part? Give an"
            " integer."
        ),
        (
            "How many complex numbers x with x^0 = 5 have positive real part and"
            " positive imaginary part? Here i is the imaginary unit. Give an integer."
        ),
        (
            "Let i be the imaginary unit. What is the imaginary part of (1 +"
            " sqrt(3)*i)^7? Give an integer."
        ),
        (
            "How many complex numbers x with x^8 = 5 have ? Here i is the imaginary"
            " unit. Give an integer."
        ),
    ],
)
def test_other_statements_are_none_of_this_family(statement: str) -> None:
    assert VERIFIER.answer(statement) is None
