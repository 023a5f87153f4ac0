"""A view of an English text: sentences, clauses and words, as checkers of skills see it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

MOST_CHARACTERS = 5_000
"""A longer text is not looked at."""
STOP = frozenset(
    """
    a about above after again all almost also although always am an and any are as at be because
    been before below between both but by can could did do does doing down during each either
    else ever every few for from had has have having he her here hers him his how however i if in
    into is it its just many may me might more most much must my neither never no nor not now of
    off on once one only or other our out over own perhaps same shall she should since so some
    still such than that the their them then there therefore these they this those though through
    thus to too under until up upon us very was we were what when whenever where whether which while
    who whom whose why will with within without would yes yet you your
    """.split()
)
"""Function words."""
_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?", re.ASCII)
_SENTENCE = re.compile(r"[^.?!]*[.?!]|[^.?!]+\Z", re.ASCII)
_CLAUSE = re.compile(r"[^.?!,;:]*[.?!,;:]|[^.?!,;:]+\Z", re.ASCII)
_SENTENCES, _CLAUSES = 1024, 4096
"""How many are remembered."""
_MARKS = frozenset(".?!,;:")
_ENDS = frozenset(".?!")


class Clause:
    """Words between two marks.

    Attributes:
        words: in lower case.
        mark: that follows, or nothing at the end of the text.
        content: the words that are no function words.
    """

    __slots__ = ("content", "mark", "words")

    def __init__(self, words: tuple[str, ...], mark: str) -> None:
        self.words = words
        self.mark = mark
        self.content = tuple([word for word in words if word not in STOP])


class Sentence:
    """Clauses up to a full stop, a question mark or an exclamation mark.

    Attributes:
        clauses: at least one.
        words: of all clauses.
        vocabulary: every word that occurs.
    """

    __slots__ = ("clauses", "vocabulary", "words")

    def __init__(self, clauses: tuple[Clause, ...]) -> None:
        self.clauses = clauses
        self.words = tuple(chain.from_iterable([clause.words for clause in clauses]))
        self.vocabulary = frozenset(self.words)

    @property
    def question(self) -> bool:
        """Whether it ends in a question mark."""
        return self.clauses[-1].mark == "?"


class Text:
    """A text and its parts.

    Attributes:
        raw: as written.
        plain: in lower case.
        sentences: those with at least one word.
        clauses: of all sentences, in order.
        words: every word that occurs.
    """

    __slots__ = ("clauses", "plain", "raw", "sentences", "words")

    def __init__(self, raw: str, plain: str, sentences: tuple[Sentence, ...]) -> None:
        self.raw = raw
        self.plain = plain
        self.sentences = sentences
        if len(sentences) == 1:
            self.clauses = sentences[0].clauses
            self.words = sentences[0].vocabulary
        else:
            self.clauses = tuple(chain.from_iterable([one.clauses for one in sentences]))
            self.words = _NONE.union(*[one.vocabulary for one in sentences])


_NONE = frozenset[str]()


@dataclass(frozen=True, slots=True)
class Checker:
    """A test for one skill.

    Attributes:
        triggers: words of which the text must have one for the skill to be possible; None if
            there is no such set.
        shows: says whether a text shows the skill anywhere.
        also: more words of which the text must have one, or None.
    """

    triggers: frozenset[str] | None
    shows: Callable[[Text], bool]
    also: frozenset[str] | None = None


def view(raw: str) -> Text:
    """Take a text apart; a text that is too long has no sentences."""
    plain = raw.lower()
    if len(raw) > MOST_CHARACTERS:
        return Text(raw, plain, ())
    found = map(_sentence, _SENTENCE.findall(plain))
    return Text(raw, plain, tuple([sentence for sentence in found if sentence is not None]))


@lru_cache(maxsize=_SENTENCES)
def _sentence(piece: str) -> Sentence | None:
    """Take one sentence apart; None without a word.

    Texts that differ in one sentence have the others in common, and what was found out of them;
    sentences have clauses in common.
    """
    clauses: list[Clause] = []
    for part in _CLAUSE.findall(piece):
        clause = _clause(part)
        if clause is not None:
            clauses.append(clause)
        elif clauses and part[-1] in _ENDS:
            clauses[-1] = Clause(clauses[-1].words, part[-1])
    return Sentence(tuple(clauses)) if clauses else None


@lru_cache(maxsize=_CLAUSES)
def _clause(part: str) -> Clause | None:
    """Take a clause with the mark behind it apart; None without a word."""
    mark = part[-1]
    if mark in _MARKS:
        part = part[:-1]
    else:
        mark = ""
    if part.isascii() and part.replace(" ", "").isalnum():
        return Clause(tuple(part.split()), mark)
    words = tuple(_WORD.findall(part))
    return Clause(words, mark) if words else None


def shown(text: Text, checker: Checker) -> bool:
    """Say whether a text shows a skill."""
    if checker.triggers is not None and checker.triggers.isdisjoint(text.words):
        return False
    if checker.also is not None and checker.also.isdisjoint(text.words):
        return False
    return checker.shows(text)
