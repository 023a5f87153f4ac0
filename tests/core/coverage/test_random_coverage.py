"""Coverage of random rows: worked values, and exact probabilities of small cases."""

from __future__ import annotations

import math
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.coverage.random_coverage import (
    expected_coverage,
    expected_total_coverage,
    mean_rows_for_all,
    rows_for_all,
    rows_for_share,
)
from synthgen.core.errors import ParamError


@pytest.mark.parametrize(("rows", "share"), [(100, 0.634), (200, 0.866), (400, 0.982)])
def test_worked_expected_coverage(rows: int, share: float) -> None:
    assert expected_coverage(rows, 100) == pytest.approx(share, abs=5e-4)
    assert expected_total_coverage(rows, [100] * 10) == pytest.approx(share, abs=5e-4)


@pytest.mark.parametrize(
    ("cells", "sure", "mean", "most"),
    [(10, 66, 29.3, 44), (100, 917, 518.7, 459), (1000, 11_508, 7485.5, 4603)],
)
def test_worked_numbers_of_rows(cells: int, sure: int, mean: float, most: int) -> None:
    assert rows_for_all(cells) == sure
    assert mean_rows_for_all(cells) == pytest.approx(mean, abs=0.05)
    assert rows_for_share(cells) == most


@given(st.integers(1, 4), st.integers(0, 5))
def test_expected_coverage_is_a_mean(cells: int, rows: int) -> None:
    hit = [len(set(row)) / cells for row in product(range(cells), repeat=rows)]
    assert expected_coverage(rows, cells) == pytest.approx(sum(hit) / len(hit))


@given(st.integers(2, 10**6), st.floats(0.01, 0.99))
def test_rows_are_the_fewest(cells: int, share: float) -> None:
    rows = rows_for_share(cells, share)
    assert expected_coverage(rows, cells) >= share - 1e-9
    assert expected_coverage(rows - 1, cells) < share + 1e-9
    assert rows_for_all(cells, share) >= rows


def test_unequal_combinations_weigh_by_their_cells() -> None:
    expected = (10 * expected_coverage(50, 10) + 1000 * expected_coverage(50, 1000)) / 1010
    assert expected_total_coverage(50, [10, 1000]) == pytest.approx(expected)


def test_the_mean_of_very_many_cells() -> None:
    cells = (1 << 20) + 1
    exact = cells * math.fsum(1 / j for j in range(1, cells + 1))
    assert mean_rows_for_all(cells) == pytest.approx(exact, rel=1e-12)
    assert (mean_rows_for_all(1), rows_for_all(1)) == (1.0, 1)


def test_arguments_out_of_range() -> None:
    with pytest.raises(ParamError, match=r"probability=1.0"):
        rows_for_all(10, 1.0)
    with pytest.raises(ParamError, match=r"cells=0"):
        rows_for_share(0)
    with pytest.raises(ParamError, match=r"cells=\(\): expected one number"):
        expected_total_coverage(5, [])
