"""Moves of rows between joint cells that bring rounded counts nearer to their margins."""

from __future__ import annotations

from collections import deque

import numpy as np
from numpy.typing import NDArray

from synthgen.controllers.margins import Floats, Ints

_LONGEST_CHAIN = 12
_MOST_STARTS = 100
_CLOSENESS = 0.01
"""Weight of nearness to the fitted values beside a row that a margin misses."""

Step = tuple[int, int]
"""A cell and the +1 or -1 of its count."""


def flow_moves(
    counts: Ints, missing: list[Ints], groups: list[Ints], low: Ints, high: Ints
) -> None:
    """Meet both of two margins as far as counts from `low` to `high` can: a maximum flow.

    A path leads from a group of the first margin that lacks rows, over cells that take one and
    cells that give one in turn, to a group of the second that lacks rows.

    Args:
        counts: of the cells, from low to high, (m,); changed.
        missing: rows that each group lacks, 0 or more; changed.
        groups: of the cells, of the two margins.
        low: fewest rows of each cell.
        high: most rows of each cell.
    """
    rows_of, columns_of = groups
    in_row = _members(rows_of, len(missing[0]))
    in_column = _members(columns_of, len(missing[1]))
    while (path := _path(counts, missing, groups, (in_row, in_column), low, high)) is not None:
        rooms = [
            int(high[cell] - counts[cell] if sign > 0 else counts[cell] - low[cell])
            for cell, sign in path
        ]
        first, last = rows_of[path[0][0]], columns_of[path[-1][0]]
        amount = min(*rooms, int(missing[0][first]), int(missing[1][last]))
        for cell, sign in path:
            counts[cell] += sign * amount
        missing[0][first] -= amount
        missing[1][last] -= amount


def _members(groups: Ints, n_groups: int) -> list[NDArray[np.intp]]:
    order = np.argsort(groups, kind="stable")
    return np.split(order, np.cumsum(np.bincount(groups, minlength=n_groups))[:-1])


def _path(
    counts: Ints,
    missing: list[Ints],
    groups: list[Ints],
    members: tuple[list[NDArray[np.intp]], list[NDArray[np.intp]]],
    low: Ints,
    high: Ints,
) -> list[Step] | None:
    """Return a shortest path, or None if there is none."""
    starts = np.flatnonzero(missing[0] > 0).tolist()
    came: dict[tuple[int, int], tuple[int, tuple[int, int]] | None]
    came = {(0, group): None for group in starts}
    waiting = deque(came)
    while waiting:
        side, group = at = waiting.popleft()
        if side == 1 and missing[1][group] > 0:
            return _steps(came, at)
        cells = members[side][group]
        able = counts[cells] < high[cells] if side == 0 else counts[cells] > low[cells]
        for cell in cells[able].tolist():
            to = (1 - side, int(groups[1 - side][cell]))
            if to not in came:
                came[to] = (cell, at)
                waiting.append(to)
    return None


def _steps(
    came: dict[tuple[int, int], tuple[int, tuple[int, int]] | None], at: tuple[int, int]
) -> list[Step]:
    steps: list[Step] = []
    while (step := came[at]) is not None:
        cell, at = step
        steps.append((cell, 1 if at[0] == 0 else -1))
    return steps[::-1]


def chain_moves(
    counts: Ints, missing: list[Ints], groups: list[Ints], values: Floats, capacities: Ints
) -> None:
    """Move rows along chains as long as margins miss less after one, for any number of margins.

    A chain begins with a cell of a group that has too many rows, and takes the best cell to give
    or to take a row at every step. The sum of all counts stays.

    Args:
        counts: of the cells, from 0 to the capacities, (m,); changed.
        missing: rows that each group lacks, negative for too many; changed.
        groups: of the cells, of each margin.
        values: that counts were rounded from.
        capacities: of the cells.
    """
    while any(lack.any() for lack in missing):
        over = np.zeros(len(counts), np.int64)
        for lack, group in zip(missing, groups, strict=True):
            over += lack[group] < 0
        starts = np.flatnonzero((over > 0) & (counts > 0))
        starts = starts[np.argsort(-over[starts], kind="stable")][:_MOST_STARTS]
        if not any(
            _chain(start, counts, missing, groups, values, capacities) for start in starts.tolist()
        ):
            return


def _chain(
    start: int,
    counts: Ints,
    missing: list[Ints],
    groups: list[Ints],
    values: Floats,
    capacities: Ints,
) -> bool:
    """Do a chain if it helps; else leave everything as it was and return False."""
    before = sum(int(np.abs(lack).sum()) for lack in missing)
    steps: list[Step] = []
    used = np.zeros(len(counts), np.bool_)
    cell, sign = start, -1
    while True:
        _step(counts, missing, groups, cell, sign)
        steps.append((cell, sign))
        used[cell] = True
        if sign > 0 and sum(int(np.abs(lack).sum()) for lack in missing) < before:
            return True
        if len(steps) == _LONGEST_CHAIN:
            break
        sign = -sign
        able = ~used & ((counts < capacities) if sign > 0 else (counts > 0))
        if not able.any():
            break
        cost = _CLOSENESS * np.clip(sign * (counts - values), -1.0, 1.0)
        for lack, group in zip(missing, groups, strict=True):
            cost += np.where(sign * lack[group] > 0, -1.0, 1.0)
        cell = int(np.argmin(np.where(able, cost, np.inf)))
    for cell, sign in steps:
        _step(counts, missing, groups, cell, -sign)
    return False


def _step(counts: Ints, missing: list[Ints], groups: list[Ints], cell: int, sign: int) -> None:
    counts[cell] += sign
    for lack, group in zip(missing, groups, strict=True):
        lack[group[cell]] -= sign
