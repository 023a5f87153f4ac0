"""Tuple holdout: joint cells held out of train while all their smaller parts stay in it.

Over k columns some joint cells go only to test, so that a model has seen every part of them but
never the whole: every projection on k - 1 columns, hence on fewer, must remain in a train cell.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from synthgen.core.checks import check_int
from synthgen.core.columns import Ragged, offsets_of
from synthgen.core.errors import ParamError
from synthgen.draws.randomness import U64, Rows, mix_words, stream_key

_TRIES = 16
_MAX_CELLS = 10_000_000
Mask = NDArray[np.bool_]


def choose_holdout(
    cells: NDArray[np.integer], n: int, key: int, names: Sequence[str] | None = None
) -> Mask:
    """Choose n cells at random, such that every (k - 1)-way projection remains in the others.

    The choice depends on the cells' values, not on their order. Where random orders do not leave
    room for n, cells are also tried in the order of how many others share their projections.

    Args:
        cells: All different joint cells that rows can have, (m, k), k at least 2.
        n: Number of cells to hold out.
        key: 64 bits that seed the choice.
        names: Names of the columns, for messages.

    Returns:
        True for the cells held out, bool (m,).

    Raises:
        ParamError: with the reason, if such a choice does not exist or was not found.
    """
    parts = _projections(cells)
    check_int("n_cells", n, 0, _MAX_CELLS)
    different = [int(part.max(initial=-1)) + 1 for part in parts]
    kept = max(different)  # each of these projections must remain in a cell of its own
    if n > (bound := len(cells) - kept):
        dropped = different.index(kept)
        others = _named([c for c in range(cells.shape[1]) if c != dropped], names)
        expected = f"at most {bound} of {len(cells)} cells, as each of {kept} {others} must stay"
        raise ParamError("n_cells", n, expected)
    most = 0
    for attempt in (*range(_TRIES), None):
        label = () if attempt is None else (attempt,)
        lots = _lots(cells, stream_key(key, "holdout", *label))
        held = _hold(lots, parts, n, freest=attempt is None)
        n_held = int(np.count_nonzero(held))
        if n_held == n:
            return held
        most = max(most, n_held)
    expected = f"at most {most}, the most found that keep every part in train"
    raise ParamError("n_cells", n, expected)


def _projections(cells: NDArray[np.integer]) -> list[NDArray[np.int64]]:
    """Return the number of each cell's projection, for each column dropped."""
    if cells.ndim != 2 or cells.shape[1] < 2:
        raise ParamError("cells", cells.shape, "two columns or more")
    if len(np.unique(cells, axis=0)) < len(cells):
        raise ParamError("cells", len(cells), "different cells")
    return [
        np.unique(np.delete(cells, column, axis=1), axis=0, return_inverse=True)[1].ravel()
        for column in range(cells.shape[1])
    ]


def _hold(lots: U64, parts: list[NDArray[np.int64]], n: int, *, freest: bool) -> Mask:
    """Hold out n cells whose projections remain elsewhere, in the order of their lots.

    With `freest`, those come first whose rarest projection remains in most others.
    """
    held = np.zeros(len(lots), np.bool_)
    numbers = [part.tolist() for part in parts]
    left = [np.bincount(part).tolist() for part in parts]

    def room(cell: int) -> int:
        return min(int(count[part[cell]]) for count, part in zip(left, numbers, strict=True))

    ranks = [-room(cell) if freest else 0 for cell in range(len(lots))]
    heap = [*zip(ranks, lots.tolist(), range(len(lots)), strict=True)]
    heapq.heapify(heap)
    while heap and n:
        rank, lot, cell = heapq.heappop(heap)
        now = room(cell)
        if now == 1:
            continue
        if freest and rank != -now:
            heapq.heappush(heap, (-now, lot, cell))
            continue
        for count, part in zip(left, numbers, strict=True):
            count[part[cell]] -= 1
        held[cell] = True
        n -= 1
    return held


def _lots(cells: NDArray[np.integer], stream: int) -> U64:
    words = np.zeros(len(cells), np.uint64)
    for column in cells.astype(np.int64).T:
        words = Rows(stream, mix_words(words) ^ column.astype(np.uint64)).keys
    return words


def _named(columns: Sequence[int], names: Sequence[str] | None) -> str:
    return "(" + ", ".join(names[c] if names else f"column {c}" for c in columns) + ")"


Ints = NDArray[np.int64]
Admits = Callable[[int, Ints], bool]
"""Decides whether an item may be held out, from the counts of all items in remaining rows."""

_HOLDOUT_TRIES, _MAX_LOOKS = 8, 100_000


@dataclass(frozen=True)
class RowItems:
    """Items of rows, and which of them may be chosen.

    Attributes:
        names: Names of the items; they seed the random order, so the order of items is irrelevant.
        rows: Numbers of the different items of each row.
        parts: For each kind of part, the number of that part of each item, (m,).
        allowed: Numbers of the items that may be chosen; None for all.
    """

    names: Sequence[str]
    rows: Ragged
    parts: Sequence[Ints]
    allowed: Sequence[int] | None = None

    @property
    def choice(self) -> Sequence[int]:
        """Numbers of the items that may be chosen."""
        return range(len(self.names)) if self.allowed is None else self.allowed


def choose_items(items: RowItems, n: int, key: int, admits: Admits | None = None) -> list[int]:
    """Choose n items at random, such that each of their parts remains in rows without any of them.

    A few random orders are tried; if none leaves room for n, the rarest items are tried first.

    Returns:
        Numbers of the items, ascending; those that `admits`, if given, also accepts.

    Raises:
        ParamError: with the largest number found, if that is less than n.
    """
    check_int("pick", n, 0, 2**31)
    most = 0
    tries = 1 if admits else max(1, min(_HOLDOUT_TRIES, _MAX_LOOKS // max(1, len(items.choice))))
    for order in _orders(items, key, tries):
        chosen = _Holdout(items).hold(order, n, admits)
        if len(chosen) == n:
            return sorted(chosen)
        most = max(most, len(chosen))
    expected = f"at most {most} of {len(items.choice)}, the most found that keep each of their "
    raise ParamError("pick", n, f"{expected}parts in rows without any of them")


def _orders(items: RowItems, key: int, tries: int) -> Iterator[list[int]]:
    for attempt in range(tries):
        lots = {item: stream_key(key, "item", attempt, items.names[item]) for item in items.choice}
        yield sorted(lots, key=lots.__getitem__)
    often = np.bincount(items.rows.values, minlength=len(items.names)).tolist()
    yield sorted(items.choice, key=lambda item: (often[item], items.names[item]))


class _Holdout:
    """Remaining rows and their parts, while items are held out one by one."""

    def __init__(self, items: RowItems) -> None:
        self._rows, self._parts = items.rows, items.parts
        row_of = np.repeat(np.arange(len(items.rows)), items.rows.lengths)
        counts = np.bincount(items.rows.values, minlength=len(items.names))
        by_item = np.argsort(items.rows.values, kind="stable")
        self._having = Ragged(row_of[by_item], offsets_of(counts))
        self._left, self._n_left = np.ones(len(items.rows), np.bool_), len(items.rows)
        self._items_left = counts.astype(np.int64)
        self._parts_left = [
            np.bincount(part[items.rows.values], minlength=int(part.max(initial=-1)) + 1)
            for part in items.parts
        ]
        self._needed = [np.zeros(len(left), np.bool_) for left in self._parts_left]

    def hold(self, order: Sequence[int], n: int, admits: Admits | None) -> list[int]:
        """Hold out the first n feasible items in this order; return them."""
        chosen: list[int] = []
        for item in order:
            if len(chosen) == n:
                break
            rows = self._having.row(item)
            going = rows[self._left[rows]]
            if len(going) == self._n_left:
                continue
            lost = self._rows.take(going).values
            items_left = self._items_left - np.bincount(lost, minlength=len(self._items_left))
            if self._keeps_parts(item, lost) and (admits is None or admits(item, items_left)):
                self._items_left = items_left
                self._take(item, going, lost)
                chosen.append(item)
        if admits is None:
            return chosen
        return [item for item in chosen if admits(item, self._items_left)]

    def _keeps_parts(self, item: int, lost: Ints) -> bool:
        """Return whether every needed part remains in other rows without these items."""
        for part, left, needed in zip(self._parts, self._parts_left, self._needed, strict=True):
            parts, times = np.unique(part[lost], return_counts=True)
            gone = parts[left[parts] == times]
            if needed[gone].any() or part[item] in gone or left[part[item]] == 0:
                return False
        return True

    def _take(self, item: int, rows: Ints, lost: Ints) -> None:
        """Remove rows with all of their items, and need the parts of the one held out."""
        self._left[rows] = False
        self._n_left -= len(rows)
        for part, left, needed in zip(self._parts, self._parts_left, self._needed, strict=True):
            np.subtract.at(left, part[lost], 1)
            needed[part[item]] = True
