"""Ways to fill boxes, from the text: examples by hand, and three ways to count."""

from __future__ import annotations

import pyarrow as pa
import pytest

from synthgen.verifiers.omega.combinatorics import combinatory_distribution

VERIFIER = combinatory_distribution.VERIFIER


def accepts(prompt: str, answer: str, way: str | None = None) -> bool:
    ways = None if way is None else pa.array([way])
    checked = bool(VERIFIER.check(pa.array([prompt]), pa.array([answer]), ways)[0])
    if way is None:
        assert checked == bool(VERIFIER.symbolic(pa.array([prompt]), pa.array([answer]))[0])
    return checked


LABELLED = (
    "Count the ways to distribute the tiles {} over {} distinguishable boxes with capacities {}, in"
    " this order, leaving no tile out. Two ways are the same if every box holds the same letters"
    " equally often. The answer is an integer."
)
ALIKE = (
    "Somebody sorts the tiles {} into {} plain boxes that must receive exactly {} tiles. Equal"
    " letters are interchangeable, so are places within a box, and so are any two boxes of one"
    " size. How many distributions are possible? Give the number as an integer."
)
SIX = "3 of 'a', 2 of 'b' and 1 of 'c'"


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        (ALIKE.format("2 x 'a' and 2 x 'b'", 2, "2 and 2"), "2"),
        (LABELLED.format("2 x 'a' and 2 x 'b'", 2, "2 and 2"), "3"),
        (LABELLED.format(SIX, 3, "2, 2 and 2"), "15"),
        (ALIKE.format(SIX, 3, "2, 2 and 2"), "3"),
        (ALIKE.format("'abaacb'", 3, "2, 2 and 2"), "3"),
        (LABELLED.format("'aaabbbcccddee'", 5, "2, 3, 3, 2 and 3"), "34392"),
        (ALIKE.format("'a' (1 copy), 'b' (1 copy) and 'c' (2 copies)", 2, "3 and 1"), "3"),
    ],
)
def test_examples_by_hand(prompt: str, answer: str) -> None:
    assert accepts(prompt, answer)
    assert not accepts(prompt, answer + "0")


@pytest.mark.parametrize(
    "prompt",
    [
        *(ALIKE.format(SIX, 2, "2, 2 and 2"), ALIKE.format(SIX, 3, "2, 2 and 3")),
        *(ALIKE.format("3 x 'a' and 3 x 'a'", 2, "3 and 3"), ALIKE.format("6", 2, "3 and 3")),
        ALIKE.format("3 x 'a', 3 of 'b'", 2, "3 and 3"),
        ALIKE.format("'abcdefghijklmnop'", 2, "8 and 8"),
        LABELLED.format("99 x 'a' and 1 x 'b'", 2, "50 and 50"),
    ],
)
def test_other_statements_are_none_of_this_family(prompt: str) -> None:
    assert VERIFIER.answer(prompt) is None
