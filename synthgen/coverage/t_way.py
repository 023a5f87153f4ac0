"""t-way coverage of rows, and the configurations of test that train lacks.

In NIST's combinatorial coverage measurement (Kuhn et al. 2013), total t-way coverage is the share
of all possible configurations that occur.
Set-difference coverage of test minus train is the share of test's configurations missing from train
(Kuhn, Raunak, Kacker 2022, "Combination frequency differencing"): for a split that holds out only
pairs it is 0 for t = 1 and positive for t = 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from synthgen.core.checks import check_int
from synthgen.coverage.combination_counts import Cell, CombinationCounts, check_alike

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Shares:
    """Number of configurations of every combination, and of those that count.

    Attributes:
        combinations: numbers of the factors of each, (c, t).
        cells: number of possible configurations, (c,).
        hits: number of them that are covered, or that train lacks, (c,).
    """

    combinations: tuple[tuple[int, ...], ...]
    cells: tuple[int, ...]
    hits: tuple[int, ...]

    @property
    def each(self) -> NDArray[np.float64]:
        """Share of each combination, float64 (c,), nan without cells."""
        pairs = zip(self.hits, self.cells, strict=True)
        return np.array([hit / of if of else np.nan for hit, of in pairs])

    @property
    def total(self) -> float:
        """Share of all configurations, nan if there are none."""
        return sum(self.hits) / sum(self.cells) if any(self.cells) else float("nan")

    @property
    def minimum(self) -> float:
        """Smallest share of a combination, nan if none has cells."""
        known = self.each[~np.isnan(self.each)]
        return float(known.min()) if len(known) else float("nan")

    @property
    def weakest(self) -> tuple[int, ...] | None:
        """The first combination with the smallest share, if any has cells."""
        if not any(self.cells):
            return None
        return self.combinations[int(np.nanargmin(self.each))]


def coverage(counts: CombinationCounts) -> Shares:
    """Return the coverage of every combination by the rows counted."""
    hits = tuple(len(counts.occupied(c)) for c in range(len(counts.cells)))
    return Shares(counts.combinations, counts.cells, hits)


def missing_cells(counts: CombinationCounts, limit: int = 20) -> list[Cell]:
    """Return the first configurations without rows, at most `limit`, by factors, then by values."""
    found = (
        counts.cell(c, number)
        for c in range(len(counts.cells))
        for numbers in counts.chunks(c)
        for number in numbers[counts.counts_of(c, numbers) == 0].tolist()
    )
    return list(islice(found, check_int("limit", limit, 0, 2**31)))


def set_difference(test: CombinationCounts, train: CombinationCounts) -> Shares:
    """Return the share of the configurations of test that train lacks.

    Returns:
        Shares whose cells are the configurations of test, and whose hits are those train lacks.

    Raises:
        ParamError: if the two count different factors or t.
    """
    check_alike(test, train)
    cells, hits = [], []
    for c in range(len(test.cells)):
        cells.append(len(test.occupied(c)))
        hits.append(len(_lacking(test, train, c)))
    return Shares(test.combinations, tuple(cells), tuple(hits))


def difference_cells(
    test: CombinationCounts, train: CombinationCounts, limit: int = 20
) -> list[Cell]:
    """Return the first configurations of test that train lacks, by factors, then by values."""
    check_alike(test, train)
    found = (
        test.cell(c, number)
        for c in range(len(test.cells))
        for number in _lacking(test, train, c).tolist()
    )
    return list(islice(found, check_int("limit", limit, 0, 2**31)))


def _lacking(test: CombinationCounts, train: CombinationCounts, c: int) -> Ints:
    numbers = test.occupied(c)
    lacking: Ints = numbers[train.counts_of(c, numbers) == 0]
    return lacking
