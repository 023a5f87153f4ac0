"""Chains from the text: worked by hand, and every way in which a link can be wrong."""

from __future__ import annotations

import pyarrow as pa
import pytest

from synthgen.verifiers.omega.composition.omega_chain import VERIFIER

HEAD = "Solve these problems in turn and give the answer to the last one."
FIRST = "Problem 1. What is the greatest common divisor of 2772 and 9702? Give an integer."
SECOND = (
    "Problem 2. Let K1 be the answer to problem 1. "
    "Which is the largest integer that divides both (K1 + 14) and 84?"
)
REST = (
    "Problem 2. Let K1 be the remainder when the absolute value of the answer to problem 1 is "
    "divided by 100. Compute gcd(60, (K1 - 6)). The answer is an integer."
)
THIRD = (
    "Problem 3. Let K2 be the answer to problem 2. Compute gcd((K2 - 20), 12). "
    "The answer is an integer."
)
WAY = "Problem 1: 1386\nProblem 2: 28"


def chain(*problems: str) -> str:
    return "\n\n".join((HEAD, *problems))


def accepts(prompt: str, answer: str, way: str | None = None) -> bool:
    ways = None if way is None else pa.array([way])
    return bool(VERIFIER.check(pa.array([prompt]), pa.array([answer]), ways)[0])


@pytest.mark.parametrize(
    ("problems", "answer"),
    [
        ((FIRST,), "1386"),
        ((FIRST, SECOND), "28"),  # gcd(1400, 84)
        ((FIRST, REST), "20"),  # 1386 leaves 86, and gcd(60, 80)
        ((FIRST, SECOND, THIRD), "4"),  # gcd(8, 12)
    ],
)
def test_chains_by_hand(problems: tuple[str, ...], answer: str) -> None:
    prompt = chain(*problems)
    assert accepts(prompt, answer)
    assert VERIFIER.symbolic(pa.array([prompt]), pa.array([answer])).all()
    assert not accepts(prompt, str(int(answer) + 1))
    assert not VERIFIER.symbolic(pa.array([prompt]), pa.array([str(int(answer) + 1)])).any()
    assert VERIFIER.grade(f" {answer}", answer) == 1.0


@pytest.mark.parametrize(
    "prompt",
    [
        *("", HEAD, FIRST, chain("Problem 2. " + FIRST[11:]), chain(FIRST, FIRST), chain(SECOND)),
        *(chain(FIRST, SECOND.replace("K1", "K2")), chain(FIRST, SECOND.replace("K1 be", "K2 be"))),
        *(chain(FIRST, SECOND.replace("problem 1.", "problem 2.")), chain(FIRST, THIRD)),
        *(
            chain(FIRST, SECOND.replace("(K1 + 14)", "K1")),
            chain(FIRST, SECOND.replace("84", "(K1 + 1)")),
        ),
        *(
            chain(FIRST, SECOND.replace("+ 14", "- 1387")),
            chain(FIRST, SECOND.replace("+ 14", "+ 014")),
        ),
        *(chain(FIRST, REST.replace("100", "0")), chain(FIRST, SECOND, SECOND)),
        *(
            chain(FIRST.replace("2772", "x")),
            chain(FIRST, SECOND).replace("Problem 1", "Problem one"),
        ),
        chain(*[FIRST] * 3_000),
    ],
)
def test_what_is_no_chain_is_refused(prompt: str) -> None:
    assert not accepts(prompt, "28")
    assert not VERIFIER.symbolic(pa.array([prompt]), pa.array(["28"])).any()


@pytest.mark.parametrize(
    "way",
    ["Problem 2: 28", "Problem 1: 1386", "Problem 1: 1385\nProblem 2: 28", WAY + "\n", "28", ""],
)
def test_the_answer_to_each_problem_is_told(way: str) -> None:
    assert accepts(chain(FIRST, SECOND), "28", WAY)
    assert not accepts(chain(FIRST, SECOND), "28", way)
