"""Canonical forms: one for all commutations and renamings, different for different problems."""

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.core.columns import ragged
from synthgen.core.derivation import Signature, format_derivation, parse_derivation
from synthgen.core.errors import ParamError, UnknownNameError
from synthgen.coverage.canonical import CanonicalForms, canonical_forms, rename_by_occurrence

ARITIES = {"+": 2, "*": 3, "-": 2, "3": 0, "x": 0, "y": 0, "z": 0, "w": 0}
SIGNATURE = Signature.of(ARITIES)
WIDE = Signature.of({"sum": 6, "-": 2, **dict.fromkeys("abcdef", 0)})
COMMUTATIVE, VARIABLES = frozenset("+*"), frozenset("xyzw")
PINNED = "43fe862d7061be873e9788b6c324a49f"
Tree = tuple[str, list["Tree"]]


def forms_of(*texts: str) -> CanonicalForms:
    rows = ragged([parse_derivation(text, SIGNATURE) for text in texts])
    return canonical_forms(rows, SIGNATURE, commutative=COMMUTATIVE, variables=VARIABLES)


def texts_of(forms: CanonicalForms) -> list[str]:
    rows = (forms.derivations.row(i).tolist() for i in range(len(forms.derivations)))
    return [format_derivation(row, forms.signature) for row in rows]


def text_of(tree: Tree) -> str:
    return f"({' '.join([tree[0], *map(text_of, tree[1])])})" if tree[1] else tree[0]


def read(text: str) -> Tree:
    """Read a tree back from its text."""
    names = iter(text.replace("(", "").replace(")", "").split())

    def one() -> Tree:
        name = next(names)
        return name, [one() for _ in range(ARITIES[name])]

    return one()


@st.composite
def trees(draw: st.DrawFn, budget: int = 12) -> Tree:
    name = draw(st.sampled_from("+*-" if budget > 2 else "3xyzw"))
    arity = ARITIES[name]
    return name, [draw(trees(draw(st.integers(0, budget // arity)))) for _ in range(arity)]


def commuted(tree: Tree, draw: st.DrawFn) -> Tree:
    children = [commuted(child, draw) for child in tree[1]]
    return tree[0], draw(st.permutations(children)) if tree[0] in COMMUTATIVE else children


def renamed(tree: Tree, names: dict[str, str]) -> Tree:
    return names.get(tree[0], tree[0]), [renamed(child, names) for child in tree[1]]


def all_orders(tree: Tree) -> set[Tree]:
    """Every commutation of a tree, as nested tuples."""
    below = [all_orders(child) for child in tree[1]]
    orders = permutations(below) if tree[0] in COMMUTATIVE else [tuple(below)]
    return {(tree[0], children) for order in orders for children in product(*order)}  # type: ignore[misc]


def least_form(tree: Tree) -> str:
    """The least text of all commutations, each renamed by first occurrence."""
    forms = []
    for order in all_orders(tree):
        names: dict[str, str] = {}
        tokens = text_of(order).replace("(", "( ").replace(")", " )").split()
        for token in tokens:
            if token in VARIABLES:
                names.setdefault(token, f"v{len(names)}")
        forms.append(" ".join(names.get(token, token) for token in tokens))
    return min(forms)


@given(st.data(), trees())
@settings(max_examples=60)
def test_commutations_and_renamings_have_one_form(data: st.DataObject, tree: Tree) -> None:
    names = data.draw(st.permutations(sorted(VARIABLES)))
    other = renamed(commuted(tree, data.draw), dict(zip(sorted(VARIABLES), names, strict=True)))
    forms = forms_of(text_of(tree), text_of(other))
    assert forms.certain.all()
    one, two = texts_of(forms)
    assert one == two
    keys = forms.keys("test")
    assert keys[0].tolist() == keys[1].tolist()


def small_trees(operators: int) -> list[Tree]:
    """All trees of + and - over 3, x, y and z with so many operators."""
    if operators == 0:
        return [(name, []) for name in "3xyz"]
    return [
        (name, [one, other])
        for name in "+-"
        for left in range(operators)
        for one in small_trees(left)
        for other in small_trees(operators - 1 - left)
    ]


def test_forms_are_equal_only_for_equal_problems() -> None:
    problems = [tree for operators in range(4) for tree in small_trees(operators)]
    assert len(problems) == 4 + 32 + 512 + 10_240
    found = texts_of(forms_of(*map(text_of, problems)))
    expected = [least_form(tree) for tree in problems]
    pairs = set(zip(found, expected, strict=True))
    assert len(pairs) == len(set(found)) == len(set(expected))


@given(trees(7))
@settings(max_examples=60)
def test_a_form_is_a_form_of_its_problem(tree: Tree) -> None:
    forms = forms_of(text_of(tree))
    (text,) = texts_of(forms)
    for number, name in enumerate("xyzw"):
        text = text.replace(f"v{number}", name)
    assert texts_of(forms_of(text)) == texts_of(forms)
    assert least_form(tree) == least_form(read(text))


@pytest.mark.parametrize(
    ("one", "other", "form"),
    [
        ("(+ x (* 3 y 3))", "(+ (* y 3 3) x)", "(+ v0 (* 3 3 v1))"),
        ("(+ (- x y) (- y z))", "(+ (- y z) (- x y))", "(+ (- v0 v1) (- v2 v0))"),
        ("(- x y)", "(- y x)", "(- v0 v1)"),
    ],
)
def test_worked_pairs(one: str, other: str, form: str) -> None:
    assert texts_of(forms_of(one, other)) == [form, form]


def test_different_problems_stay_apart() -> None:
    found = texts_of(forms_of("(- x x)", "(- x y)", "(- 3 x)", "(- x 3)", "(+ x x)", "(+ x y)"))
    assert len(set(found)) == 6


CYCLES = (
    "(sum (- a b) (- b c) (- c a) (- d e) (- e f) (- f d))",
    "(sum (- a b) (- b c) (- c d) (- d e) (- e f) (- f a))",
)
"""Every variable is once on either side, so occurrences alone tell none of them apart."""


def wide(text: str, most_forms: int = 120) -> CanonicalForms:
    rows = ragged([parse_derivation(text, WIDE)])
    return canonical_forms(
        rows,
        WIDE,
        commutative=frozenset({"sum"}),
        variables=frozenset("abcdef"),
        most_forms=most_forms,
    )


@pytest.mark.parametrize("text", [*CYCLES, "(sum a b c d e f)", "(sum a a b b c c)"])
def test_ties_are_solved(text: str) -> None:
    forms = wide(text)
    assert forms.certain.all()
    renaming = str.maketrans("abcdef", "dfbeac")
    assert texts_of(wide(text.translate(renaming))) == texts_of(forms)


def test_ties_that_are_no_symmetry_are_told_apart() -> None:
    assert texts_of(wide(CYCLES[0])) != texts_of(wide(CYCLES[1]))


def test_too_many_forms_are_said_to_be_uncertain() -> None:
    forms = wide(CYCLES[1], most_forms=1)
    assert not forms.certain.any()
    assert sorted(texts_of(forms)[0]) == sorted(texts_of(wide(CYCLES[1]))[0])


def test_keys_never_change() -> None:
    high, low = forms_of("(+ x (* 3 y y))").keys("test")[0].tolist()
    assert f"{high:016x}{low:016x}" == PINNED


@given(st.lists(st.lists(st.integers(-3, 3), max_size=8), max_size=4))
def test_renaming_by_occurrence(rows: list[list[int]]) -> None:
    found = rename_by_occurrence(ragged(rows, np.int64))
    for i, row in enumerate(rows):
        names: dict[int, int] = {}
        assert found.row(i).tolist() == [names.setdefault(v, len(names)) for v in row]


def test_bad_arguments() -> None:
    rows = ragged([[3]])
    with pytest.raises(ParamError, match=r"variable='\+': expected a symbol without arguments"):
        canonical_forms(rows, SIGNATURE, variables=frozenset("+"))
    with pytest.raises(UnknownNameError, match="unknown symbol 'q'"):
        canonical_forms(rows, SIGNATURE, commutative=frozenset("q"))
    with pytest.raises(ParamError, match="symbols='v0'"):
        canonical_forms(rows, Signature.of({"v0": 0, "a": 0, "b": 0, "x": 0}), variables={"x"})  # type: ignore[arg-type]
    with pytest.raises(ParamError, match="most_forms=0"):
        canonical_forms(rows, SIGNATURE, most_forms=0)
