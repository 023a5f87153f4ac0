"""Boards from the text: sets of cells as bits, lines by shifts, and searches for yes or no."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from synthgen.authoring import PlainVerifier, Shape, Sighted, Words, filled, holes, reads
from synthgen.authoring.pictures import in_cells

_WORDS = Words.beside(__file__)
_STEPS = _WORDS["games"]["steps"]
_LENGTHS = {3: 3, 7: 4}
"""Side of the board -> marks in a line."""


class _Position(NamedTuple):
    """The question, the side, and the cells of X and O as bits.

    A row has one bit more than the board, always 0, so that no line runs over its end.
    """

    ask: str
    side: int
    x: int
    o: int

    def mover(self) -> tuple[int, int]:
        """Return the cells of the player to move, and those of the other."""
        return (self.x, self.o) if self.x.bit_count() == self.o.bit_count() else (self.o, self.x)


@reads(
    _WORDS.part("games"),
    board=holes.pattern(r"[.XO]{3,7}(?:\n[.XO]{3,7}){2,6}"),
    player=holes.word("XO"),
)
def _read_game(kind: str, board: str, player: str = "") -> _Position | None:
    game, ask = kind.split("_")
    rows, side = board.split("\n"), 3 if game == "ttt" else 7
    if [*map(len, rows)] != [side] * side:
        return None
    flat = "".join(row + "." for row in rows)
    x, o = (sum(1 << k for k, mark in enumerate(flat) if mark == own_mark) for own_mark in "XO")
    ahead = x.bit_count() - o.bit_count()
    if ahead not in (0, 1) or (player and player != "XO"[ahead]):
        return None
    return _Position(ask, side, x, o)


def _see_game(position: _Position, shapes: Sequence[Shape] | None) -> _Position | None:
    """Return the position if its picture, if there is one, has the same marks."""
    if shapes is None:
        return position
    bits = {"X": 0, "O": 0}
    for (column, row), parts in in_cells(shapes).items():
        if [part.text in bits for part in parts] != [True]:
            return None
        bits[parts[0].text] |= 1 << (row - 1) * (position.side + 1) + column - 1
    return position if (bits["X"], bits["O"]) == (position.x, position.o) else None


def _starts(cells: int, side: int) -> Iterator[tuple[int, int]]:
    """Yield each step between neighbors in a line, and the first cells of full lines."""
    for step in (1, side + 1, side + 2, side):
        line = cells
        for k in range(1, _LENGTHS[side]):
            line &= cells >> step * k
        yield step, line


def _wins(cells: int, side: int) -> bool:
    return any(line for _, line in _starts(cells, side))


@cache
def _groups(side: int) -> list[int]:
    """Return, for each move number, the cells of which it takes the last free one."""
    cells = [[1 << r * (side + 1) + c for r in range(side)] for c in range(side)]
    return (
        [*map(sum, cells)]
        if side == 7
        else [bit for row in zip(*cells, strict=True) for bit in row]
    )


def _moves(taken: int, side: int) -> dict[int, int]:
    """Return the number of each legal move, and its cell as a bit."""
    free = [(number, group & ~taken) for number, group in enumerate(_groups(side), 1)]
    return {number: 1 << cells.bit_length() - 1 for number, cells in free if cells}


@lru_cache(1 << 14)
def _reaches(own: int, foe: int, wanted: int) -> bool:
    """Return whether the player to move in tic-tac-toe reaches at least a draw (1) or a win (2)."""
    if _wins(foe, 3):
        return False
    moves = _moves(own | foe, 3)
    if not moves:
        return wanted == 1
    return any(not _reaches(foe, own | bit, 3 - wanted) for bit in moves.values())


def _forces(own: int, foe: int, bit: int, turns: int) -> bool:
    """Return whether a move in connect four wins within a number of the player's turns."""
    own |= bit
    if _wins(own, 7):
        return True
    replies = _moves(own | foe, 7).values()
    if turns == 1 or not replies or any(_wins(foe | reply, 7) for reply in replies):
        return False
    return all(
        any(
            _forces(own, foe | reply, move, turns - 1)
            for move in _moves(own | foe | reply, 7).values()
        )
        for reply in replies
    )


def _results(position: _Position) -> dict[int, str]:
    """Return the result of each legal move, in words."""
    own, foe = position.mover()
    moves = _moves(own | foe, position.side)
    if position.side == 7:
        return {n: _STEPS["forced"][_forces(own, foe, bit, 2)] for n, bit in moves.items()}
    return {
        n: _STEPS["results"][2 - sum(_reaches(foe, own | bit, wanted) for wanted in (1, 2))]
        for n, bit in moves.items()
    }


def _solve_game(position: _Position) -> str | None:
    sides = {"X": position.x, "O": position.o}
    won = [name for name, cells in sides.items() if _wins(cells, position.side)]
    if position.ask == "winner":
        return None if len(won) == 2 else "".join(won) or "nobody"
    if won:
        return None
    if position.ask == "legal":
        return ", ".join(map(str, _moves(position.x | position.o, position.side))) or None
    results = _results(position)
    order = (*_STEPS["results"], *_STEPS["forced"])
    best = max(results.values(), key=order.index, default=None)
    if best is None or best == _STEPS["forced"][0]:
        return None
    return ", ".join(str(move) for move, result in results.items() if result == best)


def _follows_game(position: _Position, answer: str, lines: Sequence[str]) -> bool:
    """Compare with the lines of both players, the free cells, or the result of each move."""
    del answer
    side = position.side
    if position.ask == "best":
        expected = [
            filled(_STEPS["result"], {"move": move, "result": result})
            for move, result in _results(position).items()
        ]
    elif position.ask == "legal":
        expected = [*_free(position)]
    else:
        expected = []
        for name, cells in (("X", position.x), ("O", position.o)):
            won = sorted(
                (bit, order, step)
                for order, (step, starts) in enumerate(_starts(cells, side))
                for bit in range(starts.bit_length())
                if starts >> bit & 1
            )
            for bit, _, step in won:
                places = [divmod(bit + step * k, side + 1) for k in range(_LENGTHS[side])]
                shown = " ".join(f"({row + 1}, {column + 1})" for row, column in places)
                expected.append(filled(_STEPS["line"], {"player": name, "cells": shown}))
            if not won:
                expected.append(filled(_STEPS["none"], {"player": name}))
    return [*lines] == expected


def _free(position: _Position) -> Iterator[str]:
    for move, group in enumerate(_groups(position.side), 1):
        count = (group & ~(position.x | position.o)).bit_count()
        name = "free" if position.side == 7 else "empty" if count else "taken"
        yield filled(_STEPS[name], {"move": move, "count": count})


# shapes

_OPTIONS = {"square", "triangle", "cross", "circle"}


def _options(text: str) -> bool:
    return {*text.replace(" or ", ", ").split(", ")} == _OPTIONS


@reads(
    _WORDS.part("shapes"),
    grid=holes.pattern(r"[01]{15}(?:\n[01]{15}){14}"),
    options=holes.pattern(r"[a-z]{5,8}, [a-z]{5,8}, [a-z]{5,8} or [a-z]{5,8}", _options),
)
def _read_shape(grid: str, options: bool) -> tuple[str, ...] | None:
    return tuple(grid.split("\n")) if options else None


def _see_shape(rows: tuple[str, ...], shapes: Sequence[Shape] | None) -> tuple[str, ...] | None:
    """Return the rows if their picture, if there is one, has the same cells."""
    cells = in_cells(shapes or ())
    seen = ["".join("01"[(x, y) in cells] for x in range(1, 16)) for y in range(1, 16)]
    return rows if shapes is None or [*rows] == seen else None


def _solve_shape(rows: tuple[str, ...]) -> str | None:
    """Recognize the shape by the widths and the alignment of its rows."""
    spans = [(row.index("1"), row.rindex("1") + 1, row.count("1")) for row in rows if "1" in row]
    middles = {start + end for start, end, _ in spans}
    widths = [width for _, _, width in spans]
    if len(middles) != 1 or any(end - start != width for start, end, width in spans):
        return None
    n = len(widths)
    if widths == [n] * n:
        return "square"
    if widths == [2 * k + 1 for k in range(n)]:
        return "triangle"
    arm = n // 2
    return "cross" if widths == [1] * arm + [n] + [1] * arm else None


def _follows_shape(rows: tuple[str, ...], answer: str, lines: Sequence[str]) -> bool:
    """Compare with the number of ones in each row that has any."""
    del answer
    return [*lines] == [
        filled(_WORDS["shapes"]["steps"]["row"], {"row": k, "count": row.count("1")})
        for k, row in enumerate(rows, 1)
        if "1" in row
    ]


def _type_of(position: _Position) -> str:
    return "label" if position.ask == "winner" else "list:integer"


VERIFIERS = {
    "board_games": PlainVerifier(
        Sighted(_read_game, _see_game), _solve_game, _type_of, _follows_game
    ),
    "board_shapes": PlainVerifier(
        Sighted(_read_shape, _see_shape), _solve_shape, "label", _follows_shape
    ),
}
