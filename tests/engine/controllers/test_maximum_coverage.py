"""The lazy heap of greedy coverage."""

from __future__ import annotations

import numpy as np

from synthgen.core.steering import greedy_rows


def taken(ids: list[int], offsets: list[int], needs: list[int], weights: list[int]) -> list[int]:
    rows, _ = greedy_rows(
        np.array(ids, np.int32),
        np.array(offsets),
        np.array(weights),
        np.array(needs),
        len(offsets) - 1,
        0,
    )
    return rows.tolist()


def test_needs_may_differ() -> None:
    """Structure 0 is wanted once and structure 1 three times, of rows 0, 01, 1, 1, 1."""
    ids, offsets = [0, 0, 1, 1, 1, 1], [0, 1, 3, 4, 5, 6]
    assert taken(ids, offsets, [1, 3], [1, 1]) == [1, 2, 3]
    assert taken(ids, offsets, [0, 1], [1, 1]) == [1]
    assert taken(ids, offsets, [0, 0], [1, 1]) == []


def test_weights_decide_what_comes_first() -> None:
    ids, offsets = [0, 1, 2], [0, 1, 3]
    assert taken(ids, offsets, [1, 1, 1], [5, 2, 2]) == [0, 1]
    assert taken(ids, offsets, [1, 1, 1], [3, 2, 2]) == [1, 0]
    assert taken(ids, offsets, [1, 1, 1], [0, 0, 1]) == [1]


def test_the_given_needs_are_left_as_they_were() -> None:
    needs = np.array([1])
    ids, offsets = np.zeros(1, np.int32), np.array([0, 1])
    assert len(greedy_rows(ids, offsets, needs, needs, 1, 0)[0]) == 1
    assert needs.tolist() == [1]
