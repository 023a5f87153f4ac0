"""Iterative proportional fitting: counts of joint cells that have given margins.

Of all counts with the margins, none above its cell's capacity, the fit is the one nearest to the
starting weights in relative entropy (Deming and Stephan 1940; Csiszar 1975). It holds one factor
for each group and scales group after group until its cells, each cut off at its capacity, sum to
the target: ascent in the dual of the problem, one block at a time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from synthgen.core.checks import check_int
from synthgen.core.errors import ParamError
from synthgen.engine.controllers.margins import (
    Floats,
    Ints,
    Margin,
    Unmet,
    check_margins,
    unmet_groups,
)

_LONGEST_CHAIN = 12
_MOST_STARTS = 100
_CLOSENESS = 0.01
"""Weight of nearness to the fitted values, relative to a row that a margin misses."""

Step = tuple[int, int]
"""A cell and the +1 or -1 of its count."""


def flow_moves(
    counts: Ints, missing: list[Ints], groups: list[Ints], low: Ints, high: Ints
) -> None:
    """Meet two margins as far as counts from `low` to `high` allow: a maximum flow.

    A path leads from a group of the first margin that lacks rows, over cells that take one and
    cells that give one in turn, to a group of the second that lacks rows.

    Args:
        counts: counts of the cells, from low to high, (m,); changed.
        missing: rows that each group lacks, 0 or more; changed.
        groups: groups of the cells in the two margins.
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
    """Return a shortest path, or None if there is no path."""
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
    """Move rows along chains while that reduces the error of any number of margins.

    A chain begins with a cell of a group that has too many rows; each step chooses the best cell to
    give or take a row. The sum of all counts does not change.

    Args:
        counts: counts of the cells, from 0 to the capacities, (m,); changed.
        missing: rows that each group lacks, negative for too many; changed.
        groups: groups of the cells in each margin.
        values: values from which counts were rounded.
        capacities: capacities of the cells.
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
    """Apply a chain if it helps; else change nothing and return False."""
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


_NEAR = 1e-6
"""Fitted values this near to a whole number are rounded to it."""


def round_to_margins(values: Floats, margins: Sequence[Margin], capacities: Ints) -> Ints:
    """Round values to counts of 0 to the capacities.

    Args:
        values: 0 or more, none above its capacity, (m,).
        margins: whose targets all sum to the same number of rows.
        capacities: (m,).

    Returns:
        int64 (m,), summing to the rows of the margins, or as many as cells with a value or room
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
    """Remove rows until no group has too many, first from cells all of whose groups have."""
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
    """Place rows that fit no margin where they harm least, so that the total is reached."""
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
    """Order cells by how far their counts are below their values; ties keep their order."""
    return cells[np.argsort(counts[cells] - values[cells], kind="stable")]


def _add(counts: Ints, missing: list[Ints], groups: list[Ints], cell: int, rows: int) -> None:
    counts[cell] += rows
    for lack, group in zip(missing, groups, strict=True):
        lack[group[cell]] -= rows


_MOST_ROUNDS = 1_000_000
_TINY, _HUGE = 1e-250, 1e250


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """Counts of joint cells.

    Attributes:
        counts: whole rows of each cell, none above its capacity, int64 (m,).
        values: values before rounding, float64 (m,).
        unmet: groups of margins without the wanted rows; empty if the margins fit.
    """

    counts: Ints
    values: Floats
    unmet: tuple[Unmet, ...]


def fit_counts(
    weights: Floats | Ints,
    margins: Sequence[Margin],
    capacities: Ints | None = None,
    *,
    rounds: int = 500,
) -> Fitted:
    """Distribute rows over joint cells so that the margins are met.

    One or two margins are met whenever whole numbers can meet them; with three or more (where
    deciding that is NP-hard) a search may leave a few rows in a neighbouring group.

    Args:
        weights: preference of cells where the margins leave a choice, 0 or more, (m,); a cell of
            weight 0 never gets rows (a structural zero).
        margins: margins, which must all want the same number of rows.
        capacities: most rows of each cell, (m,).
        rounds: most scalings of each margin; a fit in which cells vanish converges slowly and is
            completed by the rounding.

    Raises:
        ParamError: for inconsistent arguments.
    """
    rows = check_margins(margins, len(weights))
    limits = _limits(weights, capacities, rows)
    values = fit_margins(weights, margins, limits, rounds=rounds)
    counts = round_to_margins(values, margins, limits)
    return Fitted(counts, values, unmet_groups(counts, margins))


def fit_margins(
    weights: Floats | Ints,
    margins: Sequence[Margin],
    capacities: Ints | None = None,
    *,
    rounds: int = 500,
    tolerance: float = 1e-9,
) -> Floats:
    """Return the fit before rounding, float64 (m,), as close as `rounds` rounds get.

    Args:
        weights: as in `fit_counts`.
        margins: as in `fit_counts`.
        capacities: as in `fit_counts`.
        rounds: as in `fit_counts`.
        tolerance: share of the rows by which a group may be off.

    Raises:
        ParamError: for inconsistent arguments.
    """
    rows = check_margins(margins, len(weights))
    check_int("rounds", rounds, 1, _MOST_ROUNDS)
    limits = _limits(weights, capacities, rows).astype(np.float64)
    raw = np.where(limits > 0, weights, 0.0).astype(np.float64)
    for _ in range(rounds):
        worst = 0.0
        for margin in margins:
            off = margin.reached(np.minimum(raw, limits)) - margin.targets
            worst = max(worst, float(np.abs(off).max(initial=0.0)))
            raw = _scaled(raw, limits, margin)
        if worst <= tolerance * max(rows, 1):
            break
    return np.minimum(raw, limits)


def _limits(weights: Floats | Ints, capacities: Ints | None, rows: int) -> Ints:
    """Return the most rows of each cell, 0 for structural zeros."""
    given = np.asarray(weights, dtype=np.float64)
    if given.ndim != 1 or not (np.isfinite(given) & (given >= 0)).all():
        raise ParamError("weights", weights, "finite numbers of 0 or more")
    most = np.full(len(given), rows, np.int64)
    if capacities is not None:
        if capacities.shape != given.shape or (capacities < 0).any():
            raise ParamError("capacities", capacities, f"{len(given)} numbers of 0 or more")
        most = np.minimum(most, capacities)
    return np.where(given > 0, most, 0)


def _scaled(raw: Floats, limits: Floats, margin: Margin) -> Floats:
    """Scale each group so that its cells, cut off at their limits, sum to its target.

    A cell at its limit leaves its rows to the others of its group, which may push more cells to
    their limits; cells only ever fill up, so this terminates.
    """
    n_groups = len(margin.targets)
    full: NDArray[np.bool_] = np.zeros(len(raw), np.bool_)
    factors = np.ones(n_groups)
    while True:
        spare = margin.targets - margin.reached(np.where(full, limits, 0.0))
        free = margin.reached(np.where(full, 0.0, raw))
        with np.errstate(over="ignore"):
            np.divide(np.maximum(spare, 0.0), free, out=factors, where=free > 0)
            lifted = raw * factors[margin.groups]
        more = full | ((lifted >= limits) & (raw > 0))
        if (more == full).all():
            # factors of groups that cannot be met must not overflow
            return np.where(lifted > 0, np.clip(lifted, _TINY, _HUGE), 0.0)
        full = more
