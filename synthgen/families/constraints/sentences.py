"""Sentences of witness texts: grammatical ones about a topic, or rows of allowed words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from synthgen.authoring import RowDraws, Words

WORDS = Words.beside(__file__)
Rules = Mapping[str, Mapping[str, Any]]
FILTERS = frozenset({"vowels", "no_same_initial", "alphabet", "repeat_max"})
"""Types that turn texts into rows of words."""
_TRIES = 40


class GivenUp(Exception):  # noqa: N818  # ends an attempt, not an error
    """An attempt that cannot satisfy all constraints."""


@dataclass(slots=True)
class Sentence:
    """A sentence in the making.

    Attributes:
        words: Bare words.
        shown: The words as written, with marks and wraps.
        end: Final mark; empty for titles and labels.
        fixed: Number of words at its beginning that stay as they are.
    """

    words: list[str]
    shown: list[str] = field(default_factory=list)
    end: str = "."
    fixed: int = 1

    def __post_init__(self) -> None:
        self.shown = self.shown or list(self.words)

    def text(self) -> str:
        """Return the sentence as written."""
        return " ".join(self.shown) + self.end


@dataclass(slots=True)
class Place:
    """Required words of a sentence, by place.

    Attributes:
        first, last: Adverbs at its beginning and end.
        initial: First letter.
        subject: Noun of a person, with the number of adjectives before it.
        nouns: Nouns, in order.
        digits: Numbers.
    """

    first: str = ""
    last: str = ""
    initial: str = ""
    subject: tuple[str, int] | None = None
    nouns: list[str] = field(default_factory=list)
    digits: int = 0

    @property
    def shortest(self) -> int:
        """Fewest words of such a sentence."""
        nouns = 3 * len(self.nouns) + (self.digits if self.nouns else 4 * bool(self.digits))
        subject = 2 + self.subject[1] if self.subject else 1
        return bool(self.first) + bool(self.last) + subject + max(1, nouns) + self.digits


class Writer:
    """Writes sentences under some rules.

    Args:
        rules: Values of each type of constraint.
        topic: Topic of the text.
        draws: Source of randomness.
        lists: Allowed words by list, filled as they are needed.
    """

    def __init__(
        self, rules: Rules, topic: str, draws: RowDraws, lists: dict[str, list[str]]
    ) -> None:
        self.rules, self.topic, self.draws = rules, topic, draws
        self.lists = lists

    def value(self, kind: str, name: str = "n", default: Any = 0) -> Any:
        """Return a value of a rule, or a default without such a rule."""
        return self.rules[kind].get(name, default) if kind in self.rules else default

    @cached_property
    def reserved(self) -> set[str]:
        """Words that may occur only where rules place them, or nowhere."""
        words: set[str] = set()
        for values in self.rules.values():
            words |= {values["w"]} if "w" in values else set()
            words |= set(values.get("listed", ()))
        return words

    @cached_property
    def by_words(self) -> bool:
        """Whether the text consists of rows of words instead of grammatical sentences."""
        return not FILTERS.isdisjoint(self.rules)

    def allowed(self, words: Sequence[str]) -> list[str]:
        """Return the words that the rules allow anywhere."""
        letter = self.rules.get("letter_count", {})
        without = letter["c"] if letter.get("rel") == "at most" else ""
        vowels = set("aeiou") - set(self.value("vowels", "listed", "aeiou"))
        longest = self.value("word_length_max", "m", 99)
        barred = {*without, *vowels}
        return [
            word
            for word in words
            if word not in self.reserved
            and len(word) <= longest
            and (not barred or barred.isdisjoint(word.lower()))
        ]

    def lexicon(self, name: str) -> list[str]:
        """Return the allowed words of a list, or of the topic."""
        if name not in self.lists:
            source = WORDS["topics"][self.topic] if name == "nouns" else WORDS[name]
            self.lists[name] = self.allowed(source)
        if not self.lists[name]:
            raise GivenUp
        return self.lists[name]

    def a(self, name: str) -> str:
        """Draw a word of a list."""
        return self.draws.choice(self.lexicon(name))

    def sentence(self, length: int, place: Place) -> Sentence:
        """Write a grammatical sentence of an exact number of words."""
        start = [place.first] if place.first else []
        subject = self.subject(place, length)
        end = [place.last] if place.last else []
        room = length - len(start) - len(subject) - len(end)
        needed = place.nouns
        if room < 1 or (room < 3 and (needed or place.digits)):
            raise GivenUp
        if room <= 2:
            middle = [self.a("rests"), *([self.a("adverbs")] if room == 2 else [])]
        else:
            middle = self.predicate(room, needed, place.digits, adverb=not end)
        words = [*start, *subject, *middle, *end]
        return Sentence([words[0][0].upper() + words[0][1:], *words[1:]])

    def subject(self, place: Place, length: int) -> list[str]:
        """Return the subject of a sentence."""
        if place.subject:
            word, before = place.subject
            return ["the", *self.some("adjectives", before), word]
        if place.initial and not place.first:
            names = [name for name in self.lexicon("names") if name[0].lower() == place.initial]
            if not names:
                raise GivenUp
            return [names[0]]
        spare = length - place.shortest
        if spare < 1 or self.draws.integer(0, 3) == 0:
            return [self.a("names")]
        return ["the", self.a("people")]

    def some(self, name: str, count: int) -> list[str]:
        """Draw several different words of a list."""
        if not count:
            return []
        lexicon = self.lexicon(name)
        if count > len(lexicon):
            raise GivenUp
        return self.draws.shuffled(lexicon)[:count] if count > 1 else [self.draws.choice(lexicon)]

    def predicate(self, room: int, nouns: list[str], digits: int, *, adverb: bool) -> list[str]:
        """Return a verb with an object, and phrases and adjectives that fill the room."""
        extra = room - 3 - digits
        phrases = max(0, len(nouns) - 1)
        if extra < 3 * phrases:
            raise GivenUp
        while extra - 3 * phrases >= 3 and (
            extra - 3 * phrases > 3 * (phrases + 1) or self.draws.integer(0, 2)
        ):
            phrases += 1
        single = extra - 3 * phrases
        with_adverb = adverb and single > 0 and self.draws.integer(0, 2) == 1
        single -= with_adverb
        slots = phrases + 1
        adjectives = [single // slots + (i < single % slots) for i in range(slots)]
        if max(adjectives) > 3:
            raise GivenUp
        fill = self.some("nouns", min(slots - len(nouns), len(self.lexicon("nouns"))))
        chosen = [*nouns, *fill]
        if len(chosen) < slots:
            raise GivenUp
        if nouns != sorted(nouns) and not self.value("words_in_order", "listed", ()):
            chosen = self.draws.shuffled(chosen)
        numbered = Counter(self.draws.integer(0, slots) for _ in range(digits))
        words = [self.a("verbs")]
        for slot, noun in enumerate(chosen):
            words += [self.a("prepositions")] if slot else []
            words += ["the", *self.some("adjectives", adjectives[slot]), noun]
            words += [str(self.draws.integer(2, 100)) for _ in range(numbered[slot])]
        return [*words, *([self.a("adverbs")] if with_adverb else [])]

    def row_of_words(self, length: int, place: Place) -> Sentence:
        """Write a row of allowed words that is not a grammatical sentence."""
        if place != Place():
            raise GivenUp
        words = [self.next_word() for _ in range(length)]
        return Sentence([words[0][0].upper() + words[0][1:], *words[1:]])

    @cached_property
    def pool(self) -> list[str]:
        """Every allowed word."""
        if "pool" in self.lists:
            return self.lists["pool"]
        lists = ("verbs", "rests", "adjectives", "people", "adverbs", "fillers")
        words = [*WORDS["topics"][self.topic], *(word for name in lists for word in WORDS[name])]
        pool = sorted(set(self.allowed(words)))
        if len(pool) < 2:
            raise GivenUp
        self.lists["pool"] = pool
        return pool

    @cached_property
    def used(self) -> list[str]:
        """The words of a row so far."""
        return []

    def next_word(self) -> str:
        """Draw the next word of a row."""
        max_uses = self.value("repeat_max", "n", 10**6)
        for _ in range(_TRIES):
            if "alphabet" in self.rules and self.used:
                letter = chr((ord(self.used[-1][0]) - 96) % 26 + 97)
                choices = [word for word in self.pool if word[0] == letter]
                if not choices:
                    break
                word = self.draws.choice(choices)
            else:
                word = self.draws.choice(self.pool)
            same = "no_same_initial" in self.rules and self.used and word[0] == self.used[-1][0]
            if not same and self.used.count(word) < max_uses:
                self.used.append(word)
                return word
        raise GivenUp
