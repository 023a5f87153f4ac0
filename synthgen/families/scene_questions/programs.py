"""Programs over scenes, evaluated on sets of bits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from operator import eq, gt, lt
from typing import Any, NamedTuple

from synthgen.authoring import RowDraws, Tree
from synthgen.families.scene_questions.scenes import Scene

Program = tuple[Any, ...]
"""The name of a function and its arguments: programs, names of values, and numbers."""
SCENE: Program = ("scene",)
COMPARISONS: Mapping[str, Callable[[int, int], bool]] = {
    "equal_integer": eq,
    "greater_than": gt,
    "less_than": lt,
}
QUANTIFIERS: Mapping[str, Callable[[int, int], bool]] = {
    "all": lambda first, both: both == first,
    "most": lambda first, both: 2 * both.bit_count() > first.bit_count(),
    "some": lambda _, both: both > 0,
    "none": lambda _, both: both == 0,
}
"""What holds for a set, and those of its things for which something is said to hold."""


class View:
    """A scene as sets of bits.

    Args:
        scene: The scene.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.everything = (1 << len(scene.things)) - 1
        self.having: dict[str, dict[str, int]] = {name: {} for name in scene.attributes}
        """For each attribute, the set of things with each value that occurs."""
        for number, thing in enumerate(scene.things):
            for name, value in zip(scene.attributes, thing.values, strict=True):
                sets = self.having[name]
                sets[value] = sets.get(value, 0) | 1 << number

    @cached_property
    def sets(self) -> list[dict[str, int]]:
        """For each thing, the sets of those that share its values, by attribute."""
        return [
            {
                name: self.having[name][value]
                for name, value in zip(self.scene.attributes, thing.values, strict=True)
            }
            for thing in self.scene.things
        ]

    @cached_property
    def same(self) -> dict[str, list[int]]:
        """For each attribute, the other things that share its value with each thing."""
        return {
            name: [sets[name] & ~(1 << number) for number, sets in enumerate(self.sets)]
            for name in self.scene.attributes
        }

    def of(self, number: int, attribute: str) -> str:
        """Return the value of an attribute of a thing."""
        return self.scene.things[number].values[self.scene.attributes.index(attribute)]

    def values(self, number: int, attributes: Iterable[str]) -> list[str]:
        """Return the values of some attributes of a thing."""
        return [self.of(number, name) for name in attributes]


class Made(NamedTuple):
    """A program and its scene."""

    program: Program
    view: View


def value(program: Program, view: View) -> Any:
    """Return the value of a program: a set, the number of a thing, a number, name or truth value.

    Raises:
        ValueError: if a reference does not have exactly one thing.
    """
    name, *rest = program
    known = [value(each, view) if isinstance(each, tuple) else each for each in rest]
    kind, _, attribute = name.partition("_")
    if name == "scene":
        return view.everything
    if kind == "filter":
        return known[0] & view.having[attribute].get(known[1], 0)
    if kind == "same":
        return view.same[attribute][known[0]]
    if kind in ("query", "choose"):
        return view.of(known[0], attribute)
    if name == "relate":
        return view.scene.relations[known[1]][known[0]]
    if name in view.scene.relations:
        return known[0] & related(view, name, known[1])
    if name in COMPARISONS:
        return COMPARISONS[name](*known)
    if name in QUANTIFIERS:
        return QUANTIFIERS[name](known[0], known[0] & known[1])
    return _OTHERS[name](*known)


def _only(members: int) -> int:
    if members.bit_count() != 1:
        message = f"a reference to {members.bit_count()} things, expected one"
        raise ValueError(message)
    return members.bit_length() - 1


_OTHERS: Mapping[str, Callable[..., Any]] = {
    "unique": _only,
    "union": lambda one, other: one | other,
    "intersect": lambda one, other: one & other,
    "count": int.bit_count,
    "exist": bool,
    **dict.fromkeys([f"equal_{name}" for name in ("size", "color", "material", "shape")], eq),
    "and": lambda one, other: one and other,
    "or": lambda one, other: one or other,
}


def related(view: View, deed: str, others: int) -> int:
    """Return the set of things that have a relation to at least one of others."""
    result = 0
    for number, members in enumerate(view.scene.relations[deed]):
        if others >> number & 1:
            result |= members
    return result


def answer(result: Any) -> str:
    """Return the value of a question as text."""
    return ("no", "yes")[result] if isinstance(result, bool) else str(result)


def text(program: Tree) -> str:
    """Return a program as text: `count(filter_color(scene, red))`."""
    if not isinstance(program, tuple):
        return str(program)
    name, *rest = program
    return f"{name}({', '.join(map(text, rest))})" if rest else str(name)


def functions(program: Any) -> Iterator[str]:
    """Yield the names of the functions of a program."""
    if isinstance(program, tuple):
        yield program[0]
        for each in program[1:]:
            yield from functions(each)


def changed(program: Program, draws: RowDraws, groups: Sequence[Sequence[Any]]) -> Program | None:
    """Return a program with another name or number in one place; None if it has neither.

    Args:
        program: The program.
        draws: Random draws.
        groups: Names and numbers that may replace one another.
    """
    leaves = [*_leaves(program)]
    if not leaves:
        return None
    place = draws.integer(0, len(leaves))
    others = next(some for some in groups if leaves[place] in some)
    return _replaced(
        program, [place], draws.choice([each for each in others if each != leaves[place]])
    )


def _leaves(program: Program) -> Iterator[Any]:
    for each in program[1:]:
        if isinstance(each, tuple):
            yield from _leaves(each)
        else:
            yield each


def _replaced(program: Program, place: list[int], name: Any) -> Program:
    """Replace one leaf; the number of leaves before it is counted down in a list."""
    made: list[Any] = [program[0]]
    for each in program[1:]:
        if isinstance(each, tuple):
            made.append(_replaced(each, place, name))
        else:
            made.append(name if place[0] == 0 else each)
            place[0] -= 1
    return tuple(made)
