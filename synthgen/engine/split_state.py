"""One split that owns its problems during selection, and the splits whose rows are seen in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from synthgen.core.content import Keys
from synthgen.engine.plan import Plan, PlannedSplit
from synthgen.engine.propose import Candidates
from synthgen.engine.winners import Winners

Matcher = Callable[[Candidates, list[pl.Expr]], NDArray[np.bool_]]


@dataclass(frozen=True, slots=True)
class Chosen:
    """The rows of a split in the order proposed.

    Attributes:
        winners: they were chosen from.
        sources, addresses: uint16 and uint64 (n,).
        keys: content keys (n, 2), empty where nothing needs them.
    """

    winners: Winners
    sources: NDArray[np.uint16]
    addresses: NDArray[np.uint64]
    keys: Keys


class SplitState:
    """What selection remembers of one split."""

    def __init__(self, split: PlannedSplit, plan: Plan) -> None:
        self.split = split
        self._axes = plan.axes
        self._winners = Winners(split.spec, plan.axes)
        self._dependents = [
            (other, Winners(other.spec, plan.axes))
            for other in plan.splits
            if other.spec.seen_in == split.name
        ]
        # Equal problems can meet different rules only then, so only then must they be compared.
        self._keep_keys = plan.recipe.dedup.on != "canonical" and not plan.canonical_rules
        self._sources: list[NDArray[np.uint16]] = []
        self._addresses: list[NDArray[np.uint64]] = []
        self._keys: list[Keys] = []
        self._at_window: dict[int, int] = {}
        self.candidates = self.duplicates = self.rows = 0
        self.dry = False

    def add(self, block: Candidates, positions: NDArray[np.int64], matcher: Matcher) -> None:
        """Note the distinct candidates at these positions of a block."""
        part = block.take(positions)
        self.rows += len(part)
        self._sources.append(np.full(len(part), block.source, np.uint16))
        self._addresses.append(part.addresses)
        if self._keep_keys:
            self._keys.append(part.keys)
        everything = np.ones(len(part), bool)
        capped = matcher(part, [self.split.cap_rule])[:, 0]
        self._winners.add(part.axes, everything, capped)
        for other, winners in self._dependents:
            matches = matcher(part, [other.rule, other.cap_rule])
            winners.add(part.axes, matches[:, 0], matches[:, 1])

    def full(self) -> bool:
        """Say whether no further candidate can be kept."""
        return self.finished() and not self.split.spec.balance and not self.split.spec.cap

    def finished(self) -> bool:
        """Say whether every open cell has its quota, or nothing more is to be had."""
        if self.dry:
            return True
        quotas = self._winners.quotas()
        if sum(quotas.values()) < self.split.spec.rows:
            return False
        open_cells = [cell for cell in quotas if not self._winners.closed[cell]]
        return all(self._winners.fills(cell, quotas[cell]) for cell in open_cells)

    def close_poor_cells(self, floor: float) -> None:
        """Give up the cells that gained fewer than `floor` rows since the last call."""
        if self.finished():
            return
        for cell, quota in self._winners.quotas().items():
            if self._winners.closed[cell]:
                continue
            usable = self._winners.usable(cell, quota)
            gained = usable - self._at_window.get(cell, 0)
            self._at_window[cell] = usable
            if gained < floor and not self._winners.fills(cell, quota):
                self._winners.closed[cell] = True
        self.dry = all(self._winners.closed[cell] for cell in self._winners.seen())

    def exhaust(self) -> None:
        """Close every cell: there are no more candidates."""
        self._winners.closed[:] = True
        self.dry = True

    @property
    def nbytes(self) -> int:
        """Memory of all columns."""
        columns: list[NDArray[Any]] = [*self._sources, *self._addresses, *self._keys]
        winners = [self._winners, *(winners for _, winners in self._dependents)]
        return sum(part.nbytes for part in columns) + sum(part.nbytes for part in winners)

    def chosen(self) -> Iterator[Chosen]:
        """Yield the rows of this split, then those of each split that is seen in it."""
        own = self._winners.chosen()
        sources, addresses = _kept(self._sources, own), _kept(self._addresses, own)
        keys = _kept(self._keys, own) if self._keep_keys else np.zeros((0, 2), np.uint64)
        yield Chosen(self._winners, sources, addresses, keys)
        for _, winners in self._dependents:
            part = winners.among(own, self._axes)
            rows = part.chosen()
            part_keys = keys[rows] if self._keep_keys else keys
            yield Chosen(part, sources[rows], addresses[rows], part_keys)


def _kept(parts: list[NDArray[Any]], rows: NDArray[np.bool_]) -> NDArray[Any]:
    """Return some rows of a column that is in parts."""
    ends = np.cumsum([len(part) for part in parts])
    pieces = np.split(rows, ends[:-1])
    return np.concatenate([part[piece] for part, piece in zip(parts, pieces, strict=True)])
