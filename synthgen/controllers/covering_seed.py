"""Covering rows: a few rows of factors that together have every t-way combination of values.

Greedy, one row at a time (AETG: Cohen, Dalal, Fredman, Patton 1997), then without the rows that the
others make needless. Combinations that constraints forbid, or that no whole row can have because
of them, are named.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import prod

import numpy as np
from numpy.typing import NDArray

from synthgen.core.checks import check_int
from synthgen.core.columns import offsets_of
from synthgen.core.errors import ParamError
from synthgen.core.randomness import stream_key
from synthgen.core.steering.covering_rows import (
    GAVE_UP,
    IMPOSSIBLE,
    OPEN,
    Factors,
    needed_rows,
    next_row,
    set_tuple,
)

Rows = NDArray[np.int64]
MOST_FACTORS = 64
MOST_STRENGTH = 6
MOST_TUPLES = 1 << 26
_STARTS = 10
_RUNS = 4
_RUN_TUPLES = 20_000
"""With this many tuples or fewer more runs are made, of which the one with fewest rows is taken."""


@dataclass(frozen=True, slots=True, eq=False)
class CoveringSeed:
    """Rows that have every t-way tuple that a row can have.

    Attributes:
        rows: value of each factor, int64 (n, f).
        infeasible: tuples that no allowed row has; -1 for the factors that are not in the tuple,
            int64 (m, f).
        undecided: tuples that the search gave up after 100,000 partial rows, in the same form.
    """

    rows: Rows
    infeasible: Rows
    undecided: Rows


def row_bound(sizes: Sequence[int], strength: int) -> int:
    """Return how many rows are needed at least: the product of the `strength` largest sizes."""
    return prod(sorted(sizes)[-strength:])


def tuple_count(sizes: Sequence[int], strength: int) -> int:
    """Return how many t-way tuples of values there are."""
    return sum(prod(chosen) for chosen in combinations(sizes, strength))


def covering_rows(
    sizes: Sequence[int],
    strength: int,
    key: int,
    forbidden: Sequence[Mapping[int, int]] = (),
) -> CoveringSeed:
    """Find rows that have every t-way tuple; the same ones for the same arguments.

    Args:
        sizes: number of values of each factor, 1 or more, (f,), f from `strength` to 64.
        strength: t, 1 to 6.
        key: 64 bits that the lots depend on.
        forbidden: partial rows, factor to value, that no row may have all of.

    Raises:
        ParamError: for arguments out of range, or more than 2^26 tuples.
    """
    factors = _factors(sizes, strength, forbidden)
    runs = _RUNS if factors.bases[-1] <= _RUN_TUPLES else 1
    found = []
    for run in range(runs):
        rows, states = _greedy_rows(factors, stream_key(key, run))
        lost, given_up = (_tuples_in(factors, states, one) for one in (IMPOSSIBLE, GAVE_UP))
        found.append(CoveringSeed(rows[needed_rows(factors, rows)], lost, given_up))
    return min(found, key=lambda seed: (len(seed.undecided), len(seed.rows)))


def forbidden_tuples(
    sizes: Sequence[int], allowed: Callable[[Mapping[int, int]], bool], strength: int
) -> list[dict[int, int]]:
    """Return the smallest partial rows that a rule does not allow.

    Args:
        sizes: number of values of each factor.
        allowed: says of a partial row, factor to value, if it breaks no constraint; it need not
            see whether the row can be completed.
        strength: most factors that one constraint is about.

    Returns:
        Partial rows of 1 to `strength` factors, none of which has another one in it.
    """
    found: list[dict[int, int]] = []
    for width in range(1, strength + 1):
        for chosen in combinations(range(len(sizes)), width):
            known = [one for one in found if one.keys() <= set(chosen)]
            for values in product(*(range(sizes[factor]) for factor in chosen)):
                partial = dict(zip(chosen, values, strict=True))
                if any(one.items() <= partial.items() for one in known):
                    continue
                if not allowed(partial):
                    found.append(partial)
    return found


def _factors(
    sizes: Sequence[int], strength: int, forbidden: Sequence[Mapping[int, int]]
) -> Factors:
    """Lay out factors and constraints as the kernels read them."""
    n = check_int("factors", len(sizes), 1, MOST_FACTORS)
    check_int("strength", strength, 1, min(n, MOST_STRENGTH))
    for place, size in enumerate(sizes):
        check_int(f"sizes[{place}]", size, 1, MOST_TUPLES)
    if (tuples := tuple_count(sizes, strength)) > MOST_TUPLES:
        raise ParamError("sizes", list(sizes), f"at most {MOST_TUPLES:,} tuples, not {tuples:,}")
    barred = [_checked(place, one, sizes) for place, one in enumerate(forbidden)]
    chosen = list(combinations(range(n), strength))
    counts = [prod(sizes[factor] for factor in factors) for factors in chosen]
    having = [[c for c, factors in enumerate(chosen) if factor in factors] for factor in range(n)]
    barring = [[b for b, one in enumerate(barred) if factor in one] for factor in range(n)]
    return Factors(
        sizes=np.array(sizes, np.int64),
        combinations=np.array(chosen, np.int64),
        strides=np.array([_strides([sizes[f] for f in factors]) for factors in chosen], np.int64),
        bases=offsets_of(np.array(counts, np.int64)),
        having=np.array(having, np.int64),
        barred_factors=np.array([factor for one in barred for factor in one], np.int64),
        barred_values=np.array([value for one in barred for value in one.values()], np.int64),
        barred_offsets=offsets_of(np.array([len(one) for one in barred], np.int64)),
        barring=np.array([b for some in barring for b in some], np.int64),
        barring_offsets=offsets_of(np.array([len(some) for some in barring], np.int64)),
    )


def _strides(sizes: Sequence[int]) -> list[int]:
    return [prod(sizes[place + 1 :]) for place in range(len(sizes))]


def _checked(place: int, partial: Mapping[int, int], sizes: Sequence[int]) -> dict[int, int]:
    name = f"forbidden[{place}]"
    if not partial:
        raise ParamError(name, dict(partial), "one factor or more")
    for factor, value in partial.items():
        check_int(name, factor, 0, len(sizes) - 1)
        check_int(f"{name}[{factor}]", value, 0, sizes[factor] - 1)
    return dict(partial)


def _greedy_rows(factors: Factors, key: int) -> tuple[Rows, NDArray[np.int8]]:
    """Return rows that cover every tuple that can be, and the state of every tuple."""
    states = np.full(factors.bases[-1], OPEN, np.int8)
    open_of, counter = np.diff(factors.bases), np.zeros(1, np.int64)
    row = np.empty(len(factors.sizes), np.int64)
    rows = []
    while gain := next_row(factors, states, open_of, _STARTS, np.uint64(key), counter, row):
        if gain > 0:
            rows.append(row.copy())
    return np.array(rows, np.int64).reshape(-1, len(row)), states


def _tuples_in(factors: Factors, states: NDArray[np.int8], state: int) -> Rows:
    """Return the tuples of a state as partial rows."""
    numbers = np.flatnonzero(states == state)
    chosen = np.searchsorted(factors.bases, numbers, side="right") - 1
    rows = np.empty((len(numbers), len(factors.sizes)), np.int64)
    for place, (combination, number) in enumerate(zip(chosen, numbers, strict=True)):
        set_tuple(factors, combination, number, rows[place])
    return rows
