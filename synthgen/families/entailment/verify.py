"""Entailment from the text: sentences are parsed, and what they state is compared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from synthgen.authoring import PlainVerifier, Words, exactly, filled, holes, reads

_WORDS = Words.beside(__file__)
_CODES = {
    "transitive": "t",
    "intransitive": "i",
    "optional": "z",
    "suspecting": "s",
    "claiming": "N",
    "knowing": "F",
    "prepositions": "p",
    "relatives": "R",
    "places": "l",
    "adjectives": "e",
    "privatives": "f",
    "ifs": "G",
    "whethers": "W",
    "becauses": "J",
    "maybes": "D",
    "luckilies": "M",
    "exceptions": "x",
    "plural": "m",
}
_FIXED = {
    "it was": "c",
    "was": "b",
    "were": "b",
    "by": "y",
    "in": "h",
    "and": "&",
    "but not": "!",
    "or": "|",
    "that": "T",
    "while": "w",
    ",": ",",
}
_MAX_PARTS = 60
_JOINS = (
    ("G", ",", ""),
    ("W", ",", "2"),
    ("J", ",", "12"),
    ("J", "", "12"),
    ("", ",|", ""),
    ("", ",&", "12"),
    ("", "w", "12"),
)
"""Words before and between two clauses, and which of these are stated."""


def _codes() -> dict[str, str]:
    """Return one letter for the class of each word or phrase."""
    classes = _WORDS["classes"]
    codes = {word: code for name, code in _CODES.items() for word in classes[name]}
    for table, code in (("understood", "u"), ("causative", "k")):
        codes |= dict.fromkeys(_WORDS[table], code)
        codes |= {thing: "o" for things in _WORDS[table].values() for thing in things}
    nouns = [f"the {noun}" for noun in (*classes["singular"], *classes["plural"])]
    return codes | dict.fromkeys(nouns, "n") | _FIXED


_CODE_OF = _codes()
_TOKEN = re.compile(
    "|".join(rf"{re.escape(text)}(?![a-z-])" for text in sorted(_CODE_OF, key=len, reverse=True))
)

Facts = frozenset[str]
Sentence = tuple[tuple[str, ...], Facts, Facts]
"""Words of a sentence, and the clauses that it states or leaves open."""


class _Result(NamedTuple):
    """A parsed part: its end, its texts, and the clauses that it states or leaves open.

    The texts are subjects of a clause, or its predicates.
    """

    end: int
    texts: tuple[str, ...]
    stated: Facts = frozenset()
    open: Facts = frozenset()


class _Parser:
    """All ways to parse a sentence.

    Args:
        words: Words and phrases of the sentence.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words
        self.codes = "".join(_CODE_OF[word] for word in words)

    def has(self, at: int, codes: str) -> bool:
        """Return whether these classes follow."""
        return self.codes.startswith(codes, at)

    def noun(self, at: int, *, bare: bool = False) -> Iterator[_Result]:
        """Parse a noun and what is added to it."""
        if not self.has(at, "n"):
            return
        head = self.words[at]
        yield _Result(at + 1, (head,))
        if bare:
            return
        if self.has(at + 1, "pn"):
            yield _Result(at + 3, (head,))
        if self.has(at + 1, "zhl"):
            yield _Result(at + 4, (head,))
        if self.has(at + 1, "R") or self.has(at + 1, "T"):
            if self.has(at + 2, "nt"):
                fact = f"{self.words[at + 2]} {self.words[at + 3]} {head}"
                yield _Result(at + 4, (head,), frozenset({fact}))
            for verb in self.verb(at + 2, bare=True):
                yield _Result(verb.end, (head,), _joined((head,), verb.texts))

    def nouns(self, at: int) -> Iterator[_Result]:
        """Parse a noun, or two; after "but not", the second is left out."""
        for one in self.noun(at):
            yield one
            if self.has(one.end, "&") or self.has(one.end, "!"):
                for two in self.noun(one.end + 1):
                    texts = one.texts + two.texts if self.has(one.end, "&") else one.texts
                    yield _Result(two.end, texts, one.stated | two.stated)

    def subject(self, at: int) -> Iterator[_Result]:
        """Parse a subject."""
        if self.has(at, "xn"):
            yield _Result(at + 2, (f"{self.words[at]} {self.words[at + 1]}",))
        elif self.has(at, "em"):
            yield _Result(at + 2, (self.words[at + 1],))
        elif self.has(at, "fm"):
            yield _Result(at + 2, (f"{self.words[at]} {self.words[at + 1]}",))
        else:
            yield from self.nouns(at)

    def verb(self, at: int, *, bare: bool = False) -> Iterator[_Result]:
        """Parse a verb with its objects; bare ones have one simple object at most."""
        if at >= len(self.words):
            return
        code, word = self.codes[at], self.words[at]
        if code == "i":
            yield _Result(at + 1, (word,))
        if code == "t":
            for noun in self.noun(at + 1, bare=True) if bare else self.nouns(at + 1):
                yield _with_verb(word, noun)
        if bare:
            return
        if code == "z":
            yield _Result(at + 1, (word,))
            for noun in self.noun(at + 1):
                yield _with_verb(word, noun)
            if self.has(at, "zhl"):
                yield _Result(at + 3, (" ".join(self.words[at : at + 3]),))
        if self.has(at, "uo") or self.has(at, "ko"):
            whole = f"{word} {self.words[at + 1]}"
            yield _Result(at + 2, (whole, word) if code == "u" else (whole,))
        if code == "s":
            for noun in self.noun(at + 1):
                yield _with_verb(word, noun)
        yield from self.said(at)

    def said(self, at: int) -> Iterator[_Result]:
        """Parse a verb with a clause, which is stated only after verbs of knowing."""
        if self.has(at, "s"):
            for clause in self.clause(at + 1):
                yield _Result(clause.end, (), open=clause.stated)
        if self.has(at, "NT") or self.has(at, "FT"):
            for clause in self.clause(at + 2):
                is_known = self.has(at, "F")
                yield clause if is_known else clause._replace(stated=Facts(), open=clause.stated)

    def clause(self, at: int) -> Iterator[_Result]:
        """Parse a clause."""
        if self.has(at, "cnTnt"):
            fact = f"{self.words[at + 3]} {self.words[at + 4]} {self.words[at + 1]}"
            yield _Result(at + 5, (), frozenset({fact}))
        if self.has(at, "nbtyn"):
            fact = f"{self.words[at + 4]} {self.words[at + 2]} {self.words[at]}"
            yield _Result(at + 5, (), frozenset({fact}))
        for subject in self.subject(at):
            for verb in self.verb(subject.end):
                stated = subject.stated | verb.stated | _joined(subject.texts, verb.texts)
                yield _Result(verb.end, (), stated, verb.open)
                if self.has(verb.end, "&"):
                    for other in self.verb(verb.end + 1, bare=True):
                        more = stated | _joined(subject.texts, other.texts)
                        yield _Result(other.end, (), more, verb.open)

    def sentence(self) -> Iterator[_Result]:
        """Parse all words."""
        for start, join, which in _JOINS:
            for first in self.clause(len(start)) if self.has(0, start) else ():
                after = first.end + len(join)
                for second in self.clause(after) if self.has(first.end, join) else ():
                    stated, unknown = set[str](), set[str]()
                    for number, clause in (("1", first), ("2", second)):
                        (stated if number in which else unknown).update(clause.stated)
                    yield _Result(second.end, (), Facts(stated), Facts(unknown))
        for clause in self.clause(1) if self.codes[0] in "DM" else ():
            is_sure = self.codes[0] == "M"
            yield clause if is_sure else clause._replace(stated=Facts(), open=clause.stated)
        if self.has(0, "pn"):
            yield from self.clause(2)
        yield from self.clause(0)


def _joined(subjects: Iterable[str], predicates: Iterable[str]) -> Facts:
    return frozenset(f"{subject} {predicate}" for subject in subjects for predicate in predicates)


def _with_verb(verb: str, nouns: _Result) -> _Result:
    return nouns._replace(texts=tuple(f"{verb} {noun}" for noun in nouns.texts))


class _Task(NamedTuple):
    """What the sentences of a premise state and leave open, and the hypothesis."""

    sentences: tuple[tuple[Facts, Facts], ...]
    hypothesis: str


def _words_of(text: str) -> list[str] | None:
    """Return the words and phrases of a sentence without its capital and full stop."""
    words: list[str] = []
    at = 0
    text = text[0].lower() + text[1:]
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None or len(words) == _MAX_PARTS:
            return None
        words.append(match[0])
        at = match.end()
        at += text[at : at + 1] == " "
    return words


def _sentences(text: str) -> tuple[Sentence, ...] | None:
    """Return words and facts of each sentence; None unless all ways to parse it agree."""
    made = []
    for sentence in text.removesuffix(".").split(". "):
        words = _words_of(sentence)
        if not words:
            return None
        ends = [each for each in _Parser(words).sentence() if each.end == len(words)]
        readings = {(each.stated, each.open) for each in ends}
        if len(readings) != 1:
            return None
        made.append((tuple(words), *readings.pop()))
    return tuple(made)


_SENTENCE = r"[A-Z][a-z ,\-]{5,200}\."


@reads(
    _WORDS,
    premise=holes.pattern(rf"{_SENTENCE}(?: {_SENTENCE})?", _sentences),
    hypothesis=holes.pattern(_SENTENCE),
)
def _read(premise: tuple[Sentence, ...], hypothesis: str) -> _Task | None:
    words = _words_of(hypothesis.removesuffix("."))
    if not words or not any({*words} <= {*known} for known, _, _ in premise):
        return None
    return _Task(tuple((stated, unknown) for _, stated, unknown in premise), " ".join(words))


def _solve(task: _Task) -> str:
    is_stated = any(task.hypothesis in stated for stated, _ in task.sentences)
    return "entailment" if is_stated else "non-entailment"


def _lines(task: _Task) -> Iterator[str]:
    steps = _WORDS["steps"]
    for sentence in task.sentences:
        for name, facts in zip(("stated", "open"), sentence, strict=True):
            for clause in sorted(facts):
                yield filled(steps[name], {"clause": clause})
    yield steps["yes" if _solve(task) == "entailment" else "no"]


VERIFIERS = {"entailment": PlainVerifier(_read, _solve, "label", exactly(_lines))}
