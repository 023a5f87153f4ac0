"""Turns and releases row by row."""

from __future__ import annotations

import numpy as np

from synthgen.core.steering import release_order, smooth_turns


def test_a_family_without_rows_has_no_turn() -> None:
    assert smooth_turns(np.array([1, 9, 1]), np.array([2, 0, 2])).tolist() == [0, 2, 0, 2]
    assert smooth_turns(np.array([1]), np.array([0])).tolist() == []


def test_the_last_family_has_the_rest() -> None:
    assert smooth_turns(np.array([3, 1]), np.array([2, 4])).tolist() == [0, 0, 1, 1, 1, 1]


def test_rows_come_as_their_groups_open() -> None:
    """Words of 0 draw the first of the pool, and the last takes its place."""
    rows, offsets = np.array([4, 3, 2, 1, 0]), np.array([0, 2, 2, 5])
    words = np.zeros(5, np.uint64)
    late = release_order(rows, offsets, np.array([1, 1, 1, 3, 3]), words)
    assert late.tolist() == [4, 3, 2, 0, 1]
    early = release_order(rows, offsets, np.array([3, 3, 3, 3, 3]), words)
    assert early.tolist() == [4, 0, 1, 2, 3]
