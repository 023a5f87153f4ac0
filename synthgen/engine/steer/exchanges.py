"""Exchange rows between train and test to bring divergences near their targets, by local search.

Sums of terms are integers, so a tally after many exchanges equals one computed from scratch.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthgen.core.columns import Ragged, offsets_of
from synthgen.core.kernels import Int, inline, jit, kernel
from synthgen.draws.randomness import draw_below
from synthgen.trees.divergence import power, powers

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_SUM, _TRAIN_TOTAL, _TEST_TOTAL, _UNSEEN = 0, 1, 2, 3
_UNIT = float(1 << 30)
_SLOTS = 1 << 12


class Feature(NamedTuple):
    """One bag of ids for each of n rows, and the tally of both sides.

    Attributes:
        ids, times: Distinct ids of each row, ascending, and their counts, int32 (m,).
        offsets: Starts and end of the rows in `ids`, int64 (n + 1,).
        train, test: Counts of each id on either side, int64 (k,).
        train_powers, test_powers: Powers c^exponent and c^(1 - exponent) of each possible count c.
        sums: Sum of terms in units of 2^-30, total of train and of test, and the number of ids that
            test has and train lacks, int64 (4,).
        totals, total_powers: Recent totals and their powers, (2, slots).
        exponent: Exponent of the train side.
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
    """Effect of one exchange on a feature.

    Attributes:
        train, test: Change of the totals.
        terms: Change of the sum of terms, in units of 2^-30.
        unseen: Change of the number of ids that test has and train lacks.
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


@kernel
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


@jit
def no_change() -> Change:
    """Return the change of no exchange."""
    zero = np.int64(0)
    return Change(zero, zero, zero, zero)


@jit
def change_of(feature: Feature, out: Int, to: Int, train_sign: Int, test_sign: Int) -> Change:
    """Return the effect of an exchange.

    Args:
        feature: Not modified.
        out: Row to replace.
        to: Row that replaces it.
        train_sign: Train gains train_sign * m of each id that `to` has m times more than `out`.
        test_sign: Sign for test, likewise.
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


@kernel
def exchange(
    feature: Feature, out: Int, to: Int, train_sign: Int, test_sign: Int, change: Change
) -> None:
    """Make an exchange whose change is known."""
    _count(feature, out, -train_sign, -test_sign)
    _count(feature, to, train_sign, test_sign)
    feature.sums[_SUM] += change.terms
    feature.sums[_TRAIN_TOTAL] += change.train
    feature.sums[_TEST_TOTAL] += change.test
    feature.sums[_UNSEEN] += change.unseen


@kernel
def weigh(feature: Feature, places: Ints, n_train: int, n_test: int, gains: Floats) -> None:
    """Estimate for every row how changing its side would change the divergence.

    Args:
        feature: Filled for `places`.
        places: Rows, train first, then test.
        n_train: Number of train rows.
        n_test: Number of test rows.
        gains: float64 (2, n), filled: the gain of each row from entering or leaving train, and from
            entering or leaving test. Gains share a unit, which is not that of divergence.
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


@kernel
def divergence_after(feature: Feature, change: Change) -> float:
    """Return the divergence of the two sides after a change, 0 where one is empty."""
    train = feature.sums[_TRAIN_TOTAL] + change.train
    test = feature.sums[_TEST_TOTAL] + change.test
    if train == 0 or test == 0:
        return 0.0
    most = _total_power(feature, 0, train) * _total_power(feature, 1, test)
    return 1.0 - float(feature.sums[_SUM] + change.terms) / _UNIT / most


@kernel
def unseen_after(feature: Feature, change: Change) -> Int:
    """Return how many ids test has and train lacks after a change."""
    unseen: Int = feature.sums[_UNSEEN] + change.unseen
    return unseen


@inline
def _count(feature: Feature, row: Int, train_sign: Int, test_sign: Int) -> None:
    for i in range(feature.offsets[row], feature.offsets[row + 1]):
        feature.train[feature.ids[i]] += train_sign * feature.times[i]
        feature.test[feature.ids[i]] += test_sign * feature.times[i]


@inline
def _term(feature: Feature, train: Int, test: Int) -> Int:
    return np.int64(feature.train_powers[train] * feature.test_powers[test] * _UNIT + 0.5)


@kernel
def _total_power(feature: Feature, side: int, total: Int) -> float:
    """Return a power of a total, cached, as exchanges return to the same few thousand totals."""
    slot = total % _SLOTS
    if feature.totals[side, slot] != total:
        exponent = feature.exponent if side == 0 else 1.0 - feature.exponent
        feature.totals[side, slot] = total
        feature.total_powers[side, slot] = power(float(total), exponent)
    return float(feature.total_powers[side, slot])


PROPOSED, EXCHANGED, LAST_GAIN = 0, 1, 2
CANDIDATES = 8


class Aim(NamedTuple):
    """Objective of the search.

    Attributes:
        atom_bound, axis_bound: Divergences of atoms and of axes that are free of charge.
        penalty: Charge for a divergence of 1 beyond them.
        unseen_penalty: Charge for each atom that test has and train lacks.
        target: Stop once the compounds diverge this far and nothing is charged.
        patience: Number of proposals without a gain after which to stop.
        refresh: Number of proposals after which gains of all rows are recomputed.
    """

    atom_bound: float
    axis_bound: float
    penalty: float
    unseen_penalty: float
    target: float
    patience: int
    refresh: int


class Proposal(NamedTuple):
    """Two places of different sides, and the signs of `change_of`."""

    place: Int
    other: Int
    train_sign: Int
    test_sign: Int


@jit
def climb(
    features: tuple[Feature, Feature, Feature],
    places: Ints,
    sizes: tuple[int, int],
    aim: Aim,
    proposals: tuple[np.uint64, int],
    counts: Ints,
) -> tuple[float, float]:
    """Make at most a given number of proposals, and the exchanges that do not lower the score.

    Args:
        features: Compounds, atoms bounded by `aim.atom_bound` and axes bounded by `aim.axis_bound`,
            all filled for `places`; they follow the exchanges.
        places: All rows, int64 (n,): train first, then test, then the unused; changed in place.
        sizes: Numbers of train rows and of test rows, at least 1 each.
        aim: Target and limits.
        proposals: Key of the row of draws that makes them, and their maximum number.
        counts: Number of proposals and exchanges so far, and of the last proposal that was a gain,
            int64 (3,); numbering continues, so a search may be split into several calls.

    Returns:
        The score, and the charge that was subtracted from it.
    """
    compounds, atoms, axes = features
    (n_train, n_test), (key, steps) = sizes, proposals
    nothing = no_change()
    charge = _charge(atoms, nothing, axes, nothing, aim)
    score = divergence_after(compounds, nothing) - charge
    gains = np.zeros((2, len(places)))
    first = counts[PROPOSED]
    for step in range(first, first + steps):
        if (charge == 0.0 and score >= aim.target) or step - counts[LAST_GAIN] >= aim.patience:
            break
        if (step - first) % aim.refresh == 0:
            weigh(compounds, places, n_train, n_test, gains)
        counts[PROPOSED] += 1
        place, other, train_sign, test_sign = _propose(key, step, n_train, n_test, places, gains)
        out, to = places[place], places[other]
        compound_change = change_of(compounds, out, to, train_sign, test_sign)
        diverged = divergence_after(compounds, compound_change)
        if diverged < score:
            continue  # charges only lower it more, and are costly to compute
        atom_change = change_of(atoms, out, to, train_sign, test_sign)
        axis_change = change_of(axes, out, to, train_sign, test_sign)
        new_charge = _charge(atoms, atom_change, axes, axis_change, aim)
        if diverged - new_charge < score:
            continue  # equal scores are accepted, so that the search can cross plateaus
        exchange(compounds, out, to, train_sign, test_sign, compound_change)
        exchange(atoms, out, to, train_sign, test_sign, atom_change)
        exchange(axes, out, to, train_sign, test_sign, axis_change)
        places[place], places[other] = to, out
        _turn(gains, out, train_sign, test_sign)
        _turn(gains, to, train_sign, test_sign)
        counts[EXCHANGED] += 1
        if diverged - new_charge > score:
            counts[LAST_GAIN] = step + 1
        score, charge = diverged - new_charge, new_charge
    return score, charge


@kernel
def _charge(
    atoms: Feature, atom_change: Change, axes: Feature, axis_change: Change, aim: Aim
) -> float:
    beyond = max(0.0, divergence_after(atoms, atom_change) - aim.atom_bound)
    beyond += max(0.0, divergence_after(axes, axis_change) - aim.axis_bound)
    return aim.penalty * beyond + aim.unseen_penalty * unseen_after(atoms, atom_change)


@jit
def _propose(
    key: np.uint64, step: Int, n_train: int, n_test: int, places: Ints, gains: Floats
) -> Proposal:
    """Choose two places: train and unused, test and unused, and train and test by turns."""
    used = n_train + n_test
    n_unused = len(places) - used
    turn = step % 3 if n_unused > 0 else 2
    first, count, other_first, other_count = 0, n_train, used, n_unused
    train_sign, test_sign = np.int64(1), np.int64(0)
    if turn == 1:
        first, count = n_train, n_test
        train_sign, test_sign = np.int64(0), np.int64(1)
    elif turn == 2:
        other_first, other_count = n_train, n_test
        test_sign = np.int64(-1)
    draw = 2 * CANDIDATES * step
    signs = train_sign, test_sign
    place = _best(key, draw, (first, count), places, gains, signs)
    draw += CANDIDATES
    other = _best(key, draw, (other_first, other_count), places, gains, signs)
    return Proposal(place, other, train_sign, test_sign)


@kernel
def _best(
    key: np.uint64,
    draw: Int,
    span: tuple[Int, Int],
    places: Ints,
    gains: Floats,
    signs: tuple[Int, Int],
) -> Int:
    """Return the most promising of a few random places of a span, (first, count)."""
    (first, count), (train_sign, test_sign) = span, signs
    best: Int = np.int64(-1)
    most = 0.0
    for j in range(CANDIDATES):
        place = first + draw_below(key, draw + j, count)
        row = places[place]
        gain = abs(train_sign) * gains[0, row] + abs(test_sign) * gains[1, row]
        if best < 0 or gain > most:
            best, most = place, gain
    return best


@kernel
def _turn(gains: Floats, row: Int, train_sign: Int, test_sign: Int) -> None:
    """Reverse a row's gain, as changing its side again would undo it."""
    if train_sign != 0:
        gains[0, row] = -gains[0, row]
    if test_sign != 0:
        gains[1, row] = -gains[1, row]
