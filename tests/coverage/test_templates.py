"""Levels of sameness: what each key sees and what it does not."""

from __future__ import annotations

import pyarrow as pa

from synthgen.core.columns import ragged
from synthgen.coverage.templates import (
    Level,
    exact_keys,
    masked_texts,
    normalised_keys,
    normalised_texts,
    numerals_of,
    template_keys,
)
from synthgen.trees.derivations import Signature, parse_derivation

SIGNATURE = Signature.from_arities(
    {"=": 2, "+": 2, "*": 2, "x": 0, "y": 0} | dict.fromkeys(["3", "-4", "2.5", "1/2", "x1"], 0)
)
TEXTS = ("Solve 3 * x", "solve  3 *\u00a0x ", "solve 4 * x")


def test_levels_are_in_order_and_have_labels() -> None:
    assert [level.label for level in Level] == ["L0", "L1", "L2", "L3", "L4", "L5"]
    assert Level.EXACT < Level.CANONICAL < Level.TEMPLATE


def test_exact_keys_see_every_byte() -> None:
    keys = exact_keys(pa.array([*TEXTS, TEXTS[0]])).tolist()
    assert keys[0] == keys[3]
    assert len({tuple(key) for key in keys}) == 3


def test_normalised_keys_see_numbers_but_no_spacing_or_case() -> None:
    keys = normalised_keys(pa.array(TEXTS)).tolist()
    assert keys[0] == keys[1] != keys[2]
    kept = normalised_keys(pa.array(TEXTS), fold_case=False).tolist()
    assert kept[0] != kept[1]
    assert (
        exact_keys(pa.array(["solve 3 * x"])).tolist()
        != normalised_keys(pa.array(["solve 3 * x"])).tolist()
    )


def test_normalised_texts() -> None:
    column = pa.array(["  A\n\t b ", "e\u0301", "x\u00b2", "", None])
    assert normalised_texts(column).to_pylist() == ["a b", "\u00e9", "x\u00b2", "", None]


def test_masked_texts() -> None:
    column = pa.array(["3x1 + 2.50 = -7.", "in 12 days", None])
    assert masked_texts(column).to_pylist() == ["#x1 + # = -#.", "in # days", None]


def test_numerals_of_a_signature() -> None:
    assert numerals_of(SIGNATURE) == {"3", "-4", "2.5", "1/2"}


def test_templates_see_symbols_but_no_numbers() -> None:
    texts = ["(+ 3 x)", "(+ 1/2 x)", "(+ x 3)", "(+ 3 y)", "(+ x1 x)"]
    rows = ragged([parse_derivation(text, SIGNATURE) for text in texts])
    one, same, *others = template_keys(rows, SIGNATURE).tolist()
    assert one == same
    assert len({tuple(key) for key in (one, *others)}) == 4
