"""Quotas: rows of each cell of a split when some are exhausted, and of each chosen problem."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from synthgen.recipe.schema import Part

Weights = Sequence[int] | Sequence[float] | NDArray[np.integer] | NDArray[np.floating]
Times = NDArray[np.int64]
"""Number of rows of each chosen problem."""
_RADIX_SORTED = 1 << 15
"""Values below this fit into 16 bits, which numpy sorts several times as fast."""


def water_fill(rows: int, capacities: Sequence[int | None]) -> list[int]:
    """Distribute rows equally over cells of limited capacity.

    Every cell gets min(capacity, level), with the level as high as the rows allow; the remainder
    goes one each to the first cells that can still take it. With more rows a cell never gets
    fewer, so a smaller build takes a subset of a larger one.

    Args:
        rows: Rows to distribute, 0 or more.
        capacities: Most rows that each cell can take, None for no limit.

    Returns:
        One quota per cell; they sum to `rows`, or to all capacities if that is less.
    """
    quotas = [0] * len(capacities)
    limits = [rows if capacity is None else min(capacity, rows) for capacity in capacities]
    rising = sorted(range(len(limits)), key=limits.__getitem__)
    left = rows
    for done, cell in enumerate(rising):
        level, over = divmod(left, len(rising) - done)
        if limits[cell] > level:
            for place, other in enumerate(sorted(rising[done:])):
                quotas[other] = level + (place < over)
            break
        quotas[cell] = limits[cell]
        left -= limits[cell]
    return quotas


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


def fill_by_weight(
    rows: int, weights: Weights, capacities: Sequence[int | None] | None = None
) -> list[int]:
    """Distribute rows by weight; rows that a full cell cannot take go to the others by weight.

    Shares are rounded down, and the largest remainders get one row more (Hamilton's method): no
    cell is a whole row away from its share. With more rows a cell may get one fewer (the Alabama
    paradox).

    Args:
        rows: Rows to distribute, 0 or more.
        weights: 0 or more each, not all 0, (k,); a cell of weight 0 gets nothing.
        capacities: Most rows of each cell, None for no limit.

    Returns:
        Rows of each cell, none above its capacity; they sum to `rows`, or to all that the cells can
        take. Ties go to the lower index.
    """
    exact = exact_weights(weights)
    counts = [
        0 if not weight else rows if capacity is None else min(int(capacity), rows)
        for weight, capacity in zip(exact, capacities or [None] * len(exact), strict=True)
    ]
    full, left = _full_cells(rows, exact, counts)
    rising = [cell for cell in range(len(exact)) if cell not in full]
    total = sum(exact[cell] for cell in rising)
    remainders = {}
    over = left
    for cell in rising:
        counts[cell], remainders[cell] = divmod(left * exact[cell], total)
        over -= counts[cell]
    for cell in sorted(rising, key=lambda cell: -remainders[cell])[:over]:
        counts[cell] += 1
    return counts


def exact_weights(weights: Weights) -> list[int]:
    """Return integers in the exact proportions of weights as they are written."""
    exact = [Fraction(repr(value)) for value in np.asarray(weights).tolist()]
    common = math.lcm(*(value.denominator for value in exact))
    return [int(value * common) for value in exact]


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


def part_times(parts: Sequence[Part], cells: NDArray[np.int32]) -> Times:
    """Return the repeats of problems in these parts; the first ones of each may have one more."""
    rows = np.array([part.rows for part in parts], np.int64)
    problems = np.array([max(1, part.problems) for part in parts], np.int64)
    return rows[cells] // problems[cells] + (
        ranks_among_equals(cells) < rows[cells] % problems[cells]
    )


def rows_of_part(part: Part, problems: int) -> int:
    """Return the rows that a number of problems of a part gives."""
    each, more = divmod(part.rows, max(1, part.problems))
    return problems * each + min(problems, more)


def member_times(listed: Times, rows: int) -> Times:
    """Return the repeats of every chosen problem: as often as listed, at most `rows` in total.

    If `rows` is less, every problem gets a first row before any gets a second, and so on.
    """
    if listed.sum() <= rows:
        return listed
    level = 0
    while np.minimum(listed, level + 1).sum() <= rows:
        level += 1
    times = np.minimum(listed, level)
    more = np.flatnonzero(listed > level)[: rows - int(times.sum())]
    times[more] += 1
    return times
