"""Paths around blocked cells from the text: published examples, unfit boards, wrong tables."""

from __future__ import annotations

from math import comb

import pyarrow as pa
import pytest

from synthgen.verifiers.omega.logic.logic_gridworld_blocked import VERIFIER

ROWS = (
    "A grid has {} columns and {} rows, numbered from zero, columns from left to right and rows "
    "from bottom to top. A token starts in the bottom left cell; each move takes it one cell to "
    "the right or one cell up, and it may not enter a blocked cell. The blocked cells are, as "
    "row: columns, {}. In how many ways can the token reach the top right cell? Give an integer."
)
PAIRS = (
    "Cells of a grid are named (x, y), where x counts columns from the left, y counts rows from "
    "the bottom, and both start at zero. There are {} columns and {} rows. The cells {} are "
    "closed. How many paths lead from the bottom left cell to the top right cell if every step "
    "raises either x or y by one and no closed cell is visited? Give an integer."
)
FIVE = ROWS.format(5, 4, "row 1: 1; row 2: 3; row 3: 0")
WAY = "row 0: 1 1 1 1 1\nrow 1: 1 0 1 2 3\nrow 2: 1 1 2 0 3\nrow 3: 0 1 3 3 6\npaths: 6"


def accepts(prompt: str, answer: str, way: str | None = None) -> bool:
    ways = None if way is None else pa.array([way])
    return bool(VERIFIER.check(pa.array([prompt]), pa.array([answer]), ways)[0])


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        (ROWS.format(3, 3, "row 1: 1"), 2),
        (FIVE, 6),
        (PAIRS.format(5, 4, "(1, 1), (3, 2), (0, 3)"), 6),
        (PAIRS.format(3, 3, "(1, 0), (0, 1)"), 0),
        (ROWS.format(9, 9, "row 0: 8; row 8: 0"), comb(16, 8) - 2),
        (ROWS.format(16, 19, "row 0: 15; row 18: 0"), comb(33, 15) - 2),
    ],
)
def test_examples_by_hand(prompt: str, answer: int) -> None:
    assert accepts(prompt, str(answer))
    assert VERIFIER.symbolic(pa.array([prompt]), pa.array([str(answer)])).all()
    assert not accepts(prompt, str(answer + 1))
    assert not VERIFIER.symbolic(pa.array([prompt]), pa.array([str(answer + 1)])).any()


@pytest.mark.parametrize("steps", [16, 36, 60, 100, 158, 198])
def test_a_large_board_with_a_single_gap(steps: int) -> None:
    """A wall across the board leaves only paths through its gap: a product of two binomials."""
    side = steps // 2 + 1
    gap = 3
    wall = ", ".join(f"({x}, {side - 1 - x})" for x in range(side - 1, -1, -1) if x != gap)
    prompt = PAIRS.format(side, side, wall)
    expected = str(comb(side - 1, gap) ** 2)
    assert accepts(prompt, expected) == (int(expected) < 2**31)
    ranks = VERIFIER.symbolic(pa.array([prompt]), pa.array([expected]))
    assert ranks.all() == (int(expected) < 2**31)


@pytest.mark.parametrize(
    "prompt",
    [
        *(ROWS.format(3, 3, "row 0: 0"), ROWS.format(3, 3, "row 2: 2")),
        *(ROWS.format(3, 3, "row 1: 3"), ROWS.format(3, 3, "row 3: 1")),
        *(ROWS.format(1, 3, "row 1: 0"), ROWS.format(101, 3, "row 1: 0")),
        *(ROWS.format(3, 3, ""), ROWS.format(3, 3, "row 1: 1; row 1: 2")),
        *(PAIRS.format(3, 3, "(1, 1), (1, 1)"), PAIRS.format(3, 3, "(0, 1), (1, 0)")),
        ROWS.format(40, 40, "row 1: 1"),  # more paths than are ever asked for
    ],
)
def test_other_statements_are_none_of_this_family(prompt: str) -> None:
    assert VERIFIER.answer(prompt) is None
    assert not VERIFIER.symbolic(pa.array([prompt]), pa.array(["0"])).any()


@pytest.mark.parametrize(
    "way",
    [
        *("", "paths: 6", WAY.rsplit("\n", 1)[0], WAY.replace("paths: 6", "paths: 3")),
        *(WAY.replace("3 3 6", "3 3 7"), WAY.replace("1 0 1", "1 1 1"), WAY + " "),
        *(WAY.replace("row 2", "row 02"), WAY.replace("1 2 3\n", "1 2 3 \n")),
        *(WAY.replace("row 0: 1 1 1 1 1", "row 0: 1 1 1 1"), WAY + "\npaths: 6"),
        WAY.replace("row 3: 0 1 3 3 6\n", ""),
    ],
)
def test_steps_must_be_the_table_of_paths(way: str) -> None:
    assert accepts(FIVE, "6", WAY)
    assert not accepts(FIVE, "6", way)
