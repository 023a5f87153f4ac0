"""Candidates of the least filled cells."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.core.errors import ParamError
from synthgen.engine.controllers.adaptive import keep_sparse, least_filled

COUNTS = st.lists(st.integers(0, 9), min_size=1, max_size=9)
SHARES = st.sampled_from([0.1, 0.25, 0.5, 0.75, 1.0])


@given(COUNTS, SHARES)
@settings(deadline=None)
def test_the_least_filled_share_of_cells(counts: list[int], share: float) -> None:
    chosen = least_filled(np.array(counts), share)
    ranked = sorted(range(len(counts)), key=lambda cell: (counts[cell], cell))
    n = math.ceil(share * len(counts))
    assert sorted(np.flatnonzero(chosen).tolist()) == sorted(ranked[:n])


def test_full_cells_do_not_count() -> None:
    counts, capacities = np.array([0, 2, 3, 9]), np.array([0, 2, 100, 100])
    assert least_filled(counts, 0.5, capacities).tolist() == [False, False, True, False]
    assert not least_filled(counts, 0.5, counts).any()


@given(COUNTS, st.lists(st.integers(0, 8), max_size=60), st.integers(0, 12))
@settings(deadline=None)
def test_a_block_fills_only_what_was_sparse(counts: list[int], block: list[int], cap: int) -> None:
    before = np.array(counts)
    cells = np.array([cell % len(counts) for cell in block], np.int64)
    capacities = np.maximum(before, cap)
    kept, after = keep_sparse(cells, before, 0.5, capacities)
    assert (after <= capacities).all()
    assert (after - before).tolist() == np.bincount(cells[kept], minlength=len(counts)).tolist()
    sparse = least_filled(before, 0.5, capacities)
    assert (after[~sparse] == before[~sparse]).all()
    for cell in np.flatnonzero(sparse):
        mine = np.flatnonzero(cells == cell)
        room = capacities[cell] - before[cell]
        assert kept[mine].tolist() == [place < room for place in range(len(mine))]


def test_block_after_block_evens_out() -> None:
    counts = np.array([40, 0, 10, 0])
    for _ in range(80):
        _, counts = keep_sparse(np.array([0, 1, 2, 3, 0, 0]), counts)
    assert counts.max() - counts.min() <= 2


def test_bad_arguments_are_named() -> None:
    for share in (0.0, 1.5, -1.0):
        with pytest.raises(ParamError, match="share"):
            least_filled(np.array([1]), share)
    with pytest.raises(ParamError, match="capacities"):
        least_filled(np.array([1]), 0.5, np.array([1, 2]))
    with pytest.raises(ParamError, match="cells"):
        keep_sparse(np.array([3]), np.array([1, 1]))
