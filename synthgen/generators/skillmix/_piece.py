"""What a skill gives to a text: content that is drawn, and a segment that tells it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias, TypeVar

from synthgen.core.randomness import RowDraws
from synthgen.core.skill_lexicon import Topic, onset

T = TypeVar("T")

Sounding: TypeAlias = tuple[tuple[str, str], ...]
"""Words with their first sounds."""
Parts: TypeAlias = tuple[str, ...]
"""Words that were chosen for a segment: its content, without its wording."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One skill as a segment of a text.

    Attributes:
        skill: id in the inventory.
        kind: "frame" (brings propositions), "figure" (shapes clauses), "lexical" (fills one
            clause) or "constraint" (holds for the whole text: clauses of which the first and the
            last one are put around other segments, and those between them are told alone).
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
    return tuple([pool.pop(draws.integer(0, len(pool))) for _ in range(n)])


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


def unlike(words: Sounding, start: int, sounds: Collection[str]) -> tuple[str, str] | None:
    """Return the first word behind `start`, and round, with a sound that is none of these."""
    for at in range(start + 1 - len(words), start):
        pair = words[at]
        if pair[1] not in sounds:
            return pair
    return None


def unsaid(words: Sounding, start: int, said: Collection[str]) -> tuple[str, str] | None:
    """Return the first word from `start` on, and round, that is none of these."""
    for at in range(start - len(words), start):
        pair = words[at]
        if pair[0] not in said:
            return pair
    return None


@cache
def sounded(word: str) -> tuple[str, str]:
    """Return a word with the sound that words like it begin with, one pair for all tables."""
    return word, onset(word) or word[0]
