"""Combinations of values of columns."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.core.errors import ParamError
from synthgen.engine.plan.holdouts import joint_cells

ROWS = st.lists(st.tuples(st.integers(-3, 4), st.integers(0, 9), st.integers(5, 6)), max_size=40)


def column_of(rows: list[tuple[int, ...]]) -> np.ndarray:
    return np.array(rows, np.int64).reshape(-1, 3)


@given(ROWS)
@settings(deadline=None)
def test_cells_are_the_combinations_that_occur(rows: list[tuple[int, ...]]) -> None:
    cells, cell_of = joint_cells(column_of(rows))
    assert [tuple(cell) for cell in cells.tolist()] == sorted(set(rows))
    assert [tuple(cell) for cell in cells[cell_of].tolist()] == rows


def test_small_types_do_not_overflow() -> None:
    columns = np.array([[127, 100], [-128, -100]], np.int8)
    assert joint_cells(columns)[0].tolist() == [[-128, -100], [127, 100]]


def test_bad_arguments_are_named() -> None:
    wide = np.array([[0, 0], [2**40, 2**40]])
    with pytest.raises(ParamError, match="columns"):
        joint_cells(wide)
