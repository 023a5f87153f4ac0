"""Logistics from the text: plans are replayed, and shortest ones follow from orders of stops."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from synthgen.authoring import AnswerChecker, Words, filled, holes, reads, wording_pattern

_WORDS = Words.beside(__file__).part("logistics")
_TEXTS = _WORDS["texts"]
_PLACE, _PACKAGE = holes.word(_WORDS["places"]), holes.word(_WORDS["packages"])
_HOLES = {"place": _PLACE, "package": _PACKAGE, "one": _PLACE, "other": _PLACE}
_PATTERNS = {
    name: wording_pattern(_TEXTS[name], _HOLES)[1]
    for name in ("pair", "truck", "at", "goal", "drive", "load", "unload")
}
_MAX_ACTIONS, _FAR = 500, 10_000


class _Task(NamedTuple):
    """The roads in both directions, the place of the truck, and packages with their places."""

    ask: str
    roads: frozenset[tuple[str, str]]
    truck: str
    start: tuple[tuple[str, str], ...]
    goal: tuple[tuple[str, str], ...]


def _pairs(text: str) -> frozenset[tuple[str, str]] | None:
    matches = [_PATTERNS["pair"].fullmatch(part) for part in text.split(", ")]
    pairs = [(match["one"], match["other"]) for match in matches if match]
    return frozenset([*pairs, *(pair[::-1] for pair in pairs)]) if all(matches) else None


def _roads(text: str) -> frozenset[tuple[str, str]] | None:
    match = _ROADS.fullmatch(text)
    return _pairs(match["pairs"]) if match else None


_ROADS = wording_pattern(_TEXTS["roads"], {"pairs": holes.pattern("[a-z ,-]{1,900}")})[1]


def _facts(text: str) -> dict[str, str] | None:
    """Return the place of each package, and that of the truck under an empty name."""
    places: dict[str, str] = {}
    for sentence in re.findall(r"[^.]+\.", text):
        matches = (_PATTERNS[name].fullmatch(sentence.strip()) for name in ("truck", "at", "goal"))
        match = next(filter(None, matches), None)
        name = match.groupdict().get("package", "") if match else ""
        if match is None or name in places:
            return None
        places[name] = match["place"]
    return places


@reads(
    _WORDS,
    rules=holes.pattern(re.escape(_TEXTS["rules"])),
    roads=holes.pattern(r"[A-Z][^.\n]{1,1000}\.", _roads),
    start=holes.pattern(
        r"The truck[^.\n]{1,40}\.(?: Package [A-Z] is [^.\n]{1,40}\.){1,9}", _facts
    ),
    goal=holes.pattern(r"Package [A-Z] must [^.\n]{1,40}\.(?: Package[^.\n]{1,40}\.){0,8}", _facts),
)
def _read(
    kind: str,
    roads: frozenset[tuple[str, str]],
    start: Mapping[str, str],
    goal: Mapping[str, str],
    rules: str = "",
) -> _Task | None:
    del rules
    at = dict(start)
    truck = at.pop("")
    known = {one for one, _ in roads}
    if at.keys() != goal.keys() or not {truck, *at.values(), *goal.values()} <= known:
        return None
    if any(one == other for one, other in roads) or any(at[name] == goal[name] for name in at):
        return None
    return _Task(kind, roads, truck, tuple(sorted(at.items())), tuple(sorted(goal.items())))


def _distances(roads: frozenset[tuple[str, str]]) -> dict[tuple[str, str], int]:
    """Return the fewest roads between all places, by the Floyd-Warshall algorithm."""
    places = sorted({one for one, _ in roads})
    known = {
        (a, b): 0 if a == b else 1 if (a, b) in roads else _FAR for a in places for b in places
    }
    for middle in places:
        for a in places:
            for b in places:
                known[a, b] = min(known[a, b], known[a, middle] + known[middle, b])
    return known


@lru_cache(1 << 12)
def _fewest(task: _Task) -> int | None:
    """Return the number of actions of a shortest plan: try each next stop of each package."""
    roads = _distances(task.roads)
    stops = [(origin, to) for (_, origin), (_, to) in zip(task.start, task.goal, strict=True)]

    @cache
    def drives(place: str, done: tuple[int, ...]) -> int:
        """Return the fewest drives from a place, with the stops of each package that are done."""
        ways = [
            roads[place, stops[k][n]] + drives(stops[k][n], (*done[:k], n + 1, *done[k + 1 :]))
            for k, n in enumerate(done)
            if n < 2
        ]
        return min(ways, default=0)

    fewest = drives(task.truck, (0,) * len(stops))
    return 2 * len(stops) + fewest if fewest < _FAR else None


_State = tuple[str, dict[str, str]]
"""Place of the truck, and of each package; those in the truck have an empty place."""


def _replayed(task: _Task, actions: Sequence[str]) -> Iterator[_State | None]:
    """Yield the state after each action; None for the first that is impossible, and then stop."""
    truck, at = task.truck, dict(task.start)
    for action in actions:
        matches = {name: _PATTERNS[name].fullmatch(action) for name in ("drive", "load", "unload")}
        name, match = next((pair for pair in matches.items() if pair[1]), ("", None))
        target = match[1] if match else ""
        if name == "drive" and (truck, target) in task.roads:
            truck = target
        elif name == "load" and at.get(target) == truck:
            at[target] = ""
        elif name == "unload" and at.get(target) == "":
            at[target] = truck
        else:
            yield None
            return
        yield truck, {**at}


def _solves(task: _Task, actions: Sequence[str]) -> bool:
    states = [*_replayed(task, actions)]
    return states[-1] is not None and states[-1][1] == dict(task.goal)


def _accepts(task: _Task, answer: str) -> bool:
    """Compare the number of actions, or replay the plan."""
    if task.ask == "length":
        return answer == str(_fewest(task))
    actions = answer.split(", ")
    if len(actions) > _MAX_ACTIONS or not _solves(task, actions):
        return False
    return task.ask == "plan" or len(actions) == _fewest(task)


def _follows(task: _Task, answer: str, lines: Sequence[str]) -> bool:
    """Replay the actions of the lines, and compare where the truck is and what it carries."""
    actions = [line.partition(": ")[0] for line in lines]
    if not _solves(task, actions):
        return False
    expected = []
    for action, state in zip(actions, _replayed(task, actions), strict=True):
        truck, at = state or ("", {})
        carried = ", ".join(sorted(name for name, place in at.items() if not place))
        known = {"action": action, "place": truck, "packages": carried or _TEXTS["none"]}
        expected.append(filled(_TEXTS["step"], known))
    wanted = str(len(actions)) if task.ask == "length" else ", ".join(actions)
    shortest = task.ask == "plan" or len(actions) == _fewest(task)
    return [*lines] == expected and answer == wanted and shortest


def _solve(task: _Task) -> str | None:
    fewest = _fewest(task) if task.ask == "length" else None
    return None if fewest is None else str(fewest)


def _plain(task: _Task, answer: str) -> str:
    """Return a plan in lower case but for the packages, with single spaces."""
    del task
    words = " ".join(answer.replace(",", " , ").rstrip(" .").split()).split(" ")
    shown = [word.upper() if len(word) == 1 else word.lower() for word in words]
    return " ".join(shown).replace(" , ", ", ")


LOGISTICS = AnswerChecker(
    _read,
    _accepts,
    _follows,
    _solve,
    _plain,
    lambda task: "integer" if task.ask == "length" else "string",
)
