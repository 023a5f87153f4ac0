"""A view of an English text: sentences, clauses and words, as checkers of skills see it."""

from __future__ import annotations

import re
from collections.abc import Callable, Container
from functools import lru_cache, reduce
from itertools import chain
from operator import or_

from synthgen.verifiers.skillmix._wanted import ByWord, bits_of

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
_TEXTS, _SENTENCES, _CLAUSES = 32, 128, 512
"""How many are remembered."""
_SAME = ByWord(str)
"""The same object for each word wherever it stands, which tables find quickest."""
_MARKS = frozenset(".?!,;:")
_ENDS = frozenset(".?!")


class Clause:
    """Words between two marks.

    Attributes:
        words: in lower case.
        mark: that follows, or nothing at the end of the text.
        content: the words that are no function words.
        bits: of the words, see `bits_of`.
        tested, found: what tests that look at one clause alone were done, and which it passed.
    """

    __slots__ = ("bits", "content", "found", "mark", "tested", "words")
    bits: int
    content: tuple[str, ...]

    def __init__(self, words: tuple[str, ...], mark: str) -> None:
        self.words = words
        self.mark = mark
        self.tested = self.found = 0

    def __getattr__(self, name: str) -> object:
        """Find out what was not asked for before; Python calls this for slots that are empty."""
        if name == "bits":
            self.bits = bits_of(self.words)
            return self.bits
        if name == "content":
            self.content = tuple([word for word in self.words if word not in STOP])
            return self.content
        raise AttributeError(name)


class Sentence:
    """Clauses up to a full stop, a question mark or an exclamation mark.

    Attributes:
        clauses: at least one.
        words: of all clauses.
        bits: of the words.
        tested, found: what tests that look at one sentence alone were done, and which it passed.
    """

    __slots__ = ("bits", "clauses", "found", "tested", "words")
    bits: int
    words: tuple[str, ...]

    def __init__(self, clauses: tuple[Clause, ...]) -> None:
        self.clauses = clauses
        self.tested = self.found = 0

    def __getattr__(self, name: str) -> object:
        """Find out what was not asked for before; Python calls this for slots that are empty."""
        if name == "bits":
            self.bits = reduce(or_, [clause.bits for clause in self.clauses])
            return self.bits
        if name == "words":
            self.words = tuple(chain.from_iterable([clause.words for clause in self.clauses]))
            return self.words
        raise AttributeError(name)

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
        marks: all skills that it shows, once they were looked for, see `marks_of`.
        topics: bits of all topics that it is on, once they were looked for.
        sense: whether its words make sense, once that was looked for.
    """

    __slots__ = ("_parts", "clauses", "marks", "plain", "raw", "sense", "sentences", "topics")
    clauses: tuple[Clause, ...]
    sentences: tuple[Sentence, ...]

    def __init__(
        self, raw: str, plain: str, parts: Callable[[], tuple[Sentence, ...]] | None = None
    ) -> None:
        """Make a text that is taken apart when its parts are asked for, in this way if given."""
        self.raw = raw
        self.plain = plain
        self.marks: int | None = None
        self.topics: int | None = None
        self.sense: bool | None = None
        self._parts = parts

    def __getattr__(self, name: str) -> object:
        """Find out what was not asked for before; Python calls this for slots that are empty."""
        if name == "sentences":
            self.sentences = self._parts() if self._parts else _sentences(self.raw, self.plain)
            return self.sentences
        if name == "clauses":
            told = self.sentences
            self.clauses = (
                told[0].clauses
                if len(told) == 1
                else tuple(chain.from_iterable([one.clauses for one in told]))
            )
            return self.clauses
        raise AttributeError(name)

    @property
    def bits(self) -> int:
        """Of the words."""
        return reduce(or_, [clause.bits for clause in self.clauses], 0)

    def words_in(self, bit: int, words: Container[str]) -> frozenset[str]:
        """Return the words that are among these, which have this bit."""
        found = [clause.words for clause in self.clauses if clause.bits & bit]
        return frozenset([word for told in found for word in told if word in words])


def view(raw: str) -> Text:
    """Return a text; one that is too long has no sentences."""
    return Text(raw, raw.lower()) if len(raw) > MOST_CHARACTERS else _view(raw)


@lru_cache(maxsize=_TEXTS)
def _view(raw: str) -> Text:
    return Text(raw, raw.lower())


def _sentences(raw: str, plain: str) -> tuple[Sentence, ...]:
    if len(raw) > MOST_CHARACTERS:
        return ()
    found = map(_sentence, _SENTENCE.findall(plain))
    return tuple([sentence for sentence in found if sentence is not None])


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
        words = part.split()
    else:
        words = _WORD.findall(part)
    return Clause(tuple(map(_SAME.__getitem__, words)), mark) if words else None
