"""Kernels that turn addresses into mixes, measure what is held out of them, and write texts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthgen.core.byte_spans import copy_bytes
from synthgen.core.kernels import Int, jit, kernel
from synthgen.draws.randomness import draw_below, mix64

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
Columns = NDArray[np.int16]
U64 = NDArray[np.uint64]

_KEPT = 2048
"""Relabellings that are kept, as the rows of a shard are in no particular order."""


class Slots(NamedTuple):
    """Slots of a cycle of rounds.

    Attributes:
        turn: round within the cycle, (s,).
        pool: number of the pool, (s,).
        size: number of skills k, (s,).
        topic: place of the topic in the pool's topics, (s,).
        items: places of the skills in the pool's skills, -1 after the last, (s, m).
    """

    turn: Ints
    pool: Ints
    size: Ints
    topic: Ints
    items: Ints


class Pools(NamedTuple):
    """Skills and topics of p pools.

    Attributes:
        skills: codes, pool by pool.
        skill_offsets: where the skills of each pool begin, (p + 1,).
        n_free: number of the first skills that can be relabelled, (p,).
        topics: codes, pool by pool.
        topic_offsets: where the topics of each pool begin, (p + 1,).
        spared: whether the pool's mixes avoid held cells, (p,).
    """

    skills: Ints
    skill_offsets: Ints
    n_free: Ints
    topics: Ints
    topic_offsets: Ints
    spared: Flags


class Mixes(NamedTuple):
    """Mixes of n rows.

    Attributes:
        sizes: number of skills k, (n,).
        topics: codes, (n,).
        skills: codes, the last of the k again after it, (n, m).
    """

    sizes: Columns
    topics: Columns
    skills: Columns


class HeldOut(NamedTuple):
    """What is held out of training.

    Attributes:
        skills, topics: bool (v,) and (t,).
        pairs: symmetric, bool (v, v).
        cells: bool (v, t).
        words: a word for each skill, which does not depend on its code, (v,).
        key: of the choice of held sets.
        threshold: a set of skills is held out if its word is below.
        largest: largest k of training.
    """

    skills: Flags
    topics: Flags
    pairs: Flags
    cells: Flags
    words: U64
    key: np.uint64
    threshold: np.uint64
    largest: Int


@jit
def draw_mixes(
    addresses: U64, slots: Slots, turns: Int, pools: Pools, held_cells: Flags, key: np.uint64
) -> tuple[Mixes, Columns, NDArray[np.int32]]:
    """Return the mixes with skills in rising order, and the pool and the round of each row.

    Args:
        addresses: of the rows.
        slots: of a cycle.
        turns: number of rounds of a cycle.
        pools: that the slots refer to.
        held_cells: bool (v, t).
        key: of the relabelling.
    """
    n, width = len(addresses), slots.items.shape[1]
    sizes, topics, found = np.empty(n, np.int16), np.empty(n, np.int16), np.empty(n, np.int16)
    rounds = np.empty(n, np.int32)
    skills = np.empty((n, width), np.int16)
    labels = np.empty((_KEPT, len(held_cells)), np.int16)
    labelled = np.full(_KEPT, -1, np.int64)
    slots_each = np.uint64(len(slots.turn))
    for i in range(n):
        whole = addresses[i] // slots_each
        cycle, slot = np.int64(whole), np.int64(addresses[i] - whole * slots_each)
        pool, size = slots.pool[slot], slots.size[slot]
        number = cycle * turns + slots.turn[slot]
        wanted = number * len(pools.n_free) + pool
        row = wanted % _KEPT
        if labelled[row] != wanted:
            labelled[row] = wanted
            _relabel(pools, pool, mix64(key ^ mix64(np.uint64(number * 64 + pool))), labels, row)
        for j in range(size):
            _insert(skills, i, j, labels[row, slots.items[slot, j]])
        for j in range(size, width):
            skills[i, j] = skills[i, size - 1]
        first = pools.topic_offsets[pool]
        n_topics = pools.topic_offsets[pool + 1] - first
        place = (slots.topic[slot] + cycle) % n_topics
        if pools.spared[pool]:
            place = _spare(
                skills[i, :size], pools.topics[first : first + n_topics], place, held_cells
            )
        sizes[i], topics[i] = size, pools.topics[first + place]
        found[i], rounds[i] = pool, number
    return Mixes(sizes, topics, skills), found, rounds


@kernel
def _relabel(pools: Pools, pool: Int, key: np.uint64, labels: Columns, row: Int) -> None:
    """Shuffle the free skills of a pool (Fisher-Yates) into a row; the others keep their place."""
    first = pools.skill_offsets[pool]
    for j in range(pools.skill_offsets[pool + 1] - first):
        labels[row, j] = pools.skills[first + j]
    for last in range(pools.n_free[pool] - 1, 0, -1):
        other = draw_below(key, last, last + 1)
        labels[row, last], labels[row, other] = labels[row, other], labels[row, last]


@kernel
def _insert(skills: Columns, row: Int, at: Int, skill: Int) -> None:
    """Insert a skill into the first `at` of a row, which rise."""
    while at > 0 and skills[row, at - 1] > skill:
        skills[row, at] = skills[row, at - 1]
        at -= 1
    skills[row, at] = skill


@kernel
def _spare(mix: Columns, topics: Ints, place: Int, held_cells: Flags) -> Int:
    """Return the first place from `place` on, cyclically, without a held cell; else `place`."""
    for step in range(len(topics)):
        at = (place + step) % len(topics)
        free = True
        for skill in mix:
            free &= not held_cells[skill, topics[at]]
        if free:
            return at
    return place


@jit
def prefix_codes(
    mixes: Mixes, first_topic: Int, first_skill: Int
) -> tuple[NDArray[np.uint16], Ints]:
    """Return derivations in prefix order: size, skills in rising order, topic."""
    n = len(mixes.sizes)
    offsets = np.zeros(n + 1, np.int64)
    for i in range(n):
        offsets[i + 1] = offsets[i] + mixes.sizes[i] + 2
    codes = np.empty(offsets[n], np.uint16)
    for i in range(n):
        at, size = offsets[i], mixes.sizes[i]
        codes[at] = size - 1
        for j in range(size):
            codes[at + 1 + j] = first_skill + mixes.skills[i, j]
        codes[at + 1 + size] = first_topic + mixes.topics[i]
    return codes, offsets


MEASURED = (
    "topic_held",
    "n_held_skills",
    "n_held_pairs",
    "n_held_cells",
    "tuple_held",
    "open_size",
)
_TOPIC_HELD, _HELD_SKILLS, _HELD_PAIRS, _HELD_CELLS, _TUPLE_HELD, _OPEN_SIZE = range(len(MEASURED))


@jit
def measure(mixes: Mixes, held: HeldOut) -> tuple[Columns, Ints]:
    """Return the columns of MEASURED, (n, 6), and the number of each set of skills, (n,)."""
    n = len(mixes.sizes)
    out = np.zeros((n, len(MEASURED)), np.int16)
    numbers = np.empty(n, np.int64)
    for i in range(n):
        mix, topic = mixes.skills[i, : mixes.sizes[i]], mixes.topics[i]
        out[i, _TOPIC_HELD] = held.topics[topic]
        for a in range(len(mix)):
            out[i, _HELD_SKILLS] += held.skills[mix[a]]
            out[i, _HELD_CELLS] += held.cells[mix[a], topic]
            for b in range(a):
                out[i, _HELD_PAIRS] += held.pairs[mix[a], mix[b]]
        word = _set_word(mix, (1 << len(mix)) - 1, held.words)
        numbers[i] = np.int64(word >> np.uint64(1))
        out[i, _TUPLE_HELD] = len(mix) > 1 and mix64(word ^ held.key) < held.threshold
        if out[i, _HELD_SKILLS] or out[i, _HELD_PAIRS] or len(mix) >= held.largest:
            out[i, _OPEN_SIZE] = _open_size(mix, held)
        else:
            out[i, _OPEN_SIZE] = len(mix)
    return out, numbers


@kernel
def _set_word(mix: Columns, members: Int, words: U64) -> np.uint64:
    """Return a word for a subset of a mix that does not depend on the order."""
    total = np.uint64(0)
    for j in range(len(mix)):
        if members >> j & 1:
            total += words[mix[j]]
    return mix64(total)


@kernel
def _open_size(mix: Columns, held: HeldOut) -> Int:
    """Return the size of the largest subset that a mix of training may have."""
    best: Int = np.int64(0)
    for members in range(1, 1 << len(mix)):
        size: Int = np.int64(0)
        for j in range(len(mix)):
            size += members >> j & 1
        if size <= best or size > held.largest or not _is_open(mix, members, held):
            continue
        word = mix64(_set_word(mix, members, held.words) ^ held.key)
        if size < held.largest or size == 1 or word >= held.threshold:
            best = size
    return best


@kernel
def _is_open(mix: Columns, members: Int, held: HeldOut) -> bool:
    """Say whether a subset of a mix has no held skill and no held pair."""
    for a in range(len(mix)):
        if not members >> a & 1:
            continue
        if held.skills[mix[a]]:
            return False
        for b in range(a):
            if members >> b & 1 and held.pairs[mix[a], mix[b]]:
                return False
    return True


@jit
def shuffled(keys: U64, mixes: Mixes) -> Mixes:
    """Return the mixes with their skills in the order of the prompt."""
    skills = mixes.skills.copy()
    for i in range(len(keys)):
        for last in range(mixes.sizes[i] - 1, 0, -1):
            other = draw_below(keys[i], last, last + 1)
            skills[i, last], skills[i, other] = skills[i, other], skills[i, last]
    return Mixes(mixes.sizes, mixes.topics, skills)


LITERAL, BY_TOPIC, BY_SIZE, BY_SKILL, LISTED = range(5)
"""Kinds of steps of a program: the text itself, the one of the row's topic or size, those of its
skills, and those of its skills with commas between them."""
_COMMA = np.uint8(ord(","))


class Programs(NamedTuple):
    """How to write a column: steps over a table of texts, for each variant of a text.

    Attributes:
        steps: kind of each step and number of its first text, (m, 2).
        offsets: where the steps of each variant begin.
        data: bytes of all texts.
        ends: offsets of the texts.
    """

    steps: Ints
    offsets: Ints
    data: NDArray[np.uint8]
    ends: Ints


@jit
def write_texts(variants: Ints, mixes: Mixes, programs: Programs) -> tuple[NDArray[np.uint8], Ints]:
    """Run the steps of each row's variant twice: to measure the texts, and to write them."""
    n = len(variants)
    offsets = np.zeros(n + 1, np.int64)
    out = np.empty(0, np.uint8)
    for writing in range(2):
        at: Int = np.int64(0)
        for i in range(n):
            variant = variants[i]
            for step in range(programs.offsets[variant], programs.offsets[variant + 1]):
                kind, text = programs.steps[step, 0], programs.steps[step, 1]
                if kind == BY_SKILL or kind == LISTED:
                    for j in range(mixes.sizes[i]):
                        if kind == LISTED and j:
                            if writing:
                                out[at] = _COMMA
                            at += 1
                        at = _copy(out, at, programs, text + mixes.skills[i, j], writing)
                    continue
                if kind == BY_TOPIC:
                    text += mixes.topics[i]
                elif kind == BY_SIZE:
                    text += mixes.sizes[i]
                at = _copy(out, at, programs, text, writing)
            offsets[i + 1] = at
        if not writing:
            out = np.empty(at, np.uint8)
    return out, offsets


@kernel
def _copy(out: NDArray[np.uint8], at: Int, programs: Programs, text: Int, writing: Int) -> Int:
    """Write a text, or only count its bytes; return where it ends."""
    start, length = programs.ends[text], programs.ends[text + 1] - programs.ends[text]
    if writing:
        copy_bytes(out, at, programs.data, start, length)
    stop: Int = at + length
    return stop
