"""Wilson's interval against its equation, and its promise."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.errors import ParamError
from synthgen.coverage.intervals import (
    clustered_interval,
    normal_quantile,
    wilson_interval,
)


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (5, 10, 0.2366, 0.7634),
        (10, 10, 0.7225, 1.0),
        (81, 263, 0.2553, 0.3662),
    ],
)
def test_known_intervals(hits: int, n: int, low: float, high: float) -> None:
    """The last is the example of Newcombe 1998, method 3."""
    assert wilson_interval(hits, n) == pytest.approx((low, high), abs=6e-5)


@given(st.integers(1, 10**6), st.data(), st.floats(0.5, 0.999))
def test_ends_solve_the_equation(n: int, data: st.DataObject, confidence: float) -> None:
    hits = data.draw(st.integers(0, n))
    z = normal_quantile(confidence)
    low, high = wilson_interval(hits, n, confidence)
    assert 0.0 <= low <= hits / n <= high <= 1.0
    for end in (low, high):
        away = (hits / n - end) ** 2
        assert away == pytest.approx(z * z * end * (1 - end) / n, rel=1e-6, abs=1e-12)
    mirrored = wilson_interval(n - hits, n, confidence)
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-12)


@pytest.mark.parametrize("share", [0.02, 0.3, 0.5, 0.95])
def test_it_is_right_about_as_often_as_it_says(share: float) -> None:
    n, covered = 400, 0.0
    for hits in range(n + 1):
        low, high = wilson_interval(hits, n)
        if low <= share <= high:
            covered += math.comb(n, hits) * share**hits * (1 - share) ** (n - hits)
    assert covered == pytest.approx(0.95, abs=0.02)


def test_arguments_out_of_range() -> None:
    assert wilson_interval(0, 0) == (0.0, 1.0)
    with pytest.raises(ParamError, match=r"hits=3: expected an integer from 0 to 2"):
        wilson_interval(3, 2)
    with pytest.raises(ParamError, match=r"confidence=1.0"):
        wilson_interval(1, 2, 1.0)


@pytest.mark.parametrize("n", [1, 2, 7, 100])
def test_one_trial_a_row_gives_wilsons_interval(n: int) -> None:
    for hits in range(n + 1):
        means = [1.0] * hits + [0.0] * (n - hits)
        assert clustered_interval(means, n) == pytest.approx(wilson_interval(hits, n))
    assert clustered_interval([], 0) == (0.0, 1.0)


@pytest.mark.parametrize("alike", [0.0, 0.3, 1.0])
def test_it_covers_the_mean_however_alike_the_trials_of_a_row_are(alike: float) -> None:
    """Rows have their own shares; those of trials taken for rows cover far less often."""
    rows, trials, share, runs = 60, 8, 0.4, 600
    chance = np.random.default_rng(1)
    covered = naive = 0
    for _ in range(runs):
        each = np.full(rows, share)
        if alike == 1.0:
            each = (chance.random(rows) < share).astype(float)
        elif alike:
            total = (1 - alike) / alike
            each = chance.beta(share * total, (1 - share) * total, rows)
        hits = chance.binomial(trials, each)
        low, high = clustered_interval((hits / trials).tolist(), rows * trials)
        covered += low <= share <= high
        low, high = wilson_interval(int(hits.sum()), rows * trials)
        naive += low <= share <= high
    assert covered / runs > 0.92
    if alike:
        assert naive / runs < 0.8
