"""Boards with blocked cells as kernels see them: paths counted, and one form for all images.

A board of w columns and h rows is flat, row by row: cell (x, y) is number y * w + x. Its numbers
are ranks; a cell is blocked if its rank is below a limit. So one array holds the boards in which
ever more cells are blocked.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.generators.omega._kernel_family import Codes, put_integer
from synthgen.generators.omega._numbers import OWN_SYMBOLS

MOST_SIDE = 80
OPEN = 32_000
"""Rank of a cell that is never blocked."""
Board = NDArray[np.int16]
_MANY = np.int64(1) << 61
"""Counts stop here: a count below it is exact, since no part of it is larger."""
SYMBOLS = {f"blocked{k}": k + 2 for k in range(MOST_SIDE + 1)} | {
    f"row{k}": k + 1 for k in range(1, MOST_SIDE + 1)
}
_BLOCKED, _ROW = OWN_SYMBOLS, OWN_SYMBOLS + MOST_SIDE


@njit(cache=True, nogil=True)
def count_paths(board: Board, w: Int, h: Int, limit: Int, ways: NDArray[np.int64]) -> Int:
    """Count the paths right and up from corner to corner; `ways` is room for a row."""
    ways[:w] = 0
    ways[0] = 1
    for y in range(h):
        left: Int = np.int64(0)
        for x in range(w):
            left = min(left + ways[x], _MANY) if board[y * w + x] >= limit else np.int64(0)
            ways[x] = left
    return np.int64(ways[w - 1])


@njit(cache=True, nogil=True)
def _image(turned: Int, x: Int, y: Int, w: Int, h: Int) -> Int:
    """Return the number of the cell that an image has at (x, y): mirrored if 1, turned if 2."""
    if turned & 2:
        last = w * h - 1
        return last - (x * w + y) if turned & 1 else last - (y * w + x)
    return x * w + y if turned & 1 else y * w + x


@njit(cache=True, nogil=True)
def _least_image(board: Board, w: Int, h: Int, limit: Int) -> Int:
    """Return which image comes first.

    Start and target can change places, and so can right and up; the narrower way is the width.
    """
    first = np.int64(1) if w > h else np.int64(0)
    width, height = min(w, h), max(w, h)
    best = first
    for other in range(first + 1, 4):
        if w != h and (other & 1) != first:
            continue
        for place in range(width * height):
            x, y = place % width, place // width
            here = board[_image(other, x, y, w, h)] < limit
            there = board[_image(best, x, y, w, h)] < limit
            if here != there:
                best = np.int64(other) if here else best
                break
    return best


@njit(cache=True, nogil=True)
def put_board(codes: Codes, at: Int, board: Board, w: Int, h: Int, limit: Int) -> Int:
    """Write the derivation: sides, then the rows that have blocked cells; all images alike."""
    image = _least_image(board, w, h, limit)
    width, height = min(w, h), max(w, h)
    start = at
    at = put_integer(codes, put_integer(codes, at + 1, width), height)
    rows: Int = np.int64(0)
    for y in range(height):
        head = at
        for x in range(width):
            if board[_image(image, x, y, w, h)] < limit:
                if at == head:
                    at = put_integer(codes, at + 1, y)
                at = put_integer(codes, at, x)
        if at > head:
            codes[head] = _ROW + at - head - 2
            rows += 1
    codes[start] = _BLOCKED + rows
    return at


@njit(cache=True, nogil=True)
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
