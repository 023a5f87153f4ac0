"""Kernels that turn addresses into mixes: skills, their order, a topic, and what is held out."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.randomness import draw_below, mix64

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
Columns = NDArray[np.int16]
U64 = NDArray[np.uint64]

_KEPT = 2048
"""Relabellings that are kept, as the rows of a shard are in no order."""

N_MEASURED = 7
TOPIC_HELD, HELD_SKILLS, HELD_PAIRS, HELD_CELLS, TUPLE_HELD, OPEN_SIZE, CHECKERS = range(N_MEASURED)


@njit(cache=True, nogil=True)
def draw_mixes(
    addresses: U64,
    slots: tuple[Ints, Ints, Ints, Ints, Ints],
    turns: Int,
    pools: tuple[Ints, Ints, Ints, Ints, Ints, Flags],
    held_cells: Flags,
    key: np.uint64,
) -> tuple[Columns, Columns, Columns, NDArray[np.int32], Columns]:
    """Return sizes, topics and pools (n,), rounds (n,), and skills in rising order (n, m).

    Args:
        addresses: of the rows.
        slots: turn, pool, size, topic (s,) and items (s, m) of a cycle.
        turns: rounds of a cycle.
        pools: skills of all pools and their offsets, how many of each can be relabelled, topics
            and their offsets, and whether held cells are avoided.
        held_cells: bool (v, t).
        key: of the relabelling.
    """
    turn_of, pool_of, size_of, topic_of, items = slots
    skills, skill_offsets, free, topics, topic_offsets, spared = pools
    n, width = len(addresses), items.shape[1]
    sizes, chosen, found = np.empty(n, np.int16), np.empty(n, np.int16), np.empty(n, np.int16)
    rounds = np.empty(n, np.int32)
    mixes = np.empty((n, width), np.int16)
    labels = np.empty((_KEPT, len(held_cells)), np.int16)
    made_for = np.full(_KEPT, -1, np.int64)
    slots_each = np.uint64(len(turn_of))
    for i in range(n):
        whole = addresses[i] // slots_each
        cycle, slot = np.int64(whole), np.int64(addresses[i] - whole * slots_each)
        pool, size = pool_of[slot], size_of[slot]
        number = cycle * turns + turn_of[slot]
        own = number * len(free) + pool
        kept = own % _KEPT
        if made_for[kept] != own:
            made_for[kept] = own
            first, last = skill_offsets[pool], skill_offsets[pool + 1]
            word = mix64(key ^ mix64(np.uint64(number * 64 + pool)))
            _relabel(skills, first, last, free[pool], word, labels, kept)
        for j in range(size):
            _insert(mixes, i, j, labels[kept, items[slot, j]])
        for j in range(size, width):
            mixes[i, j] = mixes[i, size - 1]
        n_topics = topic_offsets[pool + 1] - topic_offsets[pool]
        place = (topic_of[slot] + cycle) % n_topics
        if spared[pool]:
            among = topics[topic_offsets[pool] : topic_offsets[pool + 1]]
            place = _spare(mixes[i, :size], among, place, held_cells)
        sizes[i], chosen[i] = size, topics[topic_offsets[pool] + place]
        found[i], rounds[i] = pool, number
    return sizes, chosen, found, rounds, mixes


@lent
def _relabel(
    skills: Ints, first: Int, end: Int, free: Int, key: np.uint64, labels: Columns, row: Int
) -> None:
    """Shuffle the first `free` skills of a pool (Fisher-Yates) into a row; the others stay."""
    for j in range(end - first):
        labels[row, j] = skills[first + j]
    for last in range(free - 1, 0, -1):
        other = draw_below(key, last, last + 1)
        labels[row, last], labels[row, other] = labels[row, other], labels[row, last]


@lent
def _insert(mixes: Columns, row: Int, at: Int, skill: Int) -> None:
    """Put a skill in its place among the first `at` of a row, which rise."""
    while at > 0 and mixes[row, at - 1] > skill:
        mixes[row, at] = mixes[row, at - 1]
        at -= 1
    mixes[row, at] = skill


@lent
def _spare(mix: Columns, among: Ints, place: Int, held_cells: Flags) -> Int:
    """Return the first topic from `place` on, around, that no skill is kept from; else `place`."""
    for step in range(len(among)):
        at = (place + step) % len(among)
        free = True
        for skill in mix:
            free &= not held_cells[skill, among[at]]
        if free:
            return at
    return place


@njit(cache=True, nogil=True)
def order_of(keys: U64, sizes: Columns, mixes: Columns) -> Columns:
    """Return the skills of each row in the order of its prompt, (n, m)."""
    ordered = mixes.copy()
    for i in range(len(keys)):
        for last in range(sizes[i] - 1, 0, -1):
            other = draw_below(keys[i], last, last + 1)
            kept = ordered[i, last]
            ordered[i, last] = ordered[i, other]
            ordered[i, other] = kept
    return ordered


@njit(cache=True, nogil=True)
def prefix_codes(
    sizes: Columns, mixes: Columns, topics: Columns, first_topic: Int, first_skill: Int
) -> tuple[NDArray[np.uint16], Ints]:
    """Return derivations in prefix order: size, skills in rising order, topic."""
    n = len(sizes)
    offsets = np.zeros(n + 1, np.int64)
    for i in range(n):
        offsets[i + 1] = offsets[i] + sizes[i] + 2
    codes = np.empty(offsets[n], np.uint16)
    for i in range(n):
        at = offsets[i]
        codes[at] = sizes[i] - 1
        for j in range(sizes[i]):
            codes[at + 1 + j] = first_skill + mixes[i, j]
        codes[at + 1 + sizes[i]] = first_topic + topics[i]
    return codes, offsets


@njit(cache=True, nogil=True)
def measure(
    sizes: Columns,
    mixes: Columns,
    topics: Columns,
    held: tuple[Flags, Flags, Flags, Flags],
    checkers: Flags,
    words: U64,
    key: np.uint64,
    threshold: np.uint64,
    most: Int,
) -> tuple[NDArray[np.int16], NDArray[np.int64]]:
    """Return what is held out of each mix, (n, N_MEASURED), and the number of its set of skills.

    Args:
        sizes: of the rows, (n,).
        mixes: their skills, (n, m).
        topics: of the rows, (n,).
        held: skills (v,), topics (t,), pairs (v, v), cells (v, t).
        checkers: which skills have one, (v,).
        words: one of each skill, whatever its code.
        key: of the choice of held tuples.
        threshold: a set is held out if its lot is below.
        most: largest k of training.
    """
    skill_held, topic_held, pair_held, cell_held = held
    n = len(sizes)
    out = np.zeros((n, N_MEASURED), np.int16)
    numbers = np.empty(n, np.int64)
    for i in range(n):
        mix, topic = mixes[i, : sizes[i]], topics[i]
        out[i, TOPIC_HELD] = topic_held[topic]
        for a in range(len(mix)):
            out[i, HELD_SKILLS] += skill_held[mix[a]]
            out[i, HELD_CELLS] += cell_held[mix[a], topic]
            out[i, CHECKERS] += checkers[mix[a]]
            for b in range(a):
                out[i, HELD_PAIRS] += pair_held[mix[a], mix[b]]
        everything = (1 << len(mix)) - 1
        word = _set_word(mix, everything, words)
        numbers[i] = np.int64(word >> np.uint64(1))
        out[i, TUPLE_HELD] = len(mix) > 1 and mix64(word ^ key) < threshold
        if not out[i, HELD_SKILLS] and not out[i, HELD_PAIRS] and len(mix) < most:
            out[i, OPEN_SIZE] = len(mix)
            continue
        out[i, OPEN_SIZE] = _open_size(mix, skill_held, pair_held, words, key, threshold, most)
    return out, numbers


@lent
def _set_word(mix: Columns, members: Int, words: U64) -> np.uint64:
    """Return a word for a subset of a mix that does not depend on the order."""
    total = np.uint64(0)
    for j in range(len(mix)):
        if members >> j & 1:
            total += words[mix[j]]
    return mix64(total)


@lent
def _open_size(
    mix: Columns,
    skill_held: Flags,
    pair_held: Flags,
    words: U64,
    key: np.uint64,
    threshold: np.uint64,
    most: Int,
) -> Int:
    """Return the size of the largest subset that a mix of training may have."""
    best: Int = np.int64(0)
    for members in range(1, 1 << len(mix)):
        size: Int = np.int64(0)
        for j in range(len(mix)):
            size += members >> j & 1
        if size <= best or size > most:
            continue
        if not _is_open(mix, members, skill_held, pair_held):
            continue
        lot = mix64(_set_word(mix, members, words) ^ key)
        if size == most and size > 1 and lot < threshold:
            continue
        best = size
    return best


@lent
def _is_open(mix: Columns, members: Int, skill_held: Flags, pair_held: Flags) -> bool:
    for a in range(len(mix)):
        if not members >> a & 1:
            continue
        if skill_held[mix[a]]:
            return False
        for b in range(a):
            if members >> b & 1 and pair_held[mix[a], mix[b]]:
                return False
    return True
