"""Figures of likeness: to be like another thing, to be called one, or to act as a person."""

from __future__ import annotations

from functools import cache

from synthgen.core.skill_figures import fields, records
from synthgen.core.skill_lexicon import past, senses, third
from synthgen.core.skill_world import records as facts
from synthgen.verifiers.skillmix._check_lexical_nouns import (
    DETERMINERS,
    PERSON,
    PREPOSITIONS,
    apart,
    collective,
    ideas,
    images,
    kinds,
    living,
    noun_domains,
    subject,
)
from synthgen.verifiers.skillmix._text import STOP, Clause, Text
from synthgen.verifiers.skillmix._wanted import wanted

ARTICLES = ("a", "an")
COPULAS = ("is", "was")
_NO_LIKENESS = frozenset("i you he she it we they to would do does did don't not".split())
"""Words behind which "like" is a verb, or denied."""
_NO_METAPHOR = frozenset("like as not never whether than".split())
LONGEST_NOUN = 3
_LINKS = frozenset("that while when because since if so but until though although where".split())
_ADVERBS = frozenset("always often still also never seldom sometimes then even only almost".split())


def _head(words: tuple[str, ...], start: int) -> str:
    """Return the known noun of what begins here, up to the next function word, or nothing."""
    domains = noun_domains()
    for at in range(start, min(len(words), start + LONGEST_NOUN)):
        word = words[at]
        if word in STOP:
            return ""
        if word in domains and not (at + 1 < len(words) and words[at + 1] in domains):
            return word
    return ""


def _likened(words: tuple[str, ...], at: int) -> str:
    """Return Y if "like a Y" or "as ADJ as a Y" begins here, or nothing."""
    word, rest = words[at], words[at + 1 : at + 4]
    if word == "like":
        before = words[at - 1] if at else ""
        plainly = before in _NO_LIKENESS or any(s.form == "plural" for s in senses(before))
        return _head(words, at + 2) if rest[:1] and rest[0] in ARTICLES and not plainly else ""
    if word == "as" and len(rest) == 3 and rest[1] == "as" and rest[0] not in STOP:
        return _head(words, at + 4) if rest[2] in (*ARTICLES, "the") else ""
    return ""


def _likens(before: Clause | None, clause: Clause, following: Clause | None) -> bool:
    words = clause.words
    for at in range(len(words) - 1):
        if words[at] not in ("as", "like"):
            continue
        noun = _likened(words, at)
        if not noun:
            continue
        told = words[:at]
        if noun_domains().keys().isdisjoint(told):
            if told and noun in images():
                return True
            near = (before, following) if at == 0 else (before,)
            if any(other is not None and apart(other.words, noun) for other in near):
                return True
        elif apart(told, noun):
            return True
    return False


def simile(text: Text) -> bool:
    """Something is as it is like a thing of another domain."""
    clauses = (None, *text.clauses, None)
    return any(
        clause is not None and clause.bits & _LIKENED and _likens(before, clause, after)
        for before, clause, after in zip(clauses, clauses[1:], clauses[2:], strict=False)
    )


SIGNS = frozenset(("as", "like"))
_LIKENED = wanted(SIGNS)


@cache
def _general() -> frozenset[str]:
    """Return words for kinds, which things are called in earnest: "a metronome is a clock"."""
    return frozenset(record["kind"] for record in facts("kinds", "rule"))


@cache
def _homonyms() -> frozenset[str]:
    """Return words that are a role of people and a thing: "she is a star"."""
    return frozenset(record["word"] for record in facts("senses", "homonym"))


def _is_image(words: tuple[str, ...], noun: str) -> bool:
    """Whether calling the subject of these words by the noun is no plain fact."""
    if noun in _general() or not apart(words, noun):
        return False
    bearer = subject(words)
    if noun in images() or bearer in ideas():
        return noun not in ideas()
    person = kinds(bearer) == {"person"}
    thing = kinds(noun) <= {"tool", "place"} and PERSON not in noun_domains()[noun]
    return person and thing and bool(kinds(noun)) and noun not in _homonyms()


def metaphor(clause: Clause) -> bool:
    """Something is called a thing of another domain, and not said to be like it."""
    words = clause.words
    if not _NO_METAPHOR.isdisjoint(words):
        return False
    for at in range(1, len(words) - 2):
        if words[at] in COPULAS and words[at + 1] in ARTICLES:
            noun = _head(words, at + 2)
            if noun and _is_image(words[:at], noun):
                return True
    return False


@cache
def deeds() -> dict[str, frozenset[str]]:
    """Return what only people do: the numbers of the subject by form of the verb."""
    found: dict[str, frozenset[str]] = {}
    both = frozenset(("one", "many"))
    for record in records("words", "human"):
        for verb, *_ in fields(record["deeds"]):
            found[verb] = frozenset(("many",))
            found[third(verb)] = frozenset(("one",))
            found[past(verb)] = both
        found.update(dict.fromkeys(record["forms"].split(), both))
    return found


@cache
def _lifeless(word: str) -> frozenset[str]:
    """Return the number or numbers of a noun that is no living thing, or nothing."""
    readings = senses(word)
    if word in living() or word in collective():
        return frozenset()
    if not readings or any(s.part in ("person", "verb", "adjective") for s in readings):
        return frozenset(("one",)) if word in _NATURE else frozenset()
    return frozenset("many" if s.form == "plural" else "one" for s in readings)


_NATURE = frozenset("wind sun sea river night door house clock city tree rain fire".split())


def _is_manner(word: str) -> bool:
    return word.endswith("ly") and word not in noun_domains()


def _acts(words: tuple[str, ...], at: int) -> bool:
    """Whether the subject of the verb at this place is a lifeless thing."""
    noun = at - 1
    while noun > 0 and (words[noun] in _ADVERBS or _is_manner(words[noun])):
        noun -= 1
    if noun < 0 or _lifeless(words[noun]).isdisjoint(deeds()[words[at]]):
        return False
    start = noun
    while start and any(s.part == "adjective" for s in senses(words[start - 1])):
        start -= 1
    if start and words[start - 1] in DETERMINERS:
        start -= 1
    if start == 0:
        return True
    before = words[start - 1]
    if before in STOP or before in PREPOSITIONS:
        return before in _LINKS or (before == "and" and start == 1)
    return not any(s.part == "verb" for s in senses(before))


def personification(clause: Clause) -> bool:
    """A lifeless thing does what only people do."""
    human, words = deeds(), clause.words
    return any(word in human and at > 0 and _acts(words, at) for at, word in enumerate(words))
