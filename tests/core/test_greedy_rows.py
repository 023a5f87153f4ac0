"""Rows that have most of the structures nobody has yet."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.core.columns import ragged
from synthgen.core.steering import greedy_rows, rows_with

SETS = st.lists(st.lists(st.integers(0, 9), max_size=5), max_size=12)


def greedy(
    sets: list[list[int]], budget: int, times: int = 1, *, by_frequency: bool = False
) -> list[int]:
    """Return the rows chosen, of structures 0 to 9,999."""
    rows = ragged(sets, np.int32)
    weights = np.ones(10_000, np.int64)
    if by_frequency:
        weights = rows_with(rows.values, rows.offsets, len(weights))
    needs = np.full(len(weights), times)
    return greedy_rows(rows.values, rows.offsets, weights, needs, budget).tolist()


def by_hand(sets: list[list[int]], budget: int, times: int, by_frequency: bool) -> list[int]:
    every = {s for one in sets for s in one}
    weight = {s: sum(s in one for one in sets) if by_frequency else 1 for s in every}
    left = dict.fromkeys(every, times)
    rows: list[int] = []
    while len(rows) < budget:
        gain = {
            row: sum(weight[s] for s in set(one) if left[s] > 0)
            for row, one in enumerate(sets)
            if row not in rows
        }
        if not gain or max(gain.values()) == 0:
            break
        rows.append(min(gain, key=lambda row: (-gain[row], row)))
        for s in set(sets[rows[-1]]):
            left[s] -= 1
    return rows


def test_worked_example() -> None:
    assert greedy([[0, 1, 2], [2, 3], [3, 4, 5, 6], [0, 6]], 10) == [2, 0]


@given(SETS, st.integers(0, 14), st.integers(1, 3), st.booleans())
@settings(deadline=None)
def test_the_plain_rule(sets: list[list[int]], budget: int, times: int, by_frequency: bool) -> None:
    found = greedy(sets, budget, times, by_frequency=by_frequency)
    assert found == by_hand(sets, budget, times, by_frequency)


@given(SETS, st.integers(1, 3))
@settings(deadline=None)
def test_the_guarantee(sets: list[list[int]], budget: int) -> None:
    """A few rows have at least 1 - 1/e of what the best choice of as many has."""
    best = max(
        (len(set().union(*some)) for some in combinations(map(set, sets), min(budget, len(sets)))),
        default=0,
    )
    covered = {s for row in greedy(sets, budget) for s in sets[row]}
    assert len(covered) >= (1 - np.exp(-1)) * best


def test_many_rows_and_structures() -> None:
    rows = greedy([[i, i + 1] for i in range(9_000)], 9_000)
    assert rows[:4_500] == list(range(0, 9_000, 2))
    assert rows[4_500:] == [8_999]
