"""Figures of parallel build: clauses of equal length whose words match part by part."""

from __future__ import annotations

from itertools import pairwise

from synthgen.core.skill_lexicon import senses
from synthgen.verifiers.skillmix._check_figures_words import COORDINATORS, kind
from synthgen.verifiers.skillmix._text import Clause, Sentence
from synthgen.verifiers.skillmix._wanted import ByWord

SHORTEST_COLON = 3
"""Words a parallel clause has at least."""


def part_names(word: str) -> frozenset[str]:
    """Return what a word can be: a part of speech with its form, or a class of function words."""
    function = kind(word)
    if function:
        return frozenset((function,))
    found = set[str]()
    for sense in senses(word):
        if sense.part in ("verb", "adjective"):
            found.add(f"{sense.part} {sense.form}")
        else:
            found.add(f"noun {sense.form}")
    return frozenset(found)


_PARTS = ByWord(part_names)


def colon(clause: Clause) -> tuple[str, ...]:
    """Return the words of a clause without the coordinator that joins it."""
    return clause.words[1:] if clause.words[0] in COORDINATORS else clause.words


def _alike(words: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Whether two clauses have the same skeleton; a word outside the lexicon fits only itself."""
    if len(words) != len(others) or len(words) < SHORTEST_COLON or words == others:
        return False
    return all(
        one == other or not _PARTS[one].isdisjoint(_PARTS[other])
        for one, other in zip(words, others, strict=True)
    )


def _runs(sentence: Sentence) -> list[int]:
    """Return how many clauses each longest run of parallel ones has.

    A run keeps one mark between its clauses: three parts with commas stay three, whatever a
    semicolon joins to them.
    """
    found, run, mark = [], 1, ""
    clauses = sentence.clauses
    words = [colon(clause) for clause in clauses]
    for at in range(1, len(clauses)):
        link = clauses[at - 1].mark
        if len(words[at]) != len(words[at - 1]) or not _alike(words[at - 1], words[at]):
            found.append(run)
            run = 1
        elif run > 1 and link != mark:
            found.append(run)
            run, mark = 2, link
        else:
            run, mark = run + 1, link
    return [*found, run]


def _of_one_length(sentence: Sentence) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return the neighbours that can be parallel."""
    words = [colon(clause) for clause in sentence.clauses]
    return [(one, other) for one, other in pairwise(words) if len(one) == len(other)]


def isocolon(sentence: Sentence) -> bool:
    """Two or more clauses in a row are parallel."""
    return any(_alike(*two) for two in _of_one_length(sentence))


def tricolon(sentence: Sentence) -> bool:
    """Exactly three clauses in a row are parallel."""
    return len(_of_one_length(sentence)) > 1 and 3 in _runs(sentence)
