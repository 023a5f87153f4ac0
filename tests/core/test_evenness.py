"""Evenness of counts, against values worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.evenness import evenness


@pytest.mark.parametrize(
    ("counts", "values", "entropy", "gini", "most"),
    [
        ([], 0, 0.0, 0.0, 0),
        ([0, 7, 0], 1, 0.0, 0.0, 7),
        ([5, 5, 5, 5], 4, 2.0, 0.0, 5),
        ([1, 3], 2, 0.811278, 0.25, 3),
        ([1, 1, 2], 3, 1.5, 1 / 6, 2),
    ],
)
def test_worked_values(
    counts: list[int], values: int, entropy: float, gini: float, most: int
) -> None:
    found = evenness(np.array(counts, np.int64))
    assert (found.values, found.most) == (values, most)
    assert found.entropy == pytest.approx(entropy, abs=1e-6)
    assert found.effective == pytest.approx(2**entropy if values else 0, abs=1e-5)
    assert found.gini == pytest.approx(gini, abs=1e-12)


@given(st.lists(st.integers(0, 10**6), max_size=50))
def test_bounds_and_order(counts: list[int]) -> None:
    found = evenness(np.array(counts, np.int64))
    assert found == evenness(np.array(counts[::-1], np.int64))
    assert 0 <= found.entropy <= math.log2(max(1, found.values)) + 1e-9
    assert 0 <= found.gini < 1
    assert found.effective <= found.values + 1e-6
