"""Near duplicates of the rows of one side among those of another, and the block about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from synthgen.audit.blocks import FLAG, OK, Block, BlockTable
from synthgen.audit.findings import MOST_EXAMPLES
from synthgen.audit.foreign_identity import examples
from synthgen.audit.foreign_sides import Side
from synthgen.core.columns import Ragged, integer_column
from synthgen.core.randomness import stream_key
from synthgen.coverage.bags import sample_rows
from synthgen.coverage.intervals import wilson_interval
from synthgen.coverage.near_duplicates import (
    SHINGLE_WORDS,
    THRESHOLD,
    NearDuplicates,
    shingle_sets,
)

MOST_COMPARED = 200_000
"""Of more test rows a sample of this size is compared: their words are held in memory."""
MOST_NEAR = 0.01


@dataclass(frozen=True, slots=True)
class Near:
    """Rows of a side that have a near duplicate in another.

    Attributes:
        name: name of the side.
        of: name of the other side.
        rows: number of rows compared; `sampled` if not all were.
        near: number of them with a near duplicate.
        numbers: row numbers of these, from 0, rising, int64.
        lower_bound: whether there may be more, as too many rows had words in common.
    """

    name: str
    of: str
    rows: int
    near: int
    numbers: NDArray[np.int64]
    sampled: bool
    lower_bound: bool

    @property
    def share(self) -> float:
        """Share of the compared rows, 0 without any."""
        return self.near / self.rows if self.rows else 0.0


def near_duplicates(test: Side, n_test: int, train: Side) -> Near:
    """Find near duplicates of test rows in train: Jaccard index of word 5-grams at least 0.8.

    Numbers are kept, so that two instances of one template need not be near.
    """
    chosen = sample_rows(n_test, MOST_COMPARED, stream_key("coverage", "near duplicates"))
    finder = NearDuplicates(_sets(test, chosen))
    for part in train.parts():
        finder.add(shingle_sets(part.prompts))
    return Near(
        name=test.name,
        of=train.name,
        rows=len(chosen),
        near=int(finder.near.sum()),
        numbers=chosen[finder.near],
        sampled=len(chosen) < n_test,
        lower_bound=finder.cut_short > 0,
    )


def near_block(found: Sequence[Near], sides: Sequence[Side]) -> Block:
    """Report how many rows have a near duplicate, with examples.

    Args:
        found: near duplicates of each side.
        sides: the compared sides, in the same order.
    """
    rows = tuple(
        (each.name, each.of, each.rows, each.near, round(each.share, 6), _bounds(each))
        for each in found
    )
    shown = tuple(
        (each.name, str(row["row"]), str(row["prompt"]))
        for each, side in zip(found, sides, strict=True)
        for row in examples(side, each.numbers[:MOST_EXAMPLES])
    )
    bad = [f"{each.name} {each.share:.1%}" for each in found if each.share > MOST_NEAR]
    text = f"At most {MOST_NEAR:.0%} of the rows have a near duplicate."
    if bad:
        text = f"Rows with a near duplicate: {', '.join(bad)}."
    notes = [f"{each.name} was sampled ({each.rows:,} rows)" for each in found if each.sampled]
    notes += [f"{each.name} may have more" for each in found if each.lower_bound]
    text = " ".join([text, *(f"{note}." for note in notes)])
    title = f"Jaccard index of runs of {SHINGLE_WORDS} words at least {THRESHOLD}, numbers kept"
    columns = ("split", "in", "rows compared", "near duplicates", "share", "95 % interval")
    tables = [BlockTable(title, columns, rows)]
    if shown:
        tables.append(
            BlockTable("First rows with a near duplicate", ("split", "row", "prompt"), shown)
        )
    return Block("near", "Near duplicates", FLAG if bad else OK, text, tuple(tables))


def _sets(side: Side, chosen: NDArray[np.int64]) -> Ragged:
    """Return the word runs of the chosen rows, given rising numbers from 0."""
    values, offsets = [np.zeros(0, np.uint64)], [np.zeros(1, np.int64)]
    start = end = 0
    for part in side.parts():
        stop = start + len(part)
        inside = chosen[(chosen >= start) & (chosen < stop)] - start
        sets = shingle_sets(part.prompts.take(integer_column(inside)))
        values.append(sets.values)
        offsets.append(sets.offsets[1:] + end)
        start, end = stop, end + len(sets.values)
    return Ragged(np.concatenate(values), np.concatenate(offsets))


def _bounds(each: Near) -> str:
    low, high = wilson_interval(each.near, each.rows)
    return f"{low:.4f} to {high:.4f}"
