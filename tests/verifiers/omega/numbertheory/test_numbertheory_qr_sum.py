"""Extreme numbers by their digits, from the text: examples by hand, and four searches."""

from __future__ import annotations

import pyarrow as pa
import pytest

from synthgen.verifiers.omega.numbertheory import numbertheory_qr_sum

VERIFIER = numbertheory_qr_sum.VERIFIER


def accepts(prompt: str, answer: str, way: str | None = None) -> bool:
    ways = None if way is None else pa.array([way])
    checked = bool(VERIFIER.check(pa.array([prompt]), pa.array([answer]), ways)[0])
    if way is None:
        assert checked == bool(VERIFIER.symbolic(pa.array([prompt]), pa.array([answer]))[0])
    return checked


ONE = (
    "Let N be the {} positive integer with {} digits such that replacing any one of its digits by"
    " {t} gives a multiple of {v}, whichever digit is chosen, even one that is {t} already. Divide"
    " N by {ten} with remainder, and give the sum of quotient and remainder as an integer."
)
SUM = (
    "Let N be the {} positive integer with 3 digits such that the sum of its digits is divisible by"
    " {}. Give N as an integer."
)
BOTH = (
    "Let N be the {} positive integer with {} digits such that both the number itself and the"
    " number that arises when its digits are read from right to left (without zeros that come to"
    " the front) are divisible by {}. Divide N by {} with remainder, and give the sum of quotient"
    " and remainder as an integer."
)


def one(side: str, digits: int, target: int, divisor: int) -> str:
    return ONE.format(side, digits, t=target, v=divisor, ten=10 ** (digits - 1))


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        (one("largest", 4, 1, 7), "699"),
        (SUM.format("tenth largest", 7), "932"),
        (BOTH.format("largest", 3, 8, 100), "96"),
        # every change of 22...2 is one of 2...26...2, with digit sum 6 * 2 + 6 = 18
        (one("smallest", 7, 6, 9), "222224"),
    ],
)
def test_examples_by_hand(prompt: str, answer: str) -> None:
    assert accepts(prompt, answer)
    assert not accepts(prompt, str(int(answer) + 1))


@pytest.mark.parametrize(
    "prompt",
    [
        *(BOTH.format("largest", 6, 10, 100_000), BOTH.format("largest", 3, 8, 1_000)),
        *(SUM.format("largest", 7), SUM.format("third largest", 7), SUM.format("tenth last", 7)),
        *(SUM.format("tenth largest", 99), one("largest", 11, 1, 7), one("largest", 1, 1, 7)),
        one("largest", 4, 1, 7).replace("that is 1", "that is 2"),
        one("largest", 4, 1, 7).replace("Divide N", "Divide M"),
    ],
)
def test_questions_without_an_answer_and_other_statements(prompt: str) -> None:
    assert VERIFIER.answer(prompt) is None


def test_every_line_of_a_solution_counts() -> None:
    lines = [
        *("N = 5694", "1694 = 7 * 242", "5194 = 7 * 742", "5614 = 7 * 802", "5691 = 7 * 813"),
        *("5694 = 5 * 1000 + 694", "5 + 694 = 699"),
    ]
    prompt = one("largest", 4, 1, 7)
    assert accepts(prompt, "699", "\n".join(lines))
    for left_out in range(len(lines)):
        assert not accepts(prompt, "699", "\n".join(lines[:left_out] + lines[left_out + 1 :]))
