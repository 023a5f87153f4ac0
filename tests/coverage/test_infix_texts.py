"""Infix expressions as trees, and texts that are not infix expressions."""

from __future__ import annotations

import pyarrow as pa
import pytest

from synthgen.coverage.infix_texts import MAX_CHARACTERS, prefix_of, with_prefix_trees
from synthgen.coverage.structure_texts import BadTree, prefix_texts


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("(3 + 4) * x", "(* (+ 3 4) x)"),
        ("3 + 4 * x", "(+ 3 (* 4 x))"),
        ("2*(3+4)", "(* 2 (+ 3 4))"),
        ("( ( 2 × 3 ) ÷ 4 )", "(÷ (× 2 3) 4)"),
        ("a - b - c", "(- (- a b) c)"),
        ("2^3^x", "(^ 2 (^ 3 x))"),
        ("-x^2 = 1.5", "(= (- (^ x 2)) 1.5)"),
        ("( -3 + 4) / -2", "(/ (+ -3 4) -2)"),
        ("a <= b + c", "(<= a (+ b c))"),
        ("gcd(a, b + 1) * turn-left", "(* (gcd a (+ b 1)) turn-left)"),
        ("x-y", "(- x y)"),
    ],
)
def test_operators_come_first(text: str, tree: str) -> None:
    assert prefix_of(text) == tree


@pytest.mark.parametrize(
    "text",
    [
        *("(+ 2 -3)", "(- 2 -3)", "(f -3)", "(-2 -3)", "plus(2, times(3, 4))", "(f (g x) y)"),
        *("turn-left", "plus-one(2, x)", "(S (NP/N the) x)", "x", "-3", "x -1", "a b + c"),
        *("", "a +", "+ a", "(a + b", "a + b)", "() + 1", "f() + 1", "a + + b", "a $ b", "a -> b"),
        "(" * 200 + "1 + 1" + ")" * 200,
        "1^" * 200 + "1",
        "1 + " * MAX_CHARACTERS + "1",
    ],
)
def test_other_texts_are_not_infix_expressions(text: str) -> None:
    assert prefix_of(text) is None


def test_columns_may_mix_both_and_have_nulls() -> None:
    texts = ["(3 + 4) * x", None, "plus(2, 3)", "(+ 1 -2)", "jump"]
    found = with_prefix_trees(pa.array(texts, pa.string())).to_pylist()
    assert found == ["(* (+ 3 4) x)", *texts[1:]]


def test_structures_are_read_alike_in_all_forms() -> None:
    forms = pa.array(["(3 + 4) * x", "(* (+ 3 4) x)", "*(+(3, 4), x)"])
    found = prefix_texts(forms)
    assert not isinstance(found, BadTree)
    assert set(found.to_pylist()) == {"(* (+ 3 4) x)"}


def test_a_text_that_is_neither_is_refused() -> None:
    found = prefix_texts(pa.array(["(3 + 4) * x", "(3 + 4) * * x"]))
    assert isinstance(found, BadTree)
    assert (found.row, found.character) == (1, 9)
    assert found.expected.endswith("or a formula")
