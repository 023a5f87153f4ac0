"""Tallies of two sides of a pool, train and test, under exchanges of rows.

A feature is a bag of ids for each row, such as its compounds or its atoms. `Feature` keeps how
often each id occurs on either side, and the sum of the Chernoff terms of all ids. That sum is held
in fixed point, so it is exact after any number of exchanges. An exchange of two rows changes no
terms but those of their own ids.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.columns import Ragged, offsets_of
from synthgen.core.divergence import power, powers
from synthgen.core.kinds import Int
from synthgen.core.lent import lent

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_SUM, _TRAIN_TOTAL, _TEST_TOTAL, _UNSEEN = 0, 1, 2, 3
_UNIT = float(1 << 30)
_SLOTS = 1 << 12


class Feature(NamedTuple):
    """One bag of ids for each of n rows, and the tally of both sides.

    Attributes:
        ids, times: the distinct ids of each row, rising, and how often it has them, int32 (m,).
        offsets: of the rows in them, int64 (n + 1,).
        train, test: how often each id occurs on either side, int64 (k,).
        train_powers, test_powers: c^exponent and c^(1 - exponent) of each count c that may occur.
        sums: sum of terms in units of 2^-30, total of train and of test, and the number of ids that
            test has and train lacks, int64 (4,).
        totals, total_powers: totals met lately and their powers, (2, slots).
        exponent: of the train side.
    """

    ids: NDArray[np.int32]
    times: NDArray[np.int32]
    offsets: Ints
    train: Ints
    test: Ints
    train_powers: Floats
    test_powers: Floats
    sums: Ints
    totals: Ints
    total_powers: Floats
    exponent: float


class Change(NamedTuple):
    """What one exchange does to a feature.

    Attributes:
        train, test: change of the totals.
        terms: change of the sum of terms, in units of 2^-30.
        unseen: change of the number of ids that test has and train lacks.
    """

    train: Int
    test: Int
    terms: Int
    unseen: Int


def feature_of(rows: Ragged, n_ids: int, exponent: float) -> Feature:
    """Return the bags of rows that hold ids 0..n_ids-1, with both sides empty."""
    row_of = np.repeat(np.arange(len(rows)), rows.lengths)
    pairs, times = np.unique(row_of * n_ids + rows.values, return_counts=True)
    row_of, ids = np.divmod(pairs, max(n_ids, 1))
    most = np.bincount(rows.values.astype(np.int64), minlength=1).max()
    counts = np.arange(most + 1, dtype=np.float64)
    return Feature(
        ids=ids.astype(np.int32),
        times=times.astype(np.int32),
        offsets=offsets_of(np.bincount(row_of, minlength=len(rows))),
        train=np.zeros(n_ids, np.int64),
        test=np.zeros(n_ids, np.int64),
        train_powers=powers(counts, exponent),
        test_powers=powers(counts, 1.0 - exponent),
        sums=np.zeros(4, np.int64),
        totals=np.full((2, _SLOTS), -1, np.int64),
        total_powers=np.zeros((2, _SLOTS)),
        exponent=exponent,
    )


@lent
def fill(feature: Feature, places: Ints, n_train: int, n_test: int) -> None:
    """Tally the first n_train rows of `places` as train and the next n_test as test."""
    feature.train[:] = 0
    feature.test[:] = 0
    for j in range(n_train + n_test):
        train_sign = np.int64(j < n_train)
        _count(feature, places[j], train_sign, 1 - train_sign)
    feature.sums[:] = 0
    for k in range(len(feature.train)):
        train, test = feature.train[k], feature.test[k]
        feature.sums[_SUM] += _term(feature, train, test)
        feature.sums[_TRAIN_TOTAL] += train
        feature.sums[_TEST_TOTAL] += test
        feature.sums[_UNSEEN] += np.int64(test > 0 and train == 0)


@njit(cache=True, nogil=True)
def no_change() -> Change:
    """Return the change that nothing makes."""
    zero = np.int64(0)
    return Change(zero, zero, zero, zero)


@njit(cache=True, nogil=True)
def change_of(feature: Feature, out: Int, to: Int, train_sign: Int, test_sign: Int) -> Change:
    """Return what an exchange would do.

    Args:
        feature: is left as it is.
        out: a row.
        to: the row that takes its place.
        train_sign: train gains train_sign * m of each id that `to` has m times more than `out`.
        test_sign: the same for test.
    """
    i, i_stop = feature.offsets[out], feature.offsets[out + 1]
    j, j_stop = feature.offsets[to], feature.offsets[to + 1]
    terms, gained, unseen = np.int64(0), np.int64(0), np.int64(0)
    while i < i_stop or j < j_stop:
        if j == j_stop or (i < i_stop and feature.ids[i] < feature.ids[j]):
            k, m = feature.ids[i], -np.int64(feature.times[i])
            i += 1
        elif i == i_stop or feature.ids[j] < feature.ids[i]:
            k, m = feature.ids[j], np.int64(feature.times[j])
            j += 1
        else:
            k, m = feature.ids[i], np.int64(feature.times[j]) - np.int64(feature.times[i])
            i += 1
            j += 1
            if m == 0:
                continue
        train, test = feature.train[k], feature.test[k]
        new_train, new_test = train + train_sign * m, test + test_sign * m
        terms += _term(feature, new_train, new_test) - _term(feature, train, test)
        unseen += np.int64(new_test > 0 and new_train == 0) - np.int64(test > 0 and train == 0)
        gained += m
    return Change(train_sign * gained, test_sign * gained, terms, unseen)


@lent
def exchange(
    feature: Feature, out: Int, to: Int, train_sign: Int, test_sign: Int, change: Change
) -> None:
    """Do an exchange whose change is known."""
    _count(feature, out, -train_sign, -test_sign)
    _count(feature, to, train_sign, test_sign)
    feature.sums[_SUM] += change.terms
    feature.sums[_TRAIN_TOTAL] += change.train
    feature.sums[_TEST_TOTAL] += change.test
    feature.sums[_UNSEEN] += change.unseen


@lent
def weigh(feature: Feature, places: Ints, n_train: int, n_test: int, gains: Floats) -> None:
    """Estimate for every row what it would add to the divergence to change its side.

    Args:
        feature: filled for `places`.
        places: rows, train first, then test.
        n_train: number of train rows.
        n_test: number of test rows.
        gains: float64 (2, n), filled: row by row what entering train, or leaving it, would add, and
            entering or leaving test. The unit is not that of divergence, but the same for all.
    """
    per_train = feature.sums[_SUM] * feature.exponent / max(feature.sums[_TRAIN_TOTAL], 1)
    per_test = feature.sums[_SUM] * (1.0 - feature.exponent) / max(feature.sums[_TEST_TOTAL], 1)
    for j in range(len(places)):
        row = places[j]
        train_sign = -1 if j < n_train else 1
        test_sign = -1 if n_train <= j < n_train + n_test else 1
        by_train, by_test, length = np.int64(0), np.int64(0), np.int64(0)
        for i in range(feature.offsets[row], feature.offsets[row + 1]):
            k, m = feature.ids[i], np.int64(feature.times[i])
            train, test = feature.train[k], feature.test[k]
            term = _term(feature, train, test)
            by_train += _term(feature, train + train_sign * m, test) - term
            by_test += _term(feature, train, test + test_sign * m) - term
            length += m
        gains[0, row] = train_sign * length * per_train - by_train
        gains[1, row] = test_sign * length * per_test - by_test


@lent
def divergence_after(feature: Feature, change: Change) -> float:
    """Return the divergence of the two sides after a change, 0 where one is empty."""
    train = feature.sums[_TRAIN_TOTAL] + change.train
    test = feature.sums[_TEST_TOTAL] + change.test
    if train == 0 or test == 0:
        return 0.0
    most = _total_power(feature, 0, train) * _total_power(feature, 1, test)
    return 1.0 - float(feature.sums[_SUM] + change.terms) / _UNIT / most


@lent
def unseen_after(feature: Feature, change: Change) -> Int:
    """Return how many ids test has and train lacks after a change."""
    unseen: Int = feature.sums[_UNSEEN] + change.unseen
    return unseen


@njit(cache=True, nogil=True, inline="always")
def _count(feature: Feature, row: Int, train_sign: Int, test_sign: Int) -> None:
    for i in range(feature.offsets[row], feature.offsets[row + 1]):
        feature.train[feature.ids[i]] += train_sign * feature.times[i]
        feature.test[feature.ids[i]] += test_sign * feature.times[i]


@njit(cache=True, nogil=True, inline="always")
def _term(feature: Feature, train: Int, test: Int) -> Int:
    return np.int64(feature.train_powers[train] * feature.test_powers[test] * _UNIT + 0.5)


@lent
def _total_power(feature: Feature, side: int, total: Int) -> float:
    """Return a power of a total; exchanges come back to the same few thousand totals."""
    slot = total % _SLOTS
    if feature.totals[side, slot] != total:
        exponent = feature.exponent if side == 0 else 1.0 - feature.exponent
        feature.totals[side, slot] = total
        feature.total_powers[side, slot] = power(float(total), exponent)
    return float(feature.total_powers[side, slot])
