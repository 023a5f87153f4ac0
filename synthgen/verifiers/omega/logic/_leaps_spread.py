"""Sets of squares as bits that all leap at once, one shift of the whole board for each direction.

A row of the board is followed by as many unused squares as a leap is long, so that leaps across the
left or right edge end there and are masked.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.verifiers.omega._forms import NO_FORM
from synthgen.verifiers.omega._kernel_check import NO_ANSWER

LONGEST, LONGEST_LEAP = 128, 16
"""Longest side of a board, and longest part of a leap, that are looked at."""
Marks = NDArray[np.int64]
Bits = NDArray[np.uint64]
_WORD, _LAST_BIT, _ONE, _NONE = np.int64(64), np.uint64(63), np.uint64(1), np.uint64(0)


@njit(cache=True, nogil=True)
def _has(squares: Bits, place: Int) -> bool:
    return bool(squares[place // _WORD] >> (np.uint64(place) & _LAST_BIT) & _ONE == _ONE)


@njit(cache=True, nogil=True)
def _add(squares: Bits, place: Int) -> None:
    squares[place // _WORD] |= _ONE << (np.uint64(place) & _LAST_BIT)


@njit(cache=True, nogil=True)
def _add_moved(squares: Bits, places: Int, reached: Bits) -> None:
    """Add the squares, all moved on or back by so many places, to those reached."""
    n = len(squares)
    distance = places if places > 0 else -places
    words, bits = distance // _WORD, np.uint64(distance) & _LAST_BIT
    rest = np.uint64(64) - bits
    for k in range(n - words):
        if places > 0:
            reached[k + words] |= squares[k] << bits
            if bits and k + words + 1 < n:
                reached[k + words + 1] |= squares[k] >> rest
        else:
            reached[k] |= squares[k + words] >> bits
            if bits and k > 0:
                reached[k - 1] |= squares[k + words] << rest


@njit(cache=True, nogil=True)
def _count(squares: Bits) -> Int:
    total: Int = np.int64(0)
    for word in squares:
        while word:
            word &= word - _ONE
            total += 1
    return total


@njit(cache=True, nogil=True)
def spread(board: Marks, begin: Int, end: Int, sizes: Marks) -> Int:
    """Let a set of squares leap until it holds the end.

    Args:
        board: columns, rows, and the two parts of a leap.
        begin: square (x, y) as y * columns + x.
        end: square of the same kind.
        sizes: if not empty, takes how many squares are first reached with each leap, from 0.

    Returns:
        How many leaps it takes, or NO_ANSWER if the end is out of reach.
    """
    w, h, a, b = board[0], board[1], board[2], board[3]
    width = w + max(a, b)
    n = width * h // _WORD + 1
    free, fresh, reached = np.zeros(n, np.uint64), np.zeros(n, np.uint64), np.zeros(n, np.uint64)
    for y in range(h):
        for x in range(w):
            _add(free, y * width + x)
    target = end // w * width + end % w
    _add(fresh, begin // w * width + begin % w)
    leaps: Int = np.int64(0)
    while not _has(fresh, target):
        reached[:] = _NONE
        for right, up in ((a, b), (b, a), (-a, b), (-b, a)):
            _add_moved(fresh, up * width + right, reached)
            _add_moved(fresh, -up * width - right, reached)
        left: Int = np.int64(0)
        for k in range(n):
            free[k] &= ~fresh[k]
            fresh[k] = reached[k] & free[k]
            left += np.int64(fresh[k] != _NONE)
        if left == 0:
            return np.int64(NO_ANSWER)
        leaps += 1
        if leaps < len(sizes):
            sizes[leaps] = _count(fresh)
    return leaps


@njit(cache=True, nogil=True)
def spread_all(kinds: Marks, values: Marks, offsets: Marks) -> Marks:
    """Count the leaps back from the target of every row; NO_ANSWER where there is no problem."""
    found = np.full(len(kinds), NO_ANSWER, np.int64)
    nothing = np.empty(0, np.int64)
    for i in range(len(kinds)):
        if kinds[i] == NO_FORM:
            continue
        row = values[offsets[i] : offsets[i + 1]]
        w, h, x, y = row[0], row[1], row[4], row[5]
        small = max(w, h) <= LONGEST and max(row[2], row[3]) <= LONGEST_LEAP
        if small and min(row[2], row[3]) >= 1 and x < w and y < h and x + y > 0:
            found[i] = spread(row[:4], y * w + x, np.int64(0), nothing)
    return found
