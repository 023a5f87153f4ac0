"""The HINT verifier: hand-worked values, malformed text, and its two checks against each other."""

from __future__ import annotations

import pytest

from tests.bounded import bounded
from tests.conformance import original
from tests.families.hint import oracle
from tests.families.verdicts import Verdicts, strings

VERDICTS = Verdicts("hint")
both, replayed = VERDICTS.both, VERDICTS.accepts

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
    assert VERDICTS.verifier.symbolic(prompts, answers).all()
    for step in (-1, 1):
        near = strings(*(str(int(value) + step) for _, value in rows))
        assert not VERDICTS.verifier.check(prompts, near, None).any()
        assert not VERDICTS.verifier.symbolic(prompts, near).any()


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
    """The slow check has unbounded integers, which Python may refuse to write in decimal."""
    text = "*".join("9" * factors)
    with bounded():
        for answer in ("1", "9" * 19, "9" * 5_000):
            assert both(text, answer) == [False, False]
