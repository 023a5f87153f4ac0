"""Greedy coverage: the rows that have most of the structures that nobody has yet, under a budget.

The choice covers at least 1 - 1/e of what the best one of as many rows would (Nemhauser, Wolsey,
Fisher 1978). It looks at whole pools: about a second for a million rows of twenty structures.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from synthgen.core.checks import check_int
from synthgen.core.columns import Ragged
from synthgen.core.randomness import mix_words
from synthgen.core.steering.maximum_coverage import greedy_rows
from synthgen.core.steering.numbering import number_words, rows_with

MOST_ROWS = 2**31 - 1


@dataclass(frozen=True, slots=True, eq=False)
class Chosen:
    """Rows in the order in which they were chosen.

    Attributes:
        rows: int64 (r,).
        gains: what each row added: the weight of the structures it covered that needed it, never
            rising but where a new round begins, int64 (r,).
        covered: different structures that the rows have.
        total: different structures that the pool has.
    """

    rows: NDArray[np.int64]
    gains: NDArray[np.int64]
    covered: int
    total: int


def greedy_coverage(
    structures: Ragged,
    budget: int,
    *,
    times: int = 1,
    by_frequency: bool = False,
    again: bool = False,
    n_structures: int | None = None,
) -> Chosen:
    """Choose rows one after the other, always the one that gains most, of equal ones the first.

    Args:
        structures: integer ids of each row's structures, ragged; equal ones of a row count once.
        budget: most rows to choose.
        times: how many rows shall have each structure.
        by_frequency: weigh a structure by the number of rows that have it, else by 1.
        again: when all is covered begin again with the rows left, until the budget is used; every
            round takes as long as the first. Else stop there.
        n_structures: if the ids are numbers from 0 already, how many there are.

    Raises:
        ParamError: for a budget or number of times out of range.
    """
    check_int("budget", budget, 0, MOST_ROWS)
    check_int("times", times, 1, MOST_ROWS)
    if n_structures is None:
        words = structures.values.astype(np.uint64)
        ids, total = number_words(words, mix_words(words))
    else:
        ids, total = structures.values.astype(np.int32, copy=False), n_structures
    weights = np.ones(total, np.int64)
    if by_frequency:
        weights = rows_with(ids, structures.offsets, total)
    needs = np.full(total, times, np.int64)
    rows, gains = greedy_rows(ids, structures.offsets, weights, needs, budget, int(again))
    has = np.zeros(total, np.bool_)
    has[Ragged(ids, structures.offsets).take(rows).values] = True
    return Chosen(rows, gains, int(np.count_nonzero(has)), total)
