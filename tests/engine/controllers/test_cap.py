"""Caps on how many rows of a cell may have the same value."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from synthgen.engine.controllers.quotas import cap_count, capacity, ranks_among_equals, supply

VALUES = st.lists(st.integers(-3, 5), max_size=60)
SHARES = st.sampled_from([0.01, 0.05, 0.1, 0.25, 1 / 3, 0.5, 0.9, 0.99])


def ranks_of(values: list[int]) -> NDArray[np.int64]:
    return ranks_among_equals(np.array(values, np.int64))


def rows_by_rank(values: list[int]) -> NDArray[np.int64]:
    return np.bincount(ranks_of(values))


def kept_under(values: list[int], share: float, quota: int) -> list[int]:
    """Values kept one after the other by the plain rule."""
    counts: Counter[int] = Counter()
    kept = []
    for value in values:
        if counts[value] < cap_count(share, quota):
            counts[value] += 1
            kept.append(value)
    return kept


@pytest.mark.parametrize(
    ("share", "quota", "expected"),
    [(0.05, 100, 5), (0.05, 119, 5), (0.05, 19, 1), (0.05, 0, 1), (0.5, 7, 3), (0.99, 100, 99)],
)
def test_counts_are_the_floor_but_at_least_one(share: float, quota: int, expected: int) -> None:
    assert cap_count(share, quota) == expected


@given(SHARES, st.integers(0, 10**7))
@settings(deadline=None)
def test_the_share_is_respected_once_it_is_a_whole_row(share: float, quota: int) -> None:
    count = cap_count(share, quota)
    assert count >= 1
    assert count <= max(1, share * quota)
    assert cap_count(share, quota + 1) >= count


@given(VALUES)
@settings(deadline=None)
def test_ranks_count_the_equals_before(values: list[int]) -> None:
    assert ranks_of(values).tolist() == [values[:i].count(v) for i, v in enumerate(values)]


@given(VALUES, SHARES, st.integers(0, 80))
@settings(deadline=None)
def test_supply_is_what_the_rule_keeps(values: list[int], share: float, quota: int) -> None:
    kept = kept_under(values, share, quota)
    assert supply(rows_by_rank(values), share, quota) == len(kept)
    assert max(Counter(kept).values(), default=0) <= cap_count(share, quota)


@given(VALUES, SHARES)
@settings(deadline=None)
def test_capacity_is_the_largest_quota_that_can_be_filled(values: list[int], share: float) -> None:
    ranks = rows_by_rank(values)
    fillable = [q for q in range(len(values) + 1) if supply(ranks, share, q) >= q]
    assert capacity(ranks, share) == max(fillable)


@given(VALUES, st.integers(-3, 5), SHARES)
@settings(deadline=None)
def test_more_candidates_never_lower_the_capacity(
    values: list[int], more: int, share: float
) -> None:
    assert capacity(rows_by_rank([*values, more]), share) >= capacity(rows_by_rank(values), share)


def test_one_value_alone_fills_one_row() -> None:
    assert capacity(rows_by_rank([4] * 1000), 0.5) == 1
    assert capacity(rows_by_rank([1, 2] * 500), 0.5) == 1000
    assert capacity(rows_by_rank([]), 0.5) == 0
