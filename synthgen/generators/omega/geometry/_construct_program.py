"""A finished construction: the steps that its question needs, and its proven answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import pi, sin
from typing import Any

from synthgen.generators.omega.geometry import _construct_plane as plane
from synthgen.generators.omega.geometry._construct_ask import Question
from synthgen.generators.omega.geometry._construct_ball import Ball
from synthgen.generators.omega.geometry._construct_figure import Figure, Step
from synthgen.generators.omega.geometry._construct_rules import RULES

_LEAST, _MOST = 0.1, 2_000.0
"""Bounds of answers."""
_TIE = 1e-6
"""Least distance of an answer from a value between two of those it may be rounded to."""


@dataclass(frozen=True, slots=True)
class Program:
    """A construction.

    Attributes:
        steps: in the order of the text; objects are counted in the order they are made.
        kinds, values: of each object, in the frame of the solution.
        question: what is asked.
        value: of what is asked, as a float.
        answer: the value, rounded to two decimals.
    """

    steps: tuple[Step, ...]
    kinds: str
    values: tuple[Any, ...]
    question: Question
    value: float
    answer: str


def _polygon_area(polygon: Any, sides: int) -> Any:
    centre, radius, _ = polygon
    del centre
    factor = sin(2 * pi / sides) * sides / 2
    known = Ball(factor, 3e-15 * sides) if isinstance(radius, Ball) else factor
    return radius * radius * known


def _half(area: Any) -> Any:
    return (area if (area.mid if isinstance(area, Ball) else area) > 0 else -area) * 0.5


_MEASURES: Mapping[str, Callable[..., Any]] = {
    "distance": plane.distance,
    "length": lambda segment: plane.distance(*segment),
    "angle": plane.angle,
    "ratio": lambda one, two: one / two,
    "triangle_area": lambda t: _half(plane.double_area(*t)),
    "circumradius": lambda t: plane.circumcircle(t)[2],
    "inradius": lambda t: plane.incircle(t)[2],
    "radius": lambda circle: circle[2],
    "polygon_area": lambda polygon: _polygon_area(polygon, len(polygon[2])),
}


def finish(figure: Figure, question: Question, family: str) -> Program | None:
    """Keep what the question needs and prove the answer; None if it is not fit to be asked.

    A question needs a command of the family's own list, and its answer is none of the numbers that
    its commands name.
    """
    mask = 0
    for one in question.args:
        mask |= figure.masks[figure.maker[one]]
    taken = [step for number, step in enumerate(figure.steps) if mask >> number & 1]
    if not any(RULES[step.name].family == family for step in taken):
        return None
    about = _MEASURES[question.kind](*(figure.values[one] for one in question.args))
    given = {float(number) for step in taken for number in step.numbers}
    if not _LEAST < about < _MOST or any(abs(about - number) < 1e-9 for number in (*given, 1.0)):
        return None
    answer = _proven(figure, question)
    if answer is None:
        return None
    steps, renamed = _counted_anew(taken)
    asked = Question(question.kind, tuple(renamed[one] for one in question.args))
    kept = sorted(renamed, key=renamed.__getitem__)
    kinds = "".join(figure.kinds[one] for one in kept)
    values = tuple(figure.values[one] for one in kept)
    return Program(tuple(steps), kinds, values, asked, about, answer)


def _counted_anew(taken: Sequence[Step]) -> tuple[list[Step], dict[int, int]]:
    """Return steps with their objects counted from 0, and the new number of each object."""
    renamed: dict[int, int] = {}
    steps = []
    for step in taken:
        for one in step.made:
            renamed[one] = len(renamed)
        args, made = (tuple(renamed[one] for one in ids) for ids in (step.args, step.made))
        steps.append(Step(step.name, args, step.numbers, step.sign, made))
    return steps, renamed


def _proven(figure: Figure, question: Question) -> str | None:
    """Work the question out in balls, and round it; None if that is not certain."""
    try:
        value: Ball = _MEASURES[question.kind](*(figure.balls[one] for one in question.args))
    except (ValueError, ZeroDivisionError):
        return None
    return rounded(value)


def rounded(value: Ball) -> str | None:
    """Return a positive value to two decimals; None if it may be near a tie."""
    hundredths = round(value.mid * 100)
    if abs(value.mid * 100 - hundredths) > 0.5 - 100 * (_TIE + value.rad):
        return None
    return f"{hundredths // 100}.{hundredths % 100:02d}"
