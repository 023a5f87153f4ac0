"""Which skills and topics texts are made of, which of them are held out, and their tuples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import TypeVar

from synthgen.core.errors import ParamError, nearest
from synthgen.core.randomness import RowDraws, stream_key
from synthgen.core.skill_inventory import Skill, shipped_skills
from synthgen.core.skill_lexicon import Topic, topics
from synthgen.generators.skillmix._piece import distinct
from synthgen.generators.skillmix._text_pieces import PIECES, can_stand_together, reason_against

T = TypeVar("T")

_TRIES = 30
"""Tuples that are tried for a row before it is given up."""


@dataclass(frozen=True, slots=True)
class Choices:
    """What the params of a generator of texts stand for.

    Attributes:
        skills: that texts may show.
        ids: of these skills.
        topics: that they may be about.
        held_skills: ids of a held-out category.
        held_pairs: of ids in alphabetical order.
        held_topics: names.
    """

    skills: tuple[Skill, ...]
    ids: tuple[str, ...]
    topics: tuple[Topic, ...]
    held_skills: frozenset[str]
    held_pairs: frozenset[tuple[str, str]]
    held_topics: frozenset[str]

    def draw_skills(self, draws: RowDraws, k: int) -> tuple[str, ...] | None:
        """Draw k skills that can stand in one text, in random order."""
        for _ in range(_TRIES):
            chosen = distinct(draws, self.ids, k)
            if can_stand_together(chosen):
                return chosen
        return None

    def held_among(self, skills: Sequence[str]) -> tuple[int, int]:
        """Return how many of these skills, and how many of their pairs, are held out."""
        if not self.held_skills and not self.held_pairs:
            return 0, 0
        pairs = combinations(sorted(skills), 2)
        return len(self.held_skills.intersection(skills)), sum(p in self.held_pairs for p in pairs)


@lru_cache(maxsize=64)
def choices_of(
    skills: tuple[str, ...],
    topic_names: tuple[str, ...],
    held_categories: tuple[str, ...],
    held_pairs: int,
    held_topics: int,
) -> Choices:
    """Work out what the params stand for.

    Raises:
        ParamError: for an unknown name, or more held out than there is.
    """
    chosen = _skills(skills)
    subjects = _topics(topic_names)
    categories = sorted({skill.category for skill in chosen})
    for name in held_categories:
        if name not in categories:
            raise ParamError("held_categories", name, _one_of(name, categories))
    ids = sorted(skill.id for skill in chosen)
    pairs = [pair for pair in combinations(ids, 2) if reason_against(*pair) is None]
    names = sorted(topic.name for topic in subjects)
    return Choices(
        chosen,
        tuple(skill.id for skill in chosen),
        subjects,
        frozenset(skill.id for skill in chosen if skill.category in held_categories),
        frozenset(_sample("held_pairs", pairs, held_pairs)),
        frozenset(_sample("held_topics", names, held_topics)),
    )


def _skills(names: tuple[str, ...]) -> tuple[Skill, ...]:
    known = {skill.id: skill for skill in shipped_skills() if skill.id in PIECES}
    for name in names:
        if name not in known:
            raise ParamError("skills", name, _one_of(name, list(known)))
    return tuple(known[name] for name in names or sorted(known))


def _topics(names: tuple[str, ...]) -> tuple[Topic, ...]:
    known = {topic.name: topic for topic in topics()}
    for name in names:
        if name not in known:
            raise ParamError("topics", name, _one_of(name, list(known)))
    return tuple(known[name] for name in names) if names else topics()


def _one_of(name: str, known: Sequence[str]) -> str:
    hint = nearest(name, known)
    return f"one of {', '.join(known)}" + (f"; did you mean {hint!r}?" if hint else "")


def _sample(name: str, items: Sequence[T], n: int) -> tuple[T, ...]:
    """Choose n items by the name of the param alone, so that more of them include fewer."""
    if not 0 <= n <= len(items):
        raise ParamError(name, n, f"0 to {len(items)}")
    draws = RowDraws(stream_key(0, "skill_text", name))
    return tuple(draws.shuffled(items)[:n])
