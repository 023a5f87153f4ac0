"""What makes the figures of likeness and of excess, drawn from tables."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

from synthgen.core.randomness import RowDraws
from synthgen.core.skill_figures import fields, records
from synthgen.core.skill_lexicon import Topic, domains, onset, third
from synthgen.generators.skillmix._piece import Parts
from synthgen.generators.skillmix._pieces_lexical_words import one_of

_LONG_TIMES = ("a million", "ten million", "a billion", "fifty thousand", "a hundred thousand")
_SHORT_TIMES = ("twenty", "three", "seven", "twelve", "two", "fifteen")
_THINGS = ("object", "item", "possession", "commodity", "thing")


@cache
def _likes(about: str) -> tuple[tuple[str, str], ...]:
    """Return the images of a person or a thing, each with the adjective they share."""
    at = 1 if about == "person" else 2
    return tuple(
        (trait, entry[0])
        for record in records("images", "image")
        for entry in fields(record["nouns"])
        for trait in entry[at].split(",")
        if trait
    )


class _Like(NamedTuple):
    """An image with the adjective it shares, their first sounds, and the topics of the image."""

    pair: tuple[str, str]
    sounds: tuple[str, str]
    topics: frozenset[str]


@cache
def _known_likes(about: str) -> tuple[_Like, ...]:
    return tuple(
        _Like((trait, image), (onset(trait), onset(image)), _domains_of(image))
        for trait, image in _likes(about)
    )


@lru_cache(maxsize=8192)
def _likes_of(about: str, bearer: str) -> tuple[tuple[str, str], ...]:
    """Return those of other topics that do not begin as the bearer does."""
    sound, near = onset(bearer), domains(bearer)
    return tuple(
        like.pair
        for like in _known_likes(about)
        if sound not in like.sounds and near.isdisjoint(like.topics)
    )


@cache
def names(about: str) -> tuple[str, ...]:
    """Return what a person, a thing or a place can be called."""
    return tuple(
        entry[0]
        for record in records("images", "image")
        for entry in fields(record["nouns"])
        if about in entry[3].split(",")
    )


@lru_cache(maxsize=8192)
def _names_of(about: str, bearer: str) -> tuple[str, ...]:
    near = domains(bearer)
    return tuple(name for name in names(about) if near.isdisjoint(_domains_of(name)))


def simile(draws: RowDraws, topic: Topic) -> Parts | None:
    """Choose who or what is meant, an adjective, an image from elsewhere, and one of its kind."""
    about = draws.choice(("person", "tool"))
    words = one_of(draws, topic, about, 2)
    if words is None:
        return None
    bearer, peer = words
    trait, image = draws.choice(_likes_of(about, bearer))
    return bearer, trait, image, peer


def metaphor(draws: RowDraws, topic: Topic) -> Parts | None:
    """Choose who or what is meant, what it is called, and what it may be in fact."""
    about = draws.choice(("person", "tool", "place"))
    said = "thing" if about == "tool" else about
    words = one_of(draws, topic, about, 2 if about != "tool" else 1)
    if words is None:
        return None
    peer = words[1] if about != "tool" else draws.choice(_THINGS)
    return words[0], draws.choice(_names_of(said, words[0])), peer


@cache
def _deeds() -> tuple[tuple[str, str], ...]:
    return tuple(
        (f"{third(deed)} {behind}", f"{third(rest)} {near}")
        for record in records("words", "human")
        for deed, behind, rest, near in fields(record["deeds"])
    )


def personification(draws: RowDraws, topic: Topic) -> Parts | None:
    """Choose a thing, what only people do, and what a thing may do."""
    thing = one_of(draws, topic, "tool")
    return None if thing is None else (*thing, *draws.choice(_deeds()))


@cache
def _times() -> tuple[str, ...]:
    return tuple(
        noun
        for record in records("images", "bound")
        if record["time"]
        for noun in record["nouns"].split()
    )


@cache
def _extremes() -> tuple[tuple[str, str], ...]:
    return tuple(
        (more, phrase.strip())
        for record in records("images", "extreme")
        for more in record["more"].split()
        for phrase in record["than"].split(",")
    )


@lru_cache(maxsize=8192)
def _extremes_for(tool: str) -> tuple[tuple[str, str], ...]:
    near = domains(tool)
    return tuple(pair for pair in _extremes() if near.isdisjoint(_domains_of(pair[1])))


def long_and_short(draws: RowDraws) -> tuple[str, str]:
    """Draw a time that nobody can wait, and a short one."""
    unit = draws.choice(_times())
    return f"{draws.choice(_LONG_TIMES)} {unit}", f"{draws.choice(_SHORT_TIMES)} {unit}"


def hyperbole(draws: RowDraws, topic: Topic) -> Parts | None:
    """Choose a time that nobody can wait and a short one, or a comparison too bold and a mild one.

    The parts are "time", the long one, the short one and twice nothing; or "than", the bold
    comparison, the mild one, the comparative and the thing.
    """
    if draws.integer(0, 2):
        return "time", *long_and_short(draws), "", ""
    words = one_of(draws, topic, "tool", 2)
    if words is None:
        return None
    more, extreme = draws.choice(_extremes_for(words[0]))
    return "than", extreme, f"the {words[1]}", more, words[0]


@cache
def _domains_of(phrase: str) -> frozenset[str]:
    return frozenset(name for word in phrase.split() for name in domains(word))


def apart(bearer: str, image: str) -> bool:
    """Whether no topic has both."""
    return _domains_of(image).isdisjoint(domains(bearer))
