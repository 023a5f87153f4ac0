"""`limits.acceptance_floor`: how many addresses must be seen before a cell is given up."""

from __future__ import annotations

from pathlib import Path

import pytest

from synthgen.engine.select.split_state import SplitState
from tests.building import plan_of, write_recipe


@pytest.mark.parametrize(("floor", "enough"), [(1e-4, 260_000), (1e-5, 2_600_000), (1e-8, 2.6e9)])
def test_a_cell_is_given_up_only_where_the_floor_would_have_brought_rows(
    floor: float, enough: float, tmp_path: Path
) -> None:
    plan = plan_of(write_recipe(tmp_path))
    state = SplitState(plan.owners[-1], plan)
    state.close_poor_cells(floor, {0: int(enough * 0.99)})
    assert not state.finished()
    state.close_poor_cells(floor, {0: int(enough * 1.01)})
    assert state.finished()
