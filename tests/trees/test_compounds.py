"""Compounds and computed axes against their definitions in plain Python."""

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.columns import Ragged, ragged
from synthgen.core.errors import ParamError, UnknownNameError
from synthgen.rules.axes import Axis
from synthgen.rules.computed_axes import (
    CellAxis,
    StructureAxis,
    cell_column,
    computed_columns,
    declared_axis,
    structure_column,
)
from synthgen.trees.compound_kinds import COMPOUNDS, CompoundKind
from synthgen.trees.compounds import take_apart, take_prompts_apart
from synthgen.trees.derivations import Signature, parse_derivation, read_derivations
from synthgen.trees.divergence import chernoff_divergence
from synthgen.trees.named_structures import structure_names
from synthgen.trees.ngrams import ngrams, token_ids
from synthgen.trees.structures import atoms, edges, fragments, subtrees

TEXTS = ["(+ 1 (* 2 1))", "(* (+ 1 2) (+ 1 2))", "3"]


def same(one: Ragged, other: Ragged) -> bool:
    return one.values.tolist() == other.values.tolist() and (
        one.offsets.tolist() == other.offsets.tolist()
    )


def test_structures_by_their_names() -> None:
    trees, signature = read_derivations(TEXTS)
    expected = {
        "edges": edges(trees, signature),
        "fragments": fragments(trees, signature, max_nodes=4),
        "subtrees": subtrees(trees, signature),
    }
    for name, compounds in expected.items():
        taken = take_apart(CompoundKind(name, 4), trees, signature)
        assert same(taken.atoms, atoms(trees, signature))
        assert same(taken.compounds, compounds)


def test_ngrams_of_prompts_have_borders() -> None:
    prompts = pa.array(["jump twice", "walk", "jump  twice"])
    taken = take_prompts_apart(CompoundKind("ngrams", ngram=(2, 3)), prompts)
    assert taken.atoms.lengths.tolist() == [2, 1, 2]
    assert taken.compounds.lengths.tolist() == [3 + 2, 2 + 1, 3 + 2]
    assert taken.compounds.row(0).tolist() == taken.compounds.row(2).tolist()
    assert not set(taken.compounds.row(0).tolist()) & set(taken.compounds.row(1).tolist())
    swapped = take_prompts_apart(CompoundKind("ngrams", ngram=(3, 2)), prompts)
    assert same(swapped.compounds, taken.compounds)


def test_ngrams_of_derivations_run_over_symbols_in_prefix_order() -> None:
    trees, signature = read_derivations(TEXTS)
    kind = CompoundKind("ngrams", ngram=(2,), words="derivation")
    taken = take_apart(kind, trees, signature)
    symbols = atoms(trees, signature)
    assert same(taken.atoms, symbols)
    assert same(taken.compounds, ngrams(symbols, 2, borders=True))
    again = Counter(taken.compounds.row(1).tolist())
    assert sorted(again.values()) == [1, 1, 1, 1, 2, 2]  # + 1 and 1 2 are there twice


def test_a_worked_split_of_words() -> None:
    """Borders add what is alike: 10 bigrams without, of which one is on both sides."""
    prompts = ["A T", "B T", "A R", "L N B", "B R", "B N A", "A N B"]
    kind = CompoundKind("ngrams", ngram=(2,))
    taken = take_prompts_apart(kind, pa.array(prompts))
    found = []
    for column, exponent in ((taken.atoms, 0.5), (taken.compounds, 0.1)):
        names, numbers = np.unique(column.values, return_inverse=True)
        cut = column.offsets[4]
        sides = (np.bincount(n, minlength=len(names)) for n in (numbers[:cut], numbers[cut:]))
        found.append(chernoff_divergence(*sides, exponent))
    # Shared, of 13 and 11: <s> A 2 and 1, <s> B 1 and 2, R </s> 1 and 1, B </s> 1 and 1, N B.
    shared = [(2, 1), (1, 2), (1, 1), (1, 1), (1, 1)]
    expected = 1 - sum((c / 13) ** 0.1 * (d / 11) ** 0.9 for c, d in shared)
    assert found == pytest.approx([0.191105, expected], abs=6e-7)
    bare = token_ids(pa.array(prompts))
    assert same(taken.atoms, bare)


@pytest.mark.parametrize(
    ("kind", "atoms_label", "compounds_label"),
    [
        (CompoundKind("edges"), "symbols", "edges"),
        (CompoundKind("fragments", 4), "symbols", "fragments of 2 to 4"),
        (CompoundKind("ngrams", ngram=(3,)), "words", "3-grams of words"),
        (CompoundKind("ngrams", ngram=(4, 2, 3)), "words", "2-, 3- and 4-grams of words"),
        (
            CompoundKind("ngrams", ngram=(2, 3), words="derivation"),
            "symbols",
            "2- and 3-grams of symbols",
        ),
    ],
)
def test_labels(kind: CompoundKind, atoms_label: str, compounds_label: str) -> None:
    assert (kind.atoms_label, kind.compounds_label) == (atoms_label, compounds_label)
    assert kind.name in COMPOUNDS


def test_what_cannot_be() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'ngrams'"):
        CompoundKind("ngram")
    with pytest.raises(UnknownNameError, match="words"):
        CompoundKind("ngrams", ngram=(2,), words="answer")
    with pytest.raises(ParamError, match="ngram="):
        CompoundKind("ngrams")
    trees, signature = read_derivations(TEXTS)
    with pytest.raises(ParamError, match="those of derivations"):
        take_apart(CompoundKind("ngrams", ngram=(2,)), trees, signature)
    with pytest.raises(ParamError, match="those of prompts"):
        take_prompts_apart(CompoundKind("edges"), pa.array(["a b"]))


SIGNATURE = Signature.from_arities({"+": 2, "*": 2, "a": 0, "b": 0})
AXES_TEXTS = ["a", "(+ a a)", "(+ (* a b) (* b a))", "(* (+ a a) (+ b (+ a b)))"]
TREES = ragged(parse_derivation(text, SIGNATURE) for text in AXES_TEXTS)


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
    other = Signature.from_arities({"f": 1, "x": 0})
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
