"""Facts and rules from their sentences, in the vocabularies of the words file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from synthgen.authoring import Words, parts_of

WORDS = Words.beside(__file__)
_SENTENCES = WORDS["sentences"]
_MAX_CHARACTERS, _MAX_SENTENCES = 600, 120

Atom = tuple[str, bool]
"""A property and whether it is affirmed."""


class Clause(NamedTuple):
    """Properties of a subject, all of which hold ("and"), or one ("or")."""

    parts: frozenset[Atom]
    word: str = ""


class Law(NamedTuple):
    """A rule: what follows from what, for one subject or for all."""

    subject: str
    conditions: Clause
    conclusion: Clause


class Fact(NamedTuple):
    """What is said of a subject."""

    subject: str
    clause: Clause


def opposite(atom: Atom) -> Atom:
    """Return the negation of a literal."""
    return atom[0], not atom[1]


class Vocabulary:
    """Names and properties of one table of the words file."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        self._subjects: dict[str, str] = {}
        for name in table["subjects"]:
            self._subjects |= {name: name, name[0].upper() + name[1:]: name}
        self._said: dict[str, Atom] = {}
        self._kinds: set[str] = {*table.get("kinds", ())}
        for kind in self._kinds:
            for said in (f"a {kind}", f"an {kind}", f"{kind}es"):
                self._say(kind, f"is {said}", f"is not {said}")
        for trait in table["traits"]:
            for name in [trait] if isinstance(trait, str) else trait:
                self._say(name, f"is {name}", f"is not {name}")
        for verb, third in table.get("verbs", {}).items():
            for thing in table["subjects"]:
                self._say(f"{verb} {thing}", f"{third} {thing}", f"does not {verb} {thing}")
        self._forms = [parts_of(text) for text in (*table["rules"], *_SENTENCES["kind"])]

    def _say(self, name: str, affirmed: str, denied: str) -> None:
        self._said |= {affirmed: (name, True), denied: (name, False)}

    def clause(self, text: str, subject: str = "") -> Clause | None:
        """Read what is said of a subject."""
        word = "or" if " or " in text else "and"
        parts = re.split(rf",? {word} |, ", text)
        atoms = set()
        for place, part in enumerate(parts):
            own = part.removeprefix(f"{subject} ") if subject else part
            atom = self._said.get(own) or (self._said.get(f"is {own}") if place else None)
            if atom is None:
                return None
            atoms.add(atom)
        return Clause(frozenset(atoms), word if len(atoms) > 1 else "")

    def fact(self, text: str) -> Fact | None:
        """Read a statement without a full stop."""
        for length in (1, 2, 3):
            name = " ".join(text.split(" ", length)[:length])
            if name in self._subjects:
                subject = self._subjects[name]
                clause = self.clause(text[len(name) + 1 :], subject)
                return clause and Fact(subject, clause)
        return None

    def law(self, text: str) -> Law | None:
        """Read a rule with its full stop."""
        for before, first, between, _, after in self._forms:
            if not (text.startswith(before) and text.endswith(after)):
                continue
            body = text[len(before) : len(text) - len(after)]
            for left, right in cuts(body, between):
                if (first == "kind") != (left in self._kinds):
                    continue
                said = f"is a {left}" if first == "kind" else left
                law = self._law("", said, right)
                if law is not None:
                    return law
        return self._of_many(text) or self._named(text)

    def _law(self, subject: str, conditions: str, conclusion: str) -> Law | None:
        ends = self.clause(conclusion)
        starts = ends and self.clause(conditions)
        return Law(subject, starts, ends) if starts and ends else None

    def _of_many(self, text: str) -> Law | None:
        """Read a rule about a kind in the plural."""
        match = re.fullmatch(r"(\w+)es are ([^.]+)\.", text)
        if match is None or match[1].lower() not in self._kinds:
            return None
        return self._law("", f"is a {match[1].lower()}", f"is {match[2]}")

    def _named(self, text: str) -> Law | None:
        if not text.startswith("If "):
            return None
        first, _, second = text[3:-1].partition(", then ")
        conditions, conclusion = self.fact(first), self.fact(second)
        if not conditions or not conclusion or conditions.subject != conclusion.subject:
            return None
        return Law(conditions.subject, conditions.clause, conclusion.clause)


def cuts(text: str, between: str) -> Iterator[tuple[str, str]]:
    """Yield the two parts of a text around each occurrence of what is between them."""
    at = text.find(between)
    while at >= 0:
        yield text[:at], text[at + len(between) :]
        at = text.find(between, at + 1)


VOCABULARIES = [Vocabulary(table) for table in WORDS["lexicons"].values()]


@lru_cache(1 << 15)
def sentence(place: int, text: str) -> Fact | Law | None:
    """Read a sentence with its full stop, in the vocabulary at a place."""
    if len(text) > _MAX_CHARACTERS:
        return None
    vocabulary = VOCABULARIES[place]
    return vocabulary.fact(text[:-1]) or vocabulary.law(text)


def theory(text: str) -> tuple[int, tuple[Fact | Law, ...]] | None:
    """Read sentences, all of them in one vocabulary, whose place comes first."""
    sentences = [f"{each}." for each in text.removesuffix(".").split(". ")]
    for place in range(len(VOCABULARIES) if len(sentences) <= _MAX_SENTENCES else 0):
        read = []
        for each in sentences:
            known = sentence(place, each)
            if known is None:
                break
            read.append(known)
        else:
            return place, tuple(read)
    return None
