"""Vendi scores by hand and as laws, and bags of ids as features."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.columns import ragged
from synthgen.core.errors import ParamError
from synthgen.coverage.diversity import (
    from_sample,
    hashed_bags,
    unit_rows,
    vendi_of_features,
)
from synthgen.coverage.inputs import sample_rows

ONE_HOT = np.array([[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], np.float64)


def test_one_hot_rows_have_the_hill_number() -> None:
    assert vendi_of_features(ONE_HOT) == pytest.approx(8 / 3)


@given(st.integers(1, 12), st.integers(1, 12), st.integers(0, 99))
def test_the_inverse_is_the_mean_of_squared_cosines(n: int, d: int, seed: int) -> None:
    rows = unit_rows(np.random.default_rng(seed).normal(size=(n, d)))
    found = vendi_of_features(rows)
    assert found == pytest.approx(1 / np.square(rows @ rows.T).mean(), rel=1e-6)
    assert 1 - 1e-9 <= found <= min(n, d) + 1e-9


@pytest.mark.parametrize(
    ("n", "score", "whole"), [(500, 239, 455.8), (1000, 315, 459.2), (2000, 379, 466.6)]
)
def test_worked_estimates_from_samples(n: int, score: float, whole: float) -> None:
    """Scores are printed without decimals, so the whole lies between what their ends give."""
    assert from_sample(score - 0.5, n) <= whole + 0.05
    assert from_sample(score + 0.5, n) >= whole - 0.05


def test_estimates_are_near_the_whole() -> None:
    rng = np.random.default_rng(3)
    centres = rng.normal(size=(40, 300))
    points = centres[rng.integers(0, 40, 4_000)] + rng.normal(size=(4_000, 300))
    whole = points.astype(np.float32)
    score = vendi_of_features(whole)
    sample = whole[rng.permutation(4_000)[:400]]
    assert from_sample(vendi_of_features(sample), 400) == pytest.approx(score, rel=0.06)


@given(st.integers(2, 30), st.integers(0, 99))
def test_a_sample_leaves_out_the_pairs_of_rows_with_themselves(n: int, seed: int) -> None:
    rows = unit_rows(np.random.default_rng(seed).normal(size=(n, 4)))
    squares = np.square(rows @ rows.T)
    expected = n * (n - 1) / (squares.sum() - np.trace(squares))
    assert from_sample(vendi_of_features(rows), n) == pytest.approx(expected, rel=1e-6)


def test_nothing_alike_is_without_bound() -> None:
    assert math.isinf(from_sample(vendi_of_features(np.eye(5)), 5))


def test_arguments_that_do_not_fit() -> None:
    with pytest.raises(ParamError, match=r"row of features=1: expected finite values, not all 0"):
        vendi_of_features(np.array([[1.0], [0.0]]))
    with pytest.raises(ParamError, match=r"score=9: expected a number from 1 to 5"):
        from_sample(9, 5)
    with pytest.raises(ParamError, match=r"n=1: expected at least 2"):
        from_sample(1.0, 1)


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
