"""Points from the text: complex numbers, walks that are replayed, and tours by subsets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from synthgen.authoring import AnswerChecker, Words, holes, reads, wording_pattern

_WORDS = Words.beside(__file__).part("points")
_TEXTS = _WORDS["texts"]
_NAME, _NUMBER = holes.word(_WORDS["names"]), holes.pattern("[0-9]{1,3}")
_UNITS = holes.pattern("[1-9][0-9]{0,2} units?")
_HOLES = {
    **dict.fromkeys(("one", "other"), _NAME),
    **dict.fromkeys(("x", "y"), _NUMBER),
    **dict.fromkeys(("a", "b"), _UNITS),
    "across": holes.word(["north", "east", "south", "west"]),
    "along": holes.word(["north", "south"]),
}
_FACTS = {name: wording_pattern(_TEXTS[name], _HOLES)[1] for name in ("at", "both", "single")}
_STEPS = {"north": 1j, "east": 1, "south": -1j, "west": -1}
_MAX_POINTS, _MAX_PARTS = 12, 400
_WINDS = {
    (0, 1): "north",
    (1, 1): "northeast",
    (1, 0): "east",
    (1, -1): "southeast",
    (0, -1): "south",
    (-1, -1): "southwest",
    (-1, 0): "west",
    (-1, 1): "northwest",
}


class _Task(NamedTuple):
    """Places as complex numbers, and the other place from which those of the rest are given."""

    ask: str
    places: tuple[tuple[str, complex], ...]
    parents: tuple[tuple[str, str], ...]
    one: str
    other: str


def _facts(text: str) -> tuple[dict[str, complex], dict[str, str]] | None:
    """Return all places, and those from which others are given."""
    places: dict[str, complex] = {}
    offsets: dict[str, tuple[str, complex]] = {}
    for sentence in re.findall(r"[^.]+\.", text):
        matches = {name: form.fullmatch(sentence.strip()) for name, form in _FACTS.items()}
        name, match = next((pair for pair in matches.items() if pair[1]), ("", None))
        if match is None or match["one"] in {**places, **offsets}:
            return None
        if name == "at":
            places[match["one"]] = complex(int(match["x"]), int(match["y"]))
            continue
        offset = _STEPS[match["across"]] * int(match["a"].split()[0])
        if name == "both":
            offset += _STEPS[match["along"]] * int(match["b"].split()[0])
        offsets[match["one"]] = match["other"], offset
    left = {**offsets}
    while left:
        ready = [name for name, (other, _) in left.items() if other in places]
        if not ready:
            return None
        places |= {name: places[left[name][0]] + left[name][1] for name in ready}
        left = {name: given for name, given in left.items() if name not in ready}
    parents = {name: other for name, (other, _) in offsets.items()}
    is_clear = len({*places.values()}) == len(places) <= _MAX_POINTS
    return (places, parents) if is_clear else None


@reads(
    _WORDS,
    rules=holes.pattern(re.escape(_TEXTS["rules"])),
    facts=holes.pattern(r"The [^.\n]{5,80}\.(?: The [^.\n]{5,80}\.){1,11}", _facts),
    one=_NAME,
    other=_NAME,
)
def _read(
    kind: str,
    facts: tuple[Mapping[str, complex], Mapping[str, str]],
    one: str,
    other: str = "",
    rules: str = "",
) -> _Task | None:
    del rules
    places, parents = facts
    if one not in places or (other and other not in places) or one == other:
        return None
    return _Task(kind, tuple(sorted(places.items())), tuple(sorted(parents.items())), one, other)


def _steps_between(one: complex, other: complex) -> int:
    gap = one - other
    return int(abs(gap.real) + abs(gap.imag))


def _fewest(task: _Task) -> int:
    """Return the length of a shortest tour, by dynamic programming over the places left."""
    places = dict(task.places)

    @cache
    def rest(at: str, left: frozenset[str]) -> int:
        if not left:
            return _steps_between(places[at], places[task.one])
        return min(_steps_between(places[at], places[to]) + rest(to, left - {to}) for to in left)

    return rest(task.one, frozenset(places) - {task.one})


def _solve(task: _Task) -> str | None:
    """Return the only answer to a basic question."""
    places = dict(task.places)
    here = places[task.one]
    if task.ask == "direction":
        gap = here - places[task.other]
        signs = [(part > 0) - (part < 0) for part in (gap.real, gap.imag)]
        return _WINDS[signs[0], signs[1]]
    if task.ask == "nearest":
        far = sorted((abs(place - here) ** 2, name) for name, place in task.places if place != here)
        return far[0][1] if len(far) < 2 or round(far[0][0]) < round(far[1][0]) else None
    return f"{int(here.real)}, {int(here.imag)}" if task.ask == "location" else None


def _walked(task: _Task, steps: Sequence[str]) -> list[complex]:
    """Return the places of a walk; none if a step is not one of the four."""
    at, walk = dict(task.places)[task.one], []
    for step in steps:
        if step not in _STEPS:
            return []
        at += _STEPS[step]
        walk.append(at)
    return walk


def _accepts(task: _Task, answer: str) -> bool:
    """Compare with the only answer, or walk the path or the tour."""
    places, parts = dict(task.places), answer.split(", ")
    if task.ask not in ("path", "tour") or len(parts) > _MAX_PARTS:
        return answer == _solve(task)
    if task.ask == "path":
        end, walk = places[task.other], _walked(task, parts)
        others = {*places.values()} - {end}
        return (
            len(walk) == _steps_between(places[task.one], end)
            and walk[-1] == end
            and others.isdisjoint(walk)
        )
    if sorted([task.one, *parts]) != [name for name, _ in task.places]:
        return False
    whole = [task.one, *parts, task.one]
    return sum(_steps_between(places[a], places[b]) for a, b in pairwise(whole)) == _fewest(task)


def _follows(task: _Task, answer: str, lines: Sequence[str]) -> bool:
    return [*lines] == [*_lines(task, answer)]


def _lines(task: _Task, answer: str) -> Iterator[str]:
    """Yield the offset, the squared distances, the places on the way, or the legs of the tour."""
    places, parts = dict(task.places), answer.split(", ")
    here = places[task.one]
    if task.ask == "direction":
        sizes = _sizes(here - places[task.other])
        yield _WORDS.line("direction", one=task.one, other=task.other, **sizes)
    elif task.ask == "nearest":
        for name, place in task.places:
            if name != task.one:
                gap = here - place
                sizes = _sizes(complex(abs(gap.real), abs(gap.imag)))
                total = sizes["x"] ** 2 + sizes["y"] ** 2
                yield _WORDS.line("nearest", other=name, sum=total, **sizes)
    elif task.ask == "location":
        order, parents = [task.one], dict(task.parents)
        while order[-1] in parents:
            order.append(parents[order[-1]])
        for name in reversed(order):
            yield _WORDS.line("location", one=name, **_sizes(places[name]))
    elif task.ask == "path":
        for step, place in zip(parts, _walked(task, parts), strict=True):
            yield _WORDS.line("path", step=step, **_sizes(place))
    else:
        for one, other in pairwise([task.one, *parts, task.one]):
            gap = places[one] - places[other]
            sizes = _sizes(complex(abs(gap.real), abs(gap.imag)))
            total = _steps_between(places[one], places[other])
            yield _WORDS.line("tour", one=one, other=other, sum=total, **sizes)


def _sizes(place: complex) -> dict[str, int]:
    return {"x": int(place.real), "y": int(place.imag)}


def _plain(task: _Task, answer: str) -> str:
    """Return a list in lower case, with single spaces."""
    del task
    words = answer.lower().replace(",", " , ").rstrip(" .").split()
    return " ".join(words).replace(" , ", ", ").replace("the ", "")


_TYPES = {"direction": "label", "nearest": "label", "location": "list:integer"}
POINTS = AnswerChecker(
    _read, _accepts, _follows, _solve, _plain, lambda task: _TYPES.get(task.ask, "string")
)
