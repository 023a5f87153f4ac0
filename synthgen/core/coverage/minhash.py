"""MinHash signatures of sets, and the buckets of locality-sensitive hashing.

Hash j of a word x is (a_j x + b_j) mod p with p = 2^61 - 1, in exact arithmetic, and entry j of a
signature the least hash of a set; two sets agree in an entry with the chance of their Jaccard index
|A & B| / |A | B| (Broder 1997). With bands of r entries, two sets share a bucket of some band with
probability 1 - (1 - s^r)^bands at Jaccard index s (Indyk and Motwani 1998).

The family is drawn from a key, so that signatures are the same on every machine; they equal those
of no other library.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.checks import check_int
from synthgen.core.columns import Ragged
from synthgen.core.errors import ParamError
from synthgen.core.lent import lent
from synthgen.core.randomness import U64, RowDraws, mix64, scale_below, stream_key

PRIME = (1 << 61) - 1
BANDS, ROWS = 14, 8
"""Buckets and entries in each, as datatrove takes them: even odds at a Jaccard index of 0.69."""

_PRIME = np.uint64(PRIME)
_EMPTY = np.uint64(2**64 - 1)
_S61, _S3 = np.uint64(61), np.uint64(3)
_MOST_HASHES = 4096


@dataclass(frozen=True)
class HashFamily:
    """Coefficients of k hashes.

    Attributes:
        factors: a, from 1 to p - 1, uint64 (k,).
        shifts: b, from 0 to p - 1, uint64 (k,).
    """

    factors: U64
    shifts: U64

    def __post_init__(self) -> None:
        if self.factors.shape != self.shifts.shape or self.factors.ndim != 1:
            shapes = (self.factors.shape, self.shifts.shape)
            raise ParamError("coefficients", shapes, "two vectors of equal length")
        if bool((self.factors >= _PRIME).any() or (self.shifts >= _PRIME).any()):
            raise ParamError("coefficients", "too large", f"numbers below {PRIME}")


def hash_family(n_hashes: int = BANDS * ROWS, key: int | None = None) -> HashFamily:
    """Draw a family of hashes.

    Args:
        n_hashes: 1 to 4096.
        key: 64 bits; one of ours if None.
    """
    check_int("n_hashes", n_hashes, 1, _MOST_HASHES)
    draws = RowDraws(stream_key("minhash") if key is None else key)
    pairs = [(draws.integer(1, PRIME), draws.integer(0, PRIME)) for _ in range(n_hashes)]
    table = np.array(pairs, np.uint64)
    return HashFamily(table[:, 0].copy(), table[:, 1].copy())


def signatures(sets: Ragged, family: HashFamily) -> U64:
    """Return the signature of every set, uint64 (n, k); all ones, beyond any hash, where empty.

    Args:
        sets: ids, ragged uint64; repeated ones change nothing.
        family: of k hashes.
    """
    return _least_hashes(sets.values, sets.offsets, family.factors, family.shifts)


def agreement(one: U64, other: U64) -> NDArray[np.float64]:
    """Estimate the Jaccard index of pairs of sets from their signatures, both (n, k).

    Returns:
        Shares of equal entries, float64 (n,), with a standard deviation of sqrt(s (1 - s) / k).

    Raises:
        ParamError: for signatures of unequal shape.
    """
    if one.shape != other.shape or one.ndim != 2:
        raise ParamError("signatures", (one.shape, other.shape), "two tables of equal shape")
    return np.asarray((one == other).mean(axis=1), np.float64)


def bucket_keys(hashes: U64, bands: int = BANDS) -> U64:
    """Return the bucket of each signature in each band, uint64 (n, bands).

    A key holds its band too, so that keys of different bands may stand in one table.

    Raises:
        ParamError: if the entries cannot be dealt out to the bands evenly.
    """
    if hashes.ndim != 2 or bands < 1 or hashes.shape[1] % bands:
        raise ParamError("bands", bands, f"a divisor of the entries, shape {hashes.shape}")
    return _fold_bands(hashes, bands)


def candidate_probability(jaccard: float, bands: int = BANDS, rows: int = ROWS) -> float:
    """Return how likely two sets of this Jaccard index share a bucket, 1 - (1 - s^rows)^bands."""
    if not 0.0 <= jaccard <= 1.0:
        raise ParamError("jaccard", jaccard, "a number from 0 to 1")
    check_int("bands", bands, 1, _MOST_HASHES)
    check_int("rows", rows, 1, _MOST_HASHES)
    return float(1.0 - (1.0 - jaccard**rows) ** bands)


def candidate_threshold(bands: int = BANDS, rows: int = ROWS) -> float:
    """Return about where the probability of sharing a bucket rises most, (1 / bands)^(1 / rows)."""
    check_int("bands", bands, 1, _MOST_HASHES)
    check_int("rows", rows, 1, _MOST_HASHES)
    return float((1.0 / bands) ** (1.0 / rows))


@njit(cache=True, nogil=True, inline="always")
def _fold(value: np.uint64) -> np.uint64:
    """Reduce a word below 2^63 or so to at most p, and to 0 from p itself."""
    value = (value & _PRIME) + (value >> _S61)
    return value - _PRIME if value >= _PRIME else value


@lent
def hash_word(word: np.uint64, factor: np.uint64, shift: np.uint64) -> np.uint64:
    """Return (factor * word + shift) mod 2^61 - 1 without losing a bit.

    With word = w mod p, the product is high * 2^64 + low, and 2^64 is 8 modulo p.
    """
    word = _fold(word)
    low = word * factor
    high = scale_below(word, factor)
    return _fold((low & _PRIME) + ((high << _S3) | (low >> _S61)) + shift)


@njit(cache=True, nogil=True)
def _least_hashes(ids: U64, offsets: NDArray[np.int64], factors: U64, shifts: U64) -> U64:
    out = np.full((len(offsets) - 1, len(factors)), _EMPTY, np.uint64)
    for i in range(len(out)):
        for at in range(offsets[i], offsets[i + 1]):
            for j in range(len(factors)):
                value = hash_word(ids[at], factors[j], shifts[j])
                if value < out[i, j]:
                    out[i, j] = value
    return out


@njit(cache=True, nogil=True)
def _fold_bands(hashes: U64, bands: int) -> U64:
    out = np.empty((len(hashes), bands), np.uint64)
    rows = hashes.shape[1] // bands
    for i in range(len(hashes)):
        for band in range(bands):
            word = np.uint64(band)
            for j in range(band * rows, (band + 1) * rows):
                word = mix64(word ^ hashes[i, j])
            out[i, band] = word
    return out
