"""Counts of joint cells that have given margins."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from synthgen.core.errors import ParamError
from synthgen.engine.controllers.fitting import fit_counts, fit_margins
from synthgen.engine.controllers.margins import Margin, Unmet

Ints = NDArray[np.int64]


def margins_of(shape: tuple[int, ...], table: Ints) -> list[Margin]:
    """Every axis of a table is a margin that wants what the table has."""
    places = np.indices(shape).reshape(len(shape), -1).astype(np.int64)
    counts = table.ravel()
    return [
        Margin(
            f"axis {axis}",
            places[axis],
            np.bincount(places[axis], counts, size).astype(np.int64),
        )
        for axis, size in enumerate(shape)
    ]


@st.composite
def tables(draw: st.DrawFn, axes: int) -> tuple[tuple[int, ...], Ints, Ints, Ints]:
    """A table of counts, weights that are above 0 wherever it has any, and its capacities."""
    shape = tuple(draw(st.integers(1, 4)) for _ in range(axes))
    size = int(np.prod(shape))
    numbers = st.lists(st.integers(0, 9), min_size=size, max_size=size)
    table = np.array(draw(numbers), np.int64)
    weights = np.where(table > 0, np.maximum(np.array(draw(numbers)), 1), np.array(draw(numbers)))
    capacities = table + np.array(draw(numbers))
    return shape, table, weights, capacities


def test_a_table_by_hand() -> None:
    """Deming and Stephan's scaling of [[1, 2], [3, 4]] to margins (30, 70) and (50, 50)."""
    margins = margins_of((2, 2), np.array([15, 15, 35, 35]))
    values = fit_margins(np.array([1, 2, 3, 4]), margins)
    assert values[0] * values[3] / (values[1] * values[2]) == pytest.approx(4 / 6)
    assert values.reshape(2, 2).sum(1) == pytest.approx([30, 70])
    assert values.reshape(2, 2).sum(0) == pytest.approx([50, 50])
    fitted = fit_counts(np.array([1, 2, 3, 4]), margins)
    assert fitted.unmet == ()
    assert (np.abs(fitted.counts - values) <= 1).all()


def test_equal_weights_are_the_product_of_the_margins() -> None:
    rows, columns = np.array([10, 30, 60]), np.array([20, 80])
    places = np.indices((3, 2)).reshape(2, -1).astype(np.int64)
    margins = [Margin("row", places[0], rows), Margin("column", places[1], columns)]
    fitted = fit_counts(np.ones(6), margins)
    assert fitted.values == pytest.approx(np.outer(rows, columns).ravel() / 100)
    assert fitted.counts.tolist() == [2, 8, 6, 24, 12, 48]


def test_a_cell_at_its_capacity_leaves_the_rest_to_the_others() -> None:
    one = Margin("all", np.zeros(3, np.int64), np.array([60]))
    fitted = fit_counts(np.ones(3), [one], np.array([5, 20, 100]))
    assert fitted.counts.tolist() == [5, 20, 35]
    weighted = fit_margins(np.array([3, 2, 1]), [one], np.array([20, 30, 30]))
    assert weighted == pytest.approx([20, 26.667, 13.333], abs=0.0005)


@given(tables(2))
@settings(deadline=None, max_examples=150)
def test_two_margins_are_met_whenever_whole_numbers_can(
    case: tuple[tuple[int, ...], Ints, Ints, Ints],
) -> None:
    shape, table, weights, capacities = case
    margins = margins_of(shape, table)
    fitted = fit_counts(weights, margins, capacities, rounds=50)
    assert fitted.unmet == ()
    assert ((fitted.counts >= 0) & (fitted.counts <= capacities)).all()
    assert (fitted.counts[weights == 0] == 0).all()


@given(tables(3))
@settings(deadline=None, max_examples=100)
def test_three_margins_are_missed_by_little(
    case: tuple[tuple[int, ...], Ints, Ints, Ints],
) -> None:
    shape, table, weights, capacities = case
    margins = margins_of(shape, table)
    fitted = fit_counts(weights, margins, capacities, rounds=100)
    assert fitted.counts.sum() == table.sum()
    assert ((fitted.counts >= 0) & (fitted.counts <= np.where(weights, capacities, 0))).all()
    assert sum(abs(one.wanted - one.reached) for one in fitted.unmet) <= 6


@given(tables(3))
@settings(deadline=None, max_examples=60)
def test_three_margins_are_met_where_every_cell_may_have_rows(
    case: tuple[tuple[int, ...], Ints, Ints, Ints],
) -> None:
    shape, table, weights, _ = case
    margins = margins_of(shape, table)
    fitted = fit_counts(weights + 1, margins)
    assert fitted.unmet == ()


@st.composite
def full_tables(draw: st.DrawFn) -> tuple[tuple[int, ...], Ints, Ints, Ints]:
    """A table with rows in every cell."""
    shape, table, weights, capacities = draw(tables(2))
    return shape, table + 1, weights + 1, capacities + 2


@given(full_tables())
@settings(deadline=None, max_examples=60)
def test_the_fit_is_the_nearest_in_relative_entropy(
    case: tuple[tuple[int, ...], Ints, Ints, Ints],
) -> None:
    """Between any four cells of two rows and columns below capacity the odds ratio is kept."""
    shape, table, weights, capacities = case
    values = fit_margins(weights, margins_of(shape, table), capacities, rounds=5_000)
    free = ((values < capacities * (1 - 1e-6)) & (values > 1e-3)).reshape(shape)
    scale = (values / weights).reshape(shape)
    for first, second in combinations(range(shape[0]), 2):
        for left, right in combinations(range(shape[1]), 2):
            if free[[first, first, second, second], [left, right, left, right]].all():
                odds = scale[first, left] * scale[second, right]
                assert odds == pytest.approx(scale[first, right] * scale[second, left], rel=1e-3)


def test_infeasible_margins_are_named() -> None:
    """Group 1 of the first axis wants 9 rows of cells that take 4."""
    places = np.indices((2, 2)).reshape(2, -1).astype(np.int64)
    margins = [
        Margin("depth", places[0], np.array([1, 9])),
        Margin("operator", places[1], np.array([5, 5])),
    ]
    capacities = np.array([9, 9, 2, 2])
    fitted = fit_counts(np.ones(4), margins, capacities)
    assert Unmet("depth", 1, 9, 4) in fitted.unmet
    assert str(fitted.unmet[0]).startswith("depth group 0: 1 rows wanted, ")
    assert fitted.counts.sum() == 10


def test_margins_that_structural_zeros_forbid_are_named() -> None:
    """Only the diagonal may have rows, but the margins differ."""
    places = np.indices((2, 2)).reshape(2, -1).astype(np.int64)
    margins = [
        Margin("depth", places[0], np.array([3, 7])),
        Margin("operator", places[1], np.array([5, 5])),
    ]
    fitted = fit_counts(np.array([1, 0, 0, 1]), margins)
    assert {one.margin for one in fitted.unmet} & {"depth", "operator"}
    assert fitted.counts[[1, 2]].tolist() == [0, 0]
    assert fitted.counts.sum() == 10


def test_the_same_numbers_every_time() -> None:
    places = np.indices((5, 6)).reshape(2, -1).astype(np.int64)
    margins = [
        Margin("a", places[0], np.array([13, 7, 29, 31, 20])),
        Margin("b", places[1], np.array([10, 20, 15, 25, 17, 13])),
    ]
    weights = np.arange(1, 31)
    first, second = fit_counts(weights, margins), fit_counts(weights, margins)
    assert first.counts.tolist() == second.counts.tolist()
    assert (np.abs(first.counts - first.values) < 1 + 1e-6).all()


def test_bad_arguments_are_named() -> None:
    margin = Margin("a", np.array([0, 1]), np.array([3, 4]))
    with pytest.raises(ParamError, match="margins"):
        fit_counts(np.ones(2), [])
    with pytest.raises(ParamError, match=r"a.groups=2: expected 3 cells"):
        fit_counts(np.ones(3), [margin])
    with pytest.raises(ParamError, match=r"b.targets=8: expected 7 rows, as in a"):
        fit_counts(np.ones(2), [margin, Margin("b", np.array([0, 0]), np.array([8]))])
    with pytest.raises(ParamError, match="weights"):
        fit_counts(np.array([1.0, np.nan]), [margin])
    with pytest.raises(ParamError, match="capacities"):
        fit_counts(np.ones(2), [margin], np.array([1]))
    with pytest.raises(ParamError, match="rounds"):
        fit_counts(np.ones(2), [margin], rounds=0)
    with pytest.raises(ParamError, match=r"c.groups"):
        Margin("c", np.array([2]), np.array([1]))
    with pytest.raises(ParamError, match=r"c.targets"):
        Margin("c", np.array([0]), np.array([-1]))
