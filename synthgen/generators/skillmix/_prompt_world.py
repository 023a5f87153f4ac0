"""What a mix of skills can be made of: an inventory, topics, and what of them is held out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from synthgen.core.checks import check_int
from synthgen.core.errors import ParamError, nearest
from synthgen.core.randomness import mix_words, stream_key
from synthgen.core.skill_inventory import (
    Skill,
    id_of_name,
    official_skills,
    official_topics,
    shipped_skills,
    shipped_topics,
)
from synthgen.core.skill_tables import read_skills, read_topics

Pair = tuple[int, int]


T = TypeVar("T")


@dataclass(frozen=True)
class World:
    """Skills and topics, numbered in the order of their ids and names.

    Attributes:
        skills, topics: of the inventory.
        held_skills, held_topics: bool (v,) and (t,).
        held_pairs: symmetric, bool (v, v).
        held_cells: which skill and topic are not to meet in training, bool (v, t).
        barred: pairs that no mix may have, symmetric, bool (v, v).
    """

    skills: tuple[Skill, ...]
    topics: tuple[str, ...]
    held_skills: NDArray[np.bool_]
    held_topics: NDArray[np.bool_]
    held_pairs: NDArray[np.bool_]
    held_cells: NDArray[np.bool_]
    barred: NDArray[np.bool_]


@dataclass(frozen=True)
class Asked:
    """The params that a world follows from; see the generator."""

    inventory: str
    topics: str
    key: int
    incompatible: tuple[str, ...]
    held_categories: tuple[str, ...]
    held_skills: int
    held_topics: int
    held_pairs: int
    held_cells: int


@lru_cache(maxsize=32)
def make_world(asked: Asked) -> World:
    """Read the inventory and choose what is held out.

    Raises:
        ParamError: for a faulty inventory, unknown names, or more held out than may be.
    """
    skills = tuple(sorted(_skills(asked.inventory), key=lambda skill: skill.id))
    topics = tuple(sorted(_topics(asked.topics)))
    check_int("held_topics", asked.held_topics, 0, len(topics) - 1)
    barred = _barred(asked.incompatible, skills)
    held_skills = _held_skills(asked, skills)
    held_topics = _first(asked.key, "held_topics", range(len(topics)), asked.held_topics)
    known = [i for i in range(len(skills)) if not held_skills[i]]
    pairs = [pair for pair in combinations(known, 2) if not barred[pair]]
    check_int("held_pairs", asked.held_pairs, 0, len(pairs) // 2)
    held_pairs = np.zeros_like(barred)
    for pair in _first(asked.key, "held_pairs", pairs, asked.held_pairs):
        held_pairs[pair] = held_pairs[pair[::-1]] = True
    cells = [(i, j) for i in known for j in range(len(topics)) if j not in held_topics]
    check_int("held_cells", asked.held_cells, 0, len(cells) // 2)
    held_cells = np.zeros((len(skills), len(topics)), np.bool_)
    for cell in _first(asked.key, "held_cells", cells, asked.held_cells):
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


def _skills(inventory: str) -> tuple[Skill, ...]:
    named = {"official": official_skills, "all": shipped_skills}
    if inventory in named:
        return named[inventory]()
    if "\n" not in inventory:
        raise ParamError("inventory", inventory, "'official', 'all', or the text of a file")
    return read_skills(inventory)


def _topics(topics: str) -> tuple[str, ...]:
    named = {"official": official_topics, "all": shipped_topics}
    if topics in named:
        return named[topics]()
    if "\n" not in topics:
        raise ParamError("topics", topics, "'official', 'all', or topics, one a line")
    return read_topics(topics)


def _barred(incompatible: Iterable[str], skills: Sequence[Skill]) -> NDArray[np.bool_]:
    places = {skill.id: i for i, skill in enumerate(skills)}
    barred = np.zeros((len(skills), len(skills)), np.bool_)
    for text in incompatible:
        one, _, other = text.partition(" x ")
        ids = [id_of_name(one), id_of_name(other)]
        for name in ids:
            if name not in places:
                meant = nearest(name, places)
                hint = f", such as {meant!r}" if meant else ""
                raise ParamError(
                    "incompatible", text, f"'ID x ID' of skills of the inventory{hint}"
                )
        if ids[0] == ids[1]:
            raise ParamError("incompatible", text, "two different skills")
        i, j = places[ids[0]], places[ids[1]]
        barred[i, j] = barred[j, i] = True
    return barred


def _held_skills(asked: Asked, skills: Sequence[Skill]) -> NDArray[np.bool_]:
    categories = sorted({skill.category for skill in skills})
    for name in asked.held_categories:
        if name not in categories:
            raise ParamError("held_categories", name, f"categories out of {', '.join(categories)}")
    held = np.array([skill.category in asked.held_categories for skill in skills])
    others = [i for i in range(len(skills)) if not held[i]]
    if not others:
        raise ParamError("held_categories", asked.held_categories, "not all of the categories")
    check_int("held_skills", asked.held_skills, 0, len(others) - 1)
    held[list(_first(asked.key, "held_skills", others, asked.held_skills))] = True
    return held


def _first(key: int, label: str, items: Sequence[T], n: int) -> list[T]:
    """Choose n of the items by lot; fewer are among more."""
    if not n:
        return []
    stream = np.uint64(stream_key("skillmix", key, label))
    lots = mix_words(stream + np.arange(len(items), dtype=np.uint64))
    return [items[place] for place in np.argsort(lots)[:n]]
