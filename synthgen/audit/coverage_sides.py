"""Sides: what metrics of coverage read, a split of ours or a file of anybody's.

A side gives its rows as batches of named columns; metrics know nothing else of where they come
from. The first side is train, and each other one is held against it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.core.columns import integer_column, table_column
from synthgen.core.coverage.bags import sample_rows
from synthgen.core.randomness import stream_key

Ints = NDArray[np.int64]
Batches = Callable[[Sequence[str]], Iterator[pa.RecordBatch]]

ID, PROMPT, ANSWER = "id", "prompt", "answer"
STRUCTURE, WORDING = "derivation", "template"
"""Columns that metrics know, named as in our datasets; axes have names of their own."""


@dataclass(frozen=True, slots=True)
class Declared:
    """What the recipe says a side is meant to be; metrics flag nothing that was meant.

    Attributes:
        shares: it may have problems of train.
        rule: its rows follow another rule than train's, so its distribution is another one.
        atoms: it may have symbols that train lacks.
        divided: it was divided from train by the divergence of compounds.
        held: its rule differs from train's in structures of derivations alone.
    """

    shares: bool = False
    rule: bool = False
    atoms: bool = False
    divided: bool = False
    held: bool = False


@dataclass(frozen=True)
class Side:
    """The rows of one split.

    Attributes:
        name: of the split.
        rows: how many there are.
        columns: names of the columns that it has, see above, and of its axes.
        batches: gives rows in order as record batches of the columns asked for: text columns are
            Arrow strings, axes integers or strings with nulls. It may be called again and again.
        declared: what it is meant to be.
    """

    name: str
    rows: int
    columns: frozenset[str]
    batches: Batches
    declared: Declared = field(default_factory=Declared)

    @property
    def key(self) -> int:
        """Key of its samples: rows are chosen by this and their number in the split."""
        return stream_key("coverage", "sample", self.name)

    def sampled(self, most: int) -> Ints:
        """Return the numbers of at most so many of its rows, rising; each set equally likely."""
        return sample_rows(self.rows, most, self.key)


@dataclass(frozen=True)
class Sides:
    """Everything that is held together in one report.

    Attributes:
        train: the first split.
        tests: the others.
        fold_case: whether texts that differ by case are the same at L1.
    """

    train: Side
    tests: tuple[Side, ...] = ()
    fold_case: bool = True

    @property
    def all(self) -> tuple[Side, ...]:
        """Train and all others."""
        return (self.train, *self.tests)

    def have(self, *columns: str) -> bool:
        """Say whether every side has these columns."""
        return all(set(columns) <= side.columns for side in self.all)


def text_of(batch: pa.RecordBatch, name: str) -> pa.StringArray:
    """Return a text column as one plain string array."""
    column = batch.column(name)
    return column if column.type == pa.string() else column.cast(pa.string())


def read_rows(side: Side, columns: Sequence[str], positions: Ints) -> pa.Table:
    """Return rows by number, rising, in that order; reading ends with the last of them."""
    found: list[pa.RecordBatch] = []
    start = 0
    last = int(positions[-1]) if len(positions) else -1
    for batch in side.batches(columns) if last >= 0 else ():
        found.append(batch.take(integer_column(inside(positions, start, batch.num_rows))))
        start += batch.num_rows
        if start > last:
            break
    empty = pa.schema([(name, pa.string()) for name in columns])
    return pa.Table.from_batches(found) if found else empty.empty_table()


def texts_at(side: Side, column: str, positions: Ints) -> pa.StringArray:
    """Return the texts of a column in rows by number, rising."""
    return table_column(read_rows(side, [column], positions), column).cast(pa.string())


def inside(positions: Ints, start: int, rows: int) -> Ints:
    """Return which rows of a batch that begins at `start` are among the positions."""
    first, last = np.searchsorted(positions, [start, start + rows])
    return positions[first:last] - start


def pieces(start: int, rows: int, marks: Sequence[int]) -> list[tuple[int, int]]:
    """Cut a batch that begins at `start` at the marks: first and last row of each piece."""
    cuts = [mark - start for mark in marks if start < mark < start + rows]
    return list(pairwise([0, *cuts, rows]))
