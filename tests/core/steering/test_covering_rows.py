"""Kernels of covering rows."""

from __future__ import annotations

import numpy as np

from synthgen.core.steering.covering_rows import (
    COVERED,
    IMPOSSIBLE,
    OPEN,
    Factors,
    needed_rows,
    next_row,
)

NONE = np.zeros(0, np.int64)


def pair_of(first: int, second: int, barred: list[tuple[int, int]]) -> Factors:
    """Two factors, of whose pairs some are forbidden."""
    flat = np.array(barred, np.int64).reshape(-1)
    n = len(barred)
    return Factors(
        sizes=np.array([first, second]),
        combinations=np.array([[0, 1]]),
        strides=np.array([[second, 1]]),
        bases=np.array([0, first * second]),
        having=np.array([[0], [0]]),
        barred_factors=np.tile([0, 1], n).astype(np.int64),
        barred_values=flat,
        barred_offsets=np.arange(n + 1) * 2,
        barring=np.tile(np.arange(n), 2),
        barring_offsets=np.array([0, n, 2 * n]),
    )


def found_rows(factors: Factors) -> tuple[list[list[int]], list[int]]:
    states, row = np.full(factors.bases[-1], OPEN, np.int8), np.empty(2, np.int64)
    open_of, counter, rows = np.diff(factors.bases), np.zeros(1, np.int64), []
    while gain := next_row(factors, states, open_of, 10, np.uint64(3), counter, row):
        if gain > 0:
            rows.append(row.tolist())
    assert open_of.tolist() == [0]
    return sorted(rows), states.tolist()


def test_two_factors_need_their_product() -> None:
    rows, states = found_rows(pair_of(20, 30, []))
    assert rows == [[i, j] for i in range(20) for j in range(30)]
    assert states == [COVERED] * 600


def test_forbidden_pairs_are_impossible() -> None:
    rows, states = found_rows(pair_of(2, 2, [(0, 1), (1, 1)]))
    assert rows == [[0, 0], [1, 0]]
    assert states == [COVERED, IMPOSSIBLE, COVERED, IMPOSSIBLE]


def test_needless_rows_go_the_last_first() -> None:
    rows = np.array([[0, 0], [1, 1], [0, 0], [1, 0]])
    assert needed_rows(pair_of(2, 2, []), rows).tolist() == [True, True, False, True]
    assert needed_rows(pair_of(2, 2, []), NONE.reshape(0, 2)).tolist() == []
