"""What makes the figures of sounds, opposites, degrees and senses, drawn from tables."""

from __future__ import annotations

from functools import cache, lru_cache

from synthgen.core.randomness import RowDraws
from synthgen.core.skill_figures import fields, records
from synthgen.core.skill_lexicon import Topic, onset, senses
from synthgen.generators.skillmix._piece import Parts, distinct
from synthgen.generators.skillmix._pieces_lexical_words import one_of

_STEM = 4


def _split(name: str, table: str, *keys: str) -> tuple[tuple[tuple[str, ...], ...], ...]:
    return tuple(tuple(tuple(r[key].split()) for key in keys) for r in records(name, table))


@cache
def _sounds() -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    return {
        record["onset"]: (tuple(record["traits"].split()), tuple(record["manners"].split()))
        for record in records("words", "sound")
    }


@cache
def _traits() -> tuple[tuple[str, str], ...]:
    """Return all traits with their first sounds."""
    return tuple((trait, sound) for sound, (traits, _) in _sounds().items() for trait in traits)


@lru_cache(maxsize=16_384)
def _unlike(words: tuple[str, ...], one: str, other: str = "") -> tuple[str, ...]:
    """Return the words that are no forms of one or two others."""
    stems = one[:_STEM], other[:_STEM]
    return tuple(word for word in words if word[:_STEM] not in stems)


def alliteration(draws: RowDraws, topic: Topic) -> Parts | None:
    """Choose a trait, one that begins otherwise, people, and what they do.

    The trait, the people and the first word of what they do begin alike.
    """
    people = _people(topic.persons)
    if not people:
        return None
    person = draws.choice(people)
    sound = onset(person)
    traits, manners = _sounds()[sound]
    trait = draws.choice(_unlike(traits, person))
    same, others = _verbs_of(topic.verbs, sound)
    verbs = _unlike(same, person, trait)
    if verbs and draws.integer(0, 2):
        deed = verb = draws.choice(verbs)
    elif others and (ways := _unlike(manners, person, trait)):
        way, verb = draws.choice(ways), draws.choice(others)
        deed = f"{way} {verb}"
    else:
        return None
    heard = (sound, onset(verb))
    all_traits = _traits()
    start = draws.integer(0, len(all_traits)) - len(all_traits)
    while all_traits[start][1] in heard:  # there are traits of more than two sounds
        start += 1
    return trait, all_traits[start][0], person, deed


@lru_cache(maxsize=1024)
def _people(persons: tuple[str, ...]) -> tuple[str, ...]:
    """Return those that a trait can begin like."""
    return tuple(person for person in persons if onset(person) in _sounds())


@lru_cache(maxsize=8192)
def _verbs_of(verbs: tuple[str, ...], sound: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the verbs that begin with a sound, and the others."""
    same = tuple(verb for verb in verbs if onset(verb) == sound)
    return same, tuple(verb for verb in verbs if verb not in same)


@cache
def _tails() -> tuple[tuple[str, ...], ...]:
    return tuple(
        tuple(tail.strip() for tail in record["tails"].split(","))
        for record in records("rhymes", "class")
    )


def rhyme(draws: RowDraws, topic: Topic) -> Parts | None:  # noqa: ARG001 - as all content
    """Choose two ends of clauses that rhyme, and one that does not."""
    rhyming, other = distinct(draws, _tails(), 2)
    one = draws.choice(rhyming)
    two = draws.choice(_other_tails(rhyming, one))
    return one, two, draws.choice(other)


@cache
def _other_tails(tails: tuple[str, ...], one: str) -> tuple[str, ...]:
    """Return those that end in another word."""
    return tuple(tail for tail in tails if tail.split()[-1] != one.split()[-1])


@cache
def _contrasts() -> tuple[tuple[str, str], ...]:
    """Return opposite traits of people; two of the lexicon would make an isocolon, too."""
    pairs = [(record["one"], record["other"]) for record in records("opposites", "contrast")]
    return tuple(pair for pair in pairs if not all(map(senses, pair)))


@cache
def _neutral() -> tuple[str, ...]:
    (record,) = records("opposites", "neutral")
    return tuple(word for word in record["traits"].split() if not senses(word))


def antithesis(draws: RowDraws, topic: Topic) -> Parts | None:  # noqa: ARG001
    """Choose opposite traits of people, and a trait that is opposed to neither."""
    one, other = draws.choice(_contrasts())
    if draws.integer(0, 2):
        one, other = other, one
    return one, other, draws.choice(_neutral())


@cache
def _scales() -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple(
        (record["of"], tuple(record["words"].split()))
        for record in records("words", "scale")
        if record["of"] in ("mood", "quality")
    )


def climax(draws: RowDraws, topic: Topic) -> Parts | None:  # noqa: ARG001
    """Choose "mood" or "quality", and three words of one from weak to strong.

    People have moods, and things have qualities.
    """
    about, words = draws.choice(_scales())
    left_out = draws.integer(0, len(words)) if len(words) > 3 else 3
    return about, *(words[at] for at in range(len(words)) if at != left_out)


@cache
def denied(about: str) -> tuple[tuple[str, ...], ...]:
    return tuple(
        pair
        for record in records("opposites", "denied")
        if record["of"] == about
        for pair in fields(record["pairs"])
    )


def litotes(draws: RowDraws, topic: Topic) -> Parts | None:
    """Choose who or what is meant, a negative adjective, and the plain one."""
    about = draws.choice(("person", "tool"))
    bearer = one_of(draws, topic, about)
    return None if bearer is None else (*bearer, *draws.choice(denied(about)))


@cache
def _clashes() -> tuple[tuple[tuple[str, ...], ...], ...]:
    return _split("opposites", "clash", "odd", "noun", "plain")


def oxymoron(draws: RowDraws, topic: Topic) -> Parts | None:  # noqa: ARG001
    """Choose an adjective, a plain one, and the noun that the first contradicts."""
    odd, noun, plain = draws.choice(_clashes())
    return draws.choice(odd), draws.choice(plain), draws.choice(noun)


@cache
def _senses() -> tuple[tuple[tuple[str, ...], ...], ...]:
    return _split("words", "sense", "adjectives", "nouns")


def synesthesia(draws: RowDraws, topic: Topic) -> Parts | None:  # noqa: ARG001
    """Choose an adjective of another sense than the noun, one of the same, and the noun."""
    same, other = distinct(draws, _senses(), 2)
    noun, plain = draws.choice(same[1]), draws.choice(same[0])
    return draws.choice(other[0]), plain, noun
