"""Counts of 64-bit ids in a growing table, for counts too sparse for an array.

The table uses open addressing, is at most seven tenths full, and takes 16 bytes a slot. The counts
depend only on the ids, never on their order or batches, so partial tables can be merged.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from synthgen.core.errors import ParamError
from synthgen.core.kernels import Int, inline, jit, kernel
from synthgen.draws.randomness import U64, mix64

Ints = NDArray[np.int64]

_FIRST_BITS = 10
_WORD_BITS = 64


class IdCounts:
    """Counts ids, which may be any 64-bit word including zero."""

    def __init__(self, ids: ArrayLike = ()) -> None:
        self._bits = _FIRST_BITS
        self._ids = np.zeros(1 << self._bits, np.uint64)
        self._counts = np.zeros(1 << self._bits, np.int64)
        self._size = 0
        self.add(ids)

    def __len__(self) -> int:
        """Return the number of distinct ids."""
        return self._size

    @property
    def nbytes(self) -> int:
        """Memory of the table in bytes."""
        return self._ids.nbytes + self._counts.nbytes

    def add(self, ids: ArrayLike, times: ArrayLike = 1) -> Ints:
        """Count ids (n,) once each, or `times` times, a number or (n,), all above 0.

        Returns:
            The count of each id before it was added, 0 for a new one, int64 (n,).

        Raises:
            ParamError: if a number of times is below 1.
        """
        words = as_words(ids)
        often = np.empty(len(words), np.int64)  # kernels are compiled for each kind of array
        often[:] = times
        if len(words) and int(often.min()) < 1:
            raise ParamError("times", int(often.min()), "at least 1")
        before = np.empty(len(words), np.int64)
        at = 0
        while True:
            table = self._ids, self._counts, self._bits
            at, self._size = _insert(table, self._size, words, often, at, before)
            if at == len(words):
                return before
            self._grow()

    def merge(self, other: IdCounts) -> None:
        """Add the counts of another table."""
        some = other._counts > 0
        self.add(other._ids[some], other._counts[some])

    def counts_of(self, ids: ArrayLike) -> Ints:
        """Return the count of each id, 0 if it never occurred, int64 (n,)."""
        return _look_up(self._ids, self._counts, self._bits, as_words(ids))

    def has(self, ids: ArrayLike) -> NDArray[np.bool_]:
        """Return whether each id occurred, bool (n,)."""
        return self.counts_of(ids) > 0

    def items(self) -> tuple[U64, Ints]:
        """Return the distinct ids in rising order, uint64 (k,), and their counts, int64 (k,)."""
        slots = np.flatnonzero(self._counts)
        order = slots[np.argsort(self._ids[slots])]
        return self._ids[order], self._counts[order]

    def _grow(self) -> None:
        ids, counts = self._ids, self._counts
        self._bits += 1
        self._ids = np.zeros(1 << self._bits, np.uint64)
        self._counts = np.zeros(1 << self._bits, np.int64)
        some = counts > 0
        words, often = ids[some], counts[some]
        before = np.empty(len(words), np.int64)
        _insert((self._ids, self._counts, self._bits), 0, words, often, 0, before)


def as_words(ids: ArrayLike) -> U64:
    """Return ids as uint64 (n,); signed ones keep their bits."""
    values = np.asarray(ids)
    if values.dtype == np.int64:
        return values.view(np.uint64).ravel()
    return values.astype(np.uint64).ravel()


@inline
def _slot(ids: U64, counts: Ints, bits: int, word: np.uint64) -> Int:
    """Return the slot of a word, or the free slot where it belongs."""
    last = (1 << bits) - 1
    slot: Int = np.int64(mix64(word) >> np.uint64(_WORD_BITS - bits))
    while counts[slot] and ids[slot] != word:
        slot = (slot + 1) & last
    return slot


@kernel
def _insert(
    table: tuple[U64, Ints, int], size: int, words: U64, times: Ints, start: int, before: Ints
) -> tuple[int, int]:
    """Count words from `start` until the table is too full; return where it stopped, and size.

    It never stops while less than seven tenths of the slots are taken. The previous count of each
    word is written to `before`.
    """
    ids, counts, bits = table
    limit = 7 * (1 << bits) // 10
    for i in range(start, len(words)):
        slot = _slot(ids, counts, bits, words[i])
        if counts[slot] == 0:
            if size >= limit:
                return i, size
            ids[slot] = words[i]
            size += 1
        before[i] = counts[slot]
        counts[slot] += times[i]
    return len(words), size


@jit
def _look_up(ids: U64, counts: Ints, bits: int, words: U64) -> Ints:
    out = np.empty(len(words), np.int64)
    for i in range(len(words)):
        out[i] = counts[_slot(ids, counts, bits, words[i])]
    return out
