"""What mixes are made of: skills and topics, what of them is held out, and the slots of a cycle.

A pool is a set of skills (those of training, those held out, all) with a set of topics. In a round
each pool has, for each k, one covering design with topics for its blocks. Round after round the
skills of a design are relabelled at random and its topics turned by one, which keeps what it covers
and gives other mixes. Skills with a partner that they must not meet keep their place, and their
pool has a few designs that take turns.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from synthgen.core.checks import check_int
from synthgen.core.columns import offsets_of
from synthgen.core.errors import ParamError, nearest
from synthgen.draws.randomness import mix_words, stream_key
from synthgen.families.skill_prompt.covering import assign_topics, covering_design
from synthgen.families.skill_prompt.inventory import Skill, id_of_name, skills_of, topics_of
from synthgen.families.skill_prompt.kernels import Pools, Slots

T = TypeVar("T")
Ints = NDArray[np.int64]
POOLS = ("train", "held", "all")
_TURNS = 4


class Source(NamedTuple):
    """The params that a world follows from; see the family."""

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
        skills, topics: of the inventory.
        held_skills, held_topics: bool (v,) and (t,).
        held_pairs: symmetric, bool (v, v).
        held_cells: which skill and topic must not meet in training, bool (v, t).
        barred: pairs that no mix may have, symmetric, bool (v, v).
    """

    skills: tuple[Skill, ...]
    topics: tuple[str, ...]
    held_skills: NDArray[np.bool_]
    held_topics: NDArray[np.bool_]
    held_pairs: NDArray[np.bool_]
    held_cells: NDArray[np.bool_]
    barred: NDArray[np.bool_]


@lru_cache(maxsize=32)
def make_world(source: Source) -> World:
    """Read the inventory and choose what is held out.

    Raises:
        ParamError: for a faulty inventory, unknown names, or more held out than may be.
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


def _barred(incompatible: Iterable[str], skills: Sequence[Skill]) -> NDArray[np.bool_]:
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


def _held_skills(source: Source, skills: Sequence[Skill]) -> NDArray[np.bool_]:
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
    if not n:
        return []
    stream = np.uint64(stream_key("skillmix", key, label))
    words = mix_words(stream + np.arange(len(items), dtype=np.uint64))
    return [items[place] for place in np.argsort(words)[:n]]


@dataclass(frozen=True)
class _Pool:
    """Skills and topics that are mixed.

    Attributes:
        number: place in POOLS, for its skills.
        skills: codes, those that can be relabelled first.
        n_free: number of skills that can be relabelled.
        topics: codes.
        barred: pairs that its mixes must not have, by place in `skills`.
        spared: whether its mixes avoid held cells.
    """

    number: int
    skills: Ints
    n_free: int
    topics: Ints
    barred: tuple[tuple[int, int], ...]
    spared: bool


def _make_pools(world: World) -> list[_Pool]:
    """Return the pools: those of training first, and none twice."""
    everything = np.ones(len(world.skills), np.bool_)
    members = [np.flatnonzero(one) for one in (~world.held_skills, world.held_skills, everything)]
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
        pairs = tuple((one, other) for one, other in places)
        for topics in topic_sets:
            if len(topics):
                spared = topics is topic_sets[0] and name == "train"
                n_free = len(skills) - int(fixed.sum())
                pools.append(_Pool(number, skills[order], n_free, topics, pairs, spared))
    return pools


@dataclass(frozen=True)
class Cycle:
    """The mixes of a few rounds, before relabelling.

    Attributes:
        slots: of the rounds.
        pools: that the slots refer to.
        pool_numbers: place of each pool's skills in POOLS, int16.
        turns: number of rounds until the same designs return.
    """

    slots: Slots
    pools: Pools
    pool_numbers: NDArray[np.int16]
    turns: int

    def __len__(self) -> int:
        return len(self.slots.turn)


@lru_cache(maxsize=8)
def make_cycle(source: Source, ks: tuple[int, ...], strength: int) -> Cycle:
    """Find all designs and give their blocks topics.

    Raises:
        ParamError: if no pool has a mix of some k.
    """
    pools = _make_pools(make_world(source))
    turns = _TURNS if any(pool.barred for pool in pools) else 1
    parts = [
        _slots(pool, (number, k, min(strength, k)), turn, source.key, max(ks))
        for turn in range(turns)
        for number, pool in enumerate(pools)
        for k in ks
        if len(pool.skills) >= k
    ]
    for k in ks:
        if not any(len(part) and part[0, 2] == k for part in parts):
            raise ParamError("ks", ks, f"sizes of possible mixes, and no mix has {k} skills")
    table = np.concatenate(parts)
    turn, number, size, topic = table[:, :4].T.copy()
    return Cycle(
        slots=Slots(turn, number, size, topic, table[:, 4:].copy()),
        pools=Pools(
            skills=np.concatenate([pool.skills for pool in pools]),
            skill_offsets=offsets_of(np.array([len(pool.skills) for pool in pools])),
            n_free=np.array([pool.n_free for pool in pools]),
            topics=np.concatenate([pool.topics for pool in pools]),
            topic_offsets=offsets_of(np.array([len(pool.topics) for pool in pools])),
            spared=np.array([pool.spared for pool in pools]),
        ),
        pool_numbers=np.array([pool.number for pool in pools], np.int16),
        turns=turns,
    )


def _slots(pool: _Pool, design: tuple[int, int, int], turn: int, key: int, width: int) -> Ints:
    """Return the slots of a design as rows of turn, pool, size, topic and items.

    Args:
        pool: the pool.
        design: number of the pool, k and strength.
        turn: of its designs.
        key: of all designs.
        width: largest k.
    """
    number, k, strength = design
    word = stream_key("skillmix", key, "design", number, k, turn if pool.barred else 0)
    blocks = covering_design(len(pool.skills), k, strength, word, pool.barred)
    rows = np.full((len(blocks), 4 + width), -1, np.int64)
    rows[:, 0], rows[:, 1], rows[:, 2] = turn, number, k
    if len(blocks):
        rows[:, 3] = assign_topics(blocks, len(pool.skills), len(pool.topics), word)
    rows[:, 4 : 4 + k] = blocks
    return rows
