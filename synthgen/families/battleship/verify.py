"""Battleship from the text: ships are put on the hits first, and then where nothing forbids it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from synthgen.authoring import PlainVerifier, Words, exactly, holes, reads, wording_pattern

_WORDS = Words.beside(__file__)
_TEXTS = _WORDS["texts"]
_MAX_FITTING, _MAX_SHIPS, _MAX_SIDE = 500, 4, 6

_Cell = tuple[int, int]
"""Row and column."""
_Ship = frozenset[_Cell]
_FORMS = [
    wording_pattern(
        _TEXTS[name], {"size": holes.pattern("[1-9]"), "count": holes.word(_TEXTS["counts"])}
    )[1]
    for name in ("one", "some")
]


class _Board(NamedTuple):
    """The question, the marks, and the lengths of the ships, longest first."""

    ask: str
    rows: tuple[str, ...]
    fleet: tuple[int, ...]


def _fleet(text: str) -> tuple[int, ...] | None:
    sizes: list[int] = []
    for part in re.split(", | and ", text):
        match = next(filter(None, (form.fullmatch(part) for form in _FORMS)), None)
        if match is None:
            return None
        count = match.groupdict().get("count")
        sizes += [int(match["size"])] * (_TEXTS["counts"].index(count) + 2 if count else 1)
    return tuple(sorted(sizes, reverse=True)) if len(sizes) <= _MAX_SHIPS else None


@reads(
    _WORDS,
    rules=holes.pattern(re.escape(_TEXTS["rules"])),
    board=holes.pattern(r"[.XO]{2,6}(?:\n[.XO]{2,6}){1,5}"),
    fleet=holes.pattern("[a-z0-9 ,]{10,150}", _fleet),
)
def _read(kind: str, board: str, fleet: tuple[int, ...], rules: str = "") -> _Board | None:
    del rules
    lines = board.split("\n")
    if any(len(line) != len(lines) for line in lines) or len(lines) > _MAX_SIDE:
        return None
    return _Board(kind, tuple(lines), fleet)


def _marked(board: _Board, mark: str) -> list[_Cell]:
    side = range(len(board.rows))
    return [(row, column) for row in side for column in side if board.rows[row][column] == mark]


def _through(size: int, cell: _Cell, free: frozenset[_Cell]) -> Iterator[_Ship]:
    """Yield the ships of a length on free cells that have a cell."""
    row, column = cell
    for shift in range(size):
        flat = frozenset((row, column - shift + k) for k in range(size))
        if flat <= free:
            yield flat
        if size > 1:
            steep = frozenset((row - shift + k, column) for k in range(size))
            if steep <= free:
                yield steep


def _without(free: frozenset[_Cell], ship: _Ship) -> frozenset[_Cell]:
    """Return the free cells that do not touch a ship."""
    around = {(r + a, c + b) for r, c in ship for a in (-1, 0, 1) for b in (-1, 0, 1)}
    return free - around


def _search(
    hits: frozenset[_Cell], free: frozenset[_Cell], fleet: tuple[int, ...], last: tuple[int, _Ship]
) -> Iterator[_Ship]:
    """Yield the cells of placements: the first hit has a ship, then ships in ascending order.

    Args:
        hits: Hits without a ship.
        free: Cells that may have one.
        fleet: Lengths of the ships that are not placed.
        last: Length and cells of the last ship that was placed on no hit.
    """
    if len(hits) > sum(fleet) or not hits <= free:
        return
    if not fleet:
        yield frozenset()
        return
    if hits:
        cell = min(hits)
        for size in dict.fromkeys(fleet):
            rest = [*fleet]
            rest.remove(size)
            for ship in _through(size, cell, free):
                for more in _search(hits - ship, _without(free, ship), tuple(rest), last):
                    yield ship | more
        return
    size = fleet[0]
    for cell in sorted(free):
        for ship in _through(size, cell, free):
            in_order = last[0] != size or sorted(ship) > sorted(last[1])
            if min(ship) == cell and in_order:
                for more in _search(hits, _without(free, ship), fleet[1:], (size, ship)):
                    yield ship | more


@lru_cache(1 << 12)
def _placements(board: _Board) -> list[_Ship]:
    """Return the placements that fit; none if there are too many."""
    hits = frozenset(_marked(board, "X"))
    fitting = []
    for cells in _search(
        hits, hits | frozenset(_marked(board, ".")), board.fleet, (0, frozenset())
    ):
        fitting.append(cells)
        if len(fitting) > _MAX_FITTING:
            return []
    return fitting


def _name(cell: _Cell) -> str:
    return f"{chr(65 + cell[1])}{cell[0] + 1}"


def _solve(board: _Board) -> str | None:
    fitting = _placements(board)
    if not fitting:
        return None
    if board.ask == "count":
        return str(len(fitting))
    untried = _marked(board, ".")
    wanted = board.ask == "ship"
    certain = [c for c in untried if all((c in each) == wanted for each in fitting)]
    return ", ".join(map(_name, certain)) or _TEXTS["none"]


def _lines(board: _Board) -> list[str]:
    """Return the placements that fit, in order."""
    return [" ".join(names) for names in sorted(sorted(map(_name, e)) for e in _placements(board))]


VERIFIERS = {
    "battleship": PlainVerifier(
        _read, _solve, lambda board: "integer" if board.ask == "count" else "set", exactly(_lines)
    )
}
