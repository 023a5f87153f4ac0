"""Near duplicates: which test texts have one in train with nearly the same runs of words.

Two sets of shingles are near duplicates from a Jaccard index |A & B| / |A | B| of 0.8 on.
`NearDuplicates` finds them exactly, by prefix filtering (Chaudhuri, Ganti, Kaushik 2006; Bayardo,
Ma, Srikant 2007): of a set A, at least t |A| ids are in any B of Jaccard index t, so one of any
|A| - ceil(t |A|) + 1 of them is; the rarest so many of each test set are put in an index, and a
train set is compared with the test sets that it meets there. `shared_buckets` is the estimate with
MinHash that other tools report.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numba import njit
from numpy.typing import NDArray

from synthgen.core.columns import Ragged, offsets_of
from synthgen.core.coverage.id_counts import IdCounts
from synthgen.core.coverage.words import distinct, shingles, words_and_signs
from synthgen.core.errors import ParamError
from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.randomness import U64

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

SHINGLE_WORDS, THRESHOLD = 5, 0.8
_MOST_SCANNED = 512
_ROUNDING = 1e-9


def shingle_sets(
    texts: pa.StringArray, n: int = SHINGLE_WORDS, *, mask_numbers: bool = False
) -> Ragged:
    """Return the different runs of n words of every text, rising ids, ragged uint64.

    A text of fewer words has one run of them all, so that short texts are compared too.

    Args:
        texts: an Arrow string column.
        n: words in a run, 1 to 64.
        mask_numbers: whether all numbers are one word. Then all instances of a template are the
            same, so it is off unless asked for.
    """
    return distinct(shingles(words_and_signs(texts, mask_numbers=mask_numbers), n))


def jaccard(one: Ragged, other: Ragged) -> NDArray[np.float64]:
    """Return |A & B| / |A | B| of each pair of rows, float64 (n,), 0 where both are empty.

    Args:
        one: rising different ids, ragged uint64, n rows.
        other: the same.

    Raises:
        ParamError: for unequal numbers of rows.
    """
    common = _common_of_pairs(one, other)
    union = one.lengths + other.lengths - common
    return np.asarray(common / np.maximum(union, 1), np.float64)


def containment(one: Ragged, other: Ragged) -> NDArray[np.float64]:
    """Return |A & B| / |A| of each pair of rows, float64 (n,), 0 where A is empty."""
    common = _common_of_pairs(one, other)
    return np.asarray(common / np.maximum(one.lengths, 1), np.float64)


def shared_buckets(test_keys: U64, train_keys: U64) -> Flags:
    """Say which test rows share a MinHash bucket with some train row, bool (n,).

    Args:
        test_keys: buckets by band, uint64 (n, bands).
        train_keys: the same of train, (m, bands).
    """
    found = IdCounts(train_keys).has(test_keys).reshape(test_keys.shape)
    return np.asarray(found.any(axis=1), np.bool_)


class NearDuplicates:
    """Marks the test rows that have a near duplicate among the train rows it is shown.

    Args:
        test: rising different ids of every row, as `shingle_sets` gives them.
        threshold: least Jaccard index of a near duplicate, above 0 and at most 1.

    Attributes:
        near: which test rows have one, bool (n,).
        cut_short: train rows that met more than 512 test rows, of which only so many were looked
            at; where it is above 0, `near` is a lower bound, and may depend on the train order.

    Raises:
        ParamError: for a threshold out of range.
    """

    def __init__(self, test: Ragged, threshold: float = THRESHOLD) -> None:
        if not 0.0 < threshold <= 1.0:
            raise ParamError("threshold", threshold, "a number above 0 and at most 1")
        self._test = test
        self._threshold = threshold
        self.near = np.zeros(len(test), np.bool_)
        self.cut_short = 0
        self._last = np.full(len(test), -1, np.int64)
        self._shown = 0
        self._index()

    def _index(self) -> None:
        """List the test rows under each id of their prefixes."""
        ids, codes = np.unique(self._test.values, return_inverse=True)
        often = np.bincount(codes, minlength=len(ids))
        chosen = _prefixes(self._test.offsets, codes, often, self._threshold)
        rows = np.repeat(np.arange(len(self._test)), self._test.lengths)[chosen]
        codes = codes[chosen]
        self._rows = rows[np.argsort(codes, kind="stable")]
        used, lengths = np.unique(codes, return_counts=True)
        self._places = IdCounts()
        self._places.add(ids[used], np.arange(1, len(used) + 1))
        self._starts = offsets_of(lengths)
        self._stops = self._starts[1:].copy()

    @property
    def share(self) -> float:
        """Share of the test rows that have a near duplicate, nan where there are none."""
        return float(self.near.mean()) if len(self.near) else float("nan")

    def add(self, train: Ragged) -> None:
        """Compare train rows, rising different ids, with the test rows not yet marked."""
        self.cut_short += int(
            _mark(
                train.values,
                train.offsets,
                self._places.of(train.values) - 1,
                self._test.values,
                self._test.offsets,
                self._starts,
                self._stops,
                self._rows,
                self._last,
                self._shown,
                self._threshold - _ROUNDING,
                self.near,
            )
        )
        self._shown += len(train)


def _common_of_pairs(one: Ragged, other: Ragged) -> Ints:
    if len(one) != len(other):
        raise ParamError("rows", (len(one), len(other)), "as many of one as of the other")
    return _count_common(one.values, one.offsets, other.values, other.offsets)


@lent
def _common(one: U64, i: Int, i_stop: Int, other: U64, j: Int, j_stop: Int) -> Int:
    """Count the ids that two rising rows have in common."""
    common: Int = np.int64(0)
    while i < i_stop and j < j_stop:
        if one[i] == other[j]:
            common += 1
            i += 1
            j += 1
        elif one[i] < other[j]:
            i += 1
        else:
            j += 1
    return common


@lent
def _are_near(
    one: U64, i: Int, i_stop: Int, other: U64, j: Int, j_stop: Int, threshold: float
) -> bool:
    """Say whether the Jaccard index reaches a threshold, giving up as soon as it cannot.

    With d ids that are in one row only, it is (total - d) / (total + d), with the total of both.
    """
    total = i_stop - i + j_stop - j
    most = total * (1.0 - threshold) / (1.0 + threshold)
    single: Int = np.int64(0)
    while i < i_stop and j < j_stop:
        if one[i] == other[j]:
            i += 1
            j += 1
            continue
        if one[i] < other[j]:
            i += 1
        else:
            j += 1
        single += 1
        if single > most:
            return False
    return bool(single + i_stop - i + j_stop - j <= most)


@njit(cache=True, nogil=True)
def _count_common(one: U64, one_offsets: Ints, other: U64, other_offsets: Ints) -> Ints:
    out = np.empty(len(one_offsets) - 1, np.int64)
    for i in range(len(out)):
        first, second = one_offsets[i], other_offsets[i]
        out[i] = _common(one, first, one_offsets[i + 1], other, second, other_offsets[i + 1])
    return out


@njit(cache=True, nogil=True)
def _prefixes(offsets: Ints, codes: Ints, often: Ints, threshold: float) -> Flags:
    """Mark the rarest |A| - ceil(t |A|) + 1 ids of each row."""
    chosen = np.zeros(len(codes), np.bool_)
    for i in range(len(offsets) - 1):
        start, stop = offsets[i], offsets[i + 1]
        length = stop - start
        wanted = length - np.int64(np.ceil(threshold * length - _ROUNDING)) + 1
        for _ in range(min(wanted, length)):
            best: Int = np.int64(-1)
            for at in range(start, stop):
                if not chosen[at] and (best < 0 or often[codes[at]] < often[codes[best]]):
                    best = at
            chosen[best] = True
    return chosen


@lent
def _mark(
    train: U64,
    train_offsets: Ints,
    places: Ints,
    test: U64,
    test_offsets: Ints,
    starts: Ints,
    stops: Ints,
    rows: Ints,
    last: Ints,
    shown: int,
    threshold: float,
    near: Flags,
) -> Int:
    """Mark test rows, and drop them from the lists; return how many train rows met too many.

    `places` has the list of each train id, or -1; list k is rows[starts[k] : stops[k]]; `last` has
    the train row that each test row was compared with last.
    """
    cut_short: Int = np.int64(0)
    for i in range(len(train_offsets) - 1):
        start, stop = train_offsets[i], train_offsets[i + 1]
        scanned = 0
        for at in range(start, stop):
            if places[at] < 0:
                continue
            place = starts[places[at]]
            while place < stops[places[at]] and scanned < _MOST_SCANNED:
                row = rows[place]
                if near[row]:
                    stops[places[at]] -= 1
                    rows[place] = rows[stops[places[at]]]
                    continue
                place += 1
                scanned += 1
                first, end = test_offsets[row], test_offsets[row + 1]
                small, large = min(stop - start, end - first), max(stop - start, end - first)
                if last[row] == shown + i or small < threshold * large:
                    continue
                last[row] = shown + i
                near[row] = _are_near(train, start, stop, test, first, end, threshold)
        cut_short += np.int64(scanned >= _MOST_SCANNED)
    return cut_short
