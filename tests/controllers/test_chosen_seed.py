"""Candidates that have all tuples that occur."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.controllers.chosen_seed import choose_seed, seed_of_block, tuple_needs
from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows

CODES = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 4)), max_size=60)


def tuples_of(codes: np.ndarray, strength: int) -> Counter[tuple[tuple[int, int], ...]]:
    return Counter(
        chosen for row in codes.tolist() for chosen in combinations(tuple(enumerate(row)), strength)
    )


def column_of(rows: list[tuple[int, ...]]) -> np.ndarray:
    return np.array(rows, np.int64).reshape(-1, 3)


@given(CODES, st.integers(1, 3), st.integers(1, 4), st.integers(1, 70))
@settings(deadline=None)
def test_every_tuple_occurs_as_often_as_wanted(
    rows: list[tuple[int, ...]], strength: int, times: int, block: int
) -> None:
    codes = column_of(rows)
    chosen = choose_seed(codes, strength, times, block)
    assert chosen.tolist() == sorted(set(chosen.tolist()))
    there, had = tuples_of(codes, strength), tuples_of(codes[chosen], strength)
    for one, count in there.items():
        assert had[one] >= min(times, count)


@given(CODES, CODES, st.integers(1, 2), st.integers(1, 20))
@settings(deadline=None)
def test_later_blocks_do_not_change_earlier_choices(
    rows: list[tuple[int, ...]], more: list[tuple[int, ...]], times: int, block: int
) -> None:
    needs, longer = tuple_needs((4, 3, 5), 2, times), tuple_needs((4, 3, 5), 2, times)
    first = seed_of_block(needs, column_of(rows))
    assert (seed_of_block(longer, column_of(rows)) == first).all()
    second = seed_of_block(longer, column_of(more))
    both = column_of(rows)[first], column_of(more)[second]
    wanted = tuples_of(column_of(rows + more), 2)
    had = tuples_of(np.concatenate(both), 2)
    assert all(had[one] >= min(times, count) for one, count in wanted.items())


def test_few_rows_are_chosen() -> None:
    codes = Rows.span(1, 0, 200_000).draws().integers(0, 6, size=4)
    chosen = choose_seed(codes, 2)
    assert len(tuples_of(codes[chosen], 2)) == 6 * 36
    assert 36 <= len(chosen) <= 2 * 36 + 4
    assert chosen.max() < 65_536
    assert 50 * 36 <= len(choose_seed(codes, 2, times=50)) <= 55 * 36


def test_a_row_whose_tuples_are_all_had_is_not_chosen() -> None:
    codes = np.array([[0, 0], [0, 0], [1, 1], [0, 1]])
    assert choose_seed(codes, 2).tolist() == [0, 2, 3]
    assert choose_seed(codes, 2, times=2).tolist() == [0, 1, 2, 3]
    assert choose_seed(codes, 1).tolist() == [0, 2]


def test_no_candidates() -> None:
    assert choose_seed(np.zeros((0, 2), np.int64), 2).tolist() == []


def test_bad_arguments_are_named() -> None:
    with pytest.raises(ParamError, match="strength"):
        choose_seed(np.zeros((1, 2), np.int64), 3)
    with pytest.raises(ParamError, match="codes"):
        choose_seed(np.array([[-1, 0]]), 1)
    with pytest.raises(ParamError, match="codes"):
        choose_seed(np.zeros((1, 0), np.int64), 1)
    with pytest.raises(ParamError, match="codes"):
        seed_of_block(tuple_needs((2, 2), 1), np.zeros((1, 3), np.int64))
    with pytest.raises(ParamError, match="tuples"):
        tuple_needs((1 << 20, 1 << 20), 2)
    with pytest.raises(ParamError, match="times"):
        tuple_needs((2, 2), 1, 0)
    with pytest.raises(ParamError, match="block"):
        choose_seed(np.zeros((1, 2), np.int64), 1, block=0)
