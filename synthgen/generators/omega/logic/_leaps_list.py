"""All problems of a leaper on a board, listed by kernels."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.generators.omega._kernel_family import Range

MOST_SUM = 7
LEAPERS = tuple(
    (a, b) for a in range(1, MOST_SUM) for b in range(a + 1, MOST_SUM - a + 1) if (a, b) != (2, 4)
)
"""Short and long part of a leap. A leaper of parts 2 and 4 is a knight on every other line."""
LEVEL, A, B, W, H, X, Y, MOVES = range(8)
"""Columns of a list of problems. W is at most H and, on a square board, X at most Y."""
UNREACHED = -1
Marks = NDArray[np.int64]


@lru_cache(maxsize=16)
def problems_of(levels: tuple[int, ...], sizes: tuple[Range, ...], corner: int) -> Marks:
    """List the problems of some levels, int64 (n, 8); none twice.

    Args:
        levels: of difficulty.
        sizes: shortest and longest side at each of them; boards of two levels differ.
        corner: how many columns and rows before the last ones may hold the target.
    """
    boards = [
        (level, w, h)
        for level, (low, high) in zip(levels, sizes, strict=True)
        for w in range(low, high + 1)
        for h in range(w, high + 1)
    ]
    return _list_all(np.array(boards), np.array(LEAPERS), corner)


@njit(cache=True, nogil=True)
def distances(a: Int, b: Int, w: Int, h: Int) -> tuple[Marks, Marks]:
    """Return the moves from (0, 0) to each square, int64 (h * w,), and the squares in that order.

    Square (x, y) is number y * w + x. The moves to a square out of reach are UNREACHED.
    """
    moves = np.full(w * h, UNREACHED, np.int64)
    queue = np.empty(w * h, np.int64)
    queue[0], moves[0] = 0, 0
    done: Int = np.int64(0)
    known: Int = np.int64(1)
    while done < known:
        x, y = queue[done] % w, queue[done] // w
        done += 1
        for way in range(8):
            right, up = (a, b) if way & 4 else (b, a)
            other_x = x + right if way & 1 else x - right
            other_y = y + up if way & 2 else y - up
            if 0 <= other_x < w and 0 <= other_y < h and moves[other_y * w + other_x] < 0:
                moves[other_y * w + other_x] = moves[y * w + x] + 1
                queue[known] = other_y * w + other_x
                known += 1
    return moves, queue[:known]


@njit(cache=True, nogil=True)
def _list_all(boards: Marks, leapers: Marks, corner: Int) -> Marks:
    found = np.empty((len(boards) * len(leapers) * corner * corner, 8), np.int64)
    n: Int = np.int64(0)
    for level, w, h in boards:
        for a, b in leapers:
            moves, _ = distances(a, b, w, h)
            for y in range(max(0, h - corner), h):
                for x in range(max(0, w - corner), w):
                    if moves[y * w + x] > 0 and (w < h or x <= y):
                        found[n, LEVEL], found[n, A], found[n, B] = level, a, b
                        found[n, W], found[n, H], found[n, X], found[n, Y] = w, h, x, y
                        found[n, MOVES] = moves[y * w + x]
                        n += 1
    return found[:n].copy()
