"""What texts about a topic are made of: phrases that fit together, and words that rules allow."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import product
from pathlib import Path
from typing import Any

from synthgen.authoring import Words

Rules = Mapping[str, Mapping[str, Any]]
KINDS = ("how", "where", "when", "why")
"""Kinds of phrases after an action, in the order of a sentence."""
_MAX_PHRASES = 3
_HOURS_AHEAD = 5


class GivenUp(Exception):  # noqa: N818  # ends an attempt, not an error
    """An attempt that cannot satisfy all constraints."""


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name(name).read_text(encoding="utf-8"))


WORDS = Words.beside(__file__)
TOPICS, PHRASES = _read("topics.toml"), _read("phrases.toml")


def bare(piece: str) -> str:
    """Return a piece without the marks around it."""
    return piece.strip("()[]{}*,;:.")


@dataclass(frozen=True, slots=True, eq=False)
class Phrase:
    """A phrase, and what rules ask about it; equal texts are the same object.

    Attributes:
        pieces: Words as written.
        words: Bare words in lower case.
        letters: Its letters, in lower case.
        longest: Length of its longest word.
    """

    pieces: tuple[str, ...]
    words: frozenset[str]
    letters: frozenset[str]
    longest: int

    def __len__(self) -> int:
        return len(self.pieces)


@lru_cache(None)
def phrase_of(text: str) -> Phrase:
    """Return a text as a phrase."""
    words = frozenset(bare(piece).lower() for piece in text.split())
    return Phrase(tuple(text.split()), words, frozenset(text.lower()), max(map(len, words)))


@lru_cache(None)
def _phrases(texts: tuple[str, ...]) -> tuple[list[Phrase], frozenset[str]]:
    """Return texts as phrases, and all their words."""
    phrases = [*map(phrase_of, texts)]
    return phrases, frozenset().union(*(phrase.words for phrase in phrases))


@lru_cache(1024)
def fillings(lengths: tuple[tuple[int, ...], ...]) -> Mapping[int, Sequence[tuple[int, ...]]]:
    """Return for each number of words the lengths of the fewest phrases that add up to it.

    Args:
        lengths: Lengths that each kind of phrase can have.
    """
    by_room: dict[int, list[tuple[int, ...]]] = {}
    for chosen in sorted(product(*((0, *each) for each in lengths)), key=_count):
        known = by_room.setdefault(sum(chosen), [chosen])
        if known[0] != chosen and _count(known[0]) == _count(chosen) <= _MAX_PHRASES:
            known.append(chosen)
    return by_room


def _count(lengths: Sequence[int]) -> int:
    """Return the number of phrases of these lengths, 0 for none."""
    return len(lengths) - lengths.count(0)


@dataclass
class Lexicon:
    """The phrases and words about a topic that rules allow.

    Attributes:
        rules: Values of each type of constraint.
        topic: Topic of the text.
    """

    rules: Rules
    topic: str
    _lists: dict[str, list[Phrase]] = field(default_factory=dict)
    _grouped: dict[tuple[str, int], dict[int, list[Phrase]]] = field(default_factory=dict)

    def value(self, kind: str, name: str = "n", default: Any = 0) -> Any:
        """Return a value of a rule, or a default without such a rule."""
        return self.rules[kind].get(name, default) if kind in self.rules else default

    @cached_property
    def reserved(self) -> frozenset[str]:
        """Words that may occur only where rules place them, or nowhere."""
        words: set[str] = set()
        for values in self.rules.values():
            words |= {values["w"]} if "w" in values else set()
            words |= set(values.get("listed", ()))
        return frozenset(words)

    @property
    def is_impossible(self) -> bool:
        """Whether words that must occur are longer than allowed."""
        longest = self.value("word_length_max", "m", 99)
        words = self.reserved - set(self.value("avoid", "listed", ()))
        return any(len(word) > longest for word in words)

    @cached_property
    def barred(self) -> frozenset[str]:
        """Letters that no word may have."""
        letter = self.rules.get("letter_count", {})
        vowels = set("aeiou") - set(self.value("vowels", "listed", "aeiou"))
        return frozenset(vowels | ({letter["c"]} if letter.get("rel") == "at most" else set()))

    def allowed(self, texts: Iterable[str], but: str = "") -> list[Phrase]:
        """Return the phrases that the rules allow.

        Args:
            texts: Phrases to choose from.
            but: Word that may occur though a rule places it.
        """
        reserved = self.reserved - {but} if but else self.reserved
        longest = self.value("word_length_max", "m", 99)
        phrases, words = _phrases(tuple(texts))
        if longest == 99 and not self.barred and reserved.isdisjoint(words):
            return phrases
        return [
            phrase
            for phrase in phrases
            if reserved.isdisjoint(phrase.words)
            and phrase.longest <= longest
            and self.barred.isdisjoint(phrase.letters)
        ]

    def phrases(self, name: str) -> list[Phrase]:
        """Return the allowed phrases of a list, those of the topic first."""
        if name not in self._lists:
            of_topic = TOPICS[self.topic].get(name, ())
            general = () if name == "when" and of_topic else PHRASES.get(name, ())
            self._lists[name] = self.allowed((*of_topic, *general))
        return self._lists[name]

    def by_length(self, kind: str, hour: int) -> Mapping[int, Sequence[Phrase]]:
        """Return phrases of a kind by length; those of time are the next after that of a number."""
        key = (kind, hour if kind == "when" else -1)
        if key not in self._grouped:
            phrases = self.phrases(kind)
            phrases = phrases[hour + 1 :][:_HOURS_AHEAD] if kind == "when" else phrases
            grouped = self._grouped.setdefault(key, {})
            for phrase in sorted(phrases, key=len):
                grouped.setdefault(len(phrase), []).append(phrase)
        return self._grouped[key]

    def acts(self, noun: str) -> list[Phrase]:
        """Return the allowed actions with a noun."""
        name = f"acts {noun}"
        if name not in self._lists:
            self._lists[name] = self.allowed(TOPICS[self.topic]["acts"].get(noun, ()), noun)
        return self._lists[name]

    def general_acts(self, noun: str) -> list[Phrase]:
        """Return the allowed actions that fit any noun."""
        return self.allowed((text.format(noun=noun) for text in PHRASES["acts"]), noun)

    @cached_property
    def nouns(self) -> list[str]:
        """The nouns of the topic that may occur anywhere, in the order of a usual day."""
        nouns = [noun for noun in TOPICS[self.topic]["acts"] if noun not in self.reserved]
        return [noun for noun in nouns if self.acts(noun)]

    @cached_property
    def pool(self) -> list[str]:
        """The allowed words for rows of words."""
        lists = (TOPICS[self.topic]["acts"], WORDS["people"], WORDS["adverbs"])
        words = {*PHRASES["fillers"], *(word for words in lists for word in words)}
        pool = [phrase.pieces[0] for phrase in self.allowed(sorted(words))]
        if len(pool) < 2:
            raise GivenUp
        return pool
