"""Clauses as the checkers of frames see them: statements, and how they hang together.

A clause is split where a conjunction in its middle begins a statement of its own, and loses the
conjunctions that it begins with: what is left is a statement with a link to its neighbours.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from synthgen.core.skill_lexicon import senses
from synthgen.verifiers.skillmix._text import Clause, Sentence, Text
from synthgen.verifiers.skillmix._wanted import wanted

SO = frozenset("so therefore thus hence consequently".split())
BECAUSE = frozenset("because since for as given".split())
JOINING = frozenset("and but yet now also moreover besides".split())
SURELY = frozenset("surely clearly certainly".split())
CERTAIN = SURELY | frozenset(("must", "therefore"))
SPLITTING = SO | frozenset("because since and but while yet".split())
REASONING = frozenset("follows means shows proves conclude infer implies clear plain".split())
KNOWING = frozenset("know knows see learn".split())
AROUND = frozenset("it is which this that we can may must one you us all of them and".split())
CONCLUDING = SO | REASONING | CERTAIN | BECAUSE | frozenset(("means",))
"""A text without any of these has no conclusion."""
LINKING = SO | SURELY | BECAUSE | JOINING | SPLITTING | {"then", "while", "that", "means"}
"""Words right behind which a statement can begin in the middle of a clause."""
_LINKED = wanted(LINKING)
DETERMINERS = frozenset(
    "the a an this that these those his her its their my our your same such very both".split()
)
PRONOUNS = frozenset("he she it they this that him her them".split())
NEGATIONS = frozenset(
    "not never no nobody none nothing hardly scarcely cannot didn't doesn't isn't wasn't "
    "don't won't can't neither nor without".split()
)
_TEXTS, _REMEMBERED = 32, 128
LEAST = 3
"""Words on either side of a conjunction that splits a clause."""


class Statement(NamedTuple):
    """A clause or a part of one.

    Attributes:
        words: without the conjunctions it begins with.
        link: "so" for a conclusion, "because" for a ground, "then" for what comes next,
            "while" for what goes on, or nothing.
        clause: it is of.
        place: of the clause in the text, as clauses that say the same may be one object.
    """

    words: tuple[str, ...]
    link: str
    clause: Clause
    place: int


@lru_cache(maxsize=_TEXTS)
def statements(text: Text) -> tuple[Statement, ...]:
    """Return the statements of a text."""
    found: list[Statement] = []
    before = 0
    for sentence in text.sentences:
        found += [one._replace(place=before + one.place) for one in _statements(sentence)]
        before += len(sentence.clauses)
    return tuple(found)


@lru_cache(maxsize=_REMEMBERED)
def _statements(sentence: Sentence) -> tuple[Statement, ...]:
    """Return the statements of a sentence, which many checkers and many texts look at."""
    found = []
    carried = ""  # the link of "therefore, ..."
    for place, clause in enumerate(sentence.clauses):
        if not clause.bits & _LINKED:  # nothing to split, and nothing to take off
            found.append(Statement(clause.words, carried, clause, place))
            carried = ""
            continue
        for words in _pieces(clause.words):
            rest, link = unlinked(words, carried)
            carried = "" if rest else link
            if rest:
                found.append(Statement(rest, link, clause, place))
    return tuple(found)


def _pieces(words: tuple[str, ...]) -> list[tuple[str, ...]]:
    if SPLITTING.isdisjoint(words):
        return [words]
    start, found = 0, []
    for at in range(LEAST, len(words) - LEAST):
        if words[at] in SPLITTING and at - start >= LEAST and words[at + 1] != "of":
            found.append(words[start:at])
            start = at
    found.append(words[start:])
    return found


def unlinked(words: tuple[str, ...], link: str = "") -> tuple[tuple[str, ...], str]:
    """Take the conjunctions off the front of a clause; return the rest and their link."""
    start = 0
    while start < len(words):
        word = words[start]
        if word in SO or word in SURELY:
            link = "so"
        elif word in BECAUSE and words[start + 1 : start + 2] not in ((), ("of",)):
            link = "because"
        elif word in ("then", "while"):
            link = link or word
        elif word not in JOINING:
            break
        start += 1
    if "that" in words[start : start + 6]:
        that = words.index("that", start)
        front = words[start:that]
        if AROUND.issuperset(set(front) - REASONING - KNOWING):
            if not REASONING.isdisjoint(front):
                return words[that + 1 :], "so"
            if not KNOWING.isdisjoint(front):
                return words[that + 1 :], link
    if words[start : start + 2] in (("this", "means"), ("which", "means"), ("that", "means")):
        return words[start + 2 :], "so"
    return words[start:], link


def concluded(told: tuple[Statement, ...], at: int) -> bool:
    """Whether a statement is put as a conclusion, by its link, its words or its neighbors."""
    statement = told[at]
    if statement.link in ("so", "because"):
        return statement.link == "so"
    if not CERTAIN.isdisjoint(statement.words):
        return True
    if at + 1 < len(told) and told[at + 1].link == "because":
        return True
    return any(told[back].link == "because" for back in range(max(0, at - 3), at))


def bare(words: tuple[str, ...]) -> tuple[str, ...]:
    """Take the determiners off the front of a noun phrase."""
    start = 0
    while start < len(words) and words[start] in DETERMINERS:
        start += 1
    return words[start:]


def is_person(word: str) -> bool:
    """Whether the lexicon has a word for a person or people."""
    return any(sense.part == "person" for sense in senses(word))


def persons(words: tuple[str, ...]) -> frozenset[str]:
    """Return the lemmas of the people a clause names."""
    return frozenset(
        sense.lemma for word in words for sense in senses(word) if sense.part == "person"
    )
