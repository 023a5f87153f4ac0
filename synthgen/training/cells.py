"""Rows on demand by cell, such as a task and level, with a cursor for each cell.

A problem is held out by a hash of its id: with any seed, and in every cell that has it.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.core.checks import check_int, check_share
from synthgen.core.errors import ParamError, UnknownNameError
from synthgen.draws.streams import keyed_order, mix_words, stream_key
from synthgen.training.endless import MAX_EMPTY, Endless
from synthgen.training.stream import check_same
from synthgen.training.view import OpenedSplits, Row, View

_MAX = 2**62
_VERSION = 1
_KEYS = ("fingerprint", "seed", "cursors")
_FIRST_ROWS = 4096
"""Number of endless rows that are read to list the cells."""
_PLACES = 1 << 20
"""Largest number of places in a block: 4,096 addresses of 256 sources."""
_KEPT_BLOCKS = 4
_NO_PLACES = np.zeros(0, np.int64)
_HELD_OUT = np.uint64(stream_key("held out"))
T = TypeVar("T")
State = dict[str, Any]
Values = tuple[Any, ...]


def cells(
    source: View | Sequence[Row] | Endless,
    by: Sequence[str] = ("task", "level"),
    seed: int = 0,
    held_out: float = 0.1,
) -> CellStream:
    """Return a stream that gives rows of each cell on demand, each cell in a keyed order.

    A cell is all rows with the same values of some columns; rows with a null value are in no cell.
    A cell begins again when it ends. The cells of `synthgen.endless(recipe, split)` never end, and
    are those of its first 4,096 rows.

    Args:
        source: View such as `synthgen.open(path)["train"]`, rows of `synthgen.generate`, or
            `synthgen.endless(recipe, split)`, of which each rank has rows of its own.
        by: Columns whose values make a cell.
        seed: Seed of the orders.
        held_out: Share of the problems of each cell that `next` never gives, at least one of two
            or more unless the rows are endless. Which ones does not depend on the seed.

    Raises:
        UnknownNameError: for a column that the rows do not have.
        ParamError: for an option that is not as expected.

    Example:
        >>> import synthgen
        >>> rows = synthgen.generate("hint", 300, "level <= 2", params={"level": True})
        >>> cells = synthgen.cells(rows, by=["task", "level"])
        >>> cells.names
        ['task=hint level=0', 'task=hint level=1', 'task=hint level=2']
        >>> [row["level"] for row in cells.next("task=hint level=2", 2)]
        [2, 2]
    """
    return (EndlessCells if isinstance(source, Endless) else CellStream)(source, by, seed, held_out)


@dataclass(eq=False)
class CellStream:
    """Rows of each cell, on demand; see `cells`.

    Attributes:
        names: Names of the cells, such as "task=hint level=3", in the order of their values.
        values: Values of the columns, by the name of the cell.
        cursors: Number of rows given so far, or the place among endless rows, by name of the cell.
    """

    source: Any
    by: Sequence[str] = ("task", "level")
    seed: int = 0
    held_out: float = 0.1

    def __post_init__(self) -> None:
        check_int("seed", self.seed, 0, 2**64 - 1)
        check_share("held_out", self.held_out, below_1=True)
        by = [self.by] if isinstance(self.by, str) else [*self.by]
        if not by or len({*by}) < len(by):
            raise ParamError("by", self.by, "one or more different columns")
        self.by = by
        listed = self._read_cells()
        if not listed:
            raise ParamError("by", by, "columns in which some row has no null")
        self.values = {self._name(values): values for values in listed}
        self.names = [*self.values]
        self.cursors = dict.fromkeys(self.names, 0)

    def _read_cells(self) -> Sequence[Values]:
        """Read the cells, and return their values in order."""
        if isinstance(self.source, OpenedSplits | Mapping | str) or not len(self.source):
            expected = "rows, or a view such as synthgen.open(path)['train'], with at least one row"
            raise ParamError("source", self.source, expected)
        words, self._digest = _id_words(self._column("id"))
        places = self._places()
        held = self._held(words, [*places.values()])
        self._train: dict[str, NDArray[np.int64]] = {}
        self._kept: dict[str, NDArray[np.int64]] = {}
        for values, rows in places.items():
            out, name = np.isin(words[rows], held, kind="sort"), self._name(values)
            self._train[name], self._kept[name] = rows[~out], rows[out]
        self._order: dict[str, tuple[int, NDArray[np.int64]]] = {}
        return [*places]

    def _column(self, name: str) -> Iterator[Any]:
        """Yield the values of a column."""
        if isinstance(self.source, View):
            for chunk in self.source.column(name).chunks:
                yield from chunk.to_pylist()
            return
        for row in self.source:
            if name not in row:
                raise UnknownNameError(kind="column", name=name, known=[*row])
            yield row[name]

    def _places(self) -> dict[Values, NDArray[np.int64]]:
        """Return the numbers of the rows of each cell, in the order of the values."""
        grouped = _grouped(zip(*map(self._column, self.by), strict=True))
        named = sorted(values for values in grouped if None not in values)
        return {values: grouped[values] for values in named}

    def _name(self, values: Values) -> str:
        return " ".join(f"{name}={value}" for name, value in zip(self.by, values, strict=True))

    def _held(
        self, words: NDArray[np.uint64], cells: Sequence[NDArray[np.int64]]
    ) -> NDArray[np.uint64]:
        """Return the words of the problems that are held out in any cell."""
        held = [np.zeros(0, np.uint64)]
        for rows in cells:
            # By hash, not by row, so that the choice depends on neither seed nor order.
            problems = np.unique(words[rows])
            number = max(1, round(self.held_out * len(problems))) if self.held_out else 0
            held.append(problems[: min(number, len(problems) - 1)])
        return np.concatenate(held)

    @property
    def ladders(self) -> dict[str, list[str]]:
        """Cells that differ only in the last column, by the others, in the order of values."""
        ladders: dict[str, list[str]] = defaultdict(list)
        for name, values in self.values.items():
            pairs = zip(self.by[:-1], values[:-1], strict=True)
            ladders[" ".join(f"{column}={value}" for column, value in pairs)].append(name)
        return dict(ladders)

    def count(self, cell: str) -> int:
        """Return the number of different rows of a cell, before `next` begins it again."""
        return len(self._known(cell, self._train))

    def next(self, cell: str, k: int = 1, *, copies: int = 1) -> list[Row]:
        """Return the next k rows of a cell.

        Args:
            cell: Name of the cell.
            k: Number of rows.
            copies: Number of times that each row is repeated in a row, as a group for GRPO.

        Raises:
            UnknownNameError: for an unknown cell.
            ParamError: if all its problems are held out in other cells.
        """
        check_int("k", k, 1, _MAX)
        check_int("copies", copies, 1, _MAX)
        given, self.cursors[cell] = self._after(cell, k)
        return [dict(row) for row in given for _ in range(copies)]

    def _after(self, cell: str, k: int) -> tuple[list[Row], int]:
        """Return the next k rows of a cell, and the cursor after them."""
        rows = self._known(cell, self._train)
        if not len(rows):
            raise ParamError("cell", cell, "one with problems that no cell holds out")
        chosen: list[NDArray[np.int64]] = []
        start = self.cursors[cell]
        stop = start + k
        while start < stop:
            turn, first = divmod(start, len(rows))
            last = min(len(rows), first + stop - start)
            chosen.append(rows[self._turned(cell, turn, len(rows))[first:last]])
            start += last - first
        return self._rows(np.concatenate(chosen)), stop

    def held(self, cell: str, k: int | None = None) -> list[Row]:
        """Return the first k rows of a cell that are held out, or all of them.

        Raises:
            UnknownNameError: for an unknown cell.
            ParamError: if all are wanted of endless rows.
        """
        return self._rows(self._known(cell, self._kept)[:k])

    def _known(self, cell: str, by_cell: Mapping[str, T]) -> T:
        if cell not in by_cell:
            raise UnknownNameError(kind="cell", name=cell, known=self.names)
        return by_cell[cell]

    def _turned(self, cell: str, turn: int, n: int) -> NDArray[np.int64]:
        """Return the order of a cell's rows in a turn, a pass through the cell."""
        if cell not in self._order or self._order[cell][0] != turn:
            self._order[cell] = turn, keyed_order(stream_key(self.seed, "cell", cell, turn), n)
        return self._order[cell][1]

    def _rows(self, places: NDArray[np.int64]) -> list[Row]:
        if isinstance(self.source, View):
            rows: list[Row] = self.source.take(places, "dicts")
            return rows
        return [self.source[place] for place in places.tolist()]

    def state_dict(self) -> State:
        """Return the cursors, as values for JSON."""
        fingerprint = self._fingerprint()
        return {"fingerprint": fingerprint, "seed": self.seed, "cursors": dict(self.cursors)}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Move to recorded cursors.

        Raises:
            ParamError: if they belong to other rows or options; the message names the difference.
        """
        check_same(state, {"fingerprint": self._fingerprint(), "seed": self.seed}, _KEYS)
        cursors = state["cursors"]
        if not isinstance(cursors, Mapping) or {*cursors} != {*self.names}:
            raise ParamError("state: cursors", cursors, "a number for each cell")
        for name in self.names:
            check_int(f"state: cursor of {name}", cursors[name], 0, _MAX)
        self.cursors = {name: cursors[name] for name in self.names}

    def _fingerprint(self) -> State:
        """Return everything that the rows depend on, besides the seed."""
        options: State = {"version": _VERSION, "by": [*self.by], "held_out": self.held_out}
        return options | {"source": self._origin()}

    def _origin(self) -> str:
        """Return a text that identifies the rows."""
        if isinstance(self.source, View):
            return f"{self.source!r} of {self.source.origin.fingerprint}"
        return f"{len(self.source)} rows with ids of {self._digest}"


class EndlessCells(CellStream):
    """Cells of endless rows, whose cursors are places in the list of all blocks.

    The rows of each block are shuffled. A problem is held out if the hash of its id is low.
    """

    def _read_cells(self) -> Sequence[Values]:
        known = self.source.blocks.schema.names
        for name in self.by:
            if name not in known:
                raise UnknownNameError(kind="column", name=name, known=known)
        self._kept_blocks: dict[int, _CellBlock] = {}
        seen: set[Values] = set()
        rows = number = 0
        while rows < _FIRST_ROWS and number < MAX_EMPTY:
            block = self._block(number)
            seen |= {*block.cells}
            rows, number = rows + block.table.num_rows, number + 1
        return sorted(values for values in seen if None not in values)

    def count(self, cell: str) -> int:
        """Raise ParamError, because the rows of a cell have no end."""
        raise ParamError("cell", cell, "one of a finite number of rows")

    def held(self, cell: str, k: int | None = None) -> list[Row]:
        """Return the first k rows of a cell that are held out; all ranks have the same."""
        if k is None:
            raise ParamError("k", k, "how many, as endless rows have no last one")
        check_int("k", k, 1, _MAX)
        return self._walk(cell, k, 0, range(_MAX), held=True)[0]

    def _after(self, cell: str, k: int) -> tuple[list[Row], int]:
        numbers = range(self.source.rank, _MAX, self.source.world_size)
        return self._walk(cell, k, self._known(cell, self.cursors), numbers, held=False)

    def _walk(
        self, cell: str, k: int, start: int, numbers: range, *, held: bool
    ) -> tuple[list[Row], int]:
        """Return the first k rows of a cell from a place on, and the place after them.

        Args:
            cell: Name of the cell.
            k: Number of rows.
            start: Number of a block times `_PLACES`, plus the number of a row in it.
            numbers: Numbers of the blocks to search.
            held: Whether to return held-out rows or the others.

        Raises:
            UnknownNameError: for an unknown cell.
            ParamError: if thousands of blocks have no such row.
        """
        values = self._known(cell, self.values)
        first, row = divmod(start, _PLACES)
        skipped = -(-(first - numbers.start) // numbers.step)
        rows: list[Row] = []
        empty = 0
        for number in numbers[max(0, skipped) :]:
            block = self._block(number)
            places = block.cells.get(values, _NO_PLACES)
            places = places[block.held[places] == held]
            places = places[places >= (row if number == first else 0)][: k - len(rows)]
            rows += block.table.take(pa.array(places)).to_pylist()
            if len(rows) == k:
                return rows, number * _PLACES + int(places[-1]) + 1
            empty = 0 if len(places) else empty + 1
            if empty == MAX_EMPTY:
                break
        raise ParamError("cell", cell, "one with a row in thousands of blocks")

    def _block(self, number: int) -> _CellBlock:
        """Return a block in the order of the seed; the last few are kept."""
        if number not in self._kept_blocks:
            if len(self._kept_blocks) == _KEPT_BLOCKS:
                del self._kept_blocks[next(iter(self._kept_blocks))]
            table = self.source.blocks.block(number)
            order = keyed_order(stream_key(self.seed, "block", number), table.num_rows)
            table = table.take(pa.array(order))
            words, _ = _id_words(table["id"].to_pylist())
            held = words < np.uint64(self.held_out * 2**64)
            columns = (table[name].to_pylist() for name in self.by)
            cells = _grouped(zip(*columns, strict=True))
            self._kept_blocks[number] = _CellBlock(table, held, cells)
        return self._kept_blocks[number]

    def _origin(self) -> str:
        source = self.source
        return f"rank {source.rank} of {source.world_size} of endless {source.blocks.fingerprint}"


@dataclass(frozen=True, slots=True)
class _CellBlock:
    """Rows of a block, the mask of those held out, and their numbers by the values of a cell."""

    table: pa.Table
    held: NDArray[np.bool_]
    cells: Mapping[Values, NDArray[np.int64]]


def _grouped(rows: Iterable[Values]) -> dict[Values, NDArray[np.int64]]:
    """Return the numbers of the rows that have the same values."""
    grouped: dict[Values, list[int]] = defaultdict(list)
    for place, values in enumerate(rows):
        grouped[values].append(place)
    return {values: np.array(places, np.int64) for values, places in grouped.items()}


def _id_words(ids: Iterable[Any]) -> tuple[NDArray[np.uint64], str]:
    """Return a word for each id, equal for equal ids only, and a digest of all ids."""
    digest = hashlib.sha256()
    words = []
    for each in ids:
        name = str(each).encode()
        digest.update(name + b"\n")
        word = hashlib.blake2b(name, digest_size=8).digest()
        words.append(int.from_bytes(word, "little"))
    return mix_words(np.array(words, np.uint64) ^ _HELD_OUT), digest.hexdigest()[:32]
