"""Ranks of subsets, and the search for a block where greed leads nowhere."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np

from synthgen.core.covering_search import count_covers, extend_block, mark_block, subset_of

BINOMIALS = np.array([[comb(n, r) for r in range(5)] for n in range(13)], np.int64)


def test_ranks_number_all_subsets() -> None:
    found = []
    for rank in range(comb(9, 3)):
        subset = np.empty(3, np.int64)
        subset_of(rank, 9, 3, BINOMIALS, subset)
        covers = np.zeros(comb(9, 3), np.int32)
        mark_block(subset.astype(np.int16), 3, covers, BINOMIALS, 1)
        assert np.flatnonzero(covers).tolist() == [rank]
        found.append(tuple(subset.tolist()))
    assert sorted(found) == list(combinations(range(9), 3))


def test_covers_of_a_block_are_counted() -> None:
    covers = np.zeros(comb(6, 2), np.int32)
    for block in ([0, 1, 2], [0, 1, 3], [0, 2, 5]):
        mark_block(np.array(block, np.int16), 2, covers, BINOMIALS, 1)
    assert covers.sum() == 9
    assert covers.max() == 2
    assert count_covers(np.array([0, 1, 2], np.int16), 2, covers, BINOMIALS) == 1
    assert count_covers(np.array([3, 4, 5], np.int16), 2, covers, BINOMIALS) == 0


def test_a_block_that_greed_misses_is_found() -> None:
    """Item 4 is the least used, but only 2 and 3 complete a block of four with 0 and 1."""
    barred = np.zeros((5, 5), np.bool_)
    for i, j in ((4, 2), (4, 3)):
        barred[i, j] = barred[j, i] = True
    uses = np.array([0, 0, 9, 9, 0], np.int64)
    covers, block = np.zeros(comb(5, 2), np.int32), np.empty(4, np.int64)
    start, counter = np.array([0, 1], np.int64), np.zeros(1, np.int64)
    gain = extend_block(start, 4, covers, uses, barred, BINOMIALS, np.uint64(1), counter, block)
    assert gain >= 0
    assert sorted(block.tolist()) == [0, 1, 2, 3]
    barred[2, 3] = barred[3, 2] = True
    assert (
        extend_block(start, 4, covers, uses, barred, BINOMIALS, np.uint64(1), counter, block) == -1
    )
