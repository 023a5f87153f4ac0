"""Random families, the relations in them, and chains of facts between two people."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from synthgen.authoring import RowDraws

_MAX_PEOPLE = 48
_GENERATIONS = 3


@dataclass(slots=True, eq=False)
class Person:
    """A member of a family."""

    is_man: bool
    parents: tuple[Person, ...] = ()
    spouse: Person | None = None
    children: list[Person] = field(default_factory=list)


class Fact(NamedTuple):
    """Person `b` is the relative of `a` that `kind` names."""

    a: Person
    kind: str
    b: Person


def _siblings(person: Person) -> list[Person]:
    if not person.parents:
        return []
    return [child for child in person.parents[0].children if child is not person]


def _spouses(person: Person) -> list[Person]:
    return [person.spouse] if person.spouse else []


RELATIVES: Mapping[str, Callable[[Person], Sequence[Person]]] = {
    "spouse": _spouses,
    "parent": lambda one: one.parents,
    "child": lambda one: one.children,
    "sibling": _siblings,
    "grandparent": lambda one: [each for parent in one.parents for each in parent.parents],
    "grandchild": lambda one: [each for child in one.children for each in child.children],
    "uncle": lambda one: [each for parent in one.parents for each in _siblings(parent)],
    "nephew": lambda one: [each for other in _siblings(one) for each in other.children],
    "parent_in_law": lambda one: one.spouse.parents if one.spouse else [],
    "child_in_law": lambda one: [each for child in one.children for each in _spouses(child)],
}

RULES: Mapping[str, Sequence[tuple[str, str]]] = {
    "spouse": [("child", "parent"), ("child_in_law", "parent_in_law")],
    "parent": [("parent", "spouse"), ("sibling", "parent"), ("spouse", "parent_in_law")],
    "child": [("child", "sibling"), ("spouse", "child"), ("child_in_law", "spouse")],
    "sibling": [("sibling", "sibling"), ("parent", "child")],
    "grandparent": [
        ("parent", "parent"),
        ("sibling", "grandparent"),
        ("grandparent", "spouse"),
        ("uncle", "parent"),
        ("parent", "parent_in_law"),
    ],
    "grandchild": [
        ("child", "child"),
        ("spouse", "grandchild"),
        ("grandchild", "sibling"),
        ("child_in_law", "child"),
        ("child", "nephew"),
    ],
    "uncle": [("parent", "sibling"), ("sibling", "uncle")],
    "nephew": [("sibling", "child"), ("nephew", "sibling")],
    "parent_in_law": [("spouse", "parent"), ("parent_in_law", "spouse")],
    "child_in_law": [("child", "spouse"), ("spouse", "child_in_law")],
}
"""Pairs of relations that always make a relation, of two different people."""


def _couple(draws: RowDraws, first: Person | None = None) -> tuple[Person, Person]:
    """Marry a person, or make a couple."""
    first = first or Person(is_man=bool(draws.integer(0, 2)))
    second = Person(is_man=not first.is_man)
    first.spouse, second.spouse = second, first
    return (first, second) if first.is_man else (second, first)


def _children(parents: tuple[Person, Person], count: int, draws: RowDraws) -> list[Person]:
    children = [Person(bool(draws.integer(0, 2)), parents) for _ in range(count)]
    for parent in parents:
        parent.children = children
    return children


def drawn_family(draws: RowDraws) -> list[Person]:
    """Draw a family: some people do not marry, and some who marry into it bring relatives."""
    root = _couple(draws)
    people: list[Person] = [*root]
    couples = [root]
    for _ in range(_GENERATIONS):
        grown = []
        for couple in couples:
            children = _children(couple, draws.integer(1, 5), draws)
            people += children
            for child in children:
                if len(people) < _MAX_PEOPLE and draws.integer(0, 4):
                    grown.append(_couple(draws, child))
                    people += _relatives_in_law(child, draws)
        couples = grown
    return people


def _relatives_in_law(child: Person, draws: RowDraws) -> list[Person]:
    """Return the spouse of a child, with parents and siblings or without."""
    spouse = child.spouse
    if spouse is None:
        return []
    if not draws.integer(0, 2):
        return [spouse]
    parents = _couple(draws)
    siblings = _children(parents, draws.integer(0, 3), draws)
    spouse.parents = parents
    for parent in parents:
        parent.children = [spouse, *siblings]
    return [spouse, *parents, *siblings]


class Chain:
    """A chain of facts that leads from one person to another over different people.

    Args:
        fact: The relation that follows from the chain; the chain begins as this fact alone.
    """

    def __init__(self, fact: Fact) -> None:
        self.facts = [fact]
        self.people = {id(fact.a), id(fact.b)}
        self._parts: dict[Fact, tuple[Fact, Fact]] = {}

    def grow(self, draws: RowDraws) -> bool:
        """Replace a fact by two from which it follows; return whether there was one to replace."""
        for place in draws.shuffled(range(len(self.facts))):
            parts = detour(self.facts[place], self.people, draws)
            if parts:
                self._parts[self.facts[place]] = parts
                self.people.add(id(parts[0].b))
                self.facts[place : place + 1] = parts
                return True
        return False

    def steps(self, fact: Fact) -> Iterator[tuple[Fact, Fact, Fact]]:
        """Yield the two premises and the conclusion of every step that leads to a fact."""
        if fact in self._parts:
            first, second = self._parts[fact]
            yield from self.steps(first)
            yield from self.steps(second)
            yield first, second, fact


def detour(fact: Fact, used: set[int], draws: RowDraws) -> tuple[Fact, Fact] | None:
    """Return two facts over an unused person from which a fact follows."""
    for first, second in draws.shuffled(RULES[fact.kind]):
        between = [
            person
            for person in RELATIVES[first](fact.a)
            if id(person) not in used and fact.b in RELATIVES[second](person)
        ]
        if between:
            person = draws.choice(between)
            return Fact(fact.a, first, person), Fact(person, second, fact.b)
    return None


def drawn_walk(start: Person, length: int, used: set[int], draws: RowDraws) -> list[Fact]:
    """Draw facts that lead away from a person over unused people, who count as used then."""
    facts: list[Fact] = []
    for _ in range(length):
        for kind in draws.shuffled([*RELATIVES]):
            others = [person for person in RELATIVES[kind](start) if id(person) not in used]
            if others:
                facts.append(Fact(start, kind, draws.choice(others)))
                start = facts[-1].b
                used.add(id(start))
                break
    return facts
