"""A truck that delivers packages along roads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
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

_WORDS = Words.beside(__file__).part("logistics")
_TEXTS = _WORDS["texts"]
_ASKS = ("plan", "shortest", "length")
_MIN_PLACES, _MAX_PLACES, _MAX_PACKAGES, _MAX_LENGTH = 3, 10, 5, 40
_MAX_ROADS = _MAX_PLACES - 1 + _MAX_PLACES // 2
_TRIES, _OFFERED = 20, 12

Action = tuple[str, int]
"""`drive` with a place, or `load` or `unload` with a package."""
Parcel = tuple[int, int]
"""The place of a package, and its destination."""


class World(NamedTuple):
    """A map with a truck and packages.

    Attributes:
        roads: For each place, the places at the other ends of its roads.
        truck: Place of the truck.
        parcels: The packages.
    """

    roads: tuple[tuple[int, ...], ...]
    truck: int
    parcels: tuple[Parcel, ...]


class _Stop(NamedTuple):
    """Place of the truck, and the packages that it carries and has delivered, as bits."""

    place: int
    carried: int
    delivered: int


def _served(world: World, stop: _Stop) -> tuple[_Stop, tuple[Action, ...]]:
    """Unload all packages that must go to this place, and load all that are there."""
    place, carried, delivered = stop
    made: list[Action] = []
    for number, (_, to) in enumerate(world.parcels):
        if to == place and carried >> number & 1:
            made.append(("unload", number))
            carried ^= 1 << number
            delivered |= 1 << number
    for number, (origin, _) in enumerate(world.parcels):
        if origin == place and not (carried | delivered) >> number & 1:
            made.append(("load", number))
            carried |= 1 << number
    return _Stop(place, carried, delivered), tuple(made)


def shortest(world: World) -> list[Action]:
    """Search breadth-first for the fewest drives: packages are loaded once and unloaded once."""
    wanted = (1 << len(world.parcels)) - 1
    first, made = _served(world, _Stop(world.truck, 0, 0))
    before: dict[_Stop, tuple[_Stop, tuple[Action, ...]]] = {first: (first, made)}
    layer = [first]
    while True:
        further = []
        for stop in layer:
            for place in world.roads[stop.place]:
                after, made = _served(world, stop._replace(place=place))
                if after in before:
                    continue
                before[after] = stop, (("drive", place), *made)
                further.append(after)
                if after.delivered == wanted:
                    return _path(before, after)
        layer = further


def _path(before: Mapping[_Stop, tuple[_Stop, tuple[Action, ...]]], stop: _Stop) -> list[Action]:
    parts = []
    while True:
        previous, made = before[stop]
        parts.append(made)
        if previous == stop:
            return [action for part in reversed(parts) for action in part]
        stop = previous


def numbers(world: World) -> list[int]:
    """Return the number of each place, which does not depend on names.

    Places are told apart by what is there and where roads and packages go. Where some are alike,
    one of them is made different.
    """
    n = len(world.roads)
    colors = [int(place == world.truck) for place in range(n)]
    while True:
        for _ in range(n):
            signs = [
                (
                    colors[place],
                    sorted(colors[other] for other in world.roads[place]),
                    sorted(colors[to] for origin, to in world.parcels if origin == place),
                    sorted(colors[origin] for origin, to in world.parcels if to == place),
                )
                for place in range(n)
            ]
            ranks = sorted(signs)
            finer = [ranks.index(sign) for sign in signs]
            if finer == colors:
                break
            colors = finer
        if len({*colors}) == n:
            return colors
        alike = min(color for color in colors if colors.count(color) > 1)
        colors = [2 * color + 1 for color in colors]
        colors[colors.index(2 * alike + 1)] -= 1


@levelled("length + n_places", 8, 10, 12, 14, 16, 18, 20, 23, 26, 30)
@dataclass(frozen=True)
class LogisticsPlanning(PlainFamily):
    """A truck brings packages to their destinations along the roads of a map.

    Attributes:
        asks: Questions: "plan" for any plan that works, "shortest" for any of the shortest ones,
            "length" for the number of their actions; drawn with equal probability.
        min_places, max_places: Fewest and most places.
        min_packages, max_packages: Fewest and most packages.
        min_length, max_length: Fewest and most actions of the shortest plans.
    """

    asks: tuple[str, ...] = params.choices(("plan",), _ASKS)
    min_places: int = params.integer(4, _MIN_PLACES, _MAX_PLACES, up_to="max_places")
    max_places: int = params.integer(7, _MIN_PLACES, _MAX_PLACES)
    min_packages: int = params.integer(1, 1, _MAX_PACKAGES, up_to="max_packages")
    max_packages: int = params.integer(3, 1, _MAX_PACKAGES)
    min_length: int = params.integer(3, 1, _MAX_LENGTH, up_to="max_length")
    max_length: int = params.integer(16, 3, _MAX_LENGTH)

    verifier = "logistics_planning"
    same_up_to = "the names of the places and packages and the order of the facts"
    answers_differ = True
    words = _WORDS
    symbols = {
        **dict.fromkeys(_ASKS, (4, 1 + _MAX_ROADS + _MAX_PACKAGES)),
        "road": 2,
        "package": 2,
    }
    answer_type = {
        "plan": "checked:logistics_planning",
        "shortest": "checked:logistics_planning",
        "length": "integer",
    }
    own_axes = {
        "n_places": axis("places", "min_places", "max_places"),
        "n_roads": axis("roads", 2, _MAX_ROADS),
        "n_packages": axis("packages", "min_packages", "max_packages"),
        "length": axis("actions of a shortest plan", "min_length", "max_length"),
        "n_drives": axis("drives of a shortest plan", 1, _MAX_LENGTH),
    }

    def make(self, draws: RowDraws) -> Problem | None:
        """Draw a map and packages, until the shortest plans are as long as wanted."""
        ask = draws.choice(self.asks)
        for _ in range(_TRIES):
            n = draws.integer(self.min_places, self.max_places + 1)
            count = draws.integer(self.min_packages, self.max_packages + 1)
            parcels = [draws.sample(range(n), 2) for _ in range(count)]
            pairs = tuple(sorted((origin, to) for origin, to in parcels))
            world = World(_roads(n, draws), draws.integer(0, n), pairs)
            actions = shortest(world)
            if self.min_length <= len(actions) <= self.max_length:
                return self._problem(ask, world, actions, draws)
        return None

    @staticmethod
    def _problem(ask: str, world: World, actions: list[Action], draws: RowDraws) -> Problem:
        n, count = len(world.roads), len(world.parcels)
        places = draws.sample(_WORDS["places"], n)
        packages = draws.shuffled(_WORDS["packages"][:count])
        texts = [_text(action, places, packages) for action in actions]
        number = numbers(world)
        roads = sorted(
            (a, b)
            for place, others in enumerate(world.roads)
            for other in others
            for a, b in [(number[place], number[other])]
            if a < b
        )
        parcels = sorted((number[origin], number[to]) for origin, to in world.parcels)
        parts: list[Tree] = [("road", a + 1, b + 1) for a, b in roads]
        parts += [("package", a + 1, b + 1) for a, b in parcels]
        return Problem(
            tree=(ask, number[world.truck] + 1, *parts),
            answer=_answer(ask, texts),
            kind=ask,
            axes={
                "n_places": n,
                "n_roads": len(roads),
                "n_packages": count,
                "length": len(actions),
                "n_drives": len(actions) - 2 * count,
            },
            data=(world, actions, places, packages),
        )

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Write the roads in random order and direction, and the packages by name."""
        world, _, places, packages = problem.data
        pairs = [
            draws.shuffled([places[place], places[other]])
            for place, others in enumerate(world.roads)
            for other in others
            if place < other
        ]
        shown = [
            filled(_TEXTS["pair"], {"one": one, "other": other})
            for one, other in draws.shuffled(pairs)
        ]
        start, goal = [filled(_TEXTS["truck"], {"place": places[world.truck]})], []
        for package, (origin, to) in sorted(zip(packages, world.parcels, strict=True)):
            start.append(filled(_TEXTS["at"], {"package": package, "place": places[origin]}))
            goal.append(filled(_TEXTS["goal"], {"package": package, "place": places[to]}))
        return {
            "rules": _TEXTS["rules"],
            "roads": filled(_TEXTS["roads"], {"pairs": ", ".join(shown)}),
            "start": " ".join(start),
            "goal": " ".join(goal),
        }

    def steps_of(self, problem: Problem) -> list[str]:
        """Write each action, and where the truck is and what it carries after it."""
        world, actions, places, packages = problem.data
        place, carried, lines = world.truck, set[str](), []
        for kind, target in actions:
            if kind == "drive":
                place = target
            else:
                carried ^= {packages[target]}
            holes = {
                "action": _text((kind, target), places, packages),
                "place": places[place],
                "packages": ", ".join(sorted(carried)) or _TEXTS["none"],
            }
            lines.append(filled(_TEXTS["step"], holes))
        return lines

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> Iterator[str]:
        """Yield plans for other destinations or from other places, and other numbers of actions."""
        world, actions, places, packages = problem.data
        if problem.kind == "length":
            around = range(max(3, len(actions) - 5), len(actions) + 6)
            yield from map(str, draws.shuffled(around))
            return
        for place in range(2 * _OFFERED):
            order = draws.shuffled(range(len(places)))
            pairs = (
                (origin, order[to]) if place % 2 else (order[origin], to)
                for origin, to in world.parcels
            )
            parcels = tuple(
                pair if pair[0] != pair[1] else known
                for pair, known in zip(pairs, world.parcels, strict=True)
            )
            plan = shortest(world._replace(parcels=parcels))
            yield _answer("plan", [_text(action, places, packages) for action in plan])


def _roads(n: int, draws: RowDraws) -> tuple[tuple[int, ...], ...]:
    """Draw a tree of roads and some more."""
    ends: list[set[int]] = [set() for _ in range(n)]
    pairs = [(place, draws.integer(0, place)) for place in range(1, n)]
    more = draws.integer(0, n // 2 + 1)
    pairs += [(one, other) for one, other in (draws.sample(range(n), 2) for _ in range(more))]
    for one, other in pairs:
        ends[one].add(other)
        ends[other].add(one)
    return tuple(tuple(sorted(each)) for each in ends)


def _text(action: Action, places: Sequence[str], packages: Sequence[str]) -> str:
    kind, target = action
    name = places[target] if kind == "drive" else packages[target]
    return filled(_TEXTS[kind], {"place": name, "package": name})


def _answer(ask: str, actions: Sequence[str]) -> str:
    return str(len(actions)) if ask == "length" else ", ".join(actions)
