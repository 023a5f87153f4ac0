"""The growing set of keys against Python's own."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.core import keyset
from synthgen.core.keyset import KeySet
from synthgen.core.randomness import mix_words

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
        patch.setattr(keyset, "_FIRST_SLOTS", 1 << slots)
        keys = KeySet()
        answers = [keys.add(np.array(b, np.uint64).reshape(-1, 2)).tolist() for b in batches]
    assert answers == model(batches)
    assert len(keys) == len({pair for batch in batches for pair in batch})
    assert len(keys) <= 0.75 * (keys.nbytes // 16)


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
