"""Structures of derivations against their enumeration by definition, in plain Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.core.columns import Ragged, ragged
from synthgen.core.errors import ParamError
from synthgen.trees.derivations import Signature, parse_derivation
from synthgen.trees.structures import atoms, edges, fragments, subtree_sizes, subtrees

SIGNATURE = Signature.from_arities({"+": 2, "neg": 1, "if": 3, "1": 0, "2": 0})
MASK = (1 << 64) - 1
PINNED_TREE = "a9a3ea685a46faf5"
PINNED_EDGES = [
    "795bb18d9d4b2594",
    "833c7cfa70b022f1",
    "85eb0a6948c9706a",
    "9a02c917154467fd",
    "f4b0eec8f2dcf8a7",
    "fd20f5e30a4b7d13",
]
WILDCARD = 0x77696C6463617264


def mixed(word: int) -> int:
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & MASK
    return word ^ (word >> 31)


def id_of(node: int, kept: set[int], tree: Tree) -> int:
    """Id of the nodes kept below and at one of them."""
    state = int(tree.signature.symbol_ids[tree.codes[node]])
    for child in tree.children[node]:
        word = id_of(child, kept, tree) if child in kept else WILDCARD
        state = mixed(mixed((state + 0x9E3779B97F4A7C15) & MASK) ^ word)
    return state


class Tree:
    """One derivation, with the children and the parent of each node."""

    def __init__(self, codes: list[int], signature: Signature) -> None:
        self.codes, self.signature = codes, signature
        self.children: list[list[int]] = [[] for _ in codes]
        self.parents = [-1] * len(codes)
        self._read(0)

    def _read(self, node: int) -> int:
        after = node + 1
        for _ in range(self.signature.arities[self.codes[node]]):
            self.children[node].append(after)
            self.parents[after] = node
            after = self._read(after)
        return after

    def below(self, node: int) -> set[int]:
        return {node}.union(*map(self.below, self.children[node]))

    def fragments(self, size: int) -> Iterator[int]:
        """Try all sets of nodes: those with one root are connected."""
        for nodes in combinations(range(len(self.codes)), size):
            kept = set(nodes)
            roots = [node for node in nodes if self.parents[node] not in kept]
            if len(roots) == 1:
                yield id_of(roots[0], kept, self)

    def subtrees(self) -> Iterator[tuple[int, int]]:
        for node in range(len(self.codes)):
            kept = self.below(node)
            yield len(kept), id_of(node, kept, self)


def grown(draw: st.DrawFn, signature: Signature, budget: int) -> list[int]:
    leaves = [code for code, arity in enumerate(signature.arities) if arity == 0]
    code = draw(st.sampled_from(range(len(signature.names)) if budget > 0 else leaves))
    codes, arity = [code], signature.arities[code]
    for _ in range(arity):
        codes += grown(draw, signature, (budget - 1) // arity)
    return codes


@st.composite
def forests(draw: st.DrawFn) -> list[list[int]]:
    rows = draw(st.integers(0, 4))
    return [grown(draw, SIGNATURE, draw(st.integers(0, 9))) for _ in range(rows)]


def counted(column: Ragged) -> list[Counter[int]]:
    assert column.values.dtype == np.uint64
    assert column.offsets[-1] == len(column.values)
    return [Counter(column.row(i).tolist()) for i in range(len(column))]


@given(forests(), st.integers(2, 5))
@settings(max_examples=150)
def test_fragments_are_the_connected_sets_of_nodes(rows: list[list[int]], most: int) -> None:
    trees = [Tree(row, SIGNATURE) for row in rows]
    found = counted(fragments(ragged(rows), SIGNATURE, max_nodes=most))
    expected = [
        Counter(one for size in range(2, most + 1) for one in tree.fragments(size))
        for tree in trees
    ]
    assert found == expected
    assert counted(edges(ragged(rows), SIGNATURE)) == [Counter(t.fragments(2)) for t in trees]


@given(forests(), st.integers(1, 4), st.integers(0, 6))
def test_subtrees_are_nodes_with_all_below(rows: list[list[int]], least: int, more: int) -> None:
    trees = [Tree(row, SIGNATURE) for row in rows]
    whole = [list(tree.subtrees()) for tree in trees]
    found = subtrees(ragged(rows), SIGNATURE, min_nodes=least, max_nodes=least + more)
    assert [found.row(i).tolist() for i in range(len(rows))] == [
        [one for size, one in row if least <= size <= least + more] for row in whole
    ]
    sizes = subtree_sizes(ragged(rows), SIGNATURE)
    assert sizes.tolist() == [size for row in whole for size, _ in row]


@given(forests(), st.integers(0, 60))
@settings(max_examples=150)
def test_a_row_keeps_the_largest_size_that_fits(rows: list[list[int]], limit: int) -> None:
    found = counted(fragments(ragged(rows), SIGNATURE, max_nodes=5, limit=limit))
    for row, one in zip(rows, found, strict=True):
        tree = Tree(row, SIGNATURE)
        expected = Counter(tree.fragments(2))
        for size in (3, 4, 5):
            larger = expected + Counter(tree.fragments(size))
            if larger.total() > limit:
                break
            expected = larger
        assert one == expected


@given(forests(), st.permutations(range(len(SIGNATURE.names))))
def test_ids_do_not_depend_on_codes(rows: list[list[int]], order: list[int]) -> None:
    other = Signature(
        tuple(SIGNATURE.names[i] for i in order), tuple(SIGNATURE.arities[i] for i in order)
    )
    moved = ragged([[order.index(code) for code in row] for row in rows])
    for kind in (atoms, edges, fragments, subtrees):
        one, same = kind(ragged(rows), SIGNATURE), kind(moved, other)
        assert one.values.tolist() == same.values.tolist()
        assert one.offsets.tolist() == same.offsets.tolist()


def test_a_worked_example() -> None:
    codes = parse_derivation("(+ (neg 1) (neg 1))", SIGNATURE)
    column = ragged([codes, [3]])
    assert atoms(column, SIGNATURE).row(0).tolist() == SIGNATURE.symbol_ids[codes].tolist()
    (edge, leaf) = counted(edges(column, SIGNATURE))
    assert sorted(edge.values()) == [1, 1, 2]  # + in two slots, neg over 1 twice
    assert leaf == Counter()
    three = counted(fragments(column, SIGNATURE, max_nodes=3))[0] - edge
    assert sorted(three.values()) == [1, 1, 1]  # down either side, and both sides
    (neg_one,) = set(subtrees(column, SIGNATURE, max_nodes=2).row(0).tolist())
    assert edge[neg_one] == 2  # a fragment without wildcards is a sub-tree
    assert subtrees(column, SIGNATURE, min_nodes=1).row(1).tolist() == [
        SIGNATURE.symbol_ids[3].item()
    ]


def test_slots_and_parents_tell_edges_apart() -> None:
    texts = ["(+ 1 2)", "(+ 2 1)", "(neg 1)", "(neg (neg 1))", "(if 1 1 1)"]
    column = ragged([parse_derivation(text, SIGNATURE) for text in texts])
    found = counted(edges(column, SIGNATURE))
    assert len(set().union(*found)) == 2 + 2 + 1 + 1 + 3
    assert found[2] - found[3] == Counter()


def test_ids_never_change() -> None:
    column = ragged([parse_derivation("(if 1 (neg 2) (+ 1 2))", SIGNATURE)])
    assert [
        f"{one:016x}" for one in sorted(edges(column, SIGNATURE).values.tolist())
    ] == PINNED_EDGES
    assert f"{subtrees(column, SIGNATURE).values[0]:016x}" == PINNED_TREE


def test_counts_beyond_all_bounds_do_not_overflow() -> None:
    wide = Signature.from_arities({"many": 3_000, "x": 0})
    column = ragged([[0] + [1] * 3_000])
    found = fragments(column, wide, max_nodes=5, limit=100)
    assert found.lengths.tolist() == [3_000]
    assert len(set(found.values.tolist())) == 3_000


def test_long_chains_need_no_recursion() -> None:
    column = ragged([[1] * 30_000 + [3]])
    found = fragments(column, SIGNATURE, max_nodes=5, limit=10**6)
    assert found.lengths.tolist() == [30_000 + 29_999 + 29_998 + 29_997]
    assert len(set(found.values.tolist())) == 2 * 4
    assert len(set(subtrees(column, SIGNATURE).values.tolist())) == 30_000


@pytest.mark.parametrize("row", [[], [0, 3], [3, 3], [0, 3, 4, 4], [1], [2, 3, 4]])
def test_rows_that_are_no_trees_are_refused(row: list[int]) -> None:
    column = ragged([[3], row, [1, 3]])
    for kind in (edges, fragments, subtrees, subtree_sizes):
        with pytest.raises(ParamError, match=r"^derivation=.*one whole tree in each row"):
            kind(column, SIGNATURE)


def test_arguments_out_of_range_are_refused() -> None:
    column = ragged([[3]])
    for nodes in (1, 6):
        with pytest.raises(ParamError, match="max_nodes="):
            fragments(column, SIGNATURE, max_nodes=nodes)
    with pytest.raises(ParamError, match="limit=-1"):
        fragments(column, SIGNATURE, limit=-1)
    with pytest.raises(ParamError, match="min_nodes=0"):
        subtrees(column, SIGNATURE, min_nodes=0)
    with pytest.raises(ParamError, match="max_nodes=2"):
        subtrees(column, SIGNATURE, min_nodes=3, max_nodes=2)
