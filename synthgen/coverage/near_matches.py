"""Rows of other sides whose prompts nearly match prompts of train (L4).

Two prompts are near if they share 80 % of their runs of five words, numbers included, both as a
whole and without the runs that occur in many prompts of train, the wording.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.core.columns import Ragged, integer_column, offsets_of
from synthgen.coverage.id_counts import IdCounts
from synthgen.coverage.inputs import PROMPT, Side, inside, text_of
from synthgen.coverage.near_duplicates import NearDuplicates, shingle_sets

WORDING_SHARE = 0.05
"""Word runs in this share of train prompts count as wording."""
_MIN_RUNS = 5.0
_MAX_CHARACTERS = 400_000_000


@dataclass(frozen=True, slots=True)
class Near:
    """Near duplicates of one side.

    Attributes:
        rows: sampled rows of the side.
        whole: rows with a near duplicate by the whole prompt.
        content: row numbers of those that still have one after the wording is removed, rising.
        runs: mean number of word runs per row without the wording.
        is_bound: whether some comparisons were cut short, so that there may be more.
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
class NearFacts:
    """Near duplicates of all sides.

    Attributes:
        compared: number of train rows compared.
        found: test side -> numbers.
    """

    compared: int
    found: Mapping[str, Near]


def find_near(
    train: Side, tests: Mapping[Side, pa.StringArray], prompts: pa.StringArray
) -> NearFacts:
    """Compare sampled prompts of other sides with the prompts of train.

    Args:
        train: read once, or sampled if its prompts have more than 400 million characters.
        tests: side -> its sampled prompts.
        prompts: sampled prompts of train, from which its wording is determined.
    """
    wording = _wording(prompts)
    sets = [shingle_sets(texts) for texts in tests.values()]
    bare_sets = [_without(each, wording) for each in sets]
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
        bare = _without(shown, wording) if len(wording) else shown
        for one, other in zip(whole, content, strict=True):
            one.add(shown)
            if other is not one:
                other.add(bare)
        compared += len(shown)
    found = {}
    for side, texts, runs, one, other in zip(
        tests, tests.values(), bare_sets, whole, content, strict=True
    ):
        found[side.name] = Near(
            len(texts),
            int(np.count_nonzero(one.near)),
            side.sampled(len(texts))[one.near & other.near],
            float(runs.lengths.mean()) if len(runs) else 0.0,
            bool(one.cut_short or other.cut_short),
        )
    return NearFacts(compared, found)


def _wording(prompts: pa.StringArray) -> IdCounts:
    """Return the word runs that occur in many prompts."""
    found = IdCounts(shingle_sets(prompts).values)
    ids, counts = found.items()
    return IdCounts(ids[counts >= max(2.0, WORDING_SHARE * len(prompts))])


def _without(sets: Ragged, wording: IdCounts) -> Ragged:
    kept = ~wording.has(sets.values)
    return Ragged(sets.values[kept], offsets_of(kept.astype(np.int64))[sets.offsets])
