"""Named structures against a plain walk over nested lists, and their texts."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.columns import ragged
from synthgen.core.errors import ParamError, UnknownNameError
from synthgen.trees import local_structures as local
from synthgen.trees import named_structures as named
from synthgen.trees.derivations import Signature

ARITIES = {"f": 3, "+": 2, ">": 2, ",": 1, "x.1": 0, "a@2": 0, "b": 0}
SIGNATURE = Signature.from_arities(ARITIES)
TURNED = Signature.from_arities({"more": 4} | dict(reversed(ARITIES.items())))
Tree = tuple[str, list["Tree"]]


@st.composite
def trees(draw: st.DrawFn, budget: int = 9) -> Tree:
    name = draw(st.sampled_from([n for n, k in ARITIES.items() if budget > 0 or k == 0]))
    arity = ARITIES[name]
    return name, [draw(trees((budget - 1) // arity)) for _ in range(arity)]


def codes_of(tree: Tree, signature: Signature) -> list[int]:
    below = [code for child in tree[1] for code in codes_of(child, signature)]
    return [signature.code[tree[0]], *below]


def by_definition(tree: Tree, kind: str, depth: int = 0) -> list[str]:
    """Texts of the structures that begin at each node of a tree, outermost first."""
    name, children = tree
    inner = [child[0] for child in children]
    texts = {
        "symbols": [name],
        "placed": [f"{name}@{depth}"],
        "edges": [_pair(name, child, ">") for child in inner],
        "slots": [_pair(f"{name}.{j}", child, ">") for j, child in enumerate(inner, 1)],
        "siblings": [_pair(*two, ",") for two in pairwise(inner)],
    }[kind]
    return texts + [text for child in children for text in by_definition(child, kind, depth + 1)]


def _pair(one: str, other: str, mark: str) -> str:
    spaced = mark in one or mark in other
    return f"{one} {mark} {other}" if spaced else f"{one}{mark}{other}"


@given(st.lists(trees(), max_size=3), st.sampled_from(named.KINDS[:-1]))
def test_names_are_those_of_the_definition(forest: list[Tree], kind: str) -> None:
    rows = ragged(codes_of(tree, SIGNATURE) for tree in forest)
    names = named.structure_names(rows, SIGNATURE, kind)
    ids = named.structure_ids(rows, SIGNATURE, kind)
    at = 0
    for tree, length in zip(forest, ids.lengths.tolist(), strict=True):
        assert sorted(names[at : at + length]) == sorted(by_definition(tree, kind))
        at += length
    assert at == len(names)


@given(st.lists(trees(), max_size=3), st.sampled_from(named.KINDS))
def test_names_read_back_to_their_ids_in_every_signature(forest: list[Tree], kind: str) -> None:
    rows = ragged(codes_of(tree, SIGNATURE) for tree in forest)
    others = ragged(codes_of(tree, TURNED) for tree in forest)
    ids = named.structure_ids(rows, SIGNATURE, kind)
    turned = named.structure_ids(others, TURNED, kind)
    assert ids.values.tolist() == turned.values.tolist()
    assert ids.offsets.tolist() == turned.offsets.tolist()
    names = named.structure_names(rows, SIGNATURE, kind)
    for name, word in zip(names, ids.values.tolist(), strict=True):
        assert named.structure_id_in(name, kind, SIGNATURE) == word
        assert named.structure_id_in(name, kind, TURNED) == word
        assert named.name_structure(named.parse_structure(name, kind), kind) == name
    assert len(set(names)) == len(np.unique(ids.values))


@given(st.lists(trees(), min_size=1, max_size=3))
def test_local_ids_are_those_of_local_structures(forest: list[Tree]) -> None:
    rows = ragged(codes_of(tree, SIGNATURE) for tree in forest)
    words = local.local_structures(rows, SIGNATURE, 3)
    ids = named.structure_ids(rows, SIGNATURE, "local")
    assert ids.values.tolist() == local.structure_ids(words.values, SIGNATURE).tolist()
    assert ids.offsets.tolist() == words.offsets.tolist()


def test_symbols_are_atoms_and_kinds_differ() -> None:
    rows = ragged([codes_of(("+", [("b", []), ("+", [("b", []), ("b", [])])]), SIGNATURE)])
    symbols = named.structure_ids(rows, SIGNATURE, "symbols").values
    assert symbols.tolist() == SIGNATURE.symbol_ids[rows.values].tolist()
    found = [set(named.structure_ids(rows, SIGNATURE, k).values.tolist()) for k in named.KINDS]
    assert len(set.union(*found)) == sum(map(len, found))
    assert named.structure_names(rows, SIGNATURE, "slots") == ["+.1>b", "+.2>+", "+.1>b", "+.2>b"]


def test_depth_is_counted_to_255() -> None:
    rows = ragged([[SIGNATURE.code[","]] * 300 + [SIGNATURE.code["b"]]])
    names = named.structure_names(rows, SIGNATURE, "placed")
    assert names[254:257] == [",@254", ",@255", ",@255"]
    assert names[-1] == "b@255"


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("symbols", ""),
        ("symbols", "a b"),
        ("symbols", "f(x"),
        ("placed", "mul"),
        ("placed", "@2"),
        ("placed", "mul@256"),
        ("placed", "mul@-1"),
        ("placed", "mul@²"),
        ("placed", "mul@" + "9" * 5000),
        ("edges", "a>b>c"),
        ("edges", "a>"),
        ("edges", "a , b"),
        ("slots", "a>b"),
        ("slots", "a.0>b"),
        ("slots", ".1>b"),
        ("siblings", "a"),
        ("local", "pc a"),
        ("local", "ppc a b"),
        ("local", "xx a b"),
        ("local", ""),
    ],
)
def test_texts_of_no_structure_are_refused(kind: str, text: str) -> None:
    with pytest.raises(ParamError, match="structure="):
        named.parse_structure(text, kind)


def test_structures_that_no_derivation_can_have() -> None:
    both = [SIGNATURE, Signature.from_arities({"mul": 2, "b": 0})]
    for text, kind in (("b>b", "edges"), ("+.3>b", "slots"), ("mul,+", "siblings")):
        assert named.structure_id_in(text, kind, SIGNATURE) is None
        with pytest.raises(ParamError, match="symbols of one source"):
            named.check_structure(text, kind, both)
    with pytest.raises(UnknownNameError, match="did you mean 'mul'"):
        named.check_structure("mull@2", "placed", both)
    named.check_structure("mul@2", "placed", both)
    named.check_structure("pc <s> mul", "local", both)
    assert named.structure_id_in("sc <s> b", "local", SIGNATURE) is None
    with pytest.raises(ParamError, match="one of symbols"):
        named.structure_id_in("b", "fragments", SIGNATURE)


@pytest.mark.parametrize("row", [[], [1, 6], [6, 6], [1, 6, 6, 6], [0]])
def test_codes_that_are_no_tree_are_refused(row: list[int]) -> None:
    for kind in named.KINDS:
        with pytest.raises(ParamError, match="one whole tree"):
            named.structure_ids(ragged([[6], row]), SIGNATURE, kind)
