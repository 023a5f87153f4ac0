"""Tiers of novelty of test rows, and the largest part of a set that train has seen together.

A row's tier is the smallest unit in which it is new: it is in train already, or has an unseen atom,
an unseen structure of two symbols, or one of three; if all of them were seen, it may still be the
one known template with other values. Rows with several kinds of news count for the smallest unit.

For rows that are sets, such as the skills of a mix, t* is the size of the largest subset of a test
row that some train row has, alone or with more.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from itertools import combinations
from math import comb

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from synthgen.core.checks import check_int
from synthgen.core.columns import Ragged, offsets_of
from synthgen.core.coverage.id_counts import IdCounts, as_words
from synthgen.core.coverage.ngrams import fold
from synthgen.core.coverage.words import distinct
from synthgen.core.distinct_values import distinct_values
from synthgen.core.errors import ParamError
from synthgen.core.randomness import U64

Flags = NDArray[np.bool_]
Ints = NDArray[np.int64]

MOST_MEMBERS = 20
_MOST_SUBSETS = 1 << 32


class Tier(IntEnum):
    """How new a test row is, from least to most."""

    DUPLICATE = 0
    SAME_TEMPLATE = 1
    ALL_SEEN = 2
    UNSEEN_3 = 3
    UNSEEN_2 = 4
    UNSEEN_ATOM = 5


def has_unseen(rows: Ragged, seen: IdCounts) -> Flags:
    """Say which rows have an id that train does not have, bool (n,).

    Args:
        rows: ids of test rows, such as their atoms or structures, ragged uint64.
        seen: ids of train.
    """
    before = offsets_of((seen.of(rows.values) == 0).astype(np.int64))
    return np.asarray(before[rows.offsets[1:]] > before[rows.offsets[:-1]], np.bool_)


def tiers(
    *,
    duplicate: ArrayLike,
    same_template: ArrayLike,
    unseen_atom: ArrayLike,
    unseen_2: ArrayLike,
    unseen_3: ArrayLike,
) -> NDArray[np.int8]:
    """Return the tier of every test row, int8 (n,).

    Args:
        duplicate: whether train has the row itself, bool (n,).
        same_template: whether train has its template, bool (n,).
        unseen_atom: whether it has an atom that train lacks, bool (n,).
        unseen_2: the same for structures of two symbols.
        unseen_3: the same for structures of three.

    Raises:
        ParamError: for flags of unequal length.
    """
    ranked = (same_template, unseen_3, unseen_2, unseen_atom, duplicate)  # later ones prevail
    flags = [np.asarray(column, np.bool_) for column in ranked]
    if len({column.shape for column in flags}) != 1 or flags[0].ndim != 1:
        raise ParamError("flags", [column.shape for column in flags], "five of equal length")
    out = np.full(len(flags[0]), Tier.ALL_SEEN, np.int8)
    order = (
        *(Tier.SAME_TEMPLATE, Tier.UNSEEN_3, Tier.UNSEEN_2, Tier.UNSEEN_ATOM),
        Tier.DUPLICATE,
    )
    for column, tier in zip(flags, order, strict=True):
        out[column] = tier
    return out


def tier_counts(found: NDArray[np.int8]) -> dict[Tier, int]:
    """Return how many rows each tier has, least new first."""
    counts = np.bincount(found, minlength=len(Tier))
    return {tier: int(counts[tier]) for tier in Tier}


class SeenSubsets:
    """The subsets that train rows have, up to a size, for `largest_seen` and `all_seen`.

    Args:
        max_size: members of the largest subset to know of, 1 to 20.
    """

    def __init__(self, max_size: int) -> None:
        self.max_size = check_int("max_size", max_size, 1, MOST_MEMBERS)
        self._known = [IdCounts() for _ in range(max_size)]

    def add(self, train: Ragged) -> None:
        """Note the subsets of train rows.

        Args:
            train: members of each row, any ids, at most 20 a row; repeated ones count once.

        Raises:
            ParamError: for a row with more members.
        """
        for members in _by_size(train, "train")[1]:
            for t in range(1, min(members.shape[1], self.max_size) + 1):
                for subset in _subsets(members, t):
                    self._known[t - 1].add(distinct_values(subset))

    def largest_seen(self, test: Ragged) -> Ints:
        """Return t* of each test row, int64 (n,), from 0 to its size, or `max_size` if less."""
        out = np.zeros(len(test), np.int64)
        for rows, members in zip(*_by_size(test, "test"), strict=True):
            for t in range(1, min(members.shape[1], self.max_size) + 1):
                some = np.zeros(len(rows), np.bool_)
                for subset in _subsets(members, t):
                    some |= self._known[t - 1].has(subset)
                out[rows[some]] = t
                if not some.any():
                    break  # parts of what was seen were seen, so none is larger
        return out

    def all_seen(self, test: Ragged, t: int) -> Flags:
        """Say of which test rows every subset of t members was seen, bool (n,).

        It is true where a row has less than t members.

        Raises:
            ParamError: for t out of 1 to `max_size`.
        """
        check_int("t", t, 1, self.max_size)
        out = np.ones(len(test), np.bool_)
        for rows, members in zip(*_by_size(test, "test"), strict=True):
            for subset in _subsets(members, t):
                out[rows] &= self._known[t - 1].has(subset)
        return out


def _by_size(sets: Ragged, name: str) -> tuple[list[Ints], list[U64]]:
    """Return rows (m,) and their members, rising, (m, size), for every size above 0."""
    plain = distinct(Ragged(as_words(sets.values), sets.offsets))
    sizes = plain.lengths
    check_int(f"members of a {name} row", int(sizes.max(initial=0)), 0, MOST_MEMBERS)
    groups = [np.flatnonzero(sizes == size) for size in np.unique(sizes[sizes > 0])]
    tables = [plain.take(rows).values.reshape(len(rows), -1) for rows in groups]
    return groups, tables


def _subsets(members: U64, t: int) -> Iterator[U64]:
    """Yield an id of one subset of t members of every row, for each choice of t places."""
    check_int("subsets", comb(members.shape[1], t) * len(members), 0, _MOST_SUBSETS)
    for places in combinations(range(members.shape[1]), t):
        yield _fold_members(members, np.array(places, np.int64))


@njit(cache=True, nogil=True)
def _fold_members(members: U64, places: Ints) -> U64:
    out = np.empty(len(members), np.uint64)
    for i in range(len(members)):
        state = np.uint64(len(places))
        for at in places:
            state = fold(state, members[i, at])
        out[i] = state
    return out
