"""Maximum compound divergence: a train and a test set alike in atoms and unlike in compounds.

From a pool of rows, train and test rows are chosen so that the compounds of the two diverge as far
as possible, while their atoms (and axes, if given) hardly diverge and every atom of test occurs in
train (Keysers et al. 2020, arXiv:1912.09713). The rest of the pool is unused.

The choice is a function of the stream, the keys and the content of the rows, not of their order or
the machine.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from synthgen.core.assignment import NO_SPLIT
from synthgen.core.checks import check_int
from synthgen.core.columns import Ragged
from synthgen.core.content import Keys
from synthgen.core.divergence import (
    EXCHANGED,
    LAST_GAIN,
    PROPOSED,
    Aim,
    Feature,
    Ints,
    check_exponent,
    chernoff_divergence,
    climb,
    feature_of,
    fill,
)
from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows
from synthgen.core.selection import word_order

_STRICT = float(1 << 20)  # no gain in compounds justifies exceeding a bound
_MARGIN = 1e-9  # more than the fixed-point error of the tallies
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
    """Divergences of two sides, and the number of atoms in test but not in train."""

    compounds: float
    atoms: float
    axes: float
    unseen_atoms: int


@dataclass(frozen=True, slots=True)
class Found:
    """All rows, train first, then test; the best start; the effort of all starts together."""

    places: Ints
    start: int
    proposals: int
    exchanges: int


@dataclass(slots=True)
class _Climb:
    """A start and its progress; `key` and `counts` are those of `divergence.climb`."""

    places: Ints
    key: np.uint64
    counts: Ints
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class Pool:
    """A pool of rows in canonical order; its features hold the sides they were last filled with."""

    compounds: Feature
    atoms: Feature
    axes: Feature
    wanted: Wanted
    rows: Rows

    def shuffled(self, label: str) -> Ints:
        """Return all rows in random order."""
        return word_order(self.rows.branch(label).draws().bits())

    def measure(self, places: Ints) -> Measured:
        """Measure the sides that these places define."""
        self._fill(places)
        unseen = (self.atoms.test > 0) & (self.atoms.train == 0)
        compounds, atoms, axes = (
            chernoff_divergence(feature.train, feature.test, feature.exponent)
            for feature in (self.compounds, self.atoms, self.axes)
        )
        return Measured(compounds, atoms, axes, int(np.count_nonzero(unseen)))

    def search(self, starts: int, effort: int) -> Found:
        """Climb from every start, then further from the best; `McdRule` explains both numbers."""
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
        """Return the rows in random order, but first those that are the first with an atom."""
        places = self.shuffled(f"start {j}")
        bags = Ragged(self.atoms.ids, self.atoms.offsets).take(places)
        _, first = np.unique(bags.values, return_index=True)
        carriers = np.unique(np.searchsorted(bags.offsets, first, side="right") - 1)
        return np.concatenate([places[carriers], np.delete(places, carriers)])

    def _advance(self, one: _Climb, steps: int, penalty: float) -> bool:
        """Continue a climb; return whether it has reached its target."""
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
            (self.compounds, self.atoms, self.axes),
            one.places,
            (wanted.n_train, wanted.n_test),
            aim,
            (one.key, steps),
            one.counts,
        )
        return charge == 0.0 and one.score >= aim.target


def numbered(bags: Ragged, exponent: float) -> Feature:
    """Number the ids of a column from 0, smallest first, and return it as a feature."""
    known, numbers = np.unique(bags.values, return_inverse=True)
    return feature_of(Ragged(numbers.astype(np.int64), bags.offsets), len(known), exponent)


def axis_bags(axes: Sequence[NDArray[np.integer]], n: int) -> Ragged:
    """Return for each of n rows a bag with an id for its value of each axis."""
    columns: list[NDArray[np.int64]] = []
    first = 0
    for axis in axes:
        values, numbers = np.unique(axis, return_inverse=True)
        columns.append(numbers.astype(np.int64) + first)
        first += len(values)
    flat = np.stack(columns, axis=1).ravel() if columns else np.zeros(0, np.int64)
    return Ragged(flat, np.arange(n + 1, dtype=np.int64) * len(columns))


TRAIN, TEST = 0, 1
RE_SPLITS = 20


@dataclass(frozen=True, slots=True)
class McdRule:
    """Requirements of a split.

    Attributes:
        n_train: exact number of train rows.
        n_test: exact number of test rows.
        atom_bound: largest divergence of the atoms of train and test, where feasible.
        axis_bound: the same for the axes; for several it bounds the mean.
        target: divergence of compounds beyond which the search need not go.
        atom_exponent: exponent of the train shares of atoms and axes.
        compound_exponent: exponent of the train shares of compounds.
        penalty: cost of a divergence of atoms or axes of 1 beyond its bound, in divergence of
            compounds, until the last phase of the search, which keeps bounds at any cost.
        starts: number of random starts, the best of which is continued to the end.
        effort: most exchanges proposed per row of the pool in one start.

    Raises:
        ParamError: for a value out of range.
    """

    n_train: int
    n_test: int
    atom_bound: float = 0.02
    axis_bound: float = 0.02
    target: float = 1.0
    atom_exponent: float = 0.5
    compound_exponent: float = 0.1
    penalty: float = 5.0
    starts: int = 12
    effort: int = 50

    def __post_init__(self) -> None:
        check_int("n_train", self.n_train, 1, 2**31 - 1)
        check_int("n_test", self.n_test, 1, 2**31 - 1)
        check_int("starts", self.starts, 1, 1000)
        check_int("effort", self.effort, 0, 100_000)
        check_exponent("atom_exponent", self.atom_exponent)
        check_exponent("compound_exponent", self.compound_exponent)
        if not 0.0 <= self.penalty <= 1000.0:
            raise ParamError("penalty", self.penalty, "a number from 0 to 1000")
        for name in ("atom_bound", "axis_bound", "target"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise ParamError(name, getattr(self, name), "a number from 0 to 1")


@dataclass(frozen=True, slots=True)
class Baseline:
    """Divergence of random splits of the same sizes: mean and standard deviation."""

    mean: float
    deviation: float


@dataclass(frozen=True, slots=True)
class McdSplit:
    """A split and its measurements.

    Attributes:
        sides: TRAIN, TEST or NO_SPLIT for each row, int8 (n,).
        compounds: divergence of the compounds of train and test.
        atoms: divergence of their atoms.
        axes: divergence of their axes, 0 without any.
        unseen_atoms: number of different atoms in test but not in train; 0 unless the pool leaves
            no choice.
        random_compounds: divergence of compounds of `RE_SPLITS` random splits.
        random_atoms: the same for atoms.
        start: which random start was the best, from 0.
        proposals: exchanges proposed in all starts.
        exchanges: exchanges made in all starts.
    """

    sides: NDArray[np.int8]
    compounds: float
    atoms: float
    axes: float
    unseen_atoms: int
    random_compounds: Baseline
    random_atoms: Baseline
    start: int
    proposals: int
    exchanges: int


def mcd_split(
    keys: Keys,
    atoms: Ragged,
    compounds: Ragged,
    rule: McdRule,
    stream: int,
    axes: Mapping[str, NDArray[np.integer]] | None = None,
) -> McdSplit:
    """Choose train and test rows out of a pool.

    Args:
        keys: content keys, all different, uint64 (n, 2), the only identity of the rows.
        atoms: ids of each row's atoms, ragged uint64.
        compounds: ids of each row's compounds, ragged uint64.
        rule: requirements.
        stream: 64-bit stream key of the random starts and proposals.
        axes: name -> (n,), columns in which train and test should also be alike, such as lengths.

    Raises:
        ParamError: for too small a pool, repeated keys or columns of different lengths.
    """
    columns = list((axes or {}).values())
    order = np.lexsort((keys[:, 1], keys[:, 0]))
    _check_pool(keys[order], [len(atoms), len(compounds), *map(len, columns)], rule)
    pool = Pool(
        compounds=numbered(compounds.take(order), rule.compound_exponent),
        atoms=numbered(atoms.take(order), rule.atom_exponent),
        axes=numbered(axis_bags(columns, len(order)).take(order), rule.atom_exponent),
        wanted=_wanted(rule),
        rows=Rows.span(stream, 0, len(order)),
    )
    random = [pool.measure(pool.shuffled(f"random split {j}")) for j in range(RE_SPLITS)]
    found = pool.search(rule.starts, rule.effort)
    measured = pool.measure(found.places)
    sides = np.full(len(order), NO_SPLIT, np.int8)
    sides[order[found.places[: rule.n_train]]] = TRAIN
    sides[order[found.places[rule.n_train : rule.n_train + rule.n_test]]] = TEST
    return McdSplit(
        sides=sides,
        compounds=measured.compounds,
        atoms=measured.atoms,
        axes=measured.axes,
        unseen_atoms=measured.unseen_atoms,
        random_compounds=_baseline([one.compounds for one in random]),
        random_atoms=_baseline([one.atoms for one in random]),
        start=found.start,
        proposals=found.proposals,
        exchanges=found.exchanges,
    )


def _wanted(rule: McdRule) -> Wanted:
    return Wanted(
        n_train=rule.n_train,
        n_test=rule.n_test,
        atom_bound=rule.atom_bound,
        axis_bound=rule.axis_bound,
        target=rule.target,
        penalty=rule.penalty,
    )


def _check_pool(keys: Keys, lengths: Sequence[int], rule: McdRule) -> None:
    """Reject repeated keys (given in order), columns of different lengths and too small a pool."""
    if set(lengths) != {len(keys)}:
        raise ParamError("rows of each column", lengths, f"{len(keys)}, as many as keys")
    if len(keys) < rule.n_train + rule.n_test:
        raise ParamError("pool", len(keys), f"at least {rule.n_train + rule.n_test} rows")
    if bool((keys[1:] == keys[:-1]).all(axis=1).any()):
        raise ParamError("keys", "repeated", "a different key for each row")


def _baseline(values: Sequence[float]) -> Baseline:
    mean = math.fsum(values) / len(values)
    squares = math.fsum((value - mean) * (value - mean) for value in values)
    return Baseline(mean, math.sqrt(squares / (len(values) - 1)))
