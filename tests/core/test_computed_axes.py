"""Columns of computed axes against their definition in plain Python."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.columns import ragged
from synthgen.core.computed_axes import (
    CellAxis,
    StructureAxis,
    cell_column,
    computed_columns,
    declared_axis,
    structure_column,
)
from synthgen.core.contract import Axis
from synthgen.core.derivation import Signature, parse_derivation
from synthgen.core.errors import ParamError
from synthgen.core.named_structures import structure_names

SIGNATURE = Signature.of({"+": 2, "*": 2, "a": 0, "b": 0})
TEXTS = ["a", "(+ a a)", "(+ (* a b) (* b a))", "(* (+ a a) (+ b (+ a b)))"]
TREES = ragged(parse_derivation(text, SIGNATURE) for text in TEXTS)


@pytest.mark.parametrize(
    ("kind", "of"),
    [
        ("symbols", ("+", "b", "nowhere")),
        ("placed", ("+@1", "a@2", "a@0")),
        ("edges", ("+>a", "*>+")),
        ("slots", ("+.2>b", "*.1>+")),
        ("siblings", ("a,b", "+,+")),
        ("local", ("pc + a", "psc * + +", "pc <s> +")),
    ],
)
def test_structures_are_counted_row_by_row(kind: str, of: tuple[str, ...]) -> None:
    rows = [ragged([TREES.row(i).tolist()]) for i in range(len(TREES))]
    there = [structure_names(row, SIGNATURE, kind) for row in rows]
    counts = [sum(name in of for name in names) for names in there]
    kinds = [len(set(names) & set(of)) for names in there]
    assert sum(counts) >= sum(kinds) > 0
    found = structure_column(StructureAxis("x", kind, of, "occurrences"), TREES, SIGNATURE)
    assert found.dtype == np.int16
    assert found.tolist() == counts
    found = structure_column(StructureAxis("x", kind, of, "kinds"), TREES, SIGNATURE)
    assert found.tolist() == kinds


def test_a_signature_without_the_symbols_gives_zeros() -> None:
    other = Signature.of({"f": 1, "x": 0})
    axis = StructureAxis("x", "edges", ("+>a",), "occurrences")
    assert structure_column(axis, ragged([[0, 1], [1]]), other).tolist() == [0, 0]
    with pytest.raises(ParamError, match="add>mul"):
        structure_column(StructureAxis("x", "edges", ("+",), "kinds"), TREES, SIGNATURE)


@given(
    st.lists(st.tuples(*[st.integers(-3, 3)] * 3), max_size=30),
    st.lists(st.tuples(*[st.integers(-4, 4)] * 3), max_size=9, unique=True),
)
def test_cells_are_those_of_the_definition(
    rows: list[tuple[int, ...]], cells: list[tuple[int, ...]]
) -> None:
    columns = {name: np.array([row[i] for row in rows], np.int16) for i, name in enumerate("abc")}
    axis = CellAxis("x", ("a", "b", "c"), tuple(cells))
    found = cell_column(axis, columns, {}, len(rows))
    assert found.tolist() == [int(row in cells) for row in rows]
    assert cell_column(axis, {"a": columns["a"]}, {}, len(rows)).tolist() == [0] * len(rows)


def test_cells_may_have_names_and_axes_computed_before() -> None:
    plus = StructureAxis("plus", "symbols", ("+",), "occurrences")
    cell = CellAxis("cell", ("plus", "kind"), ((1, "odd"), (3, "odd"), (1, "gone")))
    kinds = np.array([1, 1, 0, 1], np.int8)
    found = computed_columns(
        [plus, cell], TREES, SIGNATURE, {"kind": kinds}, {"kind": ("even", "odd")}
    )
    assert {name: column.tolist() for name, column in found.items()} == {
        "plus": [0, 1, 1, 3],
        "cell": [0, 1, 0, 1],
    }


def test_axes_are_declared_with_range_and_canonicity() -> None:
    axes = {"n": Axis("number"), "m": Axis("measured", canonical=False)}
    assert declared_axis(StructureAxis("x", "symbols", ("a", "b"), "kinds"), axes).high == 2
    assert declared_axis(StructureAxis("x", "symbols", ("a",), "occurrences"), axes).high is None
    many = declared_axis(CellAxis("x", ("n",), tuple((i,) for i in range(9))), axes)
    assert (many.low, many.high, many.canonical) == (0, 1, True)
    assert many.meaning.endswith("(0), (1), (2), (3), (4), (5) and 3 more")
    assert not declared_axis(CellAxis("x", ("n", "m"), ((1, 2),)), axes).canonical
