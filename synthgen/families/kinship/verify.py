"""Kinship from the text: people and couples that must exist, merged where they must be the same.

Each fact says who was born to which couple and who belongs to which. People whom a fact implies,
such as the parent who is a grandmother's child, are added without a name. A couple is a man and a
woman; nobody is born to two couples or belongs to two. What follows from the facts is what holds
among these people.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

from synthgen.authoring import PlainVerifier, Words, holes, reads, wording_pattern

_WORDS = Words.beside(__file__)
_NAME = holes.word([*_WORDS["names"]["men"], *_WORDS["names"]["women"]])
_KINDS = {
    word: (kind, gender)
    for kind, words in _WORDS["relations"].items()
    for gender, word in zip("mf", words, strict=True)
}
_WORD = holes.word(_KINDS)
_HOLES = {
    **dict.fromkeys("abc", _NAME),
    **dict.fromkeys(("word", "first", "second"), _WORD),
    "own": holes.word(("his", "her")),
}
_SENTENCES = [
    wording_pattern(text, _HOLES)[1] for texts in _WORDS["facts"].values() for text in texts
]
_STEP = wording_pattern(_WORDS["steps"]["joined"], _HOLES)[1]
_INVERSE = {"child": "parent", "grandchild": "grandparent", "nephew": "uncle"}
_MAX_FACTS = 60

_Fact = tuple[str, str, str]
"""Person, word and relative."""


class _Story(NamedTuple):
    """Facts, and the two people asked about."""

    facts: tuple[_Fact, ...]
    first: str
    last: str


def _facts(text: str) -> tuple[_Fact, ...] | None:
    facts: list[_Fact] = []
    for sentence in re.findall(r"[^.]+\.", text):
        match = next(filter(None, (each.fullmatch(sentence.strip()) for each in _SENTENCES)), None)
        if match is None or len(facts) == _MAX_FACTS:
            return None
        facts.append((match["a"], match["word"], match["b"]))
    return tuple(facts)


@reads(
    _WORDS,
    story=holes.pattern(r"[A-Z][A-Za-z' ,.-]{10,6000}\.", _facts),
    first=_NAME,
    last=_NAME,
    relations=holes.pattern(re.escape(", ".join(_KINDS))),
)
def _read(story: tuple[_Fact, ...], first: str, last: str, relations: str = "") -> _Story:
    del relations
    return _Story(story, first, last)


class _Person:
    """A person, named or implied; couples are numbers, -1 for an unknown one."""

    __slots__ = ("born_to", "couple", "gender", "name", "others")

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.gender = ""
        self.born_to = self.couple = -1
        self.others: set[_Person] = set()

    def differs(self, other: _Person) -> bool:
        """Return whether two people are certainly not the same."""
        return bool(
            (self.name and other.name and self.name != other.name)
            or (self.gender and other.gender and self.gender != other.gender)
            or other in self.others
        )


class _Genealogy:
    """The people and couples that facts imply.

    Attributes:
        consistent: Whether the facts can all be true.
    """

    def __init__(self, facts: Iterable[_Fact]) -> None:
        self._named: dict[str, _Person] = {}
        self._people: list[_Person] = []
        self._couples: list[int] = []
        self.consistent = True
        for a, word, b in facts:
            kind, gender = _KINDS[word]
            one, other = self._person(a), self._person(b)
            if other.gender not in ("", gender) or a == b:
                self.consistent = False
            other.gender = gender
            self._state(kind, one, other)
        while self._merged_one():
            pass

    def _person(self, name: str = "") -> _Person:
        person = self._named.get(name)
        if person is None:
            person = _Person(name)
            self._people.append(person)
            if name:
                self._named[name] = person
        return person

    def _new_couple(self) -> int:
        self._couples.append(len(self._couples))
        return len(self._couples) - 1

    def _root(self, couple: int) -> int:
        while couple >= 0 and self._couples[couple] != couple:
            couple = self._couples[couple]
        return couple

    def _birth(self, person: _Person) -> int:
        if person.born_to < 0:
            person.born_to = self._new_couple()
        return person.born_to

    def _marriage(self, person: _Person) -> int:
        if person.couple < 0:
            person.couple = self._new_couple()
        return person.couple

    def _same(self, one: int, other: int) -> None:
        """Make two couples the same."""
        self._couples[self._root(one)] = self._root(other)

    def _state(self, kind: str, a: _Person, b: _Person) -> None:
        """Add what a fact implies."""
        if kind in _INVERSE:
            kind, a, b = _INVERSE[kind], b, a
        if kind == "child_in_law":
            kind, a, b = "parent_in_law", b, a
        if kind == "spouse":
            self._same(self._marriage(a), self._marriage(b))
        elif kind == "parent":
            self._same(self._birth(a), self._marriage(b))
        elif kind == "sibling":
            self._same(self._birth(a), self._birth(b))
        else:
            between = self._person()
            if kind == "parent_in_law":
                self._same(self._marriage(between), self._marriage(a))
                between.others.add(a)
                a.others.add(between)
            else:
                self._same(self._marriage(between), self._birth(a))
            if kind == "uncle":
                self._same(self._birth(between), self._birth(b))
                between.others.add(b)
                b.others.add(between)
            else:
                self._same(self._birth(between), self._marriage(b))

    def _merged_one(self) -> bool:
        """Merge two people who must be the same; return whether there were any."""
        members: dict[int, list[_Person]] = {}
        for person in self._people:
            if person.couple >= 0:
                members.setdefault(self._root(person.couple), []).append(person)
        for couple in members.values():
            for one, other in combinations(couple, 2):
                same = one.gender == other.gender != ""
                if same or any(x.differs(one) and x.differs(other) for x in couple):
                    self._merge(one, other)
                    return True
        return False

    def _merge(self, one: _Person, other: _Person) -> None:
        if one.differs(other):
            self.consistent = False
        if other.name:
            one, other = other, one
        self._people.remove(other)
        one.gender = one.gender or other.gender
        if other.born_to >= 0:
            self._same(self._birth(one), other.born_to)
        for third in other.others:
            third.others.add(one)
            one.others.add(third)

    def relation(self, first: str, last: str) -> str | None:
        """Return the word for what the last person certainly is to the first; None without one."""
        if not {first, last} <= {*self._named} or not self.consistent:
            return None
        one, other = self._named[first], self._named[last]
        kinds = {
            kind for kind in {kind for kind, _ in _KINDS.values()} if self._holds(kind, one, other)
        }
        words = [
            word
            for word, (kind, gender) in _KINDS.items()
            if kind in kinds and gender == other.gender
        ]
        return words[0] if len(words) == 1 else None

    def _holds(self, kind: str, a: _Person, b: _Person) -> bool:
        if kind in _INVERSE:
            kind, a, b = _INVERSE[kind], b, a
        if kind == "child_in_law":
            kind, a, b = "parent_in_law", b, a
        birth, marriage = self._root(a.born_to), self._root(a.couple)
        births, marriages = self._root(b.born_to), self._root(b.couple)
        if kind == "spouse":
            return marriage == marriages >= 0
        if kind == "parent":
            return birth == marriages >= 0
        if kind == "sibling":
            return birth == births >= 0
        own = marriage if kind == "parent_in_law" else birth
        theirs = births if kind == "uncle" else marriages
        if own < 0 or theirs < 0:
            return False
        return any(
            self._root(between.couple) == own
            and self._root(between.born_to) == theirs
            and (kind != "parent_in_law" or between.differs(a))
            and (kind != "uncle" or between.differs(b))
            for between in self._people
        )


def _solve(story: _Story) -> str | None:
    return _Genealogy(story.facts).relation(story.first, story.last)


def _follows(story: _Story, answer: str, lines: Sequence[str]) -> bool:
    """Check that each line joins two known facts into a new one, and that the last is asked for."""
    known, last = {*story.facts}, None
    for line in lines:
        match = _STEP.fullmatch(line)
        if match is None:
            return False
        a, b, c, first, second, word = match.group("a", "b", "c", "first", "second", "word")
        premises, last = [(a, first, b), (b, second, c)], (a, word, c)
        if last in known or not known.issuperset(premises):
            return False
        if _Genealogy(premises).relation(a, c) != word:
            return False
        known.add(last)
    return last == (story.first, answer, story.last)


VERIFIERS = {"kinship": PlainVerifier(_read, _solve, "label", _follows)}
