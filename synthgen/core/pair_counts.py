"""Running counts of pairs of a cell and a value.

A table with open addressing, a power of two long and at most half full.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.randomness import mix64

Table: TypeAlias = tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int32]]
"""Cell, value and count of each slot; the count of a free one is 0."""

_FIRST_SLOTS = 1 << 8
_ROOM = 2
"""Slots for each pair, at least."""
_SHIFT = np.uint64(32)


class PairCounts:
    """Counts pairs in the order in which they come."""

    def __init__(self) -> None:
        self._table = _free(_FIRST_SLOTS)
        self._size = 0

    def __len__(self) -> int:
        """Return the number of different pairs."""
        return self._size

    def count(self, cells: NDArray[np.int32], values: NDArray[np.int64]) -> NDArray[np.int32]:
        """Count more pairs; return for each how many equal ones came before it, int32 (n,)."""
        most = _ROOM * (self._size + len(cells))
        if most > len(self._table[0]):
            larger = _free(1 << most.bit_length())
            _move(self._table, larger)
            self._table = larger
        before = np.empty(len(cells), np.int32)
        self._size += int(_count(self._table, cells, values, before))
        return before


def _free(slots: int) -> Table:
    return np.zeros(slots, np.int32), np.zeros(slots, np.int64), np.zeros(slots, np.int32)


@njit(cache=True, nogil=True)
def _slot(table: Table, cell: np.int32, value: np.int64) -> Int:
    """Return the slot of a pair, or the free one where it belongs."""
    cells, values, counts = table
    last = len(counts) - 1
    word = mix64(np.uint64(value)) ^ (np.uint64(cell) << _SHIFT)
    slot: Int = np.int64(mix64(word) & np.uint64(last))
    while counts[slot] > 0 and (cells[slot] != cell or values[slot] != value):
        slot = (slot + 1) & last
    return slot


@njit(cache=True, nogil=True)
def _count(
    table: Table,
    cells: NDArray[np.int32],
    values: NDArray[np.int64],
    before: NDArray[np.int32],
) -> Int:
    """Count pairs, write how often each was there before, and return how many are new."""
    own_cells, own_values, counts = table
    new = 0
    for i in range(len(cells)):
        slot = _slot(table, cells[i], values[i])
        before[i] = counts[slot]
        if counts[slot] == 0:
            own_cells[slot], own_values[slot] = cells[i], values[i]
            new += 1
        counts[slot] += 1
    return new


@njit(cache=True, nogil=True)
def _move(table: Table, larger: Table) -> None:
    cells, values, counts = table
    for i in range(len(counts)):
        if counts[i] > 0:
            slot = _slot(larger, cells[i], values[i])
            larger[0][slot], larger[1][slot] = cells[i], values[i]
            larger[2][slot] = counts[i]
