"""Template tasks: contract, labels by hand, and new symbols in the test only."""

from pathlib import Path

import pytest

from synthgen.contract.registry import generator_class, load_verifier
from synthgen.core.errors import ParamError
from synthgen.testing import check_family
from tests.building import build_bundled

TASKS = ("same_different", "aba_abb", "aabb_abab", "majority", "counting", "selection")


@pytest.mark.parametrize("task", TASKS)
def test_contract(task: str) -> None:
    check_family("symbol_templates", {"task": task, "first_symbol": 990, "level": True}, rows=60)


RULES = (
    "Each rule gives the label of all sequences of one form:\n\n{}\n\nCapital letters are "
    "placeholders for symbols such as x0 and x1: equal letters for equal symbols, different "
    "letters for different symbols. Lower-case letters stand for themselves. If a label "
    "is a placeholder, the answer is the symbol it stands for.\n\nWhat is the label of the "
    "sequence {}?"
)


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        ("same_different x3 x3", "same"),
        ("same_different x3 x8", "different"),
        ("aba_abb x1 x2 x1", "first"),
        ("aba_abb x1 x2 x3", None),
        ("aabb_abab x5 x6 x5 x6", "second"),
        ("majority x2 x7 x7", "x7"),
        ("counting x2 x7 x9", "3"),
        ("selection q x2 x7", "x7"),
        ("selection r x2 x7", None),
        (RULES.format("B A c -> A\nA A c -> c", "x1 x2 c"), "x2"),
        (RULES.format("B A c -> A\nA A c -> c", "x1 x1 c"), "c"),
        (RULES.format("A B -> one\nB A -> two", "x1 x2"), None),
    ],
)
def test_labels_by_hand(prompt: str, answer: str | None) -> None:
    assert load_verifier("symbol_templates").answer(prompt) == answer  # type: ignore[attr-defined]


def test_an_alphabet_beyond_the_last_symbol_is_refused() -> None:
    with pytest.raises(ParamError, match="symbols_used=100: expected an integer from 3 to 50"):
        generator_class("symbol_templates")(first_symbol=9950)


def test_new_symbols_are_only_in_their_test(tmp_path: Path) -> None:
    rows = build_bundled("symbol-templates", tmp_path / "out", scale=0.1)
    for split, found in rows.items():
        symbols = {int(word[1:]) for row in found for word in row["prompt"].split()[1:]}
        new = split == "test_new_symbols"
        assert all((symbol >= 1000) == new for symbol in symbols)
