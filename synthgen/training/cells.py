"""Rows on demand, by cell: more of any task and level, from a cursor for each cell.

A problem is held out by a hash of its id, so whatever the seed, and in every cell that has it.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthgen.core.checks import check_int, check_share
from synthgen.core.errors import ParamError, UnknownNameError
from synthgen.core.words import keyed_order, mix_words, stream_key
from synthgen.training.stream import check_same
from synthgen.training.view import Opened, Row, View

_MOST = 2**62
_VERSION = 1
_KEYS = ("fingerprint", "seed", "cursors")
_HELD_OUT = np.uint64(stream_key("held out"))
State = dict[str, Any]
Values = tuple[Any, ...]


@dataclass(eq=False)
class Cells:
    """Rows of each cell, on demand, in an order of its own that begins again when it ends.

    A cell is all rows with the same values of some columns; rows with a null value are in none.

    Args:
        source: a view such as `synthgen.open(path)["train"]`, or rows of `synthgen.generate`.
        by: the columns.
        seed: of the orders.
        held_out: share of the problems of each cell that `next` never gives, at least one of two
            or more. Which ones does not depend on the seed.

    Attributes:
        names: of the cells, such as "task=hint level=3", in the order of their values.
        values: name -> values of the columns.
        cursors: name -> number of rows given so far.

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

    source: View | Sequence[Row]
    by: Sequence[str] = ("task", "level")
    seed: int = 0
    held_out: float = 0.1

    def __post_init__(self) -> None:
        check_int("seed", self.seed, 0, 2**64 - 1)
        check_share("held_out", self.held_out, below_1=True)
        if isinstance(self.source, Opened | Mapping | str) or not len(self.source):
            expected = "rows, or a view such as synthgen.open(path)['train'], with at least one row"
            raise ParamError("source", self.source, expected)
        by = [self.by] if isinstance(self.by, str) else [*self.by]
        if not by or len({*by}) < len(by):
            raise ParamError("by", self.by, "one or more different columns")
        self.by = by
        words, digest = _id_words(self._column("id"))
        places = self._places()
        if not places:
            raise ParamError("by", by, "columns in which some row has no null")
        self.values = {self._name(values): values for values in places}
        self.names = [*self.values]
        held = self._held(words, [*places.values()])
        self._train, self._kept = {}, {}
        for name, rows in zip(self.names, places.values(), strict=True):
            out = np.isin(words[rows], held)
            self._train[name], self._kept[name] = rows[~out], rows[out]
        self.cursors = dict.fromkeys(self.names, 0)
        self._order: dict[str, tuple[int, NDArray[np.int64]]] = {}
        self._digest = digest

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
        found: dict[Values, list[int]] = defaultdict(list)
        for place, values in enumerate(zip(*map(self._column, self.by), strict=True)):
            found[values].append(place)
        return {
            values: np.array(found[values], np.int64)
            for values in sorted(values for values in found if None not in values)
        }

    def _name(self, values: Values) -> str:
        return " ".join(f"{name}={value}" for name, value in zip(self.by, values, strict=True))

    def _held(
        self, words: NDArray[np.uint64], cells: Sequence[NDArray[np.int64]]
    ) -> NDArray[np.uint64]:
        """Return the words of the problems that are held out in any cell."""
        held = [np.zeros(0, np.uint64)]
        for rows in cells:
            own = np.unique(words[rows])
            most = max(1, round(self.held_out * len(own))) if self.held_out else 0
            held.append(own[: min(most, len(own) - 1)])
        return np.concatenate(held)

    @property
    def ladders(self) -> dict[str, list[str]]:
        """The cells that differ only in the last column, by the others, in the order of values."""
        found: dict[str, list[str]] = defaultdict(list)
        for name, values in self.values.items():
            pairs = zip(self.by[:-1], values[:-1], strict=True)
            found[" ".join(f"{column}={value}" for column, value in pairs)].append(name)
        return dict(found)

    def count(self, cell: str) -> int:
        """Return how many different rows `next` gives of a cell before it begins again."""
        return len(self._known(cell, self._train))

    def next(self, cell: str, k: int = 1, *, copies: int = 1) -> list[Row]:
        """Return the next k rows of a cell.

        Args:
            cell: name of the cell.
            k: number of rows.
            copies: how often each comes, one after another, as groups for GRPO.

        Raises:
            UnknownNameError: if there is no such cell.
            ParamError: if all its problems are held out in other cells.
        """
        check_int("k", k, 1, _MOST)
        check_int("copies", copies, 1, _MOST)
        rows = self._known(cell, self._train)
        if not len(rows):
            raise ParamError("cell", cell, "one with problems that no cell holds out")
        found: list[NDArray[np.int64]] = []
        start = self.cursors[cell]
        stop = start + k
        while start < stop:
            turn, first = divmod(start, len(rows))
            last = min(len(rows), first + stop - start)
            found.append(rows[self._turned(cell, turn, len(rows))[first:last]])
            start += last - first
        given = self._rows(np.concatenate(found))
        self.cursors[cell] = stop
        return [dict(row) for row in given for _ in range(copies)]

    def held(self, cell: str) -> list[Row]:
        """Return all rows of a cell that are held out.

        Raises:
            UnknownNameError: if there is no such cell.
        """
        return self._rows(self._known(cell, self._kept))

    def _known(self, cell: str, of: Mapping[str, NDArray[np.int64]]) -> NDArray[np.int64]:
        if cell not in of:
            raise UnknownNameError(kind="cell", name=cell, known=self.names)
        return of[cell]

    def _turned(self, cell: str, turn: int, n: int) -> NDArray[np.int64]:
        """Return the order of a cell's rows in one of its turns."""
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
            check_int(f"state: cursor of {name}", cursors[name], 0, _MOST)
        self.cursors = {name: cursors[name] for name in self.names}

    def _fingerprint(self) -> State:
        """Return everything that the rows depend on, besides the seed."""
        found: State = {"version": _VERSION, "by": [*self.by], "held_out": self.held_out}
        if isinstance(self.source, View):
            origin = self.source.origin.fingerprint
            return found | {"source": f"{self.source!r} of {origin}"}
        return found | {"source": f"{len(self.source)} rows with ids of {self._digest}"}


cells = Cells
"""`synthgen.cells(...)`."""


def _id_words(ids: Iterator[Any]) -> tuple[NDArray[np.uint64], str]:
    """Return a word for each id, equal for equal ids only, and a digest of all ids."""
    digest = hashlib.sha256()
    words = []
    for one in ids:
        name = str(one).encode()
        digest.update(name + b"\n")
        word = hashlib.blake2b(name, digest_size=8).digest()
        words.append(int.from_bytes(word, "little"))
    return mix_words(np.array(words, np.uint64) ^ _HELD_OUT), digest.hexdigest()[:32]
