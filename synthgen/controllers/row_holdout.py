"""Items held out with all rows that have them, while all parts of them stay in the other rows.

Unlike a joint cell, of which a row has one, a row has many items (the structures of a derivation),
and goes with any of them. So a choice is good if each part of each item held out is also a part of
some item in a row without any of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from synthgen.core.checks import check_int
from synthgen.core.columns import Ragged, offsets_of
from synthgen.core.errors import ParamError
from synthgen.core.randomness import stream_key

Ints = NDArray[np.int64]
Admits = Callable[[int, Ints], bool]
"""Says whether an item may be held out, as often as all items occur in the rows that are left."""

_TRIES, _MOST_LOOKS = 8, 100_000


@dataclass(frozen=True)
class RowItems:
    """Items of rows, and which of them may be chosen.

    Attributes:
        names: of the items; what lots are drawn for, so that their order does not matter.
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
    """Choose n items by lot, such that every part of them is left in rows without any of them.

    Lots that leave no room for n are drawn again a few times; then the rarest items are tried
    first.

    Args:
        items: that occur.
        n: how many to hold out.
        key: 64 bits that the lots depend on.
        admits: a closer look at an item that lots have chosen.

    Returns:
        Numbers of the items, rising.

    Raises:
        ParamError: with the most that was found, if that is fewer.
    """
    check_int("pick", n, 0, 2**31)
    most = 0
    tries = 1 if admits else max(1, min(_TRIES, _MOST_LOOKS // max(1, len(items.choice))))
    for order in _orders(items, key, tries):
        chosen = _Holdout(items).hold(order, n, admits)
        if len(chosen) == n:
            return sorted(chosen)
        most = max(most, len(chosen))
    expected = (
        f"at most {most}, the most found of {len(items.choice)} that leave every part of them"
    )
    raise ParamError("pick", n, f"{expected} in rows without any of them")


def _orders(items: RowItems, key: int, tries: int) -> Iterator[list[int]]:
    for attempt in range(tries):
        lots = {item: stream_key(key, "item", attempt, items.names[item]) for item in items.choice}
        yield sorted(lots, key=lots.__getitem__)
    often = np.bincount(items.rows.values, minlength=len(items.names)).tolist()
    yield sorted(items.choice, key=lambda item: (often[item], items.names[item]))


class _Holdout:
    """Rows that are left, and what parts they have, while items are held out one by one."""

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
        """Hold out the first n items in this order that may be; return them."""
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
        """Say whether every part that is needed is left in other rows when these items go."""
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
        """Let rows go with all of their items."""
        self._left[rows] = False
        self._n_left -= len(rows)
        self._items_left = self._items_without(lost)
        for part, left, needed in zip(self._parts, self._parts_left, self._needed, strict=True):
            np.subtract.at(left, part[lost], 1)
            needed[part[item]] = True
