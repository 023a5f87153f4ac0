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
from synthgen.core.randomness import U64, Rows, mix_words, stream_key

_TRIES = 16
_MOST_CELLS = 10_000_000
Mask = NDArray[np.bool_]


def choose_holdout(
    cells: NDArray[np.integer], n: int, key: int, names: Sequence[str] | None = None
) -> Mask:
    """Choose n cells at random, such that every (k - 1)-way projection remains in the others.

    The choice depends on the cells' values, not on their order. Where random orders do not leave
    room for n, cells are also tried in the order of how many others share their projections.

    Args:
        cells: all different joint cells that rows can have, (m, k), k at least 2.
        n: number of cells to hold out.
        key: 64 bits that seed the choice.
        names: names of the columns, for messages.

    Returns:
        True for the cells held out, bool (m,).

    Raises:
        ParamError: with the reason, if such a choice does not exist or was not found.
    """
    parts = _projections(cells)
    check_int("n_cells", n, 0, _MOST_CELLS)
    bound, tightest = _most_to_hold(len(cells), parts)
    if n > bound:
        others = _named([c for c in range(cells.shape[1]) if c != tightest], names)
        kept = len(cells) - bound
        expected = f"at most {bound} of {len(cells)} cells, as each of {kept} {others} must stay"
        raise ParamError("n_cells", n, expected)
    most = 0
    for attempt in range(_TRIES):
        order = np.argsort(_lots(cells, stream_key(key, "holdout", attempt)), kind="stable")
        held = _hold(order.tolist(), parts, n)
        if np.count_nonzero(held) == n:
            return held
        most = max(most, int(np.count_nonzero(held)))
    held = _hold_freest(_lots(cells, stream_key(key, "holdout")), parts, n)
    if (found := int(np.count_nonzero(held))) < n:
        expected = f"at most {max(most, found)}, the most found that keep every part in train"
        raise ParamError("n_cells", n, expected)
    return held


def _projections(cells: NDArray[np.integer]) -> list[NDArray[np.int64]]:
    """Return the number of each cell's projection, for each column dropped."""
    if cells.ndim != 2 or cells.shape[1] < 2:
        raise ParamError("cells", cells.shape, "two columns or more")
    if len(joint_cells(cells)[0]) < len(cells):
        raise ParamError("cells", len(cells), "different cells")
    return [joint_cells(np.delete(cells, column, axis=1))[1] for column in range(cells.shape[1])]


def _most_to_hold(n_cells: int, parts: list[NDArray[np.int64]]) -> tuple[int, int]:
    """Return a bound on the cells held out, and the dropped column whose projections set it."""
    different = [int(part.max(initial=-1)) + 1 for part in parts]
    tightest = different.index(max(different))
    return n_cells - different[tightest], tightest


def _hold(order: list[int], parts: list[NDArray[np.int64]], n: int) -> Mask:
    """Hold out the first n cells in this order whose projections remain elsewhere."""
    held = np.zeros(len(order), np.bool_)
    numbers = [part.tolist() for part in parts]
    left = [np.bincount(part).tolist() for part in parts]
    n_held = 0
    for cell in order:
        if n_held == n:
            break
        if all(count[part[cell]] > 1 for count, part in zip(left, numbers, strict=True)):
            for count, part in zip(left, numbers, strict=True):
                count[part[cell]] -= 1
            held[cell] = True
            n_held += 1
    return held


def _hold_freest(lots: U64, parts: list[NDArray[np.int64]], n: int) -> Mask:
    """Hold out n cells, each time one whose rarest projection remains in most others."""
    held = np.zeros(len(lots), np.bool_)
    numbers = [part.tolist() for part in parts]
    left = [np.bincount(part).tolist() for part in parts]

    def room(cell: int) -> int:
        return min(int(count[part[cell]]) for count, part in zip(left, numbers, strict=True))

    heap = [(-room(cell), lot, cell) for cell, lot in enumerate(lots.tolist())]
    heapq.heapify(heap)
    n_held = 0
    while heap and n_held < n:
        was, lot, cell = heapq.heappop(heap)
        now = room(cell)
        if now == 1:
            continue
        if -was != now:
            heapq.heappush(heap, (-now, lot, cell))
            continue
        for count, part in zip(left, numbers, strict=True):
            count[part[cell]] -= 1
        held[cell] = True
        n_held += 1
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

_HOLDOUT_TRIES, _MOST_LOOKS = 8, 100_000


@dataclass(frozen=True)
class RowItems:
    """Items of rows, and which of them may be chosen.

    Attributes:
        names: names of the items; they seed the random order, so the order of items is irrelevant.
        rows: numbers of the different items of each row.
        parts: for each kind of part, the number of that part of each item, (m,).
        allowed: numbers of the items that may be chosen; None for all.
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

    Args:
        items: items that occur.
        n: number of items to hold out.
        key: 64 bits that seed the choice.
        admits: further check of an item before it is chosen.

    Returns:
        Numbers of the items, ascending.

    Raises:
        ParamError: with the largest number found, if that is less than n.
    """
    check_int("pick", n, 0, 2**31)
    most = 0
    tries = 1 if admits else max(1, min(_HOLDOUT_TRIES, _MOST_LOOKS // max(1, len(items.choice))))
    for order in _orders(items, key, tries):
        chosen = _Holdout(items).hold(order, n, admits)
        if len(chosen) == n:
            return sorted(chosen)
        most = max(most, len(chosen))
    expected = (
        f"at most {most} of {len(items.choice)}, the most found that keep each of their parts"
    )
    raise ParamError("pick", n, f"{expected} in rows without any of them")


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
        self._having = row_of[np.argsort(items.rows.values, kind="stable")]
        counts = np.bincount(items.rows.values, minlength=len(items.names))
        self._having_offsets = offsets_of(counts)
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
            rows = self._having[self._having_offsets[item] : self._having_offsets[item + 1]]
            going = rows[self._left[rows]]
            if len(going) == self._n_left:
                continue
            lost = self._rows.take(going).values
            if not self._keeps_parts(item, lost):
                continue
            if admits is not None and not admits(item, self._items_without(lost)):
                continue
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
            if needed[gone].any() or part[item] in gone:
                return False
            if left[part[item]] == 0:
                return False
        return True

    def _items_without(self, lost: Ints) -> Ints:
        return self._items_left - np.bincount(lost, minlength=len(self._items_left))

    def _take(self, item: int, rows: Ints, lost: Ints) -> None:
        """Remove rows with all of their items."""
        self._left[rows] = False
        self._n_left -= len(rows)
        self._items_left = self._items_without(lost)
        for part, left, needed in zip(self._parts, self._parts_left, self._needed, strict=True):
            np.subtract.at(left, part[lost], 1)
            needed[part[item]] = True


_MOST_NUMBER = 2**63


def joint_cells(columns: NDArray[np.integer]) -> tuple[Ints, Ints]:
    """Return the combinations that occur and the one that each row has.

    Args:
        columns: values, (n, k).

    Returns:
        Cells (m, k), in ascending order, first column first, and the cell of each row, int64 (n,).

    Raises:
        ParamError: for values whose ranges span more than 2^63 combinations.
    """
    values = columns.astype(np.int64)
    if not len(values):
        return values, np.zeros(0, np.int64)
    low = values.min(0)
    spans = [int(high) - int(least) + 1 for high, least in zip(values.max(0), low, strict=True)]
    strides = [1]
    for span in spans[:0:-1]:
        strides.append(strides[-1] * span)
    if strides[-1] * spans[0] > _MOST_NUMBER:
        raise ParamError("columns", spans, "ranges of values with at most 2^63 combinations")
    strides.reverse()
    numbers, cell_of = np.unique((values - low) @ np.array(strides, np.int64), return_inverse=True)
    cells = np.empty((len(numbers), values.shape[1]), np.int64)
    for column, stride in enumerate(strides):
        cells[:, column], numbers = np.divmod(numbers, stride)
    return cells + low, cell_of.astype(np.int64)
