from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.errors import ParamError
from synthgen.coverage import structure_reader
from synthgen.coverage.structure_reader import OTHER, UNREADABLE, StructureReader
from synthgen.trees.derivations import derivation_text, parse_derivation, read_derivations

LEAVES = st.sampled_from(["a", "b", "7", "a_long_name_of_a_leaf", "a_long_name_of_a_leag", "é"])
HEADS = {1: "f", 2: "g", 3: "a_symbol_that_takes_three"}


def node(children: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.lists(children, min_size=1, max_size=3).map(
        lambda parts: f"({HEADS[len(parts)]} {' '.join(parts)})"
    )


TREES = st.recursive(LEAVES, node, max_leaves=12)


@given(st.lists(TREES, min_size=1, max_size=8), st.integers(1, 8))
def test_trees_read_as_the_slow_reader_reads_them(texts: list[str], batch: int) -> None:
    reader = StructureReader()
    read: list[str] = []
    for start in range(0, len(texts), batch):
        found = reader.read(pa.array(texts[start : start + batch]))
        read += derivation_text(found, reader.signature).to_pylist()
    assert read == texts
    slow, names = read_derivations(texts)
    assert set(names.names) == set(reader.signature.names)
    assert [len(slow.row(i)) for i in range(len(texts))] == [
        len(parse_derivation(text, reader.signature)) for text in texts
    ]


@given(st.text(alphabet="() abc", max_size=12))
def test_what_is_no_tree_is_one_symbol(text: str) -> None:
    reader = StructureReader()
    (row,) = [reader.read(pa.array([text])).row(0).tolist()]
    found = [reader.signature.names[code] for code in row]
    assert found == expected_symbols(text) or expected_symbols(text) is None


def expected_symbols(text: str) -> list[str] | None:
    """Return what the slow reader reads; None of a name with two numbers of arguments."""
    try:
        codes, signature = read_derivations([text])
    except ParamError as error:
        return None if "with" in error.expected else [UNREADABLE]
    return [signature.names[code] for code in codes.row(0)]


@pytest.mark.parametrize("bad", ["", None, "(", "(f", "f)", "(f) x", "(f)", "(+ (x) 1)", "((f) a)"])
def test_bad_texts_leave_their_neighbours_alone(bad: str | None) -> None:
    reader = StructureReader()
    found = reader.read(pa.array(["(f a)", bad, "(f b)"], pa.string()))
    names = [[reader.signature.names[code] for code in found.row(i)] for i in range(3)]
    assert names == [["f", "a"], [UNREADABLE], ["f", "b"]]


def test_names_with_several_numbers_of_arguments_are_told_apart() -> None:
    reader = StructureReader()
    reader.read(pa.array(["(f a b)", "(f a)", "(g f)"]))
    assert reader.signature.names == ("f", "a", "b", "f/1", "g", "f/0")
    assert reader.signature.arities == (2, 0, 0, 1, 1, 0)


def test_leaves_may_share_a_name() -> None:
    reader = StructureReader(lambda leaf: "#" if leaf.isdigit() else leaf)
    found = reader.read(pa.array(["(+ 1 2)", "(+ 33 x)"]))
    assert reader.signature.names == ("+", "#", "x")
    assert found.values.tolist() == [0, 1, 1, 0, 1, 2]


def test_white_space_in_names_is_written_out() -> None:
    reader = StructureReader()
    reader.read(pa.array(["(f a\tb)", "(f a_b)"]))
    assert reader.signature.names == ("f", "a_b", "a_b/0")


def test_symbols_beyond_the_last_code_are_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(structure_reader, "MAX_SYMBOLS", 3)
    reader = StructureReader()
    found = reader.read(pa.array(["(f a b)", "(f c d)"]))
    assert reader.signature.names == ("f", "a", "b", OTHER)
    assert found.row(1).tolist() == [0, 3, 3]
    with pytest.raises(ParamError, match="that take arguments"):
        reader.read(pa.array(["(g a)"]))


def test_a_symbol_has_a_bounded_number_of_arguments() -> None:
    reader = StructureReader()
    texts = [f"(f {' '.join(['x'] * n)})" for n in (1000, 1001)]
    assert len(reader.read(pa.array(texts[:1])).row(0)) == 1001
    with pytest.raises(ParamError, match=r"^derivation='\(f \.\.\.': expected at most 1,000 arg"):
        reader.read(pa.array(texts[1:]))
