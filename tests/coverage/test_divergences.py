"""Divergence of random splits: simulated values, exact chances, and batches."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.columns import Ragged, ragged
from synthgen.core.errors import ParamError
from synthgen.coverage.divergences import (
    Baseline,
    RandomSplits,
    expected_divergence,
    random_split_baseline,
)
from synthgen.draws.randomness import Rows, stream_key
from synthgen.trees.divergence import chernoff_divergence

KEY = stream_key("baseline")


@pytest.mark.parametrize(
    ("n_types", "n_train", "exponent", "simulated", "close"),
    [
        (100, 10_000, 0.1, 0.0049, 0.0007),
        (100, 10_000, 0.5, 0.0140, 0.0020),
        (1_000, 10_000, 0.1, 0.0581, 0.0030),
        (1_000, 10_000, 0.5, 0.2331, 0.0100),
        (10_000, 100_000, 0.1, 0.2152, 0.0040),
        (10_000, 100_000, 0.5, 0.6975, 0.0060),
    ],
)
def test_simulated_values_of_uniform_types(
    n_types: int, n_train: int, exponent: float, simulated: float, close: float
) -> None:
    n = n_train + 1_000
    ids = Rows.span(stream_key("pool"), 0, n).draws().integers(0, n_types)
    found = random_split_baseline(Ragged(ids, np.arange(n + 1)), n_train, exponent, KEY)
    assert len(found.values) == 20
    assert found.mean == pytest.approx(simulated, abs=close)
    assert 0 < found.sd < close
    assert found.formula == expected_divergence(len(np.unique(ids)), n_train, 1_000, exponent)


@pytest.mark.parametrize(("exponent", "expected"), [(0.1, 0.0049), (0.5, 0.0136)])
def test_worked_values_of_the_formula(exponent: float, expected: float) -> None:
    assert expected_divergence(100, 10_000, 1_000, exponent) == pytest.approx(expected, abs=5e-5)
    assert expected_divergence(1, 5, 5, exponent) == 0.0


ROWS = st.lists(st.lists(st.integers(0, 6), max_size=5), max_size=9)


@given(ROWS, st.integers(0, 9), st.integers(0, 9), st.integers(0, 2**64 - 1))
def test_splits_are_of_the_sizes_asked_and_the_same_in_batches(
    rows: list[list[int]], n_train: int, cut: int, key: int
) -> None:
    n_train, cut = min(n_train, len(rows)), min(cut, len(rows))
    whole = random_split_baseline(ragged(rows), n_train, 0.1, key)
    parts = RandomSplits(n_train, len(rows) - n_train, 7, key)
    parts.add(ragged(rows[:cut]))
    parts.add(ragged(rows[cut:]))
    assert whole == parts.baseline(0.1)
    possible = {divergence(rows, set(train)) for train in combinations(range(len(rows)), n_train)}
    assert set(whole.values) <= possible


def divergence(rows: list[list[int]], train: set[int]) -> float:
    counts = np.zeros((2, 7), np.int64)
    for i, row in enumerate(rows):
        for value in row:
            counts[int(i not in train), value] += 1
    return chernoff_divergence(counts[0], counts[1], 0.1)


def test_every_set_of_rows_is_equally_likely() -> None:
    splits = 6_000
    counts = RandomSplits(2, 2, 4, KEY, splits=splits)
    counts.add(ragged([[0], [1], [2], [3]]))
    found = Counter(tuple(np.flatnonzero(drawn).tolist()) for drawn in counts._drawn)
    assert set(found) == set(combinations(range(4), 2))
    expected, spread = splits / 6, math.sqrt(splits * 5 / 36)
    assert all(abs(times - expected) < 4.5 * spread for times in found.values())


def test_two_features_of_the_same_rows_are_split_alike() -> None:
    rows = [[i] for i in range(50)]
    one = random_split_baseline(ragged(rows), 40, 0.5, KEY)
    two = RandomSplits(40, 10, 200, KEY)
    two.add(ragged([[3 * i, 3 * i + 1] for [i] in rows]))
    assert one.values == pytest.approx(two.baseline(0.5).values)
    other = random_split_baseline(ragged([[i % 7] for [i] in rows]), 40, 0.5, KEY + 1)
    assert (
        other.values
        != random_split_baseline(ragged([[i % 7] for [i] in rows]), 40, 0.5, KEY).values
    )


def test_deviations() -> None:
    found = Baseline((0.1, 0.2, 0.3), 0.0)
    assert (found.mean, found.sd) == (pytest.approx(0.2), pytest.approx(0.1))
    assert found.deviations(0.5) == pytest.approx(3.0)
    assert Baseline((0.5, 0.5), 0.0).deviations(0.5) == 0.0
    assert Baseline((0.5, 0.5), 0.0).deviations(0.6) == math.inf
    assert Baseline((0.5, 0.5), 0.0).deviations(0.4) == -math.inf


def test_bad_arguments() -> None:
    counts = RandomSplits(1, 1, 2, KEY)
    with pytest.raises(ParamError, match="rows=0: expected 2"):
        counts.baseline(0.1)
    with pytest.raises(ParamError, match=r"ids=\(0, 2\): expected from 0 to 1"):
        counts.add(ragged([[0, 2]]))
    with pytest.raises(ParamError, match="rows=3: expected 2"):
        counts.add(ragged([[0], [0], [0]]))
    with pytest.raises(ParamError, match="splits=19"):
        RandomSplits(1, 1, 2, KEY, splits=19)
    with pytest.raises(ParamError, match="n_types=0"):
        expected_divergence(0, 1, 1, 0.1)
    with pytest.raises(ParamError, match=r"exponent=1\.0"):
        expected_divergence(1, 1, 1, 1.0)
