"""Tuples with a vanishing sum, from the text: examples by hand, and three ways to count."""

from __future__ import annotations

import pyarrow as pa
import pytest

from synthgen.verifiers.omega.numbertheory import numbertheory_ordered_lte

VERIFIER = numbertheory_ordered_lte.VERIFIER


def accepts(prompt: str, answer: str, way: str | None = None) -> bool:
    ways = None if way is None else pa.array([way])
    checked = bool(VERIFIER.check(pa.array([prompt]), pa.array([answer]), ways)[0])
    if way is None:
        assert checked == bool(VERIFIER.symbolic(pa.array([prompt]), pa.array([answer]))[0])
    return checked


QUESTION = (
    "How many ordered {} {} with entries from one to {} make {} a multiple of {}? Give the last"
    " three digits of this number, that is, its remainder modulo one thousand, as an integer"
    " without leading zeros."
)
COPRIME = QUESTION.replace(" make", " have no common divisor above one of all entries and make")
ALONE = (
    "How many integers x from one to {} make x^3 a multiple of {}? Give the last three digits of"
    " this number, that is, its remainder modulo one thousand, as an integer without leading zeros."
)
TRIPLE = ("triples", "(a, b, c)", "3^2", "a^3 + b^3 + c^3", "3^2")


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        (QUESTION.format("pairs", "(a, b)", "3^2", "a^3 + 2*b^3", "3^2"), "9"),
        (QUESTION.format(*TRIPLE), "189"),
        # less 13 of even numbers and 27 of multiples of 3, which both have 6, 6, 6
        (COPRIME.format(*TRIPLE), "150"),
        (ALONE.format("3^2", "3^2"), "3"),
        (QUESTION.format("pairs", "(x, y)", "2^2", "-x^2 - y^2", "2^2"), "4"),
    ],
)
def test_examples_by_hand(prompt: str, answer: str) -> None:
    assert accepts(prompt, answer)
    assert not accepts(prompt, str(int(answer) + 1))


@pytest.mark.parametrize(
    "prompt",
    [
        QUESTION.format("pairs", "(a, b, c)", "3^2", "a^3 + b^3 + c^3", "3^2"),
        QUESTION.format("triples", "(a, b, c)", "3^2", "a^3 + b^3", "3^2"),
        QUESTION.format("pairs", "(a, a)", "3^2", "a^3 + a^3", "3^2"),
        QUESTION.format("pairs", "(a, b)", "3^2", "a^3 + b^2", "3^2"),
        QUESTION.format("pairs", "(a, b)", "3^2", "a^2 + b^2", "3^2"),
        QUESTION.format("pairs", "(a, b)", "3^2", "a^3 + 1*b^3", "3^2"),
        QUESTION.format("pairs", "(a, b)", "3^2", "a^3  + b^3", "3^2"),
        QUESTION.format("pairs", "(a, b)", "3^2", "a^3 + b^3 ", "3^2"),
        QUESTION.format("pairs", "(a, b)", "3^2", "+a^3 + b^3", "3^2"),
        QUESTION.format("pairs", "(a, b)", "3^2", "a^3 + b^3", "2^2"),
        QUESTION.format("pairs", "(a, b)", "3^9", "a^3 + b^3", "3^2"),
        QUESTION.format("pairs", "(a, b)", "9^9", "a^9 + b^9", "9^9"),
        COPRIME.format("pairs", "(a, b)", "3^2", "a^3 + b^3", "3^2"),
    ],
)
def test_other_statements_are_none_of_this_family(prompt: str) -> None:
    assert VERIFIER.answer(prompt) is None


def test_every_line_of_a_solution_counts() -> None:
    lines = [
        *("coefficient 1: 0 (3), 1 (3), 8 (3)", "coefficient 2: 0 (3), 2 (3), 7 (3)"),
        *("N = 9", "remainder: 9"),
    ]
    prompt = QUESTION.format("pairs", "(a, b)", "3^2", "a^3 + 2*b^3", "3^2")
    assert accepts(prompt, "9", "\n".join(lines))
    for left_out in range(len(lines)):
        assert not accepts(prompt, "9", "\n".join(lines[:left_out] + lines[left_out + 1 :]))
