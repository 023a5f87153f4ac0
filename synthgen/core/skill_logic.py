"""What arguments in skill mixes are about: wholes, parts, opposites, synonyms and bad ends."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_FILE = Path(__file__).with_name("skillmix_data") / "logic_knowledge.toml"


@dataclass(frozen=True, slots=True)
class Kind:
    """Words for persons or for things.

    Attributes:
        wholes: collective nouns.
        small: adjectives that may be true of every part and not of the whole.
        large: adjectives that may be true of the whole and not of any part.
        shared: adjectives that are true of the whole just when they are true of every part.
        opposites: pairs with something in between, adjectives or nouns with their articles.
        same: groups of adjectives of one meaning.
    """

    wholes: tuple[str, ...]
    small: tuple[str, ...]
    large: tuple[str, ...]
    shared: tuple[str, ...]
    opposites: tuple[tuple[str, str], ...]
    same: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class LogicKnowledge:
    """All that is known.

    Attributes:
        persons: words for them.
        things: words for them.
        opposites: more pairs, of any part of speech.
        parts: nouns that say that something is a part.
        ends: words of which a clause about a bad end has one.
    """

    persons: Kind
    things: Kind
    opposites: tuple[tuple[str, str], ...]
    parts: frozenset[str]
    ends: frozenset[str]


@cache
def logic_knowledge() -> LogicKnowledge:
    """Read the knowledge base."""
    data = tomllib.loads(_FILE.read_text(encoding="utf-8"))

    def kind(name: str) -> Kind:
        return Kind(
            wholes=tuple(data["wholes"][name].split()),
            small=tuple(data["small"][name].split()),
            large=tuple(data["large"][name].split()),
            shared=tuple(data["shared"][name].split()),
            opposites=_pairs(data["opposites"][name]),
            same=tuple(tuple(group.split()) for group in data["same"][name]),
        )

    return LogicKnowledge(
        persons=kind("persons"),
        things=kind("things"),
        opposites=_pairs(data["opposites"]["wild"]),
        parts=frozenset(data["parts"]["names"].split()),
        ends=frozenset(data["ends"]["words"].split()),
    )


def _pairs(rows: list[list[str]]) -> tuple[tuple[str, str], ...]:
    return tuple((one, other) for one, other in rows)
