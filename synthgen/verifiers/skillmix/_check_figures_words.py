"""Figures of words: lists with and without conjunctions, and repetitions close by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise

from synthgen.core.skill_lexicon import senses, topic_words, topics
from synthgen.verifiers.skillmix._text import STOP, Clause, Sentence

COORDINATORS = ("and", "or", "nor", "but")
LONGEST_CONJUNCT = 4
DETERMINERS = frozenset(
    "a an any each every her his its my no our some that the their this".split()
)
PRONOUNS = frozenset("he i it she they we you".split())
LINKS = frozenset(
    """
    after although as because before hence if once since so that then therefore though thus till
    unless until when where whereas whether which while who whom whose yet
    """.split()
)
"""Words that tie a clause to another: such a clause is no item of a list."""


def kind(word: str) -> str:
    """Return the class of a function word, the word itself if it has none, "" for content."""
    if word in DETERMINERS:
        return "determiner"
    if word in PRONOUNS:
        return "pronoun"
    return word if word in STOP else ""


def stretches(sentence: Sentence) -> Iterator[tuple[Clause, ...]]:
    """Yield the parts of a sentence between semicolons and colons."""
    start = 0
    for stop, clause in enumerate(sentence.clauses, 1):
        if clause.mark != ",":
            yield sentence.clauses[start:stop]
            start = stop
    if start < len(sentence.clauses):
        yield sentence.clauses[start:]


def _joined_conjuncts(sentence: Sentence, coordinator: str) -> bool:
    """Whether a coordinator stands twice with a short conjunct behind each.

    A comma goes before both or before neither: "tar, and rope and pegs" is no such list.
    """
    opened: bool | None = None  # whether a comma preceded the last coordinator; None without one
    for at, clause in enumerate(sentence.clauses):
        after_comma = at > 0 and sentence.clauses[at - 1].mark == ","
        places = [i for i, word in enumerate(clause.words) if word == coordinator]
        if not places:
            opened = None
            continue
        if not (places[0] == 0 and after_comma):
            opened = None
        for place, following in pairwise([*places, len(clause.words)]):
            commas = place == 0
            if commas and not after_comma:
                continue
            short = 0 < following - place - 1 <= LONGEST_CONJUNCT
            if short and opened is commas:
                return True
            opened = commas if short else None
        # Behind the last conjunct of this clause only ", and" can go on.
        opened = True if opened and clause.mark == "," else None
    return False


def polysyndeton(sentence: Sentence) -> bool:
    """Three short conjuncts have a coordinator between all neighbours."""
    return any(
        _joined_conjuncts(sentence, coordinator)
        for coordinator in COORDINATORS
        if sentence.words.count(coordinator) > 1
    )


def _is_bare_list(first: Clause, second: Clause, third: Clause) -> bool:
    """Whether three clauses between commas are items of one list without a coordinator.

    The second and the third, whose beginnings are known, must be alike: of the same kind of first
    word, of about the same length, and not the same word called out again.
    """
    one, two = second.words, third.words
    if kind(one[0]) != kind(two[0]) or abs(len(one) - len(two)) > 2:
        return False
    if first.words[0] in LINKS or one[0] in LINKS or two[0] in LINKS:
        return False
    if two[: len(one)] == one or one[: len(first.words)] == first.words:
        return False
    return not any(word in COORDINATORS for word in (*first.words, *one, *two))


def asyndeton(sentence: Sentence) -> bool:
    """A list of three or more items between commas has no coordinator."""
    return len(sentence.clauses) > 2 and any(
        len(stretch) > 2 and _is_bare_list(*stretch[-3:]) for stretch in stretches(sentence)
    )


def epizeuxis(sentence: Sentence) -> bool:
    """A word stands three times in a row, whatever marks are between."""
    words = sentence.words
    return any(
        one.isalpha()
        for one, two, three in zip(words, words[1:], words[2:], strict=False)
        if one == two == three
    )


def diacope(clause: Clause) -> bool:
    """A content word comes again after one to three other words of its clause."""
    if len(clause.content) == len(frozenset(clause.content)):
        return False
    words = clause.words
    return any(
        word in words[at + 2 : at + 5]
        and words[at + 1] != word
        and word not in STOP
        and word.isalpha()
        for at, word in enumerate(words[:-2])
    )


def _frames(words: tuple[str, ...]) -> bool:
    return len(words) > 3 and words[0] == words[-1] and words[0] not in STOP


def epanalepsis(sentence: Sentence) -> bool:
    """A sentence, or a part of one between semicolons, begins and ends with one content word."""
    if _frames(sentence.words):
        return True
    for stretch in stretches(sentence):
        first, last = stretch[0].words, stretch[-1].words
        if first[0] == last[-1] and _frames(tuple(w for part in stretch for w in part.words)):
            return True
    return False


@cache
def lemmas() -> dict[str, tuple[tuple[str, str], ...]]:
    """Return what each word can be a form of: verbs and countable nouns, as (part, lemma)."""
    parts = {"verb": "verb", "person": "noun", "tool": "noun", "place": "noun"}
    words = frozenset().union(*(topic_words(topic.name) for topic in topics())) - STOP
    return {
        word: tuple({(parts[s.part], s.lemma) for s in senses(word) if s.part in parts})
        for word in words
    }


def _two_forms(words: Iterable[str], part: str = "") -> bool:
    """Whether two different words have a lemma (of this part) in common."""
    known = lemmas()
    forms: dict[tuple[str, str], str] = {}
    for word in words:
        for lemma in known.get(word, ()):
            if lemma[0].startswith(part) and forms.setdefault(lemma, word) != word:
                return True
    return False


def polyptoton(sentence: Sentence) -> bool:
    """Two forms of one verb stand between two semicolons, or two of one noun in a clause.

    A noun that changes its number in another clause is taken up again rather than played with:
    every syllogism says "most keepers" and then "a keeper".
    """
    known = lemmas()
    words = frozenset(sentence.words)
    found = [one for word in words if word in known for one in known[word]]
    if len(frozenset(found)) == len(found):
        return False
    for stretch in stretches(sentence):
        told = (word for clause in stretch for word in clause.words)
        if _two_forms(told, "verb") or any(_two_forms(c.words, "noun") for c in stretch):
            return True
    return False
