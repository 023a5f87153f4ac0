"""Steering of one split during selection: its winners, its needs, and its diverse pool."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from synthgen.core.checks import check_int
from synthgen.core.columns import Ragged, offsets_of
from synthgen.core.contract import BLOCK
from synthgen.core.named_structures import structure_id_in
from synthgen.core.randomness import mix_words
from synthgen.core.steering import greedy_rows, number_words, rows_with, take_needed
from synthgen.engine.candidate_structures import names_at
from synthgen.engine.needs import Need, SplitNeeds, StructureUnits, TupleUnits, Units
from synthgen.engine.plan import Plan
from synthgen.engine.propose import Candidates
from synthgen.recipe.fields import MAX_ROWS
from synthgen.recipe.schema import Cover, Diverse, Split

MOST_ROWS = 2**31 - 1


@dataclass(frozen=True, slots=True, eq=False)
class Chosen:
    """Rows in the order in which they were chosen.

    Attributes:
        rows: int64 (r,).
        gains: gain of each row: the weight of the needed structures that it covered, non-increasing
            except where a new round begins, int64 (r,).
        covered: number of different structures in the rows.
        total: number of different structures in the pool.
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
    """Choose rows one by one, always the first of those with the largest gain.

    Args:
        structures: integer ids of each row's structures, ragged; repeats in a row count once.
        budget: most rows to choose.
        times: number of rows that should have each structure.
        by_frequency: weight a structure by the number of rows that have it, else by 1.
        again: once everything is covered, start over with the remaining rows until the budget is
            used; every round takes as long as the first. Otherwise stop there.
        n_structures: number of ids, if these are already numbers from 0.

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


class DiversePool:
    """The structures of the first candidates of a split.

    Args:
        rule: table of the recipe.
        size: number of candidates in the pool.
    """

    def __init__(self, rule: Diverse, size: int) -> None:
        self._rule = rule
        self.size = size
        self._rows = 0
        self._numbers: dict[int, int] = {}
        self._parts: list[Ragged] = []

    def add(self, block: Candidates) -> None:
        """Add the next candidates, while the pool has room."""
        if self._rows >= self.size:
            return
        found = block.structures[self._rule.structures]
        rows = found.rows.take(found.positions[: self.size - self._rows])
        known = self._numbers
        numbers = [known.setdefault(key, len(known)) for key in found.ids.tolist()]
        self._parts.append(Ragged(np.array(numbers, np.int32)[rows.values], rows.offsets))
        self._rows += len(rows)

    def most_diverse(self, pool: NDArray[np.bool_], rows: int) -> NDArray[np.bool_]:
        """Choose rows of the pool: those that cover most structures, then the first ones.

        Args:
            pool: which candidates are in it, as many as were added, bool (n,).
            rows: number of rows to choose.
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
        """Return at most `rows` rows that cover most structures, or enough to cover all.

        Where the rows suffice for everything needed, processing block by block covers as much as
        processing all at once, in a fraction of the time.
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


_MORE, _MOST_MORE = 3, 1 << 18
"""Default size of a pool beyond the rows of the split: this many candidates per row, up to a limit;
with many rows, all common structures are among them anyway."""


def make_needs(split: Split, plan: Plan) -> SplitNeeds:
    """Return the needs of a split, before the first candidate."""
    return SplitNeeds([Need(cover, _units(cover, plan)) for cover in split.cover], split.rows)


def make_pool(split: Split, plan: Plan) -> DiversePool | None:
    """Return the pool from which the rows of a split are chosen by structures, if they are."""
    rule = split.diverse
    if rule is None:
        return None
    usual = split.rows + min(_MORE * split.rows, _MOST_MORE)
    size = min(rule.pool or usual, plan.space or MAX_ROWS)
    return DiversePool(rule, max(size, split.rows))


def _units(cover: Cover, plan: Plan) -> Units:
    if cover.structures is None:
        return TupleUnits(cover, plan.axes)
    ids = {
        key: text
        for text in cover.of
        if isinstance(text, str)
        for index in plan.proposing
        for signature in [plan.sources[index].generator.signature]
        if (key := structure_id_in(text, cover.structures, signature)) is not None
    }

    def names(source: int, addresses: NDArray[np.uint64], kind: str) -> Mapping[int, str]:
        planned = plan.sources[source]
        return names_at(planned.generator, planned.stream, addresses, kind)

    return StructureUnits(cover, ids, names)
