"""Near duplicates: the worked pair, and every pair compared."""

from __future__ import annotations

import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.columns import Ragged, ragged
from synthgen.core.errors import ParamError
from synthgen.coverage import near_duplicates as module
from synthgen.coverage.near_duplicates import (
    NearDuplicates,
    containment,
    jaccard,
    shingle_sets,
)

ONE, OTHER = "solve for x : 3 * x + 5 = 20", "solve for x : 4 * x + 5 = 21"
SETS = st.lists(
    st.sets(st.integers(0, 12), max_size=10).map(lambda row: sorted(row)), min_size=1, max_size=12
)


def sets_of(text: str, n: int, *, mask_numbers: bool = False) -> Ragged:
    return shingle_sets(pa.array([text]), n, mask_numbers=mask_numbers)


@pytest.mark.parametrize(
    ("n", "index", "share"),
    [(1, 8 / 12, 0.8), (2, 7 / 13, 0.7), (3, 5 / 13, 0.556), (5, 1 / 13, 0.143)],
)
def test_the_worked_pair(n: int, index: float, share: float) -> None:
    one, other = sets_of(ONE, n), sets_of(OTHER, n)
    assert jaccard(one, other).tolist() == [pytest.approx(index)]
    assert containment(one, other).tolist() == [pytest.approx(share, abs=5e-4)]


def test_masked_numbers_hide_what_tells_problems_apart() -> None:
    masked = [sets_of(text, 5, mask_numbers=True) for text in (ONE, OTHER)]
    assert jaccard(*masked).tolist() == [1.0]


def test_short_and_empty_texts() -> None:
    texts = shingle_sets(pa.array(["a b", "a b", "b a", "", None]))
    assert texts.lengths.tolist() == [1, 1, 1, 0, 0]
    assert jaccard(texts.take(np.array([0, 0, 3])), texts.take(np.array([1, 2, 4]))).tolist() == [
        1.0,
        0.0,
        0.0,
    ]


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
    assert found.share == pytest.approx(np.mean(expected))
    assert found.cut_short == 0


@given(SETS)
def test_indices_of_pairs(rows: list[list[int]]) -> None:
    one, other = ragged(rows, np.uint64), ragged(rows[::-1], np.uint64)
    assert jaccard(one, other).tolist() == pytest.approx(
        [naive(row, mate) for row, mate in zip(rows, rows[::-1], strict=True)]
    )


def test_what_is_cut_short_is_said() -> None:
    test = ragged([[1, 2, 3, 10 + i] for i in range(600)], np.uint64)
    train = ragged([[1, 2, 3, 5_000 + i] for i in range(5)], np.uint64)
    found = NearDuplicates(test, 0.4)
    found.add(train)
    assert found.share == 1.0
    hard = NearDuplicates(ragged([[1, 2, 3, 4 + i % 7] for i in range(600)], np.uint64), 0.7)
    hard.add(ragged([[1, 2, 90, 91]], np.uint64))
    assert hard.cut_short == 1


def test_arguments_out_of_range() -> None:
    rows = ragged([[1]], np.uint64)
    with pytest.raises(ParamError, match=r"threshold=0.0"):
        NearDuplicates(rows, 0.0)
    with pytest.raises(ParamError, match=r"rows=\(1, 2\)"):
        jaccard(rows, ragged([[1], [2]], np.uint64))
    assert math.isnan(NearDuplicates(ragged([], np.uint64)).share)
    assert module.SHINGLE_WORDS == 5
