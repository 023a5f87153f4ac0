"""Kernels of string rewriting: an input with exact occurrences of the left side, or with none.

Where the left side occurs too early or too often, the first letter of the place is drawn again
among those that the left side does not begin with: so each such place is mended for good, and
every row comes to an end.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.randomness import draw_below
from synthgen.generators._rewrite_find import find
from synthgen.generators._rewrite_strings import Letters

_PLACES, _MENDING = 1 << 18, 1 << 22


@lent
def draw_places(
    length: Int, size: Int, count: Int, key: np.uint64, places: NDArray[np.int64]
) -> None:
    """Draw where copies of `size` letters come, all ways without overlaps equally likely.

    How many other letters come before each copy is a set of numbers below all letters that are not
    a copy's, and copies, drawn by Floyd's algorithm and kept sorted, each less its rank.
    """
    free = length - size * count
    for j in range(count):
        top = free + j
        chosen = draw_below(key, _PLACES + j, top + 1)
        for other in range(j):
            if places[other] == chosen:
                chosen = top
        at = j
        while at > 0 and places[at - 1] > chosen:
            places[at] = places[at - 1]
            at -= 1
        places[at] = chosen
    for j in range(count):
        places[j] += j * (size - 1)


@lent
def mend_others(
    text: Letters,
    length: Int,
    lhs: Letters,
    key: np.uint64,
    n_letters: Int,
    places: NDArray[np.int64],
) -> None:
    """See to it that `lhs` occurs no more often than at the places where it was planted.

    Counted from the left without overlaps, occurrences are then exactly these: one that comes
    between begins with a letter that was not planted.
    """
    size = len(lhs)
    at: Int = 0
    planted, draw = 0, 0
    while True:
        found = find(text, length, lhs, at)
        if found < 0:
            return
        if planted < len(places) and found == places[planted]:
            planted += 1
            at = found + size
            continue
        text[found] = _other_letter(np.int64(lhs[0]), key, draw, n_letters)
        draw += 1
        before = 0 if planted == 0 else places[planted - 1] + size
        at = max(before, found - size + 1)


@lent
def mend_all(
    text: Letters,
    length: Int,
    lhs: Letters,
    key: np.uint64,
    n_letters: Int,
    span: tuple[Int, Int],
) -> None:
    """Take all occurrences of `lhs` away, if it can be without a change of letters in the span.

    Where that cannot stay as it is, it becomes a part of the rest.
    """
    start, end = span
    at: Int = 0
    draw = 0
    while True:
        found = find(text, length, lhs, at)
        if found < 0:
            return
        if draw > 2 * length:
            start, end = 0, 0
        if start <= found < end:
            letter = np.int64(lhs[end - found])
            text[end] = _other_letter(letter, key, draw, n_letters)
            at = max(0, end - len(lhs) + 1)
        else:
            text[found] = _other_letter(np.int64(lhs[0]), key, draw, n_letters)
            at = max(0, found - len(lhs) + 1)
        draw += 1


@lent
def _other_letter(letter: Int, key: np.uint64, draw: Int, n_letters: Int) -> Int:
    """Draw one of the letters but this."""
    other = draw_below(key, _MENDING + draw, n_letters - 1)
    return other + 1 if other >= letter else other
