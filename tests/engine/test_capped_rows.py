"""Rows under a cap, block by block, against a plain reading of all of them."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from synthgen.coverage.id_counts import IdCounts
from synthgen.engine.controllers.quotas import cap_count
from synthgen.engine.winners import EXEMPT, CappedRows

ROW = st.tuples(st.integers(-1, 2), st.sampled_from([EXEMPT, -1, 0, 1, 2]))
BATCHES = st.lists(st.lists(ROW, max_size=25), max_size=5)
SHARES = st.sampled_from([0.05, 0.2, 0.5, 0.9])


def add(capped: CappedRows, batch: list[tuple[int, int]]) -> None:
    cells, values = np.array(batch, np.int64).reshape(-1, 2).T
    capped.add(cells.astype(np.int32), values)


def let_through(rows: list[tuple[int, int]], share: float, quotas: dict[int, int]) -> list[bool]:
    """Say which rows are among the first of their value in their cell, or are not counted."""
    counts: Counter[tuple[int, int]] = Counter()
    answer = []
    for cell, value in rows:
        most = cap_count(share, quotas[cell]) if cell in quotas else 0
        answer.append(counts[cell, value] < most)
        counts[cell, value] += value != EXEMPT
    return answer


@given(BATCHES, SHARES, st.lists(st.integers(0, 60), min_size=3, max_size=3), st.booleans())
@settings(deadline=None, max_examples=200)
def test_it_answers_as_a_plain_reading_whenever_it_is_asked(
    batches: list[list[tuple[int, int]]], share: float, quotas: list[int], often: bool
) -> None:
    capped = CappedRows(share)
    rows: list[tuple[int, int]] = []
    for batch in batches:
        add(capped, batch)
        rows += batch
        if often:
            _compare(capped, rows, share, quotas)
    _compare(capped, rows, share, quotas)


def _compare(
    capped: CappedRows, rows: list[tuple[int, int]], share: float, quotas: list[int]
) -> None:
    for cell, quota in enumerate(quotas):
        own = [row for row in rows if row[0] == cell]
        usable = [sum(let_through(own, share, {cell: q})) for q in range(len(own) + 1)]
        assert capped.usable(cell, quota) == sum(let_through(own, share, {cell: quota}))
        assert capped.capacity(cell) == max(q for q, able in enumerate(usable) if able >= q)
    cells = np.array([cell for cell, _ in rows], np.int32)
    for asked in (dict(enumerate(quotas)), {1: quotas[1]}, {}):
        assert capped.under(cells, asked).tolist() == let_through(rows, share, asked)


def test_every_row_is_looked_at_once_however_often_it_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked: list[int] = []
    add_ids = IdCounts.add

    def noting(self: IdCounts, ids: ArrayLike) -> np.ndarray:
        looked[-1] += len(np.asarray(ids))
        return add_ids(self, ids)

    monkeypatch.setattr(IdCounts, "add", noting)
    capped = CappedRows(0.5)
    for block in range(6):
        looked.append(0)
        add(capped, [(n % 2, n % 5) for n in range(10)])
        for cell in (0, 1):
            assert capped.usable(cell, 10) <= 5 * (block + 1)
            assert capped.capacity(cell) == 5 * (block + 1)
    assert looked == [10] * 6


def test_values_are_there_until_something_else_is_asked() -> None:
    capped = CappedRows(0.5)
    assert capped.values(np.zeros(0, bool)).tolist() == []
    add(capped, [(0, 4), (1, 5)])
    add(capped, [(-1, 6)])
    assert capped.values(np.array([False, True, True])).tolist() == [5, 6]
    assert capped.nbytes == 3 * 8
    assert capped.usable(0, 1) == 1
    assert capped.nbytes == 3 * 4
