"""Iterative proportional fitting: counts of joint cells that have given margins.

Of all counts with the margins, none above its cell's capacity, the fit is the one nearest to the
starting weights in relative entropy (Deming and Stephan 1940; Csiszar 1975). It holds one factor
for each group and scales group after group until its cells, each cut off at its capacity, sum to
the target: ascent in the dual of the problem, one block at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from synthgen.controllers.margins import Floats, Ints, Margin, Unmet, check_margins, unmet_groups
from synthgen.controllers.rounding import round_to_margins
from synthgen.core.checks import check_int
from synthgen.core.errors import ParamError

_MOST_ROUNDS = 1_000_000
_TINY, _HUGE = 1e-250, 1e250


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """Counts of joint cells.

    Attributes:
        counts: whole rows of each cell, none above its capacity, int64 (m,).
        values: what was rounded, float64 (m,).
        unmet: groups of margins that do not have what was wanted; empty if the margins fit.
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
    """Share rows over joint cells so that the margins have what they want.

    With one or two margins they are met whenever whole numbers can meet them; with three or more
    (where to decide it is NP-hard) a search may leave a few rows in a neighbouring group.

    Args:
        weights: where to put rows as far as the margins leave a choice, 0 or more, (m,); a cell of
            weight 0 never gets any (a structural zero).
        margins: which must all ask for the same number of rows.
        capacities: most rows of each cell, (m,).
        rounds: scalings of each margin, at most; a fit that needs cells to vanish comes near slowly
            and is finished by the rounding.

    Raises:
        ParamError: for arguments that do not belong together.
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
    """Return the fit before rounding, float64 (m,), as near as `rounds` come.

    Args:
        weights: as in `fit_counts`.
        margins: as in `fit_counts`.
        capacities: as in `fit_counts`.
        rounds: as in `fit_counts`.
        tolerance: share of the rows that a group may miss.

    Raises:
        ParamError: for arguments that do not belong together.
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

    A cell that reaches its limit leaves its rows to the others of its group, which may lift more
    cells to theirs; cells only ever fill up, so this ends.
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
            # factors of groups that nothing can meet must not run out of range
            return np.where(lifted > 0, np.clip(lifted, _TINY, _HUGE), 0.0)
        full = more
