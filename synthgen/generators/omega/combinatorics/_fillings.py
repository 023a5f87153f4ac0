"""How many ways there are to fill boxes with letters: a knapsack over the contents of a box."""

from __future__ import annotations

from itertools import groupby

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.generators.omega.combinatorics._partitions import Partition

Counts = NDArray[np.int64]
_BITS = 6
"""Of one letter's count in a packed state, the highest of them a guard."""


def fillings(counts: Partition, sizes: Partition, *, alike: bool) -> int:
    """Count the ways to put all letters into boxes.

    Args:
        counts: copies of each letter, at most 10 letters and 31 copies.
        sizes: letters that each box holds, largest first; they take all of them.
        alike: whether boxes of one size are not told apart.
    """
    groups = [(size, len(list(same))) for size, same in groupby(sizes)]
    if not alike:
        groups = [(size, 1) for size in sizes]
    bag = np.array(counts, np.int64)
    return int(
        _fillings(bag, *(np.array(column, np.int64) for column in zip(*groups, strict=True)))
    )


@njit(cache=True, nogil=True)
def _fillings(counts: Counts, sizes: Counts, boxes: Counts) -> int:
    """Choose, group by group, how many of the alike boxes get each possible contents.

    A state says which letters are used; its number is in mixed radix, so that numbers of states
    subtract like the states.
    """
    n_states = np.prod(counts + 1)
    packed = np.zeros(n_states, np.int64)
    sums = np.zeros(n_states, np.int64)
    step = 1
    for i in range(len(counts)):
        for state in range(n_states):
            count = state // step % (counts[i] + 1)
            packed[state] |= count << (_BITS * i)
            sums[state] += count
        step *= counts[i] + 1
    by_sum = np.argsort(sums)
    starts = np.searchsorted(sums[by_sum], np.arange(np.sum(counts) + 2))
    guards = 0
    for i in range(len(counts)):
        guards |= 1 << (_BITS * i + _BITS - 1)
    ways = np.zeros(n_states, np.int64)
    ways[0] = 1
    used = 0
    for group in range(len(sizes)):
        size = sizes[group]
        for contents in by_sum[starts[size] : starts[size + 1]]:
            for filled in range(1, boxes[group] + 1):
                total = used + filled * size
                for state in by_sum[starts[total] : starts[total + 1]]:
                    if ((packed[state] | guards) - packed[contents]) & guards == guards:
                        ways[state] += ways[state - contents]
        used += size * boxes[group]
        for state in range(n_states):
            if sums[state] != used:
                ways[state] = 0
    return int(ways[n_states - 1])
