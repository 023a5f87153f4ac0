"""Vendi scores: worked values, laws, and estimates of the whole from samples."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.errors import ParamError
from synthgen.coverage.vendi import (
    from_sample,
    unit_rows,
    vendi_of_features,
)

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
