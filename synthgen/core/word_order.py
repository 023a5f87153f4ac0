"""The order of random words, by sorting words that carry their places."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

Words = NDArray[np.uint64]


def word_order(words: Words) -> NDArray[np.int64]:
    """Return `np.argsort(words, kind="stable")`, in a tenth of its time where words are random.

    The low bits of each word make room for its place, as plain words are sorted much faster than
    an array of places is by words. Few random words have the same high bits; those are sorted
    again, whole.

    Args:
        words: uint64 (n,).
    """
    low = np.uint64((1 << max(0, len(words) - 1).bit_length()) - 1)
    packed = np.empty(len(words), np.uint64)
    _pack(words, low, packed)
    packed.sort()
    order = packed.view(np.int64)
    for start, stop in _unpack(packed, low).tolist():
        places = order[start:stop]
        places[:] = places[np.argsort(words[places], kind="stable")]
    return order


@njit(cache=True, nogil=True)
def _pack(words: Words, low: np.uint64, packed: Words) -> None:
    """Write words with their places for their low bits."""
    for i in range(len(words)):
        packed[i] = (words[i] & ~low) | np.uint64(i)


@njit(cache=True, nogil=True)
def _unpack(packed: Words, low: np.uint64) -> NDArray[np.int64]:
    """Leave the places of sorted words alone; return the runs of equal high bits, int64 (m, 2).

    A run is of two words or more: where it begins, and the place behind its end.
    """
    runs = 0
    for i in range(1, len(packed)):
        begins = i == 1 or (packed[i - 1] ^ packed[i - 2]) > low
        runs += begins and (packed[i] ^ packed[i - 1]) <= low
    found = np.empty((runs, 2), np.int64)
    begun = at = 0
    for i in range(len(packed)):
        ends = i + 1 == len(packed) or (packed[i] ^ packed[i + 1]) > low
        packed[i] &= low
        if ends:
            if i > begun:
                found[at, 0], found[at, 1] = begun, i + 1
                at += 1
            begun = i + 1
    return found
