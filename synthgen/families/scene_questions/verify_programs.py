"""Programs as verifiers read, compare and run them: things are searched one by one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

Call = tuple[Any, ...]
"""Name of a function, and its arguments: calls, names and numbers."""
DEEDS = ("chasing", "playing_with", "looking_at")
_MAX_CHARACTERS, _MAX_DEPTH = 3_000, 60
_TOKEN = re.compile(r"\s*([a-z_]+|[0-9]|[(),])")
_SIDES = {"left": ("x", -1), "right": ("x", 1), "front": ("y", 1), "behind": ("y", -1)}
_SWAPPED = ("union", "intersect", "equal_", "and", "or")
"""Beginnings of the names of functions whose arguments may be exchanged."""


class Item(NamedTuple):
    """An object or animal.

    Attributes:
        name: How solutions name it.
        values: Attributes and their values.
        x, y: Position.
        deeds: Relations and the names of the animals that it has them to.
    """

    name: str
    values: tuple[tuple[str, str], ...]
    x: int = 0
    y: int = 0
    deeds: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def has(self, attribute: str, value: str) -> bool:
        """Return whether an attribute has a value."""
        return (attribute, value) in self.values


def parsed(text: str) -> Call | None:
    """Read a program; None if the text is not one."""
    if len(text) > _MAX_CHARACTERS:
        return None
    tokens, at = [], 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            return None
        tokens.append(match[1])
        at = match.end()
    try:
        program, end = _call(tokens, 0, 0)
    except (IndexError, ValueError):
        return None
    return program if end == len(tokens) and isinstance(program, tuple) else None


def _call(tokens: Sequence[str], at: int, depth: int) -> tuple[Any, int]:
    """Read an argument, and return it with the place after it."""
    name = tokens[at]
    if name in "()," or depth > _MAX_DEPTH:
        raise ValueError(name)
    if name.isdecimal():
        return int(name), at + 1
    if at + 1 == len(tokens) or tokens[at + 1] != "(":
        return (("scene",) if name == "scene" else name), at + 1
    arguments, at = [], at + 1
    while tokens[at] != ")":
        argument, at = _call(tokens, at + 1, depth + 1)
        arguments.append(argument)
        if tokens[at] not in (",", ")"):
            raise ValueError(tokens[at])
    return (name, *arguments), at + 1


def regular(program: Any) -> Any:
    """Return a program with its filters, and other arguments without an order, in one order."""
    if not isinstance(program, tuple):
        return program
    filters = []
    while program[0].startswith(("filter_", *DEEDS)) and len(program) == 3:
        filters.append((program[0], regular(program[2])))
        program = program[1]
        if not isinstance(program, tuple):
            return (program, *filters)
    name, *rest = program
    arguments = [regular(each) for each in rest]
    if name.startswith(_SWAPPED):
        arguments.sort(key=repr)
    return ((name, *arguments), *sorted(filters, key=repr)) if filters else (name, *arguments)


def spelled(program: Any) -> str:
    """Return a program in the spelling of rows."""
    if not isinstance(program, tuple):
        return str(program)
    name, *rest = program
    return f"{name}({', '.join(map(spelled, rest))})" if rest else str(name)


def is_program(text: str, program: Call) -> bool:
    """Return whether a text is a program in the spelling of rows, up to the order of filters."""
    other = parsed(text)
    return other is not None and spelled(other) == text and regular(other) == regular(program)


def plain(text: str) -> str:
    """Return a program in the spelling of rows, other texts as they are."""
    program = parsed(text.strip().strip("`"))
    return text if program is None else spelled(program)


# running


class _Search:
    """Runs programs on a scene.

    Args:
        items: Things of the scene.
    """

    def __init__(self, items: Sequence[Item]) -> None:
        self.items = items

    def chosen(self, program: Call) -> list[Item]:
        """Return the things of a set, in the order of the scene."""
        name, *rest = program
        if name == "scene":
            return [*self.items]
        if name.startswith("filter_"):
            attribute = name.removeprefix("filter_")
            return [each for each in self.chosen(rest[0]) if each.has(attribute, rest[1])]
        if name in ("union", "intersect"):
            one, other = map(self.chosen, rest)
            join = any if name == "union" else all
            return [each for each in self.items if join((each in one, each in other))]
        if name in DEEDS:
            others = {each.name for each in self.chosen(rest[1])}
            return [
                each
                for each in self.chosen(rest[0])
                if others.intersection(dict(each.deeds).get(name, ()))
            ]
        thing = self.only(rest[0])
        if name == "relate":
            side, sign = _SIDES[rest[1]]
            start = getattr(thing, side)
            return [each for each in self.items if (getattr(each, side) - start) * sign > 0]
        attribute = name.removeprefix("same_")
        value = dict(thing.values)[attribute]
        return [each for each in self.items if each != thing and each.has(attribute, value)]

    def only(self, program: Call) -> Item:
        """Return the only thing of a set.

        Raises:
            ValueError: if the set has none or several.
        """
        (thing,) = self.chosen(program[1])
        return thing

    def value(self, program: Any) -> Any:
        """Return a number, value or truth value."""
        if not isinstance(program, tuple):
            return program
        name, *rest = program
        if name in _ON_SETS:
            return _ON_SETS[name](*map(self.chosen, rest))
        if name.startswith(("query_", "choose_")):
            return dict(self.only(rest[0]).values)[name.partition("_")[2]]
        one, other = map(self.value, rest)
        if name.startswith("equal_"):
            return one == other
        return _ON_VALUES[name](one, other)


_ON_SETS: Mapping[str, Callable[..., Any]] = {
    "count": len,
    "exist": lambda some: len(some) > 0,
    "all": lambda some, good: all(each in good for each in some),
    "most": lambda some, good: 2 * sum(each in good for each in some) > len(some),
    "some": lambda some, good: any(each in good for each in some),
    "none": lambda some, good: not any(each in good for each in some),
}
_ON_VALUES: Mapping[str, Callable[[Any, Any], bool]] = {
    "greater_than": lambda one, other: one > other,
    "less_than": lambda one, other: one < other,
    "and": lambda one, other: one and other,
    "or": lambda one, other: one or other,
}


def answer_of(program: Call, items: Sequence[Item]) -> str | None:
    """Return the answer to a question; None if a reference does not have exactly one thing."""
    try:
        value = _Search(items).value(program)
    except ValueError:
        return None
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


# solutions


def lines_of(
    program: Call, items: Sequence[Item], line: Callable[..., str], label: Mapping[str, str]
) -> Iterator[str]:
    """Yield the lines of a solution: sets, numbers and values from the inside out.

    Args:
        program: The program.
        items: Things of the scene.
        line: Function that fills a line of the words file.
        label: Labels by function, or by side.
    """
    search = _Search(items)
    ordered = sorted(items, key=lambda each: each.x)

    def named(some: Iterable[Item]) -> str:
        members = [each.name for each in ordered if each in some]
        return ", ".join(members) or label["none"]

    def walk(part: Any) -> Iterator[str]:
        if not isinstance(part, tuple) or part == ("scene",):
            return
        name, *rest = part
        if name.startswith("filter_"):
            values, base = [], part
            while base[0].startswith("filter_"):
                values.append(base[2])
                base = base[1]
            yield from walk(base)
            yield line(
                "members", what=" ".join(reversed(values)), members=named(search.chosen(part))
            )
            return
        for each in rest:
            yield from walk(each)
        kind, _, attribute = name.partition("_")
        if kind == "query":
            yield line("members", what=attribute, members=search.value(part))
        elif name == "count":
            yield line("members", what=label["count"], members=search.value(part))
        elif kind == "same":
            what = line("same", attribute=attribute)
            yield line("members", what=what, members=named(search.chosen(part)))
        elif name in ("relate", "union", "intersect", *DEEDS):
            what = label[part[2] if name == "relate" else name]
            yield line("members", what=what, members=named(search.chosen(part)))

    return walk(program)


def calls(program: Call, line: Callable[..., str]) -> list[str]:
    """Return a program as numbered lines, each with one function."""
    lines: list[str] = []
    numbers: list[str] = []

    def visit(part: Any) -> str:
        if not isinstance(part, tuple) or len(part) == 1:
            return str(part[0] if isinstance(part, tuple) else part)
        inside = ", ".join([visit(each) for each in part[1:]])
        numbers.append(f"#{len(numbers) + 1}")
        lines.append(line("part", number=numbers[-1], call=f"{part[0]}({inside})"))
        return numbers[-1]

    visit(program)
    return lines
