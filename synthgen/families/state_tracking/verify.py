"""State tracking from the text. Here, each ball is traced back from its holder to the start.

Boxes and places have modules of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from synthgen.authoring import PlainVerifier, Words, exactly, holes, reads, wording_pattern
from synthgen.families.state_tracking.verify_boxes import BOXES
from synthgen.families.state_tracking.verify_places import PLACES

_WORDS = Words.beside(__file__).part("permutations")
_NAME, _COLOR = holes.word(_WORDS["names"]), holes.word(_WORDS["colors"])
_HOLES = {"name": _NAME, "color": _COLOR, "one": _NAME, "other": _NAME}
_HAS = wording_pattern(_WORDS["texts"]["has"], _HOLES)[1]
_SWAPS = [wording_pattern(text, _HOLES)[1] for text in _WORDS["texts"]["swaps"]]
_ALL = re.compile(r"All at once, ([A-Za-z, ]+)\.")
_PASS = re.compile(rf"({_NAME.pattern}) (?:passes a ball )?to ({_NAME.pattern})")
_MAX_MOVES = 100
_SENTENCES = r"[A-Z][A-Za-z ,]{5,300}\.(?: [A-Z][A-Za-z ,]{5,300}\.){0,100}"


class _Story(NamedTuple):
    """Names with their first colors, from whom each move brings a ball, and what is asked for."""

    start: tuple[tuple[str, str], ...]
    moves: tuple[tuple[tuple[str, str], ...], ...]
    ask: str
    asked: str


def _start(text: str) -> tuple[tuple[str, str], ...] | None:
    pairs = []
    for part in re.split(", | and ", text.removesuffix(".")):
        match = _HAS.fullmatch(part)
        if match is None:
            return None
        pairs.append((match["name"], match["color"]))
    return tuple(pairs)


def _moves(text: str) -> tuple[tuple[tuple[str, str], ...], ...] | None:
    """Return for each move the pairs of who gets a ball and from whom."""
    moves = []
    for sentence in re.findall(r"[^.]+\.", text):
        swap = next(filter(None, (each.fullmatch(sentence.strip()) for each in _SWAPS)), None)
        every = _ALL.fullmatch(sentence.strip())
        if swap:
            pairs = [(swap["one"], swap["other"]), (swap["other"], swap["one"])]
        elif every:
            parts = [_PASS.fullmatch(part) for part in re.split(", | and ", every[1])]
            pairs = [(part[2], part[1]) for part in parts if part]
            if len(pairs) < len(parts):
                return None
        else:
            return None
        if len(dict(pairs)) < len(pairs) or {taker for taker, _ in pairs} != {
            one for _, one in pairs
        }:
            return None
        moves.append(tuple(pairs))
    return tuple(moves) if len(moves) <= _MAX_MOVES else None


@reads(
    _WORDS,
    start=holes.pattern(r"[A-Z][A-Za-z ,]{5,400}\.", _start),
    story=holes.pattern(_SENTENCES, _moves),
    name=_NAME,
    color=_COLOR,
)
def _read(
    kind: str,
    start: tuple[tuple[str, str], ...],
    story: tuple[tuple[tuple[str, str], ...], ...],
    name: str = "",
    color: str = "",
) -> _Story | None:
    colors = dict(start)
    if len(colors) < len(start) or len({*colors.values()}) < len(start):
        return None
    if any(taker not in colors for pairs in story for taker, _ in pairs):
        return None
    if (name and name not in colors) or (color and color not in colors.values()):
        return None
    return _Story(start, story, kind, name or color)


def _color(story: _Story, name: str, count: int) -> str:
    """Return the color of the ball that a person holds after some moves."""
    for pairs in reversed(story.moves[:count]):
        name = dict(pairs).get(name, name)
    return dict(story.start)[name]


def _colors(story: _Story, count: int) -> Mapping[str, str]:
    return {name: _color(story, name, count) for name, _ in story.start}


def _solve(story: _Story) -> str:
    count = len(story.moves)
    if story.ask == "item":
        return _color(story, story.asked, count)
    colors = _colors(story, count)
    if story.ask == "order":
        return ", ".join(colors.values())
    return next(name for name, color in colors.items() if color == story.asked)


def _lines(story: _Story) -> Iterator[str]:
    for count in range(1, len(story.moves) + 1):
        yield ", ".join(_colors(story, count).values())


VERIFIERS = {
    "state_boxes": BOXES,
    "state_permutations": PlainVerifier(
        _read, _solve, lambda story: "list" if story.ask == "order" else "label", exactly(_lines)
    ),
    "state_places": PLACES,
}
