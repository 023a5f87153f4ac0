"""OMEGA geometry: coloured vertices of a regular polygon, and rotations onto each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from synthgen.core.checks import check_int
from synthgen.core.columns import Ragged
from synthgen.core.conditions import Condition, bounded
from synthgen.core.contract import Axis
from synthgen.core.errors import ParamError
from synthgen.core.permutation import permutation_table
from synthgen.core.randomness import Rows, stream_key
from synthgen.generators.omega._colours import COLOURS, two_colours
from synthgen.generators.omega._family import MOST_REPEATS
from synthgen.generators.omega._kernel_family import Drawn, KernelFamily, Range, check_range
from synthgen.generators.omega._statements import INTEGER, WORD, WORDS, Statements
from synthgen.generators.omega.geometry._colour_draw import (
    MOST_OPEN,
    N_SLOTS,
    PAINT,
    SYMBOLS,
    TIMES_OF_KIND,
    TURN,
    colourings,
    distinct,
    draw_colours,
)
from synthgen.generators.omega.geometry._dihedral import MOST_SIDES

_SIDES: tuple[Range, ...] = ((6, 7), (8, 9), (10, 11), (12, 13), (14, 15), (16, 18), (19, 22))
_KINDS = ("paint", "turn", "best")
_MOST_ADDRESSES = 2**62
_WORDS = ("uncoloured", *COLOURS)
_PAINT = (
    "The vertices of a regular polygon with <n> sides are, in order around it, <list>. Each "
    "uncoloured vertex is now painted <a> or <b>. In how many ways can this be done such that "
    "some rotation of the polygon (leaving it as it is counts as one) carries every <a> vertex to "
    "a place where a <b> vertex was before the rotation? Give an integer.",
    "Going around a regular <n>-gon, its vertices are <list>. The uncoloured ones are to be "
    "coloured <a> or <b>. Count the colourings for which the polygon can be turned about its "
    "centre, vertices onto vertices, so that no <a> vertex ends where a <a> vertex was before. "
    "Answer with an integer.",
    "A round table has <n> seats at equal distances. In order, their cushions are <list>. Every "
    "uncoloured cushion is dyed <a> or <b>. For how many of the possible dyeings can all cushions "
    "be moved around the table by the same number of seats, so that each <a> cushion comes to a "
    "seat that had a <b> one? The answer is an integer.",
    "<n> points divide a circle into equal arcs; in order they are <list>. Call a way of colouring "
    "the uncoloured points <a> or <b> good if some rotation of the circle that permutes the points "
    "takes every <a> point to a point that is <b>. How many ways are good? Give an integer.",
)
_TURN = (
    "The vertices of a regular <n>-gon, read clockwise, are coloured <list>. The polygon is "
    "rotated clockwise about its centre by <m>/<n> of a full turn. How many <a> vertices land on "
    "places where a <b> vertex was before? Give an integer.",
    "Clockwise around a regular polygon with <n> vertices, the colours of the vertices are <list>. "
    "It is turned clockwise by <m> times the angle between neighbouring vertices, seen from the "
    "centre. At how many places was there a <b> vertex before and is there a <a> one now? Answer "
    "with an integer.",
    "<n> lamps stand at equal distances around a wheel; clockwise they are <list>. The wheel makes "
    "<m>/<n> of a full turn clockwise. How many <a> lamps are now where a <b> lamp was at first? "
    "The answer is an integer.",
    "<n> points divide a circle into equal arcs. In clockwise order they are <list>. The rotation "
    "by <m>/<n> of a full circle, clockwise, takes each point to another. Count the <a> points "
    "that it takes to a <b> one. Give an integer.",
)
_BEST = (
    "The vertices of a regular polygon with <n> sides are coloured, in order around it: <list>. "
    "The polygon is turned about its centre so that vertices land on places of vertices. What is "
    "the largest number of <a> vertices that can land on places where <b> vertices were before? "
    "Give an integer.",
    "Going around a regular <n>-gon, the colours of its vertices are <list>. Of all rotations that "
    "carry the polygon onto itself, take one that moves as many <a> vertices as possible to places "
    "of <b> vertices. How many does it move there? Answer with an integer.",
    "A flat ring has <n> beads at equal distances, in order <list>. A copy of it is laid on top, "
    "not flipped over, and turned until beads lie on beads. What is the greatest number of <a> "
    "beads of the copy that can lie on <b> beads of the ring at the same time? The answer is an "
    "integer.",
    "<n> points divide a circle into equal arcs; in order they are <list>. For a rotation of the "
    "circle that permutes the points, count the <a> points that it takes to <b> points. What is "
    "the maximum of this count over all such rotations? Give an integer.",
)
_HOLES = {"n": INTEGER, "m": INTEGER, "list": WORDS, "a": WORD, "b": WORD}


@dataclass(frozen=True)
class GeometryPolygonColor(KernelFamily):
    """Red and blue vertices, say, that a rotation carries onto each other.

    Attributes:
        levels: of difficulty, 1 to 7, drawn with equal probability; none stand for all. The
            polygon has 6 to 7, 8 to 9, ..., 14 to 15, 16 to 18 or 19 to 22 sides.
        min_size, max_size: sides in place of those of the levels, 4 to 30; 0 for the levels'.
        n_open: vertices to be painted, 1 to 6, in the questions that have some.
        repeats: rounds of addresses, each of which has every problem, in other words and colours.
    """

    min_size: int = 0
    max_size: int = 0
    n_open: int = 3
    repeats: int = 1

    version: ClassVar[int] = 1
    verifier: ClassVar[str] = "geometry_polygon_color"
    solutions: ClassVar[tuple[str, ...]] = ("none", "steps")
    conditions: ClassVar[Mapping[str, Condition]] = {
        **KernelFamily.conditions,
        "n_sides": bounded("min_size", "max_size"),
    }
    n_levels: ClassVar[int] = len(_SIDES)
    wordings: ClassVar[int] = len(_PAINT)
    subtypes: ClassVar[tuple[str, ...]] = _KINDS
    symbols: ClassVar[Mapping[str, int]] = SYMBOLS
    statements: ClassVar[Statements] = Statements.of((*_PAINT, *_TURN, *_BEST), _HOLES, _WORDS)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_range("size", self.min_size, self.max_size, (4, MOST_SIDES))
        check_int("n_open", self.n_open, 1, MOST_OPEN)
        fewest = min(low for low, _ in self._ranges)
        if self.n_open > fewest - 2:
            raise ParamError("n_open", self.n_open, f"two less than {fewest} sides or fewer")
        check_int("repeats", self.repeats, 1, min(MOST_REPEATS, _MOST_ADDRESSES // self._round))

    @property
    def _ranges(self) -> list[Range]:
        if self.max_size:
            return [(self.min_size, self.max_size)] * len(self.chosen_levels)
        return [_SIDES[level - 1] for level in self.chosen_levels]

    @property
    def own_axes(self) -> Mapping[str, Axis]:
        """How many sides the polygon has."""
        lows, highs = zip(*self._ranges, strict=True)
        return {"n_sides": Axis("sides of the polygon", low=min(lows), high=max(highs))}

    @cached_property
    def _counts(self) -> NDArray[np.int64]:
        counts = np.zeros((len(self._ranges), len(_KINDS), MOST_SIDES + 1), np.int64)
        for place, (low, high) in enumerate(self._ranges):
            for kind in range(len(_KINDS)):
                for n in range(low, high + 1):
                    counts[place, kind, n] = colourings(kind, n, self.n_open)
        return counts

    @property
    def _round(self) -> int:
        """Addresses enough for every colouring of every level and kind once."""
        groups = -(-self._counts.sum(axis=2) // TIMES_OF_KIND)
        return int(groups.max()) * len(self._ranges) * N_SLOTS

    @property
    def space(self) -> int:
        """Addresses enough for every colouring `repeats` times."""
        return self._round * self.repeats

    @property
    def fewest_problems(self) -> int:
        """The exact number of problems that differ by more than a turn or a mirror image."""
        sides = {n for low, high in self._ranges for n in range(low, high + 1)}
        return sum(distinct(kind, n, self.n_open) for kind in range(len(_KINDS)) for n in sides)

    def drawn(self, rows: Rows) -> Drawn:
        """Take the problems of these numbers, in an order of the stream's own."""
        totals = self._counts.sum(axis=2)
        tables = np.array(
            [
                [
                    permutation_table(stream_key(rows.stream, place, kind), total)
                    for kind, total in enumerate(row)
                ]
                for place, row in enumerate(totals.tolist())
            ]
        )
        facts, codes, code_marks, values, value_marks = draw_colours(
            rows.addresses, self._counts, tables, self.n_open, two_colours(rows)
        )
        return Drawn(
            levels=np.array(self.chosen_levels, np.int64)[facts[:, 0]],
            subtypes=facts[:, 1],
            codes=Ragged(codes, code_marks),
            values=Ragged(values, value_marks),
            answers=facts[:, 3],
            axes={"n_sides": facts[:, 2]},
            valid=facts[:, 4] == 1,
        )

    def steps(self, subtype: int, values: list[int], answer: int) -> str:
        """Write what every rotation does, or one for every way of painting."""
        n, first, second = values[0], values[-2], values[-1]
        colours = values[-2 - n : -2]
        if subtype == PAINT:
            return "\n".join([*_painted(colours, first, second), f"ways: {answer}"])
        if subtype == TURN:
            turn = values[1]
            pairs = [(i, (i + turn) % n) for i in range(n)]
            landed = [f"{i + 1} to {j + 1}" for i, j in pairs if colours[i] == first != colours[j]]
            return f"{', '.join(landed) or 'none'}\ncount: {answer}"
        lines = []
        for turn in range(n):
            count = sum(colours[i] == first and colours[(i + turn) % n] == second for i in range(n))
            lines.append(f"turn {turn}: {count}")
        return "\n".join([*lines, f"largest: {answer}"])


def _painted(colours: list[int], first: int, second: int) -> list[str]:
    """Name a turn for every way to paint the open vertices, where there is one."""
    n, lines = len(colours), []
    open_places = [i for i in range(n) if not colours[i]]
    for choice in product((first, second), repeat=len(open_places)):
        whole = list(colours)
        for place, colour in zip(open_places, choice, strict=True):
            whole[place] = colour
        starts = [i for i in range(n) if whole[i] == first]
        turns = (t for t in range(n) if all(whole[(i + t) % n] != first for i in starts))
        turn = next(turns, None)
        end = "none" if turn is None else f"turn {turn}"
        lines.append(f"{', '.join(_WORDS[colour] for colour in choice)}: {end}")
    return lines


GENERATOR = GeometryPolygonColor
