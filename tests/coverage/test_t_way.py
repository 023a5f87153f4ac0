"""t-way coverage and set differences: NIST's example, a worked split, and naive counting."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.coverage.combination_counts import Cell, CombinationCounts
from synthgen.coverage.t_way import (
    coverage,
    difference_cells,
    missing_cells,
    set_difference,
)

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
