"""Questions about animals, by the grammar of COVR."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from synthgen.authoring import RowDraws
from synthgen.families.scene_questions.describe import Base, Described, Describer, restrictions
from synthgen.families.scene_questions.programs import (
    COMPARISONS,
    QUANTIFIERS,
    SCENE,
    Program,
    related,
)
from synthgen.families.scene_questions.scenes import ANIMALS, DEEDS

ATTRIBUTES = tuple(ANIMALS)
ASKED = ("color", "shape")
SINGLE = ("exists", "numbers", "values", "quantifiers")
KINDS = ("count", "attribute", "choose", *SINGLE, "and", "or")
_MAX_COUNT = {0: 4, 1: 4, 2: 3, 3: 2}
"""Largest number of animals by the number of attributes in their description."""
_NUMBERS = range(2, 5)
_ANY, _PART_TRIES = range(1, 99), 3
_OTHERS = (*[("animal",)] * 4, ("color",), ("shape",), ("animal", "color"), ("animal", "shape"))
"""Attributes in the description of animals to which others have a relation."""
_N_NAMES = ((1, 1, 2, 2), (0, 1, 1, 1, 2), (0, 1, 1))
"""Numbers of attributes in a description with none, one or two nested relations."""


class Noun(NamedTuple):
    """The form of a description: its attributes, and the number of nested relations."""

    names: tuple[str, ...]
    depth: int


class Statement(NamedTuple):
    """What is drawn of a question before its scene, so that the answer does not depend on it.

    Attributes:
        kind: Kind of question.
        truth: Whether the statement holds.
        attribute: Attribute that is asked or compared.
        word: Name of the comparison or quantifier.
        nouns: Forms of the descriptions.
        counts: Numbers of animals in them.
        number: Number to compare with; 0 for that of other animals.
    """

    kind: str
    truth: bool
    attribute: str
    word: str
    nouns: tuple[Noun, ...]
    counts: tuple[int, ...] = ()
    number: int = 0


def planned(draws: RowDraws, kind: str, count: int) -> tuple[Statement, ...]:
    """Draw what a question asks, and its answer if it is yes, no or a number.

    Args:
        draws: Random draws.
        kind: Kind of question.
        count: Number of animals in the scene.
    """
    truth = bool(draws.integer(0, 2))
    if kind not in ("and", "or"):
        return (_statement(draws, kind, truth, count),)
    truths = [(truth, truth)]
    if truth != (kind == "and"):
        truths += [(True, False), (False, True)] * 2
    return tuple(
        _statement(draws, draws.choice(SINGLE), each, count) for each in draws.choice(truths)
    )


def _statement(draws: RowDraws, kind: str, truth: bool, count: int) -> Statement:
    attribute = draws.choice(ASKED)
    nouns = (_noun(draws, kind), _noun(draws, kind))
    statement = Statement(kind, truth, attribute, "", nouns)
    if kind == "count":
        return statement._replace(counts=(draws.choice(_possible(nouns[0], count)),))
    if kind == "quantifiers":
        return statement._replace(word=draws.choice([*QUANTIFIERS]))
    if kind != "numbers":
        return statement
    word = draws.choice([*COMPARISONS])
    holds, possible = COMPARISONS[word], _possible(nouns[0], count)
    open_numbers = [n for n in _NUMBERS if len({holds(each, n) for each in possible}) > 1]
    number = draws.choice(open_numbers) if open_numbers and draws.integer(0, 2) else 0
    others = [number] if number else _possible(nouns[1], count)
    pairs = [pair for pair in product(possible, others) if holds(*pair) == truth]
    return statement._replace(word=word, number=number, counts=draws.choice(pairs))


def _noun(draws: RowDraws, kind: str) -> Noun:
    """Draw the form of a description."""
    depth = draws.choice((0, 0, 0, 1, 1, 1, 1, 2))
    depth = min(depth, 1) if kind in ("values", "quantifiers") else depth
    number = draws.choice(_N_NAMES[depth]) if kind != "quantifiers" else draws.integer(0, 2)
    chosen = draws.sample(ATTRIBUTES, number)
    return Noun(tuple(name for name in ATTRIBUTES if name in chosen), depth)


def _possible(noun: Noun, count: int) -> range:
    return range(1 + min(_MAX_COUNT[len(noun.names)], (count + 1) // 2))


class AnimalDescriber(Describer):
    """Draws questions about the animals of a scene."""

    known = ANIMALS

    def program(self, kind: str, plan: Sequence[Statement]) -> Program | None:
        """Draw a question; None if these draws do not give one."""
        self.named = 0
        parts = []
        for statement in plan:
            draw = self._PARTS[statement.kind]
            part = next(filter(None, (draw(self, statement) for _ in range(_PART_TRIES))), None)
            if part is None or part in parts:
                return None
            parts.append(part)
        return (kind, *parts) if kind in ("and", "or") else parts[0]

    def _base(self, depth: int) -> Base | None:
        """Draw a relation to animals that may have one themselves."""
        if not depth:
            return Base()
        inner = self._base(depth - 1)
        others = inner and self.several(inner, self.draws.choice(_OTHERS), _ANY)
        if not others:
            return None
        deed = self.draws.choice(DEEDS)
        members, *shorter = (
            related(self.view, deed, some) for some in (others.members, *others.shorter)
        )
        return Base(SCENE, (members,), (deed, others.program), tuple(shorter))

    def _described(self, noun: Noun, counts: range) -> Described | None:
        base = self._base(noun.depth)
        return self.several(base, noun.names, counts) if base else None

    def _reference(self, noun: Noun, asked: str, among: int = -1) -> tuple[Program, int] | None:
        base = self._base(noun.depth)
        return self.unique(base, asked=asked, among=among) if base else None

    def _count(self, statement: Statement) -> Program | None:
        (number,) = statement.counts
        some = self._described(statement.nouns[0], range(number, number + 1))
        return some and ("count", some.program)

    def _attribute(self, statement: Statement) -> Program | None:
        reference = self._reference(statement.nouns[0], statement.attribute)
        return reference and (f"query_{statement.attribute}", reference[0])

    def _choose(self, statement: Statement) -> Program | None:
        reference = self._reference(statement.nouns[0], statement.attribute)
        if not reference:
            return None
        right = self.view.of(reference[1], statement.attribute)
        others = [value for value in self.view.having[statement.attribute] if value != right]
        wrong = self.draws.choice(others) if others else ""
        values = (right, wrong) if statement.truth else (wrong, right)
        return (f"choose_{statement.attribute}", reference[0], *values) if wrong else None

    def _exists(self, statement: Statement) -> Program | None:
        some = self._described(statement.nouns[0], _ANY if statement.truth else range(1))
        return some and ("exist", some.program)

    def _numbers(self, statement: Statement) -> Program | None:
        first, second = statement.counts
        some = self._described(statement.nouns[0], range(first, first + 1))
        if statement.number:
            return some and (statement.word, ("count", some.program), statement.number)
        others = some and self._described(statement.nouns[1], range(second, second + 1))
        if not some or not others:
            return None
        parts = [restrictions(each.program) for each in (some, others)]
        if parts[0] <= parts[1] or parts[1] <= parts[0]:
            return None
        return (statement.word, ("count", some.program), ("count", others.program))

    def _values(self, statement: Statement) -> Program | None:
        name, has_other = statement.attribute, statement.nouns[1].depth > 0
        among = self.alike(name) if has_other and statement.truth else -1
        reference = self._reference(statement.nouns[0], name, among)
        if not reference:
            return None
        known = self.view.of(reference[1], name)
        query = (f"query_{name}", reference[0])
        if not has_other:
            values = [value for value in self.view.having[name] if value != known]
            if not values and not statement.truth:
                return None
            return (f"equal_{name}", query, known if statement.truth else self.draws.choice(values))
        same = self.view.having[name][known]
        among = same if statement.truth else ~same
        tries = (self._reference(statement.nouns[1], name, among) for _ in range(_PART_TRIES))
        other = next(filter(None, tries), None)
        return other and (f"equal_{name}", query, (f"query_{name}", other[0]))

    def _quantifiers(self, statement: Statement) -> Program | None:
        """Draw a quantifier, and something that holds for some animals of the scene."""
        some = self._described(statement.nouns[0], range(2, 99))
        if not some:
            return None
        holds = QUANTIFIERS[statement.word]
        for program, members in self._states(statement.nouns[0]):
            if restrictions(program) <= restrictions(some.program):
                continue
            if holds(some.members, some.members & members) == statement.truth:
                return (statement.word, some.program, program)
        return None

    def _states(self, noun: Noun) -> Iterator[tuple[Program, int]]:
        """Yield what may be said of animals, in random order."""
        names = [name for name in ASKED if name not in noun.names]
        states: list[tuple[Program, int]] = [
            ((f"filter_{name}", SCENE, value), members)
            for name in names
            for value, members in self.view.having[name].items()
        ]
        base = self._base(1)
        if base and base.relation:
            deed, others = base.relation
            states += [((deed, SCENE, others), base.parts[0])] * (1 + len(states) // 2)
        yield from self.draws.shuffled(states)

    _PARTS: Mapping[str, Callable[[AnimalDescriber, Statement], Program | None]] = {
        "count": _count,
        "attribute": _attribute,
        "choose": _choose,
        "exists": _exists,
        "numbers": _numbers,
        "values": _values,
        "quantifiers": _quantifiers,
    }
