"""Near duplicates: rows of other sides whose prompts share nearly all word runs with one of train.

Two sets of shingles are near duplicates if their Jaccard index |A & B| / |A | B| is at least 0.8.
`NearDuplicates` finds them exactly, by prefix filtering (Chaudhuri, Ganti, Kaushik 2006; Bayardo,
Ma, Srikant 2007): at least t |A| ids of a set A are in any B with Jaccard index t, so at least one
of any |A| - ceil(t |A|) + 1 of them is. That many of the rarest ids of each test set are indexed,
and a train set is compared with the test sets that it shares an indexed id with.

Prompts are near (L4) if they share 80 % of their runs of five words, numbers included, both as a
whole and without the runs that occur in many prompts of train, the wording.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.core.columns import Ragged, integer_column, offsets_of
from synthgen.core.errors import ParamError
from synthgen.core.kernels import Int, jit, kernel
from synthgen.coverage.id_counts import IdCounts
from synthgen.coverage.inputs import PROMPT, Side, inside, text_of
from synthgen.coverage.text_words import distinct, shingles, words_and_signs
from synthgen.draws.randomness import U64

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

SHINGLE_WORDS, THRESHOLD = 5, 0.8
_MAX_SCANNED = 512
_ROUNDING = 1e-9
WORDING_SHARE = 0.05
"""Word runs in this share of train prompts count as wording."""
_MIN_RUNS = 5.0
_MAX_CHARACTERS = 400_000_000


def shingle_sets(texts: pa.StringArray, n: int = SHINGLE_WORDS) -> Ragged:
    """Return the distinct runs of n words of every text as rising ids, ragged uint64.

    A shorter text has one run of all its words, so that short texts are compared too.

    Args:
        texts: Arrow string column.
        n: Words in a run, 1 to 64.
    """
    return distinct(shingles(words_and_signs(texts), n))


class NearDuplicates:
    """Marks the test rows that have a near duplicate among the added train rows.

    Args:
        test: Rising distinct ids of every row, as from `shingle_sets`.
        threshold: Smallest Jaccard index of a near duplicate, above 0 and at most 1.

    Attributes:
        near: Flags of the test rows that have one, bool (n,).
        cut_short: Train rows with more than 512 candidate test rows, of which only 512 were
            compared; if above 0, `near` is a lower bound and may depend on the train order.

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

    def add(self, train: Ragged) -> None:
        """Compare train rows, rising distinct ids, with the test rows not yet marked."""
        self.cut_short += int(
            _mark(
                (train.values, train.offsets, self._places.counts_of(train.values) - 1),
                (self._test.values, self._test.offsets),
                (self._starts, self._stops, self._rows),
                (self._last, self.near),
                self._shown,
                self._threshold - _ROUNDING,
            )
        )
        self._shown += len(train)


@kernel
def _are_near(
    one: U64, span: tuple[Int, Int], other: U64, other_span: tuple[Int, Int], threshold: float
) -> bool:
    """Return whether the Jaccard index reaches a threshold, stopping as soon as it cannot.

    With d ids in only one row, it is (total - d) / (total + d), for the total length of both.
    """
    (i, i_stop), (j, j_stop) = span, other_span
    total = i_stop - i + j_stop - j
    limit = total * (1.0 - threshold) / (1.0 + threshold)
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
        if single > limit:
            return False
    return bool(single + i_stop - i + j_stop - j <= limit)


@jit
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


@kernel
def _mark(
    train_rows: tuple[U64, Ints, Ints],
    test_rows: tuple[U64, Ints],
    lists: tuple[Ints, Ints, Ints],
    marks: tuple[Ints, Flags],
    shown: int,
    threshold: float,
) -> Int:
    """Mark test rows and drop them from the lists; return the train rows with too many candidates.

    Args:
        train_rows: Ids, offsets and the number of the list of each id, or -1.
        test_rows: Ids and offsets.
        lists: Starts, stops and rows; list k is rows[starts[k] : stops[k]].
        marks: The last train row that each test row was compared with, and the near flags.
        shown: Number of train rows before these.
        threshold: Threshold of the Jaccard index.
    """
    (train, train_offsets, places), (test, test_offsets) = train_rows, test_rows
    (starts, stops, rows), (last, near) = lists, marks
    cut_short: Int = np.int64(0)
    for i in range(len(train_offsets) - 1):
        start, stop = train_offsets[i], train_offsets[i + 1]
        scanned = 0
        for at in range(start, stop):
            if places[at] < 0:
                continue
            place = starts[places[at]]
            while place < stops[places[at]] and scanned < _MAX_SCANNED:
                row = rows[place]
                if near[row]:  # the last row of the list takes its place
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
                near[row] = _are_near(train, (start, stop), test, (first, end), threshold)
        cut_short += np.int64(scanned >= _MAX_SCANNED)
    return cut_short


@dataclass(frozen=True, slots=True)
class NearRows:
    """Near duplicates of one side.

    Attributes:
        rows: Sampled rows of the side.
        whole: Rows with a near duplicate by the whole prompt.
        content: Row numbers of those that still have one after the wording is removed, rising.
        runs: Mean number of word runs per row without the wording.
        is_bound: Whether some comparisons were cut short, so that there may be more.
    """

    rows: int
    whole: int
    content: NDArray[np.int64]
    runs: float
    is_bound: bool

    @property
    def share(self) -> float:
        """Share of the compared rows, 0 without any."""
        return len(self.content) / self.rows if self.rows else 0.0

    @property
    def is_informative(self) -> bool:
        """Whether rows are long enough for shared word runs to be informative."""
        return self.runs >= _MIN_RUNS


@dataclass(frozen=True)
class NearMatches:
    """Near duplicates of all sides.

    Attributes:
        compared: Number of train rows compared.
        sides: Near duplicates of each test side.
    """

    compared: int
    sides: Mapping[str, NearRows]


def find_near(
    train: Side, tests: Mapping[Side, pa.StringArray], prompts: pa.StringArray
) -> NearMatches:
    """Compare sampled prompts of other sides with the prompts of train.

    Args:
        train: Side to read once, or to sample if its prompts have more than 400 million characters.
        tests: Sampled prompts of each test side.
        prompts: Sampled prompts of train, from which its wording is determined.
    """
    wording = _wording(prompts)
    sets = [shingle_sets(texts) for texts in tests.values()]
    bare_sets = [each.only(~wording.has(each.values)) for each in sets]
    whole = [NearDuplicates(each) for each in sets]
    content = [NearDuplicates(each) for each in bare_sets] if len(wording) else whole
    length = max(1.0, prompts.nbytes / max(len(prompts), 1))
    positions = train.sampled(int(_MAX_CHARACTERS / length))
    start = compared = 0
    for batch in train.batches([PROMPT]) if tests else ():
        texts = text_of(batch, PROMPT)
        rows = inside(positions, start, len(texts))
        start += len(texts)
        shown = shingle_sets(texts if len(rows) == len(texts) else texts.take(integer_column(rows)))
        bare = shown.only(~wording.has(shown.values)) if len(wording) else shown
        for by_whole, by_content in zip(whole, content, strict=True):
            by_whole.add(shown)
            if by_content is not by_whole:
                by_content.add(bare)
        compared += len(shown)
    sides = {}
    for side, runs, by_whole, by_content in zip(tests, bare_sets, whole, content, strict=True):
        sides[side.name] = NearRows(
            len(runs),
            int(np.count_nonzero(by_whole.near)),
            side.sampled(len(runs))[by_whole.near & by_content.near],
            float(runs.lengths.mean()) if len(runs) else 0.0,
            bool(by_whole.cut_short or by_content.cut_short),
        )
    return NearMatches(compared, sides)


def _wording(prompts: pa.StringArray) -> IdCounts:
    """Return the word runs that occur in many prompts."""
    ids, counts = IdCounts(shingle_sets(prompts).values).items()
    return IdCounts(ids[counts >= max(2.0, WORDING_SHARE * len(prompts))])
