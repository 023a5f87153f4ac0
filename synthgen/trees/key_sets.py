"""A growing set of content keys that holds 64 bits of each, in 11 to 16 bytes of memory.

Keys are spread over parts that grow one by one, so that growing never needs the memory of the whole
set twice. A part is a table with open addressing, at most three quarters full.

Different keys among n have the same 64 bits with a probability of n^2 / 2^65: 3 in 10^8 for a
million, 3 in 10^4 for 10^8. The set calls the later one known. For selection that is a candidate
less, the same one in every build; where an answer must be exact, `repeats` compares whole keys.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

import numpy as np
import polars as pl
from numpy.typing import NDArray

from synthgen.core.kernels import Int, inner, jit, kernel
from synthgen.draws.randomness import U64, mix64, scale_below
from synthgen.trees.content_keys import Keys

_PART_BITS = 6
_PART_SHIFT = np.uint64(64 - _PART_BITS)
_SKIP_PART = np.uint64(_PART_BITS)
_FIRST_SLOTS = 1 << 10
_MAX_FILLED = 0.75
_GROWTH = 1.5
_ROOM = 1.35
"""Slots for each key of a part."""
_SPREAD = 5.0
"""Standard deviations by which a part may have more keys than expected."""
_MAX_EXPECTED = 1 << 27
_PIECE = 1 << 20
"""Keys that are joined at a time, as a join copies them."""
_ZERO, _ONE = np.uint64(0), np.uint64(1)


class KeySet:
    """A set that reports which added keys are new, in the order given.

    Args:
        expected: Number of keys to reserve space for, within limits; memory is used only as keys
            are added.
    """

    def __init__(self, expected: int = 0) -> None:
        keys = min(expected, _MAX_EXPECTED) / (1 << _PART_BITS)
        slots = max(_FIRST_SLOTS, int(_ROOM * (keys + _SPREAD * keys**0.5)))
        self._parts = [np.zeros(slots, np.uint64) for _ in range(1 << _PART_BITS)]
        self._sizes = [0] * len(self._parts)

    def __len__(self) -> int:
        return sum(self._sizes)

    @property
    def nbytes(self) -> int:
        """Memory of the tables in bytes."""
        return sum(part.nbytes for part in self._parts)

    def add(self, keys: Keys) -> NDArray[np.bool_]:
        """Add keys (n, 2); return whether each was new, bool (n,): of equals the first one."""
        words = _words(keys)
        order, bounds = _by_part(words)
        new = np.empty(len(keys), np.bool_)
        for part in range(len(self._parts)):
            rows = order[bounds[part] : bounds[part + 1]]
            self._make_room(part, len(rows))
            self._sizes[part] += int(_insert(self._parts[part], words, rows, new))
        return new

    def _make_room(self, part: int, more: int) -> None:
        needed = self._sizes[part] + more
        if needed > _MAX_FILLED * len(self._parts[part]):
            slots = int(_GROWTH * max(len(self._parts[part]), needed))
            larger = np.zeros(slots, np.uint64)
            _move(self._parts[part], larger)
            self._parts[part] = larger


def repeats(keys: Keys) -> NDArray[np.int64]:
    """Return the positions of keys, (n, 2), that are equal to an earlier one."""
    # Different keys with the same 64 bits are few, so only suspects are compared whole.
    late = np.flatnonzero(~KeySet(len(keys)).add(keys))
    if not len(late):
        return late
    words = _words(keys)
    # NumPy 2.0 overflows on 64 bits where it does not sort.
    among = np.flatnonzero(np.isin(words, words[late], kind="sort"))
    whole = key_frame(keys[among])
    first: NDArray[np.bool_] = whole.select(pl.struct(pl.all()).is_first_distinct()).to_numpy()
    return among[~first[:, 0]]


def key_frame(keys: Keys) -> pl.DataFrame:
    """Return keys uint64 (n, 2) as a frame of two columns, in row order."""
    return pl.DataFrame({"high": keys[:, 0], "low": keys[:, 1]})


def shared_keys(parts: Sequence[Keys]) -> dict[tuple[int, int], int]:
    """Return how many different keys two parts share, by their indices; absent if none."""
    suspects = key_frame(_later_ones(parts)).unique()
    shared = dict[tuple[int, int], int]()
    seen = suspects.clear().with_columns(_part=pl.lit(0, pl.Int64))
    for index, part in enumerate(parts if suspects.height else ()):
        pieces = [part[at : at + _PIECE] for at in range(0, max(1, len(part)), _PIECE)]
        joined = [key_frame(p).join(suspects, on=suspects.columns, how="semi") for p in pieces]
        mine = pl.concat(joined).unique()
        counts = seen.join(mine, on=mine.columns, how="semi").group_by("_part").len().sort("_part")
        shared |= {(earlier, index): rows for earlier, rows in counts.iter_rows()}
        seen.extend(mine.with_columns(_part=pl.lit(index, pl.Int64)))
    return shared


def _later_ones(parts: Sequence[Keys]) -> Keys:
    """Return the keys that an earlier one equals, or nearly so."""
    known = KeySet(sum(map(len, parts)))
    return np.concatenate([np.zeros((0, 2), np.uint64), *(p[~known.add(p)] for p in parts)])


@jit
def _words(keys: Keys) -> U64:
    """Return 64 bits of each key, (n,), that are not 0, the mark of a free slot."""
    words = np.empty(len(keys), np.uint64)
    for i in range(len(keys)):
        words[i] = max(mix64(mix64(keys[i, 0]) ^ keys[i, 1]), _ONE)
    return words


@jit
def _by_part(words: U64) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the indices of words by part, (n,), and the offsets of the parts, (parts + 1,)."""
    bounds = np.zeros((1 << _PART_BITS) + 1, np.int64)
    for word in words:
        bounds[(word >> _PART_SHIFT) + _ONE] += 1
    ends = np.empty(len(bounds), np.int64)
    total: Int = np.int64(0)
    for part in range(len(bounds)):
        total += bounds[part]
        bounds[part] = ends[part] = total
    order = np.empty(len(words), np.int64)
    for i in range(len(words)):
        part = words[i] >> _PART_SHIFT
        order[ends[part]] = i
        ends[part] += 1
    return order, bounds


@kernel
def _insert(table: U64, words: U64, rows: NDArray[np.int64], new: NDArray[np.bool_]) -> Int:
    """Add the words of some rows, write for each whether it is new, and count the new ones."""
    added = 0
    for i in rows:
        slot = _slot(table, words[i])
        new[i] = table[slot] == _ZERO
        if new[i]:
            table[slot] = words[i]
            added += 1
    return added


@kernel
def _move(table: U64, larger: U64) -> None:
    for word in table:
        if word != _ZERO:
            larger[_slot(larger, word)] = word


@inner
def _slot(table: U64, word: np.uint64) -> Int:
    """Return the slot of a word, or the free one where it belongs."""
    slots = len(table)
    slot: Int = np.int64(scale_below(word << _SKIP_PART, np.uint64(slots)))
    while table[slot] != _ZERO and table[slot] != word:
        slot += 1
        if slot == slots:
            slot = 0
    return slot


class DeclaredSplit(Protocol):
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


def may_overlap(one: DeclaredSplit, other: DeclaredSplit) -> bool:
    """Return whether two splits are declared to share problems.

    Either names the other, or one repeats problems of the other, or of a split that may overlap
    with it, or both repeat problems of the same split.
    """
    ones = {one.name, one.base} - {None}
    others = {other.name, other.base} - {None}
    return bool(ones & others or set(one.overlap) & others or set(other.overlap) & ones)
