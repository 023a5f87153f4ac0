"""Paths around blocked cells: published examples, an oracle, images of boards, bounds of size."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows
from synthgen.engine.propose import BLOCK, block_of
from synthgen.generators.omega.logic import _paths_board
from synthgen.generators.omega.logic.logic_gridworld_blocked import LogicGridworldBlocked

Cell = tuple[int, int]
Drawn = tuple[int, int, frozenset[Cell], int]
SIZES = {n: (10 * n - 10, 10 * n - 1) for n in range(2, 8)} | {1: (5, 9)}


def oracle(w: int, h: int, blocked: frozenset[Cell]) -> int:
    """Count the ways onwards from each cell."""

    @cache
    def onwards(x: int, y: int) -> int:
        if x == w or y == h or (x, y) in blocked:
            return 0
        return 1 if (x, y) == (w - 1, h - 1) else onwards(x + 1, y) + onwards(x, y + 1)

    return onwards(0, 0)


def board_of(w: int, h: int, blocked: frozenset[Cell] | list[Cell]) -> np.ndarray[Any, Any]:
    board = np.full(w * h, _paths_board.OPEN, np.int16)
    for x, y in blocked:
        board[y * w + x] = 0
    return board


def kernel(w: int, h: int, blocked: list[Cell]) -> int:
    ways = np.empty(w, np.int64)
    return int(_paths_board.count_paths(board_of(w, h, blocked), w, h, 1, ways))


def tree(w: int, h: int, blocked: frozenset[Cell]) -> tuple[int, ...]:
    codes = np.zeros(3 * len(blocked) + 5 + 2 * max(w, h), np.uint16)
    end = _paths_board.put_board(codes, 0, board_of(w, h, blocked), w, h, 1)
    return tuple(codes[:end].tolist())


def drawn(rows: int, **params: Any) -> list[Drawn]:
    found = LogicGridworldBlocked(**params).draw(Rows.span(3, 0, rows)).parts["drawn"]
    assert found.valid.all()
    boards = []
    for i in range(rows):
        w, h, count, *ends = found.values.row(i).tolist()
        cells = list(zip(ends[::2], ends[1::2], strict=True))
        assert len(set(cells)) == count == found.axes["n_blocked"][i]
        boards.append((w, h, frozenset(cells), int(found.answers[i])))
    return boards


@pytest.mark.parametrize(
    ("w", "h", "blocked", "paths"),
    [
        (3, 3, [(1, 1)], 2),
        (5, 4, [(1, 1), (3, 2), (0, 3)], 6),
        (9, 9, [], 12870),
        (2, 2, [(0, 1), (1, 0)], 0),
    ],
)
def test_examples_by_hand(w: int, h: int, blocked: list[Cell], paths: int) -> None:
    assert kernel(w, h, blocked) == paths == oracle(w, h, frozenset(blocked))


def test_counts_beyond_64_bits_stay_large() -> None:
    assert kernel(80, 80, []) >= 2**55
    wall = [(x, 79 - x) for x in range(80) if x != 40]
    assert kernel(80, 80, wall) >= 2**55
    assert kernel(80, 80, [*wall, (40, 39)]) == 0


@pytest.mark.parametrize("level", SIZES)
def test_answers_sizes_and_bounds_of_levels(level: int) -> None:
    low, high = SIZES[level]
    for w, h, blocked, answer in drawn(max(4, 60 // level**2), levels=(level,)):
        assert low <= min(w, h) <= max(w, h) <= high
        assert not blocked & {(0, 0), (w - 1, h - 1)}
        assert 1 <= answer <= 10**6
        assert answer == oracle(w, h, blocked)


def test_the_fewest_blocked_cells_do_not_stick() -> None:
    """Published, a narrow board lowers the bound for all that come after it."""
    counts: dict[int, set[int]] = {w: set() for w in range(5, 10)}
    for w, _, blocked, _ in drawn(3_000, levels=(1,)):
        counts[w].add(len(blocked))
    assert counts[5] == {7}
    assert counts[6] == {8, 9}
    assert counts[9] == {8, 9, 10, 11, 12, 13}


@pytest.mark.parametrize(
    "bounds", [(3, 7), (7, 10), (6, 6), (12, 12), (18, 18), (24, 24), (30, 30)]
)
def test_published_ranges_can_be_set(bounds: tuple[int, int]) -> None:
    boards = drawn(40, min_size=bounds[0], max_size=bounds[1])
    sizes = [side for w, h, *_ in boards for side in (w, h)]
    assert bounds[0] <= min(sizes) <= max(sizes) <= bounds[1]
    assert len({frozenset(blocked) for _, _, blocked, _ in boards}) > 30


@pytest.mark.parametrize("most", [1, 10, 10**9])
def test_the_number_of_paths_is_bounded(most: int) -> None:
    answers = [answer for *_, answer in drawn(30, levels=(2,), most_paths=most)]
    assert max(answers) <= most
    assert most < 10**9 or max(answers) > 10**6


def images(w: int, h: int, blocked: frozenset[Cell]) -> list[tuple[int, int, frozenset[Cell]]]:
    """A board, its mirror image, and both with start and target exchanged."""
    mirrored = frozenset((y, x) for x, y in blocked)
    found = []
    for width, height, cells in ((w, h, blocked), (h, w, mirrored)):
        turned = frozenset((width - 1 - x, height - 1 - y) for x, y in cells)
        found += [(width, height, cells), (width, height, turned)]
    return found


@pytest.mark.parametrize(("w", "h"), [(3, 3), (3, 4), (4, 2)])
def test_a_tree_stands_for_a_board_up_to_its_images(w: int, h: int) -> None:
    cells = [(x, y) for x in range(w) for y in range(h)][1:-1]
    boards = [frozenset(some) for k in (1, 2, 3, 4) for some in combinations(cells, k)]
    seen: dict[tuple[int, ...], set[Any]] = {}
    for blocked in boards:
        seen.setdefault(tree(w, h, blocked), set()).add(blocked)
        assert len({tree(*image) for image in images(w, h, blocked)}) == 1
    for some in seen.values():
        one = next(iter(some))
        own = {cells for width, height, cells in images(w, h, one) if (width, height) == (w, h)}
        assert some == own


def test_the_bound_of_problems_is_below_a_count_of_all() -> None:
    cells = [(x, y) for x in range(4) for y in range(4)][1:-1]
    possible = {
        tree(4, 4, frozenset(some)) for some in combinations(cells, 6) if kernel(4, 4, list(some))
    }
    generator = LogicGridworldBlocked(min_size=4, max_size=4)
    assert 1 < generator.fewest_problems <= len(possible)
    drawn_trees = {tree(w, h, blocked) for w, h, blocked, _ in drawn(2_000, min_size=4, max_size=4)}
    assert drawn_trees <= possible
    assert LogicGridworldBlocked(levels=(3,)).fewest_problems is None


def test_large_boards_come_in_smaller_blocks() -> None:
    assert block_of(LogicGridworldBlocked(levels=(1,))) == BLOCK
    assert block_of(LogicGridworldBlocked()) < block_of(LogicGridworldBlocked(levels=(4,))) < BLOCK


def test_a_range_of_sizes_is_one_level() -> None:
    generator = LogicGridworldBlocked(levels=(3, 2), min_size=3, max_size=5)
    assert set(generator.draw(Rows.span(3, 0, 50)).axes["level"].tolist()) == {2}
    assert generator.axes["long_side"].high == 5


def test_steps_are_the_table_of_paths() -> None:
    way = LogicGridworldBlocked().steps(0, [5, 4, 3, 1, 1, 3, 2, 0, 3], 6)
    assert way.splitlines() == [
        *("row 0: 1 1 1 1 1", "row 1: 1 0 1 2 3", "row 2: 1 1 2 0 3", "row 3: 0 1 3 3 6"),
        "paths: 6",
    ]


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"levels": (8,)}, r"levels=.*1 to 7"),
        ({"max_size": 5}, r"min_size=0: .*3 to max_size"),
        ({"min_size": 5}, r"min_size=5: .*"),
        ({"min_size": 3, "max_size": 81}, r"max_size=81: .*up to 80"),
        ({"min_size": 6, "max_size": 5}, r"min_size=6"),
        ({"most_paths": 0}, r"most_paths=0: .*1 to 1000000000"),
    ],
)
def test_unusable_params_are_refused(params: dict[str, Any], message: str) -> None:
    with pytest.raises(ParamError, match=message):
        LogicGridworldBlocked(**params)
