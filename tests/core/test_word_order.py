import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from synthgen.core.selection import word_order

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
