"""The HINT verifier: hand-worked values, malformed text, and its two checks against each other."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.core.contract import Verifier
from synthgen.verifiers.hint import VERIFIER
from tests.bounded import bounded
from tests.conformance import original
from tests.generators import hint_oracle as oracle

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
    "",
    " ",
    "+",
    "1+",
    "+1",
    "-1",
    "1++2",
    "1-(-2)",
    "12",
    "1 + 2",
    "1+2 ",
    "\n1+2",
    "1+2\n",
    "()",
    "(",
    ")",
    "(1+2",
    "1+2)",
    ")1+2(",
    "1+(2*3",
    "(1+2))",
    "((1+2)",
    "1(2)",
    "(1)(2)",
    "()1",
    "1()",
    "(1+)2",
    "1^2",
    "1×2",
    "1.5",
    "z",
    "X",
    "1=1",
    "1+2=3",
    "３+4",
    "xx",
    "1ab2",
    "1\x00",
    "one",
]


def strings(*texts: str | None) -> pa.StringArray:
    return pa.array(texts, pa.string())


def both(prompt: str, answer: str) -> list[bool]:
    """What the compiled and the slow check say."""
    return [
        bool(VERIFIER.check(strings(prompt), strings(answer), None)[0]),
        bool(VERIFIER.symbolic(strings(prompt), strings(answer))[0]),
    ]


def replayed(prompt: str, answer: str, solution: str | None) -> bool:
    return bool(VERIFIER.check(strings(prompt), strings(answer), strings(solution))[0])


def test_it_is_a_verifier() -> None:
    assert isinstance(VERIFIER, Verifier)
    assert VERIFIER.check(strings(), strings(), None).shape == (0,)
    assert VERIFIER.check(strings(), strings(), strings()).shape == (0,)
    assert VERIFIER.symbolic(strings(), strings()).shape == (0,)


@pytest.mark.parametrize(("text", "value"), WORKED)
def test_worked_examples(text: str, value: int) -> None:
    assert oracle.value(oracle.parse(text)) == value
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
def test_the_expression_stands_between_the_last_two_backticks(prompt: str, value: int) -> None:
    assert both(prompt, str(value)) == [True, True]


@pytest.mark.parametrize(
    "prompt", ["1+2`", "`1+2", "`1+2``", "``", "`", "What is 1+2?", "`1+2` or `3", "` 1+2 `"]
)
def test_other_places_are_not_looked_at(prompt: str) -> None:
    assert both(prompt, "3") == [False, False]


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
    assert VERIFIER.check(prompts, answers, None).all()
    assert VERIFIER.symbolic(prompts, answers).all()
    for step in (-1, 1):
        near = strings(*(str(int(value) + step) for _, value in rows))
        assert not VERIFIER.check(prompts, near, None).any()
        assert not VERIFIER.symbolic(prompts, near).any()


def test_published_rows_replay_with_their_own_steps() -> None:
    rows = published_rows()[::5]
    solutions = ["\n".join(oracle.steps(oracle.parse(text))) or value for text, value in rows]
    prompts, answers = strings(*(text for text, _ in rows)), strings(*(value for _, value in rows))
    assert VERIFIER.check(prompts, answers, strings(*solutions)).all()
    assert VERIFIER.check(prompts, answers, strings(*[None] * len(rows))).all()


TREES = st.recursive(
    st.sampled_from(sorted(oracle.LEAF)).map(lambda symbol: oracle.Node(symbol, 0)),
    lambda part: st.builds(
        lambda symbol, left, right: oracle.Node(symbol, 0, (left, right)),
        st.sampled_from(sorted(oracle.RANK)),
        part,
        part,
    ),
    max_leaves=9,
)


def exact(tree: oracle.Node) -> int | None:
    try:
        return oracle.value(tree)
    except ZeroDivisionError:
        return None


@given(TREES, st.booleans(), st.integers(-2, 2))
@settings(deadline=None, max_examples=300)
def test_both_checks_agree_with_exact_arithmetic(
    tree: oracle.Node, full: bool, offset: int
) -> None:
    """Nine operands of at most 12 stay below 2^33; products above 2^30 may only end a tree."""
    value = exact(tree)
    text = oracle.infix(tree, full=full)
    answer = str((value or 0) + offset)
    expected = value is not None and offset == 0
    fast, slow = both(text, answer)
    assert slow is expected
    inner = [exact(node) or 0 for node in oracle.nodes(tree)[1:]]
    if max(inner, default=0) <= 2**30:
        assert fast is expected
    else:
        assert not fast or expected


@given(TREES, st.integers(0, 40), st.integers(0, 2), st.text(alphabet="0123()+-*/abcdxy` =z"))
@settings(deadline=None, max_examples=400)
def test_both_checks_agree_on_changed_texts(
    tree: oracle.Node, at: int, drop: int, insert: str
) -> None:
    """Whatever is typed: both refuse it, or both read the same value out of it."""
    text = oracle.infix(tree)
    changed = text[:at] + insert[:3] + text[at + drop :]
    inside = changed.rsplit("`", 2)[1] if changed.count("`") > 1 else changed
    for answer in {str(exact(tree)), *values_read(inside)}:
        fast, slow = both(changed, answer)
        assert slow is (answer in values_read(inside))
        assert fast is slow or len(answer) > 9


def values_read(text: str) -> set[str]:
    """Value of a text by the reader of the tests, if it is an expression."""
    try:
        return {str(oracle.value(oracle.parse(text)))}
    except (AssertionError, IndexError, ZeroDivisionError):
        return set()


@given(st.text(alphabet="019()+-*/abcdxy`", max_size=12))
@settings(deadline=None, max_examples=300)
def test_both_checks_agree_on_any_text(text: str) -> None:
    inside = text.rsplit("`", 2)[1] if text.count("`") > 1 else text
    for answer in {"0", "1", *values_read(inside)}:
        assert both(text, answer) == [answer in values_read(inside)] * 2


@given(st.text(max_size=20), st.text(max_size=20), st.none() | st.text(max_size=20))
@settings(deadline=None)
def test_no_text_makes_it_fail(prompt: str, answer: str, solution: str | None) -> None:
    assert both(prompt, answer) in ([True, True], [False, False])
    assert replayed(prompt, answer, solution) in (True, False)


def test_slices_are_read_from_where_they_start() -> None:
    prompts, answers = strings("1", "2+2", "3*3"), strings("1", "4", "9")
    solutions = strings("1", "2+2=4", "3*3=9")
    right = VERIFIER.check(prompts[1:], answers[1:], solutions[1:])
    assert right.tolist() == [True, True]
    assert VERIFIER.check(prompts[:2], answers[1:], None).tolist() == [False, False]


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


def test_huge_values_are_refused_or_exact_and_never_wrap_around() -> None:
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
    value = oracle_value(text) if value is None else value
    with bounded():
        assert both(text, str(value)) == [True, True]
        assert both(text, str(value + 1)) == [False, False]


def oracle_value(text: str) -> int:
    return oracle.value(oracle.parse(text))


@pytest.mark.parametrize(
    "text",
    [
        "(" * 100_000,
        ")" * 100_000,
        "(" * 50_000 + ")" * 50_000,
        "1" * 100_000,
        "+" * 100_000,
        "1+" * 50_000,
        "`" * 100_000,
        "1+1" * 33_000,
        "(" * 49_999 + "1" + ")" * 49_998,
        "9/(1+" * 20_000,
        "\x00" * 100_000,
    ],
    ids=lambda text: text[:6].encode().hex(),
)
def test_long_nonsense_is_refused_in_bounded_time(text: str) -> None:
    with bounded():
        assert both(text, "1") == [False, False]
        assert not replayed("1", "1", text)
        assert not replayed("1+1", "2", text)


def test_deep_nesting_does_not_crash() -> None:
    """The compiled check reads any depth; the slow one may give up but must not fail."""
    text = "(" * 40_000 + "7" + ")" * 40_000
    assert both(text, "7")[0] is True
    assert both(text, "8") == [False, False]
    right = "1+(" * 15_000 + "7" + ")" * 15_000
    assert both(right, "15007")[0] is True
    assert both(right, "15008") == [False, False]


@pytest.mark.parametrize("factors", [4_000, 5_000, 45_000])
def test_values_with_thousands_of_digits_do_not_crash(factors: int) -> None:
    """The slow check has unbounded integers, whose decimal text Python may refuse to write."""
    text = "*".join("9" * factors)
    with bounded():
        for answer in ("1", "9" * 19, "9" * 5_000):
            assert both(text, answer) == [False, False]


@pytest.mark.parametrize(
    ("prediction", "answer", "expected"),
    [("292", "292", 1.0), ("0292", "292", 1.0), ("9292", "292", 0.0), ("", "292", 0.0)],
)
def test_grading_is_by_integer(prediction: str, answer: str, expected: float) -> None:
    assert VERIFIER.grade(prediction, answer) == expected
