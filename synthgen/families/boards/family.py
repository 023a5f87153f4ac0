"""Boards: random games whose lines are listed, minimax on texts, and shapes that are drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from synthgen.authoring import (
    Ink,
    Picture,
    PlainFamily,
    Problem,
    RowDraws,
    Words,
    axis,
    filled,
    levelled,
    params,
)
from synthgen.authoring.distractors import other_sets
from synthgen.authoring.pictures import numbered_grid

_WORDS = Words.beside(__file__)
_STEPS = _WORDS["games"]["steps"]
_QUESTIONS = ("winner", "legal", "best")
_TRIES, _OFFERED = 60, 10
_WON = {"ttt": 0.55, "four": 0.5}
"""Share of games that are won where the winner is asked for: those of tic-tac-toe often repeat."""
_WIDTH, _END = 280, 2
_COLORS = {"X": "#1971c2", "O": "#e03131"}


class Rules(NamedTuple):
    """A game.

    Attributes:
        name: Name of its wordings.
        side: Side of the board.
        lines: Cells of all lines that win.
        through: For each cell, the other cells of each line through it.
        falls: Whether discs fall.
    """

    name: str
    side: int
    lines: tuple[tuple[int, ...], ...]
    through: tuple[tuple[tuple[int, ...], ...], ...]
    falls: bool

    @classmethod
    def on_square(cls, name: str, side: int, length: int, *, falls: bool) -> Rules:
        """Return a game on a square board, with all lines of a length."""
        lines = []
        for row in range(side):
            for column in range(side):
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    ends = row + down * (length - 1), column + right * (length - 1)
                    if 0 <= ends[0] < side and 0 <= ends[1] < side:
                        line = [(row + down * k) * side + column + right * k for k in range(length)]
                        lines.append(tuple(line))
        through = tuple(
            tuple(tuple(p for p in line if p != cell) for line in lines if cell in line)
            for cell in range(side * side)
        )
        return cls(name, side, tuple(lines), through, falls)

    def moves(self, cells: str) -> list[int]:
        """Return the cells that the next mark can take, by column where discs fall."""
        if not self.falls:
            return [place for place, mark in enumerate(cells) if mark == "."]
        free = [cells[column :: self.side].count(".") for column in range(self.side)]
        return [(n - 1) * self.side + column for column, n in enumerate(free) if n]

    def won(self, cells: str, player: str) -> list[tuple[int, ...]]:
        """Return the lines of a player."""
        return [line for line in self.lines if all(cells[place] == player for place in line)]

    def wins(self, cells: str, player: str, place: int) -> bool:
        """Return whether a player who takes a cell has a line through it."""
        for line in self.through[place]:
            for other_place in line:
                if cells[other_place] != player:
                    break
            else:
                return True
        return False

    def shown(self, place: int) -> int:
        """Return the number of a move: its cell, or its column where discs fall."""
        return place % self.side + 1 if self.falls else place + 1


_GAMES = {
    "ttt": Rules.on_square("ttt", 3, 3, falls=False),
    "four": Rules.on_square("four", 7, 4, falls=True),
}


def put(cells: str, place: int, player: str) -> str:
    """Return a board with one more mark."""
    return cells[:place] + player + cells[place + 1 :]


def other(player: str) -> str:
    """Return the opponent."""
    return "O" if player == "X" else "X"


@cache
def value(cells: str, player: str) -> int:
    """Return the result of tic-tac-toe for the player to move: 0 loss, 1 draw, 2 win."""
    rules = _GAMES["ttt"]
    if rules.won(cells, other(player)):
        return 0
    moves = rules.moves(cells)
    return max((2 - value(put(cells, m, player), other(player)) for m in moves), default=1)


def forces(rules: Rules, cells: str, player: str, place: int) -> bool:
    """Return whether a move wins, or guarantees that the player's next one does."""
    if rules.wins(cells, player, place):
        return True
    after = put(cells, place, player)
    replies = rules.moves(after)
    if any(rules.wins(after, other(player), reply) for reply in replies):
        return False
    for reply in replies:
        board = put(after, reply, other(player))
        if not any(rules.wins(board, player, move) for move in rules.moves(board)):
            return False
    return bool(replies)


# Positions. Each question has two kinds of them; with one, a local feature would often be enough.

Position = tuple[str, str]
"""The board, and the player to move."""


def _played(
    rules: Rules, draws: RowDraws, marks: int, columns: Sequence[int] = ()
) -> tuple[Position, bool]:
    """Play at random, or into these columns, until a player wins.

    Returns:
        The position, and whether a player has won.
    """
    cells, player = "." * rules.side**2, "X"
    for turn in range(marks):
        moves = rules.moves(cells)
        if columns:
            moves = [move for move in moves if move % rules.side == columns[turn]]
        place = draws.choice(moves)
        over = rules.wins(cells, player, place)
        cells, player = put(cells, place, player), other(player)
        if over:
            return (cells, player), True
    return (cells, player), False


def _ended(rules: Rules, draws: RowDraws) -> Iterator[Position]:
    """Yield a game that is won or, about as often, one with as many marks that is not."""
    wanted, marks = draws.uniform() < _WON[rules.name], 0
    for _ in range(_TRIES):
        position, over = _played(rules, draws, marks or rules.side**2)
        if over and not marks:
            marks = rules.side**2 - position[0].count(".")
            if wanted:
                yield position
        elif marks and not over:
            yield position


def _unfinished(rules: Rules, draws: RowDraws) -> Iterator[Position]:
    """Yield games without a winner; in connect four, every number of full columns is as likely."""
    for _ in range(_TRIES):
        columns = _columns(draws, rules.side) if rules.falls else ()
        marks = len(columns) or draws.integer(2, rules.side**2 - 1)
        position, over = _played(rules, draws, marks, columns)
        if not over:
            yield position


def _columns(draws: RowDraws, side: int) -> list[int]:
    """Draw a number of discs and of full columns, and then the columns of the discs."""
    marks = draws.integer(side, side**2 - 1)
    fewest = max(0, marks - side * (side - 1))
    n_full = draws.integer(fewest, min(marks // side, side - 1) + 1)
    order = draws.shuffled(range(side))
    discs = [column for column in order[:n_full] for _ in range(side)]
    room = [column for column in order[n_full:] for _ in range(side - 1)]
    return draws.shuffled(discs + draws.sample(room, marks - len(discs)))


def _contested(rules: Rules, draws: RowDraws) -> Iterator[Position]:
    """Yield games in which the next mark can win or, as often in connect four, cannot."""
    wanted, most = bool(draws.integer(0, 2)), 28 if rules.falls else 7
    for _ in range(2 * _TRIES):
        position, over = _played(rules, draws, draws.integer(2, most + 1))
        if not over and (
            not rules.falls
            or wanted == any(rules.wins(*position, m) for m in rules.moves(position[0]))
        ):
            yield position


_POSITIONS: Mapping[str, Callable[[Rules, RowDraws], Iterator[Position]]] = {
    "winner": _ended,
    "legal": _unfinished,
    "best": _contested,
}


@levelled("marks", 2, 4, 6, 8, 12, 16, 20, 24, 28, 32)
@dataclass(frozen=True)
class BoardGames(PlainFamily):
    """Positions of tic-tac-toe (3 x 3) and connect four (7 x 7), reached by random play.

    Attributes:
        games: "ttt" and "four"; drawn with equal probability.
        asks: Questions: who has won, the legal moves, or the best ones; drawn with equal
            probability.
    """

    games: tuple[str, ...] = params.choices(tuple(_GAMES), tuple(_GAMES))
    asks: tuple[str, ...] = params.choices(_QUESTIONS, _QUESTIONS)

    version = 3
    verifier = "board_games"
    words = _WORDS.part("games")
    symbols = {f"{game}_{ask}": 7 if game == "four" else 3 for game in _GAMES for ask in _QUESTIONS}
    answer_type = {
        f"{game}_{ask}": "label" if ask == "winner" else "list:integer"
        for game in _GAMES
        for ask in _QUESTIONS
    }
    own_axes = {
        "marks": axis("marks on the board", 0, 49),
        "moves": axis("legal moves", 0, 9),
    }

    def make(self, draws: RowDraws) -> Problem | None:
        """Play at random, until the position fits the question."""
        rules, ask = _GAMES[draws.choice(self.games)], draws.choice(self.asks)
        for cells, player in _POSITIONS[ask](rules, draws):
            solution = self._answer(rules, ask, cells, player)
            if solution is not None:
                return self._problem(rules, ask, cells, player, solution)
        return None

    @staticmethod
    def _answer(rules: Rules, ask: str, cells: str, player: str) -> tuple[str, list[str]] | None:
        """Return the answer and its steps; None if the question does not suit the position."""
        moves = rules.moves(cells)
        if ask == "winner":
            lines = {mark: rules.won(cells, mark) for mark in "XO"}
            return next((mark for mark in "XO" if lines[mark]), "nobody"), _lines(rules, lines)
        if ask == "legal":
            legal = [*map(rules.shown, moves)]
            return ", ".join(map(str, legal)), [*_places(rules, cells)]
        if rules.falls:
            good = [forces(rules, cells, player, move) for move in moves]
            names = [_STEPS["forced"][is_good] for is_good in good]
        else:
            results = [2 - value(put(cells, move, player), other(player)) for move in moves]
            good = [result == max(results) for result in results]
            names = [_STEPS["results"][result] for result in results]
        if not any(good) or all(good):
            return None
        best = [rules.shown(move) for move, is_good in zip(moves, good, strict=True) if is_good]
        steps = [
            filled(_STEPS["result"], {"move": rules.shown(move), "result": name})
            for move, name in zip(moves, names, strict=True)
        ]
        return ", ".join(map(str, best)), steps

    def picture(self, problem: Problem, draws: RowDraws) -> Picture:
        """Draw the board, with the numbers of columns where discs fall."""
        del draws
        rows = str(problem.holes["board"]).split("\n")
        picture, margin = Picture(_WIDTH, _WIDTH), 20 if len(rows) == 7 else 2
        cell = (_WIDTH - margin - _END) / len(rows)
        numbered_grid(picture, (len(rows), len(rows)), cell, margin)
        for row, marks in enumerate(rows):
            for column, mark in enumerate(marks):
                if mark in _COLORS:
                    center = margin + (column + 0.5) * cell, margin + (row + 0.5) * cell
                    picture.text(center, mark, 0.8 * cell, _COLORS[mark])
        return picture

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> list[str]:
        """Replace, add or leave out moves: any for legal moves, else legal ones."""
        if problem.kind.endswith("winner"):
            return draws.shuffled(["X", "O", "nobody"])
        rules = _GAMES[problem.kind.partition("_")[0]]
        cells = str(problem.holes["board"]).replace("\n", "")
        legal = [*map(rules.shown, rules.moves(cells))]
        known = (
            legal if problem.kind.endswith("best") else range(1, rules.shown(len(cells) - 1) + 1)
        )

        first = map(int, problem.answer.split(", "))
        made = other_sets(first, [*known], draws, _OFFERED)
        if rules.falls and problem.kind.endswith("legal"):
            made.insert(draws.integer(0, 3), {*known})  # it is the most usual answer
        return [", ".join(map(str, sorted(moves))) for moves in made]

    @staticmethod
    def _problem(
        rules: Rules, ask: str, cells: str, player: str, solution: tuple[str, list[str]]
    ) -> Problem:
        side = rules.side
        rows = [cells[k : k + side] for k in range(0, len(cells), side)]
        kind = f"{rules.name}_{ask}"
        return Problem(
            tree=(kind, *(int(row.translate(_DIGITS)) for row in rows)),
            answer=solution[0],
            holes={"board": "\n".join(rows), "player": player},
            kind=kind,
            axes={"marks": len(cells) - cells.count("."), "moves": len(rules.moves(cells))},
            steps=solution[1],
        )


_DIGITS = str.maketrans(".XO", "123")


def _lines(rules: Rules, lines: dict[str, list[tuple[int, ...]]]) -> list[str]:
    """Return the lines of each player as text, in rows and columns from 1."""
    texts = []
    for player, won in lines.items():
        for line in won:
            cells = " ".join(f"({p // rules.side + 1}, {p % rules.side + 1})" for p in line)
            texts.append(filled(_STEPS["line"], {"player": player, "cells": cells}))
        if not won:
            texts.append(filled(_STEPS["none"], {"player": player}))
    return texts


def _places(rules: Rules, cells: str) -> Iterator[str]:
    """Yield whether each square is empty, or the number of empty cells in each column."""
    places = range(rules.side if rules.falls else rules.side**2)
    for place in places:
        count = cells[place :: len(places)].count(".")
        name = "free" if rules.falls else "empty" if count else "taken"
        yield filled(_STEPS[name], {"move": place + 1, "count": count})


# shapes

_SIDE = 15
_SHAPES = ("square", "triangle", "cross")
_HEIGHTS = {4: 3, 5: 4, 6: 5, 7: 6}
"""Rows of a triangle: its side times sqrt(3) / 2, rounded down."""


@levelled("ones", 5, 10, 16, 26, 37)
@dataclass(frozen=True)
class BoardShapes(PlainFamily):
    """A filled square, triangle or cross on a grid of 15 x 15, with a circle among the options."""

    version = 2
    verifier = "board_shapes"
    words = _WORDS.part("shapes")
    symbols = dict.fromkeys(_SHAPES, 3)
    answer_type = "label"
    own_axes = {
        "shape": axis("the shape", values=_SHAPES),
        "ones": axis("cells of the shape", 4, 49),
    }

    def make(self, draws: RowDraws) -> Problem:
        """Draw a shape, its size and its place."""
        shape = draws.choice(_SHAPES)
        if shape == "square":
            size = draws.integer(2, 8)
            x, y = draws.integer(0, _SIDE - size + 1), draws.integer(0, _SIDE - size + 1)
            cells = {(x + a, y + b) for a in range(size) for b in range(size)}
        elif shape == "triangle":
            size = draws.integer(4, 8)
            x, y = draws.integer(size, _SIDE - size + 1), draws.integer(0, _SIDE - 2 * size + 1)
            cells = {(x + a, y + b) for b in range(_HEIGHTS[size]) for a in range(-b, b + 1)}
        else:
            size = draws.integer(2, 4)
            x, y = draws.integer(size, _SIDE - size), draws.integer(size, _SIDE - size)
            arm = range(-size, size + 1)
            cells = {(x + a, y) for a in arm} | {(x, y + a) for a in arm}
        rows = [["0"] * _SIDE for _ in range(_SIDE)]
        for column, row in cells:
            rows[row][column] = "1"
        return Problem(
            tree=(shape, size, x, y),
            answer=shape,
            holes={"grid": "\n".join(map("".join, rows))},
            axes={"shape": shape, "ones": len(cells)},
            steps=[
                filled(_WORDS["shapes"]["steps"]["row"], {"row": k, "count": row.count("1")})
                for k, row in enumerate(rows, 1)
                if "1" in row
            ],
        )

    def picture(self, problem: Problem, draws: RowDraws) -> Picture:
        """Draw the cells of the shape."""
        del draws
        picture, cell = Picture(_WIDTH, _WIDTH), (_WIDTH - 2 * _END) / _SIDE
        numbered_grid(picture, (_SIDE, _SIDE), cell, _END)
        for row, marks in enumerate(str(problem.holes["grid"]).split("\n")):
            for column, mark in enumerate(marks):
                if mark == "1":
                    corner = _END + column * cell, _END + row * cell
                    picture.rectangle(corner, (cell, cell), Ink("#222222"))
        return picture

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> list[str]:
        """Offer the shapes, but not the circle, which is never right."""
        del problem
        return draws.shuffled(_SHAPES)

    def holes_of(self, problem: Problem, draws: RowDraws) -> dict[str, object]:
        """Add the options in random order."""
        *options, last = draws.shuffled([*_SHAPES, "circle"])
        return {**problem.holes, "options": f"{', '.join(options)} or {last}"}


GENERATORS = {"board_games": BoardGames, "board_shapes": BoardShapes}
