"""HINT expressions against the published definitions, read from the text."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.core.columns import ragged
from synthgen.core.contract import Problems, Render, Texts
from synthgen.core.derivation import derivation_text, parse_derivation
from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows, stream_key
from synthgen.generators._hint_expression import SIGNATURE
from synthgen.generators._hint_rows import expression_axes, expression_problems
from synthgen.generators._hint_text import infix_text, step_text
from synthgen.generators.hint import Hint
from tests.generators import hint_oracle as oracle

STREAM = stream_key(3, "hint", "hint")
BARE = Render("bare", "none")
EVERYTHING = Hint(max_operators=12, operators="+-*/abcd", digits="0123456789xy")
SETTINGS = [
    Hint(),
    Hint(max_operators=12, parentheses="full"),
    EVERYTHING,
    Hint(operators="cd-", digits="y07", max_operators=8, parentheses="full"),
    Hint(min_operators=30, max_operators=64, operators="+-", max_value=10**6),
    Hint(min_operators=40, max_operators=64, operators="-ab", digits="59x", parentheses="full"),
]


def drawn(params: Hint, n: int, start: int = 0, stream: int = STREAM) -> Problems:
    """Valid problems among the first n addresses."""
    problems = params.draw(Rows.span(stream, start, start + n))
    return params.draw(Rows(stream, problems.rows.addresses[problems.valid]))


def texts_of(params: Hint, problems: Problems, solution: str = "none") -> Texts:
    return params.render(problems, Render("bare", solution))


def expressions(params: Hint, n: int) -> list[str]:
    return texts_of(params, drawn(params, n)).prompts.to_pylist()


@pytest.mark.parametrize("params", SETTINGS, ids=str)
def test_axes_text_and_derivation_agree_with_a_slow_reading_of_the_text(params: Hint) -> None:
    problems = drawn(params, 800)
    texts = texts_of(params, problems, "steps")
    derivations = derivation_text(problems.derivations, SIGNATURE).to_pylist()
    full = params.parentheses == "full"
    assert len(problems) > 100
    for i, text in enumerate(texts.prompts.to_pylist()):
        tree = oracle.parse(text)
        assert oracle.infix(tree, full=full) == text  # no parenthesis too many or too few
        assert oracle.prefix(tree) == derivations[i]
        assert {name: int(column[i]) for name, column in problems.axes.items()} == (
            oracle.axes(text)
        )
        assert texts.answers[i].as_py() == str(oracle.value(tree))
        steps = oracle.steps(tree) or [str(oracle.value(tree))]
        assert texts.solutions is not None
        assert texts.solutions[i].as_py() == "\n".join(steps)
    assert np.array_equal(problems.difficulty, problems.axes["n_op"])


@pytest.mark.parametrize("params", SETTINGS, ids=str)
def test_every_expression_keeps_to_the_params(params: Hint) -> None:
    problems = drawn(params, 800)
    lowest, highest = params.min_operators, params.max_operators
    cycle = highest - lowest + 1
    for i, text in enumerate(texts_of(params, problems).prompts.to_pylist()):
        facts = oracle.axes(text)
        assert facts["n_op"] == lowest + int(problems.rows.addresses[i]) % cycle
        assert params.min_value <= facts["max_value"] <= params.max_value
        assert facts["result"] > 0 or facts["n_op"] <= params.zero_result_operators
        assert set(text) <= set(params.operators + params.digits + "()")
    for name, axis in params.axes.items():
        assert axis.low is not None
        assert axis.low <= problems.axes[name].min(), name
        assert problems.axes[name].max() <= (axis.high or 0), name


SHEET = [
    ("2+3*4-5", [1, 5, 3, 1, 3, -1, 5], [2, 14, 3, 12, 4, 9, 5], 9),
    (
        "(2+3)*(4-9)/7",
        [2, 2, 5, 2, 2, 11, 8, 8, 5, 8, 8, -1, 11],
        [-1, 2, 5, 3, -1, 0, -1, 4, 0, 9, -1, 0, 7],
        0,
    ),
    (
        "6*(7-(2+9))+8/5",
        [1, 11, 4, 4, 1, 7, 7, 4, 7, 7, 4, -1, 13, 11, 13],
        [6, 0, -1, 7, 0, -1, 2, 11, 9, -1, -1, 2, 8, 2, 5],
        2,
    ),
    (
        "9*9*(9+9)-(8-6*7)/4",
        [1, 3, 1, 9, 6, 6, 3, 6, 6, -1, 12, 12, 17, 14, 12, 14, 12, 9, 17],
        [9, 81, 9, 1458, -1, 9, 18, 9, -1, 1458, -1, 8, 0, 6, 42, 7, -1, 0, 4],
        1458,
    ),
    (
        "(1+2)*3/(4-(5-2))",
        [2, 2, 5, 2, 2, 7, 5, -1, 10, 10, 7, 13, 13, 10, 13, 13, 10],
        [-1, 1, 3, 2, -1, 9, 3, 9, -1, 4, 1, -1, 5, 3, 2, -1, -1],
        9,
    ),
    ("9-5-3-4", [1, 3, 1, 5, 3, -1, 5], [9, 4, 5, 1, 3, 0, 4], 0),
    (
        "9-(5-(3-4))",
        [1, -1, 4, 4, 1, 7, 7, 4, 7, 7, 4],
        [9, 4, -1, 5, 5, -1, 3, 0, 4, -1, -1],
        4,
    ),
    ("8/3/2/2", [1, 3, 1, 5, 3, -1, 5], [8, 3, 3, 2, 2, 1, 2], 1),
    (
        "7/(2/(5/3))",
        [1, -1, 4, 4, 1, 7, 7, 4, 7, 7, 4],
        [7, 7, -1, 2, 1, -1, 5, 2, 3, -1, -1],
        7,
    ),
    ("0*9+8/(7*6)", [1, 3, 1, -1, 5, 3, 8, 8, 5, 8, 8], [0, 0, 9, 1, 8, 1, -1, 7, 42, 6, -1], 1),
    ("5-8+8-5", [1, 3, 1, 5, 3, -1, 5], [5, 0, 8, 8, 8, 3, 5], 3),
    ("4*(3-2*1)*6", [1, 9, 4, 4, 1, 6, 4, 6, 4, -1, 9], [4, 4, -1, 3, 1, 2, 2, 1, -1, 24, 6], 24),
]


def problems_of(derivations: list[str], *, full: bool = False) -> Problems:
    trees = ragged([parse_derivation(text, SIGNATURE) for text in derivations])
    axes = expression_axes((0, 20), (0, 10_000), full=full)
    rows = Rows.span(0, 0, len(trees))
    return expression_problems(rows, trees, np.ones(len(trees), bool), axes, full=full)


@pytest.mark.parametrize(("text", "heads", "values", "result"), SHEET)
def test_published_heads_and_values(
    text: str, heads: list[int], values: list[int], result: int
) -> None:
    assert oracle.heads(text) == heads
    assert oracle.node_values(text) == values
    problems = problems_of([oracle.prefix(oracle.parse(text))])
    axes = {name: int(column[0]) for name, column in problems.axes.items()}
    assert axes["result"] == result
    assert axes["max_value"] == max(values)
    assert axes["length"] == len(text)
    assert axes["max_dependency"] == max(abs(i - head) for i, head in enumerate(heads) if head >= 0)
    written = infix_text(problems.derivations, problems.axes["length"], full=False)
    assert written.to_pylist() == [text]


@pytest.mark.parametrize(
    ("derivation", "text", "full", "result"),
    [
        ("(a x 5)", "xa5", "xa5", 11),
        ("(b y x)", "ybx", "ybx", 11),
        ("(c 4 7)", "4c7", "4c7", 6),
        ("(d 3 6)", "3d6", "3d6", 4),
        ("(c (* 2 x) 5)", "2*xc5", "(2*x)c5", 14),
        ("(b (a 7 2) 9)", "7a2b9", "(7a2)b9", 7),
        ("(- (- 9 5) (- 3 4))", "9-5-(3-4)", "(9-5)-(3-4)", 4),
        ("(* (a 1 2) (+ 3 4))", "(1a2)*(3+4)", "(1a2)*(3+4)", 14),
        ("(+ 1 (* 2 3))", "1+2*3", "1+(2*3)", 7),
        ("(d (d 1 2) (c 3 4))", "1d2d(3c4)", "(1d2)d(3c4)", 3),
    ],
)
def test_few_shot_concepts_and_both_ways_of_parenthesising(
    derivation: str, text: str, full: str, result: int
) -> None:
    for is_full, expected in ((False, text), (True, full)):
        problems = problems_of([derivation], full=is_full)
        written = infix_text(problems.derivations, problems.axes["length"], full=is_full)
        assert written.to_pylist() == [expected]
        assert problems.axes["result"].tolist() == [result]
        assert problems.axes["n_paren"].tolist() == [expected.count("(")]


def test_steps_come_in_the_order_in_which_operators_complete() -> None:
    problems = problems_of(["(- (* (* 9 9) (+ 9 9)) (/ (- 8 (* 6 7)) 4))", "7"])
    assert step_text(problems.derivations).to_pylist() == [
        "9*9=81\n9+9=18\n81*18=1458\n6*7=42\n8-42=0\n0/4=0\n1458-0=1458",
        "7",
    ]


@pytest.mark.parametrize(("n_op", "count"), [(0, 10), (1, 390), (2, 29_230)])
def test_all_small_expressions_are_listed_once_a_cycle(n_op: int, count: int) -> None:
    params = Hint(min_operators=n_op, max_operators=n_op, max_value=100)
    assert params.space == count
    problems = params.draw(Rows.span(STREAM, 0, 2 * count))
    assert problems.valid.all()
    keys = [tuple(key) for key in problems.keys.tolist()]
    assert len(set(keys[:count])) == count
    assert keys[count:] == keys[:count]
    other = params.draw(Rows.span(STREAM + 1, 0, count))
    others = [tuple(key) for key in other.keys.tolist()]
    assert others != keys[:count]
    assert set(others) == set(keys)


def test_the_list_is_what_brute_force_finds() -> None:
    params = Hint(
        min_operators=1, max_operators=2, operators="-/d", digits="03y", min_value=4, max_value=13
    )
    trees: dict[int, set[str]] = {0: set("03y")}
    trees[1] = {f"({o} {a} {b})" for o in "-/d" for a in "03y" for b in "03y"}
    trees[2] = {f"({o} {a} {b})" for o in "-/d" for a in trees[1] for b in "03y"}
    trees[2] |= {f"({o} {b} {a})" for o in "-/d" for a in trees[1] for b in "03y"}
    expected = {tree for n in (1, 2) for tree in trees[n] if allowed(tree, 4, 13)}
    assert params.space is not None
    problems = params.draw(Rows.span(STREAM, 0, params.space))
    found = derivation_text(problems.derivations, SIGNATURE).to_pylist()
    assert set(found) == expected
    counts = Counter(found)
    assert {counts[tree] for tree in expected if tree.count("(") == 2} == {1}


def allowed(derivation: str, low: int, high: int) -> bool:
    """Say whether a tree is defined and its largest value within the bounds."""
    tree = tree_of(derivation.replace("(", "").replace(")", "").split())
    try:
        values = [oracle.value(node) for node in oracle.nodes(tree)]
    except ZeroDivisionError:
        return False
    return low <= max(values) <= high


def tree_of(words: list[str]) -> oracle.Node:
    symbol = words.pop(0)
    if symbol in oracle.LEAF:
        return oracle.Node(symbol, 0)
    return oracle.Node(symbol, 0, (tree_of(words), tree_of(words)))


def test_space_counts_addresses_until_nothing_new_comes() -> None:
    assert Hint().space is None
    assert Hint(min_operators=3, max_operators=3).space is None
    params = Hint(max_operators=1, max_value=100)
    assert params.space == 2 * 390
    everything = {tuple(key) for key in drawn(params, 4 * 390).keys.tolist()}
    assert {tuple(key) for key in drawn(params, 2 * 390).keys.tolist()} == everything
    assert len(everything) == 400


def test_a_space_without_expressions_is_empty_or_invalid() -> None:
    params = Hint(max_operators=0, min_value=50)
    assert params.space == 0
    assert not params.draw(Rows.span(STREAM, 0, 5)).valid.any()
    impossible = Hint(min_operators=3, max_operators=4, digits="0", operators="/")
    problems = impossible.draw(Rows.span(STREAM, 0, 20))
    assert not problems.valid.any()
    assert len(problems.derivations) == 20


def test_zero_results_stop_where_the_params_say() -> None:
    for most in (0, 2, 5):
        problems = drawn(Hint(max_operators=7, zero_result_operators=most), 8_000)
        n_op, zero = problems.axes["n_op"], problems.axes["result"] == 0
        assert set(n_op[zero].tolist()) == set(range(most + 1))


@pytest.mark.parametrize("require", ["x", "d", "+-", "x7c", "xy"])
def test_required_symbols_are_in_every_expression(require: str) -> None:
    params = Hint(
        max_operators=6, operators="+-*/cd", digits="0123456789xy", require=require, max_value=200
    )
    texts = expressions(params, 2_000)
    assert len(texts) > 100
    assert all(set(require) <= set(text) for text in texts)
    n_op = {sum(char in oracle.RANK for char in text) for text in texts}
    assert max(n_op) == 6


BAD_PARAMS: list[tuple[str, Any]] = [
    ("max_operators", -1),
    ("max_operators", 65),
    ("max_operators", True),
    ("max_operators", "3"),
    ("min_operators", -1),
    ("min_operators", 21),
    ("min_operators", 1.0),
    ("operators", ""),
    ("operators", "++"),
    ("operators", "+%"),
    ("operators", ["+"]),
    ("digits", ""),
    ("digits", "11"),
    ("digits", "z"),
    ("digits", 12),
    ("require", "x"),
    ("require", "a"),
    ("require", "++"),
    ("max_value", -1),
    ("max_value", 10**9 + 1),
    ("min_value", -1),
    ("min_value", 10_001),
    ("zero_result_operators", -1),
    ("zero_result_operators", 65),
    ("parentheses", "none"),
    ("parentheses", None),
]


@pytest.mark.parametrize(("name", "value"), BAD_PARAMS)
def test_params_are_checked_with_name_and_value(name: str, value: object) -> None:
    with pytest.raises(ParamError) as caught:
        Hint(**{name: value})
    assert str(caught.value).startswith(f"{name}={value!r}: expected ")
    assert caught.value.name == name


def test_more_symbols_cannot_be_required_than_an_expression_holds() -> None:
    with pytest.raises(ParamError, match=r"^require='12': expected no more symbols"):
        Hint(max_operators=0, require="12")
    assert Hint(max_operators=0, operators="", require="1").space == 1


CHANGES: list[dict[str, Any]] = [
    {"min_operators": 4},
    {"max_operators": 7},
    {"operators": "+-*"},
    {"operators": "-+*/"},
    {"digits": "123456789"},
    {"require": "3"},
    {"min_value": 50},
    {"max_value": 30},
    {"zero_result_operators": 6},
]


@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_every_param_changes_what_is_drawn(change: dict[str, Any]) -> None:
    rows = Rows.span(STREAM, 0, 2_000)
    usual, other = (
        Hint(min_operators=3, max_operators=6),
        Hint(**({"min_operators": 3, "max_operators": 6} | change)),
    )
    one, two = usual.draw(rows), other.draw(rows)
    assert not np.array_equal(one.keys, two.keys) or not np.array_equal(one.valid, two.valid)


def test_parentheses_change_the_text_and_never_the_problem() -> None:
    minimal, full = Hint(), Hint(parentheses="full")
    one, two = drawn(minimal, 500), drawn(full, 500)
    assert np.array_equal(one.keys, two.keys)
    changed = {"length", "n_paren", "paren_depth", "max_dependency"}
    for name in minimal.axes:
        assert np.array_equal(one.axes[name], two.axes[name]) == (name not in changed)
        assert minimal.axes[name].canonical
        assert full.axes[name].canonical == (name not in changed)
    pairs = zip(
        texts_of(minimal, one).prompts.to_pylist(),
        texts_of(full, two).prompts.to_pylist(),
        strict=True,
    )
    for short, long in pairs:
        assert oracle.prefix(oracle.parse(short)) == oracle.prefix(oracle.parse(long))
        n_op = sum(char in oracle.RANK for char in long)
        assert long.count("(") == max(0, n_op - 1)  # all compound trees but the whole


TREES = st.recursive(
    st.sampled_from(sorted(oracle.LEAF)).map(lambda symbol: oracle.Node(symbol, 0)),
    lambda part: st.builds(
        lambda symbol, left, right: oracle.Node(symbol, 0, (left, right)),
        st.sampled_from(sorted(oracle.RANK)),
        part,
        part,
    ),
    max_leaves=16,
)


@given(TREES, st.booleans())
@settings(deadline=None, max_examples=300)
def test_text_and_tree_are_a_bijection(tree: oracle.Node, full: bool) -> None:
    """Whatever the tree: its text reads back as it, and no pair of parentheses can go."""
    derivation = oracle.prefix(tree)
    trees = ragged([parse_derivation(derivation, SIGNATURE)])
    expected = oracle.infix(tree, full=full)
    text = infix_text(trees, np.array([len(expected)]), full)[0].as_py()
    assert text == expected
    assert oracle.prefix(oracle.parse(text)) == derivation
    if not full:
        for group in {g for node in oracle.nodes(oracle.parse(text)) for g in node.groups}:
            without = "".join(char for i, char in enumerate(text) if i not in group)
            assert oracle.prefix(oracle.parse(without)) != derivation


def test_instructions_hold_the_expression_and_tell_the_concepts() -> None:
    params = Hint(operators="+c", digits="12x")
    problems = drawn(params, 400)
    bare = texts_of(params, problems)
    told = params.render(problems, Render("instruction", "none"))
    assert bare.templates.to_pylist() == ["bare"] * len(problems)
    names = told.templates.to_pylist()
    assert set(names) == {f"instruction_{i}" for i in range(1, 7)}
    assert all(count > len(names) / 12 for count in Counter(names).values())
    assert told.answers.equals(bare.answers)
    assert bare.answer_types.to_pylist() == ["integer"] * len(problems)
    for expression, prompt in zip(bare.prompts.to_pylist(), told.prompts.to_pylist(), strict=True):
        assert prompt.endswith(f"\n\n`{expression}`")
        assert prompt.count("`") == 2
        assert "x is the number 11" in prompt
        assert "l c r is" in prompt
        assert "y is" not in prompt
        assert "{" not in prompt
    wordings: dict[str, set[str]] = {}
    for name, prompt in zip(names, told.prompts.to_pylist(), strict=True):
        wordings.setdefault(name, set()).add(prompt.partition("`")[0])
    assert all(len(texts) == 1 for texts in wordings.values())
    plain = Hint().render(drawn(Hint(), 50), Render("instruction", "none"))
    assert not any("Besides" in prompt for prompt in plain.prompts.to_pylist())


@lru_cache
def thinned(low: int, high: int, window: tuple[int, int], wanted: int) -> dict[str, Any]:
    """Distinct draws with no result on more than 5 % of a count's rows, as the paper keeps them."""
    params = Hint(min_operators=low, max_operators=high, min_value=window[0], max_value=window[1])
    problems = drawn(params, 180_000)
    kept: list[int] = []
    seen: set[tuple[int, int]] = set()
    results: Counter[tuple[int, int]] = Counter()
    per_count: Counter[int] = Counter()
    n_op, result = problems.axes["n_op"].tolist(), problems.axes["result"].tolist()
    for i, key in enumerate(map(tuple, problems.keys.tolist())):
        place = (n_op[i], result[i])
        full = per_count[n_op[i]] == wanted or results[place] == int(0.05 * wanted)
        if full or key in seen:
            continue
        seen.add(key)
        results[place] += 1
        per_count[n_op[i]] += 1
        kept.append(i)
    assert set(per_count.values()) == {wanted}
    return {name: column[kept] for name, column in problems.axes.items()}


def test_short_expressions_are_distributed_as_published() -> None:
    """Subset SS: 3 to 10 operators, values to 100 (8,800 published rows, so 0.5 % is noise)."""
    axes = thinned(3, 10, (0, 100), 5_000)
    result, top = axes["result"], axes["max_value"]
    shares = {
        "with parentheses": (np.mean(axes["n_paren"] > 0), 0.9495),
        "result 0": (np.mean(result == 0), 0.0),
        "result 1-9": (np.mean((result > 0) & (result <= 9)), 0.4436),
        "result 10-100": (np.mean(result > 9), 0.5564),
        "largest value to 9": (np.mean(top <= 9), 0.204),
    }
    for name, (ours, published) in shares.items():
        assert abs(ours - published) < 0.015, (name, ours)
    assert abs(axes["length"].mean() - 19.18) < 0.2
    assert 10 <= np.median(result) <= 12


def test_train_expressions_are_distributed_as_published() -> None:
    """Train rows of 0 to 10 operators: those of 0, 1 and 2 come from the complete lists."""
    axes = thinned(3, 10, (0, 100), 5_000)
    parts = [(axes, 800_000)]
    for n_op, rows in ((0, 20_000), (1, 78_000), (2, 100_000)):
        params = Hint(min_operators=n_op, max_operators=n_op, max_value=100)
        parts.append((dict(drawn(params, params.space or 0).axes), rows))

    def share(name: str, value: int) -> float:
        return sum(np.mean(part[name] == value) * rows for part, rows in parts) / 998_000

    nesting = (0.1896, 0.3318, 0.3248, 0.1283, 0.0231, 0.0022)
    for value, published in enumerate(nesting):
        assert abs(share("paren_depth", value) - published) < 0.008, value
    depth = (0.02, 0.0782, 0.133, 0.1793, 0.2348, 0.2182, 0.1035, 0.0281, 0.0044)
    for value, published in enumerate(depth, start=1):
        assert abs(share("depth", value) - published) < 0.008, value
    assert abs(share("result", 0) - 0.0453) < 0.001
    assert abs(sum(share("result", value) for value in range(1, 10)) - 0.466) < 0.01
    assert abs(share("result", 1) - 66_509 / 998_000) < 0.003
    length = sum(part["length"].mean() * rows for part, rows in parts) / 998_000
    assert abs(length - 16.23) < 0.1


def test_long_expressions_with_large_values_are_distributed_as_published() -> None:
    """Subset LL: 11 to 20 operators, a value from 101 to 10,000."""
    axes = thinned(11, 20, (101, 10_000), 1_000)
    result = axes["result"]
    assert np.mean(axes["n_paren"] > 0) > 0.998
    assert abs(np.mean((result > 0) & (result <= 9)) - 0.1941) < 0.02
    assert abs(np.mean((result > 9) & (result <= 100)) - 0.1718) < 0.02
    assert abs(np.mean((result > 100) & (result <= 1000)) - 0.4789) < 0.02
    assert abs(np.mean(result > 1000) - 0.1552) < 0.02
    assert abs(np.mean(axes["max_value"] <= 1000) - 0.790) < 0.02
    assert abs(axes["length"].mean() - 46.30) < 0.5


def test_operators_and_left_sizes_are_uniform() -> None:
    """Without bounds that bite, the tree is the published random tree."""
    params = Hint(min_operators=5, max_operators=5, operators="+a", max_value=10**9)
    problems = drawn(params, 20_000)
    codes = problems.derivations.values.reshape(-1, 11)
    plus = SIGNATURE.code["+"]
    assert abs(np.mean(codes[:, 0] == plus) - 0.5) < 0.02
    sizes = Counter(left_size(row) for row in codes.tolist())
    assert set(sizes) == set(range(5))
    assert all(abs(count / len(codes) - 0.2) < 0.02 for count in sizes.values())
    digits = Counter(code for code in codes.ravel().tolist() if code < 12)
    assert set(digits) == set(range(10))
    assert all(abs(count / (6 * len(codes)) - 0.1) < 0.01 for count in digits.values())


def left_size(codes: list[int]) -> int:
    """Operators of the left argument of a prefix sequence."""
    open_arguments, at = 1, 1
    while open_arguments:
        open_arguments += 1 if codes[at] >= 12 else -1
        at += 1
    return (at - 2) // 2


def test_rows_far_apart_in_the_address_space_are_drawn_alike() -> None:
    params = Hint(min_operators=3, max_operators=3)
    far = drawn(params, 500, start=2**63)
    near = drawn(params, 500)
    assert abs(len(far) - len(near)) < 60
    assert abs(far.axes["result"].mean() - near.axes["result"].mean()) < 8


def test_the_largest_expressions_fit_their_columns() -> None:
    params = Hint(min_operators=64, max_operators=64, operators="-", parentheses="full")
    problems = params.draw(Rows.span(STREAM, 0, 50))
    assert problems.axes["length"][problems.valid].tolist() == [4 * 64 - 1] * problems.valid.sum()
    assert problems.valid.any()
    large = Hint(max_operators=2, max_value=10**9, operators="*", digits="9")
    assert max(drawn(large, 30).axes["result"].tolist()) == 729
    texts = texts_of(params, problems)
    assert isinstance(texts.prompts, pa.StringArray)


@pytest.mark.parametrize(
    ("params", "counted"),
    [
        ({"operators": "+", "digits": "01", "max_operators": 2}, 2 + 4 + 16),
        ({"operators": "+-", "digits": "012", "max_operators": 2, "max_value": 4}, None),
    ],
)
def test_the_bound_of_problems_holds(params: dict[str, Any], counted: int | None) -> None:
    generator = Hint(**params)
    assert generator.space is not None
    problems = generator.draw(Rows.span(stream_key(1), 0, generator.space))
    distinct = len(np.unique(problems.keys[problems.valid], axis=0))
    assert generator.fewest_problems is not None
    assert 1 < generator.fewest_problems <= distinct
    assert counted is None or distinct == counted
