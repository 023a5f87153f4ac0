"""Keyed permutations: bijections of every size, keyed, and without a visible pattern."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from synthgen.core.errors import ParamError
from synthgen.draws.permutation import MAX_ITEMS, permutation_table, permute
from synthgen.draws.shuffles import word_order

MASK = 2**64 - 1
KEYS = st.integers(0, MASK)


def order(key: int, n: int) -> list[int]:
    """Where each of 0..n-1 goes."""
    return [int(i) for i in permute(np.arange(n, dtype=np.uint64), permutation_table(key, n))]


def mixed(word: int) -> int:
    """The finaliser of SplitMix64 in plain integers."""
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & MASK
    return word ^ (word >> 31)


def undone(index: int, table: list[int]) -> int:
    """The index that the permutation puts here, by the rounds in reverse, in plain integers."""
    n, left_size, right_size, *keys = table
    while True:
        left, right = divmod(index, right_size)
        for key in range(len(keys) - 2, -1, -2):
            right = (right - (mixed(left ^ keys[key + 1]) * right_size >> 64)) % right_size
            left = (left - (mixed(right ^ keys[key]) * left_size >> 64)) % left_size
        index = left * right_size + right
        if index < n:
            return index


@pytest.mark.parametrize("n", [*range(1, 70), 97, 100, 1024, 1025, 20_910, 65_536, 99_991])
def test_every_index_has_a_place_of_its_own(n: int) -> None:
    assert sorted(order(7, n)) == list(range(n))


@given(KEYS, st.integers(1, MAX_ITEMS), st.data())
def test_it_can_be_undone_for_any_size(key: int, n: int, data: st.DataObject) -> None:
    table = permutation_table(key, n)
    indices = [*data.draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=5)), 0, n - 1]
    placed = permute(np.array(indices, np.uint64), table)
    assert all(int(place) < n for place in placed)
    assert [undone(int(place), table.tolist()) for place in placed] == indices


def test_keys_give_different_orders() -> None:
    orders = {tuple(order(key, 1000)) for key in range(50)}
    assert len(orders) == 50
    here = np.array([order(key, 1000) for key in range(50)])
    agreeing = (here[0] == here[1:]).mean()
    assert agreeing < 0.005


def test_all_orders_of_few_items_are_equally_likely() -> None:
    n_keys = 24_000
    for n in (2, 3, 4):
        seen = Counter(tuple(order(key, n)) for key in range(n_keys))
        assert set(seen) == set(permutations(range(n)))
        expected = n_keys / len(seen)
        deviation = sum((count - expected) ** 2 / expected for count in seen.values())
        assert deviation < 60  # 23 degrees of freedom at most


@pytest.mark.parametrize("n", [5, 12, 100])
def test_each_index_goes_everywhere_equally_often(n: int) -> None:
    n_keys = 4_000
    places = np.array([order(key, n) for key in range(n_keys)])
    expected = n_keys / n
    counts = np.stack([np.bincount(places[:, i], minlength=n) for i in range(n)])
    deviation = ((counts - expected) ** 2 / expected).sum(axis=1)
    freedom = n - 1
    assert deviation.max() < freedom + 6 * np.sqrt(2 * freedom) + 12


@pytest.mark.parametrize("n", [20_910, 10**9 + 7, 2**40, 2**63])
def test_the_first_addresses_are_a_random_sample(n: int) -> None:
    """Evenly spread, and neighbours are far from each other."""
    m = min(n // 2, 20_000)
    places = permute(np.arange(m, dtype=np.uint64), permutation_table(11, n))
    assert len(np.unique(places)) == m
    share = places.astype(np.float64) / n
    counts = np.histogram(share, bins=50, range=(0, 1))[0]
    assert ((counts - m / 50) ** 2 / (m / 50)).sum() < 110  # 49 degrees of freedom
    assert abs(np.corrcoef(share[:-1], share[1:])[0, 1]) < 0.05
    assert abs(np.diff(share)).mean() == pytest.approx(1 / 3, abs=0.02)
    low_bits = np.bincount((places % np.uint64(16)).astype(np.int64), minlength=16)
    assert ((low_bits - m / 16) ** 2 / (m / 16)).sum() < 60  # 15 degrees of freedom


@pytest.mark.parametrize("n", [0, -1, MAX_ITEMS + 1, True, 2.0])
def test_other_sizes_are_refused(n: object) -> None:
    with pytest.raises(ParamError, match="n="):
        permutation_table(1, n)  # type: ignore[arg-type]


ALIKE = st.sampled_from([0, 1, 2, 1 << 40, (1 << 40) + 1, (1 << 64) - 1])


@pytest.mark.parametrize("n", [0, 1, 2, 3, 1000, 70_000])
def test_random_words_are_ordered_as_by_a_stable_sort(n):
    words = np.random.default_rng(n).integers(0, 1 << 64, n, np.uint64)
    before = words.copy()
    assert word_order(words).tolist() == np.argsort(words, kind="stable").tolist()
    assert (words == before).all()


@given(arrays(np.uint64, st.integers(0, 40), elements=ALIKE | st.integers(0, (1 << 64) - 1)))
def test_equal_words_and_words_with_equal_high_bits_keep_their_order(words):
    assert word_order(words).tolist() == np.argsort(words, kind="stable").tolist()
