"""Rows kept by PROPOSE until MATERIALISE needs them, if that is cheaper than to draw them again.

The first blocks of a source show which is cheaper. Every block has a file, in a folder that is
emptied whenever a build begins, so all files in it are from this build. Files of neighboring blocks
are gathered into one before they are read, as every shard has rows of all of them. Missing rows are
drawn again, with the same result, so all are given up when the disk is full.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby, pairwise
from pathlib import Path
from secrets import token_hex
from time import thread_time
from typing import TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.contract.interfaces import BLOCK, Problems, valid_ones
from synthgen.core.columns import integer_column, integer_values, table_column
from synthgen.core.errors import OutputError
from synthgen.core.images import NO_PICTURE
from synthgen.dataset.shards import is_full
from synthgen.draws.randomness import Rows
from synthgen.engine.make.rows import draw_table, joined, render_table
from synthgen.engine.plan.sources import PlannedSource
from synthgen.rules.axes import Axis

T = TypeVar("T")

MAX_ADDRESS = 1 << 20
"""First address of a source that is not kept, to bound disk space."""
MAX_MEMORY = 64 << 20
"""Bytes of rows that are kept without a folder."""
_TOGETHER = 1 << 16
"""Addresses whose blocks are gathered into one file, which must fit into memory."""
_TRIALS, _SAMPLE = 2, 1024
"""Blocks of a source that are measured, the first of which loads kernels, and the most rows."""
_MAX_UNUSED = 8
"""Addresses of a kept block for each row that a source is expected to give."""


class Kept:
    """The rows that were kept. Each process measures by itself whether to keep those it draws.

    Args:
        sources: Sources of the plan.
        axes: Columns after those that every dataset has.
        folder: Folder of the files; without one, rows are kept in the memory of this process.
        wanted: Rows of the dataset, if known; blocks that will hardly be used are not kept.
    """

    def __init__(
        self,
        sources: Sequence[PlannedSource],
        axes: Mapping[str, Axis],
        folder: Path | None = None,
        wanted: int | None = None,
    ) -> None:
        self._sources, self._axes, self._folder = sources, axes, folder
        self._longest = BLOCK if wanted is None else _MAX_UNUSED * wanted / len(sources)
        self._trials: Counter[int] = Counter()
        self._pays: dict[int, bool] = {}
        self._tables: defaultdict[int, dict[int, pa.Table]] = defaultdict(dict)
        self._room = MAX_MEMORY

    def offer(self, index: int, problems: Problems, seconds: float) -> None:
        """Keep the valid problems of a block as rows, if that takes less time than the draws.

        Args:
            index: Index of the source.
            problems: Problems of the block.
            seconds: CPU time that it took to draw them.
        """
        if problems.rows.addresses[0] >= MAX_ADDRESS or len(problems) > self._longest:
            return
        if self._sources[index].style.picture != NO_PICTURE:  # pictures take longer than draws
            return
        if self._trials[index] < _TRIALS:
            self._trials[index] += 1
            sample = problems
            if len(problems) > _SAMPLE:
                began = thread_time()
                few = Rows(problems.rows.stream, problems.rows.addresses[:_SAMPLE])
                sample = self._sources[index].generator.draw(few)
                seconds = thread_time() - began
            began = thread_time()
            self._keep(index, sample)
            self._pays[index] = thread_time() - began < seconds
            if sample is problems:
                return
        if self._pays[index]:
            self._keep(index, problems)

    def rows(self, index: int, addresses: NDArray[np.uint64]) -> pa.Table:
        """Return rows of a source in the order of these addresses, drawn again if not kept."""
        source, blocks = self._sources[index], self._blocks[index]
        order = np.argsort(addresses, kind="stable")
        starts = np.array(sorted(blocks), np.uint64)
        parts: list[pa.Table] = []
        places = []
        for number, run in _runs(np.searchsorted(starts, addresses[order], side="right")):
            where = order[run]
            table = _opened(blocks[int(starts[number - 1])]) if number else None
            if table is None:
                continue
            held = integer_values(table_column(table, "address"))
            positions = np.minimum(np.searchsorted(held, addresses[where]), len(held) - 1)
            there = held[positions] == addresses[where]
            parts.append(table.take(integer_column(positions[there])))
            places.append(where[there])
        if not parts:
            return draw_table(source, addresses, self._axes)
        missing = np.setdiff1d(order, np.concatenate(places))
        if len(missing):
            parts.append(draw_table(source, addresses[missing], self._axes))
            places.append(missing)
        return joined(parts, places)

    def groups(self) -> Iterator[list[Path]]:
        """Yield the files to gather, each time those of neighboring blocks of a source."""
        for blocks in _files(self._folder).values():
            for _, group in groupby(sorted(blocks), lambda start: start // _TOGETHER):
                yield [blocks[start] for start in group]

    @cached_property
    def _blocks(self) -> Mapping[int, Mapping[int, pa.Table | Path]]:
        """The kept blocks of each source by their first address; listed once all are gathered."""
        return self._tables if self._folder is None else _files(self._folder)

    def _keep(self, index: int, problems: Problems) -> None:
        if not problems.valid.any():
            return
        first = int(problems.rows.addresses[0])
        table = render_table(self._sources[index], valid_ones(problems), self._axes)
        if self._folder is not None:
            _write(self._folder / f"{index}-{first}.arrow", table)
        elif table.nbytes <= self._room:
            self._room -= table.nbytes
            self._tables[index][first] = table


def _files(folder: Path | None) -> defaultdict[int, dict[int, Path]]:
    """Return the files of each source, by their first address."""
    files: defaultdict[int, dict[int, Path]] = defaultdict(dict)
    for path in folder.glob("*-*.arrow") if folder else ():
        index, start = path.stem.split("-")
        files[int(index)][int(start)] = path
    return files


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


def _opened(kept: pa.Table | Path) -> pa.Table | None:
    """Return the rows of a block or a group, or None if they were given up."""
    if isinstance(kept, pa.Table):
        return kept
    try:
        return pa.ipc.open_file(pa.memory_map(str(kept))).read_all()
    except FileNotFoundError:
        return None


def gather(paths: list[Path]) -> None:
    """Gather the rows of several files, in the order of their addresses, into the first."""
    tables = [table for path in paths if (table := _opened(path)) is not None]
    if len(tables) > 1:  # else a cluster runs this task a second time
        _write(paths[0], pa.concat_tables(tables).unify_dictionaries().combine_chunks())
        for path in paths[1:]:
            path.unlink(missing_ok=True)


def with_room(folder: Path, write: Callable[[], T]) -> T:
    """Return the result of a write, which is repeated without the kept rows if the disk is full.

    Args:
        folder: Folder of the kept rows, which are then deleted.
        write: Function that writes something; it may be called twice.

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


def _runs(values: NDArray[np.int64]) -> Iterator[tuple[int, slice]]:
    """Yield the distinct ones of ascending values, and the slice of each."""
    starts = np.flatnonzero(np.diff(values, prepend=-1))
    for start, stop in pairwise([*starts.tolist(), len(values)]):
        yield int(values[start]), slice(start, stop)
