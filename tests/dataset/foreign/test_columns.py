from __future__ import annotations

import pytest

from synthgen.core.errors import DatasetError
from synthgen.dataset.foreign.columns import Columns, Wanted, choose_columns


@pytest.mark.parametrize(
    ("names", "prompt", "answer"),
    [
        (["prompt", "answer"], "prompt", "answer"),
        (["id", "result", "expr"], "expr", "result"),
        (["source", "target", "answer", "prompt"], "prompt", "answer"),
        (["lf", "sentence"], "sentence", "lf"),
        (["src", "tgt"], "src", "tgt"),
        (["command", "actions"], "command", "actions"),
        (["output", "input", "expression"], "expression", "output"),
    ],
)
def test_usual_names_are_tried_in_their_order(names: list[str], prompt: str, answer: str) -> None:
    assert choose_columns("f:1", names, Wanted()) == Columns(prompt, answer)


def test_wanted_names_go_first_and_numbers_are_names() -> None:
    names = ["prompt", "answer", "steps"]
    wanted = Wanted(prompt="answer", solution="steps")
    assert choose_columns("f:1", names, wanted) == Columns("answer", "answer", "steps")
    assert choose_columns("f:1", ["1", "2", "3"], Wanted(), numbered=True) == Columns("1", "2")
    wanted = Wanted("3", "1")
    assert choose_columns("f:1", ["1", "2", "3"], wanted, numbered=True) == Columns("3", "1")


@pytest.mark.parametrize(
    ("names", "wanted", "message"),
    [
        (["promt", "answer"], Wanted(), "f:1: no column of prompts; did you mean 'promt'?"),
        (["prompt", "x"], Wanted(), "no column of answers; expected one of answer, result"),
        (["prompt", "x"], Wanted(), "or --answer-col; columns: 'prompt', 'x'!"),
        (["prompt", "answer"], Wanted("promt"), "no column 'promt'; did you mean 'prompt'?"),
        (["prompt", "answer"], Wanted(solution="steps"), "f:1: no column 'steps'; columns:"),
        (["prompt", "answer"], Wanted(solution=""), "f:1: no column ''; columns:"),
        (["prompt", "answer", "prompt"], Wanted(), "f:1: 2 columns are named 'prompt'"),
        ([], Wanted(), "columns: none"),
        (["\x1b[31m", "\u202e"], Wanted(), r"columns: '\x1b[31m', '\u202e'"),
        ([f"c{i}" for i in range(99)], Wanted(), "'c11' and 87 more"),
        (["x" * 10_000], Wanted("x" * 9_999), f"no column '{'x' * 79}…'; columns: '{'x' * 79}…'"),
    ],
)
def test_a_column_that_is_not_there_is_named(
    names: list[str], wanted: Wanted, message: str
) -> None:
    with pytest.raises(DatasetError) as caught:
        choose_columns("f:1", names, wanted, advice="!")
    assert message in str(caught.value)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 500
