"""Which split a candidate belongs to, from its axes and the hash of its key alone.

A candidate that satisfies several rules goes to one of them by its key, in proportion to the rows
that the recipe gives each. So a train and a validation split may share one rule, and a problem has
the same split in every build, however many rows are asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.content import Keys
from synthgen.core.randomness import mix64

NO_SPLIT = -1
_SALT, _GROUP_SALT = np.uint64(0x5EED0FA55161717E), np.uint64(0x67726F7570732121)
_S11, _TO_UNIT = np.uint64(11), 2.0**-53

Floats: TypeAlias = NDArray[np.float64]


def assign_splits(
    matches: NDArray[np.bool_], keys: Keys, weights: Sequence[int]
) -> NDArray[np.int16]:
    """Choose one split for each candidate, by its key.

    Args:
        matches: bool (n, k), whether candidate i satisfies the rule of split j.
        keys: content keys, uint64 (n, 2).
        weights: rows that the recipe gives each split, (k,).

    Returns:
        Index of the split, or NO_SPLIT, int16 (n,).
    """
    return _choose(matches, keys[:, 1], weights, _SALT)


def assign_groups(
    matches: NDArray[np.bool_],
    groups: NDArray[np.uint64],
    weights: Sequence[int],
    rules: Sequence[int],
) -> NDArray[np.int16]:
    """Choose one split for each candidate, by its group.

    Splits with the same rule share out whole groups: no group is in two of them. Shares hold for
    groups, so those of rows may differ.

    Args:
        matches: bool (n, k), whether candidate i satisfies the rule of split j.
        groups: a word for the group of each candidate, uint64 (n,).
        weights: rows that the recipe gives each split, (k,).
        rules: number of the rule that each split has, from 0, (k,).

    Returns:
        Index of the split, or NO_SPLIT, int16 (n,).
    """
    own = [np.flatnonzero(np.asarray(rules) == rule) for rule in range(max(rules, default=-1) + 1)]
    met = np.zeros((len(groups), len(own)), np.bool_)
    for rule, splits in enumerate(own):
        met[:, rule] = matches[:, splits].all(axis=1)
    together = [sum(weights[split] for split in splits.tolist()) for splits in own]
    by_rule = _choose(met, groups, together, _SALT)
    chosen = np.full(len(groups), NO_SPLIT, np.int16)
    for rule, splits in enumerate(own):
        mine = np.flatnonzero(by_rule == rule)
        shares = [weights[split] for split in splits.tolist()]
        all_of_them = np.ones((len(mine), len(splits)), np.bool_)
        chosen[mine] = splits[_choose(all_of_them, groups[mine], shares, _GROUP_SALT)]
    return chosen


def _choose(
    matches: NDArray[np.bool_],
    words: NDArray[np.uint64],
    weights: Sequence[int],
    salt: np.uint64,
) -> NDArray[np.int16]:
    """Choose one of the splits that match by a word, in proportion to their weights."""
    shares = np.asarray(weights, np.float64)
    return _choose_rows(
        np.ascontiguousarray(matches), np.ascontiguousarray(words), shares, np.uint64(salt)
    )


@njit(cache=True, nogil=True)
def _choose_rows(
    matches: NDArray[np.bool_], words: NDArray[np.uint64], weights: Floats, salt: np.uint64
) -> NDArray[np.int16]:
    """Give row i the split in which the share of all weights lies that its word stands for."""
    chosen = np.empty(len(matches), np.int16)
    for i in range(len(matches)):
        total, matching, last = 0.0, 0, NO_SPLIT
        for split in range(len(weights)):
            if matches[i, split]:
                total += weights[split]
                matching += 1
                last = split
        if matching > 1:
            goal = np.float64(mix64(words[i] ^ salt) >> _S11) * _TO_UNIT * total
            share = 0.0
            for split in range(len(weights)):
                share += weights[split] * matches[i, split]
                if share > goal:
                    last = split
                    break
        chosen[i] = last
    return chosen
