"""Costly rows, spilled by PROPOSE until MATERIALISE reads them back.

Every block has a file, in a folder that is emptied whenever a build begins, so all files in it are
from this build. Files of neighbouring blocks are gathered into one before they are read, as every
shard has rows of all of them. Missing rows are drawn again, with the same result, so all are given
up when the disk is full.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from secrets import token_hex
from typing import TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.contract.interfaces import Problems, valid_ones
from synthgen.core.columns import integer_column, integer_values, table_column
from synthgen.core.errors import OutputError
from synthgen.dataset.shards import is_full
from synthgen.engine.make.rows import draw_table, joined, render_table
from synthgen.engine.plan.sources import PlannedSource
from synthgen.rules.axes import Axis

T = TypeVar("T")

MAX_ROWS = 1 << 20
"""Most addresses of a source that are spilled, to bound disk space."""
_TOGETHER = 1 << 16
"""Addresses whose blocks are gathered into one file, which must fit into memory."""


@dataclass(frozen=True, slots=True)
class Spill:
    """Where the rows of a source are spilled, `block` addresses a file, and with which axes."""

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


def spills_of(
    folder: Path, sources: Sequence[PlannedSource], axes: Mapping[str, Axis]
) -> dict[int, Spill]:
    """Return where the rows of each source are spilled that costs less to read than to draw."""
    return {
        i: Spill(folder, i, source.spilled_block, source, axes)
        for i, source in enumerate(sources)
        if source.generator.costly
    }


def spill_rows(spill: Spill, problems: Problems) -> None:
    """Write the valid problems of one block as rows.

    If the disk is full they are not written, but drawn again later. The same is true of addresses
    from `MAX_ROWS` on.
    """
    first = int(problems.rows.addresses[0])
    if first < MAX_ROWS and problems.valid.any():
        table = render_table(spill.source, valid_ones(problems), spill.axes)
        _write(spill.path(first // spill.block), table)


def _write(path: Path, table: pa.Table) -> None:
    """Write a file, or nothing if the disk is full.

    A cluster may run a task twice at the same time, so each writes a file of its own.
    """
    unfinished = path.with_suffix(f".{token_hex(4)}.tmp")
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


def spilled_groups(folder: Path, spills: Mapping[int, Spill]) -> Iterator[tuple[Spill, int]]:
    """Yield the groups of blocks that have rows in a folder."""
    found = set()
    for path in folder.glob("*-*.arrow"):
        index, _, block = path.stem.partition("-")
        found.add((int(index), int(block) // spills[int(index)].together))
    for number, group in sorted(found):
        yield spills[number], group


def gather(spilled: tuple[Spill, int]) -> None:
    """Gather the rows of a group of blocks into one file."""
    spill, group = spilled
    blocks = range(group * spill.together, (group + 1) * spill.together)
    paths = [path for path in map(spill.path, blocks) if path.exists()]
    if paths and not spill.gathered(group).exists():  # else this task is run a second time
        whole = pa.concat_tables([_opened(path) for path in paths]).unify_dictionaries()
        _write(spill.gathered(group), whole.combine_chunks())
    for path in paths:
        path.unlink(missing_ok=True)


def read_or_draw(spill: Spill, addresses: NDArray[np.uint64]) -> pa.Table:
    """Return rows in the order of these addresses, read back if spilled, else drawn again."""
    order = np.argsort(addresses, kind="stable")
    parts: list[pa.Table] = []
    places: list[NDArray[np.int64]] = []
    missing: list[NDArray[np.int64]] = []
    for path, part in _files(spill, addresses[order]):
        where = order[part]
        table = _read(path, addresses[where])
        if table is None:
            missing.append(where)
        else:
            parts.append(table)
            places.append(where)
    if not parts:
        return draw_table(spill.source, addresses, spill.axes)
    if missing:
        places.append(np.concatenate(missing))
        parts.append(draw_table(spill.source, addresses[places[-1]], spill.axes))
    return joined(parts, places)


def _files(spill: Spill, addresses: NDArray[np.uint64]) -> Iterator[tuple[Path, slice]]:
    """Yield the files that may hold ascending addresses, and the slice of addresses of each."""
    for group, part in _runs(addresses // np.uint64(spill.block * spill.together)):
        if spill.gathered(group).exists():
            yield spill.gathered(group), part
            continue
        for block, run in _runs(addresses[part] // np.uint64(spill.block)):
            yield spill.path(block), slice(part.start + run.start, part.start + run.stop)


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
