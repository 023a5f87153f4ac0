"""Leapers: published examples, targets on the board, the size of the space, and images."""

from __future__ import annotations

from collections import deque
from functools import cache
from typing import Any

import numpy as np
import pytest

from synthgen.core.contract import Render
from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows
from synthgen.generators.omega.logic._leaps_list import LEAPERS, UNREACHED, distances
from synthgen.generators.omega.logic.logic_gridworld_knight_move import LogicGridworldKnightMove

Square = tuple[int, int]


@cache
def reached(a: int, b: int, w: int, h: int) -> dict[Square, int]:
    """Breadth first, square by square."""
    leaps = [(i * p, j * q) for p, q in ((a, b), (b, a)) for i in (1, -1) for j in (1, -1)]
    found, queue = {(0, 0): 0}, deque([(0, 0)])
    while queue:
        x, y = queue.popleft()
        for dx, dy in leaps:
            square = (x + dx, y + dy)
            if square not in found and 0 <= square[0] < w and 0 <= square[1] < h:
                found[square] = found[(x, y)] + 1
                queue.append(square)
    return found


@pytest.mark.parametrize(
    ("leap", "board", "target", "moves"),
    [((1, 2), (8, 8), (7, 7), 6), ((2, 3), (7, 9), (6, 8), 4), ((1, 2), (3, 3), (1, 1), UNREACHED)],
)
def test_examples_by_hand(leap: Square, board: Square, target: Square, moves: int) -> None:
    (a, b), (w, h) = leap, board
    found, squares = distances(a, b, w, h)
    assert found[target[1] * w + target[0]] == moves
    assert reached(a, b, w, h).get(target, UNREACHED) == moves
    assert len(squares) == len(reached(a, b, w, h))


def test_leapers_are_the_published_ones() -> None:
    published = [
        (a, b)
        for a in range(1, 7)
        for b in range(1, 7)
        if a < b and a + b <= 7 and {a, b} != {2, 4}
    ]
    assert list(LEAPERS) == published
    assert len(LEAPERS) == 8


def every_problem(low: int, high: int, corner: int) -> set[tuple[int, ...]]:
    """All boards and targets, each with its mirror image as one problem."""
    found = set()
    for a, b in LEAPERS:
        for w in range(low, high + 1):
            for h in range(low, high + 1):
                for (x, y), moves in reached(a, b, w, h).items():
                    if moves and x >= w - corner and y >= h - corner:
                        found.add((a, b, *min((w, h, x, y), (h, w, y, x)), moves))
    return found


@pytest.mark.parametrize(("low", "high", "corner"), [(5, 9, 4), (3, 9, 4), (9, 12, 4), (4, 6, 8)])
def test_every_problem_has_its_address(low: int, high: int, corner: int) -> None:
    expected = every_problem(low, high, corner)
    generator = LogicGridworldKnightMove(min_size=low, max_size=high, corner=corner)
    assert generator.space == generator.fewest_problems == len(expected)
    drawn = generator.draw(Rows.span(1, 0, generator.space)).parts["drawn"]
    found = set()
    for i in range(generator.space):
        w, h, a, b, x, y = drawn.values.row(i).tolist()
        assert 0 <= x < w  # published, the limits of x and y are exchanged, and one too large
        assert 0 <= y < h
        image = min((w, h, x, y), (h, w, y, x))
        found.add((min(a, b), max(a, b), *image, int(drawn.answers[i])))
    assert found == expected


def test_the_lowest_level_has_more_than_a_thousand_problems() -> None:
    assert LogicGridworldKnightMove(levels=(1,)).space == 1_021
    assert LogicGridworldKnightMove(levels=(1,), repeats=3).space == 3_063
    assert LogicGridworldKnightMove(levels=(1,), repeats=3).fewest_problems == 1_021
    assert LogicGridworldKnightMove(levels=(2,)).space == 5_760


def test_both_sides_of_a_board_are_told() -> None:
    values = LogicGridworldKnightMove(levels=(2,)).draw(Rows.span(1, 0, 400)).parts["drawn"].values
    columns = values.values.reshape(-1, 6)
    assert (columns[:, 0] > columns[:, 1]).mean() > 0.3
    assert (columns[:, 0] < columns[:, 1]).mean() > 0.3
    assert 0.4 < (columns[:, 2] > columns[:, 3]).mean() < 0.6


def test_each_problem_again_is_told_otherwise() -> None:
    generator = LogicGridworldKnightMove(levels=(1,), repeats=20)
    rows = Rows(1, np.arange(5, 20 * 1_021, 1_021, dtype=np.uint64))
    problems = generator.draw(rows)
    assert len(np.unique(problems.keys, axis=0)) == 1
    texts = generator.render(problems, Render("instruction", "none"))
    assert len(set(texts.prompts.to_pylist())) > 5
    assert len(set(texts.answers.to_pylist())) == 1


def test_steps_are_a_shortest_way() -> None:
    way = LogicGridworldKnightMove().steps(0, [8, 8, 1, 2, 7, 7], 6)
    lines = way.splitlines()
    assert lines[0].endswith("squares first reached: 2")
    assert lines[1].endswith("squares first reached: 9")
    assert lines[-2].startswith("move 6: to (7, 7);")
    assert lines[-1] == "moves: 6"


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"levels": (0,)}, r"levels=.*1 to 7"),
        ({"min_size": 2, "max_size": 9}, r"min_size=2: .*3 to max_size"),
        ({"min_size": 3, "max_size": 101}, r"max_size=101: .*up to 100"),
        ({"corner": 0}, r"corner=0: .*1 to 16"),
        ({"repeats": 0}, r"repeats=0: .*1 to"),
    ],
)
def test_unusable_params_are_refused(params: dict[str, Any], message: str) -> None:
    with pytest.raises(ParamError, match=message):
        LogicGridworldKnightMove(**params)
