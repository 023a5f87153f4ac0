"""Kernel that draws boards with blocked cells and finds the fewest slides of a rook."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.randomness import draw_below
from synthgen.generators.omega._kernel_family import Codes, grown_codes, grown_values, put_integer
from synthgen.generators.omega._numbers import OWN_SYMBOLS

MOST_SIZE = 60
"""A row is a mask of 63 bits or fewer."""
SYMBOLS = {f"rook{rows}": rows + 1 for rows in range(2, MOST_SIZE + 1)}
_TRIES = 200
_FAR = 1_000_000
_PER_INTEGER = 8
Values = NDArray[np.int16]
Marks = NDArray[np.int64]
Board = NDArray[np.bool_]


@njit(cache=True, nogil=True)
def draw_rooks(
    keys: NDArray[np.uint64], sizes: Marks, shares: Marks
) -> tuple[Marks, Codes, Marks, Values, Marks]:
    """Draw rows.

    Args:
        keys: of the rows.
        sizes: least and greatest width and height of each row, (n, 2).
        shares: least and greatest share of blocked cells in percent, (n, 2).

    Returns:
        int64 (n, 5) of width, height, blocked cells, answer and validity; codes and their offsets;
        values of the statement's holes and theirs.
    """
    n_rows = len(keys)
    facts = np.zeros((n_rows, 5), np.int64)
    codes, values = np.empty(16 * n_rows, np.uint16), np.empty(32 * n_rows, np.int16)
    code_marks, value_marks = np.zeros(n_rows + 1, np.int64), np.zeros(n_rows + 1, np.int64)
    board = np.zeros((MOST_SIZE, MOST_SIZE), np.bool_)
    slides = np.zeros((MOST_SIZE + 1, 2), np.int64)
    masks = np.zeros((2, MOST_SIZE), np.int64)
    at: Int = np.int64(0)
    fill: Int = np.int64(0)
    for i in range(n_rows):
        key = keys[i]
        span = sizes[i, 1] - sizes[i, 0] + 1
        width, height = (
            sizes[i, 0] + draw_below(key, 0, span),
            sizes[i, 0] + draw_below(key, 1, span),
        )
        count = _draw_count(key, width * height, shares[i, 0], shares[i, 1])
        answer = _draw_board(key, width, height, count, board, slides)
        facts[i, 0], facts[i, 1], facts[i, 2], facts[i, 3] = width, height, count, answer
        facts[i, 4] = answer < _FAR
        if answer < _FAR:
            codes = grown_codes(codes, at, _PER_INTEGER * (max(width, height) + 2))
            values = grown_values(values, fill, 2 * count + 3)
            at = _put_tree(codes, at, width, height, board, masks)
            fill = _put_values(values, fill, width, height, count, board)
        code_marks[i + 1], value_marks[i + 1] = at, fill
    return facts, codes[:at].copy(), code_marks, values[:fill].copy(), value_marks


@njit(cache=True, nogil=True)
def _draw_count(key: np.uint64, cells: Int, least: Int, most: Int) -> Int:
    """Return a number of blocked cells, at least one, of a share between the two."""
    low, high = -(-cells * least // 100), cells * most // 100
    low = max(min(low, high), 1)
    return low + draw_below(key, 2, max(high - low, 0) + 1)


@njit(cache=True, nogil=True)
def _draw_board(
    key: np.uint64, width: Int, height: Int, count: Int, board: Board, slides: Marks
) -> Int:
    """Draw blocked cells until the rook can go; return the fewest slides."""
    j: Int = np.int64(3)
    answer: Int = np.int64(_FAR)
    for _ in range(_TRIES):
        board[:height, :width] = False
        drawn: Int = np.int64(0)
        while drawn < count:
            cell = 1 + draw_below(key, j, width * height - 2)
            j += 1
            row, column = cell // width, cell % width
            drawn += not board[row, column]
            board[row, column] = True
        answer = _fewest_slides(width, height, board, slides)
        if answer < _FAR:
            break
    return answer


@njit(cache=True, nogil=True)
def _fewest_slides(width: Int, height: Int, board: Board, slides: Marks) -> Int:
    """Go through the cells row by row: a slide begins wherever the direction changes.

    For each column slides[column + 1] has the fewest slides to the cell reached last there, with
    the last of them to the right, and upwards.
    """
    slides[:, :] = _FAR
    for row in range(height):
        for column in range(width):
            if board[row, column]:
                slides[column + 1, 0] = slides[column + 1, 1] = _FAR
                continue
            if row == 0 and column == 0:
                slides[1, 0] = slides[1, 1] = 0  # both first slides begin here
                continue
            start = 1 if column == 1 and row == 0 else 0
            right = min(slides[column, 0] + start, slides[column, 1] + 1)
            start = 1 if column == 0 and row == 1 else 0
            up = min(slides[column + 1, 1] + start, slides[column + 1, 0] + 1)
            slides[column + 1, 0], slides[column + 1, 1] = right, up
    return np.int64(min(slides[width, 0], slides[width, 1], _FAR))


@njit(cache=True, nogil=True)
def _put_tree(codes: Codes, at: Int, width: Int, height: Int, board: Board, masks: Marks) -> Int:
    """Write the width and a mask for each row, of four equal boards the least.

    The board mirrored at its rising diagonal, and turned by half with the way gone backwards, has
    the same ways.
    """
    chosen: Int = np.int64(-1)
    for image in range(4):
        swapped, turned = image & 1, image >> 1
        if width != height and swapped != (width > height):
            continue
        last_x, last_y = (height - 1, width - 1) if swapped else (width - 1, height - 1)
        trial = 1 - chosen if chosen >= 0 else 0
        masks[trial, :] = 0
        for row in range(height):
            for column in range(width):
                if board[row, column]:
                    x, y = (row, column) if swapped else (column, row)
                    bit = np.int64(1) << (last_x - x if turned else x)
                    masks[trial, last_y - y if turned else y] |= bit
        if chosen < 0 or _less(masks[trial], masks[chosen]):
            chosen = trial
    long_side = max(width, height)
    codes[at] = OWN_SYMBOLS + long_side - 2
    at = put_integer(codes, at + 1, min(width, height))
    for y in range(long_side):
        at = put_integer(codes, at, masks[chosen, y])
    return at


@njit(cache=True, nogil=True)
def _less(one: Marks, other: Marks) -> bool:
    for k in range(len(one)):
        if one[k] != other[k]:
            return bool(one[k] < other[k])
    return False


@njit(cache=True, nogil=True)
def _put_values(
    values: Values, fill: Int, width: Int, height: Int, count: Int, board: Board
) -> Int:
    """Write width, height and the blocked cells row by row, counted from one."""
    values[fill], values[fill + 1], values[fill + 2] = width, height, count
    fill += 3
    for row in range(height):
        for column in range(width):
            if board[row, column]:
                values[fill], values[fill + 1] = column + 1, row + 1
                fill += 2
    return fill
