"""Descriptions of things in a scene, of which every word matters."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import reduce
from operator import and_
from typing import ClassVar, NamedTuple

from synthgen.authoring import RowDraws
from synthgen.families.scene_questions.programs import SCENE, Program, View

_TRIES = 12
_BASES = ("relate", "intersect", "union")


class Base(NamedTuple):
    """What is described before its attributes.

    Attributes:
        program: Its program.
        parts: Sets of which it is the intersection.
        relation: Name of a relation and the others to which it is, after the attributes.
        shorter: Sets that the only part would be without one word of the others' description.
    """

    program: Program = SCENE
    parts: tuple[int, ...] = ()
    relation: tuple[str, Program] | None = None
    shorter: tuple[int, ...] = ()


class Described(NamedTuple):
    """A set of things, its program, and the larger sets without one of its words."""

    program: Program
    members: int
    shorter: tuple[int, ...]


class Describer:
    """Draws descriptions of the things in a scene.

    Args:
        view: The scene.
        draws: Random draws.
    """

    known: ClassVar[Mapping[str, Sequence[str]]]
    """Values that each attribute may have."""

    def __init__(self, view: View, draws: RowDraws) -> None:
        self.view, self.draws = view, draws
        self.named = 0
        """Things with a description of their own; another one is not drawn for them."""

    def _met(self, parts: Sequence[int]) -> int:
        return reduce(and_, parts, self.view.everything)

    def _shorter(self, base: Base, stated: Sequence[int]) -> Iterator[int]:
        """Yield what a description would mean without one word of its base."""
        for place in range(len(base.parts)):
            yield self._met([*base.parts[:place], *base.parts[place + 1 :], *stated])
        for part in base.shorter:
            yield self._met([part, *stated])

    def _filtered(self, base: Base, names: Sequence[str], values: Sequence[str]) -> Program:
        program = base.program
        for name, value in zip(names, values, strict=True):
            program = (f"filter_{name}", program, value)
        return (base.relation[0], program, base.relation[1]) if base.relation else program

    def unique(
        self, base: Base, hidden: Collection[str] = (), asked: str = "", among: int = -1
    ) -> tuple[Program, int] | None:
        """Describe one thing with as few attributes as are needed; return it with its number.

        Args:
            base: What the thing is in.
            hidden: Attributes that must not be stated.
            asked: Attribute whose value is asked. All of its values are equally likely, and the
                answer could be another one without any part of the base.
            among: Set of the things that may be chosen.
        """
        within = self._met(base.parts)
        members = within & among & ~self.named
        if asked and members:
            groups = [members & each for each in self.view.having[asked].values()]
            members = self.draws.choice([group for group in groups if group])
        if not members:
            return None
        number = self.draws.choice([*_numbers(members)])
        sets, bit = self.view.sets[number], 1 << number
        kept = [name for name in sets if name not in hidden and name != asked]
        if self._met([within, *(sets[name] for name in kept)]) != bit:
            return None
        for name in self.draws.shuffled(kept):
            rest = [sets[each] for each in kept if each != name]
            if self._met([within, *rest]) == bit:
                kept.remove(name)
        stated = [sets[name] for name in kept]
        for others in self._shorter(base, stated):
            if others == bit or (asked and not others & ~sets[asked]):
                return None
        self.named |= bit
        return ("unique", self._filtered(base, kept, self.view.values(number, kept))), number

    def several(self, base: Base, names: Sequence[str], counts: range) -> Described | None:
        """Describe a set by these attributes, with a number of things in a range."""
        within, tried = self._met(base.parts), set()
        if within.bit_count() < counts.start:
            return None
        for values, sets in self._options(base, within, names, counts):
            members = within
            for each in sets:
                members &= each
            if members.bit_count() not in counts or tuple(values) in tried:
                continue
            tried.add(tuple(values))
            shorter = [*self._shorter(base, sets)]
            for place in range(len(sets)):
                shorter.append(self._met([within, *sets[:place], *sets[place + 1 :]]))
            if members not in shorter:
                return Described(self._filtered(base, names, values), members, tuple(shorter))
        return None

    def _options(
        self, base: Base, within: int, names: Sequence[str], counts: range
    ) -> Iterator[tuple[list[str], list[int]]]:
        """Yield values of attributes and their sets: those of a thing, or any for an empty set."""
        having = self.view.having
        if 0 not in counts:
            numbers = [*_numbers(within)]
            start = self.draws.integer(0, len(numbers))
            for number in numbers[start:] + numbers[:start]:
                sets = self.view.sets[number]
                yield self.view.values(number, names), [sets[name] for name in names]
        elif not names:
            yield [], []
        elif len(names) + len(base.parts) < 2:
            for name in names:
                for value in self.draws.shuffled(self.known[name]):
                    yield [value], [having[name].get(value, 0)]
        else:
            for _ in range(_TRIES):
                values = [self.draws.choice([*having[name]]) for name in names]
                pairs = zip(names, values, strict=True)
                yield values, [having[name][value] for name, value in pairs]

    def alike(self, attribute: str) -> int:
        """Return the things that share the value of an attribute with others."""
        return sum(each for each in self.view.having[attribute].values() if each & (each - 1))


def restrictions(program: Program) -> set[Program]:
    """Return what a set is restricted by; one with more restrictions is a part of the other."""
    parts = set()
    while len(program) == 3 and program[0] not in _BASES:
        parts.add(program[:1] + program[2:])
        program = program[1]
    return parts | {program} - {SCENE}


def _numbers(members: int) -> Iterator[int]:
    """Yield the numbers of the things in a set."""
    while members:
        yield (members & -members).bit_length() - 1
        members &= members - 1
