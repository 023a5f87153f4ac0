"""Whole counts near fitted values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.engine.controllers.fitting import round_to_margins
from synthgen.engine.controllers.margins import Margin, unmet_groups


def grid(rows: list[int], columns: list[int]) -> list[Margin]:
    places = np.indices((len(rows), len(columns))).reshape(2, -1).astype(np.int64)
    return [
        Margin("row", places[0], np.array(rows, np.int64)),
        Margin("column", places[1], np.array(columns, np.int64)),
    ]


def test_one_margin_is_the_largest_remainder_in_each_group() -> None:
    margin = Margin("a", np.array([0, 0, 0, 1, 1]), np.array([7, 3]))
    counts = round_to_margins(np.array([3.5, 2.1, 1.4, 1.5, 1.5]), [margin], np.full(5, 10))
    assert counts.tolist() == [4, 2, 1, 2, 1]


@given(
    st.lists(st.integers(0, 20), min_size=1, max_size=6),
    st.lists(st.integers(1, 20), min_size=1, max_size=6),
)
@settings(deadline=None)
def test_two_margins_are_exact_and_no_cell_is_a_row_off(rows: list[int], parts: list[int]) -> None:
    """Outer products with whole margins: rounding up or down alone always meets both."""
    total = sum(rows)
    columns = [total * part // sum(parts) for part in parts]
    columns[0] += total - sum(columns)
    margins = grid(rows, columns)
    values = np.outer(rows, columns).ravel() / max(total, 1)
    counts = round_to_margins(values, margins, np.full(len(values), total))
    assert unmet_groups(counts, margins) == ()
    assert (np.abs(counts - values) < 1).all()


def test_values_that_nearly_are_whole_numbers_are_these() -> None:
    margins = grid([3, 2], [4, 1])
    values = np.array([2.9999999, 1e-9, 1.0000001, 0.9999999])
    assert round_to_margins(values, margins, np.full(4, 5)).tolist() == [3, 0, 1, 1]


def test_rows_move_along_a_path_where_no_cell_of_both_groups_is_free() -> None:
    """Row 0 and column 1 lack a row, but their cell may have none."""
    margins = grid([2, 2], [2, 2])
    capacities = np.array([2, 0, 2, 2])
    counts = round_to_margins(np.array([1.0, 0.0, 1.0, 1.0]), margins, capacities)
    assert counts.tolist() == [2, 0, 0, 2]


@pytest.mark.parametrize("start", [[5.0, 0, 0, 0], [0, 0, 0, 0], [9.0, 9.0, 9.0, 9.0]])
def test_values_far_from_the_margins_still_end_there(start: list[float]) -> None:
    margins = grid([2, 3], [4, 1])
    counts = round_to_margins(np.array(start), margins, np.full(4, 9))
    assert unmet_groups(counts, margins) == ()


def test_no_more_rows_than_there_is_room() -> None:
    margins = grid([5, 5], [5, 5])
    counts = round_to_margins(np.full(4, 1.0), margins, np.full(4, 1))
    assert counts.tolist() == [1, 1, 1, 1]
    assert len(unmet_groups(counts, margins)) == 4


def test_many_rows_that_fit_nowhere_are_placed_all_the_same() -> None:
    margins = grid([10**6, 0], [0, 10**6])
    capacities = np.array([10**6, 0, 0, 10**6])
    counts = round_to_margins(np.zeros(4), margins, capacities)
    assert counts.sum() == 10**6
    assert {(one.margin, one.group) for one in unmet_groups(counts, margins)} >= {("column", 0)}
