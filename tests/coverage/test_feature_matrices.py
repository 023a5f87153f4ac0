"""Bags of ids as features: cosines of counts, hashed columns, samples."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.columns import ragged
from synthgen.core.errors import ParamError
from synthgen.coverage.feature_matrices import (
    hashed_bags,
    sample_rows,
)

ROWS = st.lists(st.lists(st.integers(0, 5), max_size=7), min_size=1, max_size=6)


@given(ROWS)
def test_hashed_bags_weigh_counts_by_their_logarithm(rows: list[list[int]]) -> None:
    features = hashed_bags(ragged(rows, np.uint64), 1 << 12)
    found = features @ features.T
    bags = [{key: np.log1p(count) for key, count in Counter(row).items()} for row in rows]
    for i, one in enumerate(bags):
        for j, other in enumerate(bags):
            lengths = [np.sqrt(sum(value**2 for value in bag.values())) for bag in (one, other)]
            expected = sum(value * other.get(key, 0.0) for key, value in one.items())
            if not all(lengths):
                expected, lengths = float(not any(lengths)), [1.0, 1.0]
            assert found[i, j] == pytest.approx(expected / np.prod(lengths), abs=1e-5)


def test_hashed_bags_do_not_depend_on_order() -> None:
    one = hashed_bags(ragged([[1, 2, 2, 3]], np.uint64), 16)
    other = hashed_bags(ragged([[2, 3, 1, 2]], np.uint64), 16)
    assert one.tolist() == other.tolist()
    assert one.shape == (1, 16)


def test_samples_grow() -> None:
    small, large = (sample_rows(1_000, m, key=4).tolist() for m in (30, 60))
    assert small == sorted(set(small))
    assert (len(small), len(large)) == (30, 60)
    assert set(small) < set(large)
    assert sample_rows(1_000, 30, key=5).tolist() != small
    assert sample_rows(3, 9, key=4).tolist() == [0, 1, 2]


def test_arguments_out_of_range() -> None:
    rows = ragged([[1]], np.uint64)
    with pytest.raises(ParamError, match=r"d=1: expected"):
        hashed_bags(rows, 1)
    many = ragged([[]] * 5_000, np.uint64)
    with pytest.raises(ParamError, match=r"values of features"):
        hashed_bags(many, 1 << 16)
