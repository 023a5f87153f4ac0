"""Chips on boards: all chips of a row have one color, and so have all chips of a column."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import permutations, product
from math import comb

import numpy as np
from numpy.typing import NDArray

from synthgen.authoring import (
    LARGEST_LEAF,
    Axis,
    Condition,
    LevelledListedFamily,
    Levels,
    Problem,
    Problems,
    Render,
    RowDraws,
    Rows,
    TextFamily,
    Texts,
    Words,
    axis,
    bounded,
    one_of,
    params,
)
from synthgen.authoring.compiled import GOLDEN, U64, Ragged, derivation_keys, mix_words, offsets_of

_WORDS = Words.beside(__file__)
_PAIRS = list(permutations(_WORDS["chip"]["colours"], 2))
_MAX_SIZE = 16
_MAX_CELLS, _SLOTS = 2 * _MAX_SIZE + 4, _MAX_SIZE + 3
_CELL_TEXTS = [f"({row + 1}, {column + 1})" for row, column in product(range(_MAX_SIZE), repeat=2)]
"""By number: _MAX_SIZE times the row plus the column, both from 0."""
_NONE = len(_CELL_TEXTS)
"""Number of no cell, in a list with room for `_SLOTS` cells."""
Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class LogicPuzzlesGridChip(Levels, TextFamily):
    """Chips of two colors: the most of one color that fit, or all on a full board.

    Attributes:
        levels: Difficulty levels, 1 to 7, drawn with equal probability; an empty list means all.
            The board has 4, 5, 6, 7, 8, 9 to 10 or 11 to 12 rows and as many columns.
        min_size, max_size: Numbers of rows, 3 to 16; 0 for those of the levels.
    """

    min_size: int = params.integer(0, 3, _MAX_SIZE, or_zero=True, up_to="max_size")
    max_size: int = params.integer(0, 3, _MAX_SIZE, or_zero=True)

    version = 4
    verifier = "logic_puzzles_grid_chip"
    same_up_to = "the order of the rows and columns, names of the colors"
    domain = "omega"
    words = _WORDS.part("chip")
    symbols = {"limit": 2, "full": 3, **{f"cells{k}": 2 * k for k in range(1, _MAX_CELLS + 1)}}
    n_levels = 7
    _SIZES = ((4, 4), (5, 5), (6, 6), (7, 7), (8, 8), (9, 10), (11, 12))

    def _sizes(self, level: int) -> tuple[int, int]:
        return (self.min_size, self.max_size) if self.max_size else self._SIZES[level - 1]

    @property
    def block(self) -> int:
        """Enough rows for numpy, and few enough for small builds and several workers."""
        return 8192

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """The level, the kind of question, and the sizes of the board and of the lists of cells."""
        sizes = [n for level in self.chosen_levels for n in self._sizes(level)]
        return self.level_axis | {
            **super().axes,
            "n_rows": Axis("rows of the board, and columns", low=min(sizes), high=max(sizes)),
            "n_cells": Axis("cells that are listed", low=1, high=_MAX_CELLS),
        }

    @cached_property
    def conditions(self) -> Mapping[str, Condition]:
        """Axes that params fix."""
        return {"level": one_of("levels"), "n_rows": bounded("min_size", "max_size")}

    @property
    def fewest_problems(self) -> int:
        """Only full boards: colors of rows and of columns, up to their names and symmetries."""
        ranges = [self._sizes(level) for level in self.chosen_levels]
        sizes = {n for low, high in ranges for n in range(low, high + 1)}
        return sum(-(-((2**n - 2) ** 2) // 16) for n in sizes)

    def draw(self, rows: Rows) -> Problems:
        """Draw the kind of question, the size, and the listed cells."""
        choices = np.array(self.chosen_levels)
        levels = choices[rows.branch("level").draws().integers(0, len(choices))]
        low, high = np.array([self._sizes(k + 1) for k in range(self.n_levels)])[levels - 1].T
        kind, n = _drawn(rows.keys, 0, 2), low + _drawn(rows.keys, 1, high - low + 1)
        answers, cells = np.zeros(len(rows), np.int64), np.zeros((len(rows), 2, _SLOTS), np.int16)
        for number, listed in enumerate((_limit, _full)):
            mine = kind == number
            answers[mine], cells[mine] = listed(rows.keys[mine], n[mine])
        codes = self._codes(kind, n, cells)
        counts = (cells < _NONE).sum(axis=(1, 2))
        columns = {"level": levels, "subtype": kind, "n_rows": n, "n_cells": counts}
        return Problems(
            rows=rows,
            derivations=codes,
            keys=derivation_keys(codes, self.signature, self.domain),
            axes={name: column.astype(np.int16) for name, column in columns.items()},
            difficulty=levels.astype(np.int16),
            valid=np.ones(len(rows), bool),
            parts={"kind": kind, "n": n, "answers": answers, "cells": cells},
        )

    def _codes(self, kind: Numbers, n: Numbers, cells: NDArray[np.int16]) -> Ragged:
        """Write the least image of the board under its rotations and reflections.

        Lists are in order of cells, the list with the first of all cells before the other. Of a
        limit, the second list is empty and left out.
        """
        code = self.signature.code
        roots = np.array([code["limit"], code["full"]])
        heads = np.array([0, *(code[f"cells{k}"] for k in range(1, _MAX_CELLS + 1))])
        cells = _least_image(cells, n)
        known = cells < _NONE
        lines = np.stack((cells // _MAX_SIZE, cells % _MAX_SIZE), axis=-1) + (1 + LARGEST_LEAF)
        counts = known.sum(axis=2)[:, :, None]
        shape = len(cells), 2 * (1 + 2 * _SLOTS)
        lists = np.concatenate((heads[counts], lines.reshape(len(cells), 2, 2 * _SLOTS)), axis=2)
        wanted = np.concatenate((counts > 0, known.repeat(2, axis=2)), axis=2).reshape(shape)
        table = np.column_stack((roots[kind], n + LARGEST_LEAF, lists.reshape(shape)))
        wanted = np.column_stack((n > 0, n > 0, wanted))
        return Ragged(table[wanted].astype(np.uint16), offsets_of(wanted.sum(axis=1)))

    def render(self, problems: Problems, style: Render) -> Texts:
        """Name the colors and render every problem."""
        pairs = problems.rows.branch("colours").draws().integers(0, len(_PAIRS)).tolist()
        columns = (problems.parts[name].tolist() for name in ("kind", "n", "answers", "cells"))
        made = []
        for kind, n, answer, cells, pair in zip(*columns, pairs, strict=True):
            a, b = _PAIRS[pair]
            lists = [[cell for cell in one if cell < _NONE] for one in cells[1 - kind :]]
            texts = [", ".join([_CELL_TEXTS[cell] for cell in one]) for one in lists]
            holes = {"n": n, "a": a, "b": b, "cells": texts[0], "others": texts[-1]}
            made.append(Problem((), str(answer), holes, self.words.kinds[kind], data=(n, lists)))
        return self.write(problems.rows, made, [one.answer for one in made], style)

    def steps_of(self, problem: Problem) -> list[str]:
        """Name the rows and columns of each color, and multiply their numbers."""
        n, lists = problem.data
        lines, products = [], []
        for hole, cells in zip("ab" if problem.kind == "full" else "b", lists, strict=True):
            colour = problem.holes[hole]
            sets = {cell // _MAX_SIZE for cell in cells}, {cell % _MAX_SIZE for cell in cells}
            heads = [f"{colour} rows", f"{colour} columns"]
            if problem.kind == "limit":
                sets = {*range(n)} - sets[0], {*range(n)} - sets[1]
                heads = [f"rows without {colour}", f"columns without {colour}"]
            for head, known in zip(heads, sets, strict=True):
                lines.append(f"{head}: {', '.join(str(line + 1) for line in sorted(known))}")
            products.append(" * ".join(str(len(known)) for known in sets))
        return [*lines, f"{' + '.join(products)} = {problem.answer}"]


def _least_image(cells: NDArray[np.int16], n: Numbers) -> NDArray[np.int16]:
    """Return the least of the eight images of two lists of cells, both in order."""
    row, column = np.divmod(cells, _MAX_SIZE)
    last = (n[:, None, None] - 1).astype(np.int16)
    best = np.full_like(cells, _NONE)
    every = np.arange(len(cells))
    for one, other in ((row, column), (column, row)):
        for is_up, is_left in product((False, True), repeat=2):
            up, left = last - one if is_up else one, last - other if is_left else other
            image = np.sort(np.where(cells < _NONE, up * _MAX_SIZE + left, _NONE), axis=2)
            first = image[:, 1, 0] < image[:, 0, 0]
            image = np.where(first[:, None, None], image[:, ::-1], image)
            known, new = (lists.reshape(len(cells), 2 * _SLOTS) for lists in (best, image))
            place = (known != new).argmax(axis=1)
            is_less = new[every, place] < known[every, place]
            best = np.where(is_less[:, None, None], image, best)
    return best


def _drawn(keys: U64, number: Numbers | int, below: Numbers | int) -> Numbers:
    """Return a draw of each row, counted from 0, as an integer below a bound of up to 32 bits."""
    counters = np.zeros(len(keys), np.int64) + number + 1
    bits = mix_words(keys + counters.astype(np.uint64) * GOLDEN)
    bound, half = np.asarray(below).astype(np.uint64), np.uint64(32)
    low = (bits & np.uint64(0xFFFFFFFF)) * bound >> half
    return ((bits >> half) * bound + low >> half).astype(np.int64)


def _limit(keys: U64, n: Numbers) -> tuple[Numbers, Numbers]:
    """List cells that leave free rows and columns; return the number of chips that fit, and them.

    A cell both of whose lines have one already would add nothing and is left out.
    """
    cells = np.full((len(keys), 2, _SLOTS), _NONE)
    wanted = n - 2 + _drawn(keys, 2, 6)
    lines, left = np.zeros((2, len(keys)), np.int64), np.stack((n, n))
    for k in range(int(wanted.max(initial=0))):
        cell = np.stack((_drawn(keys, 3 + 2 * k, n), _drawn(keys, 4 + 2 * k, n)))
        new = ~(lines >> cell) & 1
        fits = (k < wanted) & new.any(axis=0) & (left > new).all(axis=0)
        lines |= fits << cell
        left -= fits * new
        cells[:, 1, k] = np.where(fits, cell[0] * _MAX_SIZE + cell[1], _NONE)
    return left[0] * left[1], cells


def _full(keys: U64, n: Numbers) -> tuple[Numbers, Numbers]:
    """Color rows and columns, both in both colors; return the chips, and cells that show it.

    Numbers of rows and columns of a color are uniform: halves, which make the answer n * n / 2,
    would be too frequent otherwise.
    """
    cells = np.full((len(keys), 2, _SLOTS), _NONE)
    split = np.stack((_drawn(keys, 2, n - 1), _drawn(keys, 3, n - 1))) + 1
    every = np.arange(len(keys))
    lines = np.tile(np.arange(_MAX_SIZE), (2, len(keys), 1))
    for side, order in enumerate(lines):  # shuffle the first n of each row by Fisher and Yates
        for last in range(int(n.max(initial=0)) - 1, 0, -1):
            number = 4 + side * (n - 1) + n - 1 - last
            other = np.where(last < n, _drawn(keys, number, last + 1), last)
            order[every, last], order[every, other] = order[every, other], order[:, last].copy()
    number, answers = 4 + 2 * (n - 1), np.zeros(len(keys), np.int64)
    for colour, (start, sizes) in enumerate(((0 * split, split), (split, n - split))):
        answers += sizes[0] * sizes[1]
        least = sizes.max(axis=0)
        wanted = least + _drawn(keys, number, 3)
        for k in range(int(wanted.max(initial=0))):
            # The first `least` cells name all rows and columns of the color, the others are random.
            row, column = (
                order[every, first + np.where(k < least, k % size, _drawn(keys, drawn, size))]
                for order, first, size, drawn in zip(
                    lines, start, sizes, (number + 1 + 2 * k, number + 2 + 2 * k), strict=True
                )
            )
            cell = row * _MAX_SIZE + column
            new = (k < wanted) & (cells[:, colour, :k] != cell[:, None]).all(axis=1)
            cells[:, colour, k] = np.where(new, cell, _NONE)
        number += 2 * (n + 3) + 1
    return answers, cells


@dataclass(frozen=True)
class CompGridChips(LevelledListedFamily):
    """Boards in whose rows and columns all chips agree, and that take no further chip.

    Every row and every column of a full board has a chip, and so a color; a cell holds a chip if
    and only if both colors agree, and rows and columns have the same set of colors. With s(n, k)
    maps of n things onto k colors, there are sum over k of C(c, k) s(n, k) s(m, k) boards; for two
    colors (2^n - 2)(2^m - 2) + 2.

    Attributes:
        levels: Difficulty levels, 1 to 5; an empty list means all. The longer side has 2-3, 4-5,
            6-7, 8-9 or 10-12 cells, the other from 2 on; there are 2 to 5 colors.
        repeats: Addresses for each problem, to see it in other wordings.
    """

    version = 3
    verifier = "comp_grid_chips"
    domain = "omega"
    words = _WORDS.part("boards")
    symbols = {f"full_{kind}": 3 for kind in words.kinds}
    n_levels = 5
    level_is_canonical = True
    own_axes = {
        "short_side": axis("cells of the board's shorter side", 2, 12),
        "long_side": axis("cells of the board's longer side", 2, 12),
        "n_colours": axis("colours", 2, 5),
    }
    _SIZES = ((2, 3), (4, 5), (6, 7), (8, 9), (10, 12))

    def problems_at(self, level: int) -> Iterator[Problem]:
        """Yield every kind of question for each board and number of colors."""
        low, high = self._SIZES[level - 1]
        for m in range(low, high + 1):
            for n in range(2, m + 1):
                for colours in range(2, 6):
                    total, red = _boards(n, m, colours), _red(n, m, colours)
                    empty = total - colours * red
                    chance = Fraction(empty, total).as_integer_ratio()
                    answers = {"all": total, "red": red, "empty": empty, "chance": sum(chance)}
                    for kind in self.words.kinds:
                        yield Problem(
                            tree=(f"full_{kind}", colours, n, m),
                            answer=str(answers[kind]),
                            holes={"colours": self.words["colours"][colours - 2]},
                            kind=kind,
                            axes={"short_side": n, "long_side": m, "n_colours": colours},
                            data=(n, m, colours, total, red),
                        )

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Choose which side the rows are."""
        n, m = problem.data[:2]
        n, m = draws.choice(((n, m), (m, n)))
        return {**problem.holes, "n": n, "m": m}

    def steps_of(self, problem: Problem) -> list[str]:
        """Count the boards by their number of colors."""
        n, m, colours, total, red = problem.data
        lines = []
        for k in range(1, min(n, colours) + 1):
            choices, rows, columns = comb(colours, k), _onto(n, k), _onto(m, k)
            boards = choices * rows * columns
            lines.append(
                f"{k} colour{'s' if k > 1 else ''}: {choices} * {rows} * {columns} = {boards}"
            )
        empty = total - colours * red
        lines.append(f"full: {total}")
        if problem.kind != "all":
            lines.append(f"red corner: {red}")
        if problem.kind in ("empty", "chance"):
            lines.append(f"empty corner: {total} - {colours} * {red} = {empty}")
        if problem.kind == "chance":
            top, bottom = Fraction(empty, total).as_integer_ratio()
            lines.append(f"{top}/{bottom}: {top} + {bottom} = {top + bottom}")
        return lines


@cache
def _onto(n: int, k: int) -> int:
    """Return k! times Stirling's number: maps of n things onto k."""
    if k == 0 or n == 0:
        return int(k == n)
    return k * (_onto(n - 1, k) + _onto(n - 1, k - 1))


def _boards(n: int, m: int, colours: int) -> int:
    return sum(comb(colours, k) * _onto(n, k) * _onto(m, k) for k in range(1, colours + 1))


def _red(n: int, m: int, colours: int) -> int:
    """Count the boards whose first row and first column are red."""
    return sum(
        comb(colours - 1, k - 1) * (_onto(n, k) // k) * (_onto(m, k) // k)
        for k in range(1, colours + 1)
    )


GENERATORS = {"comp_grid_chips": CompGridChips, "logic_puzzles_grid_chip": LogicPuzzlesGridChip}
