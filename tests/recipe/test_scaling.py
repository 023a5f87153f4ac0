from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.errors import ParamError
from synthgen.recipe.fields import MAX_ROWS
from synthgen.recipe.overrides import NO_OVERRIDES, Overrides
from synthgen.recipe.scaling import apportion, check_numbers, resized, round_half_up
from synthgen.recipe.schema import Split

WEIGHTS = st.lists(st.integers(1, MAX_ROWS), min_size=1, max_size=8)


def splits(*rows: int) -> list[Split]:
    return [Split(name=f"s{place}", rows=n) for place, n in enumerate(rows)]


@given(WEIGHTS, st.integers(0, 10**13))
def test_sum_is_exact_and_none_is_empty(weights: list[int], more: int) -> None:
    total = len(weights) + more
    shares = apportion(total, weights)
    assert sum(shares) == total
    assert min(shares) >= 1


@given(WEIGHTS, st.integers(0, 10**6))
def test_a_bigger_weight_never_gets_less(weights: list[int], more: int) -> None:
    shares = apportion(len(weights) + more, weights)
    in_order = sorted(zip(weights, shares, strict=True))
    assert all(low <= high for (small, low), (big, high) in pairwise(in_order) if small < big)


@given(WEIGHTS, st.integers(1, 50))
def test_whole_multiples_are_exact(weights: list[int], factor: int) -> None:
    assert apportion(sum(weights) * factor, weights) == [weight * factor for weight in weights]


@given(WEIGHTS, st.integers(0, 10**13))
def test_shares_are_within_one_of_their_quota(weights: list[int], more: int) -> None:
    total = len(weights) + more
    shares = apportion(total, weights)
    if min(shares) > 1:  # none had to be raised to 1
        quotas = [Fraction(total * weight, sum(weights)) for weight in weights]
        assert all(abs(share - quota) < 1 for share, quota in zip(shares, quotas, strict=True))


@pytest.mark.parametrize(
    ("total", "weights", "shares"),
    [
        (10, [1, 1, 1], [4, 3, 3]),
        (3, [10**9, 1, 1], [1, 1, 1]),
        (110, [100_000, 10_000], [100, 10]),
        (7, [1000, 1, 1], [5, 1, 1]),
        (5, [3], [5]),
    ],
)
def test_known_shares(total: int, weights: list[int], shares: list[int]) -> None:
    assert apportion(total, weights) == shares


@given(st.integers(1, MAX_ROWS), st.decimals(Decimal("0.0001"), 9, places=4))
def test_scale_rounds_half_up(rows: int, factor: Decimal) -> None:
    exact = (rows * factor).to_integral_value(ROUND_HALF_UP)
    assert round_half_up(rows, Fraction(factor)) == max(1, int(exact))


def test_scale_means_its_decimal_digits() -> None:
    scaled = resized(splits(5, 15, 1), Overrides(scale=0.3))
    assert [split.rows for split in scaled] == [2, 5, 1]


def test_weight_is_the_rows_before_scaling() -> None:
    once = resized(splits(10, 90), Overrides(rows=10))
    twice = resized(once, Overrides(scale=2.0))
    assert [(split.rows, split.weight) for split in once] == [(1, 10), (9, 90)]
    assert [(split.rows, split.weight) for split in twice] == [(2, 10), (18, 90)]


@pytest.mark.parametrize(
    ("scale", "times"), [(0.1, [5, 1]), (0.01, [1, 1]), (1.0, [50, 3]), (4.0, [50, 3])]
)
def test_covers_shrink_with_their_split_and_never_grow(scale: float, times: list[int]) -> None:
    cover = [{"axes": ["n_op"], "times": 50}, {"structures": "edges", "times": 3}]
    split = Split.model_validate({"name": "a", "rows": 1_000, "cover": cover})
    (scaled,) = resized([split], Overrides(scale=scale))
    assert [each.times for each in scaled.cover] == times


def test_nothing_given_changes_nothing() -> None:
    assert resized(splits(1, 2), NO_OVERRIDES) == tuple(splits(1, 2))


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (Overrides(rows=5, scale=2.0), "--rows=5: expected either it or --scale=2.0, not both"),
        (Overrides(rows=0), "--rows=0: expected an integer of at least 2, one for each split"),
        (Overrides(rows=1), "--rows=1: expected an integer of at least 2, one for each split"),
        (Overrides(rows=True), "--rows=True: expected an integer"),
        (Overrides(rows=10**15), "expected at most 1000000000000 rows in each split"),
        (Overrides(scale=0.0), "--scale=0.0: expected a finite number above 0"),
        (Overrides(scale=-1.0), "--scale=-1.0: expected a finite number above 0"),
        (Overrides(scale=float("nan")), "--scale=nan: expected a finite number above 0"),
        (Overrides(scale=float("inf")), "--scale=inf: expected a finite number above 0"),
        (Overrides(scale=1e300), "expected at most 1000000000000 rows in each split"),
    ],
)
def test_numbers_out_of_range(overrides: Overrides, message: str) -> None:
    with pytest.raises(ParamError) as caught:
        resized(splits(10, 20), overrides)
    assert message in str(caught.value)


def test_numbers_are_checked_without_splits() -> None:
    check_numbers(Overrides(rows=1))
    with pytest.raises(ParamError, match="at least 1"):
        check_numbers(Overrides(rows=0))
