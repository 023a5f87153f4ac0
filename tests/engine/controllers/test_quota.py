"""Equal shares of cells that may run dry."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.engine.controllers.quotas import water_fill

CELLS = st.lists(st.none() | st.integers(0, 40), min_size=1, max_size=8)
ROWS = st.integers(0, 200)


@given(ROWS, CELLS)
@settings(deadline=None)
def test_quotas_sum_to_the_rows_or_to_all_there_is(rows: int, cells: list[int | None]) -> None:
    quotas = water_fill(rows, cells)
    assert len(quotas) == len(cells)
    everything = sum(rows if cell is None else cell for cell in cells)
    assert sum(quotas) == min(rows, everything)
    assert all(0 <= q <= (rows if c is None else c) for q, c in zip(quotas, cells, strict=True))


@given(ROWS, CELLS)
@settings(deadline=None)
def test_quotas_are_as_equal_as_capacities_allow(rows: int, cells: list[int | None]) -> None:
    """Max-min fair: a cell below its capacity is at most one row below any other."""
    quotas = water_fill(rows, cells)
    for quota, cell in zip(quotas, cells, strict=True):
        if cell is None or quota < cell:
            assert max(quotas) <= quota + 1


@given(ROWS, CELLS)
@settings(deadline=None)
def test_what_is_left_over_goes_to_the_first_cells(rows: int, cells: list[int | None]) -> None:
    quotas = water_fill(rows, cells)
    open_cells = [q for q, c in zip(quotas, cells, strict=True) if c is None or q < c]
    capped_at_top = [c for q, c in zip(quotas, cells, strict=True) if q == c == max(quotas)]
    if not capped_at_top:
        assert open_cells == sorted(open_cells, reverse=True)


@given(ROWS, CELLS)
@settings(deadline=None)
def test_more_rows_never_take_from_a_cell(rows: int, cells: list[int | None]) -> None:
    fewer, more = water_fill(rows, cells), water_fill(rows + 1, cells)
    assert all(one <= other for one, other in zip(fewer, more, strict=True))


@pytest.mark.parametrize(
    ("rows", "cells", "expected"),
    [
        (10, [None, None], [5, 5]),
        (11, [None, None, None], [4, 4, 3]),
        (10, [2, None, None], [2, 4, 4]),
        (10, [2, 3, None], [2, 3, 5]),
        (10, [1, 2], [1, 2]),
        (0, [None, 4], [0, 0]),
        (2, [1, None, None], [1, 1, 0]),
        (5, [None, 0, 1], [4, 0, 1]),
        (7, [None], [7]),
        (3, [], []),
    ],
)
def test_worked_examples(rows: int, cells: list[int | None], expected: list[int]) -> None:
    assert water_fill(rows, cells) == expected
