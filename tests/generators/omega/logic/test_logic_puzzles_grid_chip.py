"""Chips on boards: every board of three rows tried, worked examples, what the cells must show."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows
from synthgen.generators.omega.logic.logic_puzzles_grid_chip import LogicPuzzlesGridChip

LIMIT, FULL = range(2)
Cells = list[tuple[int, int]]
Problem = tuple[int, int, list[Cells], int]


def drawn(rows: int, **params: Any) -> list[Problem]:
    """Kind, size, cells of each listed colour (from one) and answer of each row."""
    problems = LogicPuzzlesGridChip(**params).draw(Rows.span(3, 0, rows))
    found = problems.parts["drawn"]
    assert found.valid.all()
    out = []
    for i in range(rows):
        values, at, lists = found.values.row(i).tolist(), 3, []
        while at < len(values):
            end = at + 1 + 2 * values[at]
            lists.append(list(zip(values[at + 1 : end : 2], values[at + 2 : end : 2], strict=True)))
            at = end
        out.append((int(found.subtypes[i]), values[0], lists, int(found.answers[i])))
    return out


def legal(board: tuple[int, ...], n: int) -> bool:
    """Cells are 0 (empty), 1 or 2; no line has both colours."""
    rows = [set(board[n * i : n * i + n]) for i in range(n)]
    columns = [set(board[i::n]) for i in range(n)]
    return not any({1, 2} <= line for line in (*rows, *columns))


@cache
def boards() -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    """All legal boards of three rows, and those that take no further chip."""
    n = 3
    all_legal = [board for board in product(range(3), repeat=n * n) if legal(board, n)]
    known = set(all_legal)
    full = [
        board
        for board in all_legal
        if not any(
            (*board[:k], colour, *board[k + 1 :]) in known
            for k in range(n * n)
            if board[k] == 0
            for colour in (1, 2)
        )
    ]
    return all_legal, full


def test_full_boards_are_as_many_as_the_formula_says() -> None:
    """(2^n - 2)(2^n - 2) + 2, of which our questions use those with both colours in each way."""
    assert len(boards()[1]) == (2**3 - 2) ** 2 + 2


def test_answers_are_those_of_all_boards_tried() -> None:
    for kind, _, lists, answer in drawn(250, levels=(1,), min_size=3, max_size=3):
        told = {3 * (r - 1) + c - 1: k + 1 for k, cells in enumerate(lists) for r, c in cells}
        fitting = [board for board in boards()[kind] if all(board[k] == told[k] for k in told)]
        if kind == FULL:
            assert {9 - board.count(0) for board in fitting} == {answer}
        else:  # the listed colour is 1 here, the other one is counted
            assert max(board.count(2) for board in fitting) == answer


def test_cells_of_the_other_colour_do_not_count() -> None:
    """One white cell on a board of four leaves nine black ones; the published answer is ten."""
    problems = drawn(20_000, levels=(1,))
    single = [problem for problem in problems if problem[0] == LIMIT and len(problem[2][0]) == 1]
    assert len(single) > 50
    assert {answer for *_, answer in single} == {9}


def test_a_full_board_with_three_rows_and_two_columns_of_a_colour_has_eight_chips() -> None:
    seen = 0
    for kind, _, lists, answer in drawn(2_000, levels=(1,)):
        lines = [(len({r for r, _ in cells}), len({c for _, c in cells})) for cells in lists]
        if kind == FULL and lines[0] == (3, 2):
            assert lines[1] == (1, 2)
            assert answer == 8
            seen += 1
    assert seen > 10


@pytest.mark.parametrize(("level", "sizes"), [(1, {4}), (5, {8}), (6, {9, 10}), (7, {11, 12})])
def test_levels_set_the_size_and_nothing_is_told_in_vain(level: int, sizes: set[int]) -> None:
    problems = drawn(300, levels=(level,))
    assert {n for _, n, *_ in problems} == sizes
    for kind, n, lists, answer in problems:
        rows = [{r for r, _ in cells} for cells in lists]
        columns = [{c for _, c in cells} for cells in lists]
        assert all(len(set(cells)) == len(cells) for cells in lists)
        if kind == FULL:
            for lines in (rows, columns):
                assert not lines[0] & lines[1]
                assert lines[0] | lines[1] == set(range(1, n + 1))
            continue
        assert 0 < answer == (n - len(rows[0])) * (n - len(columns[0]))
        covered: tuple[set[int], set[int]] = (set(), set())
        for row, column in lists[0]:
            assert row not in covered[0] or column not in covered[1]
            covered[0].add(row)
            covered[1].add(column)


def test_names_of_colours_and_the_order_of_cells_are_not_in_the_tree() -> None:
    generator = LogicPuzzlesGridChip(levels=(1,))
    problems = generator.draw(Rows.span(3, 0, 6_000))
    found = problems.parts["drawn"]
    trees: dict[tuple[int, ...], set[Any]] = {}
    rows = drawn(6_000, levels=(1,))
    for key, (kind, n, lists, _) in zip(problems.keys.tolist(), rows, strict=True):
        shape = (kind, n, frozenset(frozenset(cells) for cells in lists))
        trees.setdefault(tuple(key), set()).add(shape)
    assert all(len(shapes) == 1 for shapes in trees.values())
    assert len({next(iter(shapes)) for shapes in trees.values()}) == len(trees)
    colours = {tuple(found.values.row(i)[1:3].tolist()) for i in range(6_000)}
    assert len(colours) == 56
    assert generator.fewest_problems <= len(trees)


def test_no_answer_takes_more_than_three_tenths_of_a_level() -> None:
    for level in range(1, 8):
        answers = [answer for *_, answer in drawn(3_000, levels=(level,))]
        assert np.bincount(answers).max() < 0.3 * 3_000


def test_steps() -> None:
    generator = LogicPuzzlesGridChip()
    limit = generator.steps(LIMIT, [4, 4, 5, 1, 2, 3], 9)
    assert limit == "rows without white: 1, 3, 4\ncolumns without white: 1, 2, 4\n3 * 3 = 9"
    full = generator.steps(FULL, [4, 4, 5, 3, 1, 2, 3, 2, 4, 3, 2, 2, 1, 2, 4], 8)
    assert full.splitlines() == [
        *("black rows: 1, 3, 4", "black columns: 2, 3", "white rows: 2", "white columns: 1, 4"),
        "3 * 2 + 1 * 2 = 8",
    ]


@pytest.mark.parametrize(
    ("low", "high", "message"), [(2, 4, "min_size=2"), (4, 17, "max_size=17"), (5, 4, "min_size=5")]
)
def test_impossible_sizes_are_refused(low: int, high: int, message: str) -> None:
    with pytest.raises(ParamError, match=message):
        LogicPuzzlesGridChip(min_size=low, max_size=high)
