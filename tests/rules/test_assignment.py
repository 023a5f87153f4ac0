"""Splits of candidates that meet several rules, and which splits may share problems."""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from synthgen.draws.randomness import mix_words
from synthgen.rules.assignment import NO_SPLIT, assign_groups, assign_splits
from synthgen.trees.key_sets import may_overlap

MATCHES = st.integers(1, 5).flatmap(
    lambda k: st.lists(st.lists(st.booleans(), min_size=k, max_size=k), min_size=1, max_size=30)
)


def keys_of(n: int, seed: int = 0) -> NDArray[np.uint64]:
    words = mix_words(np.arange(2 * n, dtype=np.uint64) + np.uint64(seed << 32))
    return words.reshape(n, 2)


@given(MATCHES, st.data())
def test_a_candidate_goes_to_a_split_whose_rule_it_meets(
    rows: list[list[bool]], data: st.DataObject
) -> None:
    matches = np.array(rows)
    n, k = matches.shape
    weights = data.draw(st.lists(st.integers(1, 10**9), min_size=k, max_size=k))
    chosen = assign_splits(matches, keys_of(n, data.draw(st.integers(0, 9))), weights)
    assert chosen.dtype == np.int16
    for row, split in zip(rows, chosen.tolist(), strict=True):
        assert row[split] if any(row) else split == NO_SPLIT


@given(MATCHES, st.randoms(use_true_random=False))
def test_the_choice_does_not_depend_on_the_batch(rows: list[list[bool]], random: object) -> None:
    matches, keys = np.array(rows), keys_of(len(rows))
    weights = list(range(1, matches.shape[1] + 1))
    together = assign_splits(matches, keys, weights)
    order = list(range(len(rows)))
    random.shuffle(order)  # type: ignore[attr-defined]
    assert np.array_equal(assign_splits(matches[order], keys[order], weights), together[order])
    alone = [assign_splits(matches[[i]], keys[[i]], weights)[0] for i in range(len(rows))]
    assert alone == together.tolist()


def test_shares_follow_the_weights() -> None:
    n = 60_000
    matches = np.ones((n, 3), dtype=bool)
    counts = np.bincount(assign_splits(matches, keys_of(n), [1, 2, 7]), minlength=3)
    assert np.all(np.abs(counts / n - [0.1, 0.2, 0.7]) < 0.01)


def test_only_the_rules_met_share_a_candidate() -> None:
    n = 60_000
    matches = np.tile([True, False, True], (n, 1))
    counts = np.bincount(assign_splits(matches, keys_of(n), [1, 96, 3]), minlength=3)
    assert counts[1] == 0
    assert abs(counts[0] / n - 0.25) < 0.01


def test_the_choice_does_not_depend_on_the_scale_of_the_weights() -> None:
    n = 5_000
    matches = np.ones((n, 3), dtype=bool)
    ours = assign_splits(matches, keys_of(n), [1, 2, 5])
    assert np.array_equal(assign_splits(matches, keys_of(n), [1000, 2000, 5000]), ours)


def test_the_choice_is_not_that_of_neighbouring_keys_or_of_the_high_word() -> None:
    n = 20_000
    matches = np.ones((n, 2), dtype=bool)
    low = np.stack([np.zeros(n, np.uint64), np.arange(n, dtype=np.uint64)], axis=1)
    share = float(np.mean(assign_splits(matches, low, [1, 1])))
    assert abs(share - 0.5) < 0.02
    other_high = low.copy()
    other_high[:, 0] = np.uint64(99)
    chosen = assign_splits(matches, low, [1, 1])
    assert np.array_equal(assign_splits(matches, other_high, [1, 1]), chosen)
    assert abs(float(np.mean(chosen[1:] == chosen[:-1])) - 0.5) < 0.02


def test_nothing_to_assign() -> None:
    assert assign_splits(np.zeros((0, 2), dtype=bool), keys_of(0), [1, 1]).shape == (0,)
    none = assign_splits(np.zeros((3, 2), dtype=bool), keys_of(3), [1, 1])
    assert none.tolist() == [NO_SPLIT] * 3


@given(MATCHES, st.integers(1, 6), st.data())
def test_splits_with_one_rule_share_no_group(
    rows: list[list[bool]], n_groups: int, data: st.DataObject
) -> None:
    few = np.array(rows)
    rules = [*range(few.shape[1]), 0]  # the last split has the first one's rule
    matches = few[:, rules]
    weights = data.draw(st.lists(st.integers(1, 9), min_size=len(rules), max_size=len(rules)))
    numbers = data.draw(st.lists(st.integers(0, n_groups), min_size=len(rows), max_size=len(rows)))
    groups = mix_words(np.array(numbers, np.uint64))
    chosen = assign_groups(matches, groups, weights, rules)
    for row, split in zip(matches.tolist(), chosen.tolist(), strict=True):
        assert row[split] if any(row) else split == NO_SPLIT
    first = set(groups[chosen == 0].tolist())
    assert not first & set(groups[chosen == len(rules) - 1].tolist())


def test_shares_of_groups_are_those_of_the_weights() -> None:
    groups = keys_of(20_000)[:, 0]
    matches = np.ones((len(groups), 3), bool)
    chosen = assign_groups(matches, groups, [6, 3, 1], [0, 0, 1])
    shares = np.bincount(chosen, minlength=3) / len(groups)
    assert np.abs(shares - [0.6, 0.3, 0.1]).max() < 0.015


@dataclass(frozen=True)
class Part:
    name: str
    overlap: tuple[str, ...] = ()
    base: str | None = None


TRAIN, TEST = Part("train"), Part("test")


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (TRAIN, TEST, False),
        (TRAIN, Part("test", overlap=("train",)), True),
        (TRAIN, Part("test", overlap=("val",)), False),
        (TRAIN, Part("seen", base="train"), True),
        (Part("seen", base="train"), Part("seen_too", base="train"), True),
        (Part("seen", base="train"), TEST, False),
        # A copy of train may share problems with what train may share problems with.
        (Part("seen", base="train"), Part("test", overlap=("train",)), True),
        (Part("seen", base="train"), Part("copy", base="test"), False),
        (Part("seen", overlap=("val",), base="train"), Part("copy", base="val"), True),
    ],
)
def test_declared_pairs(one: Part, other: Part, expected: bool) -> None:
    assert may_overlap(one, other) is expected
    assert may_overlap(other, one) is expected


NAMES = st.sampled_from(["a", "b", "c"])
PARTS = st.builds(Part, NAMES, st.lists(NAMES, max_size=2).map(tuple), st.none() | NAMES)


@given(PARTS, PARTS)
def test_it_is_symmetric(one: Part, other: Part) -> None:
    assert may_overlap(one, other) is may_overlap(other, one)
