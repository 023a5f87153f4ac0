"""Costly rows, spilled by PROPOSE until MATERIALISE reads them back.

Every block has a file, in a folder that is emptied whenever a build begins, so all files in it are
from this build. Files of neighbouring blocks are gathered into one before they are read, as every
shard has rows of all of them. Missing rows are drawn again, with the same result, so all are given
up when the disk is full.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.core.columns import (
    Ragged,
    integer_column,
    integer_values,
    table_column,
)
from synthgen.core.content import keys_of_ids
from synthgen.core.contract import Axis, Problems
from synthgen.core.errors import OutputError
from synthgen.core.randomness import Rows
from synthgen.dataset.shards import is_full
from synthgen.engine.planned_sources import PlannedSource
from synthgen.engine.row_tables import RowTable, draw_table, render_table

T = TypeVar("T")

MOST_ROWS = 1 << 20
"""Most addresses of a source that are spilled, to bound disk space."""
_TOGETHER = 1 << 16
"""Addresses whose blocks are gathered into one file, which must fit into memory."""


@dataclass(frozen=True, slots=True)
class Keep:
    """Where and how the rows of a source are spilled.

    Attributes:
        folder: folder of this build's spilled rows.
        index: index of the source.
        block: addresses per file.
        axes: columns after those that every dataset has.
    """

    folder: Path
    index: int
    block: int
    source: PlannedSource
    axes: Mapping[str, Axis]

    def path(self, block: int) -> Path:
        """Return the file of a block, counted from 0."""
        return self.folder / f"{self.index}-{block}.arrow"

    @property
    def together(self) -> int:
        """Number of blocks that are gathered into one file."""
        return max(1, _TOGETHER // self.block)

    def gathered(self, group: int) -> Path:
        """Return the file into which a group of blocks is gathered."""
        return self.folder / f"{self.index}-gathered-{group}.arrow"


def keep_rows(keep: Keep, problems: Problems) -> None:
    """Write the valid problems of one block as rows.

    If the disk is full they are not written, but drawn again later.

    Args:
        keep: where to write them.
        problems: problems of one block.
    """
    if not problems.valid.any():
        return
    table = render_table(keep.source, valid_ones(problems), keep.axes).table
    _write(keep.path(int(problems.rows.addresses[0]) // keep.block), table)


def _write(path: Path, table: pa.Table) -> None:
    """Write a file, or nothing if the disk is full."""
    unfinished = path.with_suffix(".tmp")
    try:
        with pa.OSFile(str(unfinished), "wb") as sink, pa.ipc.new_file(sink, table.schema) as out:
            out.write_table(table)
        unfinished.replace(path)
    except OSError:
        unfinished.unlink(missing_ok=True)


def with_room(folder: Path, write: Callable[[], T]) -> T:
    """Return the result of a write, which is repeated without the spilled rows if the disk is full.

    Args:
        folder: folder of the spilled rows, which are then deleted.
        write: writes something; it may be called twice.

    Raises:
        OutputError: if the disk is still full, or cannot be written.
    """
    try:
        return write()
    except OutputError as error:
        if not is_full(error):
            raise
    for path in folder.glob("*.arrow"):
        path.unlink(missing_ok=True)  # another worker may be giving them up, too
    return write()


def groups_kept(folder: Path, keeps: Sequence[Keep]) -> Iterator[tuple[Keep, int]]:
    """Yield the groups of blocks that have rows in a folder."""
    by_index = {keep.index: keep for keep in keeps}
    found = set()
    for path in folder.glob("*-*.arrow"):
        index, _, block = path.stem.partition("-")
        found.add((int(index), int(block) // by_index[int(index)].together))
    for number, group in sorted(found):
        yield by_index[number], group


def gather(kept: tuple[Keep, int]) -> None:
    """Gather the rows of a group of blocks into one file."""
    keep, group = kept
    blocks = range(group * keep.together, (group + 1) * keep.together)
    paths = [path for path in map(keep.path, blocks) if path.exists()]
    whole = pa.concat_tables([_opened(path) for path in paths]).unify_dictionaries()
    _write(keep.gathered(group), whole.combine_chunks())
    for path in paths:
        path.unlink()


def kept_or_drawn(keep: Keep, addresses: NDArray[np.uint64]) -> RowTable:
    """Return rows in the order of these addresses, read back if spilled, else drawn again."""
    order = np.argsort(addresses, kind="stable")
    tables, places, valid, missing = [], [], [], []
    for path, part in _files(keep, addresses[order]):
        where = order[part]
        table = _read(path, addresses[where])
        if table is None:
            missing.append(where)
        else:
            tables.append(table)
            places.append(where)
            valid.append(np.ones(len(where), bool))
    if not tables:
        return draw_table(keep.source, addresses, keep.axes)
    if missing:
        where = np.concatenate(missing)
        again = draw_table(keep.source, addresses[where], keep.axes)
        tables.append(again.table)
        places.append(where)
        valid.append(again.valid)
    back = np.argsort(np.concatenate(places), kind="stable")
    whole = pa.concat_tables(tables).unify_dictionaries().combine_chunks()
    table = whole.take(integer_column(back)).combine_chunks()
    return RowTable(
        table,
        keys_of_ids(table_column(table, "id")),
        integer_values(table_column(table, "difficulty")).astype(np.int16),
        np.concatenate(valid)[back],
    )


def _files(keep: Keep, addresses: NDArray[np.uint64]) -> Iterator[tuple[Path, slice]]:
    """Yield the files that may hold ascending addresses, and the slice of addresses of each."""
    for group, part in _runs(addresses // np.uint64(keep.block * keep.together)):
        if keep.gathered(group).exists():
            yield keep.gathered(group), part
            continue
        for block, run in _runs(addresses[part] // np.uint64(keep.block)):
            yield keep.path(block), slice(part.start + run.start, part.start + run.stop)


def _runs(values: NDArray[np.uint64]) -> Iterator[tuple[int, slice]]:
    """Yield the distinct ones of ascending values, and the slice of each."""
    starts = np.flatnonzero(np.diff(values, prepend=values[:1] + np.uint64(1)))
    for start, stop in pairwise([*starts.tolist(), len(values)]):
        yield int(values[start]), slice(start, stop)


def _opened(path: Path) -> pa.Table:
    return pa.ipc.open_file(pa.memory_map(str(path))).read_all()


def _read(path: Path, addresses: NDArray[np.uint64]) -> pa.Table | None:
    """Return the rows at these addresses, or None if they were not spilled."""
    try:
        table = _opened(path)
    except FileNotFoundError:
        return None
    held = integer_values(table_column(table, "address"))
    positions = np.minimum(np.searchsorted(held, addresses), len(held) - 1)
    if not np.array_equal(held[positions], addresses):
        return None
    return table.take(integer_column(positions))


def valid_ones(problems: Problems) -> Problems:
    """Return only the valid problems of a batch.

    Raises:
        TypeError: if a part is not a column, so that it cannot be cut.
    """
    keep = np.flatnonzero(problems.valid)
    if len(keep) == len(problems):
        return problems
    return replace(
        problems,
        rows=Rows(problems.rows.stream, problems.rows.addresses[keep]),
        derivations=problems.derivations.take(keep),
        keys=problems.keys[keep],
        axes={name: column[keep] for name, column in problems.axes.items()},
        difficulty=problems.difficulty[keep],
        valid=problems.valid[keep],
        parts={
            name: _cut(name, part, keep, len(problems)) for name, part in problems.parts.items()
        },
    )


def _cut(name: str, part: Any, keep: NDArray[np.int64], n: int) -> Any:
    if isinstance(part, Ragged) and len(part) == n:
        return part.take(keep)
    if isinstance(part, np.ndarray) and len(part) == n:
        return part[keep]
    if isinstance(part, list) and len(part) == n:
        return [part[i] for i in keep.tolist()]
    msg = f"part {name!r} of type {type(part).__name__}: "
    msg += f"expected an array, list or Ragged of {n} values"
    raise TypeError(msg)
