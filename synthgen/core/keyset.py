"""A growing set of 128-bit content keys, 21 to 32 bytes of memory each.

Keys are spread over parts that grow one by one, so that growing never needs the memory of the whole
set twice. A part is a table with open addressing, at most three quarters full.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.content import Keys
from synthgen.core.kernels import Int, kernel
from synthgen.core.randomness import mix64, scale_below

_PART_BITS = 6
_PART_SHIFT = np.uint64(64 - _PART_BITS)
_SKIP_PART = np.uint64(_PART_BITS)
_FIRST_SLOTS = 1 << 10
_MOST_FILLED = 0.75
_GROWTH = 1.5
_ROOM = 1.5
"""Slots for each key expected: enough for parts that get a few more keys than others."""
_MOST_EXPECTED = 1 << 26
_ZERO, _ONE = np.uint64(0), np.uint64(1)


class KeySet:
    """A set that reports which added keys are new, in the order given.

    Args:
        expected: number of keys to reserve space for, within limits; memory is used only as keys
            are added.
    """

    def __init__(self, expected: int = 0) -> None:
        slots = max(_FIRST_SLOTS, int(_ROOM * min(expected, _MOST_EXPECTED)) >> _PART_BITS)
        self._parts = [np.zeros((slots, 2), np.uint64) for _ in range(1 << _PART_BITS)]
        self._sizes = [0] * len(self._parts)

    def __len__(self) -> int:
        return sum(self._sizes)

    @property
    def nbytes(self) -> int:
        """Memory of the tables in bytes."""
        return sum(part.nbytes for part in self._parts)

    def add(self, keys: Keys) -> NDArray[np.bool_]:
        """Add keys (n, 2); return whether each was new, bool (n,): of equals the first one."""
        order, bounds = _by_part(keys)
        new = np.empty(len(keys), np.bool_)
        for part in range(len(self._parts)):
            rows = order[bounds[part] : bounds[part + 1]]
            self._make_room(part, len(rows))
            self._sizes[part] += int(_insert(self._parts[part], keys, rows, new))
        return new

    def _make_room(self, part: int, more: int) -> None:
        needed = self._sizes[part] + more
        if needed > _MOST_FILLED * len(self._parts[part]):
            slots = int(_GROWTH * max(len(self._parts[part]), needed))
            larger = np.zeros((slots, 2), np.uint64)
            _move(self._parts[part], larger)
            self._parts[part] = larger


@njit(cache=True, nogil=True)
def _by_part(keys: Keys) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the indices of keys by part, (n,), and the offsets of the parts, (parts + 1,)."""
    parts = np.empty(len(keys), np.uint8)
    bounds = np.zeros((1 << _PART_BITS) + 1, np.int64)
    for i in range(len(keys)):
        part = mix64(keys[i, 1]) >> _PART_SHIFT
        parts[i] = part
        bounds[part + _ONE] += 1
    bounds = np.cumsum(bounds)
    order = np.empty(len(keys), np.int64)
    ends = bounds.copy()
    for i in range(len(keys)):
        order[ends[parts[i]]] = i
        ends[parts[i]] += 1
    return order, bounds


@kernel
def _insert(table: Keys, keys: Keys, rows: NDArray[np.int64], new: NDArray[np.bool_]) -> Int:
    """Add the keys of some rows, write for each whether it is new, and count the new ones."""
    slots = len(table)
    found = 0
    for i in rows:
        high, low = keys[i, 0], keys[i, 1]
        if high == _ZERO and low == _ZERO:
            low = _ONE  # the all-zero word marks a free slot
        slot: Int = np.int64(scale_below(mix64(low) << _SKIP_PART, np.uint64(slots)))
        new[i] = False
        while True:
            if table[slot, 0] == _ZERO and table[slot, 1] == _ZERO:
                table[slot, 0] = high
                table[slot, 1] = low
                new[i] = True
                found += 1
                break
            if table[slot, 0] == high and table[slot, 1] == low:
                break
            slot += 1
            if slot == slots:
                slot = 0
    return found


@kernel
def _move(table: Keys, larger: Keys) -> None:
    slots = len(larger)
    for i in range(len(table)):
        high, low = table[i, 0], table[i, 1]
        if high == _ZERO and low == _ZERO:
            continue
        slot: Int = np.int64(scale_below(mix64(low) << _SKIP_PART, np.uint64(slots)))
        while larger[slot, 0] != _ZERO or larger[slot, 1] != _ZERO:
            slot += 1
            if slot == slots:
                slot = 0
        larger[slot, 0] = high
        larger[slot, 1] = low


class Declared(Protocol):
    """A split of a recipe or of a manifest."""

    @property
    def name(self) -> str:
        """Name of the split."""

    @property
    def overlap(self) -> Collection[str]:
        """Splits with which it may share problems."""

    @property
    def base(self) -> str | None:
        """Split whose problems it repeats, unchanged or restated."""


def may_overlap(one: Declared, other: Declared) -> bool:
    """Return whether two splits are declared to share problems.

    Either names the other, or one repeats problems of the other, or of a split that may overlap
    with it, or both repeat problems of the same split.
    """
    ones = {one.name, one.base} - {None}
    others = {other.name, other.base} - {None}
    return bool(ones & others or set(one.overlap) & others or set(other.overlap) & ones)
