"""Rows that have most of the structures nobody has yet."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.core.columns import ragged
from synthgen.core.errors import ParamError
from synthgen.engine.steer import greedy_coverage

SETS = st.lists(st.lists(st.integers(0, 9), max_size=5), max_size=12)
A, B, C, D, E, F, G = range(7)
WORKED = [[A, B, C], [C, D], [D, E, F, G], [A, G]]


def by_hand(
    sets: list[list[int]], budget: int, times: int, by_frequency: bool, again: bool
) -> tuple[list[int], list[int]]:
    every = {s for one in sets for s in one}
    weight = {s: sum(s in one for one in sets) if by_frequency else 1 for s in every}
    left = dict.fromkeys(every, times)
    rows: list[int] = []
    gains: list[int] = []
    fresh = True
    while len(rows) < budget:
        gain = {
            row: sum(weight[s] for s in set(one) if left[s] > 0)
            for row, one in enumerate(sets)
            if row not in rows
        }
        if not gain or max(gain.values()) == 0:
            if fresh or not again:
                break
            left, fresh = dict.fromkeys(every, times), True
            continue
        best = min(gain, key=lambda row: (-gain[row], row))
        rows.append(best)
        gains.append(gain[best])
        fresh = False
        for s in set(sets[best]):
            left[s] -= 1
    return rows, gains


def test_worked_example() -> None:
    chosen = greedy_coverage(ragged(WORKED), 10)
    assert chosen.rows.tolist() == [2, 0]
    assert chosen.gains.tolist() == [4, 3]
    assert (chosen.covered, chosen.total) == (7, 7)


def test_again_goes_on_with_the_rows_left() -> None:
    chosen = greedy_coverage(ragged(WORKED), 10, again=True)
    assert chosen.rows.tolist() == [2, 0, 1, 3]
    assert chosen.gains.tolist() == [4, 3, 2, 2]


@given(SETS, st.integers(0, 14), st.integers(1, 3), st.booleans(), st.booleans())
@settings(deadline=None)
def test_the_plain_rule(
    sets: list[list[int]], budget: int, times: int, by_frequency: bool, again: bool
) -> None:
    chosen = greedy_coverage(
        ragged(sets, np.int64), budget, times=times, by_frequency=by_frequency, again=again
    )
    rows, gains = by_hand(sets, budget, times, by_frequency, again)
    assert chosen.rows.tolist() == rows
    assert chosen.gains.tolist() == gains
    assert chosen.covered == len({s for row in rows for s in sets[row]})


@given(SETS, st.integers(1, 3))
@settings(deadline=None)
def test_the_guarantee(sets: list[list[int]], budget: int) -> None:
    """A few rows have at least 1 - 1/e of what the best choice of as many has."""
    best = max(
        (len(set().union(*some)) for some in combinations(map(set, sets), min(budget, len(sets)))),
        default=0,
    )
    covered = greedy_coverage(ragged(sets, np.int64), budget).covered
    assert covered >= (1 - np.exp(-1)) * best


@given(SETS)
@settings(deadline=None)
def test_names_of_structures_do_not_matter(sets: list[list[int]]) -> None:
    renamed = [[s * 0x9E3779B97F4A7C15 % 2**64 for s in one] for one in sets]
    plain = greedy_coverage(ragged(sets, np.int64), 20)
    other = greedy_coverage(ragged(renamed, np.uint64), 20)
    assert plain.rows.tolist() == other.rows.tolist()


def test_many_rows_and_structures() -> None:
    """More structures than the table of numbers begins with, each in two rows."""
    rows = [[i, i + 1] for i in range(9_000)]
    chosen = greedy_coverage(ragged(rows, np.int64), 9_000)
    assert (chosen.covered, chosen.total) == (9_001, 9_001)
    assert chosen.rows[:4_500].tolist() == list(range(0, 9_000, 2))
    assert chosen.rows[4_500:].tolist() == [8_999]


def test_bad_arguments_are_named() -> None:
    with pytest.raises(ParamError, match="budget"):
        greedy_coverage(ragged([[1]]), -1)
    with pytest.raises(ParamError, match="times"):
        greedy_coverage(ragged([[1]]), 1, times=0)
