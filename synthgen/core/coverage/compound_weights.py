"""Weights of compounds that discount what larger compounds count already (Keysers et al. 2020).

The weight of compound G in sample R, and in a set of samples, is

    w(G, R) = max over occurrences g of G in R of
              1 - max over compounds G' that g lies strictly inside of P(G' | G)
    W(G)    = sum over R of w(G, R)

where P(G' | G) is the share of all occurrences of G in the pool that lie inside one of G'. So a
compound that is always extended in the same way weighs 0, and one that never is weighs 1. Shares
are measured once, on the pool; sums for train and test come after. Here compounds are fragments
(see `synthgen.core.structures`), and those of the largest size count as never extended.

Only G' of one node more than G are looked at, as in dbca-splitter. For fragments of up to three
nodes that is all of them. Beyond, it mostly is enough, as what lies inside a larger G' lies inside
something between; but where symbols repeat, the occurrences of G inside one G' may be extended in
different ways at first, and the weight comes out larger than by the definition, never smaller.

All w(G, R) are multiples of one over the occurrences of G in the pool. The multiples are summed, so
W(G) is the same for any order and any batches of samples.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.columns import Ragged, offsets_of
from synthgen.core.coverage.id_counts import IdCounts
from synthgen.core.coverage.ngrams import fold, fold_words
from synthgen.core.coverage.occurrences import Occurrences
from synthgen.core.divergence import chernoff_divergence
from synthgen.core.errors import ParamError
from synthgen.core.randomness import U64

Ints = NDArray[np.int64]


class PoolShares:
    """How often each compound of a pool occurs, and inside which others."""

    def __init__(self) -> None:
        self._occurrences = IdCounts()
        self._inside = IdCounts()

    def add(self, sample: Occurrences) -> None:
        """Add derivations of the pool."""
        self._occurrences.add(sample.ids.values)
        if len(sample.parts):
            self._inside.add(_pairs_once(sample))

    def merge(self, other: PoolShares) -> None:
        """Add the shares of another part of the pool."""
        self._occurrences.merge(other._occurrences)
        self._inside.merge(other._inside)

    def occurrences(self, ids: U64) -> Ints:
        """Return how often each compound occurs in the pool, int64 (m,)."""
        return self._occurrences.of(ids)

    def inside(self, parts: U64, wholes: U64) -> Ints:
        """Return how many occurrences of each part lie inside one of the whole, int64 (m,)."""
        return self._inside.of(fold_words(parts, wholes))


@dataclass(frozen=True)
class SampleWeights:
    """Weights of the different compounds of each derivation.

    Attributes:
        ids: the compounds of each derivation, rising, ragged uint64.
        multiples: w(G, R) times the occurrences of G in the pool, int64 (m,).
        weights: w(G, R), from 0 to 1, float64 (m,).
    """

    ids: Ragged
    multiples: Ints
    weights: NDArray[np.float64]


def sample_weights(sample: Occurrences, shares: PoolShares) -> SampleWeights:
    """Return w(G, R) for each compound G of each derivation R.

    Args:
        sample: derivations of the pool.
        shares: of the whole pool.

    Raises:
        ParamError: for a compound that the pool does not have.
    """
    ids = sample.ids.values
    occurrences = shares.occurrences(ids)
    if len(ids) and not occurrences.all():
        unknown = int(np.count_nonzero(occurrences == 0))
        raise ParamError("compounds outside the pool", unknown, "none: add all samples first")
    most = np.zeros(len(ids), np.int64)
    np.maximum.at(most, sample.parts, shares.inside(ids[sample.parts], ids[sample.wholes]))
    order = _order_in_rows(ids, sample.ids.offsets)
    sorted_ids, multiples = ids[order], (occurrences - most)[order]
    first, offsets = _first_of_equals(sorted_ids, sample.ids.offsets)
    best = np.maximum.reduceat(multiples, first) if len(first) else multiples
    weights = best / occurrences[order][first]
    return SampleWeights(Ragged(sorted_ids[first], offsets), best, weights)


class WeightSums:
    """W(G) of a set of samples, such as train or test."""

    def __init__(self, shares: PoolShares) -> None:
        self._shares = shares
        self._multiples = IdCounts()

    def add(self, sample: Occurrences) -> None:
        """Add derivations of the set."""
        found = sample_weights(sample, self._shares)
        some = found.multiples > 0
        self._multiples.add(found.ids.values[some], found.multiples[some])

    def items(self) -> tuple[U64, NDArray[np.float64]]:
        """Return the compounds with a weight above 0 in rising order, and their W(G), (k,)."""
        ids, multiples = self._multiples.items()
        return ids, multiples / np.maximum(self._shares.occurrences(ids), 1)

    def of(self, ids: U64) -> NDArray[np.float64]:
        """Return W(G) of compounds, float64 (m,)."""
        return self._multiples.of(ids) / np.maximum(self._shares.occurrences(ids), 1)


def weighted_divergence(train: WeightSums, test: WeightSums, exponent: float = 0.1) -> float:
    """Return the Chernoff divergence of the weighted compounds of two sets, from 0 to 1.

    Args:
        train: sums over train.
        test: sums over test, of the same pool.
        exponent: of the train shares.

    Raises:
        ParamError: for an exponent that is not between 0 and 1.
    """
    ids = np.union1d(train.items()[0], test.items()[0])
    return chernoff_divergence(train.of(ids), test.of(ids), exponent)


def _pairs_once(sample: Occurrences) -> U64:
    """Return (G, G') for each occurrence of G and each G' that it lies inside, once, as one id.

    One occurrence may lie inside two of the same G', as an edge of a chain of equal symbols does.
    """
    parts, wholes = sample.parts, sample.wholes
    starts = offsets_of(np.bincount(parts, minlength=len(sample.ids.values)))
    return _fold_pairs(sample.ids.values, parts, wholes, starts)


@njit(cache=True, nogil=True)
def _fold_pairs(ids: U64, parts: Ints, wholes: Ints, starts: Ints) -> U64:
    """Gather the wholes of each part and fold each different one with it."""
    gathered = np.empty(len(parts), np.uint64)
    ends = starts.copy()
    out = np.empty(len(parts), np.uint64)
    at = 0
    for i in range(len(parts)):
        part, whole = parts[i], ids[wholes[i]]
        known = False
        for j in range(starts[part], ends[part]):
            known = known or gathered[j] == whole
        if not known:
            gathered[ends[part]] = whole
            ends[part] += 1
            out[at] = fold(ids[part], whole)
            at += 1
    return out[:at].copy()


@njit(cache=True, nogil=True)
def _order_in_rows(ids: U64, offsets: Ints) -> Ints:
    """Return the order that sorts the ids of each row."""
    order = np.empty(len(ids), np.int64)
    for i in range(len(offsets) - 1):
        start, stop = offsets[i], offsets[i + 1]
        order[start:stop] = start + np.argsort(ids[start:stop])
    return order


def _first_of_equals(ids: U64, offsets: Ints) -> tuple[Ints, Ints]:
    """Return where a new id begins in rows with sorted ids, and the offsets of the rows in that."""
    begins = np.ones(len(ids), np.bool_)
    begins[1:] = ids[1:] != ids[:-1]
    begins[offsets[:-1][offsets[:-1] < len(ids)]] = True
    before = np.zeros(len(ids) + 1, np.int64)
    np.cumsum(begins, out=before[1:])
    return np.flatnonzero(begins), before[offsets]
