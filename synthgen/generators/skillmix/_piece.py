"""What a skill gives to a text: content that is drawn, and a segment that tells it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from synthgen.core.randomness import RowDraws
from synthgen.core.skill_lexicon import Topic

T = TypeVar("T")

Parts: TypeAlias = tuple[str, ...]
"""Words that were chosen for a segment: its content, without its wording."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One skill as a segment of a text.

    Attributes:
        skill: id in the inventory.
        kind: "frame" (brings propositions), "figure" (shapes clauses), "lexical" (fills one
            clause) or "constraint" (holds for the whole text).
        wordings: ways to tell the same parts.
        make: chooses the parts; None if they cannot be had from this topic.
        tell: writes the segment, without initial capital and final mark. Broken, it loses this
            skill and nothing else.
        mark: that ends the sentence.
    """

    skill: str
    kind: str
    wordings: int
    make: Callable[[RowDraws, Topic], Parts | None]
    tell: Callable[[Parts, int, bool], str]
    mark: str = "."


def distinct(draws: RowDraws, items: Sequence[T], n: int) -> tuple[T, ...]:
    """Return n different items in random order.

    Raises:
        IndexError: if there are fewer than n.
    """
    pool = list(items)
    return tuple(pool.pop(draws.integer(0, len(pool))) for _ in range(n))


@dataclass(frozen=True, slots=True)
class Joint:
    """Two skills in one segment.

    Attributes:
        skills: ids in the inventory.
        way: "chain" (the conclusion of the first is a premise of the second), "embed" (a lexical
            figure inside the other) or "overlay" (a figure over the clauses of the other).
        wordings: ways to tell the same parts.
        make: chooses the parts; None if they cannot be had from this topic.
        tell: writes the segment; the third argument is the index of the skill that it must lose,
            alone of the two, or -1.
        mark: that ends the sentence.
    """

    skills: tuple[str, str]
    way: str
    wordings: int
    make: Callable[[RowDraws, Topic], Parts | None]
    tell: Callable[[Parts, int, int], str]
    mark: str = "."
