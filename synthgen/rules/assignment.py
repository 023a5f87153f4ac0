"""Assignment of candidates to splits, by only their axes and the hash of their key.

A candidate that satisfies several rules goes to one of them by its key, in proportion to the rows
that the recipe gives each. So a train and a validation split may share one rule, and a problem has
the same split in every build, regardless of the number of rows.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from synthgen.draws.shuffles import choose_by_word
from synthgen.trees.content_keys import Keys
from synthgen.trees.ngrams import fold_words

NO_SPLIT = -1
PARTITIONABLE = 1 << 22
"""Up to this size a space is distributed exactly among splits whose rules overlap: a split that
ends short gets candidates of another split that this one did not keep."""
_SALT, _GROUP_SALT = np.uint64(0x5EED0FA55161717E), np.uint64(0x67726F7570732121)
_MISSING = np.uint64(0x6D697373696E67)  # in ASCII


def assign_splits(
    matches: NDArray[np.bool_], keys: Keys, weights: Sequence[int]
) -> NDArray[np.int16]:
    """Choose one split for each candidate, by its key.

    Args:
        matches: Flags whether candidate i satisfies the rule of split j, bool (n, k).
        keys: Content keys, uint64 (n, 2).
        weights: Rows that the recipe gives each split, (k,).

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

    Splits with the same rule divide whole groups among them, so they do not share groups.
    Proportions hold for groups; those of rows may differ.

    Args:
        matches: Flags whether candidate i satisfies the rule of split j, bool (n, k).
        groups: Word for the group of each candidate, uint64 (n,).
        weights: Rows that the recipe gives each split, (k,).
        rules: Number of each split's rule, from 0, (k,).

    Returns:
        Index of the split, or NO_SPLIT, int16 (n,).
    """
    splits_of = [
        np.flatnonzero(np.asarray(rules) == rule) for rule in range(max(rules, default=-1) + 1)
    ]
    met = np.zeros((len(groups), len(splits_of)), np.bool_)
    for rule, splits in enumerate(splits_of):
        met[:, rule] = matches[:, splits].all(axis=1)
    together = [sum(weights[split] for split in splits.tolist()) for splits in splits_of]
    by_rule = _choose(met, groups, together, _SALT)
    chosen = np.full(len(groups), NO_SPLIT, np.int16)
    for rule, splits in enumerate(splits_of):
        members = np.flatnonzero(by_rule == rule)
        shares = [weights[split] for split in splits.tolist()]
        all_of_them = np.ones((len(members), len(splits)), np.bool_)
        chosen[members] = splits[_choose(all_of_them, groups[members], shares, _GROUP_SALT)]
    return chosen


def axis_words(columns: Sequence[NDArray[np.int64] | None], n: int) -> NDArray[np.uint64]:
    """Return a word for each combination of values, uint64 (n,).

    Args:
        columns: Axes of n rows of one source, names as indices; None for an axis that it lacks.
        n: Number of rows.
    """
    words = np.zeros(n, np.uint64)
    for column in columns:
        values = np.full(n, _MISSING)
        if column is not None:
            values = fold_words(values, column.view(np.uint64))
        words = fold_words(words, values)
    return words


def _choose(
    matches: NDArray[np.bool_],
    words: NDArray[np.uint64],
    weights: Sequence[int],
    salt: np.uint64,
) -> NDArray[np.int16]:
    """Choose one of the splits that match by a word, in proportion to their weights."""
    rows, own = np.ascontiguousarray(matches), np.ascontiguousarray(words)
    return choose_by_word(rows, own, np.asarray(weights, np.float64), salt, NO_SPLIT)
