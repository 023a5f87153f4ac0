"""Statistics by hand: intervals, effective numbers, Zipf weights, bits of inductive bias."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.errors import ParamError
from synthgen.core.evenness import evenness
from synthgen.coverage.effective import hill_number, zipf_weights
from synthgen.coverage.id_counts import IdCounts
from synthgen.coverage.intervals import (
    clustered_interval,
    interval_coverage,
    normal_quantile,
    wilson_interval,
)
from synthgen.coverage.k_coverage import monolithic_bits, unseen_entries


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
    assert interval_coverage(share, 400) == pytest.approx(0.95, abs=0.02)


def test_coverage_is_a_sum_over_outcomes() -> None:
    expected = sum(
        math.comb(7, hits) * 0.3**hits * 0.7 ** (7 - hits)
        for hits in range(8)
        if wilson_interval(hits, 7, 0.9)[0] <= 0.3 <= wilson_interval(hits, 7, 0.9)[1]
    )
    assert interval_coverage(0.3, 7, 0.9) == pytest.approx(expected)
    assert interval_coverage(0.0, 7) == 1.0
    assert interval_coverage(1.0, 7) == 1.0


def test_arguments_out_of_range() -> None:
    assert wilson_interval(0, 0) == (0.0, 1.0)
    with pytest.raises(ParamError, match=r"hits=3: expected an integer from 0 to 2"):
        wilson_interval(3, 2)
    with pytest.raises(ParamError, match=r"confidence=1.0"):
        wilson_interval(1, 2, 1.0)
    with pytest.raises(ParamError, match=r"share=1.5"):
        interval_coverage(1.5, 10)


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


COUNTS = st.lists(st.integers(0, 10**9), min_size=1, max_size=40)
ORDERS = st.one_of(st.floats(0, 20), st.just(math.inf))


@pytest.mark.parametrize(("q", "value"), [(0, 3), (1, 2.8284), (2, 2.6667), (math.inf, 2)])
def test_worked_hill_numbers(q: float, value: float) -> None:
    assert hill_number(np.array([2, 1, 1]), q) == pytest.approx(value, abs=5e-5)


@given(COUNTS, ORDERS, ORDERS)
def test_bounds_and_order(counts: list[int], low: float, high: float) -> None:
    low, high = sorted((low, high))
    some = sum(count > 0 for count in counts)
    values = [hill_number(np.array(counts), q) for q in (low, high)]
    if not some:
        assert values == [0.0, 0.0]
        return
    assert 1 - 1e-9 <= values[1] <= values[0] * (1 + 1e-6)
    assert values[0] <= some * (1 + 1e-9)
    assert values[0] == hill_number(np.array([*counts[::-1], 0]), low)


@given(COUNTS)
def test_order_1_is_that_of_entropy(counts: list[int]) -> None:
    expected = evenness(np.array(counts)).effective
    assert hill_number(np.array(counts), 1) == pytest.approx(expected, rel=1e-9)


@given(st.integers(1, 50), ORDERS)
def test_equal_weights_count_fully(n: int, q: float) -> None:
    assert hill_number(np.full(n, 0.3), q) == pytest.approx(n)


def test_very_high_orders_do_not_vanish() -> None:
    found = hill_number(np.array([3, 1]), 5_000.0)
    assert found == pytest.approx(4 / 3, rel=1e-3)


def test_counts_and_exponents_out_of_range() -> None:
    with pytest.raises(ParamError, match=r"q=-1: expected an order"):
        hill_number(np.array([1]), -1)
    with pytest.raises(ParamError, match=r"q=nan"):
        hill_number(np.array([1]), math.nan)
    with pytest.raises(ParamError, match=r"weights='negative or infinite'"):
        hill_number(np.array([1.0, -0.5]), 1)
    with pytest.raises(ParamError, match=r"n=0"):
        zipf_weights(0, 1.0)
    with pytest.raises(ParamError, match=r"exponent=-1.0"):
        zipf_weights(3, -1.0)


TRAIN = ["000", "001", "002", "020", "021", "110", "010", "012", "100", "101"]
FIRST = [[0, 1, 0], [1, 0, 2], [2, 2, 1]]


@pytest.mark.parametrize(
    ("unseen", "error", "bits"),
    [(17, 0.0, 26.944), (17, 0.1, 21.815), (17, 0.25, 11.516), (5, 0.0, 7.925)],
)
def test_worked_monolithic_bits(unseen: int, error: float, bits: float) -> None:
    assert monolithic_bits(unseen, 3, error) == pytest.approx(bits, abs=5e-4)


def entries(rows: list[str]) -> list[IdCounts]:
    """Entries of the two tables that rows of the toy two-hop task use."""
    inputs = [[int(char) for char in row] for row in rows]
    return [
        IdCounts([3 * a + b for a, b, _ in inputs]),
        IdCounts([3 * FIRST[a][b] + c for a, b, c in inputs]),
    ]


def unseen(test: list[str]) -> list[int]:
    return [unseen_entries(*pair) for pair in zip(entries(test), entries(TRAIN), strict=True)]


@given(st.integers(0, 60), st.integers(1, 9), st.integers(0, 100))
def test_it_is_the_sum(count: int, answers: int, percent: int) -> None:
    wrong = count * percent // 100
    right = sum(math.comb(count, j) * (answers - 1) ** j for j in range(wrong + 1))
    share = Fraction(right, answers**count)
    expected = math.log2(share.denominator) - math.log2(share.numerator)
    assert monolithic_bits(count, answers, percent / 100) == pytest.approx(expected, abs=1e-9)


def test_millions_of_inputs() -> None:
    n = 4_000_000
    rate = 0.1
    entropy = -(rate * math.log2(rate) + (1 - rate) * math.log2(1 - rate))
    expected = n * (math.log2(10) - entropy - rate * math.log2(9))
    assert monolithic_bits(n, 10, rate) == pytest.approx(expected, rel=1e-5)
    assert monolithic_bits(n, 10, 0.95) == pytest.approx(0.0, abs=1e-6)
    assert monolithic_bits(n, 10, 1.0) == 0.0


def test_sums_of_bits_out_of_range() -> None:
    with pytest.raises(ParamError, match=r"error=1.5: expected a share"):
        monolithic_bits(3, 3, 1.5)
    with pytest.raises(ParamError, match=r"answers=0"):
        monolithic_bits(3, 0)
