"""Weights of cells."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.engine.plan.quota_cells import CellIndex
from synthgen.engine.steer.weights import PRIMES, CellWeights, halton, listed_cells, r2
from synthgen.recipe.schema import Law
from synthgen.rules.axes import Axis

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
    found = CellWeights(law(**keys), ONE, 100).weigh([0, 1, 2])
    assert found == pytest.approx(weights)
    assert CellWeights(law(**keys), ONE, 100).weigh([]).tolist() == []


def test_told_cells_alone_have_weight() -> None:
    weights = CellWeights(law(of=[[2, "mul", 3], [5, "add", 0], [4, "sub", 0.5]]), BOTH, 10)
    cells = [BOTH.cell_of(v) for v in ((2, "mul"), (3, "mul"), (5, "add"), (4, "sub"))]
    assert None not in cells
    assert weights.weigh([cell for cell in cells if cell is not None]).tolist() == [3, 0, 0, 0.5]
    never = weights.never()
    assert never is not None
    assert np.flatnonzero(~never).tolist() == sorted(c for c in (cells[0], cells[3]) if c)
    told = ((2, "mul"), 1.0), ((9, "mul"), 1.0), ((2,), 1.0), (("mul", 2), 1.0)
    assert listed_cells(told, BOTH) == {cells[0]: 1.0}


@pytest.mark.parametrize("name", ["halton", "r2"])
def test_points_lie_evenly_in_cells_without_null(name: str) -> None:
    weights = CellWeights(law(law=name), BOTH, 1200)
    counts = weights.weigh(range(BOTH.size))
    assert counts.sum() == 1200
    whole = BOTH.numbered(BOTH.levels())
    assert counts[whole].sum() == 1200
    assert counts[whole].tolist() == pytest.approx([100] * 12, abs=3)
    never = weights.never()
    assert never is not None
    assert never.tolist() == (counts == 0).tolist()


def test_other_laws_bar_no_cell() -> None:
    assert CellWeights(law(law="zipf"), ONE, 10).never() is None
    assert CellWeights(law(), ONE, 10).never() is None


def mirrored(index: int, base: int) -> Fraction:
    value, scale = Fraction(0), Fraction(1)
    while index:
        index, digit = divmod(index, base)
        scale /= base
        value += digit * scale
    return value


def test_published_points() -> None:
    first = np.arange(1, 5)
    assert halton(first, (2, 3)) == pytest.approx(
        np.array([[0.5, 0.3333], [0.25, 0.6667], [0.75, 0.1111], [0.125, 0.4444]]), abs=5e-5
    )
    assert r2(first) == pytest.approx(
        np.array(
            [
                [0.254878, 0.069840],
                [0.009755, 0.639681],
                [0.764633, 0.209521],
                [0.519511, 0.779361],
            ]
        ),
        abs=5e-7,
    )


@given(st.lists(st.integers(0, 2**31), max_size=20), st.sampled_from(PRIMES))
@settings(deadline=None)
def test_halton_mirrors_digits(indices: list[int], base: int) -> None:
    points = halton(np.array(indices, np.int64), (base,))
    assert points[:, 0].tolist() == [float(mirrored(index, base)) for index in indices]
    assert ((points >= 0) & (points < 1)).all()


def test_r2_of_one_dimension_steps_by_the_golden_ratio() -> None:
    golden = (5**0.5 - 1) / 2
    expected = [(0.5 + index * golden) % 1 for index in range(50)]
    assert r2(np.arange(50), 1)[:, 0] == pytest.approx(expected)


@given(st.integers(1, len(PRIMES)), st.integers(0, 10**12))
@settings(deadline=None)
def test_a_point_is_a_function_of_its_index(dimensions: int, index: int) -> None:
    alone = r2(np.array([index]), dimensions)
    assert (r2(np.array([3, index]), dimensions)[1] == alone[0]).all()
    assert ((alone >= 0) & (alone < 1)).all()


SIZES = st.lists(st.integers(1, 10**6), min_size=4, max_size=4)


@given(SIZES, st.floats(0.1, 100))
@settings(deadline=None)
def test_temperature_is_the_root_of_shares_of_the_largest(
    sizes: list[int], temperature: float
) -> None:
    of = [[value, size] for value, size in zip(range(2, 6), sizes, strict=True)]
    found = CellWeights(law(of=of, temperature=temperature), ONE, 10).weigh([0, 1, 2, 3])
    expected = [(size / max(sizes)) ** (1 / temperature) for size in sizes]
    assert found / found.max() == pytest.approx(expected, rel=1e-11)
