"""Tents and waves from the text."""

from __future__ import annotations

import pyarrow as pa
import pytest

from synthgen.verifiers.omega.transformation.trans_func_intersection import VERIFIER


def accepts(prompt: str, answer: str, way: str | None = None) -> bool:
    ways = None if way is None else pa.array([way])
    return bool(VERIFIER.check(pa.array([prompt]), pa.array([answer]), ways)[0])


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        (
            "For a real number x from zero to 1, let t(x) = 1 - |1 - 2*x|. The"
            " function f is t applied 1 times in a row. How many points does the"
            " graph of f have in common with the line y = x? Give an integer.",
            "2",
        ),
        (
            "For a real number x from zero to 1, let t(x) = 1 - |1 - 2*x|. The"
            " function f is t applied 2 times in a row. How many points does the"
            " graph of f have in common with the line 2*y = 1? Give an integer.",
            "4",
        ),
        (
            "For a real number x from zero to 1, let t(x) = 1 - |1 - 2*x|. The"
            " function f is t applied 3 times in a row. How many points does the"
            " graph of f have in common with the line y = x? Give an integer.",
            "8",
        ),
        (
            "For a real number x from zero to 2, let t(x) = 2 - |2 - 2*x|. The"
            " function f is t applied 1 times in a row. How many points does the"
            " graph of f have in common with the line y = 2? Give an integer.",
            "1",
        ),
        (
            "How many numbers x with x at least zero and less than 2 satisfy"
            " |1*sin(pi*x)| = 1? Give an integer.",
            "2",
        ),
        (
            "How many numbers x with x at least zero and less than 2 satisfy"
            " ||2*sin(pi*x)| - 1| = 1? Give an integer.",
            "4",
        ),
        (
            "How many numbers x with x at least zero and less than 1 satisfy"
            " ||4*sin(2*pi*x)| - 1| = 0? Give an integer.",
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
            "For a real number x from zero to 1, let t(x) = 1 - |1 - 2*x|. The"
            " function f is t applied 1 times in a row. How many points does the"
            " graph of f have in common with the line y = 2*x? Give an integer."
        ),
        (
            "For a real number x from zero to 0, let t(x) = 0 - |0 - 2*x|. The"
            " function f is t applied 1 times in a row. How many points does the"
            " graph of f have in common with the line y = x? Give an integer."
        ),
        (
            "How many numbers x with x at least zero and less than 1 satisfy"
            " |2*sin(pi*x)| = 1? Give an integer."
        ),
        (
            "How many numbers x with x at least zero and less than 2 satisfy"
            " |2*sin(pi*x)| - 1| = 1? Give an integer."
        ),
        (
            "For a real number x from zero to 1, let t(x) = 1 - |1 - 2*x|. The"
            " function f is t applied 1 times in a row. How many points does the"
            " graph of f have in common with the line 1*y = x? Give an integer."
        ),
    ],
)
def test_other_statements_are_none_of_this_family(statement: str) -> None:
    assert VERIFIER.answer(statement) is None
