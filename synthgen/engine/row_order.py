"""The final order of a split's rows: by address, shuffled by a key, or arranged along an axis."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from synthgen.core.randomness import mix_words, stream_key
from synthgen.core.selection_kernels import shuffle_words
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
        ranks = shuffle_words(sources, addresses, np.uint64(salt))
        if occurrences is not None:  # repeats are spread out, too
            ranks = np.where(occurrences == 0, ranks, mix_words(ranks + occurrences))
        order = word_order(ranks)
        if arrangement:
            values = chosen.values(arrangement.axis)
            values = values if chosen.times is None else np.repeat(values, chosen.times)
            order = arranged(arrangement, values, ranks, salt, plan.axes)
    return Membership(sources[order], addresses[order])


def load_order_kernels() -> None:
    """Load what puts rows in order ahead of the first call, which would take as long for it."""
    nothing = np.zeros(0, np.uint64)
    word_order(shuffle_words(nothing.astype(np.uint16), nothing, np.uint64(0)))


def _occurrences(times: Times) -> NDArray[np.uint64]:
    """Return for each repeated row how many equal ones stand before it."""
    starts = np.cumsum(times) - times
    return (np.arange(times.sum()) - np.repeat(starts, times)).astype(np.uint64)
