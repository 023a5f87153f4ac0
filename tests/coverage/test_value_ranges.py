"""Ranges against lists of numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.errors import ParamError
from synthgen.coverage.value_ranges import Beyond, Range

LARGEST = 2**63 - 1
NUMBERS = st.lists(
    st.integers(-300, 300) | st.integers(-LARGEST, LARGEST) | st.integers(0, 5_000), max_size=20
)


def column(values: list[int]) -> np.ndarray:
    return np.array(values, np.int64)


@given(NUMBERS, st.integers(0, 20))
def test_bounds_and_sums_are_exact(values: list[int], cut: int) -> None:
    found, rest = Range(column(values[cut:])), Range()
    rest.add(column(values[:cut]))
    found.merge(rest)
    assert (found.n, found.total) == (len(values), sum(values))
    assert (found.low, found.high) == (min(values, default=None), max(values, default=None))
    if values:
        assert found.mean == sum(values) / len(values)
    starts, counts = found.histogram()
    whole = Range(column(values)).histogram()
    assert (starts.tolist(), counts.tolist()) == (whole[0].tolist(), whole[1].tolist())


@given(NUMBERS.filter(bool), st.floats(0, 1))
def test_histograms_are_fine(values: list[int], share: float) -> None:
    found = Range(column(values))
    starts, counts = found.histogram()
    assert counts.sum() == len(values)
    assert (np.diff(starts.astype(object)) > 0).all()
    expected = sorted(values)[max(math.ceil(share * len(values) - 1e-9), 1) - 1]
    quantile = found.quantile(share)
    assert quantile is not None
    assert abs(quantile - expected) <= (abs(expected) // 32 if abs(expected) >= 256 else 0)


@pytest.mark.parametrize("value", [0, 255, 256, 257, 511, 512, LARGEST, -255, -256, -LARGEST])
def test_bins_at_their_edges(value: int) -> None:
    (start,), _ = Range(column([value])).histogram()
    assert abs(int(start)) <= abs(value) < abs(int(start)) * 33 / 32 + 1
    assert (start < 0) == (value < 0)


@given(NUMBERS, NUMBERS)
def test_what_lies_beyond(train: list[int], test: list[int]) -> None:
    found = Beyond(Range(column(train)))
    found.add(column(test[:3]))
    found.add(column(test[3:]))
    shift = found.shift
    above = [value for value in test if not train or value > max(train)]
    below = [value for value in test if train and value < min(train)]
    assert (shift.above, shift.below, shift.n) == (len(above), len(below), len(test))
    assert found.test.total == sum(test)
    if test:
        assert shift.beyond == (len(above) + len(below)) / len(test)
    if test and train and sum(train):
        means = sum(train) / len(train), sum(test) / len(test)
        assert shift.mean == means[1] - means[0]
        assert shift.relative == pytest.approx((means[1] - means[0]) / abs(means[0]))


def test_a_worked_shift() -> None:
    lengths = Beyond(Range(column([1, 22, 7, 10])))
    lengths.add(column([24, 48, 20, 8]))
    shift = lengths.shift
    assert (shift.mean, shift.relative, shift.beyond) == (15.0, 1.5, 0.5)
    empty = Beyond(Range()).shift
    assert all(math.isnan(value) for value in (empty.mean, empty.relative, empty.beyond))


def test_small_dtypes_and_quantiles_of_nothing() -> None:
    assert Range(np.array([True, False])).total == 1
    assert Range(np.array([200, 255], np.uint8)).total == 455
    assert Range().quantile(0.5) is None


def test_arguments_that_do_not_fit() -> None:
    with pytest.raises(ParamError, match=r"values='float64 \(1,\)': expected a vector of integers"):
        Range(np.array([0.5]))
    with pytest.raises(ParamError, match=r"largest value=18446744073709551615"):
        Range(np.array([2**64 - 1], np.uint64))
    with pytest.raises(ParamError, match=r"smallest value"):
        Range(column([-(2**63)]))
    with pytest.raises(ParamError, match=r"share=2.0"):
        Range(column([1])).quantile(2.0)
