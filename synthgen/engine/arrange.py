"""The order in which the rows of a split are read: shuffled, by address, or arranged."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from synthgen.controllers.arrangement import (
    by_novelty,
    easy_to_hard,
    hard_to_easy,
    in_blocks,
    in_random_order,
    in_turns,
)
from synthgen.core.contract import Axis
from synthgen.core.randomness import U64, mix_words
from synthgen.engine.cells import CellIndex
from synthgen.engine.laws import told_cells
from synthgen.recipe.steering import Order

Places = NDArray[np.int64]


def arranged(
    order: Order, values: NDArray[np.int64], lots: U64, salt: int, axes: Mapping[str, Axis]
) -> Places:
    """Return the places of rows in the order in which they are read, (n,).

    Args:
        order: of the recipe.
        values: of its axis, (n,).
        lots: random bits that decide between equals, (n,).
        salt: 64 random bits that decide which values are new first.
        axes: of all sources, for the values that the recipe names.
    """
    if order.by == "rising":
        return easy_to_hard(values, lots)
    if order.by == "falling":
        return hard_to_easy(values, lots)
    found, groups = np.unique(values, return_inverse=True)
    if order.by == "novelty":
        group_lots = mix_words(found.astype(np.uint64) ^ np.uint64(salt))
        return by_novelty(groups, group_lots, lots, order.first, order.end)
    shuffled = in_random_order(lots)
    if order.by == "blocks" or not len(values):
        return in_blocks(groups, shuffled)
    return in_turns(groups, _turn_weights(order, found, axes), shuffled)


def _turn_weights(
    order: Order, found: NDArray[np.int64], axes: Mapping[str, Axis]
) -> NDArray[np.float64]:
    """Return the weight of each value that rows have; 1 for those that the recipe leaves out."""
    if order.axis not in axes:
        by_value = {values[0]: weight for values, weight in order.of}
        return np.array([by_value.get(value, 1.0) for value in found.tolist()])
    index = CellIndex((order.axis,), axes)
    told = told_cells(order.of, index)
    cells = index.number({order.axis: found}, len(found))
    return np.array([told.get(cell, 1.0) for cell in cells.tolist()])
