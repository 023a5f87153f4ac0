"""At least so many positions keep one letter, from the text."""

from __future__ import annotations

import pyarrow as pa
import pytest

from synthgen.verifiers.omega.combinatorics import (
    combinatory_probability_at_least_n_specific_fixed as family,
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
    "What is the probability that the number of positions of the row that show '{letter}' both"
    " before and after the shuffle is at least {j}?"
)


def question(letter: str, j: int) -> str:
    return f"{BAG} {EVENT.format(letter=letter, j=j)} {END}"


def test_examples_by_hand() -> None:
    assert accepts(question("c", 1), "33")
    assert accepts(question("c", 2), "6")
    assert not accepts(question("c", 1), "6")


def test_what_is_certain_or_impossible_has_no_answer() -> None:
    assert VERIFIER.answer(question("c", 0)) is None
    assert VERIFIER.answer(question("c", 4)) is None


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
    statement = question("c", 1)
    assert VERIFIER.answer(statement) is not None
    assert VERIFIER.answer(statement.replace(old, new)) is None
