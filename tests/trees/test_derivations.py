"""Derivations: prefix text there and back, and every malformed text refused."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.core.columns import ragged
from synthgen.core.errors import ParamError
from synthgen.trees.derivations import (
    Signature,
    derivation_depths,
    derivation_text,
    parse_derivation,
    read_derivations,
)

ARITHMETIC = Signature.from_arities({"+": 2, "neg": 1, "if": 3, "1": 0, "2": 0, "ten": 0})
NAMES = st.text(
    st.characters(exclude_characters="()", exclude_categories=("Cs", "Z", "Cc", "Cf")),
    min_size=1,
    max_size=4,
)


@st.composite
def signatures(draw: st.DrawFn) -> Signature:
    names = draw(st.lists(NAMES, min_size=1, max_size=6, unique=True))
    arities = draw(st.lists(st.integers(0, 4), min_size=len(names), max_size=len(names)))
    return Signature(tuple(names), (0, *arities[1:]))


def grown(draw: st.DrawFn, signature: Signature, budget: int) -> list[int]:
    """One derivation in prefix order, by recursion; leaves once the budget is spent."""
    leaves = [code for code, arity in enumerate(signature.arities) if arity == 0]
    everything = list(range(len(signature.names)))
    code = draw(st.sampled_from(everything if budget > 0 else leaves))
    codes, arity = [code], signature.arities[code]
    for _ in range(arity):
        codes += grown(draw, signature, (budget - 1) // arity)
    return codes


@st.composite
def forests(draw: st.DrawFn) -> tuple[Signature, list[list[int]]]:
    signature = draw(signatures())
    rows = draw(st.integers(0, 5))
    return signature, [grown(draw, signature, draw(st.integers(0, 12))) for _ in range(rows)]


def written(codes: list[int], signature: Signature) -> tuple[str, int, list[int]]:
    """Text and depth of the first derivation, and the codes after it, by recursion."""
    code, *rest = codes
    parts, deepest = [signature.names[code]], 0
    for _ in range(signature.arities[code]):
        part, depth, rest = written(rest, signature)
        parts.append(part)
        deepest = max(deepest, depth)
    text = f"({' '.join(parts)})" if signature.arities[code] else parts[0]
    return text, deepest + 1, rest


def written_text(codes: list[int], signature: Signature = ARITHMETIC) -> str:
    return str(derivation_text(ragged([codes]), signature)[0])


@given(forests())
def test_all_forms_agree(forest: tuple[Signature, list[list[int]]]) -> None:
    signature, rows = forest
    expected = [written(row, signature) for row in rows]
    assert all(rest == [] for _, _, rest in expected)
    texts = [text for text, _, _ in expected]
    assert derivation_text(ragged(rows), signature).to_pylist() == texts
    assert [parse_derivation(text, signature) for text in texts] == rows
    column = ragged(rows)
    depths = derivation_depths(column.values, column.offsets, signature.arity_array)
    assert depths.tolist() == [depth for _, depth, _ in expected]


def test_a_worked_example() -> None:
    codes = [0, 1, 3, 2, 4, 5, 0, 3, 4]
    text = "(+ (neg 1) (if 2 ten (+ 1 2)))"
    assert written_text(codes) == text
    assert parse_derivation(text, ARITHMETIC) == codes
    assert parse_derivation("  ( +(neg 1)\n(if 2 ten( + 1 2 ) ) ) ", ARITHMETIC) == codes
    column = ragged([codes, [5]])
    assert derivation_depths(column.values, column.offsets, ARITHMETIC.arity_array).tolist() == [
        4,
        1,
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "(",
        ")",
        "()",
        "1 2",
        "(1)",
        "(+ 1)",
        "(+ 1 2",
        "+ 1 2",
        "(+ 1 2))",
        "(+ 1 2 2)",
        "(+ 1 2) 1",
        "1 (+ 1 2)",
        "(+ 1 + 2)",
        "(neg)",
        "(neg (1))",
        "(+ 1 three)",
        "(1 + 2)",
        "(+ () 1)",
        "(+ 1 2)(+ 1 2)",
        ")(",
        "(+ 1 2) )",
        "((+ 1 2))",
        "((+ 1 2)",
        "(+ ((neg 1))",
        "(+ (( neg 1) 2)",
        "(neg (((neg 1)",
    ],
)
def test_malformed_texts_are_refused(text: str) -> None:
    with pytest.raises(ParamError, match=r"^derivation="):
        parse_derivation(text, ARITHMETIC)


@given(st.lists(st.sampled_from(["+", "neg", "1", "(", "(", ")", "x"]), max_size=9))
@settings(deadline=None, max_examples=400)
def test_a_text_is_refused_or_is_what_its_codes_are_written_as(tokens: list[str]) -> None:
    check_refused_or_equal(" ".join(tokens))


@given(st.text(max_size=20))
def test_any_text_is_refused_or_read(text: str) -> None:
    check_refused_or_equal(text)


@given(forests().filter(lambda forest: forest[1]), st.data())
def test_a_changed_text_is_refused_or_read(
    forest: tuple[Signature, list[list[int]]], data: st.DataObject
) -> None:
    signature, rows = forest
    text = written_text(rows[0], signature)
    at = data.draw(st.integers(0, len(text)))
    insert = data.draw(st.sampled_from(["", "(", ")", " ", text[:3]]))
    drop = data.draw(st.integers(0, 2))
    check_refused_or_equal(text[:at] + insert + text[at + drop :], signature)


def check_refused_or_equal(text: str, signature: Signature = ARITHMETIC) -> None:
    """The only error is ParamError, and what is read is the same text but for spaces."""
    try:
        codes = parse_derivation(text, signature)
    except ParamError:
        return
    again = written_text(codes, signature)
    assert "".join(again.split()) == "".join(text.split())


def test_deep_derivations_need_no_recursion() -> None:
    codes = [1] * 50_000 + [3]
    text = written_text(codes)
    assert parse_derivation(text, ARITHMETIC) == codes
    column = ragged([codes])
    depths = derivation_depths(column.values, column.offsets, ARITHMETIC.arity_array)
    assert depths.tolist() == [50_001]


@pytest.mark.parametrize(
    ("names", "arities"),
    [
        (("a", "a"), (0, 1)),
        (("a", "b"), (0,)),
        (("",), (0,)),
        (("a b",), (0,)),
        (("a\u00a0b",), (0,)),
        (("(a",), (0,)),
        (("a)",), (0,)),
    ],
)
def test_bad_signatures_are_refused(names: tuple[str, ...], arities: tuple[int, ...]) -> None:
    with pytest.raises(ParamError, match=r"^(signature|symbol)="):
        Signature(names, arities)


def test_tables_of_a_signature() -> None:
    signature = Signature.from_arities({"né": 2, "x": 0})
    assert signature.code == {"né": 0, "x": 1}
    assert signature.arity_array.tolist() == [2, 0]
    names, offsets = signature.name_table
    assert names.tobytes().decode() == "néx"
    assert offsets.tolist() == [0, 3, 4]
    assert signature.widths.tolist() == [6, 2]
    ids = signature.symbol_ids
    assert ids.dtype == np.uint64
    assert ids[0] != ids[1]
    assert Signature.from_arities({"x": 0, "né": 2}).symbol_ids.tolist() == ids[::-1].tolist()
    assert Signature.from_arities({"né": 1}).symbol_ids[0] != ids[0]


SIGNATURE = Signature.from_arities({"+": 2, "neg": 1, "x": 0, "7": 0})
TREES = st.recursive(
    st.sampled_from(["x", "7"]),
    lambda tree: st.builds("(+ {} {})".format, tree, tree) | st.builds("(neg {})".format, tree),
    max_leaves=12,
)


@given(st.lists(TREES, min_size=1, max_size=5))
def test_what_is_read_is_written_again(texts: list[str]) -> None:
    derivations, signature = read_derivations(texts)
    assert derivation_text(derivations, signature).to_pylist() == texts
    assert set(signature.names) <= set(SIGNATURE.names)
    for name, arity in zip(signature.names, signature.arities, strict=True):
        assert arity == SIGNATURE.arities[SIGNATURE.code[name]]


def test_ids_of_symbols_do_not_depend_on_codes() -> None:
    texts = ["(+ x (neg 7))", "7"]
    derivations, signature = read_derivations(texts)
    own = ragged(parse_derivation(text, SIGNATURE) for text in texts)
    ids = [
        sig.symbol_ids[d.values].tolist() for d, sig in ((derivations, signature), (own, SIGNATURE))
    ]
    assert ids[0] == ids[1]


@pytest.mark.parametrize(
    "text", ["", "(", ")", "x)", "(+ x", "(+ x x) x", "x x", "(+ (neg x) x))", "((neg x))", "()"]
)
def test_what_is_no_tree_is_refused(text: str) -> None:
    with pytest.raises(ParamError):
        read_derivations([text])


def test_one_symbol_has_one_number_of_arguments() -> None:
    with pytest.raises(ParamError, match="'f'"):
        read_derivations(["(f x)", "(f x x)"])
