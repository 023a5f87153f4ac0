"""Arrangements: the order in which the rows of a split are read.

Each function takes columns of the n rows and returns row numbers, int64 (n,): the first one is the
row to be read first. `lots` are 64 bits of each row, from its key, that break ties; so the order
depends on the content of the rows and not on their input order. A reader that shuffles within a
buffer of B rows destroys every order finer than B.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from synthgen.core.errors import ParamError
from synthgen.core.randomness import U64, Rows, mix_words
from synthgen.core.selection import word_order
from synthgen.core.steering import release_order, smooth_turns
from synthgen.engine.controllers.quotas import Weights, exact_weights

Order = NDArray[np.int64]
_MOST_WEIGHT = 1 << 31
_NEAR = 1e-6
"""A share of the groups that is this near to a whole number of them is rounded to it."""


def lots_of(keys: U64, stream: int) -> U64:
    """Return 64 random bits of each row from 64 bits that identify rows, uint64 (n,)."""
    return Rows(stream, keys).draws().bits()


def in_random_order(lots: U64) -> Order:
    """Return the order of the lots."""
    return word_order(lots)


def easy_to_hard(difficulty: NDArray[np.integer] | NDArray[np.floating], lots: U64) -> Order:
    """Return the order of rising difficulty (curriculum)."""
    return np.lexsort((lots, difficulty))


def hard_to_easy(difficulty: NDArray[np.integer] | NDArray[np.floating], lots: U64) -> Order:
    """Return the order of falling difficulty (anti-curriculum)."""
    _, ranks = np.unique(difficulty, return_inverse=True)
    return np.lexsort((lots, -ranks))


def in_blocks(families: NDArray[np.integer], order: Order) -> Order:
    """Return the rows family by family, lowest first, each family's rows in the given order."""
    return order[np.argsort(families[order], kind="stable")]


def may_take_turns(weights: Weights, last: int) -> bool:
    """Return whether families with these weights, the last one `last` times, can be interleaved."""
    exact = exact_weights(weights)
    common = math.gcd(*exact)
    total = sum(exact) + (last - 1) * exact[-1]
    return min(exact) > 0 and total // common < _MOST_WEIGHT


def in_turns(families: NDArray[np.integer], weights: Weights, order: Order) -> Order:
    """Interleave families in proportion to weights, as evenly as possible, until rows run out.

    Smooth weighted round robin: weights 5, 1, 1 give the turns 0 0 1 0 2 0 0. A family without rows
    left is skipped, and the others continue by their weights.

    Args:
        families: family of each row, 0..k-1, (n,).
        weights: weight of each family, above 0, (k,).
        order: order of the rows within each family.

    Raises:
        ParamError: for a family without a weight, or weights whose proportions take more than 31
            bits to write.
    """
    exact = exact_weights(weights)
    common = int(np.gcd.reduce(np.array(exact, dtype=object)))
    parts = [weight // common for weight in exact]
    if min(parts) < 1 or sum(parts) >= _MOST_WEIGHT:
        raise ParamError("weights", np.asarray(weights).tolist(), "all above 0, with few digits")
    if len(families) and not 0 <= families.min() <= families.max() < len(parts):
        raise ParamError("families", int(families.max()), f"0 to {len(parts) - 1}")
    counts = np.bincount(families, minlength=len(parts))
    turns = smooth_turns(np.array(parts, np.int64), counts)
    result = np.empty(len(families), np.int64)
    result[np.argsort(turns, kind="stable")] = in_blocks(families, order)
    return result


def visible_share(step: int, steps: int, first: float, end: float) -> float:
    """Return the share of groups visible at a step: max(first, step / (end * steps)), at most 1.

    The schedule of ever new primitives in Zhou, Jiang and Bansal (2023, data factors): with
    first 0.2, end 0.8 and 50 steps it is 0.2, 0.25, 0.5, 0.75, 1 at steps 0, 10, 20, 30, 40.

    Raises:
        ParamError: for a share out of range or no steps.
    """
    _check_schedule(steps, first, end)
    return float(_visible(np.array([step]), steps, first, end)[0])


def by_novelty(
    groups: NDArray[np.integer], group_lots: U64, lots: U64, first: float = 0.2, end: float = 0.8
) -> Order:
    """Order rows so that groups, such as primitives or templates, become visible gradually.

    At position p of n the first `visible_share(p, n)` of the groups, in the order of their lots,
    are visible, and any of their unread rows comes next, each equally likely. Where none is left,
    the next group comes early.

    Args:
        groups: group of each row, 0..g-1, (n,); for a row with several, the one that comes first.
            Rows numbered 0..n-1 make every row a group.
        group_lots: order of the groups, uint64 (g,).
        lots: random bits of the rows, uint64 (n,); ties follow the order of the rows.
        first: share of the groups visible at the beginning, above 0 to 1.
        end: share of the rows after which all groups are visible, above 0 to 1.

    Raises:
        ParamError: for a share out of range or groups without a lot.
    """
    n, n_groups = len(groups), len(group_lots)
    _check_schedule(max(n, 1), first, end)
    if n and not 0 <= groups.min() <= groups.max() < n_groups:
        raise ParamError("groups", int(groups.max()), f"0 to {n_groups - 1}")
    ranks = np.empty(n_groups, np.int64)
    ranks[np.argsort(group_lots, kind="stable")] = np.arange(n_groups)
    rows = np.lexsort((lots, ranks[groups]))
    offsets = np.concatenate([[0], np.cumsum(np.bincount(ranks[groups], minlength=n_groups))])
    shares = _visible(np.arange(n), n, first, end)
    visible = np.ceil(shares * n_groups - _NEAR).astype(np.int64)
    return release_order(rows, offsets, visible, mix_words(lots[rows]))


def _visible(steps: NDArray[np.int64], n: int, first: float, end: float) -> NDArray[np.float64]:
    return np.minimum(1.0, np.maximum(first, steps / (end * n)))


def _check_schedule(steps: int, first: float, end: float) -> None:
    if steps < 1:
        raise ParamError("steps", steps, "1 or more")
    for name, value in (("first", first), ("end", end)):
        if not 0.0 < value <= 1.0:
            raise ParamError(name, value, "a number above 0, to 1")
