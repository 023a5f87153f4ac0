"""Points on a map: basic questions, and paths and tours that are composed of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from synthgen.authoring import (
    PlainFamily,
    Problem,
    RowDraws,
    Tree,
    Words,
    axis,
    filled,
    levelled,
    params,
)

_WORDS = Words.beside(__file__).part("points")
_TEXTS = _WORDS["texts"]
_ASKS = ("direction", "nearest", "location", "path", "tour")
_BASICS = _ASKS[:3]
_MAX_POINTS, _MAX_SIDE, _TRIES = 8, 40, 20
STEPS = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}

Point = tuple[int, int]
"""The coordinates x, to the east, and y, to the north."""


def direction(x: int, y: int) -> str:
    """Return the compass direction of an offset, which is not zero."""
    return ("south", "", "north")[_sign(y) + 1] + ("west", "", "east")[_sign(x) + 1]


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


_DIRECTIONS = [direction(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]


def shortest_path(start: Point, end: Point, blocked: frozenset[Point]) -> list[str] | None:
    """Return the steps of a path without detours: breadth-first among steps nearer to the end."""
    before: dict[Point, tuple[Point, str]] = {}
    layer = [start]
    while layer:
        further: list[Point] = []
        for x, y in layer:
            if (x, y) == end:
                steps: list[str] = []
                at = end
                while at != start:
                    at, name = before[at]
                    steps.append(name)
                return steps[::-1]
            for name, (dx, dy) in STEPS.items():
                new = x + dx, y + dy
                if dx * (end[0] - x) + dy * (end[1] - y) > 0 and new not in blocked | before.keys():
                    before[new] = (x, y), name
                    further.append(new)
        layer = further
    return None


def distance(one: Point, other: Point) -> int:
    """Return the steps between two points."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def length(points: Sequence[Point], order: Sequence[int]) -> int:
    """Return the length of a tour from the first point and back."""
    return sum(distance(points[a], points[b]) for a, b in pairwise([0, *order, 0]))


def nearest_next(points: Sequence[Point]) -> list[int]:
    """Return the places in the order of a tour that always goes to the nearest one."""
    order, left = [0], {*range(1, len(points))}
    while left:
        order.append(min(left, key=lambda k: distance(points[order[-1]], points[k])))
        left.remove(order[-1])
    return order[1:]


def shortest_tour(points: Sequence[Point]) -> list[int]:
    """Return the places between the start and the return, by branch and bound."""
    table = [[distance(one, other) for other in points] for one in points]
    best = nearest_next(points)
    bound = length(points, best)

    def go_on(order: list[int], left: set[int], walked: int) -> None:
        nonlocal best, bound
        at = order[-1]
        if walked + table[at][0] >= bound:  # the way back is at least as long as the straight one
            return
        if not left:
            best, bound = order[1:], walked + table[at][0]
        for k in sorted(left, key=table[at].__getitem__):
            go_on([*order, k], left - {k}, walked + table[at][k])

    go_on([0], {*range(1, len(points))}, 0)
    return best


class _Map(NamedTuple):
    """Points by number, where 0 and 1 are asked for, and their names.

    Attributes:
        parents: For each point that is given by another one, that one.
    """

    points: list[Point]
    names: list[str]
    parents: Mapping[int, int]


@levelled("n_points + work", 5, 6, 7, 8, 9, 10, 12, 14, 16, 19)
@dataclass(frozen=True)
class SpatialPoints(PlainFamily):
    """Places on a map with integer coordinates.

    Attributes:
        asks: Questions: the basic ones "direction" of a place from another one, the "nearest"
            place, and the "location" of a place that is given by others; and composed ones, the
            shortest "path" past other places, and the shortest "tour", which in half of the rows
            does not always go to the nearest place; drawn with equal probability.
        min_points, max_points: Fewest and most places.
        side: Number of different coordinates.
    """

    asks: tuple[str, ...] = params.choices(_BASICS, _ASKS)
    min_points: int = params.integer(4, 3, _MAX_POINTS, up_to="max_points")
    max_points: int = params.integer(6, 3, _MAX_POINTS)
    side: int = params.integer(10, 5, _MAX_SIDE)

    verifier = "spatial_points"
    same_up_to = "the names of the places and the order of the facts"
    answers_differ = True
    words = _WORDS
    symbols = {
        **dict.fromkeys(_ASKS, (1, _MAX_POINTS)),
        "at": 2,
        "from": (2, 2 + _MAX_POINTS),
        "asked": (2, 2 + _MAX_POINTS),
    }
    answer_type = {
        "direction": "label",
        "nearest": "label",
        "location": "list:integer",
        "path": "checked:spatial_points",
        "tour": "checked:spatial_points",
    }
    own_axes = {
        "n_points": axis("places", "min_points", "max_points"),
        "work": axis("lines of the solution", 1, 2 * _MAX_SIDE),
    }

    def make(self, draws: RowDraws) -> Problem | None:
        """Draw places until the question has a clear answer."""
        ask = draws.choice(self.asks)
        n = draws.integer(self.min_points, self.max_points + 1)
        wanted = draws.choice(_DIRECTIONS)
        is_winding = ask == "tour" and n > 3 and bool(draws.integer(0, 2))
        for _ in range(_TRIES * 2):
            cells = draws.sample(range(self.side**2), n)
            points = [divmod(cell, self.side) for cell in cells]
            if ask == "direction":
                (x, y), (a, b) = points[:2]
                if wanted in ("north", "south"):
                    points[0] = (a, y)
                elif wanted in ("east", "west"):
                    points[0] = (x, b)
                if len({*points}) < n or direction(points[0][0] - a, points[0][1] - b) != wanted:
                    continue
            if ask == "path":
                _block(points, draws)
            if is_winding and length(points, nearest_next(points)) == length(
                points, shortest_tour(points)
            ):
                continue
            problem = self._problem(ask, points, draws)
            if problem is not None:
                return problem
        return None

    def _problem(self, ask: str, points: list[Point], draws: RowDraws) -> Problem | None:
        n = len(points)
        names = draws.sample(_WORDS["names"], n)
        first = points[0]
        parents: dict[int, int] = {}
        if ask == "direction":
            answer = direction(first[0] - points[1][0], first[1] - points[1][1])
        elif ask == "nearest":
            far = sorted((_squared(first, point), k) for k, point in enumerate(points) if k)
            if far[0][0] == far[1][0]:
                return None
            answer = names[far[0][1]]
        elif ask == "location":
            # The last place is stated; each other one is given by one after it.
            parents = {k: draws.integer(k + 1, n) for k in range(n - 1)}
            parents[0] = draws.integer(1, max(2, n - 1))
            answer = f"{first[0]}, {first[1]}"
        elif ask == "path":
            steps = shortest_path(first, points[1], frozenset(points[2:]))
            if steps is None or len(steps) < 2:
                return None
            answer = ", ".join(steps)
        else:
            answer = ", ".join(names[k] for k in shortest_tour(points))
        known = _Map(points, names, parents)
        lines = _lines(ask, known, answer)
        return Problem(
            tree=_tree(ask, known),
            answer=answer,
            holes={"one": names[0], "other": names[1], "rules": _TEXTS["rules"]},
            kind=ask,
            axes={"n_points": n, "work": len(lines)},
            steps=lines,
            data=known,
        )

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Write the facts in random order."""
        points, names, parents = problem.data
        facts = [
            _fact(k, points, names, parents) if k in parents else _at("at", names[k], points[k])
            for k in range(len(points))
        ]
        return {**problem.holes, "facts": " ".join(draws.shuffled(facts))}

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> Iterator[str]:
        """Yield other directions, places and orders, and mirrored or mixed steps."""
        points, names, _ = problem.data
        if problem.kind == "direction":
            yield from draws.shuffled(_DIRECTIONS)
        elif problem.kind == "nearest":
            yield from draws.shuffled(names[1:])
        elif problem.kind == "location":
            for x, y in draws.shuffled(
                [(a, b) for a in (-2, -1, 0, 1, 2) for b in (-2, -1, 0, 1, 2)]
            ):
                yield f"{points[0][0] + x}, {points[0][1] + y}"
        else:
            parts = problem.answer.split(", ")
            opposite = {"north": "south", "south": "north", "east": "west", "west": "east"}
            for _ in range(12):
                mixed = draws.shuffled(parts)
                if problem.kind == "path":
                    turned = draws.choice([{*opposite}, {"north", "south"}, {"east", "west"}])
                    mixed = [opposite[each] if each in turned else each for each in mixed]
                yield ", ".join(mixed)


def _block(points: list[Point], draws: RowDraws) -> None:
    """Move other places onto most of the ways that have a single turn."""
    (x, y), (a, b) = points[:2]
    columns, rows = range(min(x, a), max(x, a) + 1), range(min(y, b), max(y, b) + 1)
    turns = [
        [(each, y) for each in columns] + [(a, each) for each in rows],
        [(x, each) for each in rows] + [(each, b) for each in columns],
    ]
    for k, cells in zip(range(2, len(points)), draws.shuffled(turns), strict=False):
        free = [cell for cell in cells if cell not in points]
        if free and draws.integer(0, 5):
            points[k] = draws.choice(free)


def _squared(one: Point, other: Point) -> int:
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2


def _at(line: str, name: str, point: Point) -> str:
    holes = {"one": name, "x": point[0], "y": point[1]}
    return filled(_TEXTS["at"], holes) if line == "at" else _WORDS.line(line, **holes)


def _fact(k: int, points: list[Point], names: list[str], parents: Mapping[int, int]) -> str:
    """Write where a place is, seen from its parent."""
    other = parents[k]
    x, y = (points[k][place] - points[other][place] for place in (0, 1))
    parts = [
        (filled(_TEXTS["unit" if abs(size) == 1 else "units"], {"n": abs(size)}), direction(*way))
        for size, way in ((x, (x, 0)), (y, (0, y)))
        if size
    ]
    holes = dict(zip(("a", "across", "b", "along"), sum(parts, ()), strict=False))
    text = _TEXTS["both" if len(parts) == 2 else "single"]
    return filled(text, {**holes, "one": names[k], "other": names[other]})


def _lines(ask: str, known: _Map, answer: str) -> list[str]:
    """Return the worked solution."""
    points, names, parents = known
    (x, y), other = points[0], points[1]
    if ask == "direction":
        offset = {"x": x - other[0], "y": y - other[1]}
        return [_WORDS.line("direction", one=names[0], other=names[1], **offset)]
    if ask == "nearest":
        lines = []
        for name, (a, b) in sorted(zip(names[1:], points[1:], strict=True)):
            sizes = {"x": abs(x - a), "y": abs(y - b), "sum": _squared((x, y), (a, b))}
            lines.append(_WORDS.line("nearest", other=name, **sizes))
        return lines
    if ask == "location":
        order = [0]
        while order[-1] in parents:
            order.append(parents[order[-1]])
        return [_at("location", names[k], points[k]) for k in reversed(order)]
    parts = answer.split(", ")
    if ask == "path":
        lines = []
        for step in parts:
            x, y = x + STEPS[step][0], y + STEPS[step][1]
            lines.append(_WORDS.line("path", step=step, x=x, y=y))
        return lines
    places = dict(zip(names, points, strict=True))
    lines = []
    for one, to in pairwise([names[0], *parts, names[0]]):
        a, b = (abs(places[one][k] - places[to][k]) for k in (0, 1))
        lines.append(_WORDS.line("tour", one=one, other=to, x=a, y=b, sum=a + b))
    return lines


def _tree(ask: str, known: _Map) -> Tree:
    points, _, parents = known
    if ask == "location":

        def node(k: int) -> Tree:
            x, y = points[k]
            if k in parents:
                x, y = x - points[parents[k]][0], y - points[parents[k]][1]
            below = sorted((node(child) for child, on in parents.items() if on == k), key=str)
            return ("from" if k else "asked", x, y, *below)

        return (ask, node(len(points) - 1))
    fixed = 2 if ask in ("direction", "path") else 1
    order = points[:fixed] + sorted(points[fixed:])
    return (ask, *(("at", *point) for point in order))
