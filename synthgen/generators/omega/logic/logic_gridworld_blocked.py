"""OMEGA logic: paths right and up across a board with blocked cells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import comb
from typing import ClassVar

import numpy as np

from synthgen.core.checks import check_int
from synthgen.core.columns import Ragged
from synthgen.core.contract import Axis
from synthgen.core.randomness import Rows
from synthgen.generators.omega._kernel_family import Drawn, KernelFamily
from synthgen.generators.omega._statements import INTEGER, PAIRS, ROWS, Statements
from synthgen.generators.omega.logic._grids import (
    SIZES,
    check_sizes,
    chosen_sizes,
    sides_of_rows,
)
from synthgen.generators.omega.logic._paths_board import MOST_SIDE, SYMBOLS
from synthgen.generators.omega.logic._paths_draw import FEWEST, draw_boards

_MOST_PATHS = 10**9
_LARGEST_BOUND = 2**63 - 1
_WORDINGS = (
    "A grid has <w> columns and <h> rows, numbered from zero, columns from left to right and rows "
    "from bottom to top. A token starts in the bottom left cell; each move takes it one cell to "
    "the right or one cell up, and it may not enter a blocked cell. The blocked cells are, as "
    "row: columns, <cells>. In how many ways can the token reach the top right cell? Give an "
    "integer.",
    "Count the routes from the lower left to the upper right corner of a board with <w> columns "
    "and <h> rows that go from cell to cell, only rightwards and upwards, and avoid these walls: "
    "<cells>. (Columns are counted from the left, rows from the bottom, both beginning with zero; "
    "each row is followed by the columns of its walls.) Answer with an integer.",
    "A robot wants to drive from the south-west to the north-east corner of a field of unit "
    "squares, <w> from west to east and <h> from south to north. It only ever drives one square "
    "east or one square north. Some squares are under water and must not be touched. Naming rows "
    "from south to north and columns from west to east, starting at zero, these are <cells>. How "
    "many different ways does the robot have? The answer is an integer.",
    "Cells of a grid are named (x, y), where x counts columns from the left, y counts rows from "
    "the bottom, and both start at zero. There are <w> columns and <h> rows. The cells <pairs> are "
    "closed. How many paths lead from the bottom left cell to the top right cell if every step "
    "raises either x or y by one and no closed cell is visited? Give an integer.",
    "In a rectangle of cells, <w> wide and <h> high, ants walk from the bottom left cell to the "
    "top right cell, always to the neighbouring cell on the right or to the one above. Stones lie "
    "on the cells (column, row) = <pairs>, where columns run from the left and rows from the "
    "bottom and the first of each is number zero. How many walks meet no stone? Answer with an "
    "integer.",
)
_BLOCKS = ((65_536, 19), (16_384, 29), (8_192, 39), (2_048, 59), (1_024, MOST_SIDE))
"""Addresses of a block, and the longest side that they suit."""
_HOLES = {"w": INTEGER, "h": INTEGER, "cells": ROWS, "pairs": PAIRS}


@dataclass(frozen=True)
class LogicGridworldBlocked(KernelFamily):
    """Paths from corner to corner of a board, right and up, around cells blocked at random.

    Attributes:
        levels: of difficulty, 1 to 7, drawn with equal probability; none stand for all. The sides
            of the board are 5 to 9, 10 to 19, ..., 60 to 69.
        min_size, max_size: sides in place of those of the levels, 3 to 80; 0 for the levels'. Then
            there is one level, the lowest chosen.
        most_paths: that a board may have, 1 to 10^9. Where there are more, further cells are
            blocked.
    """

    min_size: int = 0
    max_size: int = 0
    most_paths: int = 10**6

    version: ClassVar[int] = 1
    verifier: ClassVar[str] = "logic_gridworld_blocked"
    solutions: ClassVar[tuple[str, ...]] = ("none", "steps")
    level_is_canonical: ClassVar[bool] = True
    n_levels: ClassVar[int] = len(SIZES)
    wordings: ClassVar[int] = len(_WORDINGS)
    symbols: ClassVar[Mapping[str, int]] = SYMBOLS
    statements: ClassVar[Statements] = Statements.of(_WORDINGS, _HOLES)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_sizes(self.min_size, self.max_size, MOST_SIDE)
        check_int("most_paths", self.most_paths, 1, _MOST_PATHS)

    @property
    def chosen_levels(self) -> tuple[int, ...]:
        """The levels that are drawn."""
        levels = super().chosen_levels
        return (min(levels),) if self.max_size else levels

    @property
    def block(self) -> int:
        """Addresses that selection looks at together: large boards take long."""
        longest = int(chosen_sizes(self.chosen_levels, self.min_size, self.max_size).max())
        return next(size for size, side in _BLOCKS if longest <= side)

    @property
    def own_axes(self) -> Mapping[str, Axis]:
        """How large the board is, and how much of it is blocked."""
        sizes = chosen_sizes(self.chosen_levels, self.min_size, self.max_size)
        low, high = int(sizes.min()), int(sizes.max())
        return {
            "short_side": Axis("shorter side of the board", low=low, high=high),
            "long_side": Axis("longer side of the board", low=low, high=high),
            "n_blocked": Axis("blocked cells of the board", low=1, high=high * high),
        }

    @property
    def fewest_problems(self) -> int | None:
        """Boards whose walls spare the lower and the right edge, if none has too many paths."""
        best = 0
        for low, high in chosen_sizes(self.chosen_levels, self.min_size, self.max_size).tolist():
            for w in range(low, high + 1):
                if comb(w + low - 2, w - 1) <= self.most_paths:
                    free, most = (w - 1) * (low - 1), 3 * w // 2
                    counts = range(min(FEWEST, most), most + 1)
                    best = max(best, *(comb(free, min(count, free)) for count in counts))
        return min(-(-best // 4), _LARGEST_BOUND) or None

    def drawn(self, rows: Rows) -> Drawn:
        """Draw sides and blocked cells."""
        levels = self.level_of_rows(rows)
        sides = sides_of_rows(levels, self.min_size, self.max_size)
        facts, codes, code_marks, values, value_marks = draw_boards(
            rows.keys, sides, self.most_paths
        )
        return Drawn(
            levels=levels,
            subtypes=np.zeros(len(rows), np.int64),
            codes=Ragged(codes, code_marks),
            values=Ragged(values, value_marks),
            answers=facts[:, 3],
            axes={
                "short_side": np.minimum(facts[:, 0], facts[:, 1]),
                "long_side": np.maximum(facts[:, 0], facts[:, 1]),
                "n_blocked": facts[:, 2],
            },
            valid=facts[:, 4] == 1,
        )

    def steps(self, subtype: int, values: list[int], answer: int) -> str:
        """Write for each row of cells in how many ways they are reached."""
        del subtype
        w, h = values[:2]
        blocked = set(zip(values[3::2], values[4::2], strict=True))
        ways, lines = [1] + [0] * (w - 1), []
        for y in range(h):
            left = 0
            for x in range(w):
                left = 0 if (x, y) in blocked else left + ways[x]
                ways[x] = left
            lines.append(f"row {y}: {' '.join(map(str, ways))}")
        return "\n".join([*lines, f"paths: {answer}"])


GENERATOR = LogicGridworldBlocked
