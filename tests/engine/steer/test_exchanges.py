"""Tallies under exchanges against tallies made anew, and rows with the most new structures."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.columns import ragged
from synthgen.engine.steer.exchanges import (
    Feature,
    change_of,
    divergence_after,
    exchange,
    feature_of,
    fill,
    no_change,
    unseen_after,
    weigh,
)
from synthgen.engine.steer.greedy import greedy_rows, rows_with
from synthgen.trees.divergence import chernoff_divergence

IDS = 6
ROWS = st.lists(st.lists(st.integers(0, IDS - 1), max_size=8), min_size=3, max_size=9)


def feature(rows: list[list[int]], exponent: float = 0.1) -> Feature:
    return feature_of(ragged(rows, np.int64), IDS, exponent)


def state(one: Feature) -> list[list[int]]:
    return [one.train.tolist(), one.test.tolist(), one.sums.tolist()]


@given(ROWS, st.data())
def test_exchanges_leave_what_a_fresh_tally_has(rows: list[list[int]], data: st.DataObject) -> None:
    n = len(rows)
    n_train = data.draw(st.integers(1, n - 2))
    n_test = data.draw(st.integers(1, n - 1 - n_train))
    places = np.array(data.draw(st.permutations(range(n))), np.int64)
    one, fresh = feature(rows), feature(rows)
    fill(one, places, n_train, n_test)
    used = n_train + n_test
    for _ in range(4):
        train_sign, test_sign, first, last, other_first, other_last = data.draw(
            st.sampled_from(
                [
                    (1, 0, 0, n_train, used, n),
                    (0, 1, n_train, used, used, n),
                    (1, -1, 0, n_train, n_train, used),
                ]
            )
        )
        place = data.draw(st.integers(first, last - 1))
        other = data.draw(st.integers(other_first, other_last - 1))
        out, to = places[place], places[other]
        change = change_of(one, out, to, train_sign, test_sign)
        expected = divergence_after(one, change), unseen_after(one, change)
        exchange(one, out, to, train_sign, test_sign, change)
        places[place], places[other] = to, out
        fill(fresh, places, n_train, n_test)
        assert state(one) == state(fresh)
        assert expected == (divergence_after(one, no_change()), unseen_after(one, no_change()))


@given(ROWS, st.floats(0.05, 0.95))
def test_a_tally_has_the_divergence_of_its_counts(rows: list[list[int]], exponent: float) -> None:
    one = feature(rows, exponent)
    n_train = len(rows) // 2
    fill(one, np.arange(len(rows)), n_train, len(rows) - n_train)
    flat = [[one for row in part for one in row] for part in (rows[:n_train], rows[n_train:])]
    train, test = (np.bincount(np.array(part, np.int64), minlength=IDS) for part in flat)
    assert one.train.tolist() == train.tolist()
    assert one.test.tolist() == test.tolist()
    assert divergence_after(one, no_change()) == pytest.approx(
        chernoff_divergence(train, test, exponent), abs=1e-8
    )
    assert unseen_after(one, no_change()) == sum((test > 0) & (train == 0))


@given(ROWS)
def test_gains_are_what_it_adds_to_change_sides(rows: list[list[int]]) -> None:
    """Doubled often, so that one row is little and the estimate near the truth."""
    rows = [*rows, list(range(IDS)), list(range(IDS)), *rows, list(range(IDS))] * 256
    n_train = n_test = len(rows) // 3
    one = feature(rows, 0.3)
    places = np.arange(len(rows))
    fill(one, places, n_train, n_test)
    gains = np.zeros((2, len(rows)))
    weigh(one, places, n_train, n_test, gains)
    before = divergence_after(one, no_change())
    unit = 2.0**30 * one.train.sum() ** 0.3 * one.test.sum() ** 0.7
    for row in range(0, len(rows), len(rows) // 6):
        for side, bounds in enumerate([(0, n_train), (n_train, n_train + n_test)]):
            sign = -1 if bounds[0] <= row < bounds[1] else 1
            counts = [one.train.copy(), one.test.copy()]
            np.add.at(counts[side], rows[row], sign)
            added = chernoff_divergence(counts[0], counts[1], 0.3) - before
            assert gains[side, row] / unit == pytest.approx(added, abs=1e-5)


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
def test_the_plain_rule(sets: list[list[int]], budget: int, times: int, by_frequency: bool) -> None:
    found = greedy(sets, budget, times, by_frequency=by_frequency)
    assert found == by_hand(sets, budget, times, by_frequency)


@given(SETS, st.integers(1, 3))
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
