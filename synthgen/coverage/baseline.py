"""Divergence expected of a random split: by formula, and by resampling random splits.

Two samples of one distribution over K types, of n and m tokens, have about

    E[D_a] = a (1 - a) / 2 * (K - 1) * (1/n + 1/m)

if there are many tokens for each type. If types are sparse or correlated within rows, the baseline
needs random splits of the same rows into the same sizes: a divergence within three standard
deviations of theirs is no evidence about composition.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from synthgen.core.checks import check_int
from synthgen.core.columns import Ragged
from synthgen.core.errors import ParamError
from synthgen.core.kernels import kernel
from synthgen.draws.randomness import GOLDEN, U64, draw_below, mix_words
from synthgen.trees.divergence import check_exponent, chernoff_divergence

Ints = NDArray[np.int64]

MIN_SPLITS = 20
_MAX_SPLITS = 10_000


def expected_divergence(n_types: int, n_train: int, n_test: int, exponent: float) -> float:
    """Return the expected divergence of a random split with many tokens of each type.

    Args:
        n_types: number K of distinct types, at least 1.
        n_train: tokens of train, at least 1.
        n_test: tokens of test, at least 1.
        exponent: a of the train shares, above 0 and below 1.

    Returns:
        At least 0; values above 1 are not estimates, as types are too sparse.

    Raises:
        ParamError: for arguments out of range.
    """
    check_int("n_types", n_types, 1, 2**63)
    check_int("n_train", n_train, 1, 2**63)
    check_int("n_test", n_test, 1, 2**63)
    check_exponent("exponent", exponent)
    return 0.5 * exponent * (1.0 - exponent) * (n_types - 1) * (1.0 / n_train + 1.0 / n_test)


@dataclass(frozen=True, slots=True)
class Baseline:
    """Divergences of random splits of the same rows into the same sizes.

    Attributes:
        values: one for each split.
        formula: `expected_divergence` for the given types and tokens.
    """

    values: tuple[float, ...]
    formula: float

    @property
    def mean(self) -> float:
        """Mean of the values."""
        return math.fsum(self.values) / len(self.values)

    @property
    def sd(self) -> float:
        """Sample standard deviation of the values (n - 1)."""
        mean = self.mean
        squares = math.fsum((value - mean) ** 2 for value in self.values)
        return math.sqrt(squares / max(len(self.values) - 1, 1))

    def deviations(self, divergence: float) -> float:
        """Return the number of standard deviations by which a divergence exceeds the mean.

        Infinite if all random splits have the same value and this one differs.
        """
        distance = divergence - self.mean
        if self.sd == 0.0:
            return math.copysign(math.inf, distance) if distance else 0.0
        return distance / self.sd


class RandomSplits:
    """Counts of ids on both sides of random splits, over rows added in batches.

    Every set of n_test rows is equally likely to be the test. The draw depends only on the key, the
    sizes and the order of the rows, so two features of the same rows are split alike.
    """

    def __init__(
        self, n_train: int, n_test: int, n_ids: int, key: int, *, splits: int = MIN_SPLITS
    ) -> None:
        """Start without rows.

        Args:
            n_train: rows of train, at least 0.
            n_test: rows of test, at least 0.
            n_ids: ids are 0..n_ids-1; memory is 8 bytes for each id and split.
            key: 64-bit stream key.
            splits: number of random splits, from 20 to 10,000.

        Raises:
            ParamError: for arguments out of range.
        """
        check_int("n_train", n_train, 0, 2**63 - 1)
        check_int("n_test", n_test, 0, 2**63 - 1)
        check_int("n_ids", n_ids, 0, 2**48)
        check_int("splits", splits, MIN_SPLITS, _MAX_SPLITS)
        self._n, self._at = n_train + n_test, 0
        self._draws_test = n_test <= n_train
        drawn = min(n_train, n_test)
        self._left = np.full(splits, drawn, np.int64)
        self._keys = mix_words(np.uint64(key) + np.arange(1, splits + 1, dtype=np.uint64) * GOLDEN)
        self._drawn = np.zeros((splits, n_ids), np.int64)
        self._all = np.zeros(n_ids, np.int64)
        self._sizes = n_train, n_test

    def add(self, rows: Ragged) -> None:
        """Add the next rows, with ids 0..n_ids-1.

        Raises:
            ParamError: for an id out of range, or too many rows.
        """
        if self._at + len(rows) > self._n:
            raise ParamError("rows", self._at + len(rows), f"{self._n}, as many as both sides have")
        ids = rows.values.astype(np.int64, copy=False)
        if len(ids) and not 0 <= int(ids.min()) <= int(ids.max()) < len(self._all):
            known = len(self._all)
            raise ParamError("ids", (int(ids.min()), int(ids.max())), f"from 0 to {known - 1}")
        self._all += np.bincount(ids, minlength=len(self._all))
        _draw_rows(ids, rows.offsets, self._keys, self._left, self._n - self._at, self._drawn)
        self._at += len(rows)

    def baseline(self, exponent: float) -> Baseline:
        """Return the divergences of the splits.

        Args:
            exponent: of the train shares, above 0 and below 1.

        Raises:
            ParamError: if rows are missing, or for an exponent out of range.
        """
        if self._at != self._n:
            raise ParamError("rows", self._at, f"{self._n}, as many as both sides have")
        values = [self._divergence(drawn, exponent) for drawn in self._drawn]
        tokens = int(self._all.sum())
        train, test = (max(1, round(tokens * size / max(self._n, 1))) for size in self._sizes)
        n_types = max(1, int(np.count_nonzero(self._all)))
        return Baseline(tuple(values), expected_divergence(n_types, train, test, exponent))

    def _divergence(self, drawn: Ints, exponent: float) -> float:
        others = self._all - drawn
        if self._draws_test:
            return chernoff_divergence(others, drawn, exponent)
        return chernoff_divergence(drawn, others, exponent)


def random_split_baseline(
    rows: Ragged, n_train: int, exponent: float, key: int, *, splits: int = MIN_SPLITS
) -> Baseline:
    """Return the divergences of random splits of rows given all at once.

    Args:
        rows: ids 0, 1, 2 ... of each row.
        n_train: rows of train; all others are test.
        exponent: of the train shares, above 0 and below 1.
        key: 64-bit stream key.
        splits: number of random splits, from 20 to 10,000.

    Raises:
        ParamError: for arguments out of range.
    """
    check_int("n_train", n_train, 0, len(rows))
    n_ids = int(rows.values.max()) + 1 if len(rows.values) else 0
    counts = RandomSplits(n_train, len(rows) - n_train, n_ids, key, splits=splits)
    counts.add(rows)
    return counts.baseline(exponent)


@kernel
def _draw_rows(
    ids: Ints, offsets: Ints, keys: U64, left: Ints, rows_left: int, drawn: NDArray[np.int64]
) -> None:
    """Select each row with probability (rows still to draw) / (rows still to come).

    This is selection sampling (Knuth, The Art of Computer Programming 3.4.2, algorithm S).
    """
    for split in range(len(keys)):
        counts = drawn[split]
        for i in range(len(offsets) - 1):
            remaining = rows_left - i
            if draw_below(keys[split], remaining, remaining) < left[split]:
                left[split] -= 1
                for at in range(offsets[i], offsets[i + 1]):
                    counts[ids[at]] += 1
