"""t-way coverage of rows, and the configurations of test that train lacks.

A factor is a column of codes 0..size-1, a combination is a choice of t factors, and a configuration
(or cell) assigns a value to each factor of a combination (Kuhn, Mendoza, Kacker and Lei 2013,
"Combinatorial coverage measurement concepts and applications"). A cell's number is its values read
as digits of a mixed radix, the first factor being the most significant. Counts are sums over rows,
so batches may have any order and size, and partial counts can be merged. Combinations with few
cells are counted in arrays, those with many in sparse tables.

Total t-way coverage is the share of all possible configurations that occur. Set-difference coverage
of test minus train is the share of test's configurations missing from train (Kuhn, Raunak, Kacker
2022, "Combination frequency differencing"): for a split that holds out only pairs it is 0 for t = 1
and positive for t = 2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from math import comb, prod

import numpy as np
from numpy.typing import ArrayLike, NDArray

from synthgen.core.checks import check_int
from synthgen.core.errors import ParamError
from synthgen.core.kernels import kernel
from synthgen.coverage.id_counts import IdCounts

Ints = NDArray[np.int64]

MAX_STRENGTH, MAX_COMBINATIONS, MAX_CELLS = 6, 10_000, 2**63 - 1
_ARRAY_CELLS, _ARRAYS_CELLS = 1 << 22, 1 << 25
_BLOCK = 1 << 14
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Cell:
    """A configuration.

    Attributes:
        factors: Numbers of the factors, rising, (t,).
        values: Codes of their values, (t,).
    """

    factors: tuple[int, ...]
    values: tuple[int, ...]


class CombinationCounts:
    """Counts of the configurations of every t factors.

    Args:
        sizes: Number of values of each factor, (f,), each at least 1.
        t: Factors in a combination, 1 to 6 and no more than f.

    Raises:
        ParamError: for sizes or t out of range, more than 10,000 combinations, or a combination of
            more than 2^63 - 1 cells.
    """

    def __init__(self, sizes: Sequence[int], t: int) -> None:
        for size in sizes:
            check_int("size", size, 1, 2**31 - 1)
        check_int("t", t, 1, min(MAX_STRENGTH, len(sizes)))
        if comb(len(sizes), t) > MAX_COMBINATIONS:
            raise ParamError("t", t, f"at most {MAX_COMBINATIONS} combinations")
        self.sizes = tuple(sizes)
        self.t = t
        self.combinations = tuple(combinations(range(len(sizes)), t))
        self.cells = tuple(prod(sizes[j] for j in factors) for factors in self.combinations)
        if max(self.cells) > MAX_CELLS:
            raise ParamError("sizes", self.sizes, f"at most {MAX_CELLS} cells in a combination")
        self._rows = 0
        self._choose_tables()

    def _choose_tables(self) -> None:
        """Assign arrays to the combinations with the fewest cells, as far as memory allows."""
        self._starts: dict[int, int] = {}
        self._sparse = {}
        end = 0
        for c in sorted(range(len(self.cells)), key=lambda c: (self.cells[c], c)):
            if self.cells[c] <= _ARRAY_CELLS and end + self.cells[c] <= _ARRAYS_CELLS:
                self._starts[c] = end
                end += self.cells[c]
            else:
                self._sparse[c] = IdCounts()
        self._counts = np.zeros(end, np.int64)
        dense = list(self._starts)
        factors = np.array([self.combinations[c] for c in dense], np.int64)
        self._dense_factors = factors.reshape(len(dense), self.t)
        self._dense_starts = np.array([self._starts[c] for c in dense], np.int64)

    @property
    def rows(self) -> int:
        """Number of rows counted."""
        return self._rows

    def add(self, columns: Sequence[ArrayLike]) -> None:
        """Count rows (n,) by their codes of each factor; -1 means no value, and counts in no cell.

        Raises:
            ParamError: for the wrong number of columns, or a code out of its factor's range.
        """
        codes = self._checked(columns)
        sizes = np.array(self.sizes, np.int64)
        self._rows += codes.shape[1]
        for start in range(0, codes.shape[1], _BLOCK):
            block = np.ascontiguousarray(codes[:, start : start + _BLOCK])
            _count(block, self._dense_factors, self._dense_starts, sizes, self._counts)
        for c, table in self._sparse.items():
            chosen = codes[list(self.combinations[c])].astype(np.int64)
            table.add(self.numbers_of(c, chosen[:, (chosen >= 0).all(axis=0)]))

    def _checked(self, columns: Sequence[ArrayLike]) -> NDArray[np.int32]:
        arrays = [np.asarray(column) for column in columns]
        if len(arrays) != len(self.sizes) or len({array.shape for array in arrays}) != 1:
            expected = f"{len(self.sizes)} columns of equal length"
            raise ParamError("columns", [array.shape for array in arrays], expected)
        for j, (array, size) in enumerate(zip(arrays, self.sizes, strict=True)):
            if len(array) and not -1 <= int(array.min()) <= int(array.max()) < size:
                bounds = (int(array.min()), int(array.max()))
                name = f"codes of factor {j}"
                raise ParamError(name, bounds, f"from -1 to {size - 1}")
        return np.stack([array.astype(np.int32) for array in arrays])

    def merge(self, other: CombinationCounts) -> None:
        """Add the counts of other rows of the same factors.

        Raises:
            ParamError: if the factors or t differ.
        """
        check_alike(self, other)
        self._rows += other._rows
        self._counts += other._counts
        for c, table in self._sparse.items():
            table.merge(other._sparse[c])

    def counts_of(self, c: int, numbers: Ints) -> Ints:
        """Return the number of rows in the numbered cells of combination c, int64 (m,)."""
        if c in self._sparse:
            return self._sparse[c].counts_of(numbers)
        return self._counts[self._starts[c] + numbers]

    def occupied(self, c: int) -> Ints:
        """Return the numbers of the cells of combination c that have rows, int64 (m,), rising."""
        if c in self._sparse:
            return self._sparse[c].items()[0].astype(np.int64)
        start = self._starts[c]
        return np.flatnonzero(self._counts[start : start + self.cells[c]])

    def table(self, factors: Sequence[int]) -> Ints:
        """Return the number of rows in every cell of a combination, int64, one axis per factor.

        Raises:
            ParamError: for an unknown combination, or one with too many cells for an array.
        """
        if tuple(factors) not in self.combinations:
            raise ParamError("factors", tuple(factors), f"{self.t} rising numbers of factors")
        c = self.combinations.index(tuple(factors))
        if self.cells[c] > _ARRAY_CELLS:
            raise ParamError("cells", self.cells[c], f"at most {_ARRAY_CELLS} in a table")
        numbers = np.arange(self.cells[c], dtype=np.int64)
        return self.counts_of(c, numbers).reshape([self.sizes[j] for j in factors])

    def numbers_of(self, c: int, values: Ints) -> Ints:
        """Return the cell numbers of values (t, m), int64 (m,)."""
        numbers = np.zeros(values.shape[1], np.int64)
        for j, codes in zip(self.combinations[c], values, strict=True):
            numbers = numbers * self.sizes[j] + codes
        return numbers

    def values_of(self, c: int, numbers: Ints) -> Ints:
        """Return the values of cells given by number, int64 (t, m)."""
        values = np.empty((self.t, len(numbers)), np.int64)
        for place in range(self.t - 1, -1, -1):
            numbers, values[place] = np.divmod(numbers, self.sizes[self.combinations[c][place]])
        return values

    def cell(self, c: int, number: int) -> Cell:
        """Return a cell of combination c by its number."""
        values = self.values_of(c, np.array([number], np.int64))[:, 0]
        return Cell(self.combinations[c], tuple(values.tolist()))

    def chunks(self, c: int) -> Iterator[Ints]:
        """Yield the numbers of all cells of combination c, about a million at a time."""
        for start in range(0, self.cells[c], _CHUNK):
            yield np.arange(start, min(start + _CHUNK, self.cells[c]), dtype=np.int64)


def check_alike(one: CombinationCounts, other: CombinationCounts) -> None:
    """Raise ParamError unless both count the same combinations of the same factors."""
    if (one.sizes, one.t) != (other.sizes, other.t):
        raise ParamError("counts", (other.sizes, other.t), f"those of {one.sizes}, t={one.t}")


@kernel
def _count(codes: NDArray[np.int32], factors: Ints, starts: Ints, sizes: Ints, out: Ints) -> None:
    t = factors.shape[1]
    for c in range(len(factors)):
        for i in range(codes.shape[1]):
            number = np.int64(0)
            absent = np.int64(0)  # below 0 as soon as one code is
            for j in range(t):
                code = np.int64(codes[factors[c, j], i])
                absent |= code
                number = number * sizes[factors[c, j]] + code
            if absent >= 0:
                out[starts[c] + number] += 1


@dataclass(frozen=True)
class Shares:
    """Number of configurations of every combination, and of those that count.

    Attributes:
        combinations: Numbers of the factors of each, (c, t).
        cells: Number of possible configurations, (c,).
        hits: Number of them that are covered, or that train lacks, (c,).
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
    cells = (
        counts.cell(c, number)
        for c in range(len(counts.cells))
        for numbers in counts.chunks(c)
        for number in numbers[counts.counts_of(c, numbers) == 0].tolist()
    )
    return list(islice(cells, check_int("limit", limit, 0, 2**31)))


def set_difference(test: CombinationCounts, train: CombinationCounts) -> Shares:
    """Return the share of the configurations of test that train lacks.

    Returns:
        Shares whose cells are the configurations of test, and whose hits are those train lacks.

    Raises:
        ParamError: if the two count different factors or t.
    """
    check_alike(test, train)
    cells = tuple(len(test.occupied(c)) for c in range(len(test.cells)))
    hits = tuple(len(_lacking(test, train, c)) for c in range(len(test.cells)))
    return Shares(test.combinations, cells, hits)


def difference_cells(
    test: CombinationCounts, train: CombinationCounts, limit: int = 20
) -> list[Cell]:
    """Return the first configurations of test that train lacks, by factors, then by values."""
    check_alike(test, train)
    cells = (
        test.cell(c, number)
        for c in range(len(test.cells))
        for number in _lacking(test, train, c).tolist()
    )
    return list(islice(cells, check_int("limit", limit, 0, 2**31)))


def _lacking(test: CombinationCounts, train: CombinationCounts, c: int) -> Ints:
    numbers = test.occupied(c)
    lacking: Ints = numbers[train.counts_of(c, numbers) == 0]
    return lacking
