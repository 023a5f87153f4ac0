"""t-way counts and coverage: worked tables, and plain Python counts."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from synthgen.core.errors import ParamError
from synthgen.coverage import t_way as module
from synthgen.coverage.t_way import (
    Cell,
    CombinationCounts,
    coverage,
    difference_cells,
    missing_cells,
    set_difference,
)

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


NIST = ["0000", "0110", "1001", "0111"]
BITS = st.lists(st.text("01", min_size=4, max_size=4), min_size=1, max_size=9)


def counts_of(rows: list[str], t: int, values: int = 2) -> CombinationCounts:
    codes = np.array([[int(char) for char in row] for row in rows], np.int64)
    counts = CombinationCounts([values] * codes.shape[1], t)
    counts.add(list(codes.T))
    return counts


@pytest.mark.parametrize(
    ("t", "hits", "cells"),
    [(1, 8, 8), (2, 19, 24), (3, 15, 32), (4, 4, 16)],
)
def test_the_nist_example(t: int, hits: int, cells: int) -> None:
    found = coverage(counts_of(NIST, t))
    assert (sum(found.hits), sum(found.cells)) == (hits, cells)
    assert found.total == hits / cells


def test_the_pairs_of_the_nist_example() -> None:
    counts = counts_of(NIST, 2)
    found = coverage(counts)
    assert found.total == pytest.approx(0.7917, abs=5e-5)
    assert found.each.tolist() == [0.75, 0.75, 0.75, 0.5, 1.0, 1.0]
    assert (found.minimum, found.weakest) == (0.5, (1, 2))
    missing = missing_cells(counts)
    assert missing == [
        Cell((0, 1), (1, 1)),
        Cell((0, 2), (1, 1)),
        Cell((0, 3), (1, 0)),
        Cell((1, 2), (0, 1)),
        Cell((1, 2), (1, 0)),
    ]
    assert missing_cells(counts, 2) == missing[:2]


@pytest.mark.parametrize(("t", "hits", "cells"), [(1, 0, 6), (2, 3, 6), (3, 2, 2)])
def test_a_worked_split(t: int, hits: int, cells: int) -> None:
    found = set_difference(counts_of(["110", "001"], t), counts_of(["000", "011", "101"], t))
    assert (sum(found.hits), sum(found.cells)) == (hits, cells)


@given(BITS, BITS, st.integers(1, 4))
def test_a_difference_is_that_of_sets(test: list[str], train: list[str], t: int) -> None:
    both = counts_of(test, t), counts_of(train, t)
    found = set_difference(*both)
    lacking = []
    for c, factors in enumerate(found.combinations):
        sides = [{tuple(row[j] for j in factors) for row in rows} for rows in (test, train)]
        assert (found.cells[c], found.hits[c]) == (len(sides[0]), len(sides[0] - sides[1]))
        lacking += [Cell(factors, tuple(map(int, cell))) for cell in sorted(sides[0] - sides[1])]
    assert difference_cells(*both, limit=1000) == lacking
    assert difference_cells(*both, limit=1) == lacking[:1]


@given(BITS, st.integers(1, 3))
def test_missing_cells_are_those_of_no_row(rows: list[str], t: int) -> None:
    counts = counts_of(rows, t)
    expected = [
        Cell(factors, tuple(map(int, cell)))
        for factors in counts.combinations
        for cell in product("01", repeat=t)
        if cell not in [tuple(row[j] for j in factors) for row in rows]
    ]
    assert missing_cells(counts, 1000) == expected
    found = coverage(counts)
    assert sum(found.cells) - sum(found.hits) == len(expected)


def test_combinations_without_a_cell() -> None:
    nothing = CombinationCounts([2, 2], 1)
    found = set_difference(nothing, nothing)
    assert math.isnan(found.total)
    assert math.isnan(found.minimum)
    assert found.weakest is None
    one = CombinationCounts([2, 2], 1)
    one.add([np.array([0]), np.array([-1])])
    found = set_difference(one, nothing)
    assert (found.total, found.minimum) == (1.0, 1.0)
