"""Maximum compound divergence: a train and a test set alike in atoms and unlike in compounds.

From a pool of rows, train and test rows are chosen so that the compounds of the two diverge as far
as possible, while their atoms (and axes, if given) hardly diverge and every atom of test occurs in
train (Keysers et al. 2020, arXiv:1912.09713). The rest of the pool is unused.

The choice is a function of the stream, the keys and the content of the rows, not of their order or
the machine.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from synthgen.core.columns import Ragged
from synthgen.core.errors import ParamError
from synthgen.draws.randomness import Rows
from synthgen.draws.shuffles import word_order
from synthgen.engine.steer.exchanges import (
    LAST_GAIN,
    PROPOSED,
    Aim,
    Feature,
    Ints,
    climb,
    feature_of,
    fill,
)
from synthgen.recipe.schema import Divergence
from synthgen.rules.assignment import NO_SPLIT
from synthgen.trees.content_keys import Keys
from synthgen.trees.divergence import chernoff_divergence

TRAIN, TEST = 0, 1
RE_SPLITS = 20
_STRICT = float(1 << 20)  # no gain in compounds justifies exceeding a bound
_MARGIN = 1e-9  # more than the fixed-point error of the tallies
_STEPS_PER_ROW = 40  # proposals for each row without a gain


@dataclass(frozen=True, slots=True)
class Pool:
    """Problems to divide, in any order.

    Attributes:
        keys: Content keys, all different, uint64 (n, 2), the only identity of the rows.
        atoms, compounds: Ids of each row's atoms and compounds, ragged uint64.
        axes: Columns in which train and test should also be alike, such as lengths, (n, k).
    """

    keys: Keys
    atoms: Ragged
    compounds: Ragged
    axes: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class RandomDivisions:
    """Divergence of random splits of the same sizes: mean and standard deviation."""

    mean: float
    deviation: float


@dataclass(frozen=True)
class MeasuredDivision:
    """Divergences of train and test.

    Attributes:
        compounds, atoms, axes: Divergence of each; that of axes is 0 without any.
        unseen_atoms: Number of different atoms in test but not in train; 0 unless the pool leaves
            no choice.
    """

    compounds: float
    atoms: float
    axes: float
    unseen_atoms: int


@dataclass(frozen=True)
class McdSplit(MeasuredDivision):
    """A split and its measurements.

    Attributes:
        sides: TRAIN, TEST or NO_SPLIT for each row, int8 (n,).
        random_compounds, random_atoms: Divergences of `RE_SPLITS` random splits.
    """

    sides: NDArray[np.int8]
    random_compounds: RandomDivisions
    random_atoms: RandomDivisions


def mcd_split(pool: Pool, sizes: tuple[int, int], rule: Divergence, stream: int) -> McdSplit:
    """Choose train and test rows of exact sizes out of a pool.

    Raises:
        ParamError: for repeated keys or too small a pool.
    """
    keys = pool.keys
    order = np.lexsort((keys[:, 1], keys[:, 0]))
    ordered = keys[order]
    if bool((ordered[1:] == ordered[:-1]).all(axis=1).any()):
        raise ParamError("keys", "repeated", "a different key for each row")
    if len(keys) < sum(sizes):
        raise ParamError("pool", len(keys), f"at least {sum(sizes)} rows")
    search = _Search(pool, order, sizes, rule, stream)
    random = [search.measure(search.shuffled(f"random split {j}")) for j in range(RE_SPLITS)]
    places = search.best()
    measured = search.measure(places)
    sides = np.full(len(order), NO_SPLIT, np.int8)
    sides[order[places[: sizes[0]]]] = TRAIN
    sides[order[places[sizes[0] : sum(sizes)]]] = TEST
    return McdSplit(
        **asdict(measured),
        sides=sides,
        random_compounds=_baseline([each.compounds for each in random]),
        random_atoms=_baseline([each.atoms for each in random]),
    )


def load_search_kernels(rule: Divergence) -> None:
    """Load or compile the kernels of the search, which divides a pool of two rows."""
    bags = Ragged(np.zeros(2, np.uint64), np.arange(3, dtype=np.int64))
    pool = Pool(np.eye(2, dtype=np.uint64), bags, bags, np.zeros((2, 1), np.int64))
    mcd_split(pool, (1, 1), rule, 0)


@dataclass(slots=True)
class _Climb:
    """A start and its progress; `key` and `counts` are those of `exchanges.climb`."""

    places: Ints
    key: np.uint64
    counts: Ints
    score: float = 0.0


class _Search:
    """The rows of a pool by their keys; its features hold the sides they were last filled with."""

    def __init__(
        self,
        pool: Pool,
        order: NDArray[np.int64],
        sizes: tuple[int, int],
        rule: Divergence,
        stream: int,
    ) -> None:
        self._rule, self._sizes, self._rows = rule, sizes, Rows.span(stream, 0, len(order))
        self._atoms = _numbered(pool.atoms.take(order), rule.atom_exponent)
        self._features = (
            _numbered(pool.compounds.take(order), rule.compound_exponent),
            self._atoms,
            _numbered(_axis_bags(pool.axes[order]), rule.atom_exponent),
        )

    def shuffled(self, label: str) -> Ints:
        """Return all rows in random order."""
        return word_order(self._rows.branch(label).draws().bits())

    def measure(self, places: Ints) -> MeasuredDivision:
        """Measure the sides that these places define."""
        self._fill(places)
        unseen = (self._atoms.test > 0) & (self._atoms.train == 0)
        compounds, atoms, axes = (
            chernoff_divergence(feature.train, feature.test, feature.exponent)
            for feature in self._features
        )
        return MeasuredDivision(compounds, atoms, axes, int(np.count_nonzero(unseen)))

    def best(self) -> Ints:
        """Return all rows, train first, then test: climb from every start, on from the best."""
        starts, penalty = self._rule.starts, self._rule.penalty
        keys = Rows.span(self._rows.stream, 0, starts).branch("exchanges").keys
        steps = self._rule.effort * len(self._rows)
        climbs: list[_Climb] = []
        for j in range(starts):
            climbs.append(_Climb(self._start(j), keys[j], np.zeros(3, np.int64)))
            if self._advance(climbs[-1], steps // 5, penalty):
                return climbs[-1].places
        best = max(climbs, key=lambda one: one.score)
        if not self._advance(best, steps * 3 // 5, penalty):
            self._advance(best, steps // 5, _STRICT)
        return best.places

    def _fill(self, places: Ints) -> None:
        for feature in self._features:
            fill(feature, places, *self._sizes)

    def _start(self, j: int) -> Ints:
        """Return the rows in random order, but first those that are the first with an atom."""
        places = self.shuffled(f"start {j}")
        bags = Ragged(self._atoms.ids, self._atoms.offsets).take(places)
        _, first = np.unique(bags.values, return_index=True)
        carriers = np.unique(np.searchsorted(bags.offsets, first, side="right") - 1)
        return np.concatenate([places[carriers], np.delete(places, carriers)])

    def _advance(self, start: _Climb, steps: int, penalty: float) -> bool:
        """Continue a climb; return whether it has reached its target."""
        self._fill(start.places)
        aim = Aim(
            atom_bound=max(0.0, self._rule.atom_bound - _MARGIN),
            axis_bound=max(0.0, self._rule.axis_bound - _MARGIN),
            penalty=penalty,
            unseen_penalty=max(1.0, penalty),
            target=min(self._rule.target + _MARGIN, 1.0),
            patience=_STEPS_PER_ROW * len(self._rows),
            refresh=max(1, len(self._rows) // 2),
        )
        start.counts[LAST_GAIN] = start.counts[PROPOSED]
        start.score, charge = climb(
            self._features, start.places, self._sizes, aim, (start.key, steps), start.counts
        )
        return charge == 0.0 and start.score >= aim.target


def _numbered(bags: Ragged, exponent: float) -> Feature:
    """Number the ids of a column from 0, smallest first, and return it as a feature."""
    known, numbers = np.unique(bags.values, return_inverse=True)
    return feature_of(Ragged(numbers.astype(np.int64), bags.offsets), len(known), exponent)


def _axis_bags(axes: NDArray[np.int64]) -> Ragged:
    """Return for each row a bag with an id for its value of each axis."""
    columns = np.empty_like(axes)
    first = 0
    for place, axis in enumerate(axes.T):
        values, numbers = np.unique(axis, return_inverse=True)
        columns[:, place] = numbers + first
        first += len(values)
    n, width = axes.shape
    return Ragged(columns.ravel(), np.arange(n + 1, dtype=np.int64) * width)


def _baseline(values: Sequence[float]) -> RandomDivisions:
    mean = math.fsum(values) / len(values)
    squares = math.fsum((value - mean) * (value - mean) for value in values)
    return RandomDivisions(mean, math.sqrt(squares / (len(values) - 1)))
