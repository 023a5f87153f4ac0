"""The final order of a split's rows: by address, shuffled by a key, or arranged by an axis."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from synthgen.core.contract import Axis
from synthgen.core.errors import Fault
from synthgen.core.evenness import Evenness, evenness
from synthgen.core.randomness import U64, mix_words, stream_key
from synthgen.core.selection import shuffle_ranks, shuffle_words, word_order
from synthgen.dataset.membership import Membership
from synthgen.engine.cells import CellIndex
from synthgen.engine.controllers.arrangement import (
    by_novelty,
    easy_to_hard,
    hard_to_easy,
    in_blocks,
    in_random_order,
    in_turns,
)
from synthgen.engine.laws import listed_cells
from synthgen.engine.plan import Plan
from synthgen.engine.repeats import Times
from synthgen.engine.split_state import MISSING, Chosen
from synthgen.recipe.schema import Order

Places = NDArray[np.int64]


def arranged(
    order: Order, values: NDArray[np.int64], lots: U64, salt: int, axes: Mapping[str, Axis]
) -> Places:
    """Return the indices of rows in the order in which they are read, (n,).

    Args:
        order: order of the recipe.
        values: values of its axis, (n,).
        lots: random bits that break ties, (n,).
        salt: 64 random bits that decide which values become visible first.
        axes: axes of all sources, for the values that the recipe names.
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
    """Return the weight of each value that rows have, 1 unless the recipe lists it."""
    if order.axis not in axes:
        by_value = {values[0]: weight for values, weight in order.of}
        return np.array([by_value.get(value, 1.0) for value in found.tolist()])
    index = CellIndex((order.axis,), axes)
    listed = listed_cells(order.of, index)
    cells = index.number({order.axis: found}, len(found))
    return np.array([listed.get(cell, 1.0) for cell in cells.tolist()])


def in_final_order(plan: Plan, chosen: Chosen) -> Membership:
    """Return a split's rows in their final order: arranged, shuffled by a key, or by address."""
    sources, addresses = chosen.sources, chosen.addresses
    occurrences = None
    if chosen.times is not None:
        occurrences = _occurrences(chosen.times)
        sources = np.repeat(sources, chosen.times)
        addresses = np.repeat(addresses, chosen.times)
    arrangement = chosen.winners.spec.order
    if plan.recipe.output.order == "address" and arrangement is None:
        order = np.lexsort((addresses, sources))
    else:
        salt = stream_key(plan.recipe.seed, "order", chosen.winners.spec.name)
        ranks = shuffle_ranks(sources, addresses, salt, occurrences)
        order = word_order(ranks)
        if arrangement:
            values = chosen.values(arrangement.axis)
            values = values if chosen.times is None else np.repeat(values, chosen.times)
            order = arranged(arrangement, values, ranks, salt, plan.axes)
    return Membership(sources[order], addresses[order])


def load_order_kernels() -> None:
    """Load the kernels that order rows before they are needed, while workers draw."""
    nothing = np.zeros(0, np.uint64)
    word_order(shuffle_words(nothing.astype(np.uint16), nothing, np.uint64(0)))


def _occurrences(times: Times) -> NDArray[np.uint64]:
    """Return for each repeated row the number of equal rows before it."""
    starts = np.cumsum(times) - times
    return (np.arange(times.sum()) - np.repeat(starts, times)).astype(np.uint64)


_MOST_VALUES_NAMED = 3
_VALUE = "value"


def unseen_faults(plan: Plan, chosen_rows: Sequence[Chosen]) -> Iterator[Fault]:
    """Report splits with values that they must not share with another split."""
    by_name = {chosen.winners.spec.name: chosen for chosen in chosen_rows}
    for index, split in enumerate(plan.splits):
        unseen = split.spec.unseen
        if unseen is None:
            continue
        seen, mine = (_values(by_name[name], unseen.axes) for name in (unseen.of, split.name))
        shared = mine.join(seen, on=_VALUE, how="semi").to_series()
        if len(shared):
            named = ", ".join(map(str, shared.sort().head(_MOST_VALUES_NAMED)))
            text = (
                f"split {split.name!r} shares {len(shared):,} values of {', '.join(unseen.axes)} "
                f"with {unseen.of!r}, such as {named}; keep them apart by rules or sources"
            )
            yield plan.draft.fault(f"split.{index}.unseen", text)


def _values(chosen: Chosen, axes: Sequence[str]) -> pl.DataFrame:
    """Return the different values of some axes, in no order."""
    values = np.concatenate([piece for name in axes for piece in chosen.held[name]])
    return pl.DataFrame({_VALUE: values}).unique().filter(pl.col(_VALUE) != MISSING)


def measured(chosen: Chosen) -> Mapping[str, Evenness]:
    """Return how evenly the rows of a split are spread over each axis that it measures."""
    found = {}
    for name in chosen.winners.spec.measure:
        values = chosen.values(name)
        if chosen.times is not None:
            values = np.repeat(values, chosen.times)
        counts = pl.DataFrame({_VALUE: values}).group_by(_VALUE).len()
        there = counts.filter(pl.col(_VALUE) != MISSING)
        found[name] = evenness(there.get_column("len").to_numpy())
    return found
