"""Kernel that draws boards with blocked cells and few enough paths."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.randomness import draw_below
from synthgen.generators.omega._kernel_family import Codes, grown_codes, grown_values
from synthgen.generators.omega.logic._paths_board import (
    MOST_SIDE,
    OPEN,
    Board,
    count_paths,
    put_board,
    put_cells,
)

FEWEST = 8
"""Blocked cells that a board has at least, where there is room."""
_TRIES = 64
_FIRST, _NEXT = 0, 1
"""Ranks of the first blocked cells, and of the next one."""
Marks = NDArray[np.int64]


@njit(cache=True, nogil=True)
def draw_boards(
    keys: NDArray[np.uint64], sides: Marks, most_paths: Int
) -> tuple[Marks, Codes, Marks, NDArray[np.int16], Marks]:
    """Draw rows.

    Args:
        keys: of the rows.
        sides: shortest and longest side of each row's board, int64 (n, 2).
        most_paths: that a board may have.

    Returns:
        int64 (n, 5) of columns, rows, blocked cells, paths and validity; codes and their offsets;
        values of the statement's holes and theirs.
    """
    n_rows = len(keys)
    facts = np.zeros((n_rows, 5), np.int64)
    codes, values = np.empty(64 * n_rows, np.uint16), np.empty(32 * n_rows, np.int16)
    code_marks, value_marks = np.zeros(n_rows + 1, np.int64), np.zeros(n_rows + 1, np.int64)
    board = np.empty(MOST_SIDE * MOST_SIDE, np.int16)
    order = np.empty(MOST_SIDE * MOST_SIDE, np.int64)
    ways = np.empty(MOST_SIDE, np.int64)
    at: Int = np.int64(0)
    fill: Int = np.int64(0)
    for i in range(n_rows):
        w, h, count, paths, j = _first_cells(keys[i], sides[i], board, ways)
        limit: Int = np.int64(_NEXT)
        if paths > most_paths:
            limit, paths, count = _more_cells(
                keys[i], j, board, w, h, count, most_paths, order, ways
            )
        if paths > 0:
            codes = grown_codes(codes, at, 2 * max(w, h) + count + 3)
            values = grown_values(values, fill, 2 * count + 3)
            at = put_board(codes, at, board, w, h, limit)
            fill = put_cells(values, fill, board, w, h, limit)
        facts[i, 0], facts[i, 1], facts[i, 2], facts[i, 3] = w, h, count, paths
        facts[i, 4] = paths > 0
        code_marks[i + 1], value_marks[i + 1] = at, fill
    return facts, codes[:at].copy(), code_marks, values[:fill].copy(), value_marks


@lent
def _first_cells(
    key: np.uint64, sides: Marks, board: Board, ways: Marks
) -> tuple[Int, Int, Int, Int, Int]:
    """Draw a board whose blocked cells leave a path.

    Returns:
        Columns, rows, blocked cells, paths (0 if no draw was of use) and the next draw's number.
    """
    j: Int = np.int64(0)
    paths: Int = np.int64(0)
    for _ in range(_TRIES):
        span = sides[1] - sides[0] + 1
        w, h = sides[0] + draw_below(key, j, span), sides[0] + draw_below(key, j + 1, span)
        most = 3 * w // 2
        least = min(FEWEST, most)
        count = least + draw_below(key, j + 2, most - least + 1)
        count = min(count, (w - 1) * (h - 1))
        j += 3
        board[: w * h] = OPEN
        placed: Int = np.int64(0)
        while placed < count:
            cell = 1 + draw_below(key, j, w * h - 2)
            j += 1
            if board[cell] == OPEN:
                board[cell] = _FIRST
                placed += 1
        paths = count_paths(board, w, h, np.int64(_NEXT), ways)
        if paths > 0:
            break
    return w, h, count, paths, j


@lent
def _more_cells(
    key: np.uint64,
    j: Int,
    board: Board,
    w: Int,
    h: Int,
    count: Int,
    most_paths: Int,
    order: Marks,
    ways: Marks,
) -> tuple[Int, Int, Int]:
    """Block further cells in random order until there are at most so many paths.

    A cell that would cut the last path stays open. Since paths only become fewer, the place at
    which to stop is searched for by doubling and halving.

    Returns:
        The limit below which the ranks of blocked cells are, the paths and the blocked cells.
    """
    last: Int = np.int64(0)
    for cell in range(1, w * h - 1):
        if board[cell] == OPEN:
            order[last] = cell
            last += 1
    ranked: Int = np.int64(0)
    low: Int = np.int64(_NEXT)  # so few leave too many paths
    stride = max(np.int64(1), last // 4)
    skipped: Int = np.int64(0)
    while True:
        high = min(low + stride, last + _NEXT)
        ranked = _ranked(key, j, board, order, last, ranked, high - _NEXT)
        while count_paths(board, w, h, high, ways) > most_paths:
            low = high
            stride *= 2
            high = min(low + stride, last + _NEXT)
            ranked = _ranked(key, j, board, order, last, ranked, high - _NEXT)
        while high - low > 1:
            middle = (low + high) // 2
            if count_paths(board, w, h, middle, ways) > most_paths:
                low = middle
            else:
                high = middle
        paths = count_paths(board, w, h, high, ways)
        if paths > 0:
            return high, paths, count + high - _NEXT - skipped
        board[order[high - _NEXT - 1]] = OPEN
        skipped += 1
        low, stride = high - 1, np.int64(1)


@lent
def _ranked(
    key: np.uint64, j: Int, board: Board, order: Marks, last: Int, ranked: Int, wanted: Int
) -> Int:
    """Draw on in the random order of order[:last] until so many have ranks; return how many do."""
    for place in range(ranked, wanted):
        other = place + draw_below(key, j + place, last - place)
        order[place], order[other] = order[other], order[place]
        board[order[place]] = _NEXT + place
    return max(ranked, wanted)
