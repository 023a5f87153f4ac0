"""A pool of candidates out of which those are chosen that have most structures."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from synthgen.controllers.greedy_coverage import greedy_coverage
from synthgen.core.columns import Ragged, offsets_of
from synthgen.core.steering.needed_rows import take_needed
from synthgen.engine.propose import BLOCK, Candidates
from synthgen.recipe.steering import Diverse


class DiversePool:
    """The structures of the first candidates of a split.

    Args:
        rule: of the recipe.
        size: candidates that are looked at.
    """

    def __init__(self, rule: Diverse, size: int) -> None:
        self._rule = rule
        self.size = size
        self._rows = 0
        self._numbers: dict[int, int] = {}
        self._parts: list[Ragged] = []

    def add(self, block: Candidates) -> None:
        """Note the next candidates, as far as the pool has room."""
        if self._rows >= self.size:
            return
        found = block.structures[self._rule.structures]
        rows = found.rows.take(found.positions[: self.size - self._rows])
        known = self._numbers
        numbers = [known.setdefault(key, len(known)) for key in found.ids.tolist()]
        self._parts.append(Ragged(np.array(numbers, np.int32)[rows.values], rows.offsets))
        self._rows += len(rows)

    def most_diverse(self, pool: NDArray[np.bool_], rows: int) -> NDArray[np.bool_]:
        """Choose rows of the pool: those that have most, then the first ones.

        Args:
            pool: which candidates are in it, as many as were noted, bool (n,).
            rows: to choose.
        """
        values = np.concatenate([np.zeros(0, np.int32), *(part.values for part in self._parts)])
        lengths = [np.zeros(0, np.int64), *(part.lengths for part in self._parts)]
        structures = Ragged(values, offsets_of(np.concatenate(lengths)))
        found = self._covering(structures, rows)
        places = np.flatnonzero(pool)
        chosen = np.zeros(len(pool), bool)
        chosen[places[found]] = True
        others = places[~chosen[places]]
        chosen[others[: rows - len(found)]] = True
        return chosen

    def _covering(self, structures: Ragged, rows: int) -> NDArray[np.int64]:
        """Return the rows that have most, as many at most, or those that have everything.

        Where there are rows enough for whatever is needed, to look at one block after the other
        covers as much as to look at all at once, in a fraction of the time.
        """
        n, rule = len(self._numbers), self._rule
        if n * rule.times > rows:
            return greedy_coverage(
                structures,
                rows,
                times=rule.times,
                by_frequency=rule.weigh == "frequency",
                n_structures=n,
            ).rows
        left, same = np.full(n, rule.times), np.arange(n)
        taken = np.zeros(len(structures), bool)
        for start in range(0, len(taken), BLOCK):
            block = np.arange(start, min(start + BLOCK, len(taken)))
            own = taken[start : start + BLOCK]
            take_needed(structures.values, structures.offsets, block, same, left, own)
        return np.flatnonzero(taken)
