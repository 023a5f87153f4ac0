"""OMEGA geometry: right angles between diagonals of a regular polygon."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import ClassVar

import numpy as np

from synthgen.core.columns import Ragged
from synthgen.core.conditions import Condition, bounded
from synthgen.core.contract import Axis
from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows
from synthgen.generators.omega._kernel_family import Drawn, KernelFamily, Range, check_range
from synthgen.generators.omega._statements import INTEGER, PAIRS, Statements
from synthgen.generators.omega.geometry._chords_draw import MOST_DIAGONALS, SYMBOLS, draw_chords
from synthgen.generators.omega.geometry._dihedral import MOST_SIDES

_SIDES: Range = (6, 15)
_MORE_SIDES: Range = (10, 24)
_DIAGONALS: tuple[Range, ...] = ((6, 7), (8, 9), (10, 11), (12, 13), (14, 15), (16, 19), (20, 25))
_PUBLISHED = 5
"""Levels from which on the polygons have more sides."""
_TEXTS = (
    "The vertices of a regular polygon with <n> sides are numbered in order, beginning with one. "
    "The diagonals <pairs> are drawn, each named by its two ends. How many pairs of these "
    "diagonals meet at a right angle, inside the polygon or at one of its vertices? Give an "
    "integer.",
    "Number the vertices of a regular <n>-gon one after the other around it, starting from one. "
    "Each of these pairs of vertices is joined by a segment: <pairs>. Count the pairs of segments "
    "that are perpendicular and have a point in common, which may be an end of both. Answer with "
    "an integer.",
    "<n> points divide a circle into equal arcs and are numbered from one on around it. The chords "
    "<pairs> are drawn. In how many ways can two of these chords be chosen that cross or share an "
    "end, with an angle of ninety degrees between them? The answer is an integer.",
    "In a regular polygon whose <n> vertices carry the numbers one, two, three and so on around "
    "it, somebody draws the segments <pairs> between vertices. Find the number of unordered pairs "
    "of drawn segments that share a point and are at right angles there. Give an integer.",
)


@dataclass(frozen=True)
class GeometryPolygonChords(KernelFamily):
    """Diagonals of a regular polygon, of which some pairs meet at a right angle.

    Attributes:
        levels: of difficulty, 1 to 7, drawn with equal probability; none stand for all. There are
            6 to 7, 8 to 9, 10 to 11, 12 to 13, 14 to 15, 16 to 19 or 20 to 25 diagonals in a
            polygon of 6 to 15 sides, from level 6 on of 10 to 24. Odd numbers of sides, where the
            answer is 0, are kept one time in twenty.
        min_size, max_size: sides in place of those of the levels, 5 to 30; 0 for the levels'.
        min_diagonals, max_diagonals: in place of those of the levels, 2 to 60; 0 for the levels'.
    """

    min_size: int = 0
    max_size: int = 0
    min_diagonals: int = 0
    max_diagonals: int = 0

    version: ClassVar[int] = 1
    verifier: ClassVar[str] = "geometry_polygon_chords"
    solutions: ClassVar[tuple[str, ...]] = ("none", "steps")
    conditions: ClassVar[Mapping[str, Condition]] = {
        **KernelFamily.conditions,
        "n_sides": bounded("min_size", "max_size"),
        "n_diagonals": bounded("min_diagonals", "max_diagonals"),
    }
    n_levels: ClassVar[int] = len(_DIAGONALS)
    wordings: ClassVar[int] = len(_TEXTS)
    symbols: ClassVar[Mapping[str, int]] = SYMBOLS
    statements: ClassVar[Statements] = Statements.of(_TEXTS, {"n": INTEGER, "pairs": PAIRS})

    def __post_init__(self) -> None:
        super().__post_init__()
        check_range("size", self.min_size, self.max_size, (5, MOST_SIDES))
        check_range("diagonals", self.min_diagonals, self.max_diagonals, (2, MOST_DIAGONALS))
        for level in self.chosen_levels:
            n, most = self._sides_of(level)[1], self._diagonals_of(level)[1]
            if n * (n - 3) // 2 < most:
                raise ParamError("max_size", n, f"enough sides for {most} diagonals")

    def _sides_of(self, level: int) -> Range:
        if self.max_size:
            return self.min_size, self.max_size
        return _SIDES if level <= _PUBLISHED else _MORE_SIDES

    def _diagonals_of(self, level: int) -> Range:
        if self.max_diagonals:
            return self.min_diagonals, self.max_diagonals
        return _DIAGONALS[level - 1]

    @property
    def own_axes(self) -> Mapping[str, Axis]:
        """How many sides and diagonals there are."""
        sides = [n for level in self.chosen_levels for n in self._sides_of(level)]
        counts = [k for level in self.chosen_levels for k in self._diagonals_of(level)]
        return {
            "n_sides": Axis("sides of the polygon", low=min(sides), high=max(sides)),
            "n_diagonals": Axis("diagonals that are drawn", low=min(counts), high=max(counts)),
        }

    @property
    def fewest_problems(self) -> int:
        """Choices of diagonals over the turns and mirror images of each polygon."""
        cases = {
            (n, count)
            for level in self.chosen_levels
            for n in _whole(self._sides_of(level))
            for count in _whole(self._diagonals_of(level))
        }
        return sum(-(-comb(n * (n - 3) // 2, count) // (2 * n)) for n, count in cases)

    def drawn(self, rows: Rows) -> Drawn:
        """Draw numbers of diagonals and sides, and then different diagonals."""
        levels = self.level_of_rows(rows)
        bounds = np.array([self._diagonals_of(i + 1) for i in range(self.n_levels)], np.int64)
        sides = np.array([self._sides_of(i + 1) for i in range(self.n_levels)], np.int64)
        facts, codes, code_marks, values, value_marks = draw_chords(
            rows.keys, sides[levels - 1], bounds[levels - 1]
        )
        return Drawn(
            levels=levels,
            subtypes=np.zeros(len(levels), np.int64),
            codes=Ragged(codes, code_marks),
            values=Ragged(values, value_marks),
            answers=facts[:, 2],
            axes={"n_sides": facts[:, 0], "n_diagonals": facts[:, 1]},
            valid=facts[:, 3] == 1,
        )

    def steps(self, subtype: int, values: list[int], answer: int) -> str:
        """Write the direction of each diagonal and look at each pair of perpendicular ones."""
        del subtype
        n, ends = values[0], values[2:]
        chords = list(zip(ends[::2], ends[1::2], strict=True))
        lines = [f"({a}, {b}): direction {(a + b) % n}" for a, b in chords]
        for (a, b), (c, d) in combinations(chords, 2):
            if n % 2 == 0 and (a + b - c - d) % n == n // 2:
                inside = {a, b} & {c, d} or (min(a, b) < c < max(a, b)) != (
                    min(a, b) < d < max(a, b)
                )
                lines.append(f"({a}, {b}) and ({c}, {d}): {'meet' if inside else 'apart'}")
        return "\n".join([*lines, f"count: {answer}"])


def _whole(bounds: Range) -> range:
    return range(bounds[0], bounds[1] + 1)


GENERATOR = GeometryPolygonChords
