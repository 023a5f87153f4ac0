"""HINT expressions against the published definitions, read from the text."""

import random
from collections import Counter
from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.contract.interfaces import Problems, Render, Texts
from synthgen.core.columns import ragged
from synthgen.core.errors import ParamError
from synthgen.draws.randomness import Rows, stream_key
from synthgen.families.hint.family import Hint
from synthgen.testing import check_family
from synthgen.trees.derivations import derivation_text, parse_derivation
from tests.bounded import bounded
from tests.conformance import original
from tests.families.hint import reading
from tests.families.verdicts import Verdicts, strings, valid_problems

STREAM = stream_key(3, "hint", "hint")
SIGNATURE = Hint().signature
SETTINGS: list[dict[str, Any]] = [
    {},
    {"max_operators": 12, "parentheses": "full"},
    {"max_operators": 12, "operators": "+-*/abcd", "digits": "0123456789xy"},
    {"operators": "cd-", "digits": "y07", "max_operators": 8, "parentheses": "full"},
    {"min_operators": 30, "max_operators": 64, "operators": "+-", "max_value": 10**6},
    {"min_operators": 40, "max_operators": 64, "operators": "-ab", "digits": "59x"},
    {"max_operators": 2, "operators": "+/", "min_value": 5},
]


def drawn(params: Hint, n: int, start: int = 0) -> Problems:
    """Valid problems among the first n addresses."""
    return valid_problems(params, Rows.span(STREAM, start, start + n))


def texts_of(params: Hint, problems: Problems, solution: str = "none") -> Texts:
    return params.render(problems, Render("bare", solution))


def problems_of(derivations: list[str], *, full: bool = False) -> tuple[Hint, Problems]:
    """Problems of given trees."""
    params = Hint(parentheses="full" if full else "minimal")
    trees = ragged([parse_derivation(text, SIGNATURE) for text in derivations])
    rows = Rows.span(0, 0, len(trees))
    return params, params.problems(rows, trees, np.ones(len(trees), bool))


@pytest.mark.parametrize("params", SETTINGS, ids=str)
def test_contract(params: dict[str, Any]) -> None:
    check_family("hint", params)


@pytest.mark.parametrize("params", SETTINGS, ids=str)
def test_rows_agree_with_a_slow_reading_of_the_text_and_keep_to_the_params(
    params: dict[str, Any],
) -> None:
    hint = Hint(**params)
    problems = drawn(hint, 800)
    texts = texts_of(hint, problems)
    derivations = derivation_text(problems.derivations, SIGNATURE).to_pylist()
    cycle = hint.max_operators - hint.min_operators + 1
    assert len(problems) > 100
    for i, text in enumerate(texts.prompts.to_pylist()):
        tree, facts = reading.parse(text), reading.axes(text)
        assert reading.infix(tree, full=hint.full) == text  # no parenthesis too many or too few
        assert reading.prefix(tree) == derivations[i]
        assert {name: int(column[i]) for name, column in problems.axes.items()} == facts
        assert texts.answers[i].as_py() == str(facts["result"])
        assert facts["n_op"] == hint.min_operators + int(problems.rows.addresses[i]) % cycle
        assert hint.min_value <= facts["max_value"] <= hint.max_value
        assert facts["result"] > 0 or facts["n_op"] <= hint.zero_result_operators
        assert set(text) <= set(hint.operators + hint.digits + "()")
    assert np.array_equal(problems.difficulty, problems.axes["n_op"])


SHEET = [
    ("2+3*4-5", [1, 5, 3, 1, 3, -1, 5], 14, 9),
    ("(2+3)*(4-9)/7", [2, 2, 5, 2, 2, 11, 8, 8, 5, 8, 8, -1, 11], 9, 0),
    ("6*(7-(2+9))+8/5", [1, 11, 4, 4, 1, 7, 7, 4, 7, 7, 4, -1, 13, 11, 13], 11, 2),
    (
        "9*9*(9+9)-(8-6*7)/4",
        [1, 3, 1, 9, 6, 6, 3, 6, 6, -1, 12, 12, 17, 14, 12, 14, 12, 9, 17],
        1458,
        1458,
    ),
    ("(1+2)*3/(4-(5-2))", [2, 2, 5, 2, 2, 7, 5, -1, 10, 10, 7, 13, 13, 10, 13, 13, 10], 9, 9),
    ("9-5-3-4", [1, 3, 1, 5, 3, -1, 5], 9, 0),
    ("9-(5-(3-4))", [1, -1, 4, 4, 1, 7, 7, 4, 7, 7, 4], 9, 4),
    ("8/3/2/2", [1, 3, 1, 5, 3, -1, 5], 8, 1),
    ("7/(2/(5/3))", [1, -1, 4, 4, 1, 7, 7, 4, 7, 7, 4], 7, 7),
    ("0*9+8/(7*6)", [1, 3, 1, -1, 5, 3, 8, 8, 5, 8, 8], 42, 1),
    ("5-8+8-5", [1, 3, 1, 5, 3, -1, 5], 8, 3),
    ("4*(3-2*1)*6", [1, 9, 4, 4, 1, 6, 4, 6, 4, -1, 9], 24, 24),
]
"""Expressions with the published heads of their tokens, their largest values and results."""


@pytest.mark.parametrize(("text", "heads", "largest", "result"), SHEET)
def test_published_heads_and_values(text: str, heads: list[int], largest: int, result: int) -> None:
    assert reading.heads(text) == heads
    params, problems = problems_of([reading.prefix(reading.parse(text))])
    axes = {name: int(column[0]) for name, column in problems.axes.items()}
    assert (axes["result"], axes["max_value"], axes["length"]) == (result, largest, len(text))
    assert axes["max_dependency"] == max(abs(i - head) for i, head in enumerate(heads) if head >= 0)
    assert texts_of(params, problems).prompts.to_pylist() == [text]


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
def test_few_shot_concepts_and_both_styles_of_parentheses(
    derivation: str, text: str, full: str, result: int
) -> None:
    for is_full, expected in ((False, text), (True, full)):
        params, problems = problems_of([derivation], full=is_full)
        assert texts_of(params, problems).prompts.to_pylist() == [expected]
        assert problems.axes["result"].tolist() == [result]
        assert problems.axes["n_paren"].tolist() == [expected.count("(")]


def test_steps_come_in_the_order_in_which_operators_complete() -> None:
    params, problems = problems_of(["(- (* (* 9 9) (+ 9 9)) (/ (- 8 (* 6 7)) 4))", "7"])
    solutions = texts_of(params, problems, "steps").solutions
    assert solutions is not None
    assert solutions.to_pylist() == [
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


def test_space_counts_addresses_until_nothing_new_comes() -> None:
    assert Hint().space is None
    assert Hint(min_operators=3, max_operators=3).space is None
    params = Hint(max_operators=1, max_value=100)
    assert params.space == 2 * 390
    everything = {tuple(key) for key in drawn(params, 4 * 390).keys.tolist()}
    assert {tuple(key) for key in drawn(params, 2 * 390).keys.tolist()} == everything
    assert len(everything) == 400
    counted = Hint(operators="+", digits="01", max_operators=2)
    assert counted.fewest_problems is not None
    assert 1 < counted.fewest_problems <= len(np.unique(drawn(counted, 99).keys, axis=0)) == 22


def test_a_space_without_expressions_is_empty_or_invalid() -> None:
    params = Hint(max_operators=0, min_value=50)
    assert params.space == 0
    assert not params.draw(Rows.span(STREAM, 0, 5)).valid.any()
    impossible = Hint(min_operators=3, max_operators=4, digits="0", operators="/")
    problems = impossible.draw(Rows.span(STREAM, 0, 20))
    assert not problems.valid.any()
    assert len(problems.derivations) == 20


@pytest.mark.parametrize("most", [0, 2, 5])
def test_zero_results_stop_where_the_params_say(most: int) -> None:
    problems = drawn(Hint(max_operators=7, zero_result_operators=most), 8_000)
    n_op, zero = problems.axes["n_op"], problems.axes["result"] == 0
    assert set(n_op[zero].tolist()) == set(range(most + 1))


@pytest.mark.parametrize("require", ["x", "d", "+-", "x7c", "xy"])
def test_required_symbols_are_in_every_expression(require: str) -> None:
    params = Hint(
        max_operators=6, operators="+-*/cd", digits="0123456789xy", require=require, max_value=200
    )
    problems = drawn(params, 2_000)
    assert len(problems) > 100
    assert problems.axes["n_op"].max() == 6
    assert all(set(require) <= set(text) for text in texts_of(params, problems).prompts.to_pylist())


BAD_PARAMS: list[tuple[str, list[Any]]] = [
    ("max_operators", [-1, 65, True, "3"]),
    ("min_operators", [-1, 21, 1.0]),
    ("operators", ["", "++", "+%", ["+"]]),
    ("digits", ["", "11", "z", 12]),
    ("require", ["x", "a", "++"]),
    ("max_value", [-1, 10**9 + 1]),
    ("min_value", [-1, 10_001]),
    ("zero_result_operators", [-1, 65]),
    ("parentheses", ["none", None]),
]


@pytest.mark.parametrize(("name", "value"), [(n, v) for n, some in BAD_PARAMS for v in some])
def test_params_are_checked_with_name_and_value(name: str, value: object) -> None:
    with pytest.raises(ParamError) as caught:
        Hint(**{name: value})  # type: ignore[arg-type]
    assert str(caught.value).startswith(f"{name}={value!r}: expected ")
    assert caught.value.name == name


def test_more_symbols_cannot_be_required_than_an_expression_holds() -> None:
    with pytest.raises(ParamError, match=r"^require='12': expected no more symbols"):
        Hint(max_operators=0, require="12")
    assert Hint(max_operators=0, operators="", require="1").space == 1


def test_parentheses_change_the_text_and_never_the_problem() -> None:
    minimal, full = Hint(), Hint(parentheses="full")
    one, two = drawn(minimal, 500), drawn(full, 500)
    assert np.array_equal(one.keys, two.keys)
    changed = {"length", "n_paren", "paren_depth", "max_dependency"}
    for name in minimal.axes:
        assert np.array_equal(one.axes[name], two.axes[name]) == (name not in changed)
        assert minimal.axes[name].canonical
        assert full.axes[name].canonical == (name not in changed)


def test_instructions_hold_the_expression_and_explain_the_concepts_in_use() -> None:
    params = Hint(operators="+c", digits="12x")
    problems = drawn(params, 400)
    bare = texts_of(params, problems)
    worded = params.render(problems, Render("instruction", "none"))
    names = worded.templates.to_pylist()
    assert bare.templates.to_pylist() == ["bare"] * len(problems)
    assert set(names) == {f"instruction_{i}" for i in range(1, 7)}
    assert all(count > len(names) / 12 for count in Counter(names).values())
    wordings: dict[str, set[str]] = {}
    for name, text, prompt in zip(
        names, bare.prompts.to_pylist(), worded.prompts.to_pylist(), strict=True
    ):
        assert prompt.endswith(f"\n\n`{text}`")
        assert prompt.count("`") == 2
        assert "x is 11; l c r is" in prompt
        assert "y is" not in prompt
        assert "{" not in prompt
        wordings.setdefault(name, set()).add(prompt.partition("`")[0])
    assert all(len(texts) == 1 for texts in wordings.values())
    plain = Hint().render(drawn(Hint(), 50), Render("instruction", "none"))
    assert not any("Additional" in prompt for prompt in plain.prompts.to_pylist())


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
        enough = per_count[n_op[i]] == wanted or results[place] == int(0.05 * wanted)
        if enough or key in seen:
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
    for name, (measured, published) in shares.items():
        assert abs(measured - published) < 0.015, (name, measured)
    assert abs(axes["length"].mean() - 19.18) < 0.2
    assert 10 <= np.median(result) <= 12


@pytest.mark.slow
def test_long_expressions_with_large_values_are_distributed_as_published() -> None:
    """Subset LL: 11 to 20 operators, a value from 101 to 10,000."""
    axes = thinned(11, 20, (101, 10_000), 1_000)
    result = axes["result"]
    assert np.mean(axes["n_paren"] > 0) > 0.998
    assert abs(np.mean((result > 0) & (result <= 9)) - 0.1941) < 0.02
    assert abs(np.mean((result > 100) & (result <= 1000)) - 0.4789) < 0.02
    assert abs(np.mean(axes["max_value"] <= 1000) - 0.790) < 0.02
    assert abs(axes["length"].mean() - 46.30) < 0.5


def test_operators_digits_and_left_sizes_are_uniform() -> None:
    """Without bounds that bite, the tree is the published random tree."""
    params = Hint(min_operators=5, max_operators=5, operators="+a", max_value=10**9)
    codes = drawn(params, 20_000).derivations.values.reshape(-1, 11)
    assert abs(np.mean(codes[:, 0] == SIGNATURE.code["+"]) - 0.5) < 0.02
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


def test_the_largest_expressions_fit_their_columns() -> None:
    params = Hint(min_operators=64, max_operators=64, operators="-", parentheses="full")
    problems = drawn(params, 50)
    assert set(problems.axes["length"].tolist()) == {4 * 64 - 1}
    large = Hint(max_operators=2, max_value=10**9, operators="*", digits="9")
    assert max(drawn(large, 30).axes["result"].tolist()) == 729
    far = drawn(Hint(min_operators=3, max_operators=3), 500, start=2**63)
    assert len(far) > 250


VERDICTS = Verdicts("hint")
replayed = VERDICTS.accepts


def both(prompt: str, answer: str) -> list[bool]:
    """What the kernel and its plain twin say of an answer."""
    return [VERDICTS.accepts(prompt, answer), reading.answer(prompt) == answer]


@pytest.mark.parametrize("params", SETTINGS, ids=str)
def test_the_kernel_and_its_plain_twin_agree(params: dict[str, Any]) -> None:
    """On real rows in all styles, and on expressions in which a character is another one."""
    hint, rng = Hint(**params), random.Random(str(params))  # noqa: S311
    problems = drawn(hint, 1_000)
    trees = [reading.parse(text) for text in texts_of(hint, problems).prompts.to_pylist()]
    values = [str(tree.value) for tree in trees]
    steps = ["\n".join(reading.steps(tree)) for tree in trees]
    for style in hint.prompts:
        texts = hint.render(problems, Render(style, "steps"))
        assert texts.answers.to_pylist() == values
        assert texts.solutions is not None
        assert texts.solutions.to_pylist() == steps
        check = VERDICTS.verifier.check
        assert check(texts.prompts, texts.answers, texts.solutions).all()
        damaged = [changed(text, rng) for text in texts.prompts.to_pylist()]
        twin = [reading.answer(text) for text in damaged]
        wanted = [value is not None for value in twin]
        answers = strings(*(value or "0" for value in twin))
        assert check(strings(*damaged), answers, None).tolist() == wanted
        assert 0 < sum(wanted) < len(wanted)
        assert [VERDICTS.verifier.reads(text) for text in damaged] == wanted


def changed(prompt: str, rng: random.Random) -> str:
    """Replace a character of the expression by another one, or delete it."""
    quoted = prompt.endswith("`")
    start = prompt.find("\n\n`") + 3 if quoted else 0
    place = rng.randrange(start, len(prompt) - quoted)
    return prompt[:place] + rng.choice(["", *"+-*/abcd()0123456789xy`"]) + prompt[place + 1 :]


@settings(max_examples=500, deadline=None)
@given(st.text("0127x+-*/cd()", max_size=12))
def test_the_kernel_reads_what_its_plain_twin_reads(text: str) -> None:
    value = reading.answer(text)
    assert VERDICTS.verifier.reads(text) == (value is not None)
    assert VERDICTS.accepts(text, value or "0") == (value is not None)


WORKED = [
    ("2+3*4-5", 9),
    ("(2+3)*(4-9)/7", 0),
    ("6*(7-(2+9))+8/5", 2),
    ("9*9*(9+9)-(8-6*7)/4", 1458),
    ("(1+2)*3/(4-(5-2))", 9),
    ("9-5-3-4", 0),
    ("9-(5-(3-4))", 4),
    ("8/3/2/2", 1),
    ("7/(2/(5/3))", 7),
    ("0*9+8/(7*6)", 1),
    ("5-8+8-5", 3),
    ("4*(3-2*1)*6", 24),
    ("xa5", 11),
    ("ybx", 11),
    ("4c7", 6),
    ("3d6", 4),
    ("2*xc5", 14),
    ("7a2b9", 7),
    ("0", 0),
    ("x", 11),
    ("0/7", 0),
    ("7/2", 4),
    ("(((7)))", 7),
    ("(1)+(2)", 3),
]
UNDEFINED = ["6/(9-9)+1", "1/0", "0/0", "0d0", "(3-4)d(5-6)", "1+0d(2-3)", "0*(1/0)", "1a(1/0)"]
MALFORMED = [
    *("", " ", "+", "1+", "+1", "-1", "1++2", "1-(-2)", "12", "1 + 2", "1+2 ", "\n1+2", "1+2\n"),
    *("()", "(", ")", "(1+2", "1+2)", ")1+2(", "1+(2*3", "(1+2))", "((1+2)", "1(2)", "(1)(2)"),
    *("()1", "1()", "(1+)2", "1^2", "1×2", "1.5", "z", "X", "1=1", "1+2=3", "３+4", "xx", "1ab2"),
    *("1\x00", "one"),
]


@pytest.mark.parametrize(("text", "value"), WORKED)
def test_worked_examples(text: str, value: int) -> None:
    assert reading.parse(text).value == value
    assert both(text, str(value)) == [True, True]
    for wrong in (str(value + 1), str(value - 1), f"0{value}", f"{value} ", f"+{value}", ""):
        assert both(text, wrong) == [False, False], wrong


@pytest.mark.parametrize("text", [*UNDEFINED, *MALFORMED])
def test_what_has_no_value_has_no_right_answer(text: str) -> None:
    for answer in ("0", "1", "2", "3", "-1", "", "None", text):
        assert both(text, answer) == [False, False], answer


@pytest.mark.parametrize(
    ("prompt", "value"),
    [
        ("`1+2`", 3),
        ("What is `1+2`?", 3),
        ("Not `9*9` but\n\n`1+2`", 3),
        ("a `b` c `1+2` d", 3),
        ("`9*9`1+2`", 3),
        ("``1+2`", 3),
        ("```1+2`", 3),
        ("The rules: 3-5 is 0, 7/2 is 4. Work out `x*(2-1)`.", 11),
    ],
)
def test_the_expression_is_between_the_last_two_backticks(prompt: str, value: int) -> None:
    assert both(prompt, str(value)) == [True, True]


def published_rows() -> list[tuple[str, str]]:
    rows = []
    for name, column in (("hint_val.tsv", 0), ("hint_fewshot_train_val.tsv", 2)):
        for line in original(f"hint/{name}").read_text().splitlines():
            cells = line.split("\t")
            rows.append((cells[column], cells[column + 1]))
    return rows


def test_every_published_row_is_right_and_no_neighbour_is() -> None:
    rows = published_rows()
    assert len(rows) == 4_698 + 9_064
    prompts, answers = strings(*(text for text, _ in rows)), strings(*(value for _, value in rows))
    assert VERDICTS.verifier.check(prompts, answers, None).all()
    assert [reading.answer(text) for text, _ in rows] == [value for _, value in rows]
    for step in (-1, 1):
        near = strings(*(str(int(value) + step) for _, value in rows))
        assert not VERDICTS.verifier.check(prompts, near, None).any()


@pytest.mark.parametrize(
    "prompt", ["1+2`", "`1+2", "`1+2``", "``", "`", "What is 1+2?", "`1+2` or `3", "` 1+2 `"]
)
def test_other_places_are_not_read(prompt: str) -> None:
    assert both(prompt, "3") == [False, False]


STEPS = "2*3=6\n4*5=20\n6+20=26"


@pytest.mark.parametrize(
    ("solution", "expected"),
    [
        (STEPS, True),
        (None, True),
        ("", False),
        ("26", False),
        ("2*3=6\n4*5=20", False),
        ("2*3=6\n6+20=26", False),
        (STEPS + "\n", False),
        ("\n" + STEPS, False),
        (STEPS + "\n26+0=26", False),
        (STEPS + "\n26", False),
        ("2*3=7\n4*5=20\n6+20=26", False),
        ("2*3=6\n4*5=19\n6+20=26", False),
        ("2*3=6\n4*5=20\n6+20=27", False),
        ("2*3=6 4*5=20 6+20=26", False),
        ("2*3 = 6\n4*5=20\n6+20=26", False),
        ("2*3=06\n4*5=20\n6+20=26", False),
        ("2*3=6\r\n4*5=20\r\n6+20=26", False),
        ("2*3=6\n4*5=20\n6+20=26=26", False),
        ("2*3\n4*5\n6+20", False),
        ("x*3=33\n4*5=20\n6+20=26", False),
        # Right lines, as many as there are operators, that are not this expression's steps.
        ("1*6=6\n4*5=20\n6+20=26", False),
        ("2+3=5\n4+5=9\n20+6=26", False),
        ("4*5=20\n2*3=6\n6+20=26", False),
        ("2*3=6\n4*5=20\n20+6=26", False),
        ("1+1=2\n1+1=2\n26+0=26", False),
    ],
)
def test_steps_of_one_expression(solution: str | None, expected: bool) -> None:
    assert replayed("2*3+4*5", "26", solution) is expected


def test_steps_must_end_at_the_answer() -> None:
    assert not replayed("2*3+4*5", "27", STEPS)
    assert replayed("7", "7", "7")
    assert not replayed("7", "7", "8")
    assert not replayed("7", "8", "8")
    assert not replayed("7", "7", "7+0=7")


def test_steps_need_values_not_symbols() -> None:
    assert replayed("x+y", "23", "11+12=23")
    assert not replayed("x+y", "23", "x+y=23")


def test_huge_values_are_rejected_or_exact_and_never_wrap_around() -> None:
    for factors in range(2, 120):
        text = "*".join("9" * factors)
        right = str(9**factors)
        wrapped = str(9**factors % 2**64)
        fast, slow = both(text, right)
        assert slow
        assert fast or 9 ** (factors - 1) > 2**30 or len(right) > 18
        if wrapped != right:
            assert both(text, wrapped) == [False, False]
    assert both("+".join(["9*9*9*9*9"] * 1000), str(9**5 * 1000)) == [True, True]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("+".join("1" * 50_000), 50_000),
        ("-".join("9" * 50_000), 0),
        ("1*" * 49_000 + "7", 7),
        ("0*" * 49_000 + "7", 0),
        ("(" * 400 + "7" + ")" * 400, 7),
        ("1+(" * 150 + "7" + ")" * 150, 157),
        ("9/(1+" * 150 + "7" + ")" * 150, None),
    ],
    ids=["sum", "difference", "product", "zeros", "nested", "right nested", "quotients"],
)
def test_long_texts_are_read_in_bounded_time(text: str, value: int | None) -> None:
    value = reading.parse(text).value if value is None else value
    with bounded():
        assert both(text, str(value)) == [True, True]
        assert both(text, str(value + 1)) == [False, False]


def test_deep_nesting_does_not_crash() -> None:
    """The kernel reads any depth; its plain twin may give up."""
    text = "(" * 40_000 + "7" + ")" * 40_000
    assert both(text, "7")[0] is True
    assert both(text, "8") == [False, False]
    right = "1+(" * 15_000 + "7" + ")" * 15_000
    assert both(right, "15007")[0] is True
    assert both(right, "15008") == [False, False]


@pytest.mark.slow
@pytest.mark.parametrize("factors", [4_000, 5_000, 45_000])
def test_values_with_thousands_of_digits_do_not_crash(factors: int) -> None:
    text = "*".join("9" * factors)
    with bounded():
        for answer in ("1", "9" * 19, "9" * 5_000):
            assert both(text, answer) == [False, False]
