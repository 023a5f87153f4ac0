"""Tables of places, as the kernels that go back through layers keep them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.verifiers.omega.algebra._func_layer import MOST_PLACES
from synthgen.verifiers.omega.algebra._func_words import Flags, Integers, Word


class Places(NamedTuple):
    """Numbers with a mark and, if asked for, the value there.

    Attributes:
        words, bounds: the numbers, (m, 2) each.
        marks: LOWEST, HIGHEST or UNDEFINED.
        height_words, height_bounds: values, (m, 2) each.
        size: how many there are, (1,).
    """

    words: Integers
    bounds: NDArray[np.float64]
    marks: Integers
    height_words: Integers
    height_bounds: NDArray[np.float64]
    size: Integers


@njit(cache=True, nogil=True)
def empty_places() -> Places:
    """Return room for MOST_PLACES places."""
    n = MOST_PLACES
    return Places(
        np.empty((n, 2), np.int64),
        np.empty((n, 2), np.float64),
        np.empty(n, np.int64),
        np.empty((n, 2), np.int64),
        np.empty((n, 2), np.float64),
        np.zeros(1, np.int64),
    )


@njit(cache=True, nogil=True)
def get(words: Integers, bounds: NDArray[np.float64], at: Int) -> Word:
    """Return the number in a row."""
    return words[at, 0], words[at, 1], bounds[at, 0], bounds[at, 1]


@njit(cache=True, nogil=True)
def put(places: Places, value: Word, open_: Flags) -> Int:
    """Add a number, and return its row."""
    at: Int = places.size[0]
    if at >= MOST_PLACES:
        open_[0] = True
        return at - 1
    places.words[at, 0], places.words[at, 1] = value[0], value[1]
    places.bounds[at, 0], places.bounds[at, 1] = value[2], value[3]
    places.size[0] += 1
    return at
