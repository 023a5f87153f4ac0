"""Figures of degree and of sense: what rises, what is too much, and what mixes the senses."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from synthgen.core.skill_figures import records
from synthgen.verifiers.skillmix._check_lexical_nouns import apart
from synthgen.verifiers.skillmix._text import Clause, Sentence

FEWEST_STEPS = 3
FARTHEST_STEP = 8
"""Words from an item to the next."""
MOST_DIGITS = 15
_NUMBERS = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen".split()
    )
}
_NUMBERS |= {
    word: 10 * tens
    for tens, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)
}
_POWERS = {
    "hundred": 10**2,
    "thousand": 10**3,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
    "zillion": 10**15,
    "hundreds": 10**2,
    "thousands": 10**3,
    "millions": 10**6,
    "billions": 10**9,
    "trillions": 10**12,
    "zillions": 10**15,
}


@cache
def steps() -> dict[str, tuple[tuple[int, int], ...]]:
    """Return the scales of each word with its rank on them."""
    found: dict[str, list[tuple[int, int]]] = {}
    for number, record in enumerate(records("words", "scale")):
        for rank, word in enumerate(record["words"].split()):
            found.setdefault(word, []).append((number, rank))
    return {word: tuple(places) for word, places in found.items()}


def climax(sentence: Sentence) -> bool:
    """Three words of one scale follow each other, each stronger than the last."""
    scales = steps()
    last: dict[int, tuple[int, int, int]] = {}  # by scale: place and rank of the last item, length
    for at, word in enumerate(sentence.words):
        for scale, rank in scales.get(word, ()):
            before, lower, n = last.get(scale, (at, rank, 0))
            rising = lower < rank and at - before <= FARTHEST_STEP
            n = n + 1 if rising else 1
            if n == FEWEST_STEPS:
                return True
            last[scale] = (at, rank, n)
    return False


@cache
def bounds() -> dict[str, int]:
    """Return how many of a thing there can be at most."""
    return {
        noun: int(record["most"])
        for record in records("images", "bound")
        for noun in record["nouns"].split()
    }


@cache
def extremes() -> dict[str, frozenset[str]]:
    """Return, by comparative, the nouns than which nothing is more so."""
    found: dict[str, set[str]] = {}
    for record in records("images", "extreme"):
        nouns = {_noun_of(phrase) for phrase in record["than"].split(",")}
        for comparative in record["more"].split():
            found.setdefault(comparative, set()).update(nouns)
    return {comparative: frozenset(nouns) for comparative, nouns in found.items()}


def _noun_of(phrase: str) -> str:
    """Return the noun of "the ice age" or "time itself"."""
    words = [word for word in phrase.split() if word not in ("itself", "at", "all")]
    return words[-1]


class Numerals:
    """The words that numbers have."""

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and (word.isdigit() or word in _NUMBERS or word in _POWERS)


def _numbers(words: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    """Yield the numbers of a clause with the place behind them."""
    at = 0
    while at < len(words):
        word, value = words[at], 0
        if word.isdigit() and len(word) <= MOST_DIGITS:
            value = int(word)
        elif word in _NUMBERS:
            value = _NUMBERS[word]
        elif word in _POWERS:
            value = _POWERS[word]
        at += 1
        if not value:
            continue
        while at < len(words) and words[at] in _POWERS and value < 10**MOST_DIGITS:
            value *= _POWERS[words[at]]
            at += 1
        yield value, at


def _too_much(clause: Clause) -> bool:
    """Whether a clause has more of a thing than there can be; a word may stand between."""
    most, words = bounds(), clause.words
    if most.keys().isdisjoint(words):
        return False
    return any(
        word in most and value > most[word]
        for value, end in _numbers(words)
        for word in words[end : end + 2]
    )


def _beyond(clause: Clause) -> bool:
    """Whether something is said to be more than what has most, and is of another domain."""
    words = clause.words
    for at, word in enumerate(words):
        if word != "than" or at == 0 or words[at - 1] not in extremes():
            continue
        if not {"not", "never", "no"}.isdisjoint(words[:at]):
            return False
        nouns = extremes()[words[at - 1]]
        for noun in words[at + 1 : at + 4]:
            if noun in nouns and apart(words[:at], noun):
                return True
    return False


def hyperbole(clause: Clause) -> bool:
    """A quantity or a comparison goes beyond what can be."""
    return _too_much(clause) or _beyond(clause)


@cache
def excessive() -> frozenset[str]:
    """Return words of which a hyperbole has one."""
    return frozenset(("than", *bounds()))


@cache
def _of_senses(part: str) -> dict[str, str]:
    """Return the sense of each adjective or noun."""
    return {
        word: record["name"]
        for record in records("words", "sense")
        for word in record[part].split()
    }


def sensed() -> dict[str, str]:
    """Return the sense of each noun."""
    return _of_senses("nouns")


def sensing() -> dict[str, str]:
    """Return the sense of each adjective."""
    return _of_senses("adjectives")


def synesthesia(clause: Clause) -> bool:
    """An adjective of one sense stands before a noun of another."""
    nouns, adjectives = sensed(), sensing()
    return any(
        word in nouns and adjectives.get(before, nouns[word]) != nouns[word]
        for before, word in pairwise(clause.words)
    )
