"""Quotas: rows of each cell of a split when shares are equal but some cells are exhausted."""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthgen.core.checks import check_int
from synthgen.core.errors import ParamError


def water_fill(rows: int, capacities: Sequence[int | None]) -> list[int]:
    """Distribute rows equally over cells of limited capacity.

    Every cell gets min(capacity, level), with the level as high as the rows allow; the remainder
    goes one each to the first cells that can still take it. With more rows a cell never gets
    fewer, so a smaller build takes a subset of a larger one.

    Args:
        rows: rows to distribute, 0 or more.
        capacities: most rows that each cell can take, None for no limit.

    Returns:
        One quota per cell; they sum to `rows`, or to all capacities if that is less.
    """
    quotas = [0] * len(capacities)
    limits = [rows if capacity is None else min(capacity, rows) for capacity in capacities]
    rising = sorted(range(len(limits)), key=limits.__getitem__)
    left = rows
    for done, cell in enumerate(rising):
        level = left // (len(rising) - done)
        if limits[cell] > level:
            return _spread(quotas, sorted(rising[done:]), left)
        quotas[cell] = limits[cell]
        left -= limits[cell]
    return quotas


def _spread(quotas: list[int], cells: list[int], rows: int) -> list[int]:
    """Give cells with room an equal level, and the first ones one row more."""
    level, over = divmod(rows, len(cells))
    for place, cell in enumerate(cells):
        quotas[cell] = level + (place < over)
    return quotas


_RADIX_SORTED = 1 << 15
"""Values below this fit into 16 bits, which numpy sorts several times as fast."""


def cap_count(share: float, quota: int) -> int:
    """Return how many of `quota` rows may have the same value: the floor, but at least one."""
    return max(1, int(share * quota))


def ranks_among_equals(values: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return for each value the number of equal ones before it, int64 (n,)."""
    if len(values) and values.min() >= 0 and values.max() < _RADIX_SORTED:
        values = values.astype(np.int16)
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    first = np.ones(len(values), dtype=bool)
    first[1:] = ordered[1:] != ordered[:-1]
    starts = np.flatnonzero(first)
    ranks = np.empty(len(values), np.int64)
    ranks[order] = np.arange(len(values)) - np.repeat(starts, np.diff(starts, append=len(values)))
    return ranks


def supply(rows_by_rank: NDArray[np.int64], share: float, quota: int) -> int:
    """Return how many of a cell's rows the cap of `quota` rows accepts.

    Args:
        rows_by_rank: number of rows with 0, 1, 2, ... equal ones before them.
        share: share of the quota that may have the same value.
        quota: number of rows.
    """
    return int(rows_by_rank[: cap_count(share, quota)].sum())


def capacity(rows_by_rank: NDArray[np.int64], share: float) -> int:
    """Return the largest quota that a cell's rows can fill under its own cap."""
    quota = int(rows_by_rank.sum())
    while (able := supply(rows_by_rank, share, quota)) < quota:
        quota = able
    return quota


Weights = Sequence[int] | Sequence[float] | NDArray[np.integer] | NDArray[np.floating]
MOST_ROWS = 2**53


def largest_remainder(rows: int, weights: Weights) -> NDArray[np.int64]:
    """Give every cell its share rounded down, and one row more to the largest remainders.

    This is Hamilton's method: no cell is a whole row away from its share. With more rows a cell may
    get one fewer (the Alabama paradox), so where a smaller build must be part of a larger one,
    use `highest_quotients`.

    Args:
        rows: rows to distribute, from 0 to 2^53.
        weights: 0 or more each, not all 0, (k,).

    Returns:
        Rows of each cell, int64 (k,); ties go to the lower index.

    Raises:
        ParamError: for rows or weights out of range.
    """
    check_int("rows", rows, 0, MOST_ROWS)
    exact = exact_weights(weights)
    return np.array(shares_rounded(rows, exact), np.int64)


def highest_quotients(
    rows: int, weights: Weights, capacities: Sequence[int | None] | None = None
) -> NDArray[np.int64]:
    """Give row after row to the cell with the highest weight / (2 rows + 1) that can take one.

    This is the method of Webster and Sainte-Lague: with more rows, no cell gets fewer.

    Args:
        rows: rows to distribute, from 0 to 2^53.
        weights: 0 or more each, not all 0, (k,); a cell of weight 0 gets nothing.
        capacities: most rows of each cell, None for no limit.

    Returns:
        Rows of each cell, int64 (k,), summing to `rows` or to all that the cells can take; ties
        go to the lower index.

    Raises:
        ParamError: for rows, weights or capacities out of range.
    """
    check_int("rows", rows, 0, MOST_ROWS)
    exact = exact_weights(weights)
    limits = limits_of(rows, exact, capacities)
    left = min(rows, sum(limits))
    counts = _safe_start(left, exact, limits)
    heap = [
        (Fraction(2 * count + 1, weight), cell)
        for cell, (count, weight) in enumerate(zip(counts, exact, strict=True))
        if count < limits[cell]
    ]
    heapq.heapify(heap)
    for _ in range(left - sum(counts)):
        _, cell = heap[0]
        counts[cell] += 1
        if counts[cell] < limits[cell]:
            heapq.heapreplace(heap, (Fraction(2 * counts[cell] + 1, exact[cell]), cell))
        else:
            heapq.heappop(heap)
    return np.array(counts, np.int64)


def exact_weights(weights: Weights) -> list[int]:
    """Return integers in the exact proportions of weights as they are written.

    Raises:
        ParamError: for a weight that is negative or not finite, or none above 0.
    """
    values = np.asarray(weights).tolist()
    if not isinstance(values, list) or not values:
        raise ParamError("weights", weights, "one or more numbers")
    for place, value in enumerate(values):
        if not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
            name = f"weights[{place}]"
            raise ParamError(name, value, "a finite number of 0 or more")
    if not any(values):
        raise ParamError("weights", values, "at least one above 0")
    if all(isinstance(value, int) for value in values):
        return [int(value) for value in values]
    exact = [Fraction(repr(value)) for value in values]
    common = math.lcm(*(value.denominator for value in exact))
    return [int(value * common) for value in exact]


def shares_rounded(rows: int, exact: list[int]) -> list[int]:
    """Return the largest remainder rounding of shares in proportion to integer weights."""
    total = sum(exact)
    parts = [divmod(rows * weight, total) for weight in exact]
    counts = [whole for whole, _ in parts]
    by_remainder = sorted(range(len(parts)), key=lambda cell: -parts[cell][1])
    for cell in by_remainder[: rows - sum(counts)]:
        counts[cell] += 1
    return counts


def limits_of(rows: int, exact: list[int], capacities: Sequence[int | None] | None) -> list[int]:
    """Return the most rows that each cell can take: at most all, and none at weight 0.

    Raises:
        ParamError: for a capacity below 0, or if their number differs from that of weights.
    """
    given = [None] * len(exact) if capacities is None else list(capacities)
    if len(given) != len(exact):
        raise ParamError("capacities", len(given), f"as many as weights, {len(exact)}")
    for place, capacity in enumerate(given):
        if capacity is not None and capacity < 0:
            name = f"capacities[{place}]"
            raise ParamError(name, capacity, "0 or more, or no limit")
    return [
        0 if not weight else rows if capacity is None else min(int(capacity), rows)
        for weight, capacity in zip(exact, given, strict=True)
    ]


def _safe_start(rows: int, exact: list[int], limits: list[int]) -> list[int]:
    """Return counts that the row-by-row rule passes through, a few rows per cell before its end.

    Shares of half a row a cell fewer, rounded to the nearest, sum to no more than the rows. Cells
    that this fills leave what they cannot take to the others, whose level rises.
    """
    counts = [0] * len(exact)
    rising = [cell for cell in range(len(exact)) if limits[cell]]
    while rising:
        spare, total = 2 * rows - len(rising), sum(exact[cell] for cell in rising)
        if spare <= 0:
            break
        for cell in rising:
            # half a row is rounded down, as a lower cell may have the same quotient
            nearest = (spare * exact[cell] + total - 1) // (2 * total)
            counts[cell] = min(limits[cell], nearest)
        full = {cell for cell in rising if counts[cell] == limits[cell]}
        if not full:
            break
        rows -= sum(limits[cell] for cell in full)
        rising = [cell for cell in rising if cell not in full]
    return counts


@dataclass(frozen=True, slots=True, eq=False)
class Filling:
    """Distribution of rows over cells.

    Attributes:
        shares: before rounding, float64 (k,).
        counts: whole rows, none above its capacity, int64 (k,); they sum to the rows asked for, or
            to all that the cells can take.
        short: rows that no cell can take.
    """

    shares: NDArray[np.float64]
    counts: NDArray[np.int64]
    short: int


def fill_by_weight(
    rows: int, weights: Weights, capacities: Sequence[int | None] | None = None
) -> Filling:
    """Distribute rows by weight; rows that a full cell cannot take go to the others by weight.

    Args:
        rows: rows to distribute, from 0 to 2^53.
        weights: 0 or more each, not all 0, (k,); a cell of weight 0 gets nothing.
        capacities: most rows of each cell, None for no limit.

    Raises:
        ParamError: for rows, weights or capacities out of range.
    """
    check_int("rows", rows, 0, MOST_ROWS)
    exact = exact_weights(weights)
    limits = limits_of(rows, exact, capacities)
    full, left = _full_cells(rows, exact, limits)
    shares: list[Fraction | int] = list(limits)
    counts = list(limits)
    rising = [cell for cell in range(len(exact)) if cell not in full]
    if rising:
        weight = sum(exact[cell] for cell in rising)
        rounded = shares_rounded(left, [exact[cell] for cell in rising])
        for cell, count in zip(rising, rounded, strict=True):
            shares[cell] = Fraction(left * exact[cell], weight)
            counts[cell] = count
    return Filling(
        shares=np.array([float(share) for share in shares]),
        counts=np.array(counts, np.int64),
        short=rows - sum(counts),
    )


def _full_cells(rows: int, exact: list[int], limits: list[int]) -> tuple[set[int], int]:
    """Return the cells that are filled to their limits, and the rows left for the others.

    Cells fill up in the order of limit / weight; a cell is full if its share of the rest is at
    least its limit, so that shares of the others are below theirs, even if rounded up.
    """
    first_full = sorted(
        range(len(exact)),
        key=lambda cell: Fraction(limits[cell], exact[cell]) if exact[cell] else Fraction(0),
    )
    full: set[int] = set()
    left, weight = rows, sum(exact)
    for cell in first_full:
        if limits[cell] * weight > left * exact[cell]:
            break
        full.add(cell)
        left -= limits[cell]
        weight -= exact[cell]
    return full, left


Cells = NDArray[np.int64]
_MOST_NUMBER = 2**63


def joint_cells(columns: NDArray[np.integer]) -> tuple[Cells, NDArray[np.int64]]:
    """Return the combinations that occur and the one that each row has.

    Args:
        columns: values, (n, k).

    Returns:
        Cells (m, k), in ascending order, first column first, and the cell of each row, int64 (n,).

    Raises:
        ParamError: for values whose ranges span more than 2^63 combinations.
    """
    values = _columns("columns", columns)
    low, strides = _numbering(values)
    numbers, cell_of = np.unique((values - low) @ strides, return_inverse=True)
    cells = np.empty((len(numbers), values.shape[1]), np.int64)
    for column, stride in enumerate(strides):
        cells[:, column], numbers = np.divmod(numbers, stride)
    return cells + low, cell_of.astype(np.int64)


def rows_in_cells(columns: NDArray[np.integer], cells: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Return which rows have one of the cells, bool (n,).

    Args:
        columns: values, (n, k).
        cells: combinations, (m, k).

    Raises:
        ParamError: for unequal numbers of columns, or cells too far apart, as in `joint_cells`.
    """
    values, wanted = _columns("columns", columns), _columns("cells", cells)
    if values.shape[1] != wanted.shape[1]:
        raise ParamError("cells", wanted.shape, f"{values.shape[1]} columns")
    if not len(wanted):
        return np.zeros(len(values), np.bool_)
    low, strides = _numbering(wanted)
    near: NDArray[np.bool_] = ((values >= low) & (values <= wanted.max(0))).all(1)
    found: NDArray[np.bool_] = near.copy()
    found[near] = np.isin((values[near] - low) @ strides, (wanted - low) @ strides)
    return found


def _columns(name: str, columns: NDArray[np.integer]) -> Cells:
    if columns.ndim != 2 or columns.shape[1] == 0 or columns.dtype.kind not in "iu":
        raise ParamError(name, columns.shape, "integers in one column or more")
    return columns.astype(np.int64)


def _numbering(values: Cells) -> tuple[Cells, Cells]:
    """Return the smallest value of each column, and strides that number the combinations."""
    if not len(values):
        return np.zeros(values.shape[1], np.int64), np.ones(values.shape[1], np.int64)
    low: NDArray[Any] = values.min(0)
    spans = [int(high) - int(least) + 1 for high, least in zip(values.max(0), low, strict=True)]
    strides = [1]
    for span in spans[:0:-1]:
        strides.append(strides[-1] * span)
    if strides[-1] * spans[0] > _MOST_NUMBER:
        raise ParamError("columns", spans, "ranges of values with at most 2^63 combinations")
    return low, np.array(strides[::-1], np.int64)
