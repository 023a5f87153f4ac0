"""Questions about a grid: published programs, worked examples, and what a grid must not betray."""

import json
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from synthgen import generate
from synthgen.families.conditional_grid.verify import VERIFIERS
from synthgen.testing import check_family
from tests.conformance import original

VERIFIER = VERIFIERS["conditional_grid"]
SCENE = """- row 0, column 3: red a
- row 2, column 5: red b
- row 4, column 4: blue a
- row 7, column 1: green c
"""
GIVEN = "A grid has 10 rows and 10 columns, both numbered from 0. It holds these colored letters:"
CHECK = "Check the conditions below and answer the one question that they lead to."
WORDED = f"""{GIVEN}
{SCENE}
The coordinates of a letter are its row and its column. {CHECK}

If there is a green letter a:
  In which row and column is the blue letter a?
Otherwise:
  True or false: the sum of all coordinates of the green letter c and the red letter b is even."""


@pytest.mark.parametrize(
    "params",
    [
        {"level": True},
        {"max_nesting": 3, "min_distractors": 15, "max_distractors": 20},
        {"scene": "picture"},
    ],
    ids=["default", "nested", "picture"],
)
def test_contract(params: dict[str, Any]) -> None:
    check_family("conditional_grid", params, rows=40)


def test_published_programs() -> None:
    """Compare answers; five published questions fit several letters, and have none."""
    unclear = rows = 0
    for line in original("grounded/gcog.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        lines = [
            f"- row {y}, column {x}: {color} {letter}" for y, x, color, letter in row["objects"]
        ]
        prompt = "\n".join([*lines, row["instruction"]])
        assert VERIFIER.reads(prompt)
        answer, known = VERIFIER.answer(prompt), row["answer"]
        if isinstance(known, list):
            known = ", ".join(map(str, known))
        assert answer in (None, str(known).lower() if isinstance(known, bool) else known)
        unclear += answer is None
        rows += 1
    assert rows > 100
    assert unclear == 5


@pytest.mark.parametrize(
    ("program", "answer"),
    [
        ("current red a exist ?", "true"),
        ("current green a exist ?", "false"),
        ("loc of current green c ?", "7, 1"),
        ("color of current c ?", "green"),
        ("shape of current blue object ?", "a"),
        ("color of current a ?", None),
        ("current red b sum is odd ?", "true"),
        ("current red a + current green c sum is odd ?", "true"),
        ("current red a product is even ?", "true"),
        ("current green c * current red b product is odd ?", "false"),
        ("[ if current blue a exist , then color of current b , else color of current a ]", "red"),
        ("[ if current red c exist , then color of current b , else color of current a ]", None),
        ("color of current c", None),
        ("[ if loc of current red a , then color of current b , else color of current c ]", None),
    ],
)  # fmt: skip
def test_worked_examples(program: str, answer: str | None) -> None:
    assert VERIFIER.answer(SCENE + program) == answer


def test_a_tree_in_words() -> None:
    assert VERIFIER.answer(WORDED) == "false"
    assert VERIFIER.answer(WORDED.replace("green letter a", "red letter a")) == "4, 4"
    assert not VERIFIER.reads(WORDED.replace("  In which", "In which"))
    assert not VERIFIER.reads(WORDED.replace("column 4", "column 10"))


# programs without the skill


def letters(prompt: str) -> list[tuple[int, int, str, str]]:
    lines = re.findall(r"row (\d+), column (\d+): (\w+) (\w)\b", prompt)
    return [(int(row), int(column), *names) for row, column, *names in lines]


def stated(prompt: str, *, is_odd: bool) -> str:
    return "true" if is_odd == ("odd" in prompt) else "false"


def most_letters(prompt: str) -> str:
    """Decide by the parity of most letters on the grid."""
    cells = letters(prompt)
    if "sum" in prompt:
        return stated(prompt, is_odd=2 * sum((r + c) % 2 for r, c, *_ in cells) > len(cells))
    return stated(prompt, is_odd=4 * sum(r * c % 2 for r, c, *_ in cells) > len(cells))


def first_letter(prompt: str) -> str:
    """Decide by the letter that is listed first."""
    row, column, *_ = letters(prompt)[0]
    return stated(prompt, is_odd=(row * column if "product" in prompt else row + column) % 2 == 1)


def separate_words(prompt: str) -> str:
    """Count the color and the letter, wherever they are."""
    color, letter = re.findall(r"current (\w+) (\w)", prompt)[0]
    count = sum((c == color) + (x == letter) for *_, c, x in letters(prompt))
    return "true" if count > 2 else "false"


def always_true(prompt: str) -> str:
    del prompt
    return "true"


def first_branch(prompt: str) -> str:
    """Answer the first question, whatever the condition is."""
    program = prompt.rpartition("\n")[2]
    first = program.partition(" , then ")[2].partition(" , else ")[0]
    return VERIFIER.answer(prompt.replace(program, f"{first} ?")) or ""


@cache
def rows_of(operator: str) -> list[dict[str, Any]]:
    params = {"max_nesting": 0, "question_operators": [operator], "min_distractors": 1}
    return generate("conditional_grid", 400, seed=1, params=params, render={"prompt": "bare"})


@pytest.mark.parametrize(
    "operator", ["exist", "sum_even", "sum_odd", "product_even", "product_odd"]
)
@pytest.mark.parametrize("program", [most_letters, first_letter, separate_words, always_true])
def test_a_grid_does_not_betray_the_truth(operator: str, program: Callable[[str], str]) -> None:
    rows = rows_of(operator)
    assert 0.4 < sum(program(row["prompt"]) == row["answer"] for row in rows) / len(rows) < 0.6


def test_the_condition_is_needed() -> None:
    rows = generate(
        "conditional_grid", 400, seed=1, params={"min_nesting": 1}, render={"prompt": "bare"}
    )
    assert sum(first_branch(row["prompt"]) == row["answer"] for row in rows) / len(rows) < 0.56


def test_pairs_of_swapped_operators_do_not_overlap() -> None:
    """Classes of letters in question share no pair of color and letter."""
    classes: dict[str, set[tuple[str, str]]] = {"even": set(), "odd": set(), "mixed": set()}
    for row in rows_of("sum_odd"):
        classes[row["pairs"]] |= {*re.findall(r"current (\w+) (\w)", row["prompt"])}
    assert len(classes["even"]) > 50 < len(classes["odd"])
    assert not classes["even"] & classes["odd"]
