"""How often each chosen problem of a split is repeated, by its part or by a list of members."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from synthgen.engine.select.quotas import ranks_among_equals
from synthgen.recipe.schema import Part

Times = NDArray[np.int64]


def part_times(parts: Sequence[Part], cells: NDArray[np.int32]) -> Times:
    """Return the repeats of every chosen problem; the first ones of a part may have one more.

    Args:
        parts: parts of the split.
        cells: part of each problem in the order proposed, (n,).
    """
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

    Args:
        listed: how often each problem is listed, in the order proposed, (n,).
        rows: rows of the split.
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
