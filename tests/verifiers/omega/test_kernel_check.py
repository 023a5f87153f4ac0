"""The kernel verifier: what is stated and what was found, without and with a way."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from synthgen.verifiers.omega._forms import NUMBER, Form, Marks
from synthgen.verifiers.omega._kernel_check import NO_ANSWER, KernelVerifier


def double(kinds: Marks, values: Marks, offsets: Marks) -> Marks:
    answers = np.full(len(kinds), NO_ANSWER, np.int64)
    for i in np.flatnonzero(kinds >= 0):
        answers[i] = (2 + kinds[i]) * values[offsets[i]]
    return answers


VERIFIER = KernelVerifier(
    Form([("Twice <n>?",), ("Thrice <n>?",)], {"n": NUMBER}),
    double,
    lambda problem: sum(problem[1] * (2 + problem[0])),
    lambda problem, answer, way: way == f"{problem[1][0]} -> {answer}",
)


def test_rows_one_by_one() -> None:
    prompts = pa.array(["Twice 7?", "Thrice 7?", "Twice 7?", "Half 7?", "Twice 0?"])
    answers = pa.array(["14", "21", "15", "3", "0"])
    assert VERIFIER.check(prompts, answers, None).tolist() == [True, True, False, False, True]
    assert VERIFIER.symbolic(prompts, answers).tolist() == [True, True, False, False, True]
    sliced = VERIFIER.check(prompts[1:3], answers[1:3], None)
    assert sliced.tolist() == [True, False]


@pytest.mark.parametrize("answer", ["", "1", "140", "014", " 14", "14 ", "+14", "-14", "14.0", "x"])
def test_answers_are_written_in_one_way(answer: str) -> None:
    assert not VERIFIER.check(pa.array(["Twice 7?"]), pa.array([answer]), None).any()


def test_ways_are_followed_where_there_are_some() -> None:
    prompts, answers = pa.array(["Twice 7?"] * 4), pa.array(["14", "14", "14", "13"])
    ways = pa.array(["7 -> 14", None, "7 -> 13", "7 -> 13"])
    assert VERIFIER.check(prompts, answers, ways).tolist() == [True, True, False, False]


def test_single_prompts() -> None:
    assert VERIFIER.problem("Thrice 7?") == (1, (7,))
    assert VERIFIER.answer("Thrice 7?") == "21"
    assert VERIFIER.problem("Thrice?") is None
    assert VERIFIER.answer("Thrice?") is None
    assert VERIFIER.grade("14", "14") == 1.0
    assert VERIFIER.grade("15", "14") == 0.0
