"""Programs as verifiers read, compare and run them: things are searched one by one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from synthgen.authoring import AnswerChecker, Words

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
    return _answer(value)


def _answer(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


# solutions


class _Lines:
    """Writes solutions.

    Args:
        items: Things of the scene.
        words: Words of the lines.
    """

    def __init__(self, items: Sequence[Item], words: Words) -> None:
        self.search, self.words, self.label = _Search(items), words, words["steps"]
        self.ordered = sorted(items, key=lambda each: each.x)

    def of(self, part: Any) -> Iterator[str]:
        """Yield the sets, numbers and values of a program, from the inside out."""
        if not isinstance(part, tuple) or part == ("scene",):
            return
        name, *rest = part
        if name.startswith("filter_"):
            yield from self._filters(part)
            return
        for place, each in enumerate(rest):
            yield from self.of(each)
            if name in ("and", "or"):
                what = self.label[("first", "second")[place]]
                yield self._line(what, _answer(self.search.value(each)))
        kind, _, attribute = name.partition("_")
        if kind == "query":
            yield self._line(attribute, self.search.value(part))
        elif name == "count":
            yield self._line(self.label["count"], self.search.value(part))
        elif kind == "same":
            yield self._set(self.words.line("same", attribute=attribute), part)
        elif name in ("relate", "union", "intersect", *DEEDS):
            yield self._set(self.label[part[2] if name == "relate" else name], part)

    def _filters(self, part: Call) -> Iterator[str]:
        values, base = {}, part
        while base[0].startswith("filter_"):
            values[base[0].removeprefix("filter_")] = base[2]
            base = base[1]
        yield from self.of(base)
        stated = [values[each] for each in self.label["order"] if each in values]
        yield self._set(" ".join(stated), part)

    def _set(self, what: str, part: Call) -> str:
        chosen = self.search.chosen(part)
        names = [each.name for each in self.ordered if each in chosen]
        return self._line(what, ", ".join(names) or self.label["empty"])

    def _line(self, what: str, members: object) -> str:
        return self.words.line("members", what=what, members=members)


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


# the verifier


class Task(NamedTuple):
    """What a prompt states: the kind of task, the program of its question, and the scene."""

    kind: str
    program: Call
    items: tuple[Item, ...]


def checker(read: Callable[[str], Task | None], words: Words) -> AnswerChecker[Task]:
    """Return a verifier of answers and programs.

    Args:
        read: Function that reads a prompt.
        words: Words of the solutions.
    """

    def solve(task: Task) -> str | None:
        return answer_of(task.program, task.items) if task.kind == "answer" else None

    def accepts(task: Task, answer: str) -> bool:
        if task.kind == "answer":
            return solve(task) == answer
        return is_program(answer, task.program)

    def follows(task: Task, answer: str, lines: Sequence[str]) -> bool:
        del answer
        if task.kind == "program":
            return [*lines] == calls(task.program, words.line)
        return [*lines] == [*_Lines(task.items, words).of(task.program)]

    def type_of(task: Task) -> str:
        is_number = task.kind == "answer" and task.program[0] == "count"
        return "integer" if is_number else "label" if task.kind == "answer" else "string"

    def plainly(task: Task, answer: str) -> str:
        return plain(answer) if task.kind == "program" else answer

    return AnswerChecker(read, accepts, follows, solve, plainly, type_of)
