"""Kernel that draws chips on square boards whose rows and columns have one colour each."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.randomness import draw_below
from synthgen.generators.omega._kernel_family import Codes, put_integer
from synthgen.generators.omega._numbers import LARGEST_LEAF, OWN_SYMBOLS

MOST_SIZE = 16
MOST_CELLS = 2 * MOST_SIZE + 4
LIMIT, FULL = range(2)
"""Kinds: the most chips of one colour beside some of the other; all chips of a full board."""
SYMBOLS = {"limit": 2, "full": 3} | {f"cells{k}": 2 * k for k in range(1, MOST_CELLS + 1)}
_CODES, _VALUES = 2 * MOST_CELLS + 8, 2 * MOST_CELLS + 8
_EXTRA = 3
_SPARE = 3
Values = NDArray[np.int16]
Marks = NDArray[np.int64]
Board = NDArray[np.int64]
"""Of each row, the cells with the first and those with the second colour, as bits; (rows, 2)."""


@njit(cache=True, nogil=True)
def draw_chips(
    keys: NDArray[np.uint64], sizes: Marks, pairs: Marks
) -> tuple[Marks, Codes, Marks, Values, Marks]:
    """Draw rows.

    Args:
        keys: of the rows.
        sizes: fewest and most rows of a board, for each row, (n, 2).
        pairs: numbers of the two colours, (n, 2).

    Returns:
        int64 (n, 5) of kind, size, listed cells, answer and validity; codes and their offsets;
        values of the statement's holes and theirs.
    """
    n_rows = len(keys)
    facts = np.zeros((n_rows, 5), np.int64)
    codes, values = np.empty(n_rows * _CODES, np.uint16), np.empty(n_rows * _VALUES, np.int16)
    code_marks, value_marks = np.zeros(n_rows + 1, np.int64), np.zeros(n_rows + 1, np.int64)
    board = np.zeros((MOST_SIZE, 2), np.int64)
    cells, lines = np.zeros((MOST_CELLS, 3), np.int64), np.zeros((2, MOST_SIZE), np.int64)
    at: Int = np.int64(0)
    fill: Int = np.int64(0)
    for i in range(n_rows):
        key = keys[i]
        kind = draw_below(key, 0, 2)
        n = sizes[i, 0] + draw_below(key, 1, sizes[i, 1] - sizes[i, 0] + 1)
        for row in range(n):
            board[row, 0], board[row, 1] = 0, 0
        if kind == LIMIT:
            count, answer = _draw_limit(key, n, board, cells, lines)
        else:
            count, answer = _draw_full(key, n, board, cells, lines)
        facts[i, 0], facts[i, 1], facts[i, 2], facts[i, 3] = kind, n, count, answer
        facts[i, 4] = answer > 0
        if answer > 0:
            at = _put_tree(codes, at, kind, n, board)
            fill = _put_values(values, fill, kind, n, count, cells, pairs, i)
        code_marks[i + 1], value_marks[i + 1] = at, fill
    return facts, codes[:at].copy(), code_marks, values[:fill].copy(), value_marks


@lent
def _draw_limit(
    key: np.uint64, n: Int, board: Board, cells: Marks, lines: Marks
) -> tuple[Int, Int]:
    """List cells that leave rows and columns over; return their number and the answer, or 0.

    A cell both of whose lines have one already would say nothing new and is left out.
    """
    wanted = n - 2 + draw_below(key, 2, 6)
    count: Int = np.int64(0)
    rows, columns = n, n
    for line in range(n):
        lines[0, line], lines[1, line] = 0, 0
    for j in range(3, 3 + 2 * wanted, 2):
        row, column = draw_below(key, j, n), draw_below(key, j + 1, n)
        new_row, new_column = 1 - lines[0, row], 1 - lines[1, column]
        if new_row + new_column == 0 or rows - new_row == 0 or columns - new_column == 0:
            continue
        lines[0, row], lines[1, column] = 1, 1
        rows, columns = rows - new_row, columns - new_column
        board[row, 1] |= np.int64(1) << column
        cells[count, 0], cells[count, 1], cells[count, 2] = row, column, 1
        count += 1
    return count, rows * columns


@lent
def _draw_full(key: np.uint64, n: Int, board: Board, cells: Marks, lines: Marks) -> tuple[Int, Int]:
    """Colour rows and columns, both in both colours, and list cells that show all of them.

    Numbers of rows and columns of a colour are uniform: halves, which make the answer n * n / 2,
    would be too many otherwise.
    """
    split = 1 + draw_below(key, 2, n - 1), 1 + draw_below(key, 3, n - 1)
    for line in range(n):
        lines[0, line], lines[1, line] = line, line
    j: Int = np.int64(4)
    for side in range(2):
        for last in range(n - 1, 0, -1):
            other = draw_below(key, j, last + 1)
            lines[side, last], lines[side, other] = lines[side, other], lines[side, last]
            j += 1
    count: Int = np.int64(0)
    answer: Int = np.int64(0)
    for colour in range(2):
        low = split if colour == 1 else (np.int64(0), np.int64(0))
        rows, columns = split if colour == 0 else (n - split[0], n - split[1])
        answer += rows * columns
        least = max(rows, columns)
        x: Int = np.int64(0)
        y: Int = np.int64(0)
        for k in range(least + draw_below(key, j, _EXTRA)):
            if k >= least:
                x, y = draw_below(key, j + 1 + 2 * k, rows), draw_below(key, j + 2 + 2 * k, columns)
            row, column = lines[0, low[0] + x], lines[1, low[1] + y]
            if (board[row, 0] | board[row, 1]) >> column & 1 == 0:
                board[row, colour] |= np.int64(1) << column
                cells[count, 0], cells[count, 1], cells[count, 2] = row, column, colour
                count += 1
            x, y = x + 1 if x + 1 < rows else 0, y + 1 if y + 1 < columns else 0
        j += 2 * (n + _SPARE) + 1
    return count, answer


@lent
def _put_tree(codes: Codes, at: Int, kind: Int, n: Int, board: Board) -> Int:
    """Write the listed cells by rows, those of the first cell's colour before the others."""
    codes[at] = OWN_SYMBOLS + kind
    at = put_integer(codes, at + 1, n)
    colour = _first_colour(board)
    for _ in range(kind + 1):
        head = at
        at += 1
        for row in range(n):
            left: Int = board[row, colour]
            column: Int = np.int64(1)
            while left:
                if left & 1:
                    codes[at], codes[at + 1] = row + 1 + LARGEST_LEAF, column + LARGEST_LEAF
                    at += 2
                left, column = left >> 1, column + 1
        codes[head] = OWN_SYMBOLS + 2 + (at - head - 1) // 2 - 1
        colour = 1 - colour
    return at


@lent
def _first_colour(board: Board) -> Int:
    """Return the colour of the first cell, in order of rows, that has one; some cell must."""
    row: Int = np.int64(0)
    while board[row, 0] | board[row, 1] == 0:
        row += 1
    cells = board[row, 0] | board[row, 1]
    return np.int64(board[row, 1] & cells & -cells != 0)


@lent
def _put_values(
    values: Values, fill: Int, kind: Int, n: Int, count: Int, cells: Marks, pairs: Marks, i: Int
) -> Int:
    """Write the size, the two colours, and the cells of each colour that is listed."""
    values[fill], values[fill + 1], values[fill + 2] = n, pairs[i, 0], pairs[i, 1]
    fill += 3
    for colour in range(1 - kind, 2):
        head = fill
        fill += 1
        for k in range(count):
            if cells[k, 2] == colour:
                values[fill], values[fill + 1] = cells[k, 0] + 1, cells[k, 1] + 1
                fill += 2
        values[head] = (fill - head - 1) // 2
    return fill
