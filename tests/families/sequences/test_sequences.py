"""Sequence tasks: the contract of every task, examples by hand, refused params."""

from typing import Any

import pytest

import synthgen
from synthgen.contract.registry import generator_class
from synthgen.core.errors import ParamError
from synthgen.testing import check_family
from synthgen.training.reward import judge
from tests.families.scripted import scripted
from tests.families.verdicts import accepts, answer, check_every_line_counts

KINDS = (
    *("copy", "copy_twice", "replace", "reverse", "reverse_twice", "reverse_copy", "sort"),
    *("count", "mode", "parity", "sum", "sum_modulo"),
)
PARAMS: list[dict[str, Any]] = [
    {"tasks": KINDS, "min_length": 1},
    {"tasks": KINDS, "items": "numbers", "min_value": 10, "max_value": 9_999, "distinct": 3},
    {"tasks": KINDS[:7], "items": "words", "repeats": "none", "max_length": 100},
    {"tasks": KINDS, "items": "words", "repeats": "one", "min_length": 4},
    {"tasks": ("parity",), "filler": 40, "ones": "even"},
    {"tasks": ("parity",), "labels": True, "filler": 12, "min_length": 1},
    {"tasks": ("copy", "sort", "sum", "parity", "mode"), "min_length": 300, "max_length": 400},
]
WORKED = {
    "Copy this sequence: b a a": ("b a a", ["1: b", "2: a", "3: a"]),
    "copy twice | 5 0": ("5 0 | 5 0", ["1: 5", "2: 0", "1: 5", "2: 0"]),
    "replace a with c | a b a": ("c b c", ["1: c", "2: b", "3: c"]),
    "reverse | x y z": ("z y x", ["3: z", "2: y", "1: x"]),
    "reverse, copy | x y": ("y x | x y", ["2: y", "1: x", "1: x", "2: y"]),
    "sort | f c j": ("c f j", ["c; left: f j", "f; left: j", "j; left: none"]),
    "sort | 431 77 5208": ("77 431 5208", None),
    "Sort these items in increasing order, keeping duplicates: 7 2 30 2": ("2 2 7 30", None),
    "count | 5 8": (
        "5 6 7 8",
        ["start at 5", "5 + 1 = 6", "6 + 1 = 7", "7 + 1 = 8", "stop at 8"],
    ),
    "count | 4 4": ("4", ["start at 4", "stop at 4"]),
    "mode | a b b c b": ("b", ["a: 1", "c: 1", "b: 3"]),
    "even parity | 1 0 1 1": ("No", ["start: even", "1: odd", "0: odd", "1: even", "1: odd"]),
    "even parity | . aa1 ab0 ac1 ad1 .": (
        "No",
        ["start: even", "aa: odd", "ac: even", "ad: odd"],
    ),
    "sum | 7 8 3": ("18", ["0 + 7 = 7", "7 + 8 = 15", "15 + 3 = 18"]),
    "sum mod 10 | 7 8 3": (
        "8",
        ["0 + 7 = 7, modulo 10: 7", "7 + 8 = 15, modulo 10: 5", "5 + 3 = 8, modulo 10: 8"],
    ),
}
"""Among them the examples of RASP-L and of Kazemnejad et al. (2023)."""


@pytest.mark.parametrize("params", PARAMS, ids=str)
def test_contract(params: dict[str, Any]) -> None:
    check_family("sequences", params, rows=40 if params.get("min_length") == 300 else 100)


@pytest.mark.parametrize(("prompt", "worked"), WORKED.items())
def test_by_hand(prompt: str, worked: tuple[str, list[str] | None]) -> None:
    wanted, lines = worked
    assert answer("sequences", prompt) == wanted
    if lines:
        check_every_line_counts("sequences", prompt, wanted, lines)


def drawn(places: list[int], count: int) -> list[tuple[int, int, int]]:
    """Return draws of items by their places among `count` items."""
    return [(place, 0, count) for place in places]


DRAWN: list[tuple[str, dict[str, Any], int, list[tuple[int, int, int]]]] = [
    ("copy twice | 5 0", {"tasks": ("copy_twice",), "items": "numbers"}, 2, drawn([5, 0], 100)),
    (
        *("replace a with c | a b a", {"tasks": ("replace",)}),
        *(3, [*drawn([0, 1, 0], 26), (0, 0, 3), (1, 0, 25)]),
    ),
    ("reverse | x y z", {"tasks": ("reverse",)}, 3, drawn([23, 24, 25], 26)),
    ("reverse, copy | x y", {"tasks": ("reverse_copy",)}, 2, drawn([23, 24], 26)),
    ("sort | f c j", {"tasks": ("sort",)}, 3, drawn([5, 2, 9], 26)),
    ("count | 5 8", {"tasks": ("count",)}, 4, [(5, 0, 97)]),
    ("mode | a b b c b", {"tasks": ("mode",), "n_items": 3}, 5, drawn([0, 1, 1, 2, 1], 3)),
    ("even parity | 1 0 1 1", {"tasks": ("parity",)}, 4, drawn([1, 0, 1, 1], 2)),
    (
        *("even parity | . aa1 ab0 ac1 ad1 .", {"tasks": ("parity",), "labels": True}),
        *(4, [*drawn([1, 0, 1, 1], 2), (0, 0, 673)]),
    ),
    ("sum | 7 8 3", {"tasks": ("sum",)}, 3, drawn([7, 8, 3], 100)),
    ("sum mod 10 | 7 8 3", {"tasks": ("sum_modulo",)}, 3, drawn([7, 8, 3], 100)),
]
"""Worked examples, with params, the length, and what the family draws after it."""


@pytest.mark.parametrize(("prompt", "params", "length", "rest"), DRAWN)
def test_the_family_makes_the_examples(
    prompt: str, params: dict[str, Any], length: int, rest: list[tuple[int, int, int]]
) -> None:
    family: Any = generator_class("sequences")(
        max_length=5, filler=6 if "labels" in params else 0, **params
    )
    problem = family.make(scripted((0, 0, 1), (length, 2, 6), *rest))
    assert (problem.answer, family.steps_of(problem)) == WORKED[prompt]
    holes = family.holes_of(problem, scripted((1, 0, 3)))
    assert family.words.wordings("bare", problem.kind)[0].format(**holes) == prompt


@pytest.mark.parametrize(
    "prompt",
    [
        "mode | a a b b",
        "even parity | 1 aa0",
        "even parity | aa1 aa0",
        "even parity | . .",
        "Is the number of 1s in the sequence . 1 0 even? Answer Yes or No.",
        "Sort these items in increasing order, keeping duplicates: b a",
        "count | 8 5",
        "count | 0 99999",
        "sum | a b",
        "sum mod 0 | 1 2",
    ],
)
def test_what_is_no_problem(prompt: str) -> None:
    assert answer("sequences", prompt) is None
    assert not accepts("sequences", prompt, "1")


@pytest.mark.parametrize(
    ("params", "fault"),
    [
        ({"max_length": 30, "repeats": "none"}, "max_length=30: expected at most 26"),
        ({"tasks": ("count",), "max_value": 5}, "max_value=5: expected at least 12 values"),
        ({"filler": 5}, "filler=5: expected 0, or at least max_length=12"),
        ({"tasks": ("replace",), "n_items": 1}, "n_items=1: expected more than one item"),
        ({"max_length": 900, "max_value": 999, "labels": True}, "at most 676 with labels"),
    ],
)
def test_what_is_refused(params: dict[str, Any], fault: str) -> None:
    kind: Any = generator_class("sequences")
    with pytest.raises(ParamError, match=fault):
        kind(**params)


def test_long_answers_are_paid() -> None:
    params = {"tasks": ["copy_twice"], "items": "words", "min_length": 1_000, "max_length": 1_000}
    for row in synthgen.generate("sequences", 3, params=params):
        assert len(row["answer"]) > 10_000
        assert judge(f"Answer: {row['answer']}", row["answer"], row["answer_type"]).score == 1.0
        assert judge(row["answer"][:-5], row["answer"], row["answer_type"]).score == 0.0
