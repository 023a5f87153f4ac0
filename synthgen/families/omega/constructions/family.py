"""Constructions whose question needs a given number of commands, stated step by step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import dist
from typing import Any, ClassVar

from synthgen.authoring import Axis, LevelledFamily, Problem, RowDraws, Words, params
from synthgen.families.omega.constructions.circles import CompCirclesAlgebra, TransCircles
from synthgen.families.omega.constructions.figure import Figure, Step
from synthgen.families.omega.constructions.grow import grow, start
from synthgen.families.omega.constructions.plane import COMMANDS, WORDS
from synthgen.families.omega.constructions.program import (
    SYMBOLS,
    Program,
    canonical,
    finish,
    questions,
)

_LEVELS = ((6, 9), (10, 13), (14, 17), (18, 21), (22, 25), (26, 29), (30, 33))
"""Fewest and most commands of each level, the question included."""
_TRIES = 40
_MORE_STEPS = 6
"""Extra steps allowed beyond those the question needs."""
_LAST_STEPS = 3
"""Most steps that a question adds, itself included."""
_MOVES = 60
"""Attempts at one more step."""
_POINT_NAMES = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
_CURVE_NAMES = "bcdefghjmnpqrstuvwxyz"
"""Lines, circles and lengths; letters that are words or look like digits are left out."""


def _words(family: str) -> Words:
    texts = {
        kind: [f"{{construction}} {text}" for text in WORDS["questions"][kind]["sentences"]]
        for kind in WORDS["asks"][family]
    }
    return Words({"form": WORDS["form"], "prompts": {"instruction": texts}})


@dataclass(frozen=True)
class ConstructionFamily(LevelledFamily):
    """Constructions whose question needs a given number of commands.

    Attributes:
        levels: Levels from 1 to 7, drawn with equal probability; an empty list means all.
            Constructions have 6 to 9 commands at level 1, and four more at each further level.
        max_length: Largest length, radius or distance that a command may name, from 6 to 30.
    """

    max_length: int = params.integer(12, 6, 30)

    version = 4
    same_up_to = "names of the points and lines"
    domain = "omega"
    n_levels = len(_LEVELS)
    level_is_canonical = True
    answer_type = dict.fromkeys(WORDS["questions"], "decimal") | {"angle": "decimal:degrees"}
    symbols = SYMBOLS
    block = 64

    command_set: ClassVar[str]
    """Name of the command set added to the basic commands."""

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """The length of a construction, and the number of commands from the family's own set."""
        low = _LEVELS[min(self.chosen_levels) - 1][0]
        high = _LEVELS[max(self.chosen_levels) - 1][1]
        return dict(super().axes) | {
            "commands": Axis("commands, the question included", low=low, high=high),
            "own_commands": Axis("commands of the family's own list", low=1, high=high),
        }

    def make(self, level: int, draws: RowDraws) -> Problem | None:
        """Grow figures until one ends in a question of the wanted length."""
        low, high = _LEVELS[level - 1]
        kind = draws.choice(self.words.kinds)
        for _ in range(_TRIES):
            fewest = draws.integer(low, high + 1)
            program = self._program(kind, fewest, high, draws)
            if program is not None:
                own = sum(COMMANDS[step.name].family == self.command_set for step in program.steps)
                return Problem(
                    tree=canonical(program),
                    answer=program.answer,
                    kind=kind,
                    axes={"commands": len(program.steps) + 1, "own_commands": own},
                    data=(program, _named(program, draws)),
                )
        return None

    def _program(self, kind: str, fewest: int, most: int, draws: RowDraws) -> Program | None:
        """Grow one figure, and try to end it as soon as it is long enough."""
        figure = Figure()
        start(figure, self.command_set, draws, self.max_length)
        while len(figure.steps) < most + _MORE_STEPS:
            if not any(
                grow(figure, self.command_set, draws, self.max_length) for _ in range(_MOVES)
            ):
                return None
            if len(figure.steps) < fewest - _LAST_STEPS:
                continue
            for question in questions(figure, kind, fewest, most, draws):
                program = finish(figure, question, self.command_set)
                if program is not None:
                    return program
        return None

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Write each command in one of its two sentences, and name the objects in question."""
        program, names = problem.data
        choices = draws.bits()
        sentences = [
            _sentence(step, names, choices >> number % 64 & 1)
            for number, step in enumerate(program.steps)
        ]
        about = [names[one] for one in program.question.args]
        return {"construction": " ".join(sentences), **dict(zip("abc", about, strict=False))}

    def steps_of(self, problem: Problem) -> Sequence[str]:
        """Write the coordinates of every object in one frame, and the rounding of the value."""
        program, names = problem.data
        return [
            *(_line(program, step, names) for step in program.steps),
            f"{_decimal(program.value)} rounds to {program.answer}",
        ]


@dataclass(frozen=True)
class GeometryBasic(ConstructionFamily):
    """Points, lines, segments and vectors, built one from another."""

    verifier = "geometry_basic"
    words = _words("basic")
    command_set = "basic"


@dataclass(frozen=True)
class GeometryCircle(ConstructionFamily):
    """Constructions with circles: their intersections, tangents, chords, polars and contacts."""

    verifier = "geometry_circle"
    words = _words("circle")
    command_set = "circle"


@dataclass(frozen=True)
class GeometryPolygon(ConstructionFamily):
    """Constructions with regular polygons and their circumcircles."""

    verifier = "geometry_polygon"
    words = _words("polygon")
    command_set = "polygon"


@dataclass(frozen=True)
class GeometryTriangle(ConstructionFamily):
    """Constructions with triangles and their centres, circles and radii."""

    verifier = "geometry_triangle"
    words = _words("triangle")
    command_set = "triangle"


def _named(program: Program, draws: RowDraws) -> tuple[str, ...]:
    """Return the name of each object; segments, vectors and shapes are named by their points."""
    points = _letters(_POINT_NAMES, program.kinds.count("P"), draws)
    curves = _letters(_CURVE_NAMES, sum(map(program.kinds.count, "LCM")), draws)
    names: list[str] = []
    for step in program.steps:
        for one in step.made:
            kind = program.kinds[one]
            if kind == "P":
                names.append(points.pop())
            elif kind in "LCM":
                names.append(curves.pop())
            else:
                ends = step.args if kind in "SV" or step.name == "triangle" else step.made[:-1]
                names.append("".join(names[end] for end in ends))
    return tuple(names)


def _letters(alphabet: str, n: int, draws: RowDraws) -> list[str]:
    """Return n names in reverse: letters in alphabetical or random order, then with primes."""
    order = draws.shuffled(alphabet) if draws.integer(0, 2) else list(alphabet)
    names = [f"{letter}{prime}" for prime in ("", "'", "''", "'''") for letter in order]
    return names[:n][::-1]


def _sentence(step: Step, names: Sequence[str], choice: int) -> str:
    """Write a command in one of its sentences."""
    command = COMMANDS[step.name]
    made = [names[one] for one in step.made]
    holes: dict[str, object] = dict(zip("abcd", (names[one] for one in step.args), strict=False))
    holes |= dict(zip("xy", made, strict=False))
    holes |= dict(zip("nm", step.numbers, strict=False))
    if command.sided:
        holes["side"] = WORDS["sides"][step.numbers[-1]]
    text: str = WORDS[command.family][step.name]["sentences"][choice]
    return text.format_map({**holes, "z": made[-1]})


def _line(program: Program, step: Step, names: Sequence[str]) -> str:
    """Write where the objects of a command are; a shape made with its vertices is left out."""
    made = [one for one in step.made if len(step.made) == 1 or program.kinds[one] in "PC"]
    return "; ".join(
        WORDS["lines"][program.kinds[one]].format(
            *map(_decimal, _coordinates(program.kinds[one], program.values[one])), name=names[one]
        )
        for one in made
    )


def _coordinates(kind: str, value: Any) -> Sequence[float]:
    """Return the numbers that describe an object in a solution."""
    if kind == "M":
        return (value,)
    if kind == "S":
        return (dist(*value),)
    if kind == "T":
        p, q, r = value
        return dist(p, q), dist(q, r), dist(r, p)
    return tuple(value)


def _decimal(value: float) -> str:
    text = f"{value:.4f}"
    return "0.0000" if text == "-0.0000" else text


GENERATORS = {
    "comp_circles_algebra": CompCirclesAlgebra,
    "geometry_basic": GeometryBasic,
    "geometry_circle": GeometryCircle,
    "geometry_polygon": GeometryPolygon,
    "geometry_triangle": GeometryTriangle,
    "trans_circles": TransCircles,
}
