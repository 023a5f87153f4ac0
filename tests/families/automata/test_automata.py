"""Warm-up tasks: contract, every task by hand, and lengths that separate the splits."""

from pathlib import Path
from typing import Any

import pytest

import synthgen
from synthgen.core.errors import RecipeError
from synthgen.testing import check_family
from tests.building import build_bundled
from tests.families.verdicts import answer, check_every_line_counts

RING = (
    "The row forms a ring: the last cell is the left neighbor of the first, and the first cell is "
    "the right neighbor of the last."
)
RULE_110 = (
    "In each step of a cellular automaton, all cells of a row change at the same time. The new "
    "value of a cell depends on the old values of its left neighbor, the cell itself and its "
    "right neighbor:\n\n111 -> 0\n110 -> 1\n101 -> 1\n100 -> 0\n011 -> 1\n010 -> 1\n001 -> 1\n"
    f"000 -> 0\n\n{RING}\n\nInitial row: 1 0 0 0 1\n\nWrite the row after 1 step, with spaces "
    "between its cells."
)
BY_HAND = [
    ("dyck_balanced: ( [ ] )", "yes", ["(: (", "[: ( [", "]: (", "): (empty)"]),
    ("dyck_balanced: ( [ ) ]", "no", ["(: (", "[: ( [", "): mismatch"]),
    ("dyck_balanced: ( ) ( (", "no", ["(: (", "): (empty)", "(: (", "(: ( ("]),
    ("dyck_completion: { < > (", ") }", ["{: {", "<: { <", ">: {", "(: { ("]),
    (
        "stack_contents: push 3, push 5, pop, push 1",
        "3 1",
        ["push 3: 3", "push 5: 3 5", "pop gives 5: 3", "push 1: 3 1"],
    ),
    (
        "stack_values: push 3, push 5, pop, pop, push 1",
        "5 3",
        ["push 3: 3", "push 5: 3 5", "pop gives 5: 3", "pop gives 3: (empty)", "push 1: 1"],
    ),
    (
        "queue_contents: enqueue 3, enqueue 5, dequeue, enqueue 1",
        "5 1",
        ["enqueue 3: 3", "enqueue 5: 3 5", "dequeue gives 3: 5", "enqueue 1: 5 1"],
    ),
    (
        "queue_values: enqueue 3, enqueue 5, dequeue, dequeue, enqueue 1",
        "3 5",
        [
            "enqueue 3: 3",
            "enqueue 5: 3 5",
            "dequeue gives 3: 5",
            "dequeue gives 5: (empty)",
            "enqueue 1: 1",
        ],
    ),
    (
        "cellular_automaton: rule 30, zeros, 2 steps: 0 0 1 0 0",
        "1 1 0 0 1",
        ["1: 0 1 1 1 0", "2: 1 1 0 0 1"],
    ),
    ("cellular_automaton: rule 110, zeros, 1 step: 1 0 0 0 1", "1 0 0 1 1", ["1: 1 0 0 1 1"]),
    (RULE_110, "1 0 0 1 1", ["1: 1 0 0 1 1"]),
    ("cellular_automaton: rule 2, periodic, 1 step: 1 0 0", "0 0 1", ["1: 0 0 1"]),
    ("cellular_automaton: rule 2, zeros, 1 step: 1 0 0", "0 0 0", ["1: 0 0 0"]),
]


@pytest.mark.parametrize(
    "params", [{"level": True}, {"min_length": 60, "max_length": 100, "max_steps": 20, "kinds": 1}]
)
def test_contract(params: dict[str, Any]) -> None:
    check_family("automata", params, rows=100)


@pytest.mark.parametrize(("prompt", "expected", "lines"), BY_HAND)
def test_worked_examples(prompt: str, expected: str, lines: list[str]) -> None:
    assert answer("automata", prompt) == expected
    check_every_line_counts("automata", prompt, expected, lines)


@pytest.mark.parametrize(
    "prompt",
    [
        "dyck_completion: ( ) ]",
        "dyck_completion: ( ) ( )",
        "stack_values: push 3, pop, pop",
        "stack_values: push 3, push 1, push 4",
        "stack_values: push 3, dequeue, push 1",
        "queue_contents: enqueue 3, dequeue, dequeue",
        "cellular_automaton: rule 256, zeros, 1 step: 0 1 0",
    ],
)
def test_other_texts_are_not_problems(prompt: str) -> None:
    assert answer("automata", prompt) is None


def test_an_answer_with_braces_is_not_asked_for_in_a_box() -> None:
    boxed = {"prompt": "boxed"}
    with pytest.raises(RecipeError, match="expected a style of source 'automata': bare, instruct"):
        synthgen.generate("automata", 1, render=boxed)
    for params in ({"kinds": 2}, {"tasks": ["dyck_balanced", "queue_values"]}):
        (row,) = synthgen.generate("automata", 1, params=params, render=boxed)
        assert row["prompt"].endswith("\\boxed{}.")


def test_the_recipe_separates_lengths(tmp_path: Path) -> None:
    rows = build_bundled("procedural-warm-up", tmp_path / "out", rows=700)
    assert max(row["length"] for row in rows["train"]) <= 20
    assert min(row["length"] for row in rows["test"]) > 20
    for split in ("train", "test"):
        found = rows[split]
        assert len({row["subtype"] for row in found}) == 7
        answers = [row["answer"] for row in found if row["prompt"].startswith("dyck_balanced")]
        assert set(answers) == {"yes", "no"}
