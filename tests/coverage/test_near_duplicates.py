"""Near duplicates: the worked pair, and every pair compared."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.columns import ragged
from synthgen.core.errors import ParamError
from synthgen.coverage import near_duplicates as module
from synthgen.coverage.near_duplicates import (
    NearDuplicates,
    shingle_sets,
)

ONE, OTHER = "solve for x : 3 * x + 5 = 20", "solve for x : 4 * x + 5 = 21"
SETS = st.lists(
    st.sets(st.integers(0, 12), max_size=10).map(lambda row: sorted(row)), min_size=1, max_size=12
)


@pytest.mark.parametrize(
    ("n", "common", "either"), [(1, 8, 12), (2, 7, 13), (3, 5, 13), (5, 1, 13)]
)
def test_the_worked_pair(n: int, common: int, either: int) -> None:
    one, other = (set(shingle_sets(pa.array([text]), n).values.tolist()) for text in (ONE, OTHER))
    assert (len(one & other), len(one | other)) == (common, either)


def test_short_and_empty_texts() -> None:
    texts = shingle_sets(pa.array(["a b", "a b", "b a", "", None]))
    assert texts.lengths.tolist() == [1, 1, 1, 0, 0]
    first, second, third = (texts.row(i).tolist() for i in range(3))
    assert first == second != third


def naive(one: list[int], other: list[int]) -> float:
    union = set(one) | set(other)
    return len(set(one) & set(other)) / len(union) if union else 0.0


@given(SETS, SETS, st.sampled_from([0.05, 0.3, 0.5, 2 / 3, 0.75, 0.8, 1.0]), st.integers(0, 12))
def test_no_near_duplicate_is_missed(
    test: list[list[int]], train: list[list[int]], threshold: float, cut: int
) -> None:
    found = NearDuplicates(ragged(test, np.uint64), threshold)
    found.add(ragged(train[:cut], np.uint64))
    found.add(ragged(train[cut:], np.uint64))
    expected = [max(naive(row, other) for other in train) >= threshold - 1e-9 for row in test]
    assert found.near.tolist() == expected
    assert found.cut_short == 0


def test_what_is_cut_short_is_said() -> None:
    test = ragged([[1, 2, 3, 10 + i] for i in range(600)], np.uint64)
    train = ragged([[1, 2, 3, 5_000 + i] for i in range(5)], np.uint64)
    found = NearDuplicates(test, 0.4)
    found.add(train)
    assert found.near.all()
    hard = NearDuplicates(ragged([[1, 2, 3, 4 + i % 7] for i in range(600)], np.uint64), 0.7)
    hard.add(ragged([[1, 2, 90, 91]], np.uint64))
    assert hard.cut_short == 1


def test_arguments_out_of_range() -> None:
    rows = ragged([[1]], np.uint64)
    with pytest.raises(ParamError, match=r"threshold=0.0"):
        NearDuplicates(rows, 0.0)
    assert module.SHINGLE_WORDS == 5
