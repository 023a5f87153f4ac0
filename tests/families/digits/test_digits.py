"""Long numbers: the contract in every format, examples by hand, axes from the texts."""

from pathlib import Path
from typing import Any

import pytest

from synthgen.contract.interfaces import Render
from synthgen.contract.registry import generator_class
from synthgen.core.errors import ParamError
from synthgen.draws.randomness import RowDraws, Rows
from synthgen.testing import check_family
from tests.building import build_bundled
from tests.families.scripted import scripted
from tests.families.verdicts import accepts, answer, check_every_line_counts

KIND: Any = generator_class("addition")
ADDITION: list[dict[str, Any]] = [
    {},
    {"min_digits": 300, "max_digits": 1_000, "spacing": "gaps"},
    {"order": "reversed", "padded": True, "labels": "consecutive", "carrying": "even"},
    {"order": "answer_reversed", "padded": True, "labels": "first", "n_labels": 52},
    {"padded": True, "labels": "spread", "spacing": "spaces", "order": "answer_reversed"},
    {"padded": True, "labels": "consecutive", "spacing": "gaps", "gap": 0.5, "lengths": "equal"},
    {"spacing": "spaces", "order": "reversed", "carrying": "even"},
]
MULTIPLICATION: list[dict[str, Any]] = [
    {},
    {"min_digits": 3, "max_digits": 100, "second_digits": 1, "order": "reversed"},
    {"padded": True, "order": "answer_reversed", "spacing": "spaces"},
    {"min_digits": 120, "max_digits": 160, "spacing": "gaps", "padded": True},
]


@pytest.mark.parametrize("params", ADDITION, ids=str)
def test_contract_of_addition(params: dict[str, Any]) -> None:
    check_family("addition", params, rows=40)


@pytest.mark.parametrize("params", MULTIPLICATION, ids=str)
def test_contract_of_multiplication(params: dict[str, Any]) -> None:
    check_family("multiplication", params, rows=20 if "min_digits" in params else 40)


LETTERS = 52
ZHOU = {"order": "reversed", "padded": True, "labels": "consecutive", "n_labels": LETTERS}
RASP: dict[str, Any] = {"padded": True, "labels": "first", "n_labels": LETTERS, "spacing": "spaces"}
EXAMPLES: list[tuple[dict[str, Any], int, int, list[tuple[int, int, int]], str, str]] = [
    (
        {**ZHOU, "spacing": "none"},
        *(58, 467, [(7, 0, LETTERS - 3)]),
        *("add reversed padded labels | h8i5j0k0 + h7i6j4k0 =", "h5i2j5k0"),
    ),
    (RASP, 47, 8, [], "add padded labels spaces | a 0 b 4 c 7 + a 0 b 0 c 8 =", "a 0 b 5 c 5"),
    (
        {**RASP, "order": "answer_reversed"},
        *(95, 17, []),
        *("add answer-reversed padded labels spaces | a 0 b 9 c 5 + a 0 b 1 c 7 =", "c 2 b 1 a 1"),
    ),
    ({"spacing": "spaces"}, 57, 865, [], "add spaces | 5 7 + 8 6 5 =", "9 2 2"),
    ({}, 999, 1, [], "add | 999 + 1 =", "1000"),
    ({"order": "reversed"}, 999, 1, [], "add reversed | 999 + 1 =", "0001"),
]
"""The examples of Zhou et al. (2024), RASP-L and Kazemnejad et al. (2023), and two of our own."""


def number(value: int) -> tuple[int, int, int]:
    """What a number draws, at least two digits of which begin with another digit than zero."""
    digits = len(str(value))
    return value, 10 ** (digits - 1) if digits > 1 else 0, 10**digits


@pytest.mark.parametrize(("params", "a", "b", "more", "prompt", "wanted"), EXAMPLES)
def test_published_examples(
    params: dict[str, Any], a: int, b: int, more: Any, prompt: str, wanted: str
) -> None:
    assert answer("addition", prompt) == wanted
    family: Any = KIND(max_digits=4, **params)
    lengths = [(len(str(value)), 1, 5) for value in (a, b)]
    problem = family.make(scripted(*lengths, number(a), number(b), *more))
    assert problem.answer == wanted
    texts = family.words.wordings("bare")[0]
    assert texts.format(**family.holes_of(problem, RowDraws(0))) == prompt


SCRATCHPADS: list[tuple[str, dict[str, Any], int, int, str, list[str]]] = [
    (
        *("addition", {"spacing": "spaces"}, 57, 865, "add spaces | 5 7 + 8 6 5 ="),
        [
            *("7 + 5 + 0 = 12: write 2, carry 1", "5 + 6 + 1 = 12: write 2, carry 1"),
            *("0 + 8 + 1 = 9: write 9, carry 0", "answer: 9 2 2"),
        ],
    ),
    (
        *("multiplication", {}, 17, 95, "multiply | 17 * 95 ="),
        ["17 * 5 = 85; 0 + 85 = 85", "17 * 90 = 1530; 85 + 1530 = 1615", "answer: 1615"],
    ),
    (
        *("multiplication", {"order": "answer_reversed", "padded": True}, 12, 34),
        "multiply answer-reversed padded | 12 * 34 =",
        ["12 * 4 = 48; 0 + 48 = 48", "12 * 30 = 360; 48 + 360 = 408", "answer: 8040"],
    ),
]


@pytest.mark.parametrize(("name", "params", "a", "b", "prompt", "lines"), SCRATCHPADS)
def test_scratchpads_by_hand(
    name: str, params: dict[str, Any], a: int, b: int, prompt: str, lines: list[str]
) -> None:
    gold = lines[-1].removeprefix("answer: ")
    assert answer(name, prompt) == gold
    check_every_line_counts(name, prompt, gold, lines)
    family: Any = generator_class(name)(max_digits=4, **params)
    lengths = [(len(str(value)), 1, 5) for value in (a, b)]
    problem = family.make(scripted(*lengths, number(a), number(b)))
    assert (problem.answer, family.steps_of(problem)) == (gold, lines)
    text = family.words.wordings("bare")[0]
    assert text.format(**family.holes_of(problem, RowDraws(0))) == prompt


@pytest.mark.parametrize(
    "prompt",
    [
        "add | 5 7 + 8 =",
        "add spaces | 57 + 8 =",
        "add | 057 + 8 =",
        "add padded | 57 + 08 =",
        "add padded | 0057 + 0008 =",
        "add padded labels | a0b5 + a0c8 =",
        "add padded labels | a0a5 + a0a8 =",
        "add labels | a5 + a8 =",
        "add padded padded | 057 + 008 =",
        "add | 5_7 + 8 =",
        "Compute 57 * 8. Pad the answer to the same number of digits.",
    ],
)
def test_numbers_must_be_in_the_stated_format(prompt: str) -> None:
    assert answer("addition", prompt) is None
    assert not accepts("addition", prompt, "65")


def test_longer_numbers_than_families_write_are_refused() -> None:
    most = 1_101
    assert answer("addition", f"add | {'1' * most} + 2 =") == "1" * (most - 1) + "3"
    assert answer("addition", f"add | {'1' * (most + 1)} + 2 =") is None
    assert answer("addition", f"add | {'1' * 9_000} + 2 =") is None


@pytest.mark.parametrize("carrying", ["uniform", "even"])
def test_axes_are_those_of_the_texts(carrying: str) -> None:
    family = KIND(max_digits=30, carrying=carrying, lengths="equal")
    problems = family.draw(Rows.span(3, 0, 300))
    texts = family.render(problems, Render("bare", "steps"))
    chains = set()
    for place, steps in enumerate(texts.solutions.to_pylist()):
        found = {name: int(column[place]) for name, column in problems.axes.items()}
        carries = "".join(line[-1] for line in steps.split("\n")[:-1])
        a, b = map(int, texts.prompts[place].as_py()[6:-2].split(" + "))
        assert found["length"] == found["length_short"] == len(str(a)) == len(str(b))
        assert found["carries"] == carries.count("1")
        assert found["carry_chain"] == max(map(len, carries.split("0")))
        digits = [sum(map(int, str(value))) for value in (a, b, a + b)]
        assert found["carries"] == (digits[0] + digits[1] - digits[2]) // 9
        chains.add(found["carry_chain"])
    assert (max(chains) > 20) == (carrying == "even")


def test_labels_need_padding_and_room() -> None:
    with pytest.raises(ParamError, match="padded=False: expected true"):
        KIND(labels="first")
    with pytest.raises(ParamError, match="n_labels=10: expected more than max_digits=10"):
        KIND(labels="first", padded=True, n_labels=10)


def test_splits_by_length_and_by_carries(tmp_path: Path) -> None:
    smaller = ["source.addition.params.max_digits=44"]
    smaller += [f"split.{name}.rows=50" for name in ("train", "test", "test_longer")]
    rows = build_bundled("addition-zhou", tmp_path / "zhou", *smaller)
    assert {row["length"] for row in rows["train"]} == {*range(1, 41)}
    assert {row["length"] for row in rows["test_longer"]} == {*range(41, 45)}
    rows = build_bundled("addition-carries", tmp_path / "carries", rows=400)
    assert {row["carry_chain"] for row in rows["train"]} == {*range(4)}
    assert {row["carry_chain"] for row in rows["test_chains"]} == {*range(4, 20)}
