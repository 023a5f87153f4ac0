from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.coverage.structure_texts import BadTree, ParsedTrees, read_trees
from synthgen.trees.derivations import derivation_text, parse_derivation
from synthgen.trees.structures import edges

Node = tuple[str, list["Node"]]
LEAVES = st.sampled_from(["f", "g", "x", "12", "é", "next_to_2", "$ü"])
NAMES = LEAVES | st.sampled_from(["+", "*", "<="])  # `(f + f)` is an infix expression
NODES = st.recursive(
    LEAVES.map(lambda name: (name, [])),
    lambda below: st.tuples(NAMES, st.lists(below, min_size=1, max_size=3)),
    max_leaves=12,
)
SPACES = st.sampled_from(["", " ", "  "])


def read(*texts: str) -> ParsedTrees:
    found = read_trees(pa.array(texts, pa.string()))
    assert isinstance(found, ParsedTrees), found
    return found


def shown(text: str) -> str:
    found = read(text)
    return marked(str(derivation_text(found.codes, found.signature)[0]))


def marked(text: str) -> str:
    return text.replace("\x01", "/")


def inside(node: Node) -> str:
    name, below = node
    return f"({' '.join([name, *map(inside, below)])})" if below else name


def behind(node: Node, space: str) -> str:
    name, below = node
    arguments = f"{space},{space}".join(behind(each, space) for each in below)
    return f"{name}{space}({space}{arguments}{space})" if below else name


def depth(node: Node) -> int:
    return 1 + max(map(depth, node[1]), default=0)


def naive(node: Node) -> str:
    name, below = node
    if not below:
        return name
    return f"({' '.join([f'{name}/{len(below)}', *map(naive, below)])})"


@given(node=NODES, space=SPACES)
def test_both_notations_give_the_tree(node: Node, space: str) -> None:
    texts = [inside(node), f"{space}{behind(node, space)}{space}"]
    found = read(*texts)
    trees = derivation_text(found.codes, found.signature).to_pylist()
    for i in range(2):
        assert marked(trees[i]) == naive(node)
        assert parse_derivation(trees[i], found.signature) == found.codes.row(i).tolist()
        assert found.depths[i] == depth(node)


@given(nodes=st.lists(NODES, min_size=1, max_size=6))
def test_ids_do_not_depend_on_the_batch(nodes: list[Node]) -> None:
    texts = [inside(node) for node in nodes]
    whole = read(*texts)
    of_whole = edges(whole.codes, whole.signature)
    for i, text in enumerate(texts):
        alone = read(text)
        assert np.array_equal(edges(alone.codes, alone.signature).row(0), of_whole.row(i))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(+ 2 (* 3 4))", "(+/2 2 (*/2 3 4))"),
        ("plus(2, times(3,4))", "(plus/2 2 (times/2 3 4))"),
        ("answer ( city ( all ) )", "(answer/1 (city/1 all))"),
        ("(and a b c)", "(and/3 a b c)"),
        ("(f)", "f"),
        ("f()", "f"),
        ("(append A , B)", "(append/3 A , B)"),
    ],
)
def test_forms(text: str, expected: str) -> None:
    assert shown(text) == expected


def test_a_symbol_with_other_arguments_is_another_one() -> None:
    found = read("(f a)", "(f a b)", "f")
    assert len({found.codes.row(i)[0] for i in range(3)}) == 3


@pytest.mark.parametrize(
    ("text", "character", "expected"),
    [
        ("", 1, "a tree, not an empty text"),
        ("   ", 1, "a tree, not an empty text"),
        ("(", 2, "a closing bracket for each that opens"),
        ("(f (g x)", 9, "a closing bracket for each that opens"),
        (")", 1, "an open bracket for each that closes"),
        ("f(x))", 5, "an open bracket for each that closes"),
        ("((f x) y)", 2, "a symbol for each bracket that opens"),
        ("(f ())", 5, "a symbol for each bracket that opens"),
        ("f(x)(y)", 5, "a symbol for each bracket that opens"),
        ("f x", 3, "one tree, whose first symbol has all others in its brackets, or a formula"),
        (
            "(f x) (g y)",
            7,
            "one tree, whose first symbol has all others in its brackets, or a formula",
        ),
        ("(é ü))", 6, "an open bracket for each that closes"),
    ],
)
def test_texts_that_are_no_tree(text: str, character: int, expected: str) -> None:
    found = read_trees(pa.array(["(f x)", text, "also ) bad"]))
    assert found == BadTree(1, character, expected)


def test_sliced_columns_and_nulls() -> None:
    column = pa.array(["(bad", "(f x)", "y"])
    found = read_trees(column.slice(1))
    assert isinstance(found, ParsedTrees)
    assert found.codes.lengths.tolist() == [2, 1]
    assert read_trees(pa.array([None], pa.string())) == BadTree(0, 1, "a tree, not an empty text")


@given(st.text(st.sampled_from("(), ab\té\u00a0"), max_size=20))
def test_any_text_is_a_tree_or_bad(text: str) -> None:
    found = read_trees(pa.array([text]))
    if isinstance(found, BadTree):
        assert 1 <= found.character <= len(text) + 1
        assert found.expected
    else:
        assert (
            sum(found.signature.arities[c] for c in found.codes.row(0))
            == len(found.codes.row(0)) - 1
        )


@pytest.mark.parametrize("form", ["(é (f {}))", "é(f({}))"])
def test_a_symbol_has_a_bounded_number_of_arguments(form: str) -> None:
    texts = [form.format(" ".join(["x"] * n)) for n in (1000, 1001)]
    assert read(texts[0]).codes.lengths.tolist() == [1002]
    found = read_trees(pa.array(texts, pa.string()))
    assert found == BadTree(1, form.index("f") + 1, "at most 1,000 arguments, not 1,001")
