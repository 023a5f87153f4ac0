"""The final order of a split's rows: by address, shuffled by a key, or arranged along an axis."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.randomness import mix64, mix_words, stream_key
from synthgen.core.word_order import word_order
from synthgen.dataset.membership import Membership
from synthgen.engine.arrange import arranged
from synthgen.engine.plan import Plan
from synthgen.engine.repeats import Times
from synthgen.engine.split_state import Chosen


def ordered(plan: Plan, chosen: Chosen) -> Membership:
    """Put a split's rows into their final order: arranged, a keyed shuffle, or by address."""
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
        ranks = _shuffle_ranks(sources, addresses, np.uint64(salt))
        if occurrences is not None:  # repeats are spread out, too
            ranks = np.where(occurrences == 0, ranks, mix_words(ranks + occurrences))
        order = word_order(ranks)
        if arrangement:
            values = chosen.values(arrangement.axis)
            values = values if chosen.times is None else np.repeat(values, chosen.times)
            order = arranged(arrangement, values, ranks, salt, plan.axes)
    return Membership(sources[order], addresses[order])


def _occurrences(times: Times) -> NDArray[np.uint64]:
    """Return for each repeated row how many equal ones stand before it."""
    starts = np.cumsum(times) - times
    return (np.arange(times.sum()) - np.repeat(starts, times)).astype(np.uint64)


@njit(cache=True, nogil=True)
def _shuffle_ranks(
    sources: NDArray[np.uint16], addresses: NDArray[np.uint64], salt: np.uint64
) -> NDArray[np.uint64]:
    """Return the words whose order is the shuffle, (n,)."""
    ranks = np.empty(len(addresses), np.uint64)
    for i in range(len(ranks)):
        ranks[i] = mix64(mix64(addresses[i] ^ salt) ^ np.uint64(sources[i]))
    return ranks
