"""Running counts of pairs against Python's own."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.core import pair_counts
from synthgen.core.pair_counts import PairCounts

LIMITS = np.iinfo(np.int64)
VALUES = st.integers(-2, 4) | st.sampled_from([2**32, -(2**32), int(LIMITS.max), int(LIMITS.min)])
BATCHES = st.lists(st.lists(st.tuples(st.integers(0, 3), VALUES), max_size=40), max_size=8)


def model(batches: list[list[tuple[int, int]]]) -> list[list[int]]:
    counts: Counter[tuple[int, int]] = Counter()
    answers = []
    for batch in batches:
        answer = []
        for pair in batch:
            answer.append(counts[pair])
            counts[pair] += 1
        answers.append(answer)
    return answers


def answers(counts: PairCounts, batches: list[list[tuple[int, int]]]) -> list[list[int]]:
    return [
        counts.count(
            np.array([cell for cell, _ in batch], np.int32),
            np.array([value for _, value in batch], np.int64),
        ).tolist()
        for batch in batches
    ]


@given(BATCHES, st.integers(0, 3))
@settings(deadline=None, max_examples=60)
def test_it_counts_as_python_does_while_it_grows(
    batches: list[list[tuple[int, int]]], slots: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pair_counts, "_FIRST_SLOTS", 1 << slots)
        counts = PairCounts()
        assert answers(counts, batches) == model(batches)
    assert len(counts) == len({pair for batch in batches for pair in batch})


@given(BATCHES)
@settings(deadline=None, max_examples=20)
def test_compiled_and_plain_count_alike(batches: list[list[tuple[int, int]]]) -> None:
    compiled = answers(PairCounts(), batches)
    with pytest.MonkeyPatch.context() as patch, np.errstate(over="ignore"):
        for name in ("_slot", "_count", "_move"):
            kernel = getattr(pair_counts, name)
            patch.setattr(pair_counts, name, getattr(kernel, "py_func", kernel))
        assert answers(PairCounts(), batches) == compiled


def test_many_values_of_many_cells_find_their_own_slots() -> None:
    cells = np.repeat(np.arange(200, dtype=np.int32), 300)
    values = np.tile(np.arange(-150, 150, dtype=np.int64) << 20, 200)
    counts = PairCounts()
    assert not counts.count(cells, values).any()
    assert (counts.count(cells[::-1], values[::-1]) == 1).all()
    assert len(counts) == 60_000
