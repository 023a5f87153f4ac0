"""Space from the text. Here, chains of directions: walks from the second object that is named.

Points have a module of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from synthgen.authoring import PlainVerifier, Words, exactly, holes, reads, wording_pattern
from synthgen.families.spatial.verify_points import POINTS

_WORDS = Words.beside(__file__).part("chain")
_TEXTS = _WORDS["texts"]
_NAME = holes.pattern("[A-Z]")
_WINDS = {
    "northeast": 1 + 1j,
    "northwest": -1 + 1j,
    "southeast": 1 - 1j,
    "southwest": -1 - 1j,
    "north": 1j,
    "south": -1j,
    "east": 1 + 0j,
    "west": -1 + 0j,
    "same place": 0j,
}
_DIRECTION = holes.word([*_WINDS][:-1])
_HOLES = {"one": _NAME, "other": _NAME, "direction": _DIRECTION, "back": _DIRECTION}
_FACTS = [wording_pattern(text, _HOLES)[1] for text in (*_TEXTS["facts"], *_TEXTS["same"])]


class _Task(NamedTuple):
    """Objects, the offset of each from another one, and the two that are asked for."""

    facts: tuple[tuple[str, complex, str], ...]
    one: str
    other: str


def _facts(text: str) -> tuple[tuple[str, complex, str], ...] | None:
    facts = []
    for sentence in re.findall(r"[^.]+\.", text):
        match = next(filter(None, (form.fullmatch(sentence.strip()) for form in _FACTS)), None)
        if match is None or match["one"] == match["other"]:
            return None
        words = match.groupdict()
        offset = (
            -_WINDS[words["back"]]
            if "back" in words
            else _WINDS[words.get("direction", "same place")]
        )
        facts.append((match["one"], offset, match["other"]))
    return tuple(facts)


@reads(
    _WORDS,
    rules=holes.pattern(re.escape(_TEXTS["rules"])),
    facts=holes.pattern(r"[A-Z][^.\n]{5,60}\.(?: [A-Z][^.\n]{5,60}\.){0,40}", _facts),
    one=_NAME,
    other=_NAME,
)
def _read(
    kind: str, facts: tuple[tuple[str, complex, str], ...], one: str, other: str, rules: str = ""
) -> _Task | None:
    del kind, rules
    task = _Task(facts, one, other)
    places = {name: place for name, (place, _) in _walk(task).items()}
    if one == other or one not in places:
        return None
    known = ((a, offset, b) for a, offset, b in facts if a in places)
    return task if all(places[a] == places[b] + offset for a, offset, b in known) else None


def _walk(task: _Task) -> dict[str, tuple[complex, str]]:
    """Return the place of each object that is reached, and from which one; nearest ones first."""
    reached = {task.other: (0j, "")}
    for at in (waiting := [task.other]):
        for one, offset, other in task.facts:
            for new, old, gap in ((one, other, offset), (other, one, -offset)):
                if old == at and new not in reached:
                    reached[new] = reached[at][0] + gap, at
                    waiting.append(new)
    return reached


def _solve(task: _Task) -> str:
    place = _walk(task)[task.one][0]
    signs = complex(*((part > 0) - (part < 0) for part in (place.real, place.imag)))
    return next(name for name, wind in _WINDS.items() if wind == signs)


def _lines(task: _Task) -> Iterator[str]:
    """Yield the places of the objects on the shortest chain."""
    reached, chain = _walk(task), [task.one]
    while chain[-1] != task.other:
        chain.append(reached[chain[-1]][1])
    for name in reversed(chain):
        place = reached[name][0]
        yield _WORDS.line("at", one=name, x=int(place.real), y=int(place.imag))


VERIFIERS = {
    "spatial_points": POINTS,
    "spatial_chain": PlainVerifier(_read, _solve, "label", exactly(_lines)),
}
