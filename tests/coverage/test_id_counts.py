"""Counts of ids against a dictionary."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.core.errors import ParamError
from synthgen.coverage import id_counts
from synthgen.coverage.id_counts import IdCounts

WORDS = st.one_of(st.integers(0, 5), st.integers(0, 2**64 - 1))
BATCHES = st.lists(st.lists(WORDS, max_size=30), max_size=5)


def words(ids: list[int]) -> np.ndarray:
    return np.array(ids, np.uint64)


@given(BATCHES, st.lists(WORDS, max_size=10))
def test_it_counts_as_a_dictionary_does(batches: list[list[int]], others: list[int]) -> None:
    expected = Counter(word for batch in batches for word in batch)
    table = IdCounts()
    for batch in batches:
        table.add(words(batch))
    ids, counts = table.items()
    assert dict(zip(ids.tolist(), counts.tolist(), strict=True)) == expected
    assert ids.tolist() == sorted(expected)
    assert len(table) == len(expected)
    asked = [*others, *expected]
    assert table.counts_of(words(asked)).tolist() == [expected[word] for word in asked]
    assert table.has(words(asked)).tolist() == [word in expected for word in asked]


@given(BATCHES, st.integers(1, 4))
@settings(deadline=None)
def test_it_tells_how_often_each_came_before_while_it_grows(
    batches: list[list[int]], bits: int
) -> None:
    seen: Counter[int] = Counter()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(id_counts, "_FIRST_BITS", bits)
        table = IdCounts()
        for batch in batches:
            expected = []
            for word in batch:
                expected.append(seen[word])
                seen[word] += 1
            assert table.add(words(batch)).tolist() == expected
    assert len(table) == len(seen)


def test_signed_ids_at_their_limits_are_ids_of_their_own() -> None:
    limits = np.iinfo(np.int64)
    table = IdCounts()
    values = np.array([limits.min, -1, 0, limits.max, 2**32, -(2**32)], np.int64)
    assert not table.add(values).any()
    assert table.add(values[::-1]).tolist() == [1] * 6
    assert len(table) == 6


@given(BATCHES)
def test_tables_of_parts_add_up(batches: list[list[int]]) -> None:
    whole = IdCounts(words([word for batch in batches for word in batch]))
    merged = IdCounts()
    for batch in reversed(batches):
        merged.merge(IdCounts(words(batch)))
    for one, other in zip(whole.items(), merged.items(), strict=True):
        assert one.tolist() == other.tolist()


def test_it_grows_and_takes_weights() -> None:
    table = IdCounts()
    table.add(np.arange(5_000), np.arange(1, 5_001))
    table.add(np.arange(0, 5_000, 2))
    assert len(table) == 5_000
    found = table.counts_of(np.arange(5_001))
    assert found[:4].tolist() == [2, 2, 4, 4]
    assert found[5_000] == 0
    assert table.nbytes == 16 * 8192


def test_times_are_at_least_1() -> None:
    with pytest.raises(ParamError, match=r"times=0: expected at least 1"):
        IdCounts().add(words([1, 2]), np.array([1, 0]))
