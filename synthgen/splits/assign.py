"""Which split a candidate belongs to, from its axes and the hash of its key alone.

A candidate that satisfies several rules goes to one of them by its key, in proportion to the rows
that the recipe gives each. So a train and a validation split may share one rule, and a problem has
the same split in every build, however many rows are asked for.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from synthgen.core.content import Keys
from synthgen.core.randomness import mix_words

NO_SPLIT = -1
_SALT = np.uint64(0x5EED0FA55161717E)
_TO_UNIT = 2.0**-53


def assign_splits(
    matches: NDArray[np.bool_], keys: Keys, weights: Sequence[int]
) -> NDArray[np.int16]:
    """Choose one split for each candidate.

    Args:
        matches: bool (n, k), whether candidate i satisfies the rule of split j.
        keys: content keys, uint64 (n, 2).
        weights: rows that the recipe gives each split, (k,).

    Returns:
        Index of the split, or NO_SPLIT, int16 (n,).
    """
    count = matches.sum(axis=1)
    chosen = np.where(count > 0, matches.argmax(axis=1), NO_SPLIT).astype(np.int16)
    contested = np.flatnonzero(count > 1)
    if len(contested):
        shares = np.cumsum(matches[contested] * np.asarray(weights, dtype=np.float64), axis=1)
        unit = (mix_words(keys[contested, 1] ^ _SALT) >> np.uint64(11)) * _TO_UNIT
        chosen[contested] = (shares <= (unit * shares[:, -1])[:, None]).sum(axis=1)
    return chosen
