"""Heat maps: rows of every split over pairs of axes, as many as a report can hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from synthgen.audit.blocks import Heat
from synthgen.audit.coverage_axes import AxisFacts
from synthgen.audit.coverage_factors import Factor
from synthgen.audit.coverage_sides import Side

MOST_PAIRS, MOST_SPLITS, MOST_CELLS = 45, 8, 60_000


def heats(
    sides: Sequence[Side], facts: Mapping[str, AxisFacts], factors: Sequence[Factor]
) -> tuple[Heat, ...]:
    """Return the maps of pairs in the order of the axes, each for the first splits.

    A cell that no split has is None: it may be impossible.

    Args:
        sides: train first.
        facts: counts of each side.
        factors: the axes that were counted.
    """
    shown = [side.name for side in sides[:MOST_SPLITS]]
    found: list[Heat] = []
    left = MOST_CELLS
    for j, k in list(combinations(range(len(factors)), 2))[:MOST_PAIRS]:
        rows, columns = factors[j], factors[k]
        left -= len(rows.labels) * len(columns.labels) * len(shown)
        if left < 0:
            break
        tables = [facts[side.name].counts[2].table((j, k)) for side in sides]
        possible = np.sum(tables, axis=0) > 0
        for name, table in zip(shown, tables, strict=False):
            values = tuple(
                tuple(n if can else None for n, can in zip(line, flags, strict=True))
                for line, flags in zip(table.tolist(), possible.tolist(), strict=True)
            )
            found.append(Heat(name, rows.axis, columns.axis, rows.labels, columns.labels, values))
    return tuple(found)
