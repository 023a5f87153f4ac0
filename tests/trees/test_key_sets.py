"""Keys, different values and figures of counts, against Python's own and by hand."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from synthgen.core.columns import distinct_values
from synthgen.core.printing import short_number
from synthgen.coverage.evenness import evenness
from synthgen.draws.randomness import mix_words
from synthgen.trees import key_sets
from synthgen.trees.key_sets import KeySet, repeats, shared_keys

PAIRS = st.tuples(st.integers(0, 40), st.sampled_from([0, 5, 2**32, 2**63]))


def model(batches: list[list[tuple[int, int]]]) -> list[list[bool]]:
    """What a Python set says of the same keys."""
    seen: set[tuple[int, int]] = set()
    answers = []
    for batch in batches:
        answer = []
        for pair in batch:
            answer.append(pair not in seen)
            seen.add(pair)
        answers.append(answer)
    return answers


@given(st.lists(st.lists(PAIRS, max_size=30), max_size=8), st.integers(0, 3))
@settings(deadline=None, max_examples=60)
def test_it_answers_as_a_python_set_while_it_grows(
    batches: list[list[tuple[int, int]]], slots: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(key_sets, "_FIRST_SLOTS", 1 << slots)
        keys = KeySet()
        answers = [keys.add(np.array(b, np.uint64).reshape(-1, 2)).tolist() for b in batches]
    assert answers == model(batches)
    assert len(keys) == len({pair for batch in batches for pair in batch})
    assert len(keys) <= 0.75 * (keys.nbytes // 8)


@given(st.lists(PAIRS, max_size=60))
def test_repeats_are_the_later_ones_of_equal_keys(pairs: list[tuple[int, int]]) -> None:
    expected = [i for i, pair in enumerate(pairs) if pair in pairs[:i]]
    assert repeats(np.array(pairs, np.uint64).reshape(-1, 2)).tolist() == expected


def test_repeats_compare_whole_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = np.array([[1, 7], [2, 7], [1, 8], [2, 7], [1, 7]], np.uint64)
    monkeypatch.setattr(key_sets, "_words", lambda keys: keys[:, 1].copy())  # all bits that collide
    assert repeats(keys).tolist() == [3, 4]


@given(st.lists(st.lists(PAIRS, max_size=30), max_size=6))
def test_shared_keys_are_counted_for_each_two_parts(parts: list[list[tuple[int, int]]]) -> None:
    expected = {
        (left, right): len(set(parts[left]) & set(parts[right]))
        for left, right in combinations(range(len(parts)), 2)
        if set(parts[left]) & set(parts[right])
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(key_sets, "_PIECE", 7)
        assert shared_keys([np.array(p, np.uint64).reshape(-1, 2) for p in parts]) == expected


def test_shared_keys_are_equal_in_all_their_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    high = 2**64 - 1
    one = np.array([[high, 1], [high - 1, high]], np.uint64)
    other = np.array([[high, 0], [high - 1, high]], np.uint64)
    monkeypatch.setattr(key_sets, "_words", lambda keys: np.ones(len(keys), np.uint64))
    assert shared_keys([one, other]) == {(0, 1): 1}


def test_many_keys_grow_the_first_table() -> None:
    words = np.arange(120_000, dtype=np.uint64)
    batch = np.stack([mix_words(words // np.uint64(2)), words // np.uint64(2)], axis=1)
    keys = KeySet()
    first = keys.nbytes
    for start in range(0, len(batch), 7_001):
        new = keys.add(batch[start : start + 7_001])
        assert np.array_equal(new, (words[start : start + 7_001] % 2) == 0)
    assert len(keys) == 60_000
    assert keys.nbytes > first
    assert not keys.add(batch).any()


def test_room_for_the_keys_expected() -> None:
    words = np.arange(200_000, dtype=np.uint64)
    batch = np.stack([mix_words(words), words], axis=1)
    keys = KeySet(expected=len(batch))
    first = keys.nbytes
    assert keys.add(batch).all()
    assert keys.nbytes == first
    assert not keys.add(batch).any()
    assert KeySet(expected=10**15).nbytes < 1 << 31


@pytest.mark.parametrize("dtype", [np.int16, np.int64, np.uint64])
@given(st.data())
def test_as_numpy_has_it(dtype: type[np.integer], data: st.DataObject) -> None:
    values = data.draw(arrays(dtype, array_shapes(max_dims=2, min_side=0)))
    found = distinct_values(values)
    assert found.dtype == values.dtype
    assert found.tolist() == np.unique(values).tolist()


@pytest.mark.parametrize(
    ("counts", "values", "entropy", "gini", "most"),
    [
        ([], 0, 0.0, 0.0, 0),
        ([0, 7, 0], 1, 0.0, 0.0, 7),
        ([5, 5, 5, 5], 4, 2.0, 0.0, 5),
        ([1, 3], 2, 0.811278, 0.25, 3),
        ([1, 1, 2], 3, 1.5, 1 / 6, 2),
    ],
)
def test_worked_values(
    counts: list[int], values: int, entropy: float, gini: float, most: int
) -> None:
    found = evenness(np.array(counts, np.int64))
    assert (found.values, found.most) == (values, most)
    assert found.entropy == pytest.approx(entropy, abs=1e-6)
    assert found.effective == pytest.approx(2**entropy if values else 0, abs=1e-5)
    assert found.gini == pytest.approx(gini, abs=1e-12)


@given(st.lists(st.integers(0, 10**6), max_size=50))
def test_bounds_and_order(counts: list[int]) -> None:
    found = evenness(np.array(counts, np.int64))
    assert found == evenness(np.array(counts[::-1], np.int64))
    assert 0 <= found.entropy <= math.log2(max(1, found.values)) + 1e-9
    assert 0 <= found.gini < 1
    assert found.effective <= found.values + 1e-6


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (0, "0"),
        (20_910, "20,910"),
        (999_999_999_999, "999,999,999,999"),
        (1_000_000_000_000, "1.0 x 10^12"),
        (5_899 * 10**24, "5.8 x 10^27"),
    ],
)
def test_short_numbers(number: int, shown: str) -> None:
    assert short_number(number) == shown
