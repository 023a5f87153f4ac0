"""Tiers of novelty of test rows, and the largest subset that train has seen together.

A row's tier is the smallest unit in which it is new: the row is already in train, or has an unseen
atom, an unseen structure of two symbols, or one of three; if all of these were seen, its template
may still be known with other values. Rows new in several units count for the smallest.

For rows that are sets, such as the skills of a mix, t* is the size of the largest subset of a test
row that some train row contains.
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
from synthgen.core.errors import ParamError
from synthgen.core.ngrams import fold
from synthgen.core.randomness import U64
from synthgen.coverage.id_counts import IdCounts

Flags = NDArray[np.bool_]
Ints = NDArray[np.int64]

MOST_MEMBERS = 20
_MOST_SUBSETS = 1 << 32


class Tier(IntEnum):
    """Novelty of a test row, from lowest to highest."""

    DUPLICATE = 0
    SAME_TEMPLATE = 1
    ALL_SEEN = 2
    UNSEEN_3 = 3
    UNSEEN_2 = 4
    UNSEEN_ATOM = 5


def has_unseen(rows: Ragged, seen: IdCounts) -> Flags:
    """Return which rows have an id that train lacks, bool (n,).

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
        unseen_2: whether it has a structure of two symbols that train lacks.
        unseen_3: whether it has a structure of three symbols that train lacks.

    Raises:
        ParamError: for flags of unequal length.
    """
    ranked = (same_template, unseen_3, unseen_2, unseen_atom, duplicate)  # later ones prevail
    flags = [np.asarray(column, np.bool_) for column in ranked]
    if len({column.shape for column in flags}) != 1 or flags[0].ndim != 1:
        raise ParamError(
            "flags", [column.shape for column in flags], "five columns of equal length"
        )
    out = np.full(len(flags[0]), Tier.ALL_SEEN, np.int8)
    order = (
        *(Tier.SAME_TEMPLATE, Tier.UNSEEN_3, Tier.UNSEEN_2, Tier.UNSEEN_ATOM),
        Tier.DUPLICATE,
    )
    for column, tier in zip(flags, order, strict=True):
        out[column] = tier
    return out


def tier_counts(found: NDArray[np.int8]) -> dict[Tier, int]:
    """Return the number of rows of each tier, lowest novelty first."""
    counts = np.bincount(found, minlength=len(Tier))
    return {tier: int(counts[tier]) for tier in Tier}


def _subsets(members: U64, t: int) -> Iterator[U64]:
    """Yield an id of one t-subset of every row, for each choice of t places."""
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
