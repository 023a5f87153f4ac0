"""Rows that have what is still needed, taken from a block: first those that have most of it."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent

Ints = NDArray[np.int64]
NOTHING = -1
"""Number of a unit that does not count."""


@lent
def note_units(
    numbers: NDArray[np.integer],
    offsets: Ints,
    rows: Ints,
    meaning: Ints,
    seen: Ints,
) -> None:
    """Count the rows that have each unit.

    Args:
        numbers: units of each row, none twice in a row, as numbers of the block, in `offsets`.
        offsets: (n + 1,).
        rows: those that count, (r,).
        meaning: unit of each number of the block, or NOTHING, (k,).
        seen: rows with each unit so far, (u,); raised.
    """
    for row in rows:
        for j in range(offsets[row], offsets[row + 1]):
            unit = meaning[numbers[j]]
            if unit >= 0:
                seen[unit] += 1


@lent
def take_needed(
    numbers: NDArray[np.integer],
    offsets: Ints,
    rows: Ints,
    meaning: Ints,
    left: Ints,
    taken: NDArray[np.bool_],
) -> None:
    """Take rows until no row has anything that is needed.

    A row is taken as soon as it has at least half of what the best one has; then a quarter, and so
    on, in the order of rows: near to always taking the best one, in a few passes.

    Args:
        numbers: as in `note_units`.
        offsets: as in `note_units`.
        rows: as in `note_units`.
        meaning: as in `note_units`.
        left: how many more rows each unit needs, (u,); lowered, not below 0.
        taken: of `rows`, (r,): those taken already, which count first; more are set.
    """
    most: Int = np.int64(0)
    for place in range(len(rows)):
        if taken[place]:
            _lower(numbers, offsets, rows[place], meaning, left)
    for place in range(len(rows)):
        if not taken[place]:
            most = max(most, _gain(numbers, offsets, rows[place], meaning, left))
    while most > 0:
        least = max((most + 1) // 2, np.int64(1))
        for place in range(len(rows)):
            if taken[place]:
                continue
            if _gain(numbers, offsets, rows[place], meaning, left) >= least:
                taken[place] = True
                _lower(numbers, offsets, rows[place], meaning, left)
        most = least - 1


@lent
def lower_needs(
    numbers: NDArray[np.integer], offsets: Ints, rows: Ints, meaning: Ints, left: Ints
) -> None:
    """Lower what is needed by what rows have that were taken for another reason."""
    for row in rows:
        _lower(numbers, offsets, row, meaning, left)


@lent
def _gain(numbers: NDArray[np.integer], offsets: Ints, row: Int, meaning: Ints, left: Ints) -> Int:
    gain: Int = np.int64(0)
    for j in range(offsets[row], offsets[row + 1]):
        unit = meaning[numbers[j]]
        if unit >= 0 and left[unit] > 0:
            gain += 1
    return gain


@lent
def _lower(
    numbers: NDArray[np.integer], offsets: Ints, row: Int, meaning: Ints, left: Ints
) -> None:
    for j in range(offsets[row], offsets[row + 1]):
        unit = meaning[numbers[j]]
        if unit >= 0 and left[unit] > 0:
            left[unit] -= 1


@njit(cache=True, nogil=True)
def distinct_in_rows(
    numbers: NDArray[np.integer], offsets: Ints, n: int
) -> tuple[NDArray[np.integer], Ints]:
    """Return the different numbers of each row, in the order of first occurrence, and offsets.

    Args:
        numbers: 0..n-1.
        offsets: (rows + 1,).
        n: how many numbers there are.
    """
    last = np.full(n, -1, np.int64)
    kept = np.empty_like(numbers)
    starts = np.zeros(len(offsets), np.int64)
    at = 0
    for row in range(len(offsets) - 1):
        for j in range(offsets[row], offsets[row + 1]):
            if last[numbers[j]] != row:
                last[numbers[j]] = row
                kept[at] = numbers[j]
                at += 1
        starts[row + 1] = at
    return kept[:at], starts
