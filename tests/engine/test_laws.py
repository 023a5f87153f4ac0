"""Weights of cells."""

from __future__ import annotations

import numpy as np
import pytest

from synthgen.core.contract import Axis
from synthgen.engine.cells import CellIndex
from synthgen.engine.laws import CellWeights, listed_cells
from synthgen.recipe.schema import Law

AXES = {"n": Axis("number", "int16", 2, 5), "op": Axis("name", values=("add", "mul", "sub"))}
ONE, BOTH = CellIndex(("n",), AXES), CellIndex(("n", "op"), AXES)


def law(**keys: object) -> Law:
    return Law.model_validate(keys)


@pytest.mark.parametrize(
    ("keys", "weights"),
    [
        ({}, [1, 1, 1]),
        ({"law": "zipf"}, [1, 1 / 2, 1 / 3]),
        ({"law": "zipf", "exponent": 2}, [1, 1 / 4, 1 / 9]),
        ({"law": "zipf", "exponent": 0}, [1, 1, 1]),
        ({"law": "geometric"}, [1, 0.5, 0.25]),
        ({"law": "geometric", "ratio": 0.5, "temperature": 2.0}, [1, 0.5**0.5, 0.5]),
        ({"of": [[2, 9], [4, 1]], "temperature": 2.0}, [1, 0, 1 / 3]),
    ],
)
def test_laws_go_by_the_rank_of_the_cells_there_are(
    keys: dict[str, object], weights: list[float]
) -> None:
    found = CellWeights(law(**keys), ONE, 100).of([0, 1, 2])
    assert found == pytest.approx(weights)
    assert CellWeights(law(**keys), ONE, 100).of([]).tolist() == []


def test_told_cells_alone_have_weight() -> None:
    weights = CellWeights(law(of=[[2, "mul", 3], [5, "add", 0], [4, "sub", 0.5]]), BOTH, 10)
    cells = [BOTH.cell_of(v) for v in ((2, "mul"), (3, "mul"), (5, "add"), (4, "sub"))]
    assert None not in cells
    assert weights.of([cell for cell in cells if cell is not None]).tolist() == [3, 0, 0, 0.5]
    never = weights.never()
    assert never is not None
    assert np.flatnonzero(~never).tolist() == sorted(c for c in (cells[0], cells[3]) if c)
    told = ((2, "mul"), 1.0), ((9, "mul"), 1.0), ((2,), 1.0), (("mul", 2), 1.0)
    assert listed_cells(told, BOTH) == {cells[0]: 1.0}


@pytest.mark.parametrize("name", ["halton", "r2"])
def test_points_lie_evenly_in_cells_without_null(name: str) -> None:
    weights = CellWeights(law(law=name), BOTH, 1200)
    counts = weights.of(range(BOTH.size))
    assert counts.sum() == 1200
    assert counts[~BOTH.without_null()].sum() == 0
    assert counts[BOTH.without_null()].tolist() == pytest.approx([100] * 12, abs=3)
    never = weights.never()
    assert never is not None
    assert never.tolist() == (counts == 0).tolist()


def test_other_laws_bar_no_cell() -> None:
    assert CellWeights(law(law="zipf"), ONE, 10).never() is None
    assert CellWeights(law(), ONE, 10).never() is None
