"""Full boards: the examples, and every placement of chips tried."""

from __future__ import annotations

from itertools import product

import pytest

from synthgen.generators.omega.composition.comp_grid_chips import CompGridChips, _boards, _red


def fits(board: list[int], n: int, m: int) -> bool:
    lines = [{board[i * m + j] for j in range(m)} - {0} for i in range(n)]
    lines += [{board[i * m + j] for i in range(n)} - {0} for j in range(m)]
    return all(len(line) <= 1 for line in lines)


def full_boards(n: int, m: int, colours: int) -> list[tuple[int, ...]]:
    """Try all placements; 0 is an empty cell."""
    found = []
    for board in product(range(colours + 1), repeat=n * m):
        if not fits(list(board), n, m):
            continue
        more = (
            fits([*board[:cell], colour, *board[cell + 1 :]], n, m)
            for cell in range(n * m)
            if board[cell] == 0
            for colour in range(1, colours + 1)
        )
        if not any(more):
            found.append(board)
    return found


@pytest.mark.parametrize(("n", "m", "boards"), [(5, 5, 902), (4, 6, 870), (2, 2, 6)])
def test_examples_of_the_sheet(n: int, m: int, boards: int) -> None:
    assert _boards(n, m, 2) == boards == (2**n - 2) * (2**m - 2) + 2


@pytest.mark.parametrize(
    ("n", "m", "colours"), [(2, 2, 2), (2, 3, 2), (3, 3, 2), (2, 2, 3), (2, 3, 3), (2, 2, 4)]
)
def test_counts_are_those_of_all_placements(n: int, m: int, colours: int) -> None:
    found = full_boards(n, m, colours)
    assert _boards(n, m, colours) == len(found)
    assert _red(n, m, colours) == sum(board[0] == 1 for board in found)


def test_the_space_is_what_is_listed() -> None:
    sizes = [CompGridChips(levels=(level,)).space for level in range(1, 6)]
    assert sizes == [16 * pairs for pairs in (3, 7, 11, 15, 30)]
    assert CompGridChips().fewest_problems == 1_056
