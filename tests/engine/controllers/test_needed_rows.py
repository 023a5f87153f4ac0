"""Rows that have what is needed, against plain models of them."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from synthgen.core.columns import Ragged, ragged
from synthgen.core.steering import (
    NOTHING,
    count_units,
    distinct_in_rows,
    lower_needs,
    take_needed,
)

UNITS = 5
ROWS = st.lists(st.sets(st.integers(0, 7)), max_size=14)
NEEDS = st.lists(st.integers(0, 4), min_size=UNITS, max_size=UNITS)


@st.composite
def meanings(draw: st.DrawFn) -> list[int]:
    """Different numbers of a block have different units, but for those that count for nothing."""
    units = draw(st.permutations(range(UNITS)))
    places = draw(st.permutations(range(8)))
    found = [NOTHING] * 8
    for place, unit in zip(places[:UNITS], units, strict=True):
        found[place] = unit
    return found


def column(rows: list[set[int]]) -> Ragged:
    return ragged([sorted(row) for row in rows], np.int32)


def units_of(rows: list[set[int]], meaning: list[int]) -> list[set[int]]:
    return [{meaning[number] for number in row} - {NOTHING} for row in rows]


def after(needs: list[int], rows: list[set[int]]) -> list[int]:
    """Return what is needed beyond what rows have."""
    had = [sum(unit in row for row in rows) for unit in range(UNITS)]
    return [max(0, need - have) for need, have in zip(needs, had, strict=True)]


def some_of(rows: list[set[int]], data: st.DataObject) -> list[int]:
    return sorted(data.draw(st.sets(st.integers(0, len(rows) - 1), max_size=4))) if rows else []


def taken_by_kernel(
    rows: list[set[int]], meaning: list[int], needs: list[int], before: list[int]
) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    told, left = column(rows), np.array(needs)
    taken = np.zeros(len(rows), bool)
    taken[before] = True
    places = np.arange(len(rows))
    take_needed(told.values, told.offsets, places, np.array(meaning), left, taken)
    return taken, left


@given(ROWS, meanings(), NEEDS, st.data())
@settings(max_examples=200)
def test_all_is_taken_that_rows_can_give(
    rows: list[set[int]], meaning: list[int], needs: list[int], data: st.DataObject
) -> None:
    before = some_of(rows, data)
    taken, left = taken_by_kernel(rows, meaning, needs, before)
    units = units_of(rows, meaning)
    chosen = [row for row, is_taken in zip(units, taken.tolist(), strict=True) if is_taken]
    assert left.tolist() == after(needs, chosen)
    assert left.tolist() == after(needs, units)  # no other row has anything that is needed
    assert taken[before].all()
    needed = after(needs, [units[place] for place in before])
    assert int(taken.sum()) - len(before) <= sum(needed)


def test_rows_with_half_of_the_most_come_first_and_what_is_taken_counts_before() -> None:
    rows = [{0}, {1}, {0, 1, 2}, {2}, {0, 1}]
    meaning = [0, 1, 2, 3, 4, NOTHING, NOTHING, NOTHING]
    assert np.flatnonzero(taken_by_kernel(rows, meaning, [1] * 5, [])[0]).tolist() == [2]
    assert np.flatnonzero(taken_by_kernel(rows, meaning, [1] * 5, [0])[0]).tolist() == [0, 1, 2]
    assert np.flatnonzero(taken_by_kernel(rows, meaning, [1, 1, 0, 0, 0], [4])[0]).tolist() == [4]
    assert not taken_by_kernel(rows, meaning, [0] * 5, [])[0].any()
    assert not taken_by_kernel(rows, [NOTHING] * 8, [3] * 5, [])[0].any()


@given(ROWS, meanings(), NEEDS, st.data())
def test_only_the_rows_that_count_are_counted(
    rows: list[set[int]], meaning: list[int], needs: list[int], data: st.DataObject
) -> None:
    some = np.array(some_of(rows, data), np.int64)
    told, units = column(rows), units_of(rows, meaning)
    own = [units[place] for place in some.tolist()]
    seen, left = np.full(UNITS, 3), np.array(needs)
    count_units(told.values, told.offsets, some, np.array(meaning), seen)
    lower_needs(told.values, told.offsets, some, np.array(meaning), left)
    assert seen.tolist() == [3 + sum(unit in row for row in own) for unit in range(UNITS)]
    assert left.tolist() == after(needs, own)


@given(st.lists(st.lists(st.integers(0, 9), max_size=8), max_size=10))
def test_numbers_of_a_row_once_each_in_their_order(rows: list[list[int]]) -> None:
    told = ragged(rows, np.uint16)
    values, offsets = distinct_in_rows(told.values, told.offsets, 10)
    found = [part.tolist() for part in np.split(values, offsets[1:-1])] if rows else []
    assert found == [list(dict.fromkeys(row)) for row in rows]
    assert values.dtype == told.values.dtype
