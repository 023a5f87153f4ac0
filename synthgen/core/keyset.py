"""A growing set of 128-bit content keys: 16 bytes a slot, open addressing, at most 70 % full."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.content import Keys

_FIRST_SLOTS = 1 << 16
_MOST_FILLED = 0.7
_ZERO, _ONE = np.uint64(0), np.uint64(1)


class KeySet:
    """Remembers keys and says which ones are new, in the order given."""

    def __init__(self) -> None:
        self._table = np.zeros((_FIRST_SLOTS, 2), np.uint64)
        self._size = 0
        _insert(self._table, np.zeros((0, 2), np.uint64))  # loads the kernel ahead of the first key

    def __len__(self) -> int:
        return self._size

    @property
    def nbytes(self) -> int:
        """Memory of the table in bytes."""
        return int(self._table.nbytes)

    def add(self, keys: Keys) -> NDArray[np.bool_]:
        """Add keys (n, 2); say for each if it was new, bool (n,): of equals the first one is."""
        while self._size + len(keys) > _MOST_FILLED * len(self._table):
            larger = np.zeros((2 * len(self._table), 2), np.uint64)
            _move(self._table, larger)
            self._table = larger
        new = _insert(self._table, keys)
        self._size += int(np.count_nonzero(new))
        return new


@njit(cache=True, nogil=True)
def _insert(table: Keys, keys: Keys) -> NDArray[np.bool_]:
    mask = np.uint64(len(table) - 1)
    new = np.zeros(len(keys), np.bool_)
    for i in range(len(keys)):
        high, low = keys[i, 0], keys[i, 1]
        if high == _ZERO and low == _ZERO:
            low = _ONE  # the all-zero word marks a free slot
        slot = low & mask
        while True:
            if table[slot, 0] == _ZERO and table[slot, 1] == _ZERO:
                table[slot, 0] = high
                table[slot, 1] = low
                new[i] = True
                break
            if table[slot, 0] == high and table[slot, 1] == low:
                break
            slot = (slot + _ONE) & mask
    return new


@njit(cache=True, nogil=True)
def _move(table: Keys, larger: Keys) -> None:
    mask = np.uint64(len(larger) - 1)
    for i in range(len(table)):
        high, low = table[i, 0], table[i, 1]
        if high == _ZERO and low == _ZERO:
            continue
        slot = low & mask
        while larger[slot, 0] != _ZERO or larger[slot, 1] != _ZERO:
            slot = (slot + _ONE) & mask
        larger[slot, 0] = high
        larger[slot, 1] = low
