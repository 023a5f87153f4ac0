"""Counts of configurations against counting with dictionaries."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from synthgen.core.errors import ParamError
from synthgen.coverage import combination_counts as module
from synthgen.coverage.combination_counts import Cell, CombinationCounts

Ints = NDArray[np.int64]


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[int], list[list[int]]]:
    """Sizes of factors, and rows of codes with some that are absent."""
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=5))
    row = st.tuples(*(st.integers(-1, size - 1) for size in sizes)).map(list)
    return sizes, draw(st.lists(row, max_size=20))


def columns(sizes: list[int], rows: list[list[int]]) -> list[Ints]:
    return list(np.array(rows, np.int64).reshape(len(rows), len(sizes)).T)


def naive(rows: list[list[int]], factors: tuple[int, ...]) -> Counter[tuple[int, ...]]:
    cells = (tuple(row[j] for j in factors) for row in rows)
    return Counter(cell for cell in cells if min(cell) >= 0)


@pytest.mark.parametrize("most_in_an_array", [1 << 22, 5])
@given(table=tables(), data=st.data())
def test_it_counts_every_configuration(
    most_in_an_array: int, table: tuple[list[int], list[list[int]]], data: st.DataObject
) -> None:
    sizes, rows = table
    t = data.draw(st.integers(1, len(sizes)))
    cut = data.draw(st.integers(0, len(rows)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_ARRAY_CELLS", most_in_an_array)
        counts, rest = CombinationCounts(sizes, t), CombinationCounts(sizes, t)
    counts.add(columns(sizes, rows[:cut]))
    rest.add(columns(sizes, rows[cut:]))
    counts.merge(rest)
    assert counts.rows == len(rows)
    assert list(counts.combinations) == list(combinations(range(len(sizes)), t))
    for c, factors in enumerate(counts.combinations):
        expected = naive(rows, factors)
        numbers = np.concatenate([*counts.chunks(c)])
        values = counts.values_of(c, numbers)
        assert counts.numbers_of(c, values).tolist() == numbers.tolist()
        found = counts.counts_of(c, numbers).tolist()
        assert found == [expected[tuple(cell)] for cell in values.T.tolist()]
        assert counts.table(factors).ravel().tolist() == found
        cells = [counts.cell(c, number) for number in counts.occupied(c).tolist()]
        assert cells == [Cell(factors, values) for values in sorted(expected)]


def test_combinations_of_very_many_cells_are_exact() -> None:
    sizes = [2**21 - 1, 2**21 - 1, 2**21]
    counts = CombinationCounts(sizes, 3)
    last = [size - 1 for size in sizes]
    counts.add(columns(sizes, [last, [0, 0, 0], last, [0, 0, -1]]))
    numbers = counts.occupied(0)
    assert counts.counts_of(0, numbers).tolist() == [1, 2]
    assert counts.cell(0, int(numbers[1])) == Cell((0, 1, 2), tuple(last))


@pytest.mark.parametrize(
    ("sizes", "t", "message"),
    [
        ([2, 0], 1, r"size=0: expected an integer from 1"),
        ([2, 2], 3, r"t=3: expected an integer from 1 to 2"),
        ([2] * 60, 4, r"t=4: expected at most 10000 combinations"),
        ([2**31 - 1] * 3, 3, r"cells in a combination"),
    ],
)
def test_factors_out_of_range(sizes: list[int], t: int, message: str) -> None:
    with pytest.raises(ParamError, match=message):
        CombinationCounts(sizes, t)


def test_columns_that_do_not_fit() -> None:
    counts = CombinationCounts([2, 3], 2)
    with pytest.raises(ParamError, match=r"codes of factor 1=\(0, 3\): expected from -1 to 2"):
        counts.add([np.array([0, 1]), np.array([0, 3])])
    with pytest.raises(ParamError, match=r"2 columns of equal length"):
        counts.add([np.array([0, 1])])
    with pytest.raises(ParamError, match=r"counts=.*those of \(2, 3\), t=2"):
        counts.merge(CombinationCounts([2, 3], 1))
    with pytest.raises(ParamError, match=r"factors=\(1, 0\)"):
        counts.table((1, 0))
