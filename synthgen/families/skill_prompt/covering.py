"""Covering designs: few blocks of k items out of v such that every t of the items share a block.

The search is greedy: a block starts from t items that share no block yet and takes, one by one, the
item that covers most new t-subsets; ties go to the least used item, then to a random one. The best
of a few starts becomes the block, and blocks that turn out to be redundant are dropped at the end.

Topics are assigned to blocks greedily, too: the topic that the block's items have met least, then
the least used one. If an item still meets one topic at least twice more often than another, blocks
are moved to other topics.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from synthgen.authoring import RowDraws
from synthgen.core.errors import ParamError
from synthgen.draws.randomness import stream_key

Ints = NDArray[np.int64]

_MAX_SUBSETS = 5_000_000
_STARTS = 6
_MAX_RUNS, _RUN_SUBSETS = 16, 2_000
"""Searches for a small design, of which the smallest result is taken."""
_MAX_NODES = 20_000
"""Partial blocks tried before a start that greed cannot complete is given up."""
_MAX_MOVES, _TABU = 3_000, 10
"""Moves of blocks to other topics, and number of the last ones that are not undone."""
_NEVER, _AVOIDED = np.int64(2**62), np.int64(2**40)


def covering_design(
    items: int, size: int, strength: int, key: int, barred_pairs: Sequence[tuple[int, int]]
) -> Ints:
    """Find a covering design; the same one for the same arguments.

    Args:
        items: Number v of items, at least k.
        size: Number k of items of a block, at least t.
        strength: Number t of items that must share a block.
        key: 64 bits for the draws.
        barred_pairs: Pairs of items that no block may have.

    Returns:
        Blocks with their items in rising order, int64 (n, k). Subsets that no block can have
        because of barred pairs are left out.

    Raises:
        ParamError: If there are too many subsets.
    """
    total = comb(items, strength)
    if total > _MAX_SUBSETS:
        expected = f"a strength for which {items} skills have at most {_MAX_SUBSETS:,} subsets"
        raise ParamError("strength", strength, expected)
    barred = np.eye(items, dtype=bool)
    for i, j in barred_pairs:
        barred[i, j] = barred[j, i] = True
    runs = range(max(1, min(_MAX_RUNS, _RUN_SUBSETS // total)) if size > strength else 1)
    designs = [_Search(barred, size, strength, stream_key(key, run)).design() for run in runs]
    return np.array(min(designs, key=len), np.int64).reshape(-1, size)


class _Search:
    """A search for blocks of k items that cover all t-subsets.

    Args:
        barred: Pairs of items that no block may have; each item with itself is one, (v, v).
        size: Number k of items of a block.
        strength: Number t of items that must share a block.
        key: Key of the draws.
    """

    def __init__(self, barred: NDArray[np.bool_], size: int, strength: int, key: int) -> None:
        self._barred, self._size, self._strength = barred, size, strength
        self._draws = RowDraws(key)
        self._uses = np.zeros(len(barred), np.int64)
        # Blocks with each subset, in any order of its items; repeated items have no meaning.
        self._covers = np.zeros((len(barred),) * strength, np.int16)

    def design(self) -> list[list[int]]:
        """Return blocks that cover every subset that a block can have."""
        blocks = self._without_redundant(self._blocks())
        self._even_out(blocks)
        return blocks

    def _blocks(self) -> list[list[int]]:
        """Take the best block of a few starts until no subset is left."""
        waiting = list(combinations(range(len(self._uses)), self._strength))
        n_starts = _STARTS if self._size > self._strength else 1
        blocks = []
        while waiting:
            starts: list[tuple[int, ...]] = []
            while waiting and len(starts) < n_starts:
                place = self._draws.integer(0, len(waiting))
                waiting[place], waiting[-1] = waiting[-1], waiting[place]
                subset = waiting.pop()
                if not self._covers[subset]:
                    starts.append(subset)
            rated = [self._completed(list(start)) for start in starts]
            starts = [start for start, block in zip(starts, rated, strict=True) if block]
            if starts:
                best = max(filter(None, rated), key=lambda block: block[0])[1]
                self._count(best, 1)
                blocks.append(sorted(best))
                waiting += starts
        return blocks

    def _completed(self, block: list[int]) -> tuple[tuple[int, int], list[int]] | None:
        """Complete a block that begins with a new subset; None if that is not possible.

        Returns:
            The rating of the block (new subsets that it covers, then minus the uses of its items),
            and the block.
        """
        if any(self._barred[pair] for pair in combinations(block, 2)):
            return None
        start, gain = list(block), 1
        while len(block) < self._size:
            new = sum(self._covers[rest] == 0 for rest in combinations(block, self._strength - 1))
            score = (new << 32) - self._uses  # new subsets first, then the fewest uses
            score[self._barred[block].any(axis=0)] = -_NEVER
            if score.max() == -_NEVER:
                return self._searched(start)
            block.append(_lowest(-score, self._draws))
            gain += int(new[block[-1]])
        return (gain, -int(self._uses[block].sum())), block

    def _searched(self, start: list[int]) -> tuple[tuple[int, int], list[int]] | None:
        """Search depth first for any block that begins with the same items."""
        waiting = [start]
        for _ in range(_MAX_NODES):
            if not waiting:
                break
            block = waiting.pop()
            if len(block) == self._size:
                return (0, -int(self._uses[block].sum())), block
            first = block[-1] + 1 if len(block) > len(start) else 0
            free = np.flatnonzero(~self._barred[block].any(axis=0)).tolist()
            waiting += [[*block, item] for item in reversed(free) if item >= first]
        return None

    def _count(self, block: list[int], change: int) -> None:
        """Add or remove a block."""
        self._covers[np.ix_(*[block] * self._strength)] += change
        self._uses[block] += change

    def _needs(self, block: list[int], item: int | None = None) -> bool:
        """Return whether some subset of a block (with an item, if given) is in no other block."""
        return any(
            self._covers[subset] == 1
            for subset in combinations(block, self._strength)
            if item is None or item in subset
        )

    def _without_redundant(self, blocks: list[list[int]]) -> list[list[int]]:
        """Drop blocks whose subsets are in other blocks, from the last on, as these cover least."""
        kept = []
        for block in reversed(blocks):
            if self._needs(block):
                kept.append(block)
            else:
                self._count(block, -1)
        return kept[::-1]

    def _even_out(self, blocks: list[list[int]]) -> None:
        """Replace items that a block does not need by less used ones."""
        for block in blocks:
            for item in list(block):
                if self._uses[item] <= self._uses.min() + 1 or self._needs(block, item):
                    continue
                rest = [kept for kept in block if kept != item]
                free = np.flatnonzero(~self._barred[rest].any(axis=0))
                best = int(free[self._uses[free].argmin()])
                if self._uses[best] < self._uses[item] - 1:
                    self._count(block, -1)
                    block[:] = sorted([*rest, best])
                    self._count(block, 1)


def assign_topics(blocks: Ints, items: int, topics: int, key: int) -> Ints:
    """Choose a topic for each block; the same ones for the same arguments.

    Args:
        blocks: Items of each block, (n, k).
        items: Number of items.
        topics: Number of topics.
        key: 64 bits for the draws.

    Returns:
        Topic of each block, int64 (n,).
    """
    draws = RowDraws(key)
    counts = np.zeros((items, topics), np.int64)
    times = np.zeros(topics, np.int64)
    chosen = np.zeros(len(blocks), np.int64)
    for i, block in enumerate(blocks):
        score = counts[block].sum(axis=0) * (len(blocks) + 1) + times
        chosen[i] = _lowest(score, draws)
        counts[block, chosen[i]] += 1
        times[chosen[i]] += 1
    return _evened(blocks, chosen, counts, draws)


def _evened(blocks: Ints, chosen: Ints, counts: Ints, draws: RowDraws) -> Ints:
    """Move blocks to other topics until no item is uneven; return the best topics of all moves.

    An item is uneven if it meets one topic at least twice more often than another. Each move takes
    a block of a random uneven item from a topic that it meets most often to one that it meets
    least: of these moves, the one that is best for the other items of the block. No move undoes one
    of the last few if there is another (tabu search), so the walk leaves local optima.
    """
    best, fewest, topics = chosen.copy(), len(counts) + 1, counts.shape[1]
    undone: deque[int] = deque(maxlen=_TABU)
    for _ in range(_MAX_MOVES):
        uneven = np.flatnonzero(np.ptp(counts, axis=1) > 1)
        if len(uneven) < fewest:
            best, fewest = chosen.copy(), len(uneven)
        if not len(uneven):
            break
        item = uneven[draws.integer(0, len(uneven))]
        most = counts[item] == counts[item].max()
        targets = np.flatnonzero(counts[item] == counts[item].min())
        movable = np.flatnonzero(most[chosen] & (blocks == item).any(axis=1))
        after = counts[blocks[movable]][:, :, targets].sum(axis=1)
        before = counts[blocks[movable], chosen[movable, None]].sum(axis=1)
        rise = after - before[:, None]
        rise[np.isin(movable[:, None] * topics + targets, undone)] += _AVOIDED
        which, where = divmod(_lowest(rise.ravel(), draws), len(targets))
        block, old, new = movable[which], chosen[movable[which]], targets[where]
        undone.append(block * topics + old)
        counts[blocks[block], old] -= 1
        counts[blocks[block], new] += 1
        chosen[block] = new
    return best


def _lowest(values: Ints, draws: RowDraws) -> int:
    """Return the place of the lowest value, or a random one of several."""
    places = np.flatnonzero(values == values.min())
    return int(places[draws.integer(0, len(places))])
