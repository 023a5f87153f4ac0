"""Mixes: their skills and topics, the options held out of training, and the slots of a cycle.

A pool is a set of skills (those of training, those held out, all) with a set of topics. In a round
each pool has, for each k, one covering design with topics for its blocks. In every round the skills
of a design are relabeled at random and its topics turned by one, which keeps the coverage and gives
other mixes. Skills with a partner that they must not meet keep their place, and their pool has a
few designs that take turns.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from synthgen.core.checks import check_int
from synthgen.core.errors import ParamError, nearest
from synthgen.draws.randomness import U64, stream_key
from synthgen.draws.streams import keyed_order, mix_words
from synthgen.families.skill_prompt.covering import assign_topics, covering_design
from synthgen.families.skill_prompt.inventory import Skill, id_of_name, skills_of, topics_of

T = TypeVar("T")
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
Columns = NDArray[np.int16]
POOLS = ("train", "held", "all")
MEASURED = (
    *("topic_held", "n_held_skills", "n_held_pairs", "n_held_cells"),
    *("tuple_held", "open_size", "tuple"),
)
_TURNS = 4
_NO_SKILL = np.iinfo(np.int16).max


class Source(NamedTuple):
    """Params that determine a world; see the family."""

    inventory: str
    topics: str
    key: int
    incompatible: tuple[str, ...]
    held_categories: tuple[str, ...]
    held_skills: int
    held_topics: int
    held_pairs: int
    held_cells: int


@dataclass(frozen=True)
class World:
    """Skills and topics, numbered in the order of their ids and names.

    Attributes:
        skills, topics: Skills and topics of the inventory.
        held_skills, held_topics: Flags of held-out skills and topics, bool (v,) and (t,).
        held_pairs: Pairs that training lacks, symmetric, bool (v, v).
        held_cells: Skills and topics that must not meet in training, bool (v, t).
        barred: Pairs that no mix may have, symmetric, bool (v, v).
    """

    skills: tuple[Skill, ...]
    topics: tuple[str, ...]
    held_skills: Flags
    held_topics: Flags
    held_pairs: Flags
    held_cells: Flags
    barred: Flags


@lru_cache(maxsize=32)
def make_world(source: Source) -> World:
    """Read the inventory, and choose the held-out skills, topics, pairs and cells.

    Raises:
        ParamError: For a faulty inventory, unknown names, or more held out than may be.
    """
    skills, topics = skills_of(source.inventory), topics_of(source.topics)
    check_int("held_topics", source.held_topics, 0, len(topics) - 1)
    barred = _barred(source.incompatible, skills)
    held_skills = _held_skills(source, skills)
    held_topics = _chosen(source.key, "held_topics", range(len(topics)), source.held_topics)
    known = [i for i in range(len(skills)) if not held_skills[i]]
    pairs = [pair for pair in combinations(known, 2) if not barred[pair]]
    check_int("held_pairs", source.held_pairs, 0, len(pairs) // 2)
    held_pairs = np.zeros_like(barred)
    for pair in _chosen(source.key, "held_pairs", pairs, source.held_pairs):
        held_pairs[pair] = held_pairs[pair[::-1]] = True
    cells = [(i, j) for i in known for j in range(len(topics)) if j not in held_topics]
    check_int("held_cells", source.held_cells, 0, len(cells) // 2)
    held_cells = np.zeros((len(skills), len(topics)), np.bool_)
    for cell in _chosen(source.key, "held_cells", cells, source.held_cells):
        held_cells[cell] = True
    return World(
        skills=skills,
        topics=topics,
        held_skills=held_skills,
        held_topics=np.isin(np.arange(len(topics)), held_topics),
        held_pairs=held_pairs,
        held_cells=held_cells,
        barred=barred,
    )


def _barred(incompatible: Iterable[str], skills: Sequence[Skill]) -> Flags:
    places = {skill.id: i for i, skill in enumerate(skills)}
    barred = np.zeros((len(skills), len(skills)), np.bool_)
    for text in incompatible:
        ids = [id_of_name(name) for name in text.partition(" x ")[::2]]
        for name in ids:
            if name not in places:
                meant = nearest(name, places)
                hint = f", such as {meant!r}" if meant else ""
                expected = f"'ID x ID' with ids of skills of the inventory{hint}"
                raise ParamError("incompatible", text, expected)
        i, j = (places[name] for name in ids)
        if i == j:
            raise ParamError("incompatible", text, "two different skills")
        barred[i, j] = barred[j, i] = True
    return barred


def _held_skills(source: Source, skills: Sequence[Skill]) -> Flags:
    categories = sorted({skill.category for skill in skills})
    for name in source.held_categories:
        if name not in categories:
            raise ParamError("held_categories", name, f"categories out of {', '.join(categories)}")
    held = np.array([skill.category in source.held_categories for skill in skills])
    others = [i for i in range(len(skills)) if not held[i]]
    if not others:
        raise ParamError("held_categories", source.held_categories, "not all of the categories")
    check_int("held_skills", source.held_skills, 0, len(others) - 1)
    held[_chosen(source.key, "held_skills", others, source.held_skills)] = True
    return held


def _chosen(key: int, label: str, items: Sequence[T], n: int) -> list[T]:
    """Choose n of the items at random; fewer are a subset of more."""
    order = keyed_order(stream_key("skillmix", key, label), len(items))
    return [items[place] for place in order[:n].tolist()]


@dataclass(frozen=True)
class Pool:
    """Skills and topics that are mixed.

    Attributes:
        number: Place in POOLS, for its skills.
        skills: Codes, those that can be relabeled first.
        n_free: Number of skills that can be relabeled.
        topics: Codes of the topics.
        barred: Pairs that its mixes must not have, by place in `skills`.
        spared: Whether its mixes avoid held cells.
    """

    number: int
    skills: Ints
    n_free: int
    topics: Ints
    barred: tuple[tuple[int, int], ...]
    spared: bool

    def labels(self, key: int) -> Ints:
        """Return the skills with the free ones in a random order."""
        free = self.skills[keyed_order(key, self.n_free)]
        return np.concatenate([free, self.skills[self.n_free :]])


def _make_pools(world: World) -> list[Pool]:
    """Return the pools, each once, those of training first."""
    everything = np.ones(len(world.skills), np.bool_)
    members = [
        np.flatnonzero(flags) for flags in (~world.held_skills, world.held_skills, everything)
    ]
    held = (world.held_skills, world.held_pairs, world.held_cells)
    is_split = any(bool(flags.any()) for flags in held)
    topic_sets = [np.flatnonzero(~world.held_topics), np.flatnonzero(world.held_topics)]
    pools = []
    for number, name in enumerate(POOLS):
        skills = members[number]
        if not len(skills) or not (is_split or name == "all"):
            continue
        barred = world.barred | world.held_pairs if name == "train" else world.barred
        bound = barred[skills][:, skills]
        fixed = bound.any(axis=1)
        order = np.argsort(fixed, kind="stable")
        places = np.argwhere(np.triu(bound[order][:, order])).tolist()
        pairs = tuple((i, j) for i, j in places)
        for topics in topic_sets:
            if len(topics):
                spared = topics is topic_sets[0] and name == "train"
                n_free = len(skills) - int(fixed.sum())
                pools.append(Pool(number, skills[order], n_free, topics, pairs, spared))
    return pools


@dataclass(frozen=True)
class Cycle:
    """The mixes of a few rounds, before relabeling.

    Attributes:
        slots: Rows of turn, place of the pool, k, place of the topic in the pool's topics, and
            places of the skills in the pool's skills, -1 after the last; (s, 4 + m).
        pools: Pools of the slots.
        turns: Number of rounds until the same designs return.
    """

    slots: Ints
    pools: list[Pool]
    turns: int

    def __len__(self) -> int:
        return len(self.slots)


@lru_cache(maxsize=8)
def make_cycle(source: Source, ks: tuple[int, ...], strength: int) -> Cycle:
    """Search all designs, and assign topics to their blocks.

    Raises:
        ParamError: If no pool has a mix of some k.
    """
    pools = _make_pools(make_world(source))
    turns = _TURNS if any(pool.barred for pool in pools) else 1
    designs = {
        (number, k, turn): _slots(pool, (number, k, min(strength, k)), turn, source.key, max(ks))
        for number, pool in enumerate(pools)
        for k in ks
        for turn in range(turns if pool.barred else 1)
        if len(pool.skills) >= k
    }
    for k in ks:
        if not any(len(slots) for (_, size, _), slots in designs.items() if size == k):
            raise ParamError("ks", ks, f"sizes of possible mixes, and no mix has {k} skills")
    parts = []
    for turn in range(turns):
        for (number, _, first), slots in designs.items():
            if first == (turn if pools[number].barred else 0):
                parts.append(slots.copy())
                parts[-1][:, 0] = turn
    return Cycle(np.concatenate(parts), pools, turns)


def _slots(pool: Pool, design: tuple[int, int, int], turn: int, key: int, width: int) -> Ints:
    """Return the slots of a design.

    Args:
        pool: Skills and topics to mix.
        design: Place of the pool, k and strength.
        turn: First turn of the design.
        key: Key of all designs.
        width: Largest k.
    """
    number, k, strength = design
    word = stream_key("skillmix", key, "design", number, k, turn)
    blocks = covering_design(len(pool.skills), k, strength, word, pool.barred)
    rows = np.full((len(blocks), 4 + width), -1, np.int64)
    rows[:, 0], rows[:, 1], rows[:, 2] = turn, number, k
    if len(blocks):
        rows[:, 3] = assign_topics(blocks, len(pool.skills), len(pool.topics), word)
    rows[:, 4 : 4 + k] = blocks
    return rows


class Mixes(NamedTuple):
    """Mixes of n rows.

    Attributes:
        sizes: Number of skills k, (n,).
        topics: Code of each topic, (n,).
        skills: Codes in rising order, the last of the k again after it, (n, m).
        pools: Place in POOLS, (n,).
        rounds: Number of the round, int32 (n,).
    """

    sizes: Columns
    topics: Columns
    skills: Columns
    pools: Columns
    rounds: NDArray[np.int32]


def mixes_at(addresses: U64, cycle: Cycle, world: World, key: int) -> Mixes:
    """Return the mixes at these addresses, slot after slot and round after round.

    Args:
        addresses: Addresses of the rows.
        cycle: Slots of the mixes.
        world: World with its held-out options.
        key: Key of the relabeling.
    """
    whole, slot = (part.astype(np.int64) for part in np.divmod(addresses, np.uint64(len(cycle))))
    slots = cycle.slots[slot]
    places, sizes, topics, items = slots[:, 1], slots[:, 2], slots[:, 3], slots[:, 4:]
    rounds = whole * cycle.turns + slots[:, 0]
    skills = np.full(items.shape, _NO_SKILL, np.int16)
    for place, pool in enumerate(cycle.pools):
        rows = np.flatnonzero(places == place)
        if not len(rows):
            continue
        numbers, which = np.unique(rounds[rows], return_inverse=True)
        keys = (stream_key("skillmix", key, "labels", place, number) for number in numbers.tolist())
        labels = np.array([pool.labels(label_key) for label_key in keys], np.int16)
        mixed = np.where(items[rows] < 0, _NO_SKILL, labels[which[:, None], items[rows]])
        mixed.sort(axis=1)
        skills[rows] = np.minimum(mixed, mixed[np.arange(len(rows)), sizes[rows] - 1, None])
        turned = (topics[rows] + whole[rows]) % len(pool.topics)
        topics[rows] = pool.topics[turned]
        if pool.spared:
            for row in rows[world.held_cells[skills[rows], topics[rows, None]].any(axis=1)]:
                topics[row] = _spared(skills[row], topics[row], pool.topics, world.held_cells)
    numbers = np.array([pool.number for pool in cycle.pools], np.int16)
    columns = (sizes.astype(np.int16), topics.astype(np.int16), skills, numbers[places])
    return Mixes(*columns, rounds.astype(np.int32))


def _spared(mix: Columns, topic: int, topics: Ints, held_cells: Flags) -> int:
    """Return the next of the topics, cyclically, without a held cell; the same if there is none."""
    following = np.roll(topics, -int(np.searchsorted(topics, topic)))
    return int(following[held_cells[mix][:, following].any(axis=0).argmin()])


class HeldSets(NamedTuple):
    """Choice of the held-out sets of skills.

    Attributes:
        words: Word for each skill that does not depend on its code, (v,).
        key: Key of the choice.
        share: Share of the sets, 0 to 0.5.
        largest: Largest k of training.
    """

    words: U64
    key: int
    share: float
    largest: int

    def hashes(self, words: U64) -> U64:
        """Return a hash of each set, whose words are a row; zeros do not count."""
        return mix_words(words.sum(axis=1, dtype=np.uint64))

    def has(self, hashes: U64) -> Flags:
        """Return the flags of held-out sets; the caller excludes sets of only one skill."""
        held: Flags = mix_words(hashes ^ np.uint64(self.key)) < np.uint64(int(self.share * 2**64))
        return held


def measured(mixes: Mixes, world: World, sets: HeldSets) -> dict[str, NDArray[Any]]:
    """Return the axes on held-out options."""
    sizes, topics, skills = mixes.sizes, mixes.topics, mixes.skills
    width = skills.shape[1]
    inside = np.arange(width) < sizes[:, None]
    held = world.held_skills[skills] & inside
    pairs = {
        (a, b): world.held_pairs[skills[:, a], skills[:, b]] & inside[:, b]
        for a, b in combinations(range(width), 2)
    }
    words = np.where(inside, sets.words[skills], np.uint64(0))
    hashes = sets.hashes(words)
    open_size = np.zeros(len(sizes), np.int16)
    for size in range(1, min(width, sets.largest) + 1):
        for members in map(list, combinations(range(width), size)):
            is_open = inside[:, members[-1]] & ~held[:, members].any(axis=1)
            for pair in combinations(members, 2):
                is_open &= ~pairs[pair]
            if 1 < size == sets.largest:
                is_open &= ~sets.has(sets.hashes(words[:, members]))
            open_size[is_open] = size
    cells = world.held_cells[skills, topics[:, None]] & inside
    return {
        "topic_held": world.held_topics[topics].astype(np.int16),
        "n_held_skills": held.sum(axis=1, dtype=np.int16),
        "n_held_pairs": sum(pairs.values(), np.zeros(len(sizes), np.int16)),
        "n_held_cells": cells.sum(axis=1, dtype=np.int16),
        "tuple_held": ((sizes > 1) & sets.has(hashes)).astype(np.int16),
        "open_size": open_size,
        "tuple": (hashes >> np.uint64(1)).astype(np.int64),
    }
