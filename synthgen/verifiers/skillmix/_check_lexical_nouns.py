"""What nouns are about: their domains, and whether they are alive."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from synthgen.core.skill_figures import fields, records
from synthgen.core.skill_lexicon import plural, senses, topic_words, topics
from synthgen.verifiers.skillmix._text import STOP

_PERSONS = "he she they we you i who".split()
PREPOSITIONS = frozenset(
    """
    about above across after against along among around at before behind below beside between
    beyond by for from in inside into near of off on onto out outside over past through to toward
    under until upon with within without
    """.split()
)
DETERMINERS = frozenset("a an each every her his its my no our some that the their this".split())
PERSON, LIVING, IDEA = "person", "animal", "idea"


@cache
def living() -> frozenset[str]:
    """Return the nouns of the lexicon that live, in both numbers."""
    names = [noun for record in records("images", "living") for noun in record["nouns"].split()]
    return frozenset((*names, *map(plural, names)))


@cache
def collective() -> frozenset[str]:
    """Return the places that can stand for their people, in both numbers."""
    names = [noun for record in records("images", "collective") for noun in record["nouns"].split()]
    return frozenset((*names, *map(plural, names)))


@cache
def images() -> frozenset[str]:
    """Return the nouns that images are made of, singular."""
    return frozenset(
        entry[0] for record in records("images", "image") for entry in fields(record["nouns"])
    )


@cache
def ideas() -> frozenset[str]:
    """Return the nouns for what is no thing."""
    return frozenset(
        noun for record in records("images", "idea") for noun in record["nouns"].split()
    )


@cache
def noun_domains() -> dict[str, frozenset[str]]:
    """Return what each known noun belongs to: topics, and kinds such as "person" and "animal"."""
    found: dict[str, set[str]] = {}
    for word in frozenset[str]().union(*(topic_words(topic.name) for topic in topics())):
        readings = [sense for sense in senses(word) if sense.part not in ("verb", "adjective")]
        if readings:
            found[word] = {sense.topic for sense in readings}
            if any(sense.part == "person" for sense in readings):
                found[word].add(PERSON)
            elif word in living():
                found[word].add(LIVING)
    for record in records("images", "image"):
        for entry in fields(record["nouns"]):
            for noun in (entry[0], plural(entry[0])):
                found.setdefault(noun, set()).add(record["domain"])
    for noun in ideas():
        found.setdefault(noun, set()).add(IDEA)
    for word in _PERSONS:
        found[word] = {PERSON}
    return {word: frozenset(names) for word, names in found.items()}


@cache
def kinds(word: str) -> frozenset[str]:
    """Return the parts that a noun of the lexicon has: person, tool, good or place."""
    return frozenset(s.part for s in senses(word) if s.part not in ("verb", "adjective"))


def subject(words: Sequence[str]) -> str:
    """Return the last known noun that no preposition governs, or else the last, or nothing."""
    domains = noun_domains()
    at, last = len(words) - 1, ""
    while at >= 0:
        if words[at] not in domains:
            at -= 1
            continue
        last = last or words[at]
        start = at
        while start and words[start - 1] not in STOP and words[start - 1] not in PREPOSITIONS:
            if words[start - 1] in domains:
                break
            start -= 1
        if start and words[start - 1] in DETERMINERS:
            start -= 1
        if start == 0 or words[start - 1] not in PREPOSITIONS:
            return words[at]
        at = start - 1
    return last


def apart(words: Sequence[str], noun: str) -> bool:
    """Whether these words have a subject, and it shares no domain with a noun."""
    domains = noun_domains()
    own = domains.get(subject(words))
    return own is not None and own.isdisjoint(domains.get(noun, frozenset()))
