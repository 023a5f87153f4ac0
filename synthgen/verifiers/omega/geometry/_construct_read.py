"""Reading a construction: from its sentences to commands and a question.

A sentence is cut into its words and its names and integers. What is left when these are taken out
says which command it is, so that a sentence is found by one look-up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from synthgen.verifiers.omega.geometry import _construct_commands as commands
from synthgen.verifiers.omega.geometry._construct_questions import QUESTIONS

_MOST_STEPS = 80
_MOST_SIDES = 24
_NAME = re.compile(
    r"(?<![A-Za-z'])(?:nearer to|farther from|(?:[A-Z]'{0,3})+|[b-z]'{0,3}|[0-9]+)(?![A-Za-z'])"
)
_POINT = re.compile(r"[A-Z]'{0,3}")
_INTEGER = re.compile(r"[1-9][0-9]{0,4}")
_SIDES = {"nearer to": 0, "farther from": 1}
_FAMILIES = ("BASIC", "CIRCLE", "TRIANGLE", "POLYGON")


class Rule(NamedTuple):
    """Kinds of a command's arguments and results, how many integers it has, and whose it is."""

    takes: str
    makes: str
    numbers: int
    family: str


class Command(NamedTuple):
    """A command: its name, arguments and results as numbers of objects, and its integers."""

    name: str
    args: tuple[int, ...]
    made: tuple[int, ...]
    numbers: tuple[int, ...]


class Construction(NamedTuple):
    """A problem: commands, the kind and arguments of the question, the name of each object."""

    steps: tuple[Command, ...]
    asked: str
    about: tuple[int, ...]
    names: tuple[str, ...]
    kinds: str


Skeletons = Mapping[str, tuple[str, tuple[str, ...]]]
"""What is left of a sentence -> the command and the holes in order."""


def _rank(token: str) -> str:
    """Say how a name or integer looks."""
    if token in _SIDES:
        return "<side>"
    if token[0].isdigit():
        return "<1>"
    return f"<{'A' * min(4, len(_POINT.findall(token)))}>" if token[0].isupper() else "<a>"


@cache
def grammar(texts: str, family: str) -> tuple[dict[str, Rule], Skeletons]:
    """Return the rules of a text of rules, and its sentences."""
    rules: dict[str, Rule] = {}
    skeletons: dict[str, tuple[str, tuple[str, ...]]] = {}
    for line in texts.replace("\n    ", " ").splitlines():
        if not line.startswith(" "):
            name, takes, makes, numbers = re.split(r": | > | ", line)
            rules[name] = Rule(takes.strip("-"), makes.strip("-"), int(numbers), family)
            continue
        pieces = re.split(r"<(\w+)>", line.strip())
        holes = pieces[1::2]
        pieces[1::2] = [_look(hole, rules[name]) for hole in holes]
        skeleton = "".join(pieces)
        skeletons[skeleton] = (name, tuple(holes))
    return rules, skeletons


def _look(hole: str, rule: Rule) -> str:
    """Return the rank of the names that fit a hole of a sentence."""
    if hole == "side":
        return "<side>"
    if hole in "nm":
        return "<1>"
    if len(hole) > 1:
        return f"<{'A' * len(hole)}>"
    kind = rule.makes[-1] if hole == "z" else (rule.takes + " " * 4)["abcd".find(hole)]
    if hole in "xy":
        kind = rule.makes.replace("*", "P")["xy".index(hole)]
    return f"<{ {'P': 'A', 'S': 'AA', 'V': 'AA', 'T': 'AAA', 'G': 'AAAA'}.get(kind, 'a') }>"


RULES: Mapping[str, Rule] = {
    name: rule
    for family in _FAMILIES
    for name, rule in grammar(getattr(commands, family), family.lower())[0].items()
}
"""All commands by name."""


class _Names:
    """The objects that have been named so far."""

    def __init__(self) -> None:
        self.known: dict[tuple[str, str], int] = {}
        self.names: list[str] = []
        self.kinds: list[str] = []
        self.taken: set[str] = set()

    def new(self, kind: str, name: str) -> int | None:
        """Note an object; None if its name is in use."""
        free = (kind, name) not in self.known if kind in "SVTG" else name not in self.taken
        if not free:
            return None
        self.taken.add(name)
        self.known[kind, name] = len(self.names)
        self.names.append(name)
        self.kinds.append(kind)
        return len(self.names) - 1

    def get(self, kind: str, name: str) -> int | None:
        """Return the object of a kind and name, if there is one."""
        return self.known.get((kind, name))


def _filled(holes: tuple[str, ...], tokens: list[str]) -> dict[str, str] | None:
    """Return what stands in each hole of one letter; None if a letter has two meanings."""
    filled: dict[str, str] = {}
    for hole, token in zip(holes, tokens, strict=True):
        several = hole not in ("side",) and len(hole) > 1
        parts = zip(hole, _POINT.findall(token), strict=True) if several else ((hole, token),)
        for letter, text in parts:
            if filled.setdefault(letter, text) != text:
                return None
    return filled


def _numbers(filled: Mapping[str, str], rule: Rule) -> tuple[int, ...] | None:
    texts = [filled[hole] for hole in "nm" if hole in filled]
    if not all(map(_INTEGER.fullmatch, texts)):
        return None
    sides = [_SIDES[filled["side"]]] if "side" in filled else []
    numbers = (*map(int, texts), *sides)
    if "*" in rule.makes and not 3 <= numbers[0] <= _MOST_SIDES:
        return None
    return numbers


def _command(name: str, rule: Rule, filled: dict[str, str], known: _Names) -> Command | None:
    """Resolve the names of a sentence."""
    numbers = _numbers(filled, rule)
    if numbers is None:
        return None
    if rule.makes in ("S", "V", "T"):
        ends = dict(zip("abc", _POINT.findall(filled["x"]), strict=False))
        if any(filled.get(letter, end) != end for letter, end in ends.items()):
            return None
        filled = {**filled, **ends}
    args = [known.get(k, filled[h]) for k, h in zip(rule.takes, "abcd", strict=False)]
    if None in args or len(set(args)) != len(args):
        return None
    made = [known.new(kind, text) for kind, text in _results(rule, filled, numbers)]
    if None in made or not made:
        return None
    taken, given = (tuple(one for one in ids if one is not None) for ids in (args, made))
    return Command(name, taken, given, numbers)


def _results(
    rule: Rule, filled: Mapping[str, str], numbers: tuple[int, ...]
) -> Iterator[tuple[str, str]]:
    """Yield the kind and name of each result; nothing if a shape has a wrong number of points."""
    if "z" not in filled:
        yield from zip(rule.makes, (filled[hole] for hole in "xy" if hole in filled), strict=True)
        return
    points = _POINT.findall(filled["z"])
    n_points = numbers[0] if "*" in rule.makes else len(rule.makes) - 1
    if len(points) == n_points and filled.get("x", points[0]) == points[0]:
        yield from (("P", point) for point in points)
        yield rule.makes[-1], filled["z"]


def _parts(sentence: str) -> tuple[str, list[str]]:
    tokens = _NAME.findall(sentence)
    return _NAME.sub(lambda match: _rank(match[0]), sentence), tokens


def reader(family: str, asked: tuple[str, ...]) -> _Reader:
    """Return what reads the constructions of a family with these kinds of questions."""
    return _Reader(family, asked)


class _Reader:
    """Reads statements of one family."""

    def __init__(self, family: str, asked: tuple[str, ...]) -> None:
        self._family = family
        self._asked = asked

    @property
    def _sentences(self) -> Skeletons:
        return _sentences(self._family)

    def __call__(self, statement: str) -> Construction | None:
        """Return the problem, or None if it is none of the family's."""
        *told, question = statement.split(". ") if statement.count(". ") <= _MOST_STEPS else ("",)
        names, steps = _Names(), []
        for sentence in told:
            skeleton, tokens = _parts(f"{sentence}.")
            found = self._sentences.get(skeleton)
            filled = _filled(found[1], tokens) if found else None
            if found is None or filled is None:
                return None
            command = _command(found[0], RULES[found[0]], filled, names)
            if command is None:
                return None
            steps.append(command)
        return self._with_question(steps, question, names)

    def _with_question(
        self, steps: list[Command], question: str, names: _Names
    ) -> Construction | None:
        rules, sentences = grammar(QUESTIONS, "")
        skeleton, tokens = _parts(question)
        kind, holes = sentences.get(skeleton, ("", ()))
        filled = _filled(holes, tokens) if kind in self._asked else None
        if filled is None:
            return None
        about = [names.get(k, filled[h]) for k, h in zip(rules[kind].takes, "abc", strict=False)]
        own = self._family in (RULES[step.name].family for step in steps)
        if None in about or len(set(about)) != len(about) or not own:
            return None
        asked = tuple(one for one in about if one is not None)
        kinds = "".join(names.kinds)
        if not _all_needed(steps, asked):
            return None
        return Construction(tuple(steps), kind, asked, tuple(names.names), kinds)


@cache
def _sentences(family: str) -> Skeletons:
    basic = grammar(commands.BASIC, "basic")[1]
    return {**basic, **grammar(getattr(commands, family.upper()), family)[1]}


def _all_needed(steps: list[Command], asked: tuple[int, ...]) -> bool:
    """Say whether the question needs every command."""
    needed = set(asked)
    for step in reversed(steps):
        if needed.isdisjoint(step.made):
            return False
        needed.update(step.args)
    return True
