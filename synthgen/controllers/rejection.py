"""Rejection: candidates of a known distribution thinned out to a wanted one.

A candidate of cell i is kept with probability t_i / (s_i M), where s are the shares of the source,
t the wanted ones and M the largest t / s, so that 1 / M of all candidates are kept (von Neumann
1951). Whether one is kept is a function of its own key, not of what was kept before, so counts are
random; for exact ones use quotas.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from synthgen.controllers.apportion import Weights, exact_weights
from synthgen.core.errors import ParamError
from synthgen.core.randomness import U64, Rows

LOWEST_RATE = 1e-4
"""Below this share of candidates kept, a cell counts as one that cannot be filled."""


@dataclass(frozen=True, slots=True, eq=False)
class Acceptance:
    """How often candidates are kept.

    Attributes:
        rates: probability to keep a candidate of each cell, from 0 to 1, float64 (k,).
        overall: share of all candidates kept.
        rarest: the cell that is kept always and sets the pace, the first of several.
    """

    rates: NDArray[np.float64]
    overall: float
    rarest: int

    def candidates_for(self, rows: int) -> int:
        """Return how many candidates are expected to be needed for this many rows."""
        return math.ceil(round(rows / self.overall, 6))


def acceptance(source: Weights, targets: Weights) -> Acceptance:
    """Return the rates that turn the source's distribution into the wanted one.

    Args:
        source: share of each cell among candidates, or counts, in any unit, (k,).
        targets: wanted share of each cell, in any unit, (k,).

    Raises:
        ParamError: for vectors of unequal length, or a cell that is wanted and has no candidates.
    """
    has, wants = exact_weights(source), exact_weights(targets)
    if len(has) != len(wants):
        raise ParamError("targets", len(wants), f"as many as source has, {len(has)}")
    for cell, (share, wanted) in enumerate(zip(has, wants, strict=True)):
        if wanted and not share:
            expected = f"above 0, as its target is {np.asarray(targets)[cell]}"
            name = f"source[{cell}]"
            raise ParamError(name, 0, expected)
    ratios = [Fraction(t, s) if s else Fraction(0) for s, t in zip(has, wants, strict=True)]
    most = max(ratios)
    overall = Fraction(sum(wants), sum(has)) / most
    rates = np.array([float(ratio / most) for ratio in ratios])
    return Acceptance(rates, float(overall), ratios.index(most))


def keep_by_rate(
    keys: U64, cells: NDArray[np.integer], rates: NDArray[np.float64], stream: int
) -> NDArray[np.bool_]:
    """Say which candidates are kept, bool (n,), each by its own key.

    Args:
        keys: 64 bits that tell candidates apart, such as their addresses, uint64 (n,).
        cells: of each candidate, 0..k-1, (n,).
        rates: probability of each cell, (k,).
        stream: key of the lots.

    Raises:
        ParamError: for a cell without a rate.
    """
    if len(cells) and not 0 <= cells.min() <= cells.max() < len(rates):
        raise ParamError("cells", (int(cells.min()), int(cells.max())), f"0 to {len(rates) - 1}")
    kept: NDArray[np.bool_] = Rows(stream, keys).draws().uniform() < rates[cells]
    return kept
