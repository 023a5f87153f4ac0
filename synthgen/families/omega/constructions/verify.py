"""Constructions from the text: sentences read as commands, and the steps of solutions.

A sentence is cut into plain words and tokens: names, integers and "nearer to" or "farther from".
What is left without the tokens identifies the command, so that one lookup finds it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple, TypeAlias

from synthgen.authoring import PlainVerifier, Words
from synthgen.families.omega.constructions.verify_circles import CIRCLES_ALGEBRA, TOUCHING_CIRCLES
from synthgen.families.omega.constructions.verify_plane import (
    Command,
    Construction,
    Frame,
    length,
    run,
    solve,
)

_WORDS = Words.beside(__file__)
_MAX_STEPS = 80
_MAX_SIDES = 24
_SIDES: Sequence[str] = _WORDS["sides"]
_TOKEN = re.compile(
    rf"(?<![A-Za-z'])(?:{'|'.join(_SIDES)}|(?:[A-Z]'{{0,3}})+|[b-z]'{{0,3}}|[0-9]+)(?![A-Za-z'])"
)
_HOLES = re.compile(r"((?:\{[a-z]+\})+)")
_POINT = re.compile(r"[A-Z]'{0,3}")
_INTEGER = re.compile(r"[1-9][0-9]{0,4}", re.ASCII)
_SHAPES = {"P": "A", "S": "AA", "V": "AA", "T": "AAA", "G": "AAAA"}
"""Marks for the names of each kind; all others are small letters."""


class _Rule(NamedTuple):
    """Name of a command or question, kinds of its arguments and results, and its command set."""

    name: str
    takes: str
    makes: str
    command_set: str


_Sentences: TypeAlias = "dict[str, tuple[_Rule, tuple[str, ...]]]"
"""Sentence with marks for its tokens -> the command, and the holes of each token."""


def _shape(token: str) -> str:
    """Return the mark of a token."""
    if token in _SIDES:
        return "<side>"
    if token[0].isdigit():
        return "<1>"
    return f"<{'A' * min(4, len(_POINT.findall(token)))}>" if token[0].isupper() else "<a>"


def _shape_of_holes(holes: str, rule: _Rule) -> str:
    """Return the mark of the token in one or several holes."""
    if holes == "side":
        return "<side>"
    if holes in "nm":
        return "<1>"
    if len(holes) > 1:
        return f"<{'A' * len(holes)}>"
    if holes == "z":
        kind = rule.makes[-1]
    elif holes in "xy":
        kind = rule.makes.replace("*", "P")["xy".index(holes)]
    else:
        kind = rule.takes["abcd".index(holes)]
    return f"<{_SHAPES.get(kind, 'a')}>"


def _sentences(table: str) -> _Sentences:
    """Return the sentences in a table of the words."""
    known: _Sentences = {}
    for name, said in _WORDS[table].items():
        rule = _Rule(name, said.get("takes", ""), said.get("makes", ""), table)
        for sentence in said["sentences"]:
            pieces = _HOLES.split(sentence)
            holes = tuple(re.sub(r"[{}]", "", piece) for piece in pieces[1::2])
            pieces[1::2] = [_shape_of_holes(hole, rule) for hole in holes]
            known["".join(pieces)] = rule, holes
    return known


def _matched(sentence: str, known: _Sentences) -> tuple[_Rule, dict[str, str]] | None:
    """Return the command of a sentence and the text in each hole."""
    rule, holes = known.get(_TOKEN.sub(lambda match: _shape(match[0]), sentence), (None, ()))
    filled: dict[str, str] = {}
    for hole, token in zip(holes, _TOKEN.findall(sentence), strict=False):
        parts = [token] if hole == "side" or len(hole) == 1 else _POINT.findall(token)
        for letter, text in zip((hole,) if len(parts) == 1 else hole, parts, strict=True):
            if filled.setdefault(letter, text) != text:
                return None
    return (rule, filled) if rule else None


class _Objects:
    """The objects that have been named so far."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], int] = {}
        self._taken: set[str] = set()
        self.names: list[str] = []
        self.kinds: list[str] = []

    def new(self, kind: str, name: str) -> int | None:
        """Add an object; None if its name is in use."""
        if (kind, name) in self._known if kind in "SVTG" else name in self._taken:
            return None
        self._taken.add(name)
        self._known[kind, name] = len(self.names)
        self.names.append(name)
        self.kinds.append(kind)
        return len(self.names) - 1

    def taken(self, kinds: str, filled: Mapping[str, str]) -> tuple[int, ...] | None:
        """Return the objects of these kinds in the first holes; None unless all differ."""
        keys = zip(kinds, "abcd", strict=False)
        ids = [self._known.get((kind, filled.get(hole, ""))) for kind, hole in keys]
        objects = tuple(one for one in ids if one is not None)
        return objects if len(set(objects)) == len(ids) else None


def _command(rule: _Rule, filled: dict[str, str], objects: _Objects) -> Command | None:
    """Resolve the names and integers of a sentence."""
    texts = [filled[hole] for hole in "nm" if hole in filled]
    if not all(map(_INTEGER.fullmatch, texts)):
        return None
    numbers = tuple(map(int, texts))
    if "*" in rule.makes and numbers[0] > _MAX_SIDES:
        return None
    if "side" in filled:
        numbers += (_SIDES.index(filled["side"]),)
    if rule.makes in ("S", "V", "T"):  # named by its points
        ends = dict(zip("abc", _POINT.findall(filled["x"]), strict=False))
        if any(filled.setdefault(hole, end) != end for hole, end in ends.items()):
            return None
    args = objects.taken(rule.takes, filled)
    if args is None:
        return None
    made = [objects.new(kind, name) for kind, name in _results(rule, filled, numbers)]
    ids = tuple(one for one in made if one is not None)
    return Command(rule.name, args, ids, numbers) if len(ids) == len(made) > 0 else None


def _results(
    rule: _Rule, filled: Mapping[str, str], numbers: tuple[int, ...]
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


_BASIC, _QUESTIONS = _sentences("basic"), _sentences("questions")


def _reader(command_set: str) -> Callable[[str], Construction | None]:
    """Return the reader of the constructions of a family by its command set."""
    known = _BASIC | _sentences(command_set)
    asks = _WORDS["asks"][command_set]

    def read(statement: str) -> Construction | None:
        *sentences, question = statement.split(". ", _MAX_STEPS + 1)
        objects, steps, sets = _Objects(), list[Command](), set[str]()
        for sentence in sentences[: _MAX_STEPS + 1]:
            matched = _matched(f"{sentence}.", known)
            command = _command(*matched, objects) if matched else None
            if matched is None or command is None or len(steps) == _MAX_STEPS:
                return None
            steps.append(command)
            sets.add(matched[0].command_set)
        asked = _matched(question, _QUESTIONS)
        if asked is None or asked[0].name not in asks or command_set not in sets:
            return None
        about = objects.taken(asked[0].takes, asked[1])
        if about is None or not _all_needed(steps, about):
            return None
        names, kinds = tuple(objects.names), "".join(objects.kinds)
        return Construction(tuple(steps), asked[0].name, about, names, kinds)

    return read


def _all_needed(steps: Sequence[Command], asked: Sequence[int]) -> bool:
    """Return whether the question needs every command."""
    needed = set(asked)
    for step in reversed(steps):
        if needed.isdisjoint(step.made):
            return False
        needed.update(step.args)
    return True


# Solutions: each line gives the places of the objects of a command, in one frame.

_NUMBER = r"(-?(?:0|[1-9][0-9]{0,5})\.[0-9]{4})"


def _line_pattern(template: str) -> re.Pattern[str]:
    pieces = re.split(r"\{(\d|name)\}", template)
    pieces[::2] = map(re.escape, pieces[::2])
    pieces[1::2] = [_NUMBER if piece.isdigit() else "([A-Za-z']+)" for piece in pieces[1::2]]
    return re.compile("".join(pieces), re.ASCII)


_LINES = {kind: _line_pattern(template) for kind, template in _WORDS["lines"].items()}
_LAST = re.compile(rf"{_NUMBER} rounds to ([0-9]+\.[0-9]{{2}})", re.ASCII)
_NEAR = Decimal("1.5e-4")
"""More than the distance by which the rounding of two coordinates moves a point."""
_Claim: TypeAlias = "tuple[int, tuple[Decimal, ...]]"
"""An object, and the numbers that a line gives for it."""


def _follows(problem: Construction, answer: str, lines: Sequence[str]) -> bool:
    """Return whether every line is right and the last one ends in the answer."""
    if len(lines) != len(problem.steps) + 1:
        return False
    ending = _LAST.fullmatch(lines[-1])
    if ending is None or ending[2] != answer or ending[1] == "-0.0000":
        return False
    claims = []
    for step, line in zip(problem.steps, lines, strict=False):
        claimed = _claims(problem, step, line)
        if claimed is None:
            return False
        claims.append(claimed)
    places = [(*claimed[0][1], Decimal(0))[:2] for claimed in claims]
    try:
        values = run(problem, Frame(places))
    except ArithmeticError:
        return False
    return abs(values[-1] - Decimal(ending[1])) < _NEAR and all(
        _AGREES[problem.kinds[one]](values[one], numbers)
        for claimed in claims
        for one, numbers in claimed
    )


def _claims(problem: Construction, step: Command, line: str) -> list[_Claim] | None:
    """Return what a line claims; None if it is not a line about the objects of a command."""
    about = [one for one in step.made if len(step.made) == 1 or problem.kinds[one] in "PC"]
    parts = line.split("; ")
    if len(parts) != len(about):
        return None
    claims = []
    for one, part in zip(about, parts, strict=True):
        match = _LINES[problem.kinds[one]].fullmatch(part)
        if match is None or match[1] != problem.names[one] or "-0.0000" in match.groups():
            return None
        claims.append((one, tuple(map(Decimal, match.groups()[1:]))))
    return claims


def _near(p: Any, q: Any) -> bool:
    return bool(length(p, q) < _NEAR)


def _line_agrees(line: Any, claim: Any) -> bool:
    a, b, c = line
    norm, (x, y, u, v) = (a * a + b * b).sqrt(), claim
    errors = (a * x + b * y - c) / norm, (a * u + b * v) / norm, (u * u + v * v).sqrt() - 1
    return all(abs(error) < _NEAR for error in errors)


def _triangle_agrees(triangle: Any, claim: Any) -> bool:
    ends = zip(triangle, (*triangle[1:], triangle[0]), strict=True)
    return all(abs(length(*pq) - side) < _NEAR for pq, side in zip(ends, claim, strict=True))


_AGREES: Mapping[str, Callable[[Any, Any], bool]] = {
    "P": _near,
    "L": _line_agrees,
    "S": lambda segment, claim: abs(length(*segment) - claim[0]) < _NEAR,
    "V": _near,
    "C": lambda c, claim: _near(c, claim) and abs(c[2].sqrt() - claim[2]) < _NEAR,
    "T": _triangle_agrees,
    "M": lambda value, claim: abs(value - claim[0]) < _NEAR,
}


def _type_of(problem: Construction) -> str:
    return "decimal:degrees" if problem.asked == "angle" else "decimal"


VERIFIERS: dict[str, PlainVerifier[Any]] = {
    f"geometry_{name}": PlainVerifier(_reader(name), solve, _type_of, _follows, remembered=0)
    for name in _WORDS["asks"]
}
VERIFIERS["comp_circles_algebra"] = CIRCLES_ALGEBRA
VERIFIERS["trans_circles"] = TOUCHING_CIRCLES
