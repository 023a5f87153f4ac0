"""Tiers of novelty of test rows, and the largest subset that train has seen together.

A row's tier is the smallest unit in which it is new: the row is already in train, or has an unseen
atom, an unseen structure of two symbols, or one of three; if all of these were seen, its template
may still be known with other values. Rows new in several units count for the smallest.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from synthgen.core.columns import Ragged, offsets_of
from synthgen.core.errors import ParamError
from synthgen.coverage.id_counts import IdCounts

Flags = NDArray[np.bool_]


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
        rows: Ids of test rows, such as their atoms or structures, ragged uint64.
        seen: Ids of train.
    """
    before = offsets_of(~seen.has(rows.values))
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
        duplicate: Whether train has the row itself, bool (n,).
        same_template: Whether train has its template, bool (n,).
        unseen_atom: Whether it has an atom that train lacks, bool (n,).
        unseen_2: Whether it has a structure of two symbols that train lacks.
        unseen_3: Whether it has a structure of three symbols that train lacks.

    Raises:
        ParamError: for flags of unequal length.
    """
    ranked = {  # later ones prevail
        Tier.SAME_TEMPLATE: same_template,
        Tier.UNSEEN_3: unseen_3,
        Tier.UNSEEN_2: unseen_2,
        Tier.UNSEEN_ATOM: unseen_atom,
        Tier.DUPLICATE: duplicate,
    }
    flags = [np.asarray(column, np.bool_) for column in ranked.values()]
    if len({column.shape for column in flags}) != 1 or flags[0].ndim != 1:
        shapes = [column.shape for column in flags]
        raise ParamError("flags", shapes, "five columns of equal length")
    out = np.full(len(flags[0]), Tier.ALL_SEEN, np.int8)
    for column, tier in zip(flags, ranked, strict=True):
        out[column] = tier
    return out


def tier_counts(row_tiers: NDArray[np.int8]) -> dict[Tier, int]:
    """Return the number of rows of each tier, lowest novelty first."""
    counts = np.bincount(row_tiers, minlength=len(Tier))
    return {tier: int(counts[tier]) for tier in Tier}
