"""Candidates that more than one split could have: what makes a partition of a small space exact.

A candidate goes to one of the splits whose rules it meets by its key alone, so the shares are only
near those that the recipe wants. Where a space is used up and a split stays short, it gets what
others do not keep.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from synthgen.engine.propose import Candidates

Kept = tuple[NDArray[np.uint16], NDArray[np.uint64]]
"""Source and address of rows."""


class Spares:
    """For each split the candidates that meet its rule but went to another, in order."""

    def __init__(self, splits: int) -> None:
        self._parts: list[list[Candidates]] = [[] for _ in range(splits)]

    def add(self, split: int, block: Candidates, positions: NDArray[np.int64]) -> None:
        """Note candidates of a block that another split has."""
        if len(positions):
            self._parts[split].append(block.take(positions))

    def left(self, split: int, kept: Sequence[Kept]) -> Iterator[Candidates]:
        """Yield a split's spares that are not among the rows that splits keep."""
        for part in self._parts[split]:
            taken = np.zeros(len(part), bool)
            for sources, addresses in kept:
                taken |= np.isin(part.addresses, addresses[sources == part.source])
            yield part.take(np.flatnonzero(~taken))
