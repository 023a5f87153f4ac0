"""Divergences of atoms and compounds of other sides from train, with those of random splits."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from synthgen.core.columns import Ragged
from synthgen.coverage.baseline import Baseline, RandomSplits
from synthgen.coverage.diversity_features import spaced_rows
from synthgen.coverage.structure_kinds import Kind
from synthgen.coverage.structure_measures import Structures, stacked
from synthgen.draws.randomness import stream_key
from synthgen.trees.divergence import chernoff_divergence
from synthgen.trees.ngrams import ngrams

ATOM_EXPONENT, COMPOUND_EXPONENT = 0.5, 0.1
MAX_TYPES = 2_000_000
"""With more distinct types no random splits are drawn, which takes 160 bytes for each."""
_MAX_IDS = 4_000_000
_PROBED = 500


@dataclass(frozen=True, slots=True)
class Measured:
    """One divergence between train and another side.

    Attributes:
        kind: name of the atoms or compounds.
        exponent: exponent of the shares of train: `ATOM_EXPONENT` or `COMPOUND_EXPONENT`.
        types: number of distinct types on both sides.
        train_rows, test_rows: number of rows measured.
        divergence: Chernoff, from 0 to 1.
        baseline: divergences of random splits of these rows; None if there are too many types.
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
        found: dict[str, float] = {"value": self.divergence, "types": self.types}
        if self.baseline:
            found |= {"random_mean": self.baseline.mean, "random_sd": self.baseline.sd}
            if math.isfinite(self.deviations):
                found["deviations"] = self.deviations
        return found


def measure_kind(structures: Structures, sides: Mapping[str, Ragged]) -> dict[str, list[Measured]]:
    """Measure the atoms and two kinds of compounds of every test side.

    Args:
        structures: of all sides.
        sides: sampled rows of train, under an empty name, and of the tests.
    """
    kind = structures.kind
    most = _rows_for(sides[""], kind)
    bags = {name: kind.bags(spaced_rows(rows, most)) for name, rows in sides.items()}
    return _measure(bags)


def measure_answers(sides: Mapping[str, Ragged]) -> dict[str, list[Measured]]:
    """Measure the tokens of answers and pairs of them; arguments as for `measure_kind`."""
    return _measure(
        {name: {"tokens": rows, "bigrams": ngrams(rows, 2)} for name, rows in sides.items()}
    )


def _measure(bags: Mapping[str, Mapping[str, Ragged]]) -> dict[str, list[Measured]]:
    """Measure every kind of bag; the first one is of atoms."""
    train, *tests = bags
    found: dict[str, list[Measured]] = {name: [] for name in tests}
    for number, name in enumerate(bags[train]):
        exponent = COMPOUND_EXPONENT if number else ATOM_EXPONENT
        for test in tests:
            sides = bags[train][name], bags[test][name]
            found[test].append(_measured(name, *sides, exponent))
    return found


def _measured(kind: str, train: Ragged, test: Ragged, exponent: float) -> Measured:
    both = stacked([train, test])
    known, numbers = np.unique(both.values, return_inverse=True)
    cut = len(train.values)
    counts = [np.bincount(n, minlength=len(known)) for n in (numbers[:cut], numbers[cut:])]
    divergence = chernoff_divergence(counts[0], counts[1], exponent)
    baseline = None
    if len(known) <= MAX_TYPES:
        key = stream_key("coverage", "baseline")
        splits = RandomSplits(len(train), len(test), len(known), key)
        splits.add(Ragged(numbers.astype(np.int64), both.offsets))
        baseline = splits.baseline(exponent)
    return Measured(kind, exponent, len(known), len(train), len(test), divergence, baseline)


def _rows_for(train: Ragged, kind: Kind) -> int:
    """Return the number of rows of a side whose compounds fit in memory at once."""
    probe = spaced_rows(train, _PROBED)
    (*_, largest) = kind.bags(probe).values()
    mean = len(largest.values) / max(len(probe), 1)
    return max(_PROBED, int(_MAX_IDS / max(mean, 1.0)))
