"""Roots modulo prime powers, from the text: examples by hand, and steps."""

from __future__ import annotations

import pyarrow as pa
import pytest

from synthgen.verifiers.omega.numbertheory import numbertheory_lte_qr

VERIFIER = numbertheory_lte_qr.VERIFIER


def accepts(prompt: str, answer: str, way: str | None = None) -> bool:
    ways = None if way is None else pa.array([way])
    checked = bool(VERIFIER.check(pa.array([prompt]), pa.array([answer]), ways)[0])
    if way is None:
        assert checked == bool(VERIFIER.symbolic(pa.array([prompt]), pa.array([answer]))[0])
    return checked


LEAST = (
    "Take the smallest prime p such that {f} is a multiple of {p} for at least one positive integer"
    " n. What is the smallest such n for this p? Give an integer."
)
LIFTED = (
    "Let p be the smallest prime such that {p} divides n^2 + 1 for some positive integer n. Find"
    " the smallest positive integer m for which even {q} divides m^2 + 1. Give an integer."
)
LARGEST = (
    "Let p be the smallest prime such that {p} divides n^2 + 1 for some positive integer n. Find"
    " the largest integer m that is not above {q} and for which {q} divides m^2 + 1. Give an"
    " integer."
)
CLASS = (
    "Let p be the least prime such that {q} divides p minus one and the congruence of m^2 and minus"
    " one modulo {p} can be solved in integers m. Find its least positive solution m for this p."
    " Give an integer."
)
NUMBER = (
    "In how many residue classes n modulo {p} is n^2 congruent to minus one? Give their number, an"
    " integer."
)
PLUS = (
    "Let N be the number of residue classes n modulo {p} in which n^2 is congruent to minus one,"
    " and let M be the smallest positive integer in any of them. Find N + M, an integer."
)


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        # 57^2 + 1 = 3250 = 125 * 26
        (LEAST.format(f="n^2 + 1", p="p^3"), "57"),
        (LEAST.format(f="n - 3", p="p^2"), "3"),
        (LEAST.format(f="n^2 + 2", p="p"), "2"),
        (LEAST.format(f="n^3", p="p^4"), "4"),
        # p = 2 for the first power of p, but 4 never divides n^2 + 1
        (LIFTED.format(p="p^2", q="p^3"), "57"),
        (LARGEST.format(p="p^2", q="p^3"), "68"),
        (LARGEST.format(p="p", q="p"), "1"),
        # 13 is the first prime of 1 + 3 n with a root: 5^2 + 1 = 26, and 70^2 + 1 = 169 * 29
        (CLASS.format(q=3, p="p^2"), "70"),
        (NUMBER.format(p="13^2"), "2"),
        (PLUS.format(p="13^2"), "72"),
        (PLUS.format(p="2"), "2"),
    ],
)
def test_examples_by_hand(prompt: str, answer: str) -> None:
    assert accepts(prompt, answer)
    assert not accepts(prompt, str(int(answer) + 1))


@pytest.mark.parametrize(
    "prompt",
    [
        *(LIFTED.format(p="p", q="p^2"), NUMBER.format(p="7^2"), NUMBER.format(p="15^2")),
        *(NUMBER.format(p="p^2"), LEAST.format(f="n^2 + 1", p="13^2"), PLUS.format(p="997^13")),
        *(LEAST.format(f="n^99 + 1", p="p^3"), LEAST.format(f="n^2 + 01", p="p^3")),
        LEAST.format(f="m^2 + 1", p="p^3"),
        LIFTED.format(p="p^2", q="p^3").replace("m^2 + 1", "m^2 + 2"),
    ],
)
def test_questions_without_an_answer_and_other_statements(prompt: str) -> None:
    assert VERIFIER.answer(prompt) is None


def test_every_line_of_a_solution_counts() -> None:
    lines = [
        *("p = 2: no root modulo 8", "p = 3: no root modulo 27", "p = 5: root 57 modulo 125"),
        *("roots modulo 125: 57, 68", "57^2 + 1 = 3250", "3250 = 125 * 26"),
    ]
    prompt = LEAST.format(f="n^2 + 1", p="p^3")
    assert accepts(prompt, "57", "\n".join(lines))
    for left_out in range(len(lines)):
        assert not accepts(prompt, "57", "\n".join(lines[:left_out] + lines[left_out + 1 :]))
