"""Apportionment: whole rows to cells in proportion to weights.

Weights are read as the decimal numbers that they are written as, and all arithmetic is exact, so
that ties are ties: 0.25 and 0.15 of 10 rows leave the same half row, and the lower index gets it.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from synthgen.core.checks import check_int
from synthgen.core.errors import ParamError

Weights = Sequence[int] | Sequence[float] | NDArray[np.integer] | NDArray[np.floating]
MOST_ROWS = 2**53


def largest_remainder(rows: int, weights: Weights) -> NDArray[np.int64]:
    """Give every cell its share rounded down, and one row more to the largest remainders.

    This is Hamilton's method: no cell is a whole row away from its share. With more rows a cell may
    get one fewer (the Alabama paradox), so where a smaller build shall be part of a larger one,
    use `highest_quotients`.

    Args:
        rows: to share, from 0 to 2^53.
        weights: 0 or more each, not all 0, (k,).

    Returns:
        Rows of each cell, int64 (k,); of equal remainders the lower index goes first.

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

    This is the method of Webster and Sainte-Lague: with more rows no cell gets fewer.

    Args:
        rows: to share, from 0 to 2^53.
        weights: 0 or more each, not all 0, (k,); a cell of weight 0 gets nothing.
        capacities: most rows of each cell, None for no limit.

    Returns:
        Rows of each cell, int64 (k,), summing to `rows` or to all that the cells can take; of equal
        quotients the lower index goes first.

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
        ParamError: for a capacity below 0, or another number of them than of weights.
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
    """Return counts that the row by row rule passes through, a few rows a cell before its end.

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
