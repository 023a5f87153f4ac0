"""Whole rows of cells, equal or by weight, where cells can take only so many."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.engine.select.quotas import fill_by_weight, water_fill

INTEGERS = st.lists(st.integers(0, 50), min_size=1, max_size=8).filter(any)
DECIMALS = st.lists(st.integers(0, 999), min_size=1, max_size=8).filter(any)
ROWS = st.integers(0, 300)
CELLS = st.lists(
    st.tuples(st.integers(0, 20), st.none() | st.integers(0, 60)), min_size=1, max_size=8
).filter(lambda cells: any(weight for weight, _ in cells))


def remainder_by_hand(rows: int, weights: list[int]) -> list[int]:
    shares = [Fraction(rows * weight, sum(weights)) for weight in weights]
    counts = [math.floor(share) for share in shares]
    while sum(counts) < rows:
        lacking = [share - count for share, count in zip(shares, counts, strict=True)]
        counts[lacking.index(max(lacking))] += 1
    return counts


def shares_by_hand(rows: int, weights: list[int], limits: list[int]) -> list[Fraction]:
    """The lower of each limit and weight times a level, which is as high as the rows allow."""
    full: set[int] = set()
    while True:
        left = rows - sum(limits[i] for i in full)
        total = sum(weight for i, weight in enumerate(weights) if i not in full)
        shares = [
            Fraction(limits[i]) if i in full else Fraction(left * weight, total)
            for i, weight in enumerate(weights)
        ]
        more = {i for i, share in enumerate(shares) if i not in full and share >= limits[i]}
        if not more:
            return shares
        full |= more
        if len(full) == len(weights):
            return [Fraction(limit) for limit in limits]


@pytest.mark.parametrize(
    ("rows", "weights", "capacities", "counts"),
    [
        (7, (0.5, 0.3, 0.2), None, [4, 2, 1]),
        (100, (1, 1, 1), None, [34, 33, 33]),
        (10, (6.0, 2.5, 1.5), None, [6, 3, 1]),
        (0, (1, 2), None, [0, 0]),
        (5, (0, 1), None, [0, 5]),
        (3, (1e-300, 1.0, 1e300), None, [0, 0, 3]),
        (60, (1, 1, 1), (5, 20, 100), [5, 20, 35]),
        (60, (3, 2, 1), (20, 30, 30), [20, 27, 13]),
        (10, (1, 1), (3, 4), [3, 4]),
        (10, (1, 0), (3, None), [3, 0]),
    ],
)
def test_worked_examples(
    rows: int,
    weights: tuple[float, ...],
    capacities: tuple[int | None, ...] | None,
    counts: list[int],
) -> None:
    assert fill_by_weight(rows, weights, capacities) == counts


@given(ROWS, INTEGERS)
@settings(deadline=None)
def test_largest_remainders_go_first(rows: int, weights: list[int]) -> None:
    assert fill_by_weight(rows, weights) == remainder_by_hand(rows, weights)


@given(ROWS, DECIMALS)
@settings(deadline=None)
def test_decimals_mean_what_they_say(rows: int, thousandths: list[int]) -> None:
    decimals = [value / 1000 for value in thousandths]
    assert fill_by_weight(rows, decimals) == remainder_by_hand(rows, thousandths)


@given(ROWS, CELLS)
@settings(deadline=None)
def test_counts_are_whole_and_near_their_shares(
    rows: int, cells: list[tuple[int, int | None]]
) -> None:
    weights, capacities = [w for w, _ in cells], [c for _, c in cells]
    limits = [0 if not w else rows if most is None else min(most, rows) for w, most in cells]
    counts = fill_by_weight(rows, weights, capacities)
    assert sum(counts) == min(rows, sum(limits))
    shares = shares_by_hand(rows, weights, limits)
    assert all(abs(count - share) < 1 for count, share in zip(counts, shares, strict=True))
    assert all(0 <= count <= limit for count, limit in zip(counts, limits, strict=True))


@given(ROWS, st.lists(st.none() | st.integers(0, 40), min_size=1, max_size=8))
@settings(deadline=None)
def test_equal_weights_are_the_plain_form(rows: int, capacities: list[int | None]) -> None:
    assert fill_by_weight(rows, [1] * len(capacities), capacities) == water_fill(rows, capacities)
