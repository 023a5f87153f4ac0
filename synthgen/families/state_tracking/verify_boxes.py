"""Boxes from the text: the operations are read backward from the question."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from synthgen.authoring import PlainVerifier, Words, exactly, holes, reads, wording_pattern

_WORDS = Words.beside(__file__).part("boxes")
_COLOR, _OBJECT = holes.word(_WORDS["colors"]), holes.word(_WORDS["objects"])
_HOLES = {
    "box": _COLOR,
    "other": _COLOR,
    "thing": _OBJECT,
    "things": holes.listed(holes.pattern(f"the {_OBJECT.pattern}"), ", ", " and "),
}
_EMPTY, _SOME = (wording_pattern(_WORDS["start"][name], _HOLES)[1] for name in ("empty", "some"))
_OPERATIONS = [
    (kind, wording_pattern(text, _HOLES)[1])
    for voice in _WORDS["voices"]
    for kind, text in voice.items()
]
_MAX_OPERATIONS = 80

_Operation = tuple[str, str, str]
"""Kind, then the object and its box, the object and "", or two boxes."""


class _Story(NamedTuple):
    """Objects of each box at first, the operations, and the question about a box or an object."""

    start: tuple[tuple[str, frozenset[str]], ...]
    operations: tuple[_Operation, ...]
    ask: str
    asked: str


def _start(text: str) -> dict[str, frozenset[str]] | None:
    boxes: dict[str, frozenset[str]] = {}
    for sentence in re.findall(r"[^.]+\.", text):
        match = _EMPTY.fullmatch(sentence.strip()) or _SOME.fullmatch(sentence.strip())
        if match is None or match["box"] in boxes:
            return None
        things = re.findall(r"the ([a-z]+)", match.groupdict().get("things") or "")
        boxes[match["box"]] = frozenset(things)
    held = [thing for things in boxes.values() for thing in things]
    return boxes if len(held) == len({*held}) else None


def _operations(text: str) -> tuple[_Operation, ...] | None:
    operations = []
    for sentence in re.findall(r"[^.]+\.", text):
        for kind, pattern in _OPERATIONS:
            match = pattern.fullmatch(sentence.strip())
            if match:
                words = match.groupdict()
                first = words["thing"] if "thing" in words else words["box"]
                last = words.get("other") or (words.get("box") or "" if "thing" in words else "")
                operations.append((kind, first, last))
                break
        else:
            return None
    return tuple(operations) if len(operations) <= _MAX_OPERATIONS else None


_TEXT = holes.pattern(r"[A-Z][a-z ,]{5,400}\.(?: [A-Z][a-z ,]{5,400}\.){0,100}")


@reads(
    _WORDS,
    start=holes.pattern(_TEXT.pattern, _start),
    story=holes.pattern(_TEXT.pattern, _operations),
    thing=_OBJECT,
    box=_COLOR,
)
def _read(
    kind: str,
    start: Mapping[str, frozenset[str]],
    story: tuple[_Operation, ...],
    thing: str = "",
    box: str = "",
) -> _Story | None:
    known = {each for things in start.values() for each in things}
    for name, first, last in story:
        boxes = {first, last} if name == "swap" else {last} - {""}
        if not boxes <= {*start} or (name == "swap" and first == last):
            return None
        known |= {first} if name == "put" else set()
        if name in ("move", "remove") and first not in known:
            return None
    if (box and box not in start) or (thing and thing not in known):
        return None
    return _Story(tuple(start.items()), story, kind, thing or box)


def _contents(story: _Story, box: str, count: int) -> list[str]:
    """Return what a box holds after some operations, alphabetically.

    Going backward, `sources` are the boxes whose contents end up in this one.
    """
    sources, settled, held = {box}, set(), set()
    for kind, first, last in reversed(story.operations[:count]):
        if kind == "swap":
            swap = {first: last, last: first}
            sources = {swap.get(each, each) for each in sources}
        elif first not in settled:
            settled.add(first)
            if last in sources:
                held.add(first)
    for color, things in story.start:
        if color in sources:
            held |= things - settled
    return sorted(held)


def _solve(story: _Story) -> str:
    count = len(story.operations)
    if story.ask == "place":
        boxes = [color for color, _ in story.start]
        holding = (color for color in boxes if story.asked in _contents(story, color, count))
        return next(holding, "none")
    held = _contents(story, story.asked, count)
    return str(len(held)) if story.ask == "count" else ", ".join(held) or "nothing"


def _lines(story: _Story) -> Iterator[str]:
    """Yield what each operation changes, boxes in the order in which they are introduced."""
    boxes = [color for color, _ in story.start]
    for count in range(1, len(story.operations) + 1):
        kind, first, last = story.operations[count - 1]
        changed = {first, last} if kind == "swap" else {last}
        changed |= {box for box in boxes if first in _contents(story, box, count - 1)}
        yield "; ".join(
            f"{box}: {', '.join(_contents(story, box, count)) or 'nothing'}"
            for box in boxes
            if box in changed
        )


_TYPES = {"place": "label", "contents": "set", "count": "integer"}
BOXES = PlainVerifier(_read, _solve, lambda story: _TYPES[story.ask], exactly(_lines))
