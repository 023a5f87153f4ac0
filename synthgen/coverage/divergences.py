"""Divergences of atoms and compounds of other sides from train, with those of random splits.

Two samples of one distribution over K types, of n and m tokens, have about

    E[D_a] = a (1 - a) / 2 * (K - 1) * (1/n + 1/m)

if there are many tokens for each type. If types are sparse or correlated within rows, the baseline
needs random splits of the same rows into the same sizes: a divergence within three standard
deviations of theirs is not evidence about composition.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from synthgen.core.checks import check_int
from synthgen.core.columns import Ragged
from synthgen.core.errors import ParamError
from synthgen.core.kernels import kernel
from synthgen.coverage.diversity import spaced_rows
from synthgen.coverage.structure_kinds import Kind
from synthgen.coverage.structure_measures import Structures, stacked
from synthgen.draws.randomness import GOLDEN, U64, draw_below, mix_words, stream_key
from synthgen.trees.divergence import check_exponent, chernoff_divergence
from synthgen.trees.ngrams import ngrams

Ints = NDArray[np.int64]

MIN_SPLITS = 20
_MAX_SPLITS = 10_000
ATOM_EXPONENT, COMPOUND_EXPONENT = 0.5, 0.1
MAX_TYPES = 2_000_000
"""With more distinct types no random splits are drawn, which takes 160 bytes for each."""
_MAX_IDS = 4_000_000
_PROBED = 500


def expected_divergence(n_types: int, n_train: int, n_test: int, exponent: float) -> float:
    """Return the expected divergence of a random split with many tokens of each type.

    Args:
        n_types: Number K of distinct types, at least 1.
        n_train: Tokens of train, at least 1.
        n_test: Tokens of test, at least 1.
        exponent: Exponent a of the train shares, above 0 and below 1.

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
        values: Divergence of each split.
        formula: Result of `expected_divergence` for the given types and tokens.
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
            n_train: Rows of train, at least 0.
            n_test: Rows of test, at least 0.
            n_ids: Number of ids 0..n_ids-1; memory is 8 bytes for each id and split.
            key: Stream key of 64 bits.
            splits: Number of random splits, from 20 to 10,000.

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
        """Return the divergences of the splits for an exponent of the train shares.

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
        rows: Ids 0, 1, 2 ... of each row.
        n_train: Rows of train; all others are test.
        exponent: Exponent of the train shares, above 0 and below 1.
        key: Stream key of 64 bits.
        splits: Number of random splits, from 20 to 10,000.

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
            # The number of rows still to come also numbers the draw: it is different for each row.
            if draw_below(keys[split], remaining, remaining) < left[split]:
                left[split] -= 1
                for at in range(offsets[i], offsets[i + 1]):
                    counts[ids[at]] += 1


@dataclass(frozen=True, slots=True)
class MeasuredDivergence:
    """One divergence between train and another side.

    Attributes:
        kind: Name of the atoms or compounds.
        exponent: Exponent of the shares of train: `ATOM_EXPONENT` or `COMPOUND_EXPONENT`.
        types: Number of distinct types on both sides.
        train_rows, test_rows: Number of rows measured.
        divergence: Chernoff divergence, from 0 to 1.
        baseline: Divergences of random splits of these rows; None if there are too many types.
    """

    kind: str
    exponent: float
    types: int
    train_rows: int
    test_rows: int
    divergence: float
    baseline: Baseline | None

    @property
    def deviations(self) -> float:
        """Standard deviations above the mean of random splits; infinite without any."""
        return self.baseline.deviations(self.divergence) if self.baseline else math.inf

    @property
    def is_of_atoms(self) -> bool:
        """Whether atoms are compared."""
        return self.exponent == ATOM_EXPONENT

    @property
    def figures(self) -> dict[str, float]:
        """The numbers by name."""
        figures: dict[str, float] = {"value": self.divergence, "types": self.types}
        if self.baseline:
            figures |= {"random_mean": self.baseline.mean, "random_sd": self.baseline.sd}
            if math.isfinite(self.deviations):
                figures["deviations"] = self.deviations
        return figures


def measure_kind(
    structures: Structures, sides: Mapping[str, Ragged]
) -> dict[str, list[MeasuredDivergence]]:
    """Measure the atoms and two kinds of compounds of every test side.

    Args:
        structures: Structures of all sides.
        sides: Sampled rows of train, under an empty name, and of the tests.
    """
    kind = structures.kind
    most = _rows_for(sides[""], kind)
    bags = {name: kind.bags(spaced_rows(rows, most)) for name, rows in sides.items()}
    return _measure(bags)


def measure_answers(sides: Mapping[str, Ragged]) -> dict[str, list[MeasuredDivergence]]:
    """Measure the tokens of answers and pairs of them; arguments as for `measure_kind`."""
    return _measure(
        {name: {"tokens": rows, "bigrams": ngrams(rows, 2)} for name, rows in sides.items()}
    )


def _measure(bags: Mapping[str, Mapping[str, Ragged]]) -> dict[str, list[MeasuredDivergence]]:
    """Measure every kind of bag; the first one is of atoms."""
    train, *tests = bags
    measured: dict[str, list[MeasuredDivergence]] = {name: [] for name in tests}
    for number, (name, bag) in enumerate(bags[train].items()):
        exponent = COMPOUND_EXPONENT if number else ATOM_EXPONENT
        known, codes = np.unique(bag.values, return_inverse=True)
        for test in tests:
            sides = Ragged(codes, bag.offsets), bags[test][name]
            measured[test].append(_measured(name, known, *sides, exponent))
    return measured


def _measured(
    kind: str, known: U64, train: Ragged, test: Ragged, exponent: float
) -> MeasuredDivergence:
    """Compare train, places among the ids known, with a test of ids."""
    ids, codes = np.unique(test.values, return_inverse=True)
    places = np.searchsorted(known, ids)
    new = places == np.searchsorted(known, ids, side="right")
    n_types = len(known) + int(np.count_nonzero(new))
    places[new] = np.arange(len(known), n_types)
    both = stacked([train, Ragged(places[codes], test.offsets)])
    cut = len(train.values)
    sides = both.values[:cut], both.values[cut:]
    counts = [np.bincount(side, minlength=n_types) for side in sides]
    divergence = chernoff_divergence(counts[0], counts[1], exponent)
    baseline = None
    if n_types <= MAX_TYPES:
        key = stream_key("coverage", "baseline")
        splits = RandomSplits(len(train), len(test), n_types, key)
        splits.add(both)
        baseline = splits.baseline(exponent)
    sizes = n_types, len(train), len(test)
    return MeasuredDivergence(kind, exponent, *sizes, divergence, baseline)


def _rows_for(train: Ragged, kind: Kind) -> int:
    """Return the number of rows of a side whose compounds fit in memory at once."""
    probe = spaced_rows(train, _PROBED)
    (*_, largest) = kind.bags(probe).values()
    mean = len(largest.values) / max(len(probe), 1)
    return max(_PROBED, int(_MAX_IDS / max(mean, 1.0)))
