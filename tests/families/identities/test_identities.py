"""Rewriting by identities: worked examples, axes from the texts, and which rules are identities."""

import ast
import re
from collections import Counter
from itertools import permutations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from synthgen.authoring import Words
from synthgen.authoring.words import filled
from synthgen.contract.interfaces import Problems, Render
from synthgen.contract.registry import generator_class
from synthgen.core.errors import ParamError
from synthgen.draws.randomness import Rows
from synthgen.families import identities
from synthgen.testing import check_family
from synthgen.trees.derivations import derivation_text
from tests.bounded import bounded
from tests.building import build_bundled
from tests.families.verdicts import Verdicts

VERDICTS = Verdicts("identities")
accepts = VERDICTS.accepts

WORDS = Words.beside(identities.__file__)
LISTED: dict[str, list[str]] = WORDS["identities"]
NAMES = list(LISTED)
KIND: Any = generator_class("identities")
STREAM = 11
FUNCTIONS = ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "log", "sqrt", "abs")
SETTINGS: list[dict[str, Any]] = [
    {},
    {"min_pattern_depth": 3, "max_pattern_depth": 4},
    {"max_host_depth": 6, "max_pattern_depth": 6, "first": 90, "number": 6},
    {"min_host_depth": 0, "max_host_depth": 0, "max_pattern_depth": 0, "operators": "+"},
    {"operators": "+-*/^", "functions": FUNCTIONS, "function_share": 0.6, "variables": "mnp"},
    {"functions": (), "function_share": 0, "constant_share": 1, "max_constant": 99},
    {"groundings": 5, "identities": ("add_twice", "regroup_sum", "distribute_over_sum")},
]
SQUARES = "a^2 - b^2 = (a - b) * (a + b)"
WORKED = {
    f"{SQUARES} | x^2 - y^2 =": (
        "(x - y) * (x + y)",
        "a = x\nb = y\nx^2 - y^2 = (x - y) * (x + y)",
    ),
    f"{SQUARES} | 7 + sin(x^2 - y^2) =": (
        "7 + sin((x - y) * (x + y))",
        "a = x\nb = y\nx^2 - y^2 = (x - y) * (x + y)",
    ),
    f"{SQUARES} | 3 * ((2 * x + 5)^2 - (3 * y - 6)^2) =": (
        "3 * ((2 * x + 5 - (3 * y - 6)) * (2 * x + 5 + (3 * y - 6)))",
        "a = 2 * x + 5\nb = 3 * y - 6\n(2 * x + 5)^2 - (3 * y - 6)^2 = "
        "(2 * x + 5 - (3 * y - 6)) * (2 * x + 5 + (3 * y - 6))",
    ),
    f"{SQUARES} | (x^2)^2 - (y^2)^2 =": (
        "(x^2 - y^2) * (x^2 + y^2)",
        "a = x^2\nb = y^2\n(x^2)^2 - (y^2)^2 = (x^2 - y^2) * (x^2 + y^2)",
    ),
    "a + b + c = a + (b + c) | x - (1 + (y - 2) + (z + 3)) - 4 =": (
        "x - (1 + (y - 2 + (z + 3))) - 4",
        "a = 1\nb = y - 2\nc = z + 3\n1 + (y - 2) + (z + 3) = 1 + (y - 2 + (z + 3))",
    ),
    "a + a = 2 * a | x * y + x * y =": ("2 * (x * y)", "a = x * y\nx * y + x * y = 2 * (x * y)"),
    "a / b / c = a / (b * c) | x - m / n / (p / q) =": (
        "x - m / (n * (p / q))",
        "a = m\nb = n\nc = p / q\nm / n / (p / q) = m / (n * (p / q))",
    ),
    "sin(a)^2 + cos(a)^2 = 1 | x^(sin(y)^2 + cos(y)^2) =": (
        "x^1",
        "a = y\nsin(y)^2 + cos(y)^2 = 1",
    ),
    "(a^b)^c = a^(b * c) | (x - y) / ((x + 1)^2)^(y / 3) =": (
        "(x - y) / (x + 1)^(2 * (y / 3))",
        "a = x + 1\nb = 2\nc = y / 3\n((x + 1)^2)^(y / 3) = (x + 1)^(2 * (y / 3))",
    ),
    "log(exp(a)) = a | log(exp(log(x))) =": ("log(x)", "a = log(x)\nlog(exp(log(x))) = log(x)"),
    "1 / a = 1 / a | 1 / x =": ("1 / x", "a = x\n1 / x = 1 / x"),
    "a + 0 = a | (x + 0) * 10 =": ("x * 10", "a = x\nx + 0 = x"),
    "(a + b) * c = c * a + c * b | (x + 1) * y =": (
        "y * x + y * 1",
        "a = x\nb = 1\nc = y\n(x + 1) * y = y * x + y * 1",
    ),
}
"""Answer and steps."""
REVERSED = {23: 10, 41: 30, 61: 7, 65: 5, 72: 40, 76: 0, 80: 3}
"""Identities whose reverse comes earlier, up to the order of operands of + and *."""
NOT_ONE_MATCH = [
    *(f"{SQUARES} | {term} =" for term in ("x^2 - (y^2 - z^2)", "x^2 + y^2", "x^3 - y^2")),
    f"{SQUARES} | x^2 - y^2 + (x^2 - y^2) =",
    *(f"a + b + c = a + (b + c) | x + {term} =" for term in ("(y + z)", "y + z + 1")),
    "a + a = 2 * a | x * y + y * x =",
    "sin(a)^2 + cos(a)^2 = 1 | x^(cos(y)^2 + sin(y)^2) =",
]
PRODUCT = "a * (b + c) = a * b + a * c | x * (y + z) * (2 - z) ="
WRONG = [
    *("x * (y + z) * (2 - z)", "x * y + x * z * (2 - z)", "(x * z + x * y) * (2 - z)"),
    *("(y * x + x * z) * (2 - z)", "(2 - z) * (x * y + x * z)", "((x * y + x * z)) * (2 - z)"),
    *("(x * y + (x * z)) * (2 - z)", "(x * y + x * z) * (z - 2)", "(x*y + x*z) * (2 - z)"),
    *(
        "x * y * (2 - z) + x * z * (2 - z)",
        "(x * y - x * z) * (2 - z)",
        "(x * y + x * z) * (02 - z)",
    ),
    *("(x * y + x * z) * (2 - z) ", "(x * y + x * z)  * (2 - z)", "(x * y + x * z) * (2 - z) ="),
    *("( x * y + x * z) * (2 - z)", "(X * y + x * z) * (2 - z)", "(a * b + a * c) * (2 - z)", ""),
]
MALFORMED = [
    *("", " ", "=", "|", " = ", " | ", " =", " =  |  =", "a = a | =", "a = a |  =", "a = a | x"),
    *("a = a | x=", "a = a | x = ", " a = a | x =", "a=a | x =", "a = a|x =", "a = a | x = x"),
    *("a = a = a | x =", "a = a | x | x =", "a = a", "x = x | x =", "a = b | x =", "a = a | a ="),
    *("a = (a) | x =", "(a) = a | x =", "a = a | (x) =", "e = e | x =", "a = a | l ="),
    *("a = a | é =", "a = a | sin =", "a = a | sin() =", "a = a | sin(x =", "a = a | sin(x)) ="),
    *("a = a | sinx =", "a = a | sin (x) =", "a = a | cot(x) =", "a = a | sin((x)) ="),
    *("a = a | x^y^z =", "a = a | - x =", "a = a | x ^ y =", "a = a | x^ =", "a = a | ^x ="),
    *("a = a | x y =", "a = a | 1x =", "a = a | 00 =", "a = a | 01 =", "a = a | 1.5 ="),
    *("a = a | 1234567 =", "a = a | x +y =", "a = a | x\n =", "a = a | x\x00 =", "a = a | xy ="),
    *("a = a | x - - y =", "a = a | () =", "a = a | x () =", "a = sin | x ="),
]
TRUE = [
    *("a + b - b = a", "a / a = 1", "a^0 = 1", "(a^2 - b^2) / (a - b) = a + b", "2 + 2 = 4"),
    *("log(a^2) = 2 * log(a)", "exp(log(a)) = a", "abs(a - b)^2 = (b - a)^2", "sqrt(a^4) = a^2"),
    *("sin(0 - a) = 0 - sin(a)", "tanh(2 * a) = 2 * tanh(a) / (1 + tanh(a)^2)"),
    *("sqrt(a)^2 = a", "abs(0 - a) = abs(a)", "a^b * a = a^(b + 1)"),
]
FALSE = [
    *("a = b", "a = 0", "1 = 2", "a + 1 = a", "a / a = 2", "a^9 = a^8", "a - b = b - a"),
    *("a + b = a * b", "(a + b)^2 = a^2 + b^2", "a / (b + c) = a / b + a / c", "1 / a = 0 - a"),
    *("sqrt(a^2) = a", "(a^2)^(1 / 2) = a", "abs(a) = a", "abs(a) / a = 1", "sqrt(4) = 0 - 2"),
    *("abs(a + b) = abs(a) + abs(b)", "sqrt(a + b) = sqrt(a) + sqrt(b)", "log(0 - a) = log(a)"),
    *("sqrt(a^2 * b) = a * sqrt(b)", "log(a + b) = log(a) + log(b)", "exp(log(a)) = abs(a) + 1"),
    *("a^b = b^a", "(a^b)^c = a^(b^c)", "sin(a)^2 - cos(a)^2 = 1", "sin(2 * a) = 2 * sin(a)"),
    *("cosh(a)^2 + sinh(a)^2 = 1", "tan(a) = cos(a) / sin(a)", "sin(a) = a", "cosh(a) = cos(a)"),
]
NOWHERE_DEFINED = [
    *("a / 0 = b / 0", "1 / (a - a) = 2 / (a - a)", "log(0) = log(0)", "sqrt(0 - 1) = sqrt(0 - 1)"),
    *("log(0 - a^2) = log(0 - a^2)", "sqrt(a) * sqrt(0 - a) = 1", "(a - a)^b = 0"),
]
HARD = [
    *("(a^2)^(1 / 2) = abs(a)", "a + 12 = 12 + a", "a^10 = a^4 * a^6"),
    "tan(a + b)^3 = ((tan(a) + tan(b)) / (1 - tan(a) * tan(b)))^3",
    "(a + b)^9 * (a + b)^9 = (a + b)^9 * (b + a)^9",
    "9^(9^(9^a)) + b = b + 9^(9^(9^a))",
    "((a + b + c + d)^9)^9 = ((b + a + c + d)^9)^9",
    "sin(9^(9 * 9 * 9 * 9)) + a = a + sin(9^(9 * 9 * 9 * 9))",
    " + ".join("a" * 60) + " = 60 * a",
]


def is_identity(rule: str) -> bool:
    """Whether a rule is accepted where it is used on the whole term."""
    left, right = (side.translate(str.maketrans("abcd", "pqrs")) for side in rule.split(" = "))
    for name in FUNCTIONS:  # whose letters are not those of the rule
        changed = name.translate(str.maketrans("abcd", "pqrs"))
        left, right = (side.replace(f"{changed}(", f"{name}(") for side in (left, right))
    return accepts(f"{rule} | {left} =", right)


def drawn(n: int = 500, **params: Any) -> tuple[Any, Problems, list[str]]:
    """Valid problems and their derivations."""
    generator = KIND(**params)
    valid = generator.draw(Rows.span(STREAM, 0, n)).valid
    problems = generator.draw(Rows(STREAM, np.flatnonzero(valid).astype(np.uint64)))
    texts = derivation_text(problems.derivations, generator.signature).to_pylist()
    return generator, problems, texts


@pytest.mark.parametrize("params", SETTINGS, ids=str)
def test_contract(params: dict[str, Any]) -> None:
    check_family("identities", params, rows=150 if params else 400)


def test_the_list() -> None:
    assert len(NAMES) == len({text for _, text in LISTED.values()}) == 96
    families = {
        *("algebra", "powers", "fractions", "roots", "absolute", "logarithms", "exponentials"),
        *("trigonometry", "hyperbolic"),
    }
    for part in (NAMES[:40], NAMES[40:]):
        assert {LISTED[name][0] for name in part} == families
    assert KIND().axes["rule_name"].values == tuple(NAMES)


def spellings(term: ast.expr) -> list[str]:
    """All ways to write a term with the operands of + and * in either order."""
    if isinstance(term, ast.BinOp):
        sign = type(term.op).__name__
        pairs = list(product(spellings(term.left), spellings(term.right)))
        turned = [(b, a) for a, b in pairs] if sign in ("Add", "Mult") else []
        return [f"({a} {sign} {b})" for a, b in pairs + turned]
    if isinstance(term, ast.Call):
        return [f"{ast.unparse(term.func)}({inner})" for inner in spellings(term.args[0])]
    return [ast.unparse(term)]


def test_reversed_identities_are_paired() -> None:
    """Every identity is compared with all others backwards, in all letters and spellings."""
    texts = [text.replace("^", "**") for _, text in LISTED.values()]
    both = [[spellings(ast.parse(s, mode="eval").body) for s in t.split(" = ")] for t in texts]
    first = list(range(len(NAMES)))
    for letters in permutations("abcd"):
        names = dict(zip("abcd", letters, strict=True))
        plain = [
            [re.sub(r"\b[abcd]\b", lambda m, n=names: n[m[0]], side[0]) for side in sides]
            for sides in both
        ]
        for i, sides in enumerate(both):
            for j in range(i):
                if plain[j][1] in sides[0] and plain[j][0] in sides[1]:
                    first[i] = min(first[i], j)
    assert {i: j for i, j in enumerate(first) if i != j} == REVERSED
    for number, name in enumerate(NAMES):
        axes = drawn(20, identities=(name,))[1].axes
        assert set(axes["rule_pair"].tolist()) == {REVERSED.get(number, number)}


@pytest.mark.parametrize("name", NAMES)
def test_every_identity_is_proven(name: str) -> None:
    assert is_identity(LISTED[name][1])


@pytest.mark.parametrize(("prompt", "right"), WORKED.items())
def test_worked_examples(prompt: str, right: tuple[str, str]) -> None:
    answer, steps = right
    assert accepts(prompt, answer)
    assert accepts(prompt, answer, steps)
    for wrong in ("", answer + " ", " " + answer, f"({answer})", answer[:-1], answer + answer[-1]):
        assert not accepts(prompt, wrong)
    lines = steps.split("\n")
    wrong_steps = [
        *("", "\n", " ", steps + "\n", "\n" + steps, steps + " ", steps.replace(" = ", "=")),
        *(steps + "\n" + lines[-1], "\n".join(lines[:-1]), steps.replace("a =", "d =")),
        *(steps.replace("a = ", "a = 1 + "), steps + "\nd = x", steps.replace("\n", "\r\n") + "\r"),
        *(["\n".join(reversed(lines))] if len(lines) > 1 else []),
    ]
    assert not any(accepts(prompt, answer, text) for text in wrong_steps)


@pytest.mark.parametrize("prompt", [*NOT_ONE_MATCH, *MALFORMED])
def test_what_is_not_a_problem_has_no_answer(prompt: str) -> None:
    term = prompt.partition(" | ")[2].removesuffix(" =")
    guesses = (term, "x", "", prompt, "(x - y) * (x + y)", "x + (y + z)", "2 * (x * y)", "x^1")
    assert not any(accepts(prompt, guess) for guess in guesses)


@pytest.mark.parametrize("wrong", WRONG)
def test_near_misses_are_rejected(wrong: str) -> None:
    assert accepts(PRODUCT, "(x * y + x * z) * (2 - z)")
    assert not accepts(PRODUCT, wrong)


@pytest.mark.parametrize("wording", WORDS.wordings("instruction"))
def test_instructions_pose_the_same_problem(wording: str) -> None:
    prompt = filled(wording, {"rule": SQUARES, "term": "5 - (x^2 - y^2)"})
    assert accepts(prompt, "5 - (x - y) * (x + y)")
    assert not accepts(prompt + ".", "5 - (x - y) * (x + y)")
    assert not accepts(prompt.replace("y^2", "y^3"), "5 - (x - y) * (x + y)")


@pytest.mark.parametrize("rule", TRUE)
def test_other_identities_are_proven_too(rule: str) -> None:
    assert is_identity(rule)


@pytest.mark.parametrize("rule", [*FALSE, *NOWHERE_DEFINED])
def test_rules_that_are_not_identities_are_rejected(rule: str) -> None:
    assert not is_identity(rule)


def nested(tree: Any) -> int:
    """Operators above one another; functions and identities do not count."""
    if isinstance(tree, str) or tree[0] in LISTED or tree[0] in FUNCTIONS:
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
    if tree[0] in LISTED:
        return tree, depth
    found = (redex(operand, depth + 1) for operand in tree[1:])
    return next((place for place in found if place), None)


def n_symbols(text: str) -> int:
    for sign in "+-*/^()":
        text = text.replace(sign, f" {sign} ")
    return sum(token not in "()" for token in text.split())


@pytest.mark.slow
def test_axes_follow_from_the_derivation_and_the_text() -> None:
    generator, problems, texts = drawn(max_pattern_depth=3)
    prompts = generator.render(problems, Render("bare", "none")).prompts.to_pylist()
    axes = {name: values.tolist() for name, values in problems.axes.items()}
    families = generator.axes["rule_family"].values
    for i, (tree, prompt) in enumerate(zip(texts, prompts, strict=True)):
        found = redex(parsed(tree))
        assert found is not None
        (name, *values), depth = found
        family, statement = LISTED[name]
        assert NAMES[axes["rule"][i]] == NAMES[axes["rule_name"][i]] == name
        assert families[axes["rule_family"][i]] == family
        assert prompt.startswith(f"{statement} | ")
        assert axes["n_metavariables"][i] == len(values)
        assert axes["match_depth"][i] == depth
        assert axes["host_depth"][i] == nested(parsed(tree))
        assert {nested(value) for value in values} == {axes["pattern_depth"][i]}
        assert axes["size"][i] == n_symbols(prompt.split(" | ")[1].removesuffix(" ="))
        assert problems.difficulty[i] == axes["host_depth"][i] + axes["pattern_depth"][i]


def test_identities_take_turns() -> None:
    problems = KIND(first=20, number=7).draw(Rows.span(STREAM, 0, 70))
    assert problems.axes["rule"].tolist() == [20 + i % 7 for i in range(70)]
    chosen = KIND(identities=("add_twice", "pythagoras"))
    assert set(chosen.draw(Rows.span(STREAM, 0, 9)).axes["rule_name"].tolist()) == {8, 95}
    assert (chosen.axes["rule"].low, chosen.axes["rule"].high) == (8, 95)


def test_all_leaves_are_replaced_equally_often() -> None:
    _, _, texts = drawn(2_000, min_host_depth=1, max_host_depth=1, number=1)
    sides = Counter(
        isinstance(tree[1], list) and tree[1][0] == NAMES[0] for tree in map(parsed, texts)
    )
    assert sides[True] == pytest.approx(len(texts) / 2, rel=0.1)


def test_leaves_have_their_shares() -> None:
    _, _, texts = drawn(3_000, number=1, min_host_depth=0, max_host_depth=0, max_pattern_depth=0)
    names = [
        word for text in texts for word in text.replace("(", " ").replace(")", " ").split()[1:]
    ]
    functions = [name for name in names if name in FUNCTIONS]
    constants = [name for name in names if name.isdecimal()]
    assert len(functions) == pytest.approx(0.2 * 2 * len(texts), rel=0.1)
    assert len(constants) == pytest.approx(0.3 * 2 * len(texts), rel=0.1)
    assert set(constants) == set("123456789")
    assert set(functions) == {"sin", "cos", "exp", "log", "sqrt"}


def test_groundings_are_used_again_in_other_expressions() -> None:
    params = {"number": 10, "groundings": 3, "min_pattern_depth": 1, "max_pattern_depth": 2}
    _, _, texts = drawn(800, **params)
    used: dict[str, set[str]] = {}
    for tree in texts:
        place = redex(parsed(tree))
        assert place is not None
        used.setdefault(place[0][0], set()).add(str(place[0]))
    assert set(used) == set(NAMES[:10])
    assert all(len(instances) == 3 for instances in used.values())
    assert len(set(texts)) > 600


@pytest.mark.parametrize(
    ("params", "name"),
    [
        ({"first": 96}, "first"),
        ({"first": 90, "number": 7}, "number"),
        ({"number": 0}, "number"),
        ({"identities": ("pythagoras", "pythagoras")}, "identities"),
        ({"identities": ("no_such",)}, "identities"),
        ({"identities": "pythagoras"}, "identities"),
        ({"max_host_depth": 7}, "max_host_depth"),
        ({"min_host_depth": 4}, "min_host_depth"),
        ({"min_pattern_depth": 3}, "min_pattern_depth"),
        ({"operators": ""}, "operators"),
        ({"operators": "+%"}, "operators"),
        ({"functions": ("sec",)}, "functions"),
        ({"functions": ()}, "function_share"),
        ({"variables": "xyza"}, "variables"),
        ({"max_constant": 100}, "max_constant"),
        ({"function_share": 1.5}, "function_share"),
        ({"constant_share": 0.81}, "constant_share"),
        ({"constant_share": "x"}, "constant_share"),
        ({"groundings": -1}, "groundings"),
    ],
)
def test_params_out_of_range_are_rejected(params: dict[str, Any], name: str) -> None:
    with pytest.raises(ParamError, match=f"^{name}="):
        KIND(**params)


def test_the_page_lists_all_identities() -> None:
    page = Path(__file__).parents[3] / "docs" / "families" / "identities.md"
    text = page.read_text(encoding="utf-8")
    for i, (name, (family, statement)) in enumerate(LISTED.items()):
        assert f"| {i} | `{name}` | `{statement}` | {family} |" in text


@pytest.mark.parametrize("rule", HARD)
def test_rules_too_large_for_a_proof_are_rejected_in_bounded_time(rule: str) -> None:
    with bounded():
        assert not is_identity(rule)


NUMBERS = {text: number for number, (_, text) in enumerate(LISTED.values())}


def numbers(rows: list[dict[str, Any]]) -> Counter[int]:
    """Identities by what the prompts state."""
    return Counter(NUMBERS[row["prompt"].partition(" | ")[0]] for row in rows)


@pytest.mark.slow
@pytest.mark.parametrize("number", [40, 10])
def test_identities_of_the_tests_are_not_in_training(number: int, tmp_path: Path) -> None:
    sets = [f"source.{name}.params.number={number}" for name in ("trained", "deep")]
    splits = build_bundled("identities", tmp_path / "out", *sets, rows=1_120)
    assert len(splits["train"]) == 1_000
    stated = numbers(splits["train"])
    assert set(stated) == set(range(number))
    assert max(stated.values()) - min(stated.values()) <= 1
    depths = {name: {row["pattern_depth"] for row in rows} for name, rows in splits.items()}
    for name, rows in splits.items():
        unseen = name.startswith("test_unseen")
        assert all((row["rule"] >= 40) == unseen for row in rows)
        assert not unseen or not {row["rule"] for row in rows} & {41, 61, 65, 76, 80}
        assert all(row["rule"] in numbers([row]) for row in rows)
        deep = int(name[-1]) if name[-1].isdecimal() else 0
        assert depths[name] == ({deep} if deep else {1, 2})
    prompts = [row["prompt"] for rows in splits.values() for row in rows]
    assert len(set(prompts)) == len(prompts)


def test_training_can_repeat_few_instances(tmp_path: Path) -> None:
    few = "source.trained.params.groundings=4"
    rows = build_bundled("identities", tmp_path / "out", few, rows=1_400)
    used: dict[str, set[str]] = {}
    for row in rows["train"]:
        used.setdefault(row["rule_name"], set()).add(instance(row["derivation"], row["rule_name"]))
    assert len(used) == 40
    assert all(1 <= len(instances) <= 4 for instances in used.values())
    assert max(map(len, used.values())) == 4


def instance(derivation: str, name: str) -> str:
    """The identity's part of a derivation: to the bracket that closes it."""
    start = derivation.index(f"({name} ")
    end, opened = start, 0
    while end == start or opened > 0:
        opened += {"(": 1, ")": -1}.get(derivation[end], 0)
        end += 1
    return derivation[start:end]


@pytest.mark.parametrize(("varied", "number"), [(1_000, 5), (10_000, 40)])
def test_a_specialist_has_shares_of_both_kinds(varied: int, number: int, tmp_path: Path) -> None:
    sets = [
        f"split.train.parts.0.rows={50_000 - varied}",
        f"split.train.parts.1.rows={varied}",
        f"source.diverse.params.number={number}",
    ]
    splits = build_bundled("identities-specialist", tmp_path / "out", *sets, rows=1_060)
    stated = numbers(splits["train"])
    assert set(stated) == set(range(10 + number))
    assert sum(count for rule, count in stated.items() if rule < 10) == 1_000 - varied // 50
    assert sum(count for rule, count in stated.items() if rule >= 10) == varied // 50
    for name in ("test", "test_depth_3", "test_depth_4"):
        assert set(numbers(splits[name])) == set(range(10))
        deep = {int(name[-1])} if name != "test" else {1, 2}
        assert {row["pattern_depth"] for row in splits[name]} == deep
