"""What selection does with every row of a block: its split, its place in a cell, its lot."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.randomness import mix64

_S11, _TO_UNIT = np.uint64(11), 2.0**-53


@njit(cache=True, nogil=True)
def choose_by_word(
    matches: NDArray[np.bool_],
    words: NDArray[np.uint64],
    weights: NDArray[np.float64],
    salt: np.uint64,
    none: Int,
) -> NDArray[np.int16]:
    """Choose for each row one of its matches, in proportion to their weights.

    It is the one in whose share of all weights the row's word lies.

    Args:
        matches: bool (n, k).
        words: uint64 (n,).
        weights: positive, (k,).
        salt: makes the choice another one than by the words alone.
        none: for rows without a match.
    """
    chosen = np.empty(len(matches), np.int16)
    for i in range(len(matches)):
        total, matching, last = 0.0, 0, none
        for choice in range(len(weights)):
            if matches[i, choice]:
                total += weights[choice]
                matching += 1
                last = choice
        if matching > 1:
            goal = np.float64(mix64(words[i] ^ salt) >> _S11) * _TO_UNIT * total
            share = 0.0
            for choice in range(len(weights)):
                share += weights[choice] * matches[i, choice]
                if share > goal:
                    last = choice
                    break
        chosen[i] = last
    return chosen


@lent
def take_first(
    cells: NDArray[np.int32],
    usable: NDArray[np.bool_],
    left: NDArray[np.int64],
    taken: NDArray[np.bool_],
) -> None:
    """Mark the first usable rows of each cell, while it has room.

    Args:
        cells: of the rows, (n,); of those that are not usable it may be anything.
        usable: bool (n,).
        left: room of each cell, which the rows taken use up.
        taken: bool (n,), set to true for those.
    """
    for i in range(len(cells)):
        if usable[i] and left[cells[i]] > 0:
            left[cells[i]] -= 1
            taken[i] = True


@njit(cache=True, nogil=True)
def shuffle_words(
    sources: NDArray[np.uint16], addresses: NDArray[np.uint64], salt: np.uint64
) -> NDArray[np.uint64]:
    """Return the words whose order is a shuffle of rows, uint64 (n,)."""
    words = np.empty(len(addresses), np.uint64)
    for i in range(len(words)):
        words[i] = mix64(mix64(addresses[i] ^ salt) ^ np.uint64(sources[i]))
    return words
