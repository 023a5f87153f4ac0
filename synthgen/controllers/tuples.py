"""Tuple holdout: joint cells kept out of train while all their smaller parts stay in it.

Of k columns some joint cells go to test alone, so that a model has seen every part of them but
never the whole: every projection on k - 1 columns, and so on fewer, must be left in a train cell.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from synthgen.controllers.joint_cells import joint_cells, rows_in_cells
from synthgen.core.checks import check_int
from synthgen.core.errors import ParamError
from synthgen.core.randomness import U64, Rows, mix_words, stream_key

_TRIES = 16
_MOST_CELLS = 10_000_000
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class LostProjection:
    """A part of held-out cells that no train cell has.

    Attributes:
        columns: places of the k - 1 columns.
        values: their values.
    """

    columns: tuple[int, ...]
    values: tuple[int, ...]


def choose_holdout(
    cells: NDArray[np.integer], n: int, key: int, names: Sequence[str] | None = None
) -> Mask:
    """Choose n cells by lot, such that every (k - 1)-way projection is left in the others.

    The lots depend on the cells' values, not on their order. Where lots leave no room for n, cells
    are also tried in the order of how many others share their projections.

    Args:
        cells: all different joint cells that rows can have, (m, k), k at least 2.
        n: how many to hold out.
        key: 64 bits that the lots depend on.
        names: of the columns, for messages.

    Returns:
        True for the cells held out, bool (m,).

    Raises:
        ParamError: naming the reason, if there is no such choice or none was found.
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
        expected = f"at most {max(most, found)}, the most found that leave every part in train"
        raise ParamError("n_cells", n, expected)
    return held


def check_holdout(
    cells: NDArray[np.integer],
    wanted: NDArray[np.integer],
    names: Sequence[str] | None = None,
) -> Mask:
    """Return which cells a given list holds out, bool (m,).

    Args:
        cells: all different joint cells that rows can have, (m, k).
        wanted: the ones to hold out, (n, k).
        names: of the columns, for messages.

    Raises:
        ParamError: for a wanted cell that is none, or one that takes a projection out of train.
    """
    _projections(cells)
    for cell, known in zip(wanted.tolist(), rows_in_cells(wanted, cells), strict=True):
        if not known:
            raise ParamError("cells", tuple(cell), "a combination that rows can have")
    held = rows_in_cells(cells, wanted)
    lost = lost_projections(cells, held)
    if lost:
        first = _named(lost[0].columns, names)
        expected = (
            f"cells that leave every part in train; {first} = {lost[0].values} is in no other"
        )
        raise ParamError("cells", wanted.tolist(), expected)
    return held


def lost_projections(cells: NDArray[np.integer], held: Mask) -> tuple[LostProjection, ...]:
    """Return the (k - 1)-way projections of held-out cells that no other cell has."""
    lost = []
    for dropped, part in enumerate(_projections(cells)):
        left = np.bincount(part[~held], minlength=len(cells))
        others = tuple(column for column in range(cells.shape[1]) if column != dropped)
        _, first = np.unique(part, return_index=True)
        for cell in first[left[part[first]] == 0].tolist():
            lost.append(LostProjection(others, tuple(cells[cell, list(others)].tolist())))
    return tuple(lost)


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
    """Hold out the first n cells in this order that leave their projections elsewhere."""
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
    """Hold out n cells, always one whose rarest projection is left in most others."""
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
