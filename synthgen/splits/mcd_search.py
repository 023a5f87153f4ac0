"""The search behind `mcd`: random starts, of which the most promising is climbed to the end.

How far a start gets early tells well how far it gets at all, so starts are cheap and many.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from synthgen.core.columns import Ragged
from synthgen.core.divergence import chernoff_divergence
from synthgen.core.exchange import EXCHANGED, LAST_GAIN, PROPOSED, Aim, climb
from synthgen.core.randomness import Rows
from synthgen.core.tally import Feature, Ints, feature_of, fill
from synthgen.core.word_order import word_order

_STRICT = float(1 << 20)  # nothing that compounds could gain is worth passing a bound
_MARGIN = 1e-9  # more than the fixed point of the tallies can be off
_PATIENCE = 40  # proposals for each row without a gain


@dataclass(frozen=True, slots=True)
class Wanted:
    """Sizes, bounds, target and penalty of `mcd.McdRule`."""

    n_train: int
    n_test: int
    atom_bound: float
    axis_bound: float
    target: float
    penalty: float = 5.0


@dataclass(frozen=True, slots=True)
class Measured:
    """Divergences of two sides, and the number of atoms that test has and train lacks."""

    compounds: float
    atoms: float
    axes: float
    unseen_atoms: int


@dataclass(frozen=True, slots=True)
class Found:
    """All rows, train first, then test; which start led there; what all starts together took."""

    places: Ints
    start: int
    proposals: int
    exchanges: int


@dataclass(slots=True)
class _Climb:
    """A start and how far it has come; `key` and `counts` are those of `exchange.climb`."""

    places: Ints
    key: np.uint64
    counts: Ints
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class Pool:
    """A pool of rows in canonical order; its features hold the sides they were filled with last."""

    compounds: Feature
    atoms: Feature
    axes: Feature
    wanted: Wanted
    rows: Rows

    def shuffled(self, label: str) -> Ints:
        """Return all rows in random order."""
        return word_order(self.rows.branch(label).draws().bits())

    def measure(self, places: Ints) -> Measured:
        """Measure the sides that these places make."""
        self._fill(places)
        unseen = (self.atoms.test > 0) & (self.atoms.train == 0)
        compounds, atoms, axes = (
            chernoff_divergence(feature.train, feature.test, feature.exponent)
            for feature in (self.compounds, self.atoms, self.axes)
        )
        return Measured(compounds, atoms, axes, int(np.count_nonzero(unseen)))

    def search(self, starts: int, effort: int) -> Found:
        """Climb from every start, then further from the best; see `McdRule` for the two numbers."""
        keys = Rows.span(self.rows.stream, 0, starts).branch("exchanges").keys
        steps = effort * len(self.rows)
        climbs: list[_Climb] = []
        done = False
        for j in range(starts):
            climbs.append(_Climb(self._start(j), keys[j], np.zeros(3, np.int64)))
            done = self._advance(climbs[-1], steps // 5, self.wanted.penalty)
            if done:
                break
        best = len(climbs) - 1 if done else max(range(starts), key=lambda j: climbs[j].score)
        if not done and not self._advance(climbs[best], steps * 3 // 5, self.wanted.penalty):
            self._advance(climbs[best], steps // 5, _STRICT)
        return Found(
            places=climbs[best].places,
            start=best,
            proposals=sum(int(one.counts[PROPOSED]) for one in climbs),
            exchanges=sum(int(one.counts[EXCHANGED]) for one in climbs),
        )

    def _fill(self, places: Ints) -> None:
        for feature in (self.compounds, self.atoms, self.axes):
            fill(feature, places, self.wanted.n_train, self.wanted.n_test)

    def _start(self, j: int) -> Ints:
        """Return the rows in random order, but those that are the first with an atom in front."""
        places = self.shuffled(f"start {j}")
        bags = Ragged(self.atoms.ids, self.atoms.offsets).take(places)
        _, first = np.unique(bags.values, return_index=True)
        carriers = np.unique(np.searchsorted(bags.offsets, first, side="right") - 1)
        return np.concatenate([places[carriers], np.delete(places, carriers)])

    def _advance(self, one: _Climb, steps: int, penalty: float) -> bool:
        """Go on with a climb; say whether it is where it should get to."""
        self._fill(one.places)
        wanted = self.wanted
        aim = Aim(
            atom_bound=max(0.0, wanted.atom_bound - _MARGIN),
            axis_bound=max(0.0, wanted.axis_bound - _MARGIN),
            penalty=penalty,
            unseen_penalty=max(1.0, penalty),
            target=min(wanted.target + _MARGIN, 1.0),
            patience=_PATIENCE * len(self.rows),
            refresh=max(1, len(self.rows) // 2),
        )
        one.counts[LAST_GAIN] = one.counts[PROPOSED]
        one.score, charge = climb(
            self.compounds,
            self.atoms,
            self.axes,
            one.places,
            wanted.n_train,
            wanted.n_test,
            aim,
            one.key,
            steps,
            one.counts,
        )
        return charge == 0.0 and one.score >= aim.target


def numbered(bags: Ragged, exponent: float) -> Feature:
    """Number the ids of a column from 0 on, smallest first, and make it a feature."""
    known, numbers = np.unique(bags.values, return_inverse=True)
    return feature_of(Ragged(numbers.astype(np.int64), bags.offsets), len(known), exponent)


def axis_bags(axes: Sequence[NDArray[np.integer]], n: int) -> Ragged:
    """Return a bag for each of n rows that holds an id for its value of each axis."""
    columns: list[NDArray[np.int64]] = []
    first = 0
    for axis in axes:
        values, numbers = np.unique(axis, return_inverse=True)
        columns.append(numbers.astype(np.int64) + first)
        first += len(values)
    flat = np.stack(columns, axis=1).ravel() if columns else np.zeros(0, np.int64)
    return Ragged(flat, np.arange(n + 1, dtype=np.int64) * len(columns))
