"""Covering rows chosen from candidates: few rows that have all t-way tuples that occur.

Where a generator cannot be told which values to draw, the rows that guarantee t-way coverage are
picked out of its candidates: block after block in the order of addresses, in each block greedily
those that have most tuples still needed. What is chosen of a block does not depend on later ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod

import numpy as np
from numpy.typing import NDArray

from synthgen.core.checks import check_int
from synthgen.core.columns import offsets_of
from synthgen.core.errors import ParamError
from synthgen.core.steering.maximum_coverage import greedy_rows

MOST_TUPLES = 1 << 28
_BLOCK = 65_536


@dataclass(frozen=True, slots=True, eq=False)
class TupleNeeds:
    """How many more rows each t-way tuple needs.

    Attributes:
        sizes: number of values of each column.
        strength: t.
        left: rows needed, int32, tuples of one combination of columns after the other; changed by
            `seed_of_block` in place.
    """

    sizes: tuple[int, ...]
    strength: int
    left: NDArray[np.int32]


def tuple_needs(sizes: Sequence[int], strength: int, times: int = 1) -> TupleNeeds:
    """Return the needs before the first block.

    Args:
        sizes: number of values of each column, 1 or more, (f,).
        strength: t, 1 to f.
        times: how many rows every tuple shall have, as far as there are that many.

    Raises:
        ParamError: for arguments out of range, or more than 2^28 tuples.
    """
    check_int("strength", strength, 1, max(1, len(sizes)))
    check_int("times", times, 1, 2**31 - 1)
    for place, size in enumerate(sizes):
        check_int(f"sizes[{place}]", size, 1, MOST_TUPLES)
    total = sum(prod(chosen) for chosen in combinations(sizes, strength))
    if not 1 <= total <= MOST_TUPLES:
        raise ParamError("sizes", list(sizes), f"1 to {MOST_TUPLES:,} tuples, not {total:,}")
    return TupleNeeds(tuple(sizes), strength, np.full(total, times, np.int32))


def seed_of_block(needs: TupleNeeds, codes: NDArray[np.integer]) -> NDArray[np.int64]:
    """Choose rows of a block that have every tuple that occurs in it and is needed.

    Args:
        needs: before the block; its `left` is lowered by what is chosen.
        codes: values of the candidates, 0..size-1 in each column, (n, f).

    Returns:
        Places in the block, rising, int64 (m,).

    Raises:
        ParamError: for codes out of range.
    """
    numbers = _tuple_numbers(codes, needs.sizes, needs.strength)
    needed = needs.left[numbers] > 0
    rows = np.flatnonzero(needed.any(1))
    if not len(rows):
        return rows
    open_numbers, ids = np.unique(numbers[rows][needed[rows]], return_inverse=True)
    offsets = offsets_of(np.count_nonzero(needed[rows], axis=1))
    wanted = needs.left[open_numbers].astype(np.int64)
    weights = np.ones(len(open_numbers), np.int64)
    chosen, _ = greedy_rows(ids.astype(np.int32), offsets, weights, wanted, len(rows), 0)
    places = np.sort(rows[chosen])
    covered, times = np.unique(numbers[places], return_counts=True)
    needs.left[covered] = np.maximum(needs.left[covered] - times, 0)
    return places


def choose_seed(
    codes: NDArray[np.integer], strength: int, times: int = 1, block: int = _BLOCK
) -> NDArray[np.int64]:
    """Choose rows that have every t-way tuple of values that occurs.

    Args:
        codes: values of the candidates in order of address, 0 or more, (n, f).
        strength: t, 1 to f.
        times: how many rows every tuple shall have; of a rarer one all are taken.
        block: candidates looked at together. Larger blocks need fewer rows.

    Returns:
        Row numbers, rising, int64 (m,).

    Raises:
        ParamError: for arguments out of range.
    """
    check_int("block", block, 1, 1 << 24)
    if codes.ndim != 2 or not codes.shape[1]:
        raise ParamError("codes", codes.shape, "one column or more")
    sizes = [int(high) + 1 for high in codes.max(0, initial=0)]
    needs = tuple_needs(sizes, strength, times)
    found = [np.zeros(0, np.int64)]
    for start in range(0, len(codes), block):
        found.append(start + seed_of_block(needs, codes[start : start + block]))
    return np.concatenate(found)


def _tuple_numbers(
    codes: NDArray[np.integer], sizes: tuple[int, ...], strength: int
) -> NDArray[np.int64]:
    """Return the number of each row's tuple of each combination of columns, int64 (n, c)."""
    if codes.ndim != 2 or codes.shape[1] != len(sizes):
        raise ParamError("codes", codes.shape, f"{len(sizes)} columns")
    if len(codes) and ((codes < 0) | (codes >= np.array(sizes))).any():
        raise ParamError("codes", (int(codes.min()), int(codes.max())), "0 to size - 1")
    chosen = list(combinations(range(len(sizes)), strength))
    numbers = np.empty((len(codes), len(chosen)), np.int64)
    base = 0
    for place, columns in enumerate(chosen):
        number = np.zeros(len(codes), np.int64)
        for column in columns:
            number = number * sizes[column] + codes[:, column]
        numbers[:, place] = number + base
        base += prod(sizes[column] for column in columns)
    return numbers
