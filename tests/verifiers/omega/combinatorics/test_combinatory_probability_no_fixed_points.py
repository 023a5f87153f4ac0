"""Shuffles that fix no letter, from the text: examples by hand."""

from __future__ import annotations

import pyarrow as pa
import pytest

from synthgen.verifiers.omega.combinatorics import (
    combinatory_probability_no_fixed_points as family,
)

VERIFIER = family.VERIFIER


def accepts(prompt: str, answer: str, way: str | None = None) -> bool:
    ways = None if way is None else pa.array([way])
    checked = bool(VERIFIER.check(pa.array([prompt]), pa.array([answer]), ways)[0])
    if way is None:
        assert checked == bool(VERIFIER.symbolic(pa.array([prompt]), pa.array([answer]))[0])
    return checked


BAG = (
    "A bag holds 1 tile marked 'a', 2 tiles marked 'b' and 3 tiles marked 'c'. 3 tiles are drawn at"
    " random without replacement and laid in a row in the order in which they are drawn. Then the"
    " tiles of this row are shuffled, all orders being equally likely."
)
END = (
    "Write this probability as a fraction in lowest terms, and give the sum of its numerator and"
    " its denominator, an integer."
)

EVENT = (
    "What is the probability that no position of the row shows the same letter before and after"
    " the shuffle?"
)


def question() -> str:
    return f"{BAG} {EVENT.format()} {END}"


def test_the_example_by_hand() -> None:
    assert accepts(question(), "11")
    assert not accepts(question(), "12")
    assert accepts(question().replace("'c'", "'z'"), "11")


def test_tiles_can_be_spelled() -> None:
    prompt = (
        "The letters of 'cabcbcabZ' are written on tiles, one on each. 4 of the tiles are taken at"
        " random without replacement to make a row, and the row is then rearranged at random, each"
        " arrangement of its tiles being equally likely. Determine the probability that the"
        " rearrangement leaves no position with the letter that it had. Reduce the probability to"
        " lowest terms and answer with the integer that is the sum of numerator and denominator."
    )
    assert VERIFIER.answer(prompt) is None
    assert accepts(prompt.replace("Z", ""), "8")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("6 drawings", "7 drawings"),
        ("= 12\n", "= 13\n"),
        ("pattern 3", "pattern 2"),
        ("1/10", "2/20"),
    ],
)
def test_every_line_of_a_solution_counts(old: str, new: str) -> None:
    way = (
        "pattern 3: 1 drawings * 0 = 0\npattern 2+1: 13 drawings * 0 = 0\n"
        "pattern 1+1+1: 6 drawings * 2 = 12\ngood: 12 of 20 * 6 = 120\n"
        "12/120 = 1/10\n1 + 10 = 11"
    )
    assert accepts(question(), "11", way)
    assert not accepts(question(), "11", way.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        *(("3 tiles are", "9 tiles are"), ("3 tiles are", "03 tiles are"), ("'a', 2", "'b', 2")),
        *(("1 tile marked", "1 tiles marked"), ("2 tiles marked 'b'", "2 tile marked 'b'")),
        *(("3 tiles marked", "0 tiles marked"), ("3 tiles marked", "30 tiles marked")),
        *(("equally likely.", "equally likely"), ("'b' and", "'B' and"), ("bag", "box")),
    ],
)
def test_other_statements_are_none_of_this_family(old: str, new: str) -> None:
    statement = question()
    assert VERIFIER.answer(statement) is not None
    assert VERIFIER.answer(statement.replace(old, new)) is None
