"""Tables of binary operations: published values, whole tables, and splits of them."""

from pathlib import Path
from typing import Any

import pytest

from synthgen.contract.interfaces import Render
from synthgen.contract.registry import generator_class
from synthgen.draws.randomness import Rows
from synthgen.testing import check_family
from tests.building import build_bundled
from tests.families.verdicts import Verdicts, check_every_line_counts

KIND: Any = generator_class("grokking")
VERIFIER = Verdicts("grokking").verifier
VALUES = {
    "add": 53, "subtract": 70, "multiply": 35, "square_plus": 15, "cube_plus": 6, "squares": 23,
    "squares_product": 58, "squares_product_plus": 71, "cube_product": 1, "cube_product_plus": 48,
    "divide_or_subtract": 70, "add_or_multiply": 35, "add_or_subtract": 70,
}  # fmt: skip
"""Results of 13 and 40 modulo 97."""
GOLDEN = [
    *((name, 97, "13", "40", str(value)) for name, value in VALUES.items()),
    ("divide", 97, "35", "40", "13"),
    ("divide_or_subtract", 97, "13", "41", "50"),
    ("divide_or_subtract", 97, "5", "0", "5"),
    *(("add", 97, *row) for row in (("66", "47", "16"), ("96", "82", "81"), ("56", "45", "4"))),
    *(("divide", 97, *row) for row in (("77", "47", "78"), ("11", "23", "30"), ("18", "3", "6"))),
    *(
        ("s5", 97, *row.split())
        for row in ("21304 12430 42310", "34102 10243 43012", "03124 31420 32140")
    ),
]
SIZES = {"divide": 9312, "divide_or_subtract": 9409, "s5": 14400, "s5_aba": 14400, "add": 9409}


def bare(operation: str, modulus: int, a: str, b: str) -> str:
    start = "S5" if operation.startswith("s5") else f"mod {modulus}"
    return f"{start}: {operation}: {a} {b}"


@pytest.mark.parametrize("operation", [*VALUES, "divide", "s5", "s5_conjugate", "s5_aba"])
def test_contract(operation: str) -> None:
    check_family("grokking", {"operation": operation, "modulus": 15}, rows=225)


@pytest.mark.parametrize(("operation", "modulus", "a", "b", "c"), GOLDEN)
def test_golden_values(operation: str, modulus: int, a: str, b: str, c: str) -> None:
    assert VERIFIER.answer(bare(operation, modulus, a, b)) == c
    family = KIND(operation=operation, modulus=modulus)
    (made,) = [one for one in family.problems() if (one.holes["a"], one.holes["b"]) == (a, b)]
    assert made.answer == c
    check_every_line_counts("grokking", bare(operation, modulus, a, b), c, family.steps_of(made))


@pytest.mark.parametrize(("operation", "size"), SIZES.items())
def test_every_equation_is_listed_once(operation: str, size: int) -> None:
    family = KIND(operation=operation)
    assert family.space == family.fewest_problems == size
    texts = family.render(family.draw(Rows.span(0, 0, size)), Render("bare", "none"))
    assert len(set(texts.prompts.to_pylist())) == size
    if operation in {"add", "s5"}:  # a group: every row and column has every element
        pairs = [text.split()[-2:] for text in texts.prompts.to_pylist()]
        for side in (0, 1):
            found = {
                (pair[side], c) for pair, c in zip(pairs, texts.answers.to_pylist(), strict=True)
            }
            assert len(found) == size


def test_undefined_quotients_of_a_composite_modulus_are_left_out() -> None:
    divisors = {int(str(one.holes["b"])) for one in KIND(modulus=12).problems()}
    assert divisors == {1, 5, 7, 11}
    assert VERIFIER.answer("mod 12: divide: 4 2") is None
    mixed = KIND(modulus=12, operation="divide_or_subtract").problems()
    assert {one.axes["b"] for one in mixed} == {0, 2, 4, 6, 8, 10, *divisors}


@pytest.mark.parametrize(
    "prompt",
    ["mod 97: add: 97 1", "mod 97: add: 01 1", "S5: s5: 01123 01234", "S5: add: 01234 01234"],
)
def test_other_texts_are_no_problems(prompt: str) -> None:
    assert VERIFIER.answer(prompt) is None


def test_the_recipe_divides_the_whole_table(tmp_path: Path) -> None:
    small = ("source.grokking.params.modulus=13", "split.train.rows=78", "split.test.rows=78")
    rows = build_bundled("grokking", tmp_path / "out", *small)
    assert len({row["id"] for split in rows.values() for row in split}) == 156


def test_twins_share_a_split(tmp_path: Path) -> None:
    rows = build_bundled("grokking-twins", tmp_path / "out", rows=400)
    pairs = [{(row["smaller"], row["larger"]) for row in split} for split in rows.values()]
    assert not pairs[0] & pairs[1]


def test_held_out_operands_are_new(tmp_path: Path) -> None:
    rows = build_bundled("grokking-operands", tmp_path / "out", rows=400)
    seen = {row[name] for row in rows["train"] for name in "ab"}
    assert all(row["a"] not in seen or row["b"] not in seen for row in rows["test_operand"])
    assert all(row["a"] not in seen and row["b"] not in seen for row in rows["test_both"])
