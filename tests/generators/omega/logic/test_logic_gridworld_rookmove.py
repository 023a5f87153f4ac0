"""Slides of a rook: published examples, an oracle over turns of ways, images of boards."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows
from synthgen.generators.omega.logic import _rook_draw
from synthgen.generators.omega.logic.logic_gridworld_rookmove import LogicGridworldRookmove

Cell = tuple[int, int]
SIZES = {1: (5, 9), 2: (10, 19), 3: (20, 29), 4: (30, 39), 5: (40, 49), 6: (50, 60)}


def oracle(width: int, height: int, blocked: set[Cell]) -> int | None:
    """Go cell by cell from the end, and count a slide at every turn."""

    @cache
    def rest(x: int, y: int, direction: int) -> float:
        if (x, y) == (width - 1, height - 1):
            return 0
        best = float("inf")
        for new, (dx, dy) in enumerate(((1, 0), (0, 1))):
            a, b = x + dx, y + dy
            if a < width and b < height and (a, b) not in blocked:
                best = min(best, rest(a, b, new) + (new != direction))
        return best

    found = rest(0, 0, -1)
    return None if found == float("inf") else int(found)


def fewest(width: int, height: int, blocked: list[Cell]) -> int:
    board = np.zeros((height, width), np.bool_)
    for x, y in blocked:
        board[y, x] = True
    slides = np.zeros((width + 1, 2), np.int64)
    return int(_rook_draw._fewest_slides(width, height, board, slides))


def drawn(rows: int, **params: Any) -> list[tuple[int, int, set[Cell], int]]:
    problems = LogicGridworldRookmove(**params).draw(Rows.span(3, 0, rows))
    found = problems.parts["drawn"]
    out = []
    for i in np.flatnonzero(found.valid).tolist():
        width, height, count, *ends = found.values.row(i).tolist()
        blocked = {(x - 1, y - 1) for x, y in zip(ends[::2], ends[1::2], strict=True)}
        assert len(blocked) == count
        out.append((width, height, blocked, int(found.answers[i])))
    return out


@pytest.mark.parametrize(
    ("width", "height", "blocked", "answer"),
    [
        (4, 4, [(0, 3), (3, 0)], 3),
        (6, 5, [(0, 4), (1, 2), (2, 3), (3, 1), (4, 2), (5, 0)], 4),
        (4, 4, [], 2),
        (2, 2, [(0, 1)], 2),
        (1, 5, [], 1),
    ],
)
def test_examples_by_hand(width: int, height: int, blocked: list[Cell], answer: int) -> None:
    assert fewest(width, height, blocked) == answer == oracle(width, height, set(blocked))


def test_a_board_without_a_way_has_no_number() -> None:
    assert fewest(3, 3, [(0, 1), (1, 0)]) >= 1_000_000
    assert oracle(3, 3, {(0, 1), (1, 0)}) is None


@pytest.mark.parametrize("level", [1, 2, 3])
def test_answers_agree_with_ways_cell_by_cell(level: int) -> None:
    for width, height, blocked, answer in drawn(120 // level**2, levels=(level,)):
        assert answer == oracle(width, height, blocked)


@pytest.mark.parametrize("level", SIZES)
def test_sizes_and_shares_of_levels(level: int) -> None:
    low, high = SIZES[level]
    problems = drawn(60, levels=(level,))
    assert len(problems) == 60
    for width, height, blocked, _ in problems:
        assert low <= min(width, height) <= max(width, height) <= high
        assert not blocked & {(0, 0), (width - 1, height - 1)}
        assert 0.1 <= len(blocked) / (width * height) <= 0.2


@pytest.mark.parametrize("bounds", [(3, 6), (6, 9), (8, 8), (16, 16), (24, 24), (32, 32), (40, 40)])
def test_published_ranges_can_be_set(bounds: tuple[int, int]) -> None:
    problems = drawn(40, levels=(1,), min_size=bounds[0], max_size=bounds[1])
    sizes = {side for width, height, *_ in problems for side in (width, height)}
    assert min(sizes) >= bounds[0]
    assert max(sizes) <= bounds[1]


def test_shares_out_of_distribution_can_be_set() -> None:
    problems = drawn(200, levels=(1,), min_size=6, max_size=9, min_share=10, max_share=30)
    shares = [len(blocked) / (width * height) for width, height, blocked, _ in problems]
    assert len(problems) > 190
    assert 0.1 <= min(shares) < 0.12
    assert 0.28 < max(shares) <= 0.3


def image(width: int, height: int, blocked: set[Cell]) -> tuple[int, int, tuple[Cell, ...]]:
    """The least of a board, its mirror image, and both turned by half."""
    images = []
    for w, h, cells in (
        (width, height, blocked),
        (height, width, {(y, x) for x, y in blocked}),
    ):
        images.append((w, h, tuple(sorted(cells))))
        images.append((w, h, tuple(sorted((w - 1 - x, h - 1 - y) for x, y in cells))))
    return min(images)


def test_a_tree_stands_for_a_board_up_to_its_images() -> None:
    generator = LogicGridworldRookmove(levels=(1,), min_size=3, max_size=4)
    problems = generator.draw(Rows.span(3, 0, 4_000))
    boards = drawn(4_000, levels=(1,), min_size=3, max_size=4)
    images: dict[tuple[int, ...], Any] = {}
    keys = problems.keys[problems.valid].tolist()
    for key, (width, height, blocked, _) in zip(keys, boards, strict=True):
        least = image(width, height, blocked)
        assert images.setdefault(tuple(key), least) == least
    assert len(set(images.values())) == len(images) >= generator.fewest_problems


def test_steps_are_a_shortest_way() -> None:
    way = LogicGridworldRookmove().steps(0, [4, 4, 2, 4, 1, 1, 4], 3)
    assert way.splitlines()[0] == "1. (1, 1) right to (2, 1)"
    assert way.splitlines()[-2:] == ["3. (2, 4) right to (4, 4)", "moves: 3"]


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"max_share": 51}, "max_share=51"),
        ({"min_share": 21}, "min_share=21"),
        ({"min_size": 2, "max_size": 6}, "min_size=2"),
        ({"min_size": 6, "max_size": 61}, "max_size=61"),
    ],
)
def test_impossible_params_are_refused(params: dict[str, Any], message: str) -> None:
    with pytest.raises(ParamError, match=message):
        LogicGridworldRookmove(**params)
