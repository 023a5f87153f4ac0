"""Numbers of cells against the plain product of values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.engine.plan.quota_cells import CellIndex
from synthgen.rules.axes import Axis

AXES = {
    "n": Axis("from zero", "int16", 0, 3),
    "m": Axis("from below zero", "int32", -2, 1),
    "level": Axis("categorical", values=("easy", "hard")),
}
NAMES = st.lists(st.sampled_from(sorted(AXES)), unique=True, max_size=3)


@given(NAMES, st.lists(st.tuples(st.integers(0, 3), st.integers(-2, 1), st.integers(0, 1))))
@settings(deadline=None)
def test_rows_fall_into_the_cell_of_their_values(
    names: list[str], rows: list[tuple[int, int, int]]
) -> None:
    index = CellIndex(names, AXES)
    table = np.array(rows, np.int16).reshape(-1, 3)
    columns = {"n": table[:, 0], "m": table[:, 1].astype(np.int32), "level": table[:, 2]}
    cells = index.number(columns, len(rows))
    assert cells.dtype == np.int64
    for (n, m, level), cell in zip(rows, cells.tolist(), strict=True):
        own = {"n": n, "m": m, "level": AXES["level"].values[level]}
        assert index.values(cell) == {name: own[name] for name in names}


def test_a_source_that_lacks_an_axis_has_its_own_cells() -> None:
    index = CellIndex(["n", "level"], AXES)
    cells = index.number({"n": np.array([0, 3], np.int16)}, 2).tolist()
    assert [index.values(cell) for cell in cells] == [
        {"n": 0, "level": None},
        {"n": 3, "level": None},
    ]
    nothing = index.number({}, 2).tolist()
    assert index.values(nothing[0]) == {"n": None, "level": None}
    assert nothing[0] == nothing[1]


@pytest.mark.parametrize("n", [0, 4])
def test_without_balance_there_is_one_cell(n: int) -> None:
    index = CellIndex((), AXES)
    assert index.size == 1
    assert index.number({"n": np.arange(n)}, n).tolist() == [0] * n
    assert index.values(0) == {}
