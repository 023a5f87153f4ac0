"""Structures of bricks: they grow brick by brick, and near misses are shifted parts of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, starmap
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

_WORDS = Words.beside(__file__)
_TEXTS = _WORDS["texts"]
_ASKS = ("valid", "build", "complete")
_FAULTS = ("none", "overlap", "one_apart", "parts_apart")
_STUDS, _MAX_BRICKS = 4, 12
_TRIES, _OFFERED = 40, 24
_OVERLAPS, _APART = 0.1, 0.25
"""Share of the invalid structures with an overlap, and below this one brick apart."""
_SHIFTS = (1, 2, 3, 4, 5, 6, 7, 8)


class Brick(NamedTuple):
    """The first of four columns, and the layer."""

    x: int
    y: int


def overlapping(one: Brick, other: Brick) -> bool:
    """Return whether two bricks have a cell in common."""
    return one.y == other.y and abs(one.x - other.x) < _STUDS


def connected(one: Brick, other: Brick) -> bool:
    """Return whether two bricks are in neighboring layers and have a column in common."""
    return abs(one.y - other.y) == 1 and abs(one.x - other.x) < _STUDS


def has_overlap(bricks: Sequence[Brick]) -> bool:
    """Return whether any two bricks have a cell in common."""
    return any(starmap(overlapping, combinations(bricks, 2)))


def reached(bricks: Sequence[Brick]) -> list[tuple[int, list[int]]]:
    """Return, breadth-first from the first brick, each brick and the new ones connected to it."""
    seen, order = {0}, [0]
    links = []
    for one in order:
        new = [k for k in range(len(bricks)) if k not in seen and connected(bricks[one], bricks[k])]
        seen.update(new)
        order.extend(new)
        links.append((one, new))
    return links


def width(bricks: Sequence[Brick]) -> int:
    """Return the number of columns from the leftmost stud to the rightmost."""
    columns = [b.x for b in bricks]
    return max(columns) + _STUDS - min(columns)


def is_whole(bricks: Sequence[Brick]) -> bool:
    """Return whether all bricks are connected."""
    return len(reached(bricks)) == len(bricks)


def grown(n: int, draws: RowDraws) -> list[Brick]:
    """Draw a valid structure: each brick is connected to one of those before it."""
    bricks = [Brick(0, 0)]
    while len(bricks) < n:
        at = draws.choice(bricks)
        x = at.x + draws.integer(1 - _STUDS, _STUDS)
        new = Brick(x, at.y + 1 - 2 * draws.integer(0, 2))
        if not any(overlapping(new, other) for other in bricks):
            bricks.append(new)
    return bricks


def _split(bricks: Sequence[Brick], draws: RowDraws, *, singly: bool) -> list[Brick]:
    """Shift a part of a structure so that it just loses its connection, without overlaps.

    The part is one brick, or it and the rest have several bricks, where one connection joins them.

    Returns:
        The bricks, or none if there is no such shift.
    """
    for _ in range(_TRIES):
        one, other = draws.sample(range(len(bricks)), 2)
        if not connected(bricks[one], bricks[other]):
            continue
        part, order = {other}, [other]
        for each in order:
            for k, brick in enumerate(bricks):
                known = k in part or {each, k} == {one, other}
                if not known and connected(bricks[each], brick):
                    part.add(k)
                    order.append(k)
        sizes = len(part), len(bricks) - len(part)
        if one in part or (min(sizes) == 1) != singly:
            continue
        sign, skipped = 1 - 2 * draws.integer(0, 2), draws.integer(0, 3)
        for shift in (way * size for size in _SHIFTS for way in (sign, -sign)):
            moved = [Brick(b.x + shift * (k in part), b.y) for k, b in enumerate(bricks)]
            if not has_overlap(moved) and not is_whole(moved):
                if not skipped:
                    return moved
                skipped -= 1
    return []


def _overlapped(bricks: Sequence[Brick], draws: RowDraws) -> list[Brick]:
    """Shift a brick so that it overlaps another one, while all are still connected.

    Returns:
        The bricks, or none if there is no such shift.
    """
    for _ in range(_TRIES):
        place, other = draws.sample(range(len(bricks)), 2)
        if bricks[place].y == bricks[other].y:
            moved = [*bricks]
            x = bricks[other].x + draws.integer(1, _STUDS) * (1 - 2 * draws.integer(0, 2))
            moved[place] = Brick(x, bricks[place].y)
            if is_whole(moved):
                return moved
    return []


def _canonical(bricks: Sequence[Brick]) -> list[Tree]:
    """Return the bricks in order, the first of the mirror images of a structure at the origin."""
    images = []
    for across in (1, -1):
        for down in (1, -1):
            turned = [(across * b.x, down * b.y) for b in bricks]
            left, low = (min(values) for values in zip(*turned, strict=True))
            images.append(sorted((x - left, y - low) for x, y in turned))
    return [("brick", x, y) for x, y in min(images)]


@levelled("n_bricks", 4, 5, 6, 7, 8, 9, 10, 11, 12)
@dataclass(frozen=True)
class LegoConnect(PlainFamily):
    """Bricks of four studs, which form a valid structure or nearly do.

    Attributes:
        asks: Questions: "valid" for whether a structure is valid, half of the time; "build" for
            any structure of a number of bricks, of layers and of columns; "complete" for bricks
            that make a structure valid; drawn with equal probability.
        min_bricks, max_bricks: Fewest and most bricks of a structure.
    """

    asks: tuple[str, ...] = params.choices(_ASKS, _ASKS)
    min_bricks: int = params.integer(4, 3, _MAX_BRICKS, up_to="max_bricks")
    max_bricks: int = params.integer(8, 3, _MAX_BRICKS)

    verifier = "lego_connect"
    same_up_to = "the colors, the order of the bricks, shifts and mirror images"
    answers_differ = True
    words = _WORDS
    symbols = {
        "valid": (1, _MAX_BRICKS),
        "build": 3,
        "complete": (2, 1 + _MAX_BRICKS),
        "brick": 2,
    }
    answer_type = {
        "valid": "label",
        "build": "checked:lego_connect",
        "complete": "checked:lego_connect",
    }
    own_axes = {
        "n_bricks": axis("bricks, with those to add", "min_bricks", "max_bricks"),
        "n_added": axis("bricks to add or to build with", 0, _MAX_BRICKS),
        "n_layers": axis("layers of the structure", 1, _MAX_BRICKS),
        "fault": axis("what makes a structure invalid", values=_FAULTS),
    }

    def make(self, draws: RowDraws) -> Problem | None:
        """Grow a structure, and shift or remove some of it."""
        ask = draws.choice(self.asks)
        n = draws.integer(self.min_bricks, self.max_bricks + 1)
        fault = "none" if ask == "build" else "parts_apart"
        if ask == "valid":
            fault = _fault(n, draws)
        for _ in range(_TRIES):
            whole = draws.shuffled(grown(n, draws))
            if ask == "valid" and fault == "none":  # shifted parts make others wider
                whole = max(whole, draws.shuffled(grown(n, draws)), key=width)
            shown, added = whole, list[Brick]()
            if ask == "build":
                shown, added = [], whole
            elif ask == "complete":
                count = draws.integer(1, max(2, n // 3 + 1))
                added, shown = whole[:count], whole[count:]
            elif fault == "overlap":
                shown = _overlapped(whole, draws)
            elif fault != "none":
                shown = _split(whole, draws, singly=fault == "one_apart")
            fits = ask == "build" or is_whole(shown) == (fault in ("none", "overlap"))
            if shown + added and fits:
                return self._problem(ask, shown, added, fault, draws)
        return None

    @staticmethod
    def _problem(
        ask: str, shown: list[Brick], added: list[Brick], fault: str, draws: RowDraws
    ) -> Problem:
        whole = shown + added
        n, shift = len(whole), draws.integer(0, 10)
        left, low = min(b.x for b in whole) - shift, min(b.y for b in whole)
        shown, added = ([Brick(b.x - left, b.y - low) for b in bricks] for bricks in (shown, added))
        layers, columns = len({b.y for b in whole}), width(whole)
        colors = [draws.choice(_WORDS["colors"]) for _ in range(n)]
        parts: list[Tree] = [n, layers, columns] if ask == "build" else _canonical(shown)
        return Problem(
            tree=(ask, *([len(added)] if ask == "complete" else []), *parts),
            answer=_listed(added, colors) or ("valid" if fault == "none" else "invalid"),
            holes={
                "rules": _TEXTS["rules"],
                "bricks": _listed(shown, colors[len(added) :]),
                "count": _counted(len(added)) if ask == "complete" else n,
                "layers": layers,
                "width": columns,
            },
            kind=ask,
            axes={"n_bricks": n, "n_added": len(added), "n_layers": layers, "fault": fault},
            data=(shown, added, colors),
        )

    def steps_of(self, problem: Problem) -> list[str]:
        """Write an overlap, or what is connected to each brick that is reached."""
        shown, added, colors = problem.data
        bricks = [*shown, *added]
        names = _texts(bricks, colors[len(added) :] + colors[: len(added)])
        for k, one in enumerate(bricks):
            for place, other in enumerate(bricks[:k]):
                if overlapping(one, other):
                    return [_WORDS.line("overlap", one=names[place], other=names[k])]
        links = reached(bricks)
        lines = [
            _WORDS.line("from", one=names[one], others=", ".join(names[k] for k in new))
            for one, new in links
            if new
        ]
        rest = sorted({*range(len(bricks))}.difference(one for one, _ in links))
        if rest:
            return [*lines, _WORDS.line("rest", others=", ".join(names[k] for k in rest))]
        return [*lines, _WORDS.line("all")]

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> Iterator[str]:
        """Yield the other verdict, or structures in which one or two bricks are elsewhere."""
        shown, added, colors = problem.data
        if problem.kind == "valid":
            yield from ("valid", "invalid")
            return
        del shown
        for _ in range(_OFFERED):
            moved = [*added]
            for _ in range(draws.integer(1, 3)):
                place = draws.integer(0, len(moved))
                dx, dy = draws.integer(-5, 6), draws.integer(-1, 2)
                moved[place] = Brick(moved[place].x + dx, moved[place].y + dy)
            yield _listed(moved, colors)


def _fault(n: int, draws: RowDraws) -> str:
    """Draw what is wrong with a structure; half of the time nothing."""
    if draws.integer(0, 2):
        return "none"
    share = draws.uniform()
    if share < _OVERLAPS:
        return "overlap"
    return "one_apart" if share < _APART or n < 4 else "parts_apart"


def _texts(bricks: Sequence[Brick], colors: Sequence[str]) -> list[str]:
    pairs = zip(bricks, colors, strict=False)
    return [filled(_TEXTS["brick"], {"x": b.x, "y": b.y, "color": color}) for b, color in pairs]


def _listed(bricks: Sequence[Brick], colors: Sequence[str]) -> str:
    return ", ".join(_texts(bricks, colors))


def _counted(n: int) -> str:
    return filled(_TEXTS["one" if n == 1 else "some"], {"n": n})


GENERATORS = {"lego_connect": LegoConnect}
