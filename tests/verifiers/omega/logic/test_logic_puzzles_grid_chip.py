"""Chips from the text: worked examples, the published defect, ill-posed texts, wrong ways."""

from __future__ import annotations

import pyarrow as pa
import pytest

from synthgen.verifiers.omega.logic.logic_puzzles_grid_chip import VERIFIER

LIMIT = (
    "Each cell of a square board with {} rows may hold one chip, black or white, or stay empty. No "
    "row and no column may hold chips of both colours. Rows and columns are numbered from one. The "
    "cells (row, column) listed here hold white chips: {}. At most how many black chips can lie on "
    "the board? Answer with an integer."
)
FULL = (
    "Each cell of a square board with {} rows holds one chip, black or white, or is empty. No row "
    "and no column holds chips of both colours, and every empty cell is empty because a chip of "
    "either colour there would spoil this. Rows and columns are numbered from one. Cells (row, "
    "column) with black chips include {}; cells with white chips include {}. Find the total number "
    "of chips. Answer with an integer."
)
ONE = LIMIT.format(4, "(2, 3)")
BOARD = FULL.format(4, "(1, 2), (3, 2), (4, 3)", "(2, 1), (2, 4)")
LIMIT_WAY = "rows without white: 1, 3, 4\ncolumns without white: 1, 2, 4\n3 * 3 = 9"
FULL_WAY = (
    "black rows: 1, 3, 4\nblack columns: 2, 3\nwhite rows: 2\nwhite columns: 1, 4\n"
    "3 * 2 + 1 * 2 = 8"
)


def accepts(prompt: str, answer: str, way: str | None = None) -> bool:
    ways = None if way is None else pa.array([way])
    return bool(VERIFIER.check(pa.array([prompt]), pa.array([answer]), ways)[0])


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        (ONE, "9"),
        (BOARD, "8"),
        (LIMIT.format(4, "(1, 1), (2, 2), (3, 3)"), "1"),
        (LIMIT.format(3, "(1, 1), (2, 2), (3, 3)"), "0"),
        (LIMIT.format(5, "(1, 1), (1, 2), (1, 3)"), "8"),
        (FULL.format(2, "(1, 1)", "(2, 2)"), "2"),
    ],
)
def test_examples_by_hand(prompt: str, answer: str) -> None:
    assert accepts(prompt, answer)
    assert VERIFIER.symbolic(pa.array([prompt]), pa.array([answer])).all()
    assert not accepts(prompt, str(int(answer) + 1))
    assert not VERIFIER.symbolic(pa.array([prompt]), pa.array([str(int(answer) + 1)])).any()


def test_cells_of_the_other_colour_do_not_count() -> None:
    """The published generator adds the listed white cell to the black ones: 310 of 310 wrong."""
    assert VERIFIER.answer(ONE) == "9"
    assert not accepts(ONE, "10")


@pytest.mark.parametrize(
    "prompt",
    [
        *(LIMIT.format(4, "(2, 5)"), LIMIT.format(4, "(0, 1)"), LIMIT.format(17, "(1, 1)")),
        *(LIMIT.format(4, "(2, 3), (2, 3)"), LIMIT.format(4, ""), LIMIT.format(1, "(1, 1)")),
        FULL.format(4, "(1, 2), (3, 2), (4, 3)", "(2, 1)"),
        FULL.format(4, "(1, 2), (3, 2), (4, 3)", "(2, 1), (2, 3), (2, 4)"),
        FULL.format(4, "(1, 2), (3, 2), (4, 3)", "(1, 2), (2, 1), (2, 4)"),
        BOARD.replace("white", "black"),
        BOARD.replace("white", "grey"),
    ],
)
def test_other_statements_are_none_of_this_family(prompt: str) -> None:
    assert VERIFIER.answer(prompt) is None


@pytest.mark.parametrize(
    ("prompt", "answer", "way"),
    [
        (ONE, "9", LIMIT_WAY.replace("1, 3, 4", "1, 3")),
        (ONE, "9", LIMIT_WAY.replace("white", "black")),
        (ONE, "9", LIMIT_WAY.replace("3 * 3", "9 * 1")),
        (ONE, "9", LIMIT_WAY.replace("= 9", "= 09")),
        (ONE, "9", "3 * 3 = 9"),
        (ONE, "9", FULL_WAY),
        (BOARD, "8", FULL_WAY.replace("3 * 2 + 1 * 2", "1 * 2 + 3 * 2")),
        (BOARD, "8", FULL_WAY.replace("black columns: 2, 3", "black columns: 3, 2")),
        (BOARD, "8", FULL_WAY.replace(" = 8", " = 7")),
        (BOARD, "8", LIMIT_WAY),
        (BOARD, "8", ""),
    ],
)
def test_steps_must_be_right(prompt: str, answer: str, way: str) -> None:
    assert accepts(ONE, "9", LIMIT_WAY)
    assert accepts(BOARD, "8", FULL_WAY)
    assert not accepts(prompt, answer, way)
