"""Acceptance near running shares."""

from __future__ import annotations

import numpy as np

from synthgen.core.steering import keep_near_shares


def test_two_equal_cells_take_turns_with_a_row_of_slack() -> None:
    counts = np.zeros(2, np.int64)
    cells = np.array([0, 0, 0, 1, 0, 0, -1, 1])
    kept = keep_near_shares(cells, counts, np.array([1, 1]), 2, 2, 8)
    assert kept.tolist() == [True, True, False, True, True, False, False, True]
    assert counts.tolist() == [3, 2]


def test_no_more_than_there_is_room() -> None:
    counts = np.array([4])
    kept = keep_near_shares(np.zeros(5, np.int64), counts, np.array([1]), 1, 0, 2)
    assert kept.tolist() == [True, True, False, False, False]
    assert counts.tolist() == [6]


def test_counts_near_the_largest_do_not_overflow() -> None:
    counts = np.array([2**32 - 2, 0])
    parts = np.array([2**30, 0])
    kept = keep_near_shares(np.zeros(2, np.int64), counts, parts, 2**30, 2**30, 1)
    assert kept.tolist() == [True, False]
