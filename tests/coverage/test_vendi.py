"""Vendi scores: worked values, laws, and estimates of the whole from samples and projections."""

import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.errors import ParamError
from synthgen.coverage.bags import ngram_features, projected
from synthgen.coverage.vendi import (
    from_projection,
    from_sample,
    unit_rows,
    vendi_of_features,
    vendi_of_kernel,
)
from synthgen.coverage.words import words_and_signs

KERNEL = np.array([[1, 0.9, 0], [0.9, 1, 0], [0, 0, 1]])
README = ["Look, Jane.", "See Spot.", "See Spot run.", "Run, Spot, run.", "Jane sees Spot run."]
ONE_HOT = np.array([[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], np.float64)


@pytest.mark.parametrize(
    ("q", "value"), [(0, 3), (0.5, 2.4203), (1, 2.1573), (2, 1.9481), (math.inf, 1.5789)]
)
def test_a_worked_kernel(q: float, value: float) -> None:
    assert vendi_of_kernel(KERNEL, q) == pytest.approx(value, abs=6e-5)


def test_a_worked_kernel_with_weights() -> None:
    assert vendi_of_kernel(KERNEL, weights=[0.5, 0.25, 0.25]) == pytest.approx(2.0099, abs=6e-5)
    assert vendi_of_kernel(KERNEL, weights=[2, 2, 2]) == pytest.approx(vendi_of_kernel(KERNEL))


def test_worked_points() -> None:
    points = np.array([0, 0, 10, 10, 20, 20])
    kernel = np.exp(-np.abs(points[:, None] - points))
    assert math.floor(vendi_of_kernel(kernel) * 1e4) == 29_999  # printed cut off, not rounded


@pytest.mark.parametrize(("q", "value"), [(0, 3), (1, 2.8284), (2, 2.6667), (math.inf, 2)])
def test_one_hot_rows_have_the_hill_number(q: float, value: float) -> None:
    assert vendi_of_features(ONE_HOT, q) == pytest.approx(value, abs=6e-5)
    assert vendi_of_kernel(ONE_HOT @ ONE_HOT.T, q) == pytest.approx(value, abs=6e-5)


def test_the_sentences_of_the_readme() -> None:
    features = ngram_features(words_and_signs(pa.array(README)), (1, 2))
    assert vendi_of_features(features, 1) == pytest.approx(3.9066, abs=6e-5)


@given(st.integers(1, 12), st.integers(1, 12), st.integers(0, 99), st.floats(0, 8))
def test_features_and_their_kernel_agree(n: int, d: int, seed: int, q: float) -> None:
    rows = unit_rows(np.random.default_rng(seed).normal(size=(n, d)))
    by_kernel = [vendi_of_kernel(rows @ rows.T, order) for order in (q, 2.0)]
    by_features = [vendi_of_features(rows, order) for order in (q, 2.0)]
    assert by_features == pytest.approx(by_kernel, rel=1e-5)
    assert 1 - 1e-9 <= by_features[1] <= min(n, d) + 1e-9


@pytest.mark.parametrize(
    ("n", "score", "whole"), [(500, 239, 455.8), (1000, 315, 459.2), (2000, 379, 466.6)]
)
def test_worked_estimates_from_samples(n: int, score: float, whole: float) -> None:
    """Scores are printed without decimals, so the whole lies between what their ends give."""
    assert from_sample(score - 0.5, n) <= whole + 0.05
    assert from_sample(score + 0.5, n) >= whole - 0.05


@pytest.mark.parametrize(
    ("d", "score", "whole"), [(256, 164, 459.7), (512, 242, 459.8), (1024, 316, 457.7)]
)
def test_worked_estimates_from_projections(d: int, score: float, whole: float) -> None:
    assert from_projection(score - 0.5, d) <= whole <= from_projection(score + 0.5, d)


def test_estimates_are_near_the_whole() -> None:
    rng = np.random.default_rng(3)
    centres = rng.normal(size=(40, 300))
    points = centres[rng.integers(0, 40, 4_000)] + rng.normal(size=(4_000, 300))
    whole = points.astype(np.float32)
    score = vendi_of_features(whole)
    sample = whole[rng.permutation(4_000)[:400]]
    assert from_sample(vendi_of_features(sample), 400) == pytest.approx(score, rel=0.06)
    narrow = vendi_of_features(projected(whole, 128, key=1))
    assert narrow < 0.8 * score
    assert from_projection(narrow, 128) == pytest.approx(score, rel=0.06)


@given(st.integers(2, 30), st.integers(0, 99))
def test_a_sample_leaves_out_the_pairs_of_rows_with_themselves(n: int, seed: int) -> None:
    rows = unit_rows(np.random.default_rng(seed).normal(size=(n, 4)))
    squares = np.square(rows @ rows.T)
    expected = n * (n - 1) / (squares.sum() - np.trace(squares))
    assert from_sample(vendi_of_features(rows), n) == pytest.approx(expected, rel=1e-6)


def test_nothing_alike_is_without_bound() -> None:
    assert math.isinf(from_sample(vendi_of_features(np.eye(5)), 5))
    assert math.isinf(from_projection(8.0, 8))


def test_arguments_that_do_not_fit() -> None:
    with pytest.raises(ParamError, match=r"shape of the kernel=\(2, 3\)"):
        vendi_of_kernel(np.ones((2, 3)))
    with pytest.raises(ParamError, match=r"diagonal of the kernel='not 1'"):
        vendi_of_kernel([[2, 0], [0, 1]])
    with pytest.raises(ParamError, match=r"kernel='not symmetric'"):
        vendi_of_kernel(np.array([[1, 0.5], [0, 1]]))
    with pytest.raises(ParamError, match=r"smallest eigenvalue=.*at least 0: this is not a kernel"):
        vendi_of_kernel([[1, 2], [2, 1]])
    with pytest.raises(ParamError, match=r"weights=\(1,\)"):
        vendi_of_kernel([[1, 0], [0, 1]], weights=[1])
    with pytest.raises(ParamError, match=r"row of features=1: expected finite values, not all 0"):
        vendi_of_features(np.array([[1.0], [0.0]]))
    with pytest.raises(ParamError, match=r"shape of features=\(6000, 2\).*order 2"):
        vendi_of_features(np.ones((6_000, 2)), 1)
    with pytest.raises(ParamError, match=r"score=9: expected a number from 1 to 5"):
        from_sample(9, 5)
    with pytest.raises(ParamError, match=r"n=1: expected at least 2"):
        from_projection(1.0, 1)
