"""Integrals by symmetry from the text."""

from __future__ import annotations

import pyarrow as pa
import pytest

from synthgen.verifiers.omega.transformation.trans_integrations import VERIFIER


def accepts(prompt: str, answer: str, way: str | None = None) -> bool:
    ways = None if way is None else pa.array([way])
    return bool(VERIFIER.check(pa.array([prompt]), pa.array([answer]), ways)[0])


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        (
            "Compute the integral of sin(x)^7/(sin(x)^7 + cos(x)^7) with respect to x"
            " from 0 to pi/2, rounded to two decimals.",
            "0.79",
        ),
        (
            "Compute the integral of x*sin(x)/(1 + cos(x)^2) with respect to x from 0"
            " to pi, rounded to two decimals.",
            "2.47",
        ),
        (
            "Compute the integral of ln(1 + tan(x)) with respect to x from 0 to pi/4,"
            " rounded to two decimals.",
            "0.27",
        ),
        (
            "Compute the integral of 8*ln(1 + x)/(1 + x^2) with respect to x from 0"
            " to 1, rounded to two decimals.",
            "2.18",
        ),
        (
            "Compute the integral of x^2/(1 + 3^x) with respect to x from -3 to 3,"
            " rounded to two decimals.",
            "9.00",
        ),
        (
            "Compute the integral of x^3*cos(x) + 3*x^2 + 1 with respect to x from -1"
            " to 1, rounded to two decimals.",
            "4.00",
        ),
        (
            "Compute the integral of (x + 1)^2/((x + 1)^2 + (6 - x)^2) with respect"
            " to x from 0 to 5, rounded to two decimals.",
            "2.50",
        ),
        (
            "Compute the integral of x*sin(x)^2 with respect to x from 0 to pi,"
            " rounded to two decimals.",
            "2.47",
        ),
    ],
)
def test_examples_by_hand(prompt: str, answer: str) -> None:
    assert accepts(prompt, answer)
    assert VERIFIER.symbolic(pa.array([prompt]), pa.array([answer])).all()
    wrong = answer + "1"
    assert not accepts(prompt, wrong)
    assert not VERIFIER.symbolic(pa.array([prompt]), pa.array([wrong])).any()


@pytest.mark.parametrize(
    "statement",
    [
        (
            "Compute the integral of x*sin(x) with respect to x from 0 to pi/2,"
            " rounded to two decimals."
        ),
        (
            "Compute the integral of x^2/(1 + 3^x) with respect to x from 3 to -3,"
            " rounded to two decimals."
        ),
        (
            "Compute the integral of sin(x)^7/(sin(x)^7 + cos(x)^8) with respect to x"
            " from 0 to pi/2, rounded to two decimals."
        ),
        ("Compute the integral of x^2 with respect to x from 0 to 1, rounded to two decimals."),
        (
            "Compute the integral of (x + 1)^2/((x + 1)^2 + (6 - x)^2) with respect"
            " to x from -2 to 5, rounded to two decimals."
        ),
    ],
)
def test_other_statements_are_none_of_this_family(statement: str) -> None:
    assert VERIFIER.answer(statement) is None
