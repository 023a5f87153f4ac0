"""Whole rows in proportion to weights."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.core.errors import ParamError
from synthgen.engine.controllers.quotas import (
    exact_weights,
    highest_quotients,
    largest_remainder,
    water_fill,
)
from synthgen.engine.controllers.weights import zipf_weights

INTEGERS = st.lists(st.integers(0, 50), min_size=1, max_size=8).filter(any)
DECIMALS = st.lists(st.integers(0, 999), min_size=1, max_size=8).filter(any)
ROWS = st.integers(0, 300)
CAPACITIES = st.lists(st.none() | st.integers(0, 40), min_size=8, max_size=8)


def remainder_by_hand(rows: int, weights: list[int]) -> list[int]:
    shares = [Fraction(rows * weight, sum(weights)) for weight in weights]
    counts = [math.floor(share) for share in shares]
    while sum(counts) < rows:
        lacking = [share - count for share, count in zip(shares, counts, strict=True)]
        counts[lacking.index(max(lacking))] += 1
    return counts


def quotients_by_hand(rows: int, weights: list[int], limits: list[int]) -> list[int]:
    counts = [0] * len(weights)
    for _ in range(rows):
        able = [i for i, w in enumerate(weights) if w and counts[i] < limits[i]]
        if not able:
            break
        best = max(able, key=lambda i: (Fraction(weights[i], 2 * counts[i] + 1), -i))
        counts[best] += 1
    return counts


@pytest.mark.parametrize(
    ("rows", "weights", "expected"),
    [
        (7, (0.5, 0.3, 0.2), [4, 2, 1]),
        (100, (1, 1, 1), [34, 33, 33]),
        (10, (0.6, 0.25, 0.15), [6, 3, 1]),
        (10, (6.0, 2.5, 1.5), [6, 3, 1]),
        (0, (1, 2), [0, 0]),
        (5, (0, 1), [0, 5]),
        (3, (1e-300, 1.0, 1e300), [0, 0, 3]),
    ],
)
def test_worked_examples(rows: int, weights: tuple[float, ...], expected: list[int]) -> None:
    assert largest_remainder(rows, weights).tolist() == expected
    assert highest_quotients(rows, weights).tolist() == expected


@pytest.mark.parametrize(
    ("exponent", "expected"),
    [
        (0.5, [199, 141, 115, 100, 89, 81, 75, 71, 66, 63]),
        (1.0, [341, 171, 114, 85, 68, 57, 49, 43, 38, 34]),
        (1.5, [501, 177, 96, 63, 45, 34, 27, 22, 19, 16]),
    ],
)
def test_quotas_of_zipf_weights(exponent: float, expected: list[int]) -> None:
    weights = zipf_weights(10, exponent)
    assert largest_remainder(1000, weights).tolist() == expected
    assert highest_quotients(1000, weights).tolist() == expected


@given(ROWS, INTEGERS)
@settings(deadline=None)
def test_largest_remainders_go_first(rows: int, weights: list[int]) -> None:
    assert largest_remainder(rows, weights).tolist() == remainder_by_hand(rows, weights)


@given(ROWS, DECIMALS)
@settings(deadline=None)
def test_decimals_mean_what_they_say(rows: int, thousandths: list[int]) -> None:
    decimals = [value / 1000 for value in thousandths]
    assert largest_remainder(rows, decimals).tolist() == remainder_by_hand(rows, thousandths)


@given(ROWS, INTEGERS, CAPACITIES)
@settings(deadline=None)
def test_quotients_are_those_of_the_plain_rule(
    rows: int, weights: list[int], capacities: list[int | None]
) -> None:
    some = capacities[: len(weights)]
    limits = [rows if capacity is None else capacity for capacity in some]
    assert highest_quotients(rows, weights, some).tolist() == quotients_by_hand(
        rows, weights, limits
    )


@given(ROWS, INTEGERS, CAPACITIES)
@settings(deadline=None)
def test_with_more_rows_no_cell_gets_fewer(
    rows: int, weights: list[int], capacities: list[int | None]
) -> None:
    some = capacities[: len(weights)]
    fewer = highest_quotients(rows, weights, some)
    assert (highest_quotients(rows + 1, weights, some) >= fewer).all()


@given(ROWS, CAPACITIES)
@settings(deadline=None)
def test_equal_weights_are_shared_equally(rows: int, capacities: list[int | None]) -> None:
    expected = water_fill(rows, capacities)
    assert highest_quotients(rows, [1] * 8, capacities).tolist() == expected


def test_largest_remainder_has_the_alabama_paradox_and_highest_quotients_has_not() -> None:
    weights = (6, 6, 2)
    assert largest_remainder(10, weights).tolist() == [4, 4, 2]
    assert largest_remainder(11, weights).tolist() == [5, 5, 1]
    assert highest_quotients(10, weights).tolist() == [5, 4, 1]
    assert highest_quotients(11, weights).tolist() == [5, 5, 1]


def test_many_rows_take_no_longer() -> None:
    assert highest_quotients(10**12, (1, 1e-6), (10, None)).tolist() == [10, 10**12 - 10]
    assert sum(highest_quotients(10**15, (3, 2, 2)).tolist()) == 10**15


@pytest.mark.parametrize("weights", [[], [0, 0], [1, -1], [1, math.nan], [1, math.inf], 3])
def test_weights_must_be_numbers_not_all_zero(weights: list[float]) -> None:
    with pytest.raises(ParamError, match="weights"):
        exact_weights(weights)


def test_bad_rows_and_capacities_are_named() -> None:
    with pytest.raises(ParamError, match="rows"):
        largest_remainder(-1, [1])
    with pytest.raises(ParamError, match=r"capacities\[1\]=-2"):
        highest_quotients(1, [1, 1], [None, -2])
    with pytest.raises(ParamError, match="capacities=1"):
        highest_quotients(1, [1, 1], [None])
