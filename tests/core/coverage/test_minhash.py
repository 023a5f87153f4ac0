"""MinHash: exact hashes, the table of probabilities, and estimates that are near enough."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.columns import Ragged, ragged
from synthgen.core.coverage.minhash import (
    PRIME,
    HashFamily,
    agreement,
    bucket_keys,
    candidate_probability,
    candidate_threshold,
    hash_family,
    hash_word,
    signatures,
)
from synthgen.core.errors import ParamError
from synthgen.core.randomness import mix_words


def hashed(word: int, factor: int, shift: int) -> int:
    return int(hash_word(np.uint64(word), np.uint64(factor), np.uint64(shift)))


def test_the_worked_hash() -> None:
    assert hashed(2**63 + 5, 2**61 - 11, 7) == 2305843009213693868


@given(
    st.integers(0, 2**64 - 1) | st.sampled_from([0, PRIME, PRIME - 1, 2 * PRIME, 2**64 - 1]),
    st.integers(1, PRIME - 1) | st.just(PRIME - 1),
    st.integers(0, PRIME - 1) | st.just(PRIME - 1),
)
def test_hashes_are_exact(word: int, factor: int, shift: int) -> None:
    assert hashed(word, factor, shift) == (word * factor + shift) % PRIME


@pytest.mark.parametrize(
    ("jaccard", "probability"),
    [
        (0.5, 0.0533),
        (0.6, 0.2111),
        (0.7, 0.5645),
        (0.75, 0.7716),
        (0.8, 0.9235),
        (0.85, 0.9884),
        (0.9, 0.9996),
    ],
)
def test_the_table_of_probabilities(jaccard: float, probability: float) -> None:
    assert candidate_probability(jaccard) == pytest.approx(probability, abs=5e-5)


def test_the_worked_threshold() -> None:
    assert candidate_threshold() == pytest.approx(0.719, abs=5e-4)


SETS = st.lists(st.lists(st.integers(0, 2**64 - 1), max_size=6), min_size=1, max_size=5)


@given(SETS)
def test_signatures_are_least_hashes(sets: list[list[int]]) -> None:
    family = hash_family(6, key=11)
    found = signatures(ragged(sets, np.uint64), family)
    pairs = list(zip(family.factors.tolist(), family.shifts.tolist(), strict=True))
    expected = [
        [min(((a * word + b) % PRIME for word in row), default=2**64 - 1) for a, b in pairs]
        for row in sets
    ]
    assert found.tolist() == expected


def mixed(rows: list[list[int]]) -> Ragged:
    sets = ragged(rows, np.uint64)
    return Ragged(mix_words(sets.values), sets.offsets)


def test_estimates_are_near_the_truth() -> None:
    common, own = 60, 20
    one = [[1000 * i + j for j in range(common + own)] for i in range(300)]
    other = [[1000 * i + j for j in (*range(common), *range(500, 500 + own))] for i in range(300)]
    family = hash_family()
    hashes = [signatures(mixed(rows), family) for rows in (one, other)]
    found = agreement(*hashes)
    assert found.mean() == pytest.approx(common / (common + 2 * own), abs=0.01)
    assert found.std() == pytest.approx(np.sqrt(0.6 * 0.4 / 112), rel=0.2)
    keys = [bucket_keys(words) for words in hashes]
    share = (keys[0] == keys[1]).any(axis=1).mean()
    assert share == pytest.approx(candidate_probability(0.6), abs=0.08)


def test_buckets_of_different_bands_differ() -> None:
    keys = bucket_keys(np.zeros((1, 8), np.uint64), bands=4)
    assert len(set(keys[0].tolist())) == 4


def test_the_family_is_drawn_from_its_key() -> None:
    one, again, other = hash_family(3), hash_family(3), hash_family(3, key=5)
    assert one.factors.tolist() == again.factors.tolist()
    assert one.factors.tolist() != other.factors.tolist()


def test_arguments_out_of_range() -> None:
    words = np.zeros((2, 8), np.uint64)
    with pytest.raises(ParamError, match=r"bands=3: expected a divisor"):
        bucket_keys(words, bands=3)
    with pytest.raises(ParamError, match=r"signatures=.*equal shape"):
        agreement(words, words[:1])
    with pytest.raises(ParamError, match=r"jaccard=1.5"):
        candidate_probability(1.5)
    with pytest.raises(ParamError, match=r"coefficients='too large'"):
        HashFamily(np.array([PRIME], np.uint64), np.array([0], np.uint64))
    with pytest.raises(ParamError, match=r"two vectors of equal length"):
        HashFamily(np.zeros(1, np.uint64), np.zeros(2, np.uint64))
