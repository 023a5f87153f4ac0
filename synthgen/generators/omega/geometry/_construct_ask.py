"""Ending a figure in a question that needs a given number of its steps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from synthgen.core.randomness import RowDraws
from synthgen.generators.omega.geometry import _construct_plane as plane
from synthgen.generators.omega.geometry._construct_figure import Figure, known_distance
from synthgen.generators.omega.geometry._construct_guards import wide
from synthgen.generators.omega.geometry._construct_moves import SIDES

_RECENT = 9
"""Only so many of the last points are asked about."""
_TRIES = 12
POINTS: Mapping[str, tuple[int, int]] = {
    "distance": (2, 1),
    "length": (2, 2),
    "angle": (3, 1),
    "ratio": (3, 3),
    "triangle_area": (3, 2),
    "circumradius": (3, 2),
    "inradius": (3, 2),
    "radius": (3, 2),
    "polygon_area": (2, 3),
}
"""How many points each kind of question is about, and the steps it adds, itself included."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: a kind of question, and the objects it is about."""

    kind: str
    args: tuple[int, ...]


def ask(figure: Figure, kind: str, least: int, most: int, draws: RowDraws) -> Iterator[Question]:
    """Yield questions that need at least and at most so many steps, themselves included.

    The last steps before a question are part of the figure until the next one is asked for.
    """
    n_points, added = POINTS[kind]
    found = list(_groups(figure, n_points, least - added, most - added))
    for group in draws.shuffled(found)[:_TRIES] if found else ():
        mark = figure.mark()
        question = _close(figure, kind, draws.shuffled(group), draws)
        if question is not None:
            yield question
        figure.back(mark)


def _groups(figure: Figure, n_points: int, least: int, most: int) -> Iterator[tuple[int, ...]]:
    """Yield groups of points that need so many steps together."""
    recent = [(one, figure.masks[figure.maker[one]]) for one in figure.pools["P"][-_RECENT:]]
    for group in combinations(recent, n_points):
        mask = 0
        for _, one in group:
            mask |= one
        if least <= mask.bit_count() <= most:
            yield tuple(point for point, _ in group)


def _close(figure: Figure, kind: str, points: Sequence[int], draws: RowDraws) -> Question | None:
    """Add the last steps, unless the answer would be plain to see."""
    values = [figure.values[one] for one in points]
    if kind in ("distance", "length", "polygon_area"):
        if known_distance(figure, *points):
            return None
        return _close_two(figure, kind, points, draws)
    if kind == "angle":
        return Question(kind, tuple(points)) if _fair_angle(values) else None
    if kind == "ratio":
        if known_distance(figure, *points[:2]) or known_distance(figure, *points[1:]):
            return None
        one = figure.add("distance", points[:2])
        two = one and figure.add("distance", points[1:])
        return Question(kind, (*one, *two)) if one and two else None
    if not wide(*values):
        return None
    made = figure.add("circle_ppp" if kind == "radius" else "triangle", points)
    return Question(kind, made) if made else None


def _close_two(
    figure: Figure, kind: str, points: Sequence[int], draws: RowDraws
) -> Question | None:
    if kind == "distance":
        return Question(kind, tuple(points))
    if kind == "length":
        made = figure.add("segment_pp", points)
        return Question(kind, made) if made else None
    gap = figure.add("distance", points)
    if gap is None:
        return None
    sides = draws.choice(SIDES)
    polygon = figure.add("polygon_m", (points[0], *gap), (sides,), public=False)
    return Question(kind, polygon[-1:]) if polygon else None


def _fair_angle(values: Sequence[Any]) -> bool:
    """An angle that is not flat, right or nearly so."""
    degrees = plane.angle(*values)
    return bool(8 < degrees < 172 and abs(degrees - 90) > 1)
