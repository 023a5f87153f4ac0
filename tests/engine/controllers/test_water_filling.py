"""Rows by weight over cells that can take only so many."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.core.errors import ParamError
from synthgen.engine.controllers.quotas import fill_by_weight, largest_remainder, water_fill

ROWS = st.integers(0, 300)
CELLS = st.lists(
    st.tuples(st.integers(0, 20), st.none() | st.integers(0, 60)), min_size=1, max_size=8
).filter(lambda cells: any(weight for weight, _ in cells))


@pytest.mark.parametrize(
    ("rows", "weights", "capacities", "shares", "counts"),
    [
        (60, (1, 1, 1), (5, 20, 100), (5, 20, 35), [5, 20, 35]),
        (60, (3, 2, 1), (20, 30, 30), (20, 26.667, 13.333), [20, 27, 13]),
        (10, (1, 1), (3, 4), (3, 4), [3, 4]),
        (10, (1, 0), (3, None), (3, 0), [3, 0]),
        (9, (0.6, 0.4), None, (5.4, 3.6), [5, 4]),
    ],
)
def test_worked_examples(
    rows: int,
    weights: tuple[float, ...],
    capacities: tuple[int | None, ...] | None,
    shares: tuple[float, ...],
    counts: list[int],
) -> None:
    filling = fill_by_weight(rows, weights, capacities)
    assert filling.shares == pytest.approx(shares, abs=0.0005)
    assert filling.counts.tolist() == counts
    assert filling.short == rows - sum(counts)


@given(ROWS, CELLS)
@settings(deadline=None)
def test_shares_are_the_lower_of_capacity_and_level(
    rows: int, cells: list[tuple[int, int | None]]
) -> None:
    weights = np.array([weight for weight, _ in cells])
    limits = np.array([rows if most is None else most for _, most in cells])
    limits[weights == 0] = 0
    filling = fill_by_weight(rows, weights, [most for _, most in cells])
    assert filling.shares.sum() == pytest.approx(min(rows, limits.sum()))
    below = filling.shares < limits - 1e-9
    if below.any():
        levels = filling.shares[below] / weights[below]
        assert levels == pytest.approx([levels[0]] * len(levels), abs=1e-9)
        full = ~below & (weights > 0)
        assert (limits[full] <= levels[0] * weights[full] + 1e-6).all()


@given(ROWS, CELLS)
@settings(deadline=None)
def test_counts_are_whole_and_near_their_shares(
    rows: int, cells: list[tuple[int, int | None]]
) -> None:
    weights, capacities = [w for w, _ in cells], [c for _, c in cells]
    filling = fill_by_weight(rows, weights, capacities)
    assert sum(filling.counts.tolist()) + filling.short == rows
    assert (np.abs(filling.counts - filling.shares) < 1).all()
    for count, most in zip(filling.counts.tolist(), capacities, strict=True):
        assert 0 <= count <= (rows if most is None else most)


@given(ROWS, st.lists(st.none() | st.integers(0, 40), min_size=1, max_size=8))
@settings(deadline=None)
def test_equal_weights_are_the_plain_form(rows: int, capacities: list[int | None]) -> None:
    counts = fill_by_weight(rows, [1] * len(capacities), capacities).counts
    assert counts.tolist() == water_fill(rows, capacities)


@given(ROWS, st.lists(st.integers(0, 50), min_size=1, max_size=8).filter(any))
@settings(deadline=None)
def test_without_capacities_it_is_apportionment(rows: int, weights: list[int]) -> None:
    counts = fill_by_weight(rows, weights).counts
    assert counts.tolist() == largest_remainder(rows, weights).tolist()


def test_bad_arguments_are_named() -> None:
    with pytest.raises(ParamError, match="rows"):
        fill_by_weight(-1, [1])
    with pytest.raises(ParamError, match="capacities"):
        fill_by_weight(1, [1], [1, 2])
