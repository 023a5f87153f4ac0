"""t-way coverage of rows, and the configurations of test that train lacks.

In NIST's combinatorial coverage measurement (Kuhn et al. 2013), total t-way coverage is the share
of all possible configurations that occur, simple coverage the share of fully covered
combinations, and (p, q)-spanning the share p of combinations covered to at least the share q.
Set-difference coverage of test minus train is the share of test's configurations missing from train
(Kuhn, Raunak, Kacker 2022, "Combination frequency differencing"): for a split that holds out only
pairs it is 0 for t = 1 and positive for t = 2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from synthgen.core.checks import check_int
from synthgen.core.errors import ParamError
from synthgen.coverage.combinations import Cell, CombinationCounts, Validity, check_alike

Ints = NDArray[np.int64]

_MOST_TRIED = 1 << 28


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
    def simple(self) -> float:
        """Share of the non-empty combinations all of whose configurations count."""
        return self.spanning(1.0)

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

    def spanning(self, q: float) -> float:
        """Return the share p of combinations with a share of at least q, from 0 to 1.

        Raises:
            ParamError: for q out of range.
        """
        if not 0.0 <= q <= 1.0:
            raise ParamError("q", q, "a share from 0 to 1")
        known = self.each[~np.isnan(self.each)]
        return float((known >= q).mean()) if len(known) else float("nan")


def coverage(
    counts: CombinationCounts, *, at_least: int = 1, valid: Validity | None = None
) -> Shares:
    """Return the coverage of every combination.

    Args:
        counts: of the rows.
        at_least: rows that a configuration needs to be covered, at least 1.
        valid: which configurations are possible; others are ignored even if rows have them. All
            are possible if None.

    Raises:
        ParamError: if `valid` is given and a combination has more than 2^28 configurations to try.
    """
    cells, hits = [], []
    for c, n_cells in enumerate(counts.cells):
        occupied = counts.occupied(c, at_least)
        if valid is None:
            cells.append(n_cells)
            hits.append(len(occupied))
            continue
        check_int("configurations to try", n_cells, 0, _MOST_TRIED)
        cells.append(sum(int(_valid(counts, c, some, valid).sum()) for some in counts.chunks(c)))
        hits.append(int(_valid(counts, c, occupied, valid).sum()))
    return Shares(counts.combinations, tuple(cells), tuple(hits))


def missing_cells(
    counts: CombinationCounts,
    limit: int = 20,
    *,
    at_least: int = 1,
    valid: Validity | None = None,
) -> list[Cell]:
    """Return the first configurations that are not covered, by factors, then by values.

    Args:
        counts: of the rows.
        limit: largest number to return.
        at_least: rows that a configuration needs to be covered.
        valid: which configurations are possible; all if None.
    """
    return list(islice(_missing(counts, at_least, valid), check_int("limit", limit, 0, 2**31)))


def _missing(counts: CombinationCounts, at_least: int, valid: Validity | None) -> Iterator[Cell]:
    for c, n_cells in enumerate(counts.cells):
        if len(counts.occupied(c, at_least)) == n_cells:
            continue
        for numbers in counts.chunks(c):
            few = numbers[counts.counts_of(c, numbers) < at_least]
            if valid is not None:
                few = few[_valid(counts, c, few, valid)]
            for number in few.tolist():
                yield counts.cell(c, number)


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


def _valid(counts: CombinationCounts, c: int, numbers: Ints, valid: Validity) -> NDArray[np.bool_]:
    return valid(counts.combinations[c], counts.values_of(c, numbers))
