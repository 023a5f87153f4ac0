"""Leapers from the text: published examples, targets off the board, wrong ways."""

from __future__ import annotations

from collections import deque

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.verifiers.omega.logic.logic_gridworld_knight_move import VERIFIER

QUESTION = (
    "Squares of a grid are written (x, y): x counts columns from the left, y counts rows from the "
    "bottom, and both start at zero. A frog in the lower left square hops within the grid of {} "
    "columns and {} rows; every hop changes x or y by {}, up or down, and the other of the two by "
    "{}, up or down. Find the smallest number of hops that takes the frog to ({}, {}). Give an "
    "integer."
)
SEVEN = QUESTION.format(7, 9, 2, 3, 6, 8)
WAY = (
    "move 1: to (3, 2); squares first reached: 2\n"
    "move 2: to (6, 4); squares first reached: 9\n"
    "move 3: to (3, 6); squares first reached: 12\n"
    "move 4: to (6, 8); squares first reached: 18\n"
    "moves: 4"
)


def moves(w: int, h: int, a: int, b: int, target: tuple[int, int]) -> int | None:
    """Breadth first, square by square."""
    found, queue = {(0, 0): 0}, deque([(0, 0)])
    while queue:
        x, y = queue.popleft()
        for p, q in ((a, b), (b, a)):
            for square in ((x + p, y + q), (x + p, y - q), (x - p, y + q), (x - p, y - q)):
                if square not in found and 0 <= square[0] < w and 0 <= square[1] < h:
                    found[square] = found[(x, y)] + 1
                    queue.append(square)
    return found.get(target)


def accepts(prompt: str, answer: str, way: str | None = None) -> bool:
    ways = None if way is None else pa.array([way])
    return bool(VERIFIER.check(pa.array([prompt]), pa.array([answer]), ways)[0])


@pytest.mark.parametrize(
    ("numbers", "answer"),
    [
        ((8, 8, 1, 2, 7, 7), "6"),
        ((7, 9, 2, 3, 6, 8), "4"),
        ((9, 7, 3, 2, 8, 6), "4"),
        ((3, 3, 2, 1, 0, 1), "3"),
        ((60, 61, 1, 2, 59, 59), "40"),
    ],
)
def test_examples_by_hand(numbers: tuple[int, ...], answer: str) -> None:
    prompt = QUESTION.format(*numbers)
    assert accepts(prompt, answer)
    assert VERIFIER.symbolic(pa.array([prompt]), pa.array([answer])).all()
    assert not accepts(prompt, str(int(answer) + 2))
    assert not VERIFIER.symbolic(pa.array([prompt]), pa.array([str(int(answer) + 2)])).any()


@settings(max_examples=150, deadline=None, database=None)
@given(
    *(st.integers(1, 40), st.integers(1, 24), st.integers(1, 7), st.integers(1, 7)),
    *(st.integers(0, 10**6), st.integers(0, 10**6)),
)
def test_boards_of_bits_agree_with_a_search(w: int, h: int, a: int, b: int, i: int, j: int) -> None:
    target = (i % w, j % h)
    expected = None if target == (0, 0) else moves(w, h, a, b, target)
    prompt = QUESTION.format(w, h, a, b, *target)
    assert VERIFIER.answer(prompt) == (None if expected is None else str(expected))
    if expected is not None:
        assert VERIFIER.symbolic(pa.array([prompt]), pa.array([str(expected)])).all()


@pytest.mark.parametrize(
    "numbers",
    [
        (8, 6, 1, 2, 5, 7),  # on the board that has width and height exchanged
        *((8, 8, 1, 2, 8, 7), (8, 8, 1, 2, 7, 8)),  # one beyond the edge
        (3, 3, 1, 2, 1, 1),  # out of reach
        *((8, 8, 1, 2, 0, 0), (8, 8, 0, 2, 2, 2), (129, 8, 1, 2, 3, 3), (8, 8, 1, 17, 3, 3)),
    ],
)
def test_other_statements_are_none_of_this_family(numbers: tuple[int, ...]) -> None:
    prompt = QUESTION.format(*numbers)
    assert VERIFIER.answer(prompt) is None
    assert not VERIFIER.symbolic(pa.array([prompt]), pa.array(["6"])).any()


@pytest.mark.parametrize(
    "way",
    [
        *("", "moves: 4", WAY.rsplit("\n", 1)[0], WAY.replace("moves: 4", "moves: 6")),
        *(WAY.replace("(6, 4)", "(6, 5)"), WAY.replace("reached: 9", "reached: 8"), WAY + "\n"),
        *(WAY.replace("move 2", "move 3"), WAY.replace("; squares first reached: 9", "")),
        *(WAY.replace("(3, 6)", "(9, 6)"), WAY.replace("(6, 8)", "(5, 9)"), WAY + "\nmoves: 4"),
    ],
)
def test_steps_must_be_a_shortest_way(way: str) -> None:
    assert accepts(SEVEN, "4", WAY)
    assert not accepts(SEVEN, "4", way)
