"""Templates with a break for each skill, and words of a topic that fill them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache, partial

from synthgen.core.randomness import RowDraws
from synthgen.core.skill_figures import fields, records
from synthgen.core.skill_lexicon import (
    Topic,
    article,
    gerund,
    participle,
    past,
    plural,
    senses,
    third,
)
from synthgen.generators.skillmix._piece import Parts, Sounding, sounded, unlike, unsaid
from synthgen.generators.skillmix._piece_slots import Forms, filler

Content = Callable[[RowDraws, Topic], Parts | None]
"""Chooses what makes the figure; where wordings differ by what it is about, that comes first."""
Make = Callable[[RowDraws, Topic], Parts | None]
Tell = Callable[[Parts, int, int], str]
"""Writes parts in a wording without the skill of this index, or whole for -1."""
Texts = Mapping[str, tuple[str, ...]]
"""Wordings by what the content is about; ANY if that does not matter."""

ANY = "any"
_FORMS: Forms = {
    "a": lambda word: f"{article(word)} {word}",
    "s": plural,
    "z": third,
    "ed": past,
    "en": participle,
    "ing": gerund,
}
_FIELDS = {
    "person": "persons",
    "tool": "tools",
    "thing": "tools",
    "good": "goods",
    "place": "places",
    "verb": "verbs",
}
_FIRST = re.compile(r"\[([^|\]]*)\|([^\]]*)\]")
_SECOND = re.compile(r"<([^|>]*)\|([^>]*)>")
_SLOT = re.compile(r"\{(\w+)")
_NONE = ("", "")
"""Stands for a word that must not be drawn."""
_READINGS = frozenset(("person", "verb", "adjective"))


def sides(text: str) -> tuple[str, str, str]:
    """Return a wording as it is, without its first skill, and without its second.

    `[this|that]` breaks the first skill, `<this|that>` the second one.
    """
    first, second = _FIRST.sub(r"\1", text), _FIRST.sub(r"\2", text)
    return _SECOND.sub(r"\1", first), _SECOND.sub(r"\1", second), _SECOND.sub(r"\2", first)


def teller(names: Sequence[str], texts: Texts) -> Tell:
    """Return what tells parts of these names.

    Raises:
        ValueError: if a wording has a slot of another name.
    """
    place = {name: f"{{{at}" for at, name in enumerate(names)}
    for slot in _SLOT.findall(" ".join(text for wordings in texts.values() for text in wordings)):
        if slot not in place:
            msg = f"slot={slot!r} is none of {', '.join(names)}"
            raise ValueError(msg)
    table = {
        about: tuple(
            tuple(
                filler(_SLOT.sub(lambda slot: place[slot[1]], side), _FORMS) for side in sides(text)
            )
            for text in wordings
        )
        for about, wordings in texts.items()
    }
    only = table.get(ANY, ())

    def tell(parts: Parts, wording: int, lost: int) -> str:
        wordings = only or table[parts[0]]
        return wordings[wording][lost + 1](parts)

    return tell


def kinds_of(words: str) -> dict[str, str]:
    """Return the kind of each named word: "person rival=person" are two persons."""
    pairs = (word.partition("=") for word in words.split())
    return {name: kind or name for name, _, kind in pairs}


def maker(content: Content, kinds: Mapping[str, str], texts: Texts) -> Make:
    """Return what draws content, and then words of a topic of these kinds for the named slots.

    No word comes twice or stands in the wordings; none begins like another where that can be had,
    so that nothing alliterates by chance.
    """
    pools_of = _pools(tuple(kinds.values()), partial(told, texts))

    def make(draws: RowDraws, topic: Topic) -> Parts | None:
        chosen = content(draws, topic)
        if chosen is None:
            return None
        words = _drawn(draws, pools_of(topic), chosen)
        return None if words is None else (*chosen, *words)

    return make


@lru_cache(maxsize=16_384)
def _sounds(phrase: str) -> tuple[str, ...]:
    return tuple(sounded(word)[1] for word in phrase.split())


def _pools(
    kinds: tuple[str, ...], taken: Callable[[], frozenset[str]]
) -> Callable[[Topic], tuple[Sounding, ...]]:
    """Return what gives the words of a topic of these kinds, empty ones for those that are taken.

    Args:
        kinds: see `_FIELDS`.
        taken: tells the words that must not be drawn, which takes the lexicon.
    """
    known: dict[str, tuple[Topic, tuple[Sounding, ...]]] = {}

    def usable(word: str, kind: str) -> bool:
        return word not in taken() and (kind != "thing" or lifeless(word))

    def pools_of(topic: Topic) -> tuple[Sounding, ...]:
        found = known.get(topic.name)
        if found is None or found[0] is not topic:
            made = (
                tuple(
                    sounded(word) if usable(word, kind) else _NONE
                    for word in getattr(topic, _FIELDS[kind])
                )
                for kind in kinds
            )
            found = known[topic.name] = (topic, tuple(made))
        return found[1]

    return pools_of


def _drawn(draws: RowDraws, pools: tuple[Sounding, ...], said: Sequence[str]) -> list[str] | None:
    """Draw a word of each pool, of a new first sound where there is one.

    Args:
        draws: of the row; one draw serves for all words, as each is one of few.
        pools: at most ten.
        said: phrases whose words must not be drawn, and whose first sounds are avoided.
    """
    chosen: list[str] = []
    sounds = {""}
    sounds.update(*map(_sounds, said))
    bits = draws.bits()
    for words in pools:
        if not words:
            return None
        bits, start = divmod(bits, len(words))
        word, sound = words[start]
        if sound in sounds:
            other = unlike(words, start, sounds)
            if other is None:
                other = unsaid(words, start, ("", *chosen, *" ".join(said).split()))
            if other is None:
                return None
            word, sound = other
        chosen.append(word)
        sounds.add(sound)
    return chosen


def one_of(draws: RowDraws, topic: Topic, kind: str, n: int = 1) -> tuple[str, ...] | None:
    """Draw words of a kind that are no images themselves; "tool" draws things that do not live."""
    words = _drawn(draws, _no_images(kind, n)(topic), ())
    return None if words is None else tuple(words)


@cache
def _no_images(kind: str, n: int) -> Callable[[Topic], tuple[Sounding, ...]]:
    return _pools(("thing" if kind == "tool" else kind,) * n, _images)


@cache
def _images() -> frozenset[str]:
    return frozenset(
        entry[0] for record in records("images", "image") for entry in fields(record["nouns"])
    )


_TOLD: dict[int, tuple[Texts, frozenset[str]]] = {}


def told(texts: Texts) -> frozenset[str]:
    """Return the words of wordings, and those of the lexicon of which they have a form."""
    known = _TOLD.get(id(texts))
    if known is None:
        bare = re.sub(r"\{[^}]*\}", " ", " ".join(text for rows in texts.values() for text in rows))
        words = set(re.findall("[a-z]+", bare))
        lemmas = frozenset(sense.lemma for word in words for sense in senses(word)) | words
        known = _TOLD[id(texts)] = (texts, lemmas)  # kept with its key, which stays its own
    return known[1]


@cache
def _living() -> frozenset[str]:
    return frozenset(
        noun for record in records("images", "living") for noun in record["nouns"].split()
    )


@cache
def lifeless(noun: str) -> bool:
    """Whether a tool is a thing that does not live, in all readings."""
    return noun not in _living() and all(sense.part not in _READINGS for sense in senses(noun))
