"""Slides of a rook from the text: published examples, boards without a way, wrong ways."""

from __future__ import annotations

import pyarrow as pa
import pytest

from synthgen.verifiers.omega.logic.logic_gridworld_rookmove import VERIFIER

QUESTION = (
    "Consider a board that is {} cells wide and {} cells high. Its blocked cells are listed by row "
    "(the lowest row is number one), each by its column (the leftmost column is number one): {}. "
    "From the lower left corner one moves in straight lines, right or up, each of any length and "
    "without touching a blocked cell, to the upper right corner. How many such lines does one need "
    "at least? Give an integer."
)
FOUR = QUESTION.format(4, 4, "row 1: 4; row 4: 1")
SIX = QUESTION.format(6, 5, "row 1: 6; row 2: 4; row 3: 2, 5; row 4: 3; row 5: 1")
WAY = "1. (1, 1) right to (2, 1)\n2. (2, 1) up to (2, 4)\n3. (2, 4) right to (4, 4)\nmoves: 3"


def accepts(prompt: str, answer: str, way: str | None = None) -> bool:
    ways = None if way is None else pa.array([way])
    return bool(VERIFIER.check(pa.array([prompt]), pa.array([answer]), ways)[0])


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        (FOUR, "3"),
        (SIX, "4"),
        (QUESTION.format(3, 3, "row 2: 2"), "2"),
        (QUESTION.format(2, 2, "row 2: 1"), "2"),
        (QUESTION.format(3, 3, "row 1: 3; row 3: 1"), "3"),
    ],
)
def test_examples_by_hand(prompt: str, answer: str) -> None:
    assert accepts(prompt, answer)
    assert VERIFIER.symbolic(pa.array([prompt]), pa.array([answer])).all()
    assert not accepts(prompt, str(int(answer) + 1))
    assert not VERIFIER.symbolic(pa.array([prompt]), pa.array([str(int(answer) + 1)])).any()


@pytest.mark.parametrize(
    "prompt",
    [
        QUESTION.format(3, 3, "row 1: 2; row 2: 1"),  # no way
        *(QUESTION.format(3, 3, "row 1: 1"), QUESTION.format(3, 3, "row 3: 3")),
        *(QUESTION.format(3, 3, "row 4: 1"), QUESTION.format(3, 3, "row 1: 4")),
        *(QUESTION.format(3, 3, "row 0: 1"), QUESTION.format(81, 3, "row 2: 1")),
        *(QUESTION.format(3, 3, ""), QUESTION.format(1, 3, "row 2: 1")),
    ],
)
def test_other_statements_are_none_of_this_family(prompt: str) -> None:
    """A board without a way has no answer here; the published text asks for -1."""
    assert VERIFIER.answer(prompt) is None
    assert not accepts(prompt, "-1")
    assert not VERIFIER.symbolic(pa.array([prompt]), pa.array(["-1"])).any()


@pytest.mark.parametrize(
    "way",
    [
        WAY.replace("moves: 3", "moves: 4"),
        WAY.replace("1. ", "2. "),
        WAY.replace("(2, 1) up", "(2, 2) up"),
        "1. (1, 1) up to (1, 4)\n2. (1, 4) right to (4, 4)\nmoves: 3",
        "1. (1, 1) up to (1, 4)\n2. (1, 4) right to (2, 4)\n3. (2, 4) right to (4, 4)\nmoves: 3",
        "1. (1, 1) right to (2, 1)\n2. (2, 1) up to (2, 4)\nmoves: 3",
        WAY.replace("right to (2, 1)", "up to (2, 1)"),
        WAY.replace("(4, 4)", "(5, 4)"),
        WAY.replace("1. (1, 1) right to (2, 1)", "1. (1, 1) right to (1, 1)"),
        "moves: 3",
        "",
    ],
)
def test_steps_must_be_a_way_of_that_length(way: str) -> None:
    assert accepts(FOUR, "3", WAY)
    assert not accepts(FOUR, "3", way)


def test_any_shortest_way_will_do() -> None:
    way = "1. (1, 1) up to (1, 3)\n2. (1, 3) right to (4, 3)\n3. (4, 3) up to (4, 4)\nmoves: 3"
    assert accepts(FOUR, "3", way)
