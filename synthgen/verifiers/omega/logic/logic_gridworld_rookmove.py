"""Slides of a rook from the text: breadth-first over slides, and turns of monotone ways.

The kernel slides from every cell that was reached, wave by wave. The second way keeps, for each
number of slides, whole rows of cells as the bits of an integer.
"""

from __future__ import annotations

import re

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.verifiers.omega._forms import NUMBER, ROWS, Form, Marks
from synthgen.verifiers.omega._kernel_check import NO_ANSWER, KernelVerifier, Problem

_FORM = Form(
    [
        (
            "A rook stands on the lower left cell of a board with <w> columns and <h> rows. "
            "Columns are counted from the left and rows from the bottom, both from one. In one "
            "move the rook slides any number of cells to the right, or any number of cells "
            "upwards. It may neither stop on a blocked cell nor slide across one. The blocked "
            "cells are, row by row with the columns: <cells>. What is the least number of moves "
            "in which it reaches the upper right cell? Give an integer.",
            "On a grid of <w> columns and <h> rows some cells are walls. Here they are, with the "
            "numbers of the columns behind that of each row: <cells>. Rows are numbered from the "
            "bottom and columns from the left, the first being number one. A piece starts in the "
            "bottom left corner and is to get to the top right corner; each move takes it as many "
            "cells as wanted straight to the right or straight up, through cells that are no "
            "walls. Find the smallest possible number of moves. Answer with an integer.",
            "A robot in the south-west corner of a floor that is <w> tiles wide (from west to "
            "east) and <h> tiles deep (from south to north) drives straight east or straight "
            "north, over one tile or several, and then stops or turns. It cannot drive over broken "
            "tiles. Tiles are counted from the west within a row, rows from the south, both "
            "beginning with one, and the broken tiles of each row are: <cells>. At least how many "
            "straight drives bring it to the north-east corner? The answer is an integer.",
            "Consider a board that is <w> cells wide and <h> cells high. Its blocked cells are "
            "listed by row (the lowest row is number one), each by its column (the leftmost column "
            "is number one): <cells>. From the lower left corner one moves in straight lines, "
            "right or up, each of any length and without touching a blocked cell, to the upper "
            "right corner. How many such lines does one need at least? Give an integer.",
        )
    ],
    {"w": NUMBER, "h": NUMBER, "cells": ROWS},
)
_MOST_SIZE = 80
_BLOCKED, _UNSEEN = -2, -1
_SLIDE = re.compile(
    r"(\d{1,3})\. \((\d{1,3}), (\d{1,3})\) (right|up) to \((\d{1,3}), (\d{1,3})\)", re.ASCII
)
Board = NDArray[np.int64]


@njit(cache=True, nogil=True)
def _told(values: Marks, board: Board) -> bool:
    """Put the blocked cells on the board; say whether both corners are free."""
    width, height = values[0], values[1]
    if min(width, height) < 2 or max(width, height) > _MOST_SIZE:
        return False
    board[:height, :width] = _UNSEEN
    for k in range(values[2]):
        column, row = values[3 + 2 * k], values[4 + 2 * k]
        if min(row, column) < 1 or row > height or column > width:
            return False
        board[row - 1, column - 1] = _BLOCKED
    return bool(board[0, 0] == _UNSEEN and board[height - 1, width - 1] == _UNSEEN)


@njit(cache=True, nogil=True)
def _waves(width: Int, height: Int, board: Board, queue: Marks) -> Int:
    """Slide from every cell that was reached until the corner is."""
    board[0, 0] = 0
    queue[0] = 0
    head, tail = 0, 1
    while head < tail:
        row, column = queue[head] // width, queue[head] % width
        moves = board[row, column] + 1
        head += 1
        for direction in range(2):
            x, y = column, row
            while True:
                x, y = x + 1 - direction, y + direction
                if x >= width or y >= height or board[y, x] == _BLOCKED:
                    break
                if board[y, x] == _UNSEEN:
                    board[y, x] = moves
                    queue[tail] = y * width + x
                    tail += 1
    return np.int64(board[height - 1, width - 1])


@njit(cache=True, nogil=True)
def _solve(kinds: Marks, values: Marks, offsets: Marks) -> Marks:
    """Return the fewest slides of each problem; one without a way has no answer."""
    answers = np.full(len(kinds), NO_ANSWER, np.int64)
    board = np.zeros((_MOST_SIZE, _MOST_SIZE), np.int64)
    queue = np.empty(_MOST_SIZE * _MOST_SIZE, np.int64)
    for i in range(len(kinds)):
        low = offsets[i]
        if kinds[i] >= 0 and _told(values[low : offsets[i + 1]], board):
            answers[i] = _waves(values[low], values[low + 1], board, queue)
    return answers


def _free_rows(problem: Problem) -> tuple[int, int, list[int]]:
    """Return width, height, and each row's free cells as bits."""
    width, height, _, *ends = problem[1]
    rows = [(1 << width) - 1] * height
    for column, row in zip(ends[::2], ends[1::2], strict=True):
        rows[row - 1] &= ~(1 << (column - 1))
    return width, height, rows


def _exact(problem: Problem) -> int:
    """Spread all reached cells at once: along rows by carries, then up columns."""
    width, height, free = _free_rows(problem)
    right, up = [0] * height, [0] * height
    right[0] = up[0] = 1
    for moves in range(1, width + height):
        new_right = [_along(start, row) for start, row in zip(up, free, strict=True)]
        new_up, below = [], 0
        for start, row in zip(right, free, strict=True):
            below = (below | start) & row
            new_up.append(below)
        right, up = new_right, new_up
        if (right[-1] | up[-1]) >> (width - 1):
            return moves
    return NO_ANSWER


def _along(start: int, free: int) -> int:
    """Return the bits that are reached from some of the free ones without a gap, going up."""
    start &= free
    while True:
        more = start | (start << 1 & free)
        if more == start:
            return start
        start = more


def _follows(problem: Problem, answer: int, way: str) -> bool:
    """Go every slide over free cells from corner to corner."""
    width, height, free = _free_rows(problem)
    *slides, last = way.split("\n")
    if last != f"moves: {answer}" or len(slides) != answer:
        return False
    here = 1, 1
    for number, line in enumerate(slides, 1):
        match = _SLIDE.fullmatch(line)
        if match is None:
            return False
        place, a, b, c, d = (int(match[k]) for k in (1, 2, 3, 5, 6))
        if line != f"{number}. ({a}, {b}) {match[4]} to ({c}, {d})":
            return False
        if (place, (a, b)) != (number, here) or not (c <= width and d <= height):
            return False
        moved = (c > a, d - b) if match[4] == "right" else (d > b, c - a)
        if moved != (True, 0):
            return False
        if not all(free[y - 1] >> (x - 1) & 1 for x in range(a, c + 1) for y in range(b, d + 1)):
            return False
        here = c, d
    return here == (width, height)


VERIFIER = KernelVerifier(_FORM, _solve, _exact, _follows)
