"""Boards with blocked cells as kernels see them: paths counted, and one form for all images.

A board of w columns and h rows is flat, row by row: cell (x, y) is number y * w + x. Its numbers
are ranks; a cell is blocked if its rank is below a limit. So one array holds the boards in which
ever more cells are blocked.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.generators.omega._kernel_family import Codes, put_integer
from synthgen.generators.omega._numbers import OWN_SYMBOLS

MOST_SIDE = 80
OPEN = 32_000
"""Rank of a cell that is never blocked."""
Board = NDArray[np.int16]
_MANY = np.int64(1) << 55
"""Counts stop here: a count below it is exact, since no part of it is larger. A row of such counts
has a sum that 64 bits hold."""
SYMBOLS = {f"blocked{k}": k + 2 for k in range(MOST_SIDE + 1)} | {
    f"row{k}": k + 1 for k in range(1, MOST_SIDE + 1)
}
_BLOCKED, _ROW = OWN_SYMBOLS, OWN_SYMBOLS + MOST_SIDE


@lent
def count_paths(board: Board, w: Int, h: Int, limit: Int, ways: NDArray[np.int64]) -> Int:
    """Count the paths right and up from corner to corner; `ways` is room for a row."""
    for x in range(w):
        ways[x] = 0
    ways[0] = 1
    cell: Int = np.int64(0)
    for _ in range(h):
        left: Int = np.int64(0)
        for x in range(w):
            left = (left + ways[x]) & -np.int64(board[cell] >= limit)  # 0 where it is blocked
            ways[x] = min(left, _MANY)
            cell += 1
    return np.int64(ways[w - 1])


@lent
def _image(turned: Int, w: Int, h: Int) -> tuple[Int, Int, Int]:
    """Say where an image begins, and how far to the next cell of a row, and of a column.

    It is mirrored if `turned` has bit 0, and turned around if it has bit 1.
    """
    along, up = (w, np.int64(1)) if turned & 1 else (np.int64(1), w)
    return (w * h - 1, -along, -up) if turned & 2 else (np.int64(0), along, up)


@lent
def _comes_first(board: Board, w: Int, h: Int, limit: Int, one: Int, other: Int) -> bool:
    """Say whether one image has the first blocked cell that another one does not have."""
    width, height = min(w, h), max(w, h)
    here, along, up = _image(one, w, h)
    there, other_along, other_up = _image(other, w, h)
    for _ in range(height):
        for x in range(width):
            is_blocked = board[here + x * along] < limit
            if is_blocked != (board[there + x * other_along] < limit):
                return bool(is_blocked)
        here, there = here + up, there + other_up
    return False


@lent
def _least_image(board: Board, w: Int, h: Int, limit: Int) -> Int:
    """Return which image comes first.

    Start and target can change places, and so can right and up; the narrower way is the width.
    """
    first = np.int64(1) if w > h else np.int64(0)
    best = first
    for other in range(first + 1, 4):
        if w != h and (other & 1) != first:
            continue
        if _comes_first(board, w, h, limit, np.int64(other), best):
            best = np.int64(other)
    return best


@lent
def put_board(codes: Codes, at: Int, board: Board, w: Int, h: Int, limit: Int) -> Int:
    """Write the derivation: sides, then the rows that have blocked cells; all images alike."""
    here, along, up = _image(_least_image(board, w, h, limit), w, h)
    width, height = min(w, h), max(w, h)
    start = at
    at = put_integer(codes, put_integer(codes, at + 1, width), height)
    rows: Int = np.int64(0)
    for y in range(height):
        head = at
        for x in range(width):
            if board[here + x * along] < limit:
                if at == head:
                    at = put_integer(codes, at + 1, y)
                at = put_integer(codes, at, x)
        here += up
        if at > head:
            codes[head] = _ROW + at - head - 2
            rows += 1
    codes[start] = _BLOCKED + rows
    return at


@lent
def put_cells(
    values: NDArray[np.int16], fill: Int, board: Board, w: Int, h: Int, limit: Int
) -> Int:
    """Write columns and rows of the board, and the list of its blocked cells, row by row."""
    values[fill], values[fill + 1] = w, h
    start = fill + 2
    fill += 3
    for y in range(h):
        for x in range(w):
            if board[y * w + x] < limit:
                values[fill], values[fill + 1] = x, y
                fill += 2
    values[start] = (fill - start) // 2
    return fill
