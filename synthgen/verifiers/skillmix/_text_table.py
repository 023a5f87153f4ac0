"""Compiled tables of sequences: numbers of words by their letters, or of clauses by their words."""

from __future__ import annotations

from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from synthgen.core.lent import lent

Bytes: TypeAlias = NDArray[np.uint8]
Ints: TypeAlias = NDArray[np.int64]
Items: TypeAlias = Bytes | Ints
Array = TypeVar("Array", bound=NDArray[Any])
NEW = -1
"""The number of what has none yet."""
COLUMN_BITS = 62
"""Of a column of bits."""
FIRST_ENTRIES = 4_096
SLOTS_AN_ENTRY = 4
_HASH_BITS = (1 << 40) - 1


class Table:
    """Sequences by number, and their numbers by what they are.

    Attributes:
        pool: the sequences, one after another.
        stops: where each of them ends in the pool.
        slots: numbers by hash, see `put`.
    """

    def __init__(self, pool: Items) -> None:
        """Make an empty table, whose entries will lie in this array or a longer one like it."""
        self.pool = pool
        self.stops: Ints = np.zeros(FIRST_ENTRIES, np.int64)
        self.slots: Ints = np.full(SLOTS_AN_ENTRY * FIRST_ENTRIES, NEW, np.int64)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def add(self, joined: Items, lengths: list[int]) -> None:
        """Add sequences, which lie one after another and are not in the table."""
        first, last = self._size, self._size + len(lengths)
        start = int(self.stops[first - 1]) if first else 0
        self.pool = extended(self.pool, start, joined)
        self.stops = extended(self.stops, first, start + np.cumsum(lengths))
        self._size = last
        if SLOTS_AN_ENTRY * len(self.stops) > len(self.slots):
            self.slots = np.full(SLOTS_AN_ENTRY * len(self.stops), NEW, np.int64)
            first = 0
        put(self.slots, self.pool, self.stops, first, last)


def extended(array: Array, size: int, more: ArrayLike) -> Array:
    """Return an array with more behind its first rows, so many; it is doubled where it is full."""
    rows = np.asarray(more, array.dtype)
    while len(array) < size + len(rows):
        array = np.concatenate([array, np.zeros_like(array)])  # type: ignore[assignment]
    array[size : size + len(rows)] = rows
    return array


def columns(bits: int, n: int) -> list[int]:
    """Return bits as n columns of them."""
    if bits >> n * COLUMN_BITS:
        raise OverflowError(bits)
    return [bits >> at * COLUMN_BITS & (1 << COLUMN_BITS) - 1 for at in range(n)]


@lent
def _hash(data: Items, start: int, stop: int) -> int:
    found = 0
    for at in range(start, stop):
        found = (found * 131 + int(data[at])) & _HASH_BITS
    return found ^ (found >> 17)


@lent
def number_of(data: Items, start: int, stop: int, slots: Ints, pool: Items, stops: Ints) -> int:
    """Return the number of a sequence, `NEW` if the table does not have it."""
    slot = _hash(data, start, stop) & (len(slots) - 1)
    while slots[slot] != NEW:
        number: int = slots[slot]
        begin = stops[number - 1] if number else 0
        if stops[number] - begin == stop - start:
            at = 0
            while at < stop - start and pool[begin + at] == data[start + at]:
                at += 1
            if at == stop - start:
                return number
        slot = (slot + 1) & (len(slots) - 1)
    return NEW


@lent
def put(slots: Ints, pool: Items, stops: Ints, first: int, last: int) -> None:
    """Put sequences into a table of numbers, in which `NEW` stands for nothing.

    Its size is a power of two. A sequence is where its hash says, or behind that.
    """
    for number in range(first, last):
        begin = stops[number - 1] if number else 0
        slot = _hash(pool, begin, stops[number]) & (len(slots) - 1)
        while slots[slot] != NEW:
            slot = (slot + 1) & (len(slots) - 1)
        slots[slot] = number
