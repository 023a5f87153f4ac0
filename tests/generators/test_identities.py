"""The identities and their generator: the list, worked texts, and rows measured again from text."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy

from synthgen.core.columns import ragged
from synthgen.core.content import derivation_keys
from synthgen.core.contract import Problems, Render
from synthgen.core.derivation import derivation_text, parse_derivation
from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows
from synthgen.generators import _identities_terms as terms
from synthgen.generators._identities_list import FAMILIES, IDENTITIES, NAMES, Identity
from synthgen.generators.identities import Identities
from synthgen.verifiers import _identities_proof as proof
from synthgen.verifiers._identities_sound import is_identity
from synthgen.verifiers._identities_tree import Term, match, read, read_problem, subterms
from synthgen.verifiers.identities import VERIFIER

STREAM = 11
BUILD = {
    "+": sympy.Add,
    "*": sympy.Mul,
    "^": sympy.Pow,
    "abs": sympy.Abs,
    "-": lambda left, right: sympy.Add(left, sympy.Mul(-1, right)),
    "/": lambda left, right: sympy.Mul(left, sympy.Pow(right, -1)),
    **{name: getattr(sympy, name) for name in terms.FUNCTIONS if name != "abs"},
}
WORKED = {
    "(+ x (difference_of_squares y 3))": (
        "a^2 - b^2 = (a - b) * (a + b) | x + (y^2 - 3^2) =",
        "x + (y - 3) * (y + 3)",
        "a = y\nb = 3",
    ),
    "(* 3 (difference_of_squares (+ (* 2 x) 5) (- (* 3 y) 6)))": (
        "a^2 - b^2 = (a - b) * (a + b) | 3 * ((2 * x + 5)^2 - (3 * y - 6)^2) =",
        "3 * ((2 * x + 5 - (3 * y - 6)) * (2 * x + 5 + (3 * y - 6)))",
        "a = 2 * x + 5\nb = 3 * y - 6",
    ),
    "(pythagoras (sin z))": (
        "sin(a)^2 + cos(a)^2 = 1 | sin(sin(z))^2 + cos(sin(z))^2 =",
        "1",
        "a = sin(z)",
    ),
    "(/ (- x y) (power_of_power (^ x 2) z (/ 1 y)))": (
        "(a^b)^c = a^(b * c) | (x - y) / ((x^2)^z)^(1 / y) =",
        "(x - y) / (x^2)^(z * (1 / y))",
        "a = x^2\nb = z\nc = 1 / y",
    ),
    "(- (- x (regroup_sum 1 (- y 2) (+ z 3))) 4)": (
        "a + b + c = a + (b + c) | x - (1 + (y - 2) + (z + 3)) - 4 =",
        "x - (1 + (y - 2 + (z + 3))) - 4",
        "a = 1\nb = y - 2\nc = z + 3",
    ),
}
SETTINGS: list[dict[str, Any]] = [
    {},
    {"min_pattern_depth": 3, "max_pattern_depth": 4},
    {"max_host_depth": 6, "max_pattern_depth": 6, "first": 90, "number": 6},
    {"min_host_depth": 0, "max_host_depth": 0, "max_pattern_depth": 0, "operators": "+"},
    {"operators": "+-*/^", "functions": terms.FUNCTIONS, "function_share": 0.6, "variables": "mnp"},
    {"functions": (), "function_share": 0, "constant_share": 1, "max_constant": 99},
    {"groundings": 5, "identities": ("add_twice", "regroup_sum", "distribute_over_sum")},
]


def drawn(generator: Identities, n: int = 3_000) -> Problems:
    valid = generator.draw(Rows.span(STREAM, 0, n)).valid
    return generator.draw(Rows(STREAM, np.flatnonzero(valid).astype(np.uint64)))


def expression(term: Term, symbols: dict[str, sympy.Symbol]) -> sympy.Expr:
    if not term.operands:
        return symbols.get(term.symbol) or sympy.Integer(int(term.symbol))
    return BUILD[term.symbol](*(expression(operand, symbols) for operand in term.operands))


def test_there_are_enough_different_identities() -> None:
    assert len(IDENTITIES) == 96
    assert len(set(NAMES)) == len({identity.text for identity in IDENTITIES}) == 96
    assert set(FAMILIES) == {
        *("algebra", "powers", "fractions", "roots", "absolute", "logarithms", "exponentials"),
        *("trigonometry", "hyperbolic"),
    }
    assert {identity.family for identity in IDENTITIES[:40]} == set(FAMILIES)
    assert {identity.family for identity in IDENTITIES[40:]} == set(FAMILIES)


@pytest.mark.parametrize("identity", IDENTITIES, ids=NAMES)
def test_sympy_proves_the_identity(identity: Identity) -> None:
    left, right = (read(side, "abcd") for side in identity.sides)
    positive = identity.family in ("logarithms", "powers", "roots")
    assumption = {"positive": True} if positive else {"real": True}
    symbols = {name: sympy.Symbol(name, **assumption) for name in "abcd"}
    difference = expression(left, symbols) - expression(right, symbols)
    ways = (lambda it: it, lambda it: sympy.expand(it.rewrite(sympy.exp)))
    assert any(sympy.simplify(way(difference)) == 0 for way in ways)
    assert proof.holds(left, right)
    assert is_identity(identity.text)
    assert proof._is_small(left)
    assert proof._is_small(right)


@pytest.mark.parametrize("identity", IDENTITIES, ids=NAMES)
def test_an_identity_changes_what_it_is_used_on(identity: Identity) -> None:
    left, right = (read(side, "abcd") for side in identity.sides)
    letters = [
        {t.symbol for _, t in subterms(side) if t.symbol in "abcd"} for side in (left, right)
    ]
    assert letters[1] <= letters[0]
    assert letters[0] == set("abcd"[: len(letters[0])])
    assert left != right
    assert left.operands
    number = NAMES.index(identity.name)
    assert terms.rules().n_metas[number] == len(letters[0])
    assert terms.signature().arities[terms.FIRST_RULE + number] == len(letters[0])


@pytest.mark.parametrize("text", ["", "a +", "a b", "(a", "a)", "e", "x", "sin", "a + (", "foo(a)"])
def test_what_is_no_side_is_refused(text: str) -> None:
    with pytest.raises(ParamError):
        terms._codes(text)


@pytest.mark.parametrize("tree", WORKED)
def test_worked_examples(tree: str) -> None:
    generator = Identities()
    derivations = ragged([parse_derivation(tree, generator.signature)])
    keys = derivation_keys(derivations, generator.signature, "identities")
    rule = next(i for i, name in enumerate(NAMES) if f"({name} " in tree)
    axes = {"rule": np.array([rule], np.int16)}
    number = np.zeros(1, np.int16)
    problems = Problems(
        Rows.span(STREAM, 0, 1), derivations, keys, axes, number, np.ones(1, bool), {}
    )
    texts = generator.render(problems, Render("bare", "steps"))
    assert texts.solutions is not None
    told = (texts.prompts[0].as_py(), texts.answers[0].as_py(), texts.solutions[0].as_py())
    assert told == WORKED[tree]
    instruction = generator.render(problems, Render("instruction", "none")).prompts[0].as_py()
    assert instruction.endswith(f"\n\n`{told[0]}`")


@pytest.mark.parametrize("params", SETTINGS, ids=str)
def test_rows_are_right_for_all_params(params: dict[str, Any]) -> None:
    problems = drawn(Identities(**params))
    texts = Identities(**params).render(problems, Render("bare", "steps"))
    assert len(problems) > 500
    assert VERIFIER.check(texts.prompts, texts.answers, texts.solutions).all()
    assert VERIFIER.symbolic(texts.prompts[:40], texts.answers[:40]).all()
    for prompt in texts.prompts[:200].to_pylist():
        left, _, term = read_problem(prompt)
        assert sum(match(left, inner) is not None for _, inner in subterms(term)) == 1


def nested(tree: Any) -> int:
    """Operators above one another; functions and identities do not count."""
    if isinstance(tree, str) or tree[0] in NAMES or tree[0] in terms.FUNCTIONS:
        return 0
    return 1 + max(map(nested, tree[1:]))


def parsed(text: str) -> Any:
    """Nested lists of a derivation."""
    stack: list[Any] = [[]]
    for token in text.replace("(", " ( ").replace(")", " ) ").split():
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    return stack[0][0]


def redex(tree: Any, depth: int = 0) -> tuple[Any, int] | None:
    """The identity of a derivation, and how deep it is."""
    if isinstance(tree, str):
        return None
    if tree[0] in NAMES:
        return tree, depth
    found = (redex(operand, depth + 1) for operand in tree[1:])
    return next((place for place in found if place), None)


def test_axes_follow_from_the_derivation_and_the_text() -> None:
    generator = Identities(max_pattern_depth=3)
    problems = drawn(generator, 1_000)
    trees = derivation_text(problems.derivations, generator.signature).to_pylist()
    prompts = generator.render(problems, Render("bare", "none")).prompts.to_pylist()
    axes = {name: column.tolist() for name, column in problems.axes.items()}
    for i, (tree, prompt) in enumerate(zip(trees, prompts, strict=True)):
        found = redex(parsed(tree))
        assert found is not None
        (name, *values), depth = found
        identity = IDENTITIES[axes["rule"][i]]
        assert NAMES[axes["rule_name"][i]] == name == identity.name
        assert FAMILIES[axes["rule_family"][i]] == identity.family
        assert prompt.startswith(f"{identity.text} | ")
        assert axes["n_metavariables"][i] == len(values)
        assert axes["match_depth"][i] == depth
        assert axes["host_depth"][i] == nested(parsed(tree))
        assert {nested(value) for value in values} == {axes["pattern_depth"][i]}
        term = read_problem(prompt)[2]
        assert axes["size"][i] == sum(1 for _ in subterms(term))
        assert problems.difficulty[i] == axes["host_depth"][i] + axes["pattern_depth"][i]


def test_identities_take_turns() -> None:
    problems = Identities(first=20, number=7).draw(Rows.span(STREAM, 0, 700))
    assert problems.axes["rule"].tolist() == [20 + i % 7 for i in range(700)]
    chosen = Identities(identities=("add_twice", "pythagoras"))
    assert set(chosen.draw(Rows.span(STREAM, 0, 9)).axes["rule_name"].tolist()) == {8, 95}
    assert (chosen.axes["rule"].low, chosen.axes["rule"].high) == (8, 95)


def test_all_leaves_are_replaced_equally_often() -> None:
    generator = Identities(min_host_depth=1, max_host_depth=1, number=1)
    problems = drawn(generator, 4_000)
    trees = map(parsed, derivation_text(problems.derivations, generator.signature).to_pylist())
    sides = Counter(isinstance(tree[1], list) and tree[1][0] == NAMES[0] for tree in trees)
    assert sides[True] == pytest.approx(len(problems) / 2, rel=0.1)


def test_leaves_have_their_shares() -> None:
    generator = Identities(number=1, min_host_depth=0, max_host_depth=0, max_pattern_depth=0)
    derivations = drawn(generator, 6_000).derivations
    names = [generator.signature.names[code] for code in derivations.values.tolist()]
    leaves = 2 * len(derivations)
    functions = sum(name in terms.FUNCTIONS for name in names)
    constants = Counter(name for name in names if name.isdecimal())
    assert functions == pytest.approx(0.2 * leaves, rel=0.1)
    assert constants.total() == pytest.approx(0.3 * leaves, rel=0.1)
    assert set(constants) == set("123456789")
    assert {name for name in names if name in terms.FUNCTIONS} == {
        "sin",
        "cos",
        "exp",
        "log",
        "sqrt",
    }


def test_groundings_are_used_again_in_other_expressions() -> None:
    generator = Identities(number=10, groundings=3, min_pattern_depth=1, max_pattern_depth=2)
    problems = drawn(generator, 2_000)
    used: dict[str, set[str]] = {}
    texts = derivation_text(problems.derivations, generator.signature).to_pylist()
    for tree in texts:
        place = redex(parsed(tree))
        assert place is not None
        used.setdefault(place[0][0], set()).add(str(place[0]))
    assert set(used) == set(NAMES[:10])
    assert all(len(instances) == 3 for instances in used.values())
    assert len(set(texts)) > 1_500


def test_wordings() -> None:
    problems = drawn(Identities(), 400)
    texts = Identities().render(problems, Render("instruction", "none"))
    assert set(texts.templates.to_pylist()) == {f"instruction_{i}" for i in range(1, 7)}
    assert len({prompt.split("\n\n`")[0] for prompt in texts.prompts.to_pylist()}) == 6


@pytest.mark.parametrize(
    ("params", "name"),
    [
        ({"first": 96}, "first"),
        ({"first": 90, "number": 7}, "number"),
        ({"number": 0}, "number"),
        ({"identities": ("pythagoras", "pythagoras")}, "identities"),
        ({"identities": ("no_such",)}, "identities"),
        ({"identities": "pythagoras"}, "identities"),
        ({"identities": (["pythagoras"],)}, "identities"),
        ({"max_host_depth": 7}, "max_host_depth"),
        ({"min_host_depth": 4}, "min_host_depth"),
        ({"max_pattern_depth": -1}, "max_pattern_depth"),
        ({"min_pattern_depth": 3}, "min_pattern_depth"),
        ({"operators": ""}, "operators"),
        ({"operators": "+%"}, "operators"),
        ({"functions": ("sec",)}, "functions"),
        ({"functions": ()}, "function_share"),
        ({"variables": "xyza"}, "variables"),
        ({"max_constant": 100}, "max_constant"),
        ({"function_share": 1.5}, "function_share"),
        ({"function_share": True}, "function_share"),
        ({"constant_share": 0.81}, "constant_share"),
        ({"constant_share": "x"}, "constant_share"),
        ({"groundings": -1}, "groundings"),
    ],
)
def test_params_are_checked(params: dict[str, Any], name: str) -> None:
    with pytest.raises(ParamError, match=f"^{name}="):
        Identities(**params)


def test_the_page_lists_all_identities() -> None:
    page = Path(__file__).parents[2] / "docs" / "families" / "rewrites-identities.md"
    text = page.read_text(encoding="utf-8")
    for i, identity in enumerate(IDENTITIES):
        line = f"| {i} | `{identity.name}` | `{identity.text}` | {identity.family} |"
        assert line in text
