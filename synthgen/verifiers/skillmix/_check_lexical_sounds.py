"""Figures of sound: words that begin alike, and clauses that end alike."""

from __future__ import annotations

from functools import cache

from synthgen.core.skill_figures import records
from synthgen.core.skill_lexicon import onset
from synthgen.verifiers.skillmix._text import STOP, Clause, Text
from synthgen.verifiers.skillmix._wanted import ByWord

WINDOW = 5
"""Words within which alliterating words stand."""
FEWEST_ALIKE = 3
_STEM = 4
"""Words with as many first letters in common count as forms of one word."""


def first_sound(word: str) -> str:
    """Return the first consonant of a content word; none for the others."""
    return "" if word in STOP or word == "like" or not word[0].isalpha() else onset(word)


def stem(word: str) -> str:
    """Return what forms of one word have in common."""
    return word[:_STEM]


_SOUNDS = ByWord(first_sound)


def alliteration(clause: Clause) -> bool:
    """Three different content words close by in a clause begin with one consonant."""
    words = clause.content
    sounds = [sound for sound in map(_SOUNDS.__getitem__, words) if sound]
    if len(sounds) - len(frozenset(sounds)) < FEWEST_ALIKE - 1:
        return False
    heard: dict[str, list[tuple[int, str]]] = {}
    for at, word in enumerate(clause.words):
        sound = _SOUNDS[word]
        if not sound:
            continue
        own = stem(word)
        near = [
            (before, other)
            for before, other in heard.get(sound, ())
            if at - before < WINDOW and other != own
        ]
        near.append((at, own))
        if len(near) == FEWEST_ALIKE:
            return True
        heard[sound] = near
    return False


@cache
def rhymes() -> dict[str, int]:
    """Return the number of each word's class."""
    found: dict[str, int] = {}
    for number, record in enumerate(records("rhymes", "class")):
        tails = record["tails"].split(",")
        for word in (*record["words"].split(), *(tail.split()[-1] for tail in tails)):
            found[word] = number
    return found


def rhyme(text: Text) -> bool:
    """Two clauses, side by side or with one between, end in different words that rhyme."""
    known = rhymes()
    ends = [clause.words[-1] for clause in text.clauses]
    classes = [known.get(word, -1) for word in ends]
    for at, number in enumerate(classes):
        if number < 0:
            continue
        for other in (at + 1, at + 2):
            if other < len(ends) and classes[other] == number and ends[other] != ends[at]:
                return True
    return False
