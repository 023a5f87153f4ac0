"""OMEGA logic: chips on a board in whose rows and columns all chips have one colour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from synthgen.core.columns import Ragged
from synthgen.core.conditions import Condition, bounded
from synthgen.core.contract import Axis
from synthgen.core.randomness import Rows
from synthgen.generators.omega._colours import COLOURS, two_colours
from synthgen.generators.omega._kernel_family import Drawn, KernelFamily, Range, check_range
from synthgen.generators.omega._statements import INTEGER, PAIRS, WORD, Statements
from synthgen.generators.omega.logic._chip_draw import (
    LIMIT,
    MOST_CELLS,
    MOST_SIZE,
    SYMBOLS,
    draw_chips,
)

_SIZES: tuple[Range, ...] = ((4, 4), (5, 5), (6, 6), (7, 7), (8, 8), (9, 10), (11, 12))
_LIMIT = (
    "A board has <n> rows and <n> columns, both counted from one, and <a> and <b> chips are put on "
    "it, at most one in a cell. All chips of a row must have the same colour, and so must all "
    "chips of a column. There are <b> chips at these places, given as (row, column): <others>. "
    "What is the largest number of <a> chips that can be on the board? Give an integer.",
    "Each cell of a square board with <n> rows may hold one chip, <a> or <b>, or stay empty. No "
    "row and no column may hold chips of both colours. Rows and columns are numbered from one. "
    "The cells (row, column) listed here hold <b> chips: <others>. At most how many <a> chips can "
    "lie on the board? Answer with an integer.",
    "In a cabinet with <n> rows and <n> columns of drawers, both numbered from one, a drawer is "
    "empty or holds one ball, <a> or <b>. Balls in the same row have the same colour, and balls in "
    "the same column have the same colour. Drawers with a <b> ball include, as (row, column): "
    "<others>. Find the greatest possible number of <a> balls. The answer is an integer.",
    "Tokens, either <a> or <b>, lie on a square grid of <n> rows, one a cell at most. Two tokens "
    "in a common row or a common column never differ in colour. With rows and columns counted from "
    "one, <b> tokens lie at (row, column) = <others>, and perhaps elsewhere. How many <a> tokens "
    "can there be at most? Give an integer.",
)
_FULL = (
    "A board has <n> rows and <n> columns, both counted from one, and <a> and <b> chips lie on it, "
    "at most one in a cell. All chips of a row have the same colour, and so have all chips of a "
    "column. No chip of either colour could be added without breaking this. Among the chips there "
    "are <a> ones at (row, column) = <cells> and <b> ones at (row, column) = <others>. How many "
    "chips lie on the board altogether? Give an integer.",
    "Each cell of a square board with <n> rows holds one chip, <a> or <b>, or is empty. No row and "
    "no column holds chips of both colours, and every empty cell is empty because a chip of either "
    "colour there would spoil this. Rows and columns are numbered from one. Cells (row, column) "
    "with <a> chips include <cells>; cells with <b> chips include <others>. Find the total number "
    "of chips. Answer with an integer.",
    "In a cabinet with <n> rows and <n> columns of drawers, both numbered from one, each drawer is "
    "empty or holds one ball, <a> or <b>. Balls in the same row have the same colour, and balls in "
    "the same column have the same colour. The cabinet is as full as these rules allow: no empty "
    "drawer can take a ball of either colour. Some drawers are known, as (row, column): "
    "<a> balls in <cells>, <b> balls in <others>. How many balls are there in all? The answer is "
    "an integer.",
    "Tokens, either <a> or <b>, lie on a square grid of <n> rows, one a cell at most. Two tokens "
    "in a common row or a common column never differ in colour, and no further token, <a> or <b>, "
    "fits in anywhere under this rule. With rows and columns counted from one, there are <a> "
    "tokens at (row, column) = <cells> and <b> tokens at (row, column) = <others>, besides others "
    "that are not named. How many tokens lie on the grid, named or not? Give an integer.",
)
_HOLES = {"n": INTEGER, "a": WORD, "b": WORD, "cells": PAIRS, "others": PAIRS}


@dataclass(frozen=True)
class LogicPuzzlesGridChip(KernelFamily):
    """Chips of two colours: the most of one colour, or all on a board that takes no more.

    Attributes:
        levels: of difficulty, 1 to 7, drawn with equal probability; none stand for all. The board
            has 4, 5, 6, 7, 8, 9 to 10 or 11 to 12 rows and as many columns.
        min_size, max_size: rows in place of those of the levels, 3 to 16; 0 for the levels'.
    """

    min_size: int = 0
    max_size: int = 0

    version: ClassVar[int] = 1
    verifier: ClassVar[str] = "logic_puzzles_grid_chip"
    solutions: ClassVar[tuple[str, ...]] = ("none", "steps")
    conditions: ClassVar[Mapping[str, Condition]] = {
        **KernelFamily.conditions,
        "n_rows": bounded("min_size", "max_size"),
    }
    n_levels: ClassVar[int] = len(_SIZES)
    wordings: ClassVar[int] = len(_LIMIT)
    subtypes: ClassVar[tuple[str, ...]] = ("limit", "full")
    symbols: ClassVar[Mapping[str, int]] = SYMBOLS
    statements: ClassVar[Statements] = Statements.of((*_LIMIT, *_FULL), _HOLES, COLOURS)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_range("size", self.min_size, self.max_size, (3, MOST_SIZE))

    def _sizes_of(self, level: int) -> Range:
        return (self.min_size, self.max_size) if self.max_size else _SIZES[level - 1]

    @property
    def own_axes(self) -> Mapping[str, Axis]:
        """How large the board is and how many of its cells are told."""
        sizes = [n for level in self.chosen_levels for n in self._sizes_of(level)]
        return {
            "n_rows": Axis("rows of the board, and columns", low=min(sizes), high=max(sizes)),
            "n_cells": Axis("cells that are told", low=1, high=MOST_CELLS),
        }

    @property
    def fewest_problems(self) -> int:
        """Full boards alone: colours of rows and of columns, up to the names of the colours."""
        sizes = {n for level in self.chosen_levels for n in _whole(self._sizes_of(level))}
        return sum((2**n - 2) ** 2 // 2 for n in sizes)

    def drawn(self, rows: Rows) -> Drawn:
        """Draw cells of one colour, or colours of rows and columns and cells that show them."""
        levels = self.level_of_rows(rows)
        sizes = np.array([self._sizes_of(i + 1) for i in range(self.n_levels)], np.int64)
        facts, codes, code_marks, values, value_marks = draw_chips(
            rows.keys, sizes[levels - 1], two_colours(rows)
        )
        return Drawn(
            levels=levels,
            subtypes=facts[:, 0],
            codes=Ragged(codes, code_marks),
            values=Ragged(values, value_marks),
            answers=facts[:, 3],
            axes={"n_rows": facts[:, 1], "n_cells": facts[:, 2]},
            valid=facts[:, 4] == 1,
        )

    def steps(self, subtype: int, values: list[int], answer: int) -> str:
        """Name the rows and columns of each colour, and multiply their numbers."""
        n, first, second = values[:3]
        lists, at = [], 3
        while at < len(values):
            end = at + 1 + 2 * values[at]
            lists.append((values[at + 1 : end : 2], values[at + 2 : end : 2]))
            at = end
        if subtype == LIMIT:
            rows, columns = (sorted({*range(1, n + 1)} - {*taken}) for taken in lists[0])
            head = f"without {COLOURS[second]}"
            return (
                f"rows {head}: {_told(rows)}\ncolumns {head}: {_told(columns)}\n"
                f"{len(rows)} * {len(columns)} = {answer}"
            )
        lines, products = [], []
        for colour, (rows, columns) in zip((first, second), lists, strict=True):
            rows, columns = sorted({*rows}), sorted({*columns})
            lines.append(f"{COLOURS[colour]} rows: {_told(rows)}")
            lines.append(f"{COLOURS[colour]} columns: {_told(columns)}")
            products.append(f"{len(rows)} * {len(columns)}")
        return "\n".join([*lines, f"{' + '.join(products)} = {answer}"])


def _whole(bounds: Range) -> range:
    return range(bounds[0], bounds[1] + 1)


def _told(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers))


GENERATOR = LogicPuzzlesGridChip
