"""Bags and counts of ids, and ranges, against plain Python."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.columns import ragged
from synthgen.core.errors import ParamError
from synthgen.coverage import id_counts
from synthgen.coverage.bags import (
    default_key,
    hashed_bags,
    ngram_features,
    projected,
    sample_rows,
)
from synthgen.coverage.id_counts import IdCounts
from synthgen.coverage.ranges import Beyond, Range

ROWS = st.lists(st.lists(st.integers(0, 5), max_size=7), min_size=1, max_size=6)


@given(ROWS, st.sampled_from([(1,), (1, 2), (2, 3), (1, 2, 3, 4)]))
def test_cosines_are_means_over_sizes(rows: list[list[int]], sizes: tuple[int, ...]) -> None:
    features = ngram_features(ragged(rows, np.uint64), sizes)
    found = features @ features.T
    grams = [
        [Counter(tuple(row[i : i + n]) for i in range(len(row) - n + 1)) for n in sizes]
        for row in rows
    ]
    for i, one in enumerate(grams):
        for j, other in enumerate(grams):
            some = [sum(bool(bag) for bag in bags) for bags in (one, other)]
            if not all(some):
                assert found[i, j] == (0.0 if any(some) else 1.0)
                continue
            expected = 0.0
            for bags in zip(one, other, strict=True):
                squares = [sum(count**2 for count in bag.values()) for bag in bags]
                if all(squares):
                    common = sum(bags[0][key] * bags[1][key] for key in bags[0])
                    expected += common / np.sqrt(squares[0] * squares[1])
            expected /= np.sqrt(some[0] * some[1])
            assert found[i, j] == pytest.approx(expected, abs=1e-5)


@given(ROWS)
def test_hashed_bags_weigh_counts_by_their_logarithm(rows: list[list[int]]) -> None:
    features = hashed_bags(ragged(rows, np.uint64), 1 << 12)
    found = features @ features.T
    bags = [{key: np.log1p(count) for key, count in Counter(row).items()} for row in rows]
    for i, one in enumerate(bags):
        for j, other in enumerate(bags):
            lengths = [np.sqrt(sum(value**2 for value in bag.values())) for bag in (one, other)]
            expected = sum(value * other.get(key, 0.0) for key, value in one.items())
            if not all(lengths):
                expected, lengths = float(not any(lengths)), [1.0, 1.0]
            assert found[i, j] == pytest.approx(expected / np.prod(lengths), abs=1e-5)


def test_hashed_bags_do_not_depend_on_order() -> None:
    one = hashed_bags(ragged([[1, 2, 2, 3]], np.uint64), 16)
    other = hashed_bags(ragged([[2, 3, 1, 2]], np.uint64), 16)
    assert one.tolist() == other.tolist()
    assert one.shape == (1, 16)


def test_samples_grow() -> None:
    small, large = (sample_rows(1_000, m, key=4).tolist() for m in (30, 60))
    assert small == sorted(set(small))
    assert (len(small), len(large)) == (30, 60)
    assert set(small) < set(large)
    assert sample_rows(1_000, 30, key=5).tolist() != small
    assert sample_rows(3, 9, key=4).tolist() == [0, 1, 2]
    assert default_key("sample") != default_key("projection")


def test_projections_keep_lengths_on_average() -> None:
    features = np.eye(200, dtype=np.float32)
    found = projected(features, 64, key=9)
    assert found.shape == (200, 64)
    assert np.square(found).sum(axis=1) == pytest.approx(np.ones(200))
    assert abs(float((found @ found.T)[~np.eye(200, dtype=bool)].mean())) < 0.01


def test_arguments_out_of_range() -> None:
    rows = ragged([[1]], np.uint64)
    with pytest.raises(ParamError, match=r"d=1: expected"):
        hashed_bags(rows, 1)
    with pytest.raises(ParamError, match=r"sizes=\(\)"):
        ngram_features(rows, ())
    many = ragged([[]] * 5_000, np.uint64)
    with pytest.raises(ParamError, match=r"values of features"):
        hashed_bags(many, 1 << 16)


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
    assert (len(table), table.total) == (len(expected), sum(expected.values()))
    asked = [*others, *expected]
    assert table.of(words(asked)).tolist() == [expected[word] for word in asked]
    assert table.has(words(asked)).tolist() == [word in expected for word in asked]


@given(BATCHES, st.integers(1, 4))
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
    found = table.of(np.arange(5_001))
    assert found[:4].tolist() == [2, 2, 4, 4]
    assert found[5_000] == 0
    assert table.nbytes == 16 * 8192


def test_times_are_at_least_1() -> None:
    with pytest.raises(ParamError, match=r"times=0: expected at least 1"):
        IdCounts().add(words([1, 2]), np.array([1, 0]))


LARGEST = 2**63 - 1
NUMBERS = st.lists(
    st.integers(-300, 300) | st.integers(-LARGEST, LARGEST) | st.integers(0, 5_000), max_size=20
)


def column(values: list[int]) -> np.ndarray:
    return np.array(values, np.int64)


@given(NUMBERS, st.integers(0, 20))
def test_bounds_and_sums_are_exact(values: list[int], cut: int) -> None:
    found, rest = Range(column(values[cut:])), Range()
    rest.add(column(values[:cut]))
    found.merge(rest)
    assert (found.n, found.total) == (len(values), sum(values))
    assert (found.low, found.high) == (min(values, default=None), max(values, default=None))
    if values:
        assert found.mean == sum(values) / len(values)
    starts, counts = found.histogram()
    whole = Range(column(values)).histogram()
    assert (starts.tolist(), counts.tolist()) == (whole[0].tolist(), whole[1].tolist())


@given(NUMBERS.filter(bool), st.floats(0, 1))
def test_histograms_are_fine(values: list[int], share: float) -> None:
    found = Range(column(values))
    starts, counts = found.histogram()
    assert counts.sum() == len(values)
    assert (np.diff(starts.astype(object)) > 0).all()
    expected = sorted(values)[max(math.ceil(share * len(values) - 1e-9), 1) - 1]
    quantile = found.quantile(share)
    assert quantile is not None
    assert abs(quantile - expected) <= (abs(expected) // 32 if abs(expected) >= 256 else 0)


@pytest.mark.parametrize("value", [0, 255, 256, 257, 511, 512, LARGEST, -255, -256, -LARGEST])
def test_bins_at_their_edges(value: int) -> None:
    (start,), _ = Range(column([value])).histogram()
    assert abs(int(start)) <= abs(value) < abs(int(start)) * 33 / 32 + 1
    assert (start < 0) == (value < 0)


@given(NUMBERS, NUMBERS)
def test_what_lies_beyond(train: list[int], test: list[int]) -> None:
    found = Beyond(Range(column(train)))
    found.add(column(test[:3]))
    found.add(column(test[3:]))
    shift = found.shift
    above = [value for value in test if not train or value > max(train)]
    below = [value for value in test if train and value < min(train)]
    assert (shift.above, shift.below, shift.n) == (len(above), len(below), len(test))
    assert found.test.total == sum(test)
    if test:
        assert shift.beyond == (len(above) + len(below)) / len(test)
    if test and train and sum(train):
        means = sum(train) / len(train), sum(test) / len(test)
        assert shift.mean == means[1] - means[0]
        assert shift.relative == pytest.approx((means[1] - means[0]) / abs(means[0]))


def test_a_worked_shift() -> None:
    lengths = Beyond(Range(column([1, 22, 7, 10])))
    lengths.add(column([24, 48, 20, 8]))
    shift = lengths.shift
    assert (shift.mean, shift.relative, shift.beyond) == (15.0, 1.5, 0.5)
    empty = Beyond(Range()).shift
    assert all(math.isnan(value) for value in (empty.mean, empty.relative, empty.beyond))


def test_small_dtypes_and_quantiles_of_nothing() -> None:
    assert Range(np.array([True, False])).total == 1
    assert Range(np.array([200, 255], np.uint8)).total == 455
    assert Range().quantile(0.5) is None


def test_arguments_that_do_not_fit() -> None:
    with pytest.raises(ParamError, match=r"values='float64 \(1,\)': expected a vector of integers"):
        Range(np.array([0.5]))
    with pytest.raises(ParamError, match=r"largest value=18446744073709551615"):
        Range(np.array([2**64 - 1], np.uint64))
    with pytest.raises(ParamError, match=r"smallest value"):
        Range(column([-(2**63)]))
    with pytest.raises(ParamError, match=r"share=2.0"):
        Range(column([1])).quantile(2.0)
