"""The lexicon of skill mixes: topics, their words, and what each form of a word can mean."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from synthgen.core.skill_words import (
    article,
    gerund,
    onset,
    participle,
    past,
    plural,
    third,
)

__all__ = [
    "Sense",
    "Topic",
    "article",
    "domains",
    "gerund",
    "onset",
    "participle",
    "past",
    "plural",
    "senses",
    "third",
    "topic_named",
    "topic_words",
    "topics",
]

_DATA = Path(__file__).with_name("skillmix_data")
_COUNTABLE = frozenset(("person", "tool", "place"))


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic and its words, each a single word in lower case.

    Attributes:
        name: as it is asked for, such as "Beekeeping".
        group: of topics that are alike.
        persons: countable nouns for people.
        tools: countable nouns for things.
        goods: mass nouns.
        places: countable nouns for places.
        verbs: transitive verbs in their base form, which take tools and goods.
        adjectives: that go with the nouns.
    """

    name: str
    group: str
    persons: tuple[str, ...]
    tools: tuple[str, ...]
    goods: tuple[str, ...]
    places: tuple[str, ...]
    verbs: tuple[str, ...]
    adjectives: tuple[str, ...]


class Sense(NamedTuple):
    """One reading of a word.

    Attributes:
        topic: name of the topic.
        part: "person", "tool", "good", "place", "verb" or "adjective".
        lemma: the word as the topic lists it.
        form: "base", "plural", "third", "past", "participle" or "gerund".
    """

    topic: str
    part: str
    lemma: str
    form: str


@cache
def topics() -> tuple[Topic, ...]:
    """Return all topics, by file and then in the order of the file."""
    return tuple(
        topic for path in sorted(_DATA.glob("topics_*.toml")) for topic in _topics_of(path)
    )


def _topics_of(path: Path) -> Iterator[Topic]:
    """Read a file: its group, and tables whose word lists are strings split at spaces.

    Lists of strings would take three times as long to read.
    """
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    for table in data["topic"]:
        yield Topic(
            table["name"],
            data["group"],
            tuple(table["persons"].split()),
            tuple(table["tools"].split()),
            tuple(table["goods"].split()),
            tuple(table["places"].split()),
            tuple(table["verbs"].split()),
            tuple(table["adjectives"].split()),
        )


@cache
def _by_name() -> dict[str, Topic]:
    return {topic.name: topic for topic in topics()}


def topic_named(name: str) -> Topic | None:
    """Return the topic of this exact name, or None."""
    return _by_name().get(name)


def _inflections(lemma: str, parts: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield (word, form) for every form of a word that stands for these parts of speech."""
    yield lemma, "base"
    if not _COUNTABLE.isdisjoint(parts):
        yield plural(lemma), "plural"
    if "verb" in parts:
        yield third(lemma), "third"
        yield past(lemma), "past"
        yield participle(lemma), "participle"
        yield gerund(lemma), "gerund"


def _words_by_part(topic: Topic) -> Iterator[tuple[str, tuple[str, ...]]]:
    yield "person", topic.persons
    yield "tool", topic.tools
    yield "good", topic.goods
    yield "place", topic.places
    yield "verb", topic.verbs
    yield "adjective", topic.adjectives


@cache
def _uses() -> dict[str, list[tuple[str, str]]]:
    """Return (topic name, part) of every use of a word as the topics list it."""
    uses: dict[str, list[tuple[str, str]]] = {}
    for topic in topics():
        for part, words in _words_by_part(topic):
            for word in words:
                uses.setdefault(word, []).append((topic.name, part))
    return uses


@cache
def _lemmas() -> dict[str, list[tuple[str, str]]]:
    """Return (lemma, form) of every form of every word."""
    lemmas: dict[str, list[tuple[str, str]]] = {}
    for lemma, uses in _uses().items():
        for word, form in _inflections(lemma, {part for _, part in uses}):
            lemmas.setdefault(word, []).append((lemma, form))
    return lemmas


def _fits(form: str, part: str) -> bool:
    if form == "base":
        return True
    return part in _COUNTABLE if form == "plural" else part == "verb"


@lru_cache(maxsize=16384)
def _senses(word: str) -> tuple[Sense, ...]:
    return tuple(
        Sense(topic, part, lemma, form)
        for lemma, form in _lemmas()[word]
        for topic, part in _uses()[lemma]
        if _fits(form, part)
    )


def senses(word: str) -> tuple[Sense, ...]:
    """Return every reading of a lower-case word in any topic; empty for unknown words.

    A past form that is its verb's participle too has both readings.
    """
    return _senses(word) if word in _lemmas() else ()


@lru_cache(maxsize=16384)
def _domains(word: str) -> frozenset[str]:
    return frozenset(sense.topic for sense in senses(word))


def domains(word: str) -> frozenset[str]:
    """Return the names of the topics that have this lower-case word in any form."""
    return _domains(word) if word in _lemmas() else frozenset()


@lru_cache(maxsize=1024)
def topic_words(name: str) -> frozenset[str]:
    """Return every form of every word of a topic; empty for unknown names."""
    topic = topic_named(name)
    if topic is None:
        return frozenset()
    return frozenset(
        word
        for part, words in _words_by_part(topic)
        for lemma in words
        for word, _ in _inflections(lemma, (part,))
    )
