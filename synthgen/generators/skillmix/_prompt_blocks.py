"""Blocks of skills with topics: covering designs for each pool, as one table that rounds go over.

A pool is a set of skills (those of training, those held out, all) with a set of topics. In a round
each pool has, for each k, one covering design. Round after round the skills of a design are
relabelled by lot and its topics turned by one, which keeps what it covers and gives other mixes.
Skills with a partner that they must not meet keep their place, and their pool has a few designs
that take turns.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from synthgen.core.covering import covering_design
from synthgen.core.covering_topics import assign_topics
from synthgen.core.errors import ParamError
from synthgen.core.randomness import stream_key
from synthgen.generators.skillmix._prompt_world import World

POOLS = ("train", "held", "all")
_TURNS = 4
_EFFORT = 400_000

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Pool:
    """Skills and topics that are mixed.

    Attributes:
        name: one of POOLS, for its skills.
        skills: codes, those that can be relabelled first.
        free: how many can be.
        topics: codes.
        barred: pairs that its mixes must not have, by place in `skills`.
        spared: whether its mixes avoid held cells.
    """

    name: str
    skills: Ints
    free: int
    topics: Ints
    barred: tuple[tuple[int, int], ...]
    spared: bool


@dataclass(frozen=True)
class Cycle:
    """The mixes of `turns` rounds, before relabelling: row by row a slot.

    Attributes:
        pools: in the order of their numbers.
        turns: rounds until designs come again.
        turn, pool, size, topic: of each slot, int64 (n,); topics by place in the pool's.
        items: places in the pool's skills, int64 (n, m); -1 behind the last.
    """

    pools: tuple[Pool, ...]
    turns: int
    turn: Ints
    pool: Ints
    size: Ints
    topic: Ints
    items: Ints

    def __len__(self) -> int:
        return len(self.turn)


def make_pools(world: World) -> tuple[Pool, ...]:
    """Return the pools: those of training first, and none twice."""
    skills = {
        "train": np.flatnonzero(~world.held_skills),
        "held": np.flatnonzero(world.held_skills),
        "all": np.arange(len(world.skills)),
    }
    held = (world.held_skills, world.held_pairs, world.held_cells)
    apart = any(bool(flags.any()) for flags in held)
    names = [name for name in POOLS if len(skills[name]) and (apart or name == "all")]
    topics = [np.flatnonzero(~world.held_topics), np.flatnonzero(world.held_topics)]
    pools = []
    for name in names:
        barred = world.barred | world.held_pairs if name == "train" else world.barred
        bound = barred[skills[name]][:, skills[name]]
        fixed = bound.any(axis=1)
        order = np.argsort(fixed, kind="stable")
        codes, bound = skills[name][order], bound[order][:, order]
        pairs = tuple((int(i), int(j)) for i, j in np.argwhere(np.triu(bound)))
        for number, among in enumerate(topics):
            if len(among):
                spared = name == "train" and number == 0 and bool(world.held_cells.any())
                pools.append(Pool(name, codes, int((~fixed).sum()), among, pairs, spared))
    return tuple(pools)


def make_cycle(world: World, ks: tuple[int, ...], strength: int, key: int) -> Cycle:
    """Find all designs and give their blocks topics.

    Raises:
        ParamError: if no pool has a mix of some k.
    """
    pools = make_pools(world)
    turns = _TURNS if any(pool.barred for pool in pools) else 1
    parts = [
        part
        for turn in range(turns)
        for number, pool in enumerate(pools)
        for k in ks
        for part in _part(pool, number, k, min(strength, k), turn, key, max(ks))
    ]
    for k in ks:
        if not any(len(part) and part[0, 2] == k for part in parts):
            raise ParamError("ks", ks, f"mixes that the inventory has, and none has {k} skills")
    table = np.concatenate(parts)
    turn, pool, size, topic = table[:, :4].T.copy()
    return Cycle(pools, turns, turn, pool, size, topic, table[:, 4:].copy())


def _part(
    pool: Pool, number: int, k: int, strength: int, turn: int, key: int, width: int
) -> list[Ints]:
    """Return the slots of a design as rows of turn, pool, size, topic and items, if there are."""
    if len(pool.skills) < k:
        return []
    lot = stream_key("skillmix", key, "design", number, k, turn if pool.barred else 0)
    design = covering_design(len(pool.skills), k, strength, lot, pool.barred)
    blocks = design.blocks
    n = len(blocks)
    rows = np.full((n, 4 + width), -1, np.int64)
    rows[:, 0], rows[:, 1], rows[:, 2] = turn, number, k
    rows[:, 3] = assign_topics(blocks, len(pool.skills), len(pool.topics), lot, _EFFORT)
    rows[:, 4 : 4 + k] = blocks
    return [rows]
