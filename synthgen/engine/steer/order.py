"""The order of a split's rows: by address, shuffled by a key, or arranged by an axis.

An arrangement takes columns of the n rows and gives row numbers, int64 (n,): the first one is the
row to be read first. Lots are 64 random bits of each row that break ties. A reader that shuffles
within a buffer of B rows destroys every order finer than B.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from synthgen.dataset.membership import Membership
from synthgen.draws.randomness import U64, mix_words, stream_key
from synthgen.draws.shuffles import shuffle_ranks, shuffle_words, word_order
from synthgen.engine.plan.plan import Plan
from synthgen.engine.select.packed_addresses import Addressed
from synthgen.engine.select.quotas import Times, Weights, exact_weights, ranks_among_equals
from synthgen.engine.select.split_state import Chosen
from synthgen.engine.steer.greedy import release_order, smooth_turns
from synthgen.recipe.schema import Order
from synthgen.rules.axes import Axis

Places = NDArray[np.int64]
_ROWS_OF_A_PART = 1 << 23
"""Rows that are shuffled at a time."""
_NEAR = 1e-6
"""A share of the groups that is this near to a whole number of them is rounded to it."""


def in_final_order(plan: Plan, chosen: Chosen) -> Membership:
    """Return a split's rows in their final order: arranged, shuffled by a key, or by address."""
    arrangement = chosen.winners.spec.order
    salt = stream_key(plan.recipe.seed, "order", chosen.winners.spec.name)
    by_address = plan.recipe.output.order == "address" and arrangement is None
    if chosen.times is None and arrangement is None and not by_address:
        return shuffled(chosen.addressed, salt)
    rows = chosen.addressed.members()
    occurrences = None
    if chosen.times is not None:
        occurrences = _occurrences(chosen.times)
        rows = rows.take(np.repeat(np.arange(len(rows)), chosen.times))
    if by_address:
        return rows.take(np.lexsort((rows.addresses, rows.sources)))
    ranks = shuffle_ranks(rows.sources, rows.addresses, salt, occurrences)
    if arrangement is None:
        return rows.take(word_order(ranks))
    values = chosen.values(arrangement.axis)
    return rows.take(arranged(arrangement, values, ranks, salt, plan.axes))


def shuffled(rows: Addressed, salt: int) -> Membership:
    """Return rows in the order of the words that shuffle them.

    They are first distributed by the leading bits of their words, and each part is then ordered, so
    that memory beside the result does not grow with it.
    """
    bits = max(1, (len(rows) // _ROWS_OF_A_PART).bit_length())
    counts = np.zeros(1 << bits, np.int64)
    for _, parts in _parts_of_blocks(rows, salt, bits):
        counts += np.bincount(parts, minlength=len(counts))
    ends = np.cumsum(counts)
    members = Membership(np.empty(len(rows), np.uint16), np.empty(len(rows), np.uint64))
    left = counts.copy()
    for (source, addresses), parts in _parts_of_blocks(rows, salt, bits):
        by_part = np.argsort(parts, kind="stable")
        places = (ends - left)[parts[by_part]] + ranks_among_equals(parts[by_part])
        members.sources[places] = source
        members.addresses[places] = addresses[by_part]
        left -= np.bincount(parts, minlength=len(counts))
    for start, stop in zip(ends - counts, ends, strict=True):
        part = members.take(slice(start, stop))
        order = word_order(shuffle_ranks(part.sources, part.addresses, salt))
        members.sources[start:stop] = part.sources[order]
        members.addresses[start:stop] = part.addresses[order]
    return members


def _parts_of_blocks(
    rows: Addressed, salt: int, bits: int
) -> Iterator[tuple[tuple[int, U64], NDArray[np.int64]]]:
    """Yield the source and addresses of each block, and the leading bits of their words, (n,)."""
    for source, addresses in rows:
        words = shuffle_ranks(np.full(len(addresses), source, np.uint16), addresses, salt)
        yield (source, addresses), (words >> np.uint64(64 - bits)).astype(np.int64)


def load_order_kernels() -> None:
    """Load the kernels that order rows before they are needed, while workers draw."""
    nothing = np.zeros(0, np.uint64)
    word_order(shuffle_words(nothing.astype(np.uint16), nothing, np.uint64(0)))


def _occurrences(times: Times) -> NDArray[np.uint64]:
    """Return for each repeated row the number of equal rows before it."""
    starts = np.cumsum(times) - times
    return (np.arange(times.sum()) - np.repeat(starts, times)).astype(np.uint64)


def arranged(
    order: Order, values: NDArray[np.int64], lots: U64, salt: int, axes: Mapping[str, Axis]
) -> Places:
    """Return the indices of rows with these values of an order's axis, as they are read, (n,).

    Lots break ties; the salt, 64 random bits, decides which values become visible first.
    """
    distinct, groups = np.unique(values, return_inverse=True)
    if order.by in {"rising", "falling"}:
        return np.lexsort((lots, groups if order.by == "rising" else -groups))
    if order.by == "novelty":
        group_lots = mix_words(distinct.astype(np.uint64) ^ np.uint64(salt))
        return by_novelty(groups, group_lots, lots, order.first, order.end)
    shuffled = word_order(lots)
    by_group = shuffled[np.argsort(groups[shuffled], kind="stable")]
    if order.by == "blocks" or not len(values):
        return by_group
    return _in_turns(groups, _turn_weights(order, distinct, axes), by_group)


def _turn_weights(
    order: Order, distinct: NDArray[np.int64], axes: Mapping[str, Axis]
) -> NDArray[np.float64]:
    """Return the weight of each value that rows have, 1 unless the recipe lists it."""
    names = axes[order.axis].values if order.axis in axes else ()
    listed = {names.index(str(value)) if names else value: weight for (value,), weight in order.of}
    return np.array([listed.get(value, 1.0) for value in distinct.tolist()])


def _in_turns(groups: Places, weights: Weights, by_group: Places) -> Places:
    """Interleave groups in proportion to weights, as evenly as possible, until rows run out.

    Smooth weighted round robin: weights 5, 1, 1 give the turns 0 0 1 0 2 0 0. A group without rows
    left is skipped, and the others continue by their weights. `by_group` has the rows group by
    group, each in the order in which it is to be read.
    """
    exact = exact_weights(weights)
    common = math.gcd(*exact)
    parts = np.array([weight // common for weight in exact], np.int64)
    turns = smooth_turns(parts, np.bincount(groups, minlength=len(parts)))
    result = np.empty(len(groups), np.int64)
    result[np.argsort(turns, kind="stable")] = by_group
    return result


def by_novelty(
    groups: NDArray[np.integer], group_lots: U64, lots: U64, first: float = 0.2, end: float = 0.8
) -> Places:
    """Order rows so that groups, such as primitives or templates, become visible gradually.

    At position p of n the first max(first, p / (end n)) of the groups, in the order of their lots,
    are visible, and any of their unread rows comes next, each equally likely. Where none is left,
    the next group comes early. This is the schedule of ever new primitives in Zhou, Jiang and
    Bansal (2023, data factors).

    Args:
        groups: Group of each row, 0..g-1, (n,); for a row with several, the one that comes first.
            Rows numbered 0..n-1 make every row a group.
        group_lots: Order of the groups, uint64 (g,).
        lots: Random bits of the rows, uint64 (n,); ties follow the order of the rows.
        first: Share of the groups visible at the beginning, above 0 to 1.
        end: Share of the rows after which all groups are visible, above 0 to 1.
    """
    n, n_groups = len(groups), len(group_lots)
    ranks = np.empty(n_groups, np.int64)
    ranks[np.argsort(group_lots, kind="stable")] = np.arange(n_groups)
    rows = np.lexsort((lots, ranks[groups]))
    offsets = np.concatenate([[0], np.cumsum(np.bincount(ranks[groups], minlength=n_groups))])
    shares = np.minimum(1.0, np.maximum(first, np.arange(n) / (end * n))) if n else np.zeros(0)
    visible = np.ceil(shares * n_groups - _NEAR).astype(np.int64)
    return release_order(rows, offsets, visible, mix_words(lots[rows]))
