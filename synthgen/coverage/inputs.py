"""Sides: the input of coverage metrics, a split of a dataset or third-party files.

A side yields its rows as batches of named columns, whatever their origin. The first side is train,
and every other side is compared with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.core.checks import check_int
from synthgen.core.columns import integer_column, table_column
from synthgen.draws.randomness import Rows, stream_key

Ints = NDArray[np.int64]
Batches = Callable[[Sequence[str]], Iterator[pa.RecordBatch]]

ID, PROMPT, ANSWER = "id", "prompt", "answer"
STRUCTURE, WORDING = "derivation", "template"
"""Columns that metrics know, named as in datasets; axes have their own names."""
TOKENS, PLACE = "#tokens", "#place"
"""Columns of third-party files: structures that are tokens, and the file and row of each row; no
axis has such a name."""
GROUP = "#group:"
"""Beginning of the names of columns of groups, such as users; the name in the file follows."""
_SAMPLE_KEY = stream_key("coverage", "sample")
_MAX_TEXT = 200


@dataclass(frozen=True, slots=True)
class Declarations:
    """What the recipe declares about a side; metrics do not flag declared properties.

    Attributes:
        shares: Whether it may share problems with train.
        rule: Whether its rows follow a different rule, so that their distribution may differ.
        atoms: Whether it may have symbols that train lacks.
        divided: Whether it was divided from train by compound divergence.
        length: Whether a rule separates it from train by length, so that its lengths may differ.
    """

    shares: bool = False
    rule: bool = False
    atoms: bool = False
    divided: bool = False
    length: bool = False


@dataclass(frozen=True)
class Side:
    """The rows of one split.

    Attributes:
        name: Name of the split.
        rows: Number of rows.
        columns: Names of its columns, as above, and of its axes.
        batches: Function that returns rows in order as record batches of the given columns: text
            columns as Arrow strings, axes as integers or strings with nulls.
        declared: Properties that the recipe declares.
    """

    name: str
    rows: int
    columns: frozenset[str]
    batches: Batches
    declared: Declarations = field(default_factory=Declarations)

    def sampled(self, most: int) -> Ints:
        """Return at most `most` row numbers in rising order, each set equally likely.

        They depend only on the number of rows, so a side has the same sample under any name.
        """
        return sample_rows(self.rows, most, _SAMPLE_KEY)


@dataclass(frozen=True)
class Sides:
    """All sides of one report.

    Attributes:
        train: The first split.
        tests: The other splits.
        fold_case: Whether texts that differ only in case are equal at L1.
    """

    train: Side
    tests: tuple[Side, ...] = ()
    fold_case: bool = False

    @property
    def all(self) -> tuple[Side, ...]:
        """Train and all others."""
        return (self.train, *self.tests)

    def have(self, *columns: str) -> bool:
        """Return whether every side has these columns."""
        return all(set(columns) <= side.columns for side in self.all)


def text_of(batch: pa.RecordBatch, name: str) -> pa.StringArray:
    """Return a text column as a plain string array."""
    column = batch.column(name)
    return column if column.type == pa.string() else column.cast(pa.string())


def read_rows(side: Side, columns: Sequence[str], positions: Ints) -> pa.Table:
    """Return rows by rising number; reading stops after the last of them."""
    batches: list[pa.RecordBatch] = []
    start = 0
    last = int(positions[-1]) if len(positions) else -1
    for batch in side.batches(columns) if last >= 0 else ():
        batches.append(batch.take(integer_column(inside(positions, start, batch.num_rows))))
        start += batch.num_rows
        if start > last:
            break
    empty = pa.schema([(name, pa.string()) for name in columns])
    return pa.Table.from_batches(batches) if batches else empty.empty_table()


def texts_at(side: Side, column: str, positions: Ints) -> pa.StringArray:
    """Return the texts of a column in rows by rising number."""
    return table_column(read_rows(side, [column], positions), column).cast(pa.string())


def examples(side: Side, positions: Sequence[int] | Ints) -> dict[int, tuple[str, str]]:
    """Return place and prompt of some rows, by row number from 0."""
    numbers = np.unique(np.asarray(positions, np.int64))
    columns = [name for name in (PLACE, PROMPT) if name in side.columns]
    rows = read_rows(side, columns, numbers)
    prompts = [(text or "")[:_MAX_TEXT] for text in rows[PROMPT].to_pylist()]
    places = [f"row {number + 1:,}" for number in numbers.tolist()]
    if PLACE in columns:
        places = rows[PLACE].to_pylist()
    return dict(zip(numbers.tolist(), zip(places, prompts, strict=True), strict=True))


def inside(positions: Ints, start: int, rows: int) -> Ints:
    """Return the rows of a batch starting at `start` that are among the positions."""
    first, last = np.searchsorted(positions, [start, start + rows])
    return positions[first:last] - start


def pieces(start: int, rows: int, marks: Sequence[int]) -> list[tuple[int, int]]:
    """Split a batch starting at `start` at the marks: first and last row of each piece."""
    cuts = [mark - start for mark in marks if start < mark < start + rows]
    return list(pairwise([0, *cuts, rows]))


def value_counts(texts: pa.StringArray) -> dict[str, int]:
    """Return the number of rows with each text."""
    counted = texts.value_counts()
    names, counts = (counted.field(name).to_pylist() for name in ("values", "counts"))
    return dict(zip(names, counts, strict=True))


def sample_rows(n: int, m: int, key: int) -> NDArray[np.int64]:
    """Return m of the rows 0..n-1 in rising order, int64 (min(m, n),), each set equally likely.

    Args:
        n: Number of rows.
        m: Rows to take; a larger m adds rows to those of a smaller one.
        key: Key of 64 bits.
    """
    check_int("n", n, 0, 2**40)
    check_int("m", m, 0, 2**40)
    if m >= n:
        return np.arange(n)
    words = Rows.span(key, 0, n).keys
    return np.sort(np.argpartition(words, m)[:m])
