from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.auditing.tallies import Histogram, histograms
from synthgen.trees.content_keys import Keys
from synthgen.verifying.counts import (
    cell_counts,
    largest_shares,
    positions_in,
    positions_not_in,
)

key_lists = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=12)


def keys(pairs: list[tuple[int, int]]) -> Keys:
    return np.array(pairs, np.uint64).reshape(-1, 2)


@given(left=key_lists, right=key_lists)
@settings(max_examples=50, deadline=None)
def test_positions_are_those_of_keys_in_both_or_in_one(
    left: list[tuple[int, int]], right: list[tuple[int, int]]
) -> None:
    inside = [i for i, key in enumerate(left) if key in right]
    outside = [i for i, key in enumerate(left) if key not in right]
    assert positions_in(keys(left), keys(right), 3) == inside[:3]
    assert positions_not_in(keys(left), keys(right), 3) == (len(outside), outside[:3])


FRAME = pl.LazyFrame(
    {"a": [1, 1, 2, None, 2, 2], "b": ["x", "x", "y", "y", "x", "y"]},
    schema={"a": pl.Int16, "b": pl.String},
)


def test_cells_are_counted_with_their_nulls() -> None:
    assert cell_counts(FRAME, ["a"]) == {(1,): 2, (2,): 3, (None,): 1}
    assert cell_counts(FRAME, ["b", "a"])[("y", 2)] == 2
    assert cell_counts(FRAME, []) == {(): 6}


def test_largest_shares_count_only_what_is_counted() -> None:
    every = {
        s.cell: (s.value, s.rows, s.size)
        for s in largest_shares(FRAME, ["a"], "b", pl.lit(value=True))
    }
    assert every == {(1,): ("x", 2, 2), (2,): ("y", 2, 3), (None,): ("y", 1, 1)}
    some = largest_shares(FRAME, [], "a", pl.col("b") == "x")
    assert [(s.value, s.rows, s.size) for s in some] == [(1, 2, 6)]


def histogram_of(
    values: Sequence[int | str | None], dtype: type[pl.DataType] = pl.Int64
) -> Histogram:
    frame = pl.LazyFrame({"axis": values}, schema={"axis": dtype})
    return histograms(frame, ["axis"])[0]


@given(values=st.lists(st.none() | st.integers(-(2**63), 2**63 - 1), max_size=80))
@settings(max_examples=60, deadline=None)
def test_histograms_hold_every_value_once(values: list[int | None]) -> None:
    found = histogram_of(values)
    there = [value for value in values if value is not None]
    assert (found.rows, found.nulls) == (len(there), len(values) - len(there))
    assert found.distinct == len(set(there))
    assert sum(each.rows for each in found.bins) == len(there)
    assert found.others == 0
    for each in found.bins:
        assert each.rows == sum(int(each.first) <= value <= int(each.last) for value in there)
    if there:
        assert (found.low, found.high) == (min(there), max(there))
        assert found.mean == sum(there) / len(there)


def test_many_values_become_twenty_bins() -> None:
    found = histogram_of(list(range(1000)))
    assert [each.rows for each in found.bins] == [50] * 20
    assert (found.bins[1].first, found.bins[1].last) == (50, 99)
    extremes = histogram_of([-(2**63), 2**63 - 1, *range(60)])
    assert len(extremes.bins) == 20
    assert (extremes.bins[0].first, extremes.bins[-1].last) == (-(2**63), 2**63 - 1)


def test_few_values_keep_their_own_bins() -> None:
    found = histogram_of([5, 3, 3])
    assert [(each.first, each.rows) for each in found.bins] == [(3, 2), (5, 1)]


def test_texts_are_counted_most_frequent_first() -> None:
    values = ["b", "a", "b", "c", *(f"rare {i}" for i in range(60))]
    found = histogram_of(values, pl.String)
    assert [(each.first, each.rows) for each in found.bins[:3]] == [("b", 2), ("a", 1), ("c", 1)]
    assert found.others == len(values) - sum(each.rows for each in found.bins) > 0
    assert found.mean is None
    assert found.distinct == len(Counter(values))


def test_an_empty_axis_has_no_numbers() -> None:
    found = histogram_of([None, None])
    assert (found.rows, found.nulls, found.low, found.mean, found.bins) == (0, 2, None, None, ())
    assert pytest.approx(histogram_of([1, 2]).mean) == 1.5
