"""Effective numbers and evenness: worked values and laws."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.errors import ParamError
from synthgen.coverage.evenness import evenness, hill_number

COUNTS = st.lists(st.integers(0, 10**9), min_size=1, max_size=40)
ORDERS = st.one_of(st.floats(0, 20), st.just(math.inf))


@pytest.mark.parametrize(("q", "value"), [(0, 3), (1, 2.8284), (2, 2.6667), (math.inf, 2)])
def test_worked_hill_numbers(q: float, value: float) -> None:
    assert hill_number(np.array([2, 1, 1]), q) == pytest.approx(value, abs=5e-5)


@given(COUNTS, ORDERS, ORDERS)
def test_bounds_and_order(counts: list[int], low: float, high: float) -> None:
    low, high = sorted((low, high))
    some = sum(count > 0 for count in counts)
    values = [hill_number(np.array(counts), q) for q in (low, high)]
    if not some:
        assert values == [0.0, 0.0]
        return
    assert 1 - 1e-9 <= values[1] <= values[0] * (1 + 1e-6)
    assert values[0] <= some * (1 + 1e-9)
    assert values[0] == hill_number(np.array([*counts[::-1], 0]), low)


@given(COUNTS)
def test_order_1_is_that_of_entropy(counts: list[int]) -> None:
    expected = evenness(np.array(counts)).effective
    assert hill_number(np.array(counts), 1) == pytest.approx(expected, rel=1e-9)


@given(st.integers(1, 50), ORDERS)
def test_equal_weights_count_fully(n: int, q: float) -> None:
    assert hill_number(np.full(n, 0.3), q) == pytest.approx(n)


def test_very_high_orders_do_not_vanish() -> None:
    found = hill_number(np.array([3, 1]), 5_000.0)
    assert found == pytest.approx(4 / 3, rel=1e-3)


def test_arguments_out_of_range() -> None:
    with pytest.raises(ParamError, match=r"q=-1: expected an order"):
        hill_number(np.array([1]), -1)
    with pytest.raises(ParamError, match=r"q=nan"):
        hill_number(np.array([1]), math.nan)
    with pytest.raises(ParamError, match=r"weights='negative or infinite'"):
        hill_number(np.array([1.0, -0.5]), 1)
