"""Maximum compound divergence: a train and a test set alike in atoms and unlike in compounds.

From a pool of rows, train and test rows are chosen so that the compounds of the two diverge as far
as possible, while their atoms (and axes, if any are given) hardly do and every atom of test occurs
in train (Keysers et al. 2020, arXiv:1912.09713). The rest of the pool is used by neither.

The choice is a function of the stream, the keys and what the rows hold: not of the order of the
rows, nor of the machine.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from synthgen.core.checks import check_int
from synthgen.core.columns import Ragged
from synthgen.core.content import Keys
from synthgen.core.divergence import check_exponent
from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows
from synthgen.splits.assign import NO_SPLIT
from synthgen.splits.mcd_search import Pool, Wanted, axis_bags, numbered

TRAIN, TEST = 0, 1
RE_SPLITS = 20


@dataclass(frozen=True, slots=True)
class McdRule:
    """What is wanted of a split.

    Attributes:
        n_train: exact number of train rows.
        n_test: exact number of test rows.
        atom_bound: the atoms of train and test diverge by no more than this, where it can be had.
        axis_bound: the same for the axes; of several it bounds the mean.
        target: the compounds need not diverge by more than this.
        atom_exponent: of the train shares of atoms and axes.
        compound_exponent: of the train shares of compounds.
        penalty: what a divergence of atoms or axes of 1 beyond its bound costs, in divergence of
            compounds, until the last stretch of the search, which keeps bounds at any cost.
        starts: number of random starts, of which the best goes on to the end.
        effort: exchanges proposed to one start for each row of the pool, at most.

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
    """A split and what it measures.

    Attributes:
        sides: TRAIN, TEST or NO_SPLIT for each row, int8 (n,).
        compounds: divergence of the compounds of train and test.
        atoms: divergence of their atoms.
        axes: divergence of their axes, 0 without any.
        unseen_atoms: number of different atoms that test has and train lacks; 0 unless the pool
            leaves no choice.
        random_compounds: the divergence of compounds that `RE_SPLITS` random splits have.
        random_atoms: the same of atoms.
        start: which random start was the best, from 0.
        proposals: exchanges proposed, of all starts.
        exchanges: exchanges made, of all starts.
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
        keys: content keys, all different, uint64 (n, 2): they alone say which row is which.
        atoms: ids of each row's atoms, ragged uint64.
        compounds: ids of each row's compounds, ragged uint64.
        rule: what is wanted.
        stream: 64-bit stream key of the random starts and proposals.
        axes: name -> (n,), columns in which train and test shall be alike too, such as lengths.

    Raises:
        ParamError: for a pool smaller than the split, repeated keys or columns of other lengths.
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
    """Refuse keys (in order) that repeat, columns of other lengths and a pool that is too small."""
    if set(lengths) != {len(keys)}:
        raise ParamError("rows of each column", lengths, f"{len(keys)}, as many as keys")
    if len(keys) < rule.n_train + rule.n_test:
        raise ParamError("pool", len(keys), f"at least {rule.n_train + rule.n_test} rows")
    if bool((keys[1:] == keys[:-1]).all(axis=1).any()):
        raise ParamError("keys", "repeated", "a key of its own for each row")


def _baseline(values: Sequence[float]) -> Baseline:
    mean = math.fsum(values) / len(values)
    squares = math.fsum((value - mean) * (value - mean) for value in values)
    return Baseline(mean, math.sqrt(squares / (len(values) - 1)))
