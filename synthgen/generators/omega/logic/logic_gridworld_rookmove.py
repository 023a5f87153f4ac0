"""OMEGA logic: the fewest slides of a rook to the right and upwards past blocked cells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import comb
from typing import ClassVar

import numpy as np

from synthgen.core.checks import check_int
from synthgen.core.columns import Ragged
from synthgen.core.contract import Axis
from synthgen.core.randomness import Rows
from synthgen.generators.omega._kernel_family import Drawn, KernelFamily, Range, check_range
from synthgen.generators.omega._statements import INTEGER, ROWS, Statements
from synthgen.generators.omega.logic._rook_draw import MOST_SIZE, SYMBOLS, draw_rooks

_SIZES: tuple[Range, ...] = ((5, 9), (10, 19), (20, 29), (30, 39), (40, 49), (50, 60))
_SHARE: Range = (10, 20)
_MOST_SHARE = 50
_TEXTS = (
    "A rook stands on the lower left cell of a board with <w> columns and <h> rows. Columns are "
    "counted from the left and rows from the bottom, both from one. In one move the rook slides "
    "any number of cells to the right, or any number of cells upwards. It may neither stop on a "
    "blocked cell nor slide across one. The blocked cells are, row by row with the columns: "
    "<cells>. What is the least number of moves in which it reaches the upper right cell? Give an "
    "integer.",
    "On a grid of <w> columns and <h> rows some cells are walls. Here they are, with the numbers "
    "of the columns behind that of each row: <cells>. Rows are numbered from the bottom and "
    "columns from the left, the first being number one. A piece starts in the bottom left corner "
    "and is to get to the top right corner; each move takes it as many cells as wanted straight to "
    "the right or straight up, through cells that are no walls. Find the smallest possible number "
    "of moves. Answer with an integer.",
    "A robot in the south-west corner of a floor that is <w> tiles wide (from west to east) and "
    "<h> tiles deep (from south to north) drives straight east or straight north, over one tile or "
    "several, and then stops or turns. It cannot drive over broken tiles. Tiles are counted from "
    "the west within a row, rows from the south, both beginning with one, and the broken tiles of "
    "each row are: <cells>. At least how many straight drives bring it to the north-east corner? "
    "The answer is an integer.",
    "Consider a board that is <w> cells wide and <h> cells high. Its blocked cells are listed by "
    "row (the lowest row is number one), each by its column (the leftmost column is number one): "
    "<cells>. From the lower left corner one moves in straight lines, right or up, each of any "
    "length and without touching a blocked cell, to the upper right corner. How many such lines "
    "does one need at least? Give an integer.",
)


@dataclass(frozen=True)
class LogicGridworldRookmove(KernelFamily):
    """A board with blocked cells, and the fewest slides from corner to corner.

    Attributes:
        levels: of difficulty, 1 to 6, drawn with equal probability; none stand for all. Width and
            height are independently 5 to 9, 10 to 19, 20 to 29, 30 to 39, 40 to 49 or 50 to 60.
        min_size, max_size: width and height in place of those of the levels, 3 to 60; 0 for the
            levels'.
        min_share, max_share: blocked cells in percent, 1 to 50. Boards without a way are not used;
            above 30 percent there is hardly any large one with a way.
    """

    min_size: int = 0
    max_size: int = 0
    min_share: int = _SHARE[0]
    max_share: int = _SHARE[1]

    version: ClassVar[int] = 1
    verifier: ClassVar[str] = "logic_gridworld_rookmove"
    solutions: ClassVar[tuple[str, ...]] = ("none", "steps")
    block: ClassVar[int] = 8_192
    n_levels: ClassVar[int] = len(_SIZES)
    wordings: ClassVar[int] = len(_TEXTS)
    symbols: ClassVar[Mapping[str, int]] = SYMBOLS
    statements: ClassVar[Statements] = Statements.of(
        _TEXTS, {"w": INTEGER, "h": INTEGER, "cells": ROWS}
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check_range("size", self.min_size, self.max_size, (3, MOST_SIZE))
        check_int("max_share", self.max_share, 1, _MOST_SHARE)
        check_int("min_share", self.min_share, 1, self.max_share)

    def _sizes_of(self, level: int) -> Range:
        return (self.min_size, self.max_size) if self.max_size else _SIZES[level - 1]

    @property
    def own_axes(self) -> Mapping[str, Axis]:
        """How large the board is."""
        sizes = [n for level in self.chosen_levels for n in self._sizes_of(level)]
        cells = max(max(sizes) ** 2 * self.max_share // 100, 1)
        low, high = min(sizes), max(sizes)
        return {
            "short_side": Axis("cells of the board's shorter side", low=low, high=high),
            "long_side": Axis("cells of the board's longer side", low=low, high=high),
            "n_blocked": Axis("blocked cells", low=1, high=cells),
        }

    @property
    def fewest_problems(self) -> int:
        """Square boards alone, with the lowest row and the last column free, up to four images."""
        sizes = {
            n
            for level in self.chosen_levels
            for n in range(self._sizes_of(level)[0], self._sizes_of(level)[1] + 1)
        }
        return sum(
            -(-comb((n - 1) ** 2, count) // 4)
            for n in sizes
            for count in range(*self._counts_of(n * n))
        )

    def _counts_of(self, cells: int) -> Range:
        """Return the least number of blocked cells, and one more than the greatest."""
        low, high = -(-cells * self.min_share // 100), cells * self.max_share // 100
        low = max(min(low, high), 1)
        return low, max(low, high) + 1

    def drawn(self, rows: Rows) -> Drawn:
        """Draw a size, a number of blocked cells, and these until there is a way."""
        levels = self.level_of_rows(rows)
        sizes = np.array([self._sizes_of(i + 1) for i in range(self.n_levels)], np.int64)
        shares = np.full((len(rows), 2), (self.min_share, self.max_share), np.int64)
        facts, codes, code_marks, values, value_marks = draw_rooks(
            rows.keys, sizes[levels - 1], shares
        )
        return Drawn(
            levels=levels,
            subtypes=np.zeros(len(levels), np.int64),
            codes=Ragged(codes, code_marks),
            values=Ragged(values, value_marks),
            answers=facts[:, 3],
            axes={
                "short_side": facts[:, :2].min(axis=1, initial=MOST_SIZE),
                "long_side": facts[:, :2].max(axis=1, initial=0),
                "n_blocked": facts[:, 2],
            },
            valid=facts[:, 4] == 1,
        )

    def steps(self, subtype: int, values: list[int], answer: int) -> str:
        """Write a shortest way, slide by slide."""
        del subtype
        width, height, _, *ends = values
        blocked = set(zip(ends[::2], ends[1::2], strict=True))
        came = _reached(width, height, blocked, answer)
        stop, stops = (width, height), [(width, height)]
        for far in range(answer, 0, -1):
            stop = came[far][stop]
            stops.append(stop)
        stops.reverse()
        slides = pairwise(stops)
        lines = [
            f"{k + 1}. ({a}, {b}) {'right' if b == d else 'up'} to ({c}, {d})"
            for k, ((a, b), (c, d)) in enumerate(slides)
        ]
        return "\n".join([*lines, f"moves: {answer}"])


Cell = tuple[int, int]


def _reached(width: int, height: int, blocked: set[Cell], answer: int) -> list[dict[Cell, Cell]]:
    """Return the cells that each number of slides first reaches, each with the one before."""
    came: list[dict[Cell, Cell]] = [{(1, 1): (1, 1)}]
    seen = {(1, 1)}
    for _ in range(answer):
        new: dict[Cell, Cell] = {}
        for start in came[-1]:
            for dx, dy in ((1, 0), (0, 1)):
                x, y = start[0] + dx, start[1] + dy
                while x <= width and y <= height and (x, y) not in blocked:
                    if (x, y) not in seen:
                        seen.add((x, y))
                        new[x, y] = start
                    x, y = x + dx, y + dy
        came.append(new)
    return came


GENERATOR = LogicGridworldRookmove
