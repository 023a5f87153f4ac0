"""OMEGA logic: the fewest moves of a knight, or another leaper, across a board."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from synthgen.core.checks import check_int
from synthgen.core.columns import Ragged
from synthgen.core.contract import Axis
from synthgen.core.permutation import permutation_table, permute
from synthgen.core.randomness import Rows, stream_key
from synthgen.generators.omega._family import MOST_REPEATS
from synthgen.generators.omega._kernel_family import Drawn, KernelFamily, Range
from synthgen.generators.omega._numbers import LARGEST_LEAF, OWN_SYMBOLS
from synthgen.generators.omega._statements import INTEGER, Statements
from synthgen.generators.omega.logic._grids import SIZES, check_sizes
from synthgen.generators.omega.logic._leaps_list import (
    LEVEL,
    MOST_SUM,
    MOVES,
    A,
    B,
    H,
    W,
    X,
    Y,
    distances,
    problems_of,
)

_LONGEST = 100
_WIDEST_CORNER = 16
_WORDINGS = (
    "A piece moves on a board with <w> columns and <h> rows, numbered from zero, columns from left "
    "to right and rows from bottom to top. With one move it changes its column by <a> and its row "
    "by <b>, or its column by <b> and its row by <a>, in any of the directions, and it may never "
    "leave the board. It stands in column zero of row zero. What is the least number of moves in "
    "which it reaches column <x> of row <y>? Give an integer.",
    "A leaper of type (<a>, <b>) is a chess piece that jumps, however it likes, so that one of its "
    "two coordinates goes up or down by <a> and the other goes up or down by <b>. It is in the "
    "corner square of a board, where both coordinates are zero. The board is <w> squares wide and "
    "<h> squares high, so the first coordinate stays below <w> and the second below <h>, and "
    "neither becomes negative. How many jumps does it need at least to land on the square "
    "(<x>, <y>)? Answer with an integer.",
    "Squares of a grid are written (x, y): x counts columns from the left, y counts rows from the "
    "bottom, and both start at zero. A frog in the lower left square hops within the grid of <w> "
    "columns and <h> rows; every hop changes x or y by <a>, up or down, and the other of the two "
    "by <b>, up or down. Find the smallest number of hops that takes the frog to (<x>, <y>). Give "
    "an integer.",
    "On a field of <w> by <h> tiles (width by height) a robot can only spring from a tile to one "
    "that is away by <a> across and <b> up or down, or by <b> across and <a> up or down. It starts "
    "on the tile in the bottom left corner and must stay on the field. To get to the tile that has "
    "exactly <x> columns to its left and <y> rows below it, how many springs are necessary? The "
    "answer is an integer.",
    "Think of a generalised knight that goes <a> along one axis and <b> along the other in each "
    "move, where it is free to choose which axis is which and both directions. Starting from the "
    "origin, it visits only points with integer coordinates from zero up to, but without, <w> in x "
    "and <h> in y. What is the length, in moves, of a shortest way to the point with x = <x> and "
    "y = <y>? Answer with an integer.",
)
_HOLES = dict.fromkeys(("w", "h", "a", "b", "x", "y"), INTEGER)


@dataclass(frozen=True)
class LogicGridworldKnightMove(KernelFamily):
    """A leaper that crosses a board from one corner to a square near the opposite one.

    Its leap has parts of 1 to 6 squares, 7 together at most.

    Attributes:
        levels: of difficulty, 1 to 7; none stand for all. The sides of the board are 5 to 9, 10 to
            19, ..., 60 to 69. Every problem of theirs has its address.
        min_size, max_size: sides in place of those of the levels, 3 to 100; 0 for the levels'. Then
            there is one level, the lowest chosen.
        corner: columns and rows that may hold the target, 1 to 16, counted from the far corner.
        repeats: addresses for each problem, to see it in other wordings.
    """

    min_size: int = 0
    max_size: int = 0
    corner: int = 4
    repeats: int = 1

    version: ClassVar[int] = 1
    verifier: ClassVar[str] = "logic_gridworld_knight_move"
    solutions: ClassVar[tuple[str, ...]] = ("none", "steps")
    level_is_canonical: ClassVar[bool] = True
    n_levels: ClassVar[int] = len(SIZES)
    wordings: ClassVar[int] = len(_WORDINGS)
    symbols: ClassVar[Mapping[str, int]] = {"leaps": 6}
    statements: ClassVar[Statements] = Statements.of(_WORDINGS, _HOLES)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_sizes(self.min_size, self.max_size, _LONGEST)
        check_int("corner", self.corner, 1, _WIDEST_CORNER)
        check_int("repeats", self.repeats, 1, MOST_REPEATS)

    @property
    def chosen_levels(self) -> tuple[int, ...]:
        """The levels that are drawn."""
        levels = super().chosen_levels
        return (min(levels),) if self.max_size else levels

    @property
    def _sizes(self) -> tuple[Range, ...]:
        if self.max_size:
            return ((self.min_size, self.max_size),)
        return tuple(SIZES[level - 1] for level in self.chosen_levels)

    @property
    def own_axes(self) -> Mapping[str, Axis]:
        """The board, the leap and how many it takes."""
        low, high = min(low for low, _ in self._sizes), max(high for _, high in self._sizes)
        part = MOST_SUM - 1
        return {
            "short_side": Axis("shorter side of the board", low=low, high=high),
            "long_side": Axis("longer side of the board", low=low, high=high),
            "short_leap": Axis("shorter part of a leap", low=1, high=part),
            "long_leap": Axis("longer part of a leap", low=1, high=part),
            "n_moves": Axis("fewest moves to the target", low=1, high=high * high),
        }

    @property
    def _problems(self) -> NDArray[np.int64]:
        return problems_of(self.chosen_levels, self._sizes, self.corner)

    @property
    def space(self) -> int:
        """Every problem, `repeats` times."""
        return len(self._problems) * self.repeats

    @property
    def fewest_problems(self) -> int:
        """The exact number of problems."""
        return len(self._problems)

    def drawn(self, rows: Rows) -> Drawn:
        """Look the problems up; the board lies on either side."""
        problems, n = self._problems, len(rows)
        order = permutation_table(stream_key("omega", "knight_move"), len(problems))
        index = permute(rows.addresses % np.uint64(len(problems)), order).astype(np.int64)
        found = problems[index]
        codes = np.full((n, 7), OWN_SYMBOLS, np.uint16)
        codes[:, 1:] = found[:, [A, B, W, H, X, Y]] + LARGEST_LEAF
        text = rows.branch("text").draws()
        turned, swapped = text.integers(0, 2) == 1, text.integers(0, 2) == 1
        values = found[:, [W, H, A, B, X, Y]].astype(np.int16)
        values[turned] = values[turned][:, [1, 0, 2, 3, 5, 4]]
        values[swapped] = values[swapped][:, [0, 1, 3, 2, 4, 5]]
        return Drawn(
            levels=found[:, LEVEL],
            subtypes=np.zeros(n, np.int64),
            codes=Ragged(codes.ravel(), np.arange(0, 7 * n + 1, 7)),
            values=Ragged(values.ravel(), np.arange(0, 6 * n + 1, 6)),
            answers=found[:, MOVES],
            axes={
                "short_side": found[:, W],
                "long_side": found[:, H],
                "short_leap": found[:, A],
                "long_leap": found[:, B],
                "n_moves": found[:, MOVES],
            },
            valid=np.ones(n, bool),
        )

    def steps(self, subtype: int, values: list[int], answer: int) -> str:
        """Write a shortest way, and how many squares are first reached with each move."""
        del subtype
        w, h, a, b, x, y = values
        moves, _ = distances(a, b, w, h)
        fresh = np.bincount(moves[moves > 0], minlength=answer + 1)
        leaps = [(a, b), (a, -b), (-a, b), (-a, -b), (b, a), (b, -a), (-b, a), (-b, -a)]
        lines = [f"moves: {answer}"]
        for move in range(answer, 0, -1):
            lines.append(f"move {move}: to ({x}, {y}); squares first reached: {fresh[move]}")
            before = [(x - right, y - up) for right, up in leaps]
            inside = [square for square in before if 0 <= square[0] < w and 0 <= square[1] < h]
            x, y = next(place for place in inside if moves[place[1] * w + place[0]] == move - 1)
        return "\n".join(reversed(lines))


GENERATOR = LogicGridworldKnightMove
