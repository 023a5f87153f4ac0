"""Levels of sameness: what each key sees and what it does not."""

from __future__ import annotations

import pyarrow as pa
import pytest

from synthgen.core.columns import ragged
from synthgen.core.derivation import Signature, format_derivation, parse_derivation
from synthgen.core.errors import ParamError, UnknownNameError
from synthgen.coverage.templates import (
    Level,
    exact_keys,
    mask_values,
    masked_texts,
    normalised_keys,
    normalised_texts,
    numerals_of,
    templates,
)

SIGNATURE = Signature.of(
    {"=": 2, "+": 2, "*": 2, "x": 0, "y": 0} | dict.fromkeys(["3", "-4", "2.5", "1/2", "x1"], 0)
)
TEXTS = ("Solve 3 * x", "solve  3 *\u00a0x ", "solve 4 * x")


def template_of(text: str) -> str:
    forms = templates(
        ragged([parse_derivation(text, SIGNATURE)]),
        SIGNATURE,
        values=numerals_of(SIGNATURE),
        commutative=frozenset("+*="),
        variables=frozenset("xy"),
    )
    return format_derivation(forms.derivations.row(0).tolist(), forms.signature)


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


def test_templates_see_neither_values_nor_order_nor_names() -> None:
    one = template_of("(= (+ (* 3 x) -4) y)")
    assert one == template_of("(= x (+ 2.5 (* y 1/2)))")
    assert one == "(= v0 (+ # (* # v1)))"
    assert one != template_of("(= (+ (* x x) -4) y)")
    assert template_of("(* x1 3)") != template_of("(* x 3)")


def test_values_are_masked_by_one_symbol() -> None:
    rows = ragged([parse_derivation("(+ 3 2.5)", SIGNATURE)])
    masked, signature = mask_values(rows, SIGNATURE, frozenset({"2.5", "3"}))
    assert format_derivation(masked.row(0).tolist(), signature) == "(+ # #)"
    assert mask_values(rows, SIGNATURE, frozenset()) == (rows, SIGNATURE)
    again, _ = mask_values(masked, signature, frozenset({"#", "-4"}))
    assert again.values.tolist() == masked.values.tolist()


def test_bad_arguments() -> None:
    rows = ragged([[3]])
    with pytest.raises(ParamError, match=r"value='\+': expected a symbol without arguments"):
        mask_values(rows, SIGNATURE, frozenset("+"))
    with pytest.raises(UnknownNameError, match="unknown symbol '7'"):
        mask_values(rows, SIGNATURE, frozenset("7"))
    with pytest.raises(ParamError, match="symbol='#'"):
        mask_values(ragged([[0]]), Signature.of({"#": 0, "1": 0}), frozenset("1"))
