"""Typed equality: exact, and quick whatever the text."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.contract.answers import (
    PARSERS,
    grade,
    parse_integer,
)
from synthgen.core.errors import UnknownNameError

INTEGERS = st.integers(-(10**30), 10**30) | st.integers(-200, 200)


@pytest.mark.parametrize(
    ("prediction", "answer", "expected"),
    [
        ("292", "292", 1.0),
        (" 292\n", "292", 1.0),
        ("0292", "292", 1.0),
        ("+292", "292", 1.0),
        ("-4", "-4", 1.0),
        ("-004", "-4", 1.0),
        ("0", "0", 1.0),
        ("-0", "0", 1.0),
        ("000", "0", 1.0),
        ("", "292", 0.0),
        ("   ", "292", 0.0),
        ("\n", "0", 0.0),
        ("9292", "292", 0.0),
        ("2920", "292", 0.0),
        ("29", "292", 0.0),
        ("92", "292", 0.0),
        ("2", "292", 0.0),
        ("291", "292", 0.0),
        ("293", "292", 0.0),
        ("1-4", "-4", 0.0),
        ("4", "-4", 0.0),
        ("--4", "-4", 0.0),
        ("- 4", "-4", 0.0),
        ("-", "0", 0.0),
        ("+", "0", 0.0),
        ("292.0", "292", 0.0),
        ("2.92e2", "292", 0.0),
        ("2_92", "292", 0.0),
        ("2,920", "2920", 1.0),
        ("2 92", "292", 0.0),
        ("292 292", "292", 0.0),
        ("the answer is 292", "292", 0.0),
        ("292.", "292", 0.0),
        ("$292$", "292", 0.0),
        ("146+146", "292", 0.0),
        ("0x124", "292", 0.0),
        ("٢٩٢", "292", 0.0),
        ("２９２", "292", 0.0),
        ("²", "2", 0.0),
        ("292\x00", "292", 0.0),
    ],
)
def test_integers(prediction: str, answer: str, expected: float) -> None:
    assert grade(prediction, answer, "integer") == expected


@given(INTEGERS, INTEGERS)
def test_integers_are_equal_iff_they_are(one: int, other: int) -> None:
    assert grade(str(one), str(other), "integer") == float(one == other)
    assert grade(str(one), str(one), "integer") == 1.0
    assert grade(f"{one:+d}", str(one), "integer") == 1.0


@given(INTEGERS, st.text(alphabet="0123456789-+. \n", min_size=1, max_size=3), st.integers(0, 5))
def test_more_text_counts_only_if_it_leaves_the_integer(value: int, insert: str, at: int) -> None:
    answer = str(value)
    prediction = answer[:at] + insert + answer[at:]
    stripped = prediction.strip()
    try:
        reads = int(stripped) if set(stripped) <= set("+-0123456789") else None
    except ValueError:
        reads = None
    assert grade(prediction, answer, "integer") == float(reads == value)


@given(st.text(max_size=12))
def test_any_text_is_an_integer_or_none(text: str) -> None:
    parsed = parse_integer(text)
    plain = text.strip()
    digits = plain[1:] if plain[:1] in ("+", "-") else plain
    is_integer = bool(digits) and digits.isascii() and digits.isdigit()
    assert (parsed is not None) == is_integer
    if parsed is not None:
        negative, kept = parsed
        assert int(kept) == abs(int(plain))
        assert negative == (int(plain) < 0)
        assert kept == str(abs(int(plain)))


@pytest.mark.parametrize(
    ("prediction", "answer", "expected"),
    [
        ("JUMP WALK", "JUMP WALK", 1.0),
        (" JUMP WALK\n", "JUMP WALK", 1.0),
        ("JUMP  WALK", "JUMP WALK", 1.0),
        ("[1,2 , 3]", "[1, 2, 3]", 0.0),
        ("[1, 23]", "[1, 2, 3]", 0.0),
        ("jump walk", "JUMP WALK", 0.0),
        ("JUMP", "JUMP WALK", 0.0),
        ("JUMP WALK WALK", "JUMP WALK", 0.0),
        ("", "JUMP", 0.0),
        ("", "", 1.0),
    ],
)
def test_strings(prediction: str, answer: str, expected: float) -> None:
    assert grade(prediction, answer, "string") == expected


@pytest.mark.parametrize(
    "prediction",
    [
        "9" * 10_001,
        "0" * 10_000_000 + "7",
        " " * 5_000_000 + "7",
        "-" * 1_000_000,
        "7" + "\n" * 3_000_000,
        "0" * 10_000,
        "0" * 9_999 + "x",
    ],
    ids=["nines", "zeros", "spaces", "signs", "lines", "allowed zeros", "no integer"],
)
@pytest.mark.parametrize("answer_type", PARSERS)
def test_huge_predictions_are_wrong_and_quick(prediction: str, answer_type: str) -> None:
    quickest = float("inf")
    for _ in range(3):
        start = time.process_time()
        assert grade(prediction, "7", answer_type) == 0.0
        quickest = min(quickest, time.process_time() - start)
    assert quickest < 1.0


def test_long_integers_need_no_conversion() -> None:
    assert grade("0" + "9" * 9_000, "9" * 9_000, "integer") == 1.0
    assert grade("9" * 9_000, "9" * 8_999 + "8", "integer") == 0.0


def test_an_unknown_type_is_an_error() -> None:
    with pytest.raises(UnknownNameError):
        grade("7", "7", "prose")


@pytest.mark.parametrize(
    ("prediction", "answer", "expected"),
    [
        *(("1/4", "1/4", True), (" 2/8 ", "1/4", True), ("-3/6", "-1/2", True), ("4/2", "2", True)),
        *(("+7", "7", True), ("0/5", "0", True), ("-0", "0", True), ("1/3", "1/4", False)),
        *(
            ("0.25", "1/4", True),
            (".25/1", "1/4", False),
            ("1/-4", "-1/4", False),
            ("1/0", "1/4", False),
            ("", "0", False),
        ),
        *(
            ("1 /4", "1/4", True),
            ("1/4/1", "1/4", False),
            ("1/", "1", False),
            ("/4", "1/4", False),
        ),
        *(("x", "1/4", False), ("1" * 2_000, "1", False), ("\u0661", "1", False)),
    ],
)
def test_rational_numbers_are_equal_by_value(prediction: str, answer: str, expected: bool) -> None:
    assert grade(prediction, answer, "rational") == expected


@pytest.mark.parametrize(
    ("prediction", "answer", "expected"),
    [
        *(("13.42", "13.42", True), ("13.420", "13.42", True), ("5", "5.0", True)),
        *((" .5 ", "0.5", True), ("-0.0", "0", True), ("+2.50", "2.5", True), ("7.", "7", True)),
        *(("13.4", "13.42", False), ("13.421", "13.42", False), ("-5", "5.0", False)),
        *(("1e1", "10", False), ("1,000", "1000", True), ("NaN", "0", False), (".", "0", False)),
        *(("Infinity", "0", False), ("1_0", "10", False), ("", "0", False), ("5.0.0", "5", False)),
    ],
)
def test_decimals_are_equal_in_every_digit(prediction: str, answer: str, expected: bool) -> None:
    assert grade(prediction, answer, "decimal") == expected
