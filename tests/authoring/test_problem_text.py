"""Where the problem stands in a prompt."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.authoring.problem_text import problem_span, solution_bytes
from synthgen.core.columns import text_list


@pytest.mark.parametrize(
    ("prompt", "problem"),
    [
        ("walk left", "walk left"),
        ("", ""),
        ("Do this.\n\n`walk left`", "walk left"),
        ("With `x` for y: `walk left` now", "walk left"),
        ("one ` tick", "one ` tick"),
        ("``", ""),
    ],
)
def test_it_is_between_the_last_two_backticks(prompt: str, problem: str) -> None:
    data = np.frombuffer(b"##" + prompt.encode() + b"`", np.uint8)
    start, end = problem_span(data, 2, 2 + len(prompt))
    assert bytes(data[start:end]).decode() == problem


@given(st.text("`a \x00\x7fà", max_size=40), st.text("`a", max_size=9), st.text("`a", max_size=9))
def test_what_is_around_a_prompt_does_not_matter(prompt: str, front: str, back: str) -> None:
    parts = prompt.encode().rsplit(b"`", 2)
    data = np.frombuffer(front.encode() + prompt.encode() + back.encode() + b"`", np.uint8)
    start, end = problem_span(data, len(front), len(front) + len(prompt.encode()))
    assert bytes(data[start:end]) == (parts[1] if len(parts) == 3 else prompt.encode())


def test_rows_without_solutions_have_none() -> None:
    answers = text_list(["a", "bc"])
    data, offsets, stated = solution_bytes(answers, None)
    assert (bytes(data[: offsets[-1]]), stated.tolist()) == (b"abc", [False, False])
    data, offsets, stated = solution_bytes(answers, text_list(["x", ""]))
    assert (bytes(data[: offsets[-1]]), stated.tolist()) == (b"x", [True, True])
