"""Local structures against their definition on nested lists, and the worked example."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.columns import ragged
from synthgen.core.errors import ParamError, UnknownNameError
from synthgen.trees.derivations import Signature, read_derivations
from synthgen.trees.local_structures import (
    PREFIX_CODES,
    code_of,
    local_structures,
    structure_ids,
    structure_text,
)

EXAMPLE = "(or (eq (count (find dog)) 2) (some (find cat) (filter black (find cat))))"
PAIRS = """pc <s> or, pc or eq, pc or some, pc eq count, pc eq 2, pc count find, pc find dog,
pc find cat, pc some find, pc some filter, pc filter black, pc filter find, sc eq some,
sc count 2, sc find filter, sc black find"""
SIGNATURE = Signature.from_arities({"f": 3, "+": 2, "-": 1, "a": 0, "b": 0, "c": 0})
ARITIES = {"f": 3, "+": 2, "-": 1, "a": 0, "b": 0, "c": 0}
PINNED = ["2d2de5e6eb91bd3b", "4b034815fa2e7282", "a39f6ae1c54d54b5"]
Tree = tuple[str, list["Tree"]]


@st.composite
def trees(draw: st.DrawFn, budget: int = 9) -> Tree:
    name = draw(st.sampled_from("f+-abc" if budget > 0 else "abc"))
    arity = ARITIES[name]
    return name, [draw(trees((budget - 1) // arity)) for _ in range(arity)]


def codes_of(tree: Tree) -> list[int]:
    return [SIGNATURE.code[tree[0]], *(code for child in tree[1] for code in codes_of(child))]


def by_definition(tree: Tree, n: int, above: list[str], left: list[str]) -> Counter[str]:
    """All tuples of p parents, s siblings and the node itself of 2 to n symbols."""
    found: Counter[str] = Counter()
    for p in range(min(n - 1, len(above)) + 1):
        for s in range(min(n - 1, len(left)) + 1):
            if 2 <= p + s + 1 <= n:
                symbols = above[len(above) - p :] + left[len(left) - s :] + [tree[0]]
                found[" ".join(["p" * p + "s" * s + "c", *symbols])] += 1
    for i, child in enumerate(tree[1]):
        siblings = [name for name, _ in tree[1][:i]]
        found += by_definition(child, n, [*above, tree[0]], siblings)
    return found


def texts_of(forest: list[Tree], n: int, **options: object) -> list[Counter[str]]:
    found = local_structures(ragged(map(codes_of, forest)), SIGNATURE, n, **options)  # type: ignore[arg-type]
    return [
        Counter(structure_text(word, SIGNATURE) for word in found.row(i).tolist())
        for i in range(len(found))
    ]


@given(st.lists(trees(), max_size=3), st.sampled_from([2, 3]))
def test_structures_are_those_of_the_definition(forest: list[Tree], n: int) -> None:
    expected = [by_definition(tree, n, ["<s>"], []) for tree in forest]
    assert texts_of(forest, n) == expected
    without = [
        Counter({k: v for k, v in one.items() if "s" not in k.split()[0]}) for one in expected
    ]
    assert texts_of(forest, n, siblings=False) == without


def sorted_tree(tree: Tree, commutative: frozenset[str]) -> Tree:
    """Put commutative arguments in the fixed order of their own symbols."""
    ids = SIGNATURE.symbol_ids
    children = [sorted_tree(child, commutative) for child in tree[1]]
    if tree[0] in commutative:
        children.sort(key=lambda child: int(ids[SIGNATURE.code[child[0]]]))
    return tree[0], children


def shuffled(tree: Tree, commutative: frozenset[str], draw: st.DrawFn) -> Tree:
    children = [shuffled(child, commutative, draw) for child in tree[1]]
    return tree[0], draw(st.permutations(children)) if tree[0] in commutative else children


@given(st.data(), trees(), st.sampled_from([2, 3]))
def test_order_of_commutative_arguments_does_not_matter(
    data: st.DataObject, tree: Tree, n: int
) -> None:
    commutative = frozenset({"+", "f"})
    other = shuffled(tree, commutative, data.draw)
    one, two, three = (
        texts_of([each], n, commutative=commutative)
        for each in (tree, other, sorted_tree(tree, commutative))
    )
    assert one == two == three
    assert three == texts_of([sorted_tree(tree, commutative)], n)


def test_the_worked_example_has_16_structures_and_32() -> None:
    derivations, signature = read_derivations([EXAMPLE])
    pairs = np.unique(local_structures(derivations, signature, 2).values)
    found = {structure_text(word, signature) for word in pairs.tolist()}
    assert found == {text.strip() for text in PAIRS.replace("\n", " ").split(",")}
    assert len(pairs) == 16
    triples = np.unique(local_structures(derivations, signature, 3).values)
    assert len(triples) == 32
    assert {PREFIX_CODES[code] for code in code_of(triples).tolist()} == set(PREFIX_CODES) - {"ssc"}


@given(st.lists(trees(), min_size=1, max_size=3))
def test_ids_do_not_depend_on_codes(forest: list[Tree]) -> None:
    names = list(SIGNATURE.names)[::-1]
    turned = Signature(tuple(names), tuple(ARITIES[name] for name in names))
    rows = [codes_of(tree) for tree in forest]
    one = local_structures(ragged(rows), SIGNATURE, 3)
    two = local_structures(ragged([[5 - code for code in row] for row in rows]), turned, 3)
    ids = structure_ids(one.values, SIGNATURE)
    assert ids.tolist() == structure_ids(two.values, turned).tolist()
    assert len(np.unique(ids)) == len(np.unique(one.values))


def test_ids_never_change() -> None:
    words = local_structures(ragged([codes_of(("+", [("a", []), ("b", [])]))]), SIGNATURE, 2)
    found = [f"{word:016x}" for word in structure_ids(words.values, SIGNATURE).tolist()]
    assert sorted(found)[:3] == PINNED


def test_bad_arguments() -> None:
    rows = ragged([[3]])
    with pytest.raises(ParamError, match="n=4: expected an integer from 2 to 3"):
        local_structures(rows, SIGNATURE, 4)
    with pytest.raises(UnknownNameError, match=r"unknown symbol '\*'"):
        local_structures(rows, SIGNATURE, 2, commutative=frozenset({"*"}))
    with pytest.raises(ParamError, match="one whole tree in each row"):
        local_structures(ragged([[0, 3]]), SIGNATURE, 2)
    many = Signature(tuple(f"s{i}" for i in range(1 << 16)), (0,) * (1 << 16))
    with pytest.raises(ParamError, match="symbols=65536"):
        local_structures(ragged([[1]]), many, 2)


def test_no_rows_at_all() -> None:
    assert len(local_structures(ragged([]), SIGNATURE, 3)) == 0
