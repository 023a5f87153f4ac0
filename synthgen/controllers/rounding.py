"""Controlled rounding: whole counts near fitted values whose margins are exact where they can be.

Cells start from their values rounded down. Rows still wanted go to the largest remainders. Then,
with two margins, rows are moved along paths of cells that alternately give and take, which meets
both margins whenever whole numbers can (it is a maximum flow; Cox 1987). With more margins, where
that is NP-hard, chains of single moves are tried, each as long as it lowers what the margins miss.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from synthgen.controllers.margins import Floats, Ints, Margin
from synthgen.controllers.rounding_moves import chain_moves, flow_moves

_NEAR = 1e-6
"""Fits come this near to whole numbers that they mean."""


def round_to_margins(values: Floats, margins: Sequence[Margin], capacities: Ints) -> Ints:
    """Round values to counts of 0 to the capacities.

    Args:
        values: 0 or more, none above its capacity, (m,).
        margins: whose targets all sum to the same number of rows.
        capacities: (m,).

    Returns:
        int64 (m,); they sum to the rows of the margins, or to all that cells with a value or room
        can take.
    """
    low = np.minimum(np.floor(values + _NEAR).astype(np.int64), capacities)
    high = np.minimum(np.ceil(values - _NEAR).astype(np.int64), capacities)
    counts = low.copy()
    missing = [margin.targets - margin.reached(counts).astype(np.int64) for margin in margins]
    groups = [margin.groups for margin in margins]
    _take_excess(counts, missing, groups, values)
    _give(counts, missing, groups, values, np.maximum(high, counts))
    if len(margins) == 2:
        flow_moves(counts, missing, groups, np.minimum(low, counts), np.maximum(high, counts))
    _give(counts, missing, groups, values, capacities)
    if len(margins) == 2:
        flow_moves(counts, missing, groups, np.zeros_like(counts), capacities)
    _place_rest(counts, missing, groups, values, capacities)
    if len(margins) > 2:
        chain_moves(counts, missing, groups, values, capacities)
    return counts


def _take_excess(counts: Ints, missing: list[Ints], groups: list[Ints], values: Floats) -> None:
    """Take rows away until no group has too many, first where all groups of a cell have."""
    for every in (True, False):
        over = np.stack([lack[group] < 0 for lack, group in zip(missing, groups, strict=True)])
        chosen = over.all(0) if every else over.any(0)
        for cell in _by_remainder(counts, values, np.flatnonzero(chosen & (counts > 0)))[::-1]:
            most = [-lack[group[cell]] for lack, group in zip(missing, groups, strict=True)]
            rows = min(int(counts[cell]), int(min(most) if every else max(most)))
            if rows > 0:
                _add(counts, missing, groups, cell, -rows)


def _give(
    counts: Ints, missing: list[Ints], groups: list[Ints], values: Floats, most: Ints
) -> None:
    """Give rows to cells all of whose groups lack some, the largest remainders first."""
    wanted = np.stack([lack[group] > 0 for lack, group in zip(missing, groups, strict=True)])
    cells = np.flatnonzero(wanted.all(0) & (counts < most))
    for cell in _by_remainder(counts, values, cells):
        lacks = [lack[group[cell]] for lack, group in zip(missing, groups, strict=True)]
        rows = min(int(min(lacks)), int(most[cell] - counts[cell]))
        if rows > 0:
            _add(counts, missing, groups, cell, rows)


def _place_rest(
    counts: Ints, missing: list[Ints], groups: list[Ints], values: Floats, capacities: Ints
) -> None:
    """Place rows that fit no margin where they harm least, so that there are as many as asked."""
    left = int(missing[0].sum())
    while left > 0:
        cells = np.flatnonzero(counts < capacities)
        if not len(cells):
            return
        lacking = sum(lack[group[cells]] > 0 for lack, group in zip(missing, groups, strict=True))
        order = np.lexsort((cells, counts[cells] - values[cells], -np.asarray(lacking)))
        cell = cells[order[0]]
        lacks = [lack[group[cell]] for lack, group in zip(missing, groups, strict=True)]
        wanted = [int(lack) for lack in lacks if lack > 0] or [-(-left // len(cells))]
        rows = min(left, int(capacities[cell] - counts[cell]), min(wanted))
        _add(counts, missing, groups, cell, rows)
        left -= rows


def _by_remainder(counts: Ints, values: Floats, cells: NDArray[np.intp]) -> NDArray[np.intp]:
    """Order cells by how far their counts are below their values, of equal ones the first."""
    return cells[np.argsort(counts[cells] - values[cells], kind="stable")]


def _add(counts: Ints, missing: list[Ints], groups: list[Ints], cell: int, rows: int) -> None:
    counts[cell] += rows
    for lack, group in zip(missing, groups, strict=True):
        lack[group[cell]] -= rows
