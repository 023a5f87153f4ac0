"""OMEGA geometry: pieces of a regular polygon cut by diagonals and a rotated copy of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import comb
from typing import ClassVar

from synthgen.core.conditions import Condition, bounded
from synthgen.core.contract import Axis
from synthgen.core.errors import ParamError
from synthgen.core.randomness import RowDraws
from synthgen.generators.omega._family import Made, PlainFamily
from synthgen.generators.omega._kernel_family import Range, check_range
from synthgen.generators.omega._numbers import Tree
from synthgen.generators.omega.geometry._dihedral import MOST_SIDES
from synthgen.generators.omega.geometry._rotation_faces import Chord, side_counts

_DIAGONALS: tuple[Range, ...] = ((2, 2), (3, 3), (4, 4), (5, 5), (6, 6), (7, 12), (13, 16))
_SIDES: tuple[Range, ...] = (*[(6, 11)] * 5, (20, 24), (20, 24))
_MOST_DIAGONALS = 24
_TEXTS = (
    "The vertices of a regular <n>-gon are numbered in order, beginning with one, and the "
    "diagonals <pairs> are drawn, each named by its two ends. The drawing is then rotated about "
    "the centre by <r>/<n> of a full turn, in the direction of the numbering, and put on top of "
    "the first one; lines that fall together count as one. How many of the smallest pieces into "
    "which all lines cut the polygon have exactly <s> sides? Give an integer.",
    "In a regular polygon with <n> sides, whose vertices carry the numbers from one on around it, "
    "draw the diagonals <pairs>. Draw them a second time, each moved by <r>/<n> of a full turn "
    "about the centre towards higher numbers; a line that is there already is not drawn again. "
    "The polygon falls into regions without lines inside. Count the regions with exactly <s> "
    "sides. Answer with an integer.",
    "A regular polygon of glass has <n> corners, numbered one after the other from one. It is "
    "scored along the diagonals <pairs>, and also along the images of these diagonals under a "
    "rotation about the centre by <r>/<n> of a full turn, the way the numbers run. Then it is "
    "broken along all scored lines. How many of the pieces have exactly <s> sides? The answer is "
    "an integer.",
    "Take a regular <n>-gon with vertices numbered around it from one. Join the pairs of vertices "
    "<pairs> by segments, and add the same segments turned about the centre by <r>/<n> of a full "
    "turn in the order of the numbers. All segments together, coinciding ones taken once, divide "
    "the <n>-gon into cells that contain no segment. Find the number of cells that are polygons "
    "with exactly <s> sides. Give an integer.",
)


@dataclass(frozen=True)
class GeometryPolygonRotation(PlainFamily):
    """Diagonals of a regular polygon, a rotated copy of them, and the pieces that they cut.

    Attributes:
        levels: of difficulty, 1 to 7, drawn with equal probability; none stand for all. There are
            2, 3, 4, 5, 6, 7 to 12 or 13 to 16 diagonals besides the copies, in a polygon of 6 to 11
            sides, from level 6 on of 20 to 24.
        min_size, max_size: sides in place of those of the levels, 4 to 30; 0 for the levels'.
        min_diagonals, max_diagonals: in place of those of the levels, 1 to 24; 0 for the levels'.
    """

    min_size: int = 0
    max_size: int = 0
    min_diagonals: int = 0
    max_diagonals: int = 0

    version: ClassVar[int] = 1
    verifier: ClassVar[str] = "geometry_polygon_rotation"
    solutions: ClassVar[tuple[str, ...]] = ("none", "steps")
    conditions: ClassVar[Mapping[str, Condition]] = {
        **PlainFamily.conditions,
        "n_sides": bounded("min_size", "max_size"),
        "n_diagonals": bounded("min_diagonals", "max_diagonals"),
    }
    block: ClassVar[int] = 128
    n_levels: ClassVar[int] = len(_DIAGONALS)
    wordings: ClassVar[int] = len(_TEXTS)
    symbols: ClassVar[Mapping[str, int]] = {
        f"rotation{k}": 2 * k + 3 for k in range(1, _MOST_DIAGONALS + 1)
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        check_range("size", self.min_size, self.max_size, (4, MOST_SIDES))
        check_range("diagonals", self.min_diagonals, self.max_diagonals, (1, _MOST_DIAGONALS))
        for level in self.chosen_levels:
            n, most = self._sides_of(level)[0], self._diagonals_of(level)[1]
            if n * (n - 3) // 2 < most:
                raise ParamError("min_size", n, f"enough sides for {most} diagonals")

    def _sides_of(self, level: int) -> Range:
        return (self.min_size, self.max_size) if self.max_size else _SIDES[level - 1]

    def _diagonals_of(self, level: int) -> Range:
        if self.max_diagonals:
            return self.min_diagonals, self.max_diagonals
        return _DIAGONALS[level - 1]

    @property
    def own_axes(self) -> Mapping[str, Axis]:
        """How many sides, diagonals and pieces there are."""
        sides = [n for level in self.chosen_levels for n in self._sides_of(level)]
        counts = [k for level in self.chosen_levels for k in self._diagonals_of(level)]
        return {
            "n_sides": Axis("sides of the polygon", low=min(sides), high=max(sides)),
            "n_diagonals": Axis("diagonals that are drawn", low=min(counts), high=max(counts)),
            "n_pieces": Axis("pieces of the polygon", low=2),
            "piece_sides": Axis("sides of the pieces asked for", low=3, high=max(sides)),
        }

    @property
    def fewest_problems(self) -> int:
        """Choices of diagonals and rotation over the symmetries of each polygon."""
        cases = {
            (n, count)
            for level in self.chosen_levels
            for n in range(self._sides_of(level)[0], self._sides_of(level)[1] + 1)
            for count in range(self._diagonals_of(level)[0], self._diagonals_of(level)[1] + 1)
        }
        return sum(-(-comb(n * (n - 3) // 2, count) * (n - 1) // (2 * n)) for n, count in cases)

    def make(self, level: int, draws: RowDraws) -> Made:
        """Draw different diagonals, a rotation, and one of the numbers of sides that occur."""
        low, high = self._sides_of(level)
        n = draws.integer(low, high + 1)
        least, most = self._diagonals_of(level)
        count = draws.integer(least, most + 1)
        turn = draws.integer(1, n)
        chords: list[Chord] = []
        while len(chords) < count:
            start, gap = draws.integer(0, n), draws.integer(2, n - 1)
            ends = start, (start + gap) % n
            if (min(ends), max(ends)) not in chords:
                chords.append((min(ends), max(ends)))
        copies = [_ordered((a + turn) % n, (b + turn) % n) for a, b in chords]
        counts = side_counts(n, [*chords, *copies])
        sides = draws.choice(sorted(counts))
        least_turn, ends_in_order = _canonical(n, chords, turn)
        axes = {
            "n_sides": n,
            "n_diagonals": count,
            "n_pieces": counts.total(),
            "piece_sides": sides,
        }
        tree: Tree = (f"rotation{count}", n, least_turn, sides, *ends_in_order)
        facts = (n, chords, turn, sides, counts)
        return Made(tree, str(counts[sides]), facts, axes=axes)

    def tell(self, made: Made, wording: int, draws: RowDraws) -> str:
        """Name every diagonal by its ends, in either order."""
        n, chords, turn, sides, _ = made.facts
        pairs = [(a, b) if draws.integer(0, 2) else (b, a) for a, b in chords]
        told = ", ".join(f"({a + 1}, {b + 1})" for a, b in pairs)
        text = _TEXTS[wording].replace("<n>", str(n)).replace("<pairs>", told)
        return text.replace("<r>", str(turn)).replace("<s>", str(sides))

    def steps(self, made: Made) -> str:
        """Write all lines, how many points inside the polygon they meet in, and the pieces."""
        n, chords, turn, sides, counts = made.facts
        copies = [_ordered((a + turn) % n, (b + turn) % n) for a, b in chords]
        lines = sorted({*chords, *copies})
        told = ", ".join(f"({a + 1}, {b + 1})" for a, b in lines)
        pieces = ", ".join(f"{counts[k]} with {k} sides" for k in sorted(counts))
        return (
            f"lines: {told}\npieces: {counts.total()}\nby sides: {pieces}\n"
            f"with {sides} sides: {counts[sides]}"
        )


def _ordered(a: int, b: int) -> Chord:
    return (a, b) if a < b else (b, a)


def _canonical(n: int, chords: list[Chord], turn: int) -> tuple[int, list[int]]:
    """Return the least turn and diagonals among all turned and mirrored pictures."""
    gaps = range(2, n // 2 + 1)
    plain, mirrored = dict.fromkeys(gaps, 0), dict.fromkeys(gaps, 0)
    for a, b in chords:
        for start, end in ((a, b), (b, a)):
            gap = (end - start) % n
            if 2 * gap <= n:
                plain[gap] |= 1 << start
                mirrored[gap] |= 1 << -end % n
    pictures = [list(plain.values())] if 2 * turn <= n else []
    if 2 * turn >= n:
        pictures.append(list(mirrored.values()))
    full = (1 << n) - 1
    masks = min(
        [(mask << places | mask >> (n - places)) & full for mask in picture]
        for picture in pictures
        for places in range(n)
    )
    ends = []
    for gap, mask in zip(gaps, masks, strict=True):
        starts = gap if 2 * gap == n else n
        for start in range(starts):
            if mask >> start & 1:
                ends += [start + 1, (start + gap) % n + 1]
    return min(turn, n - turn), ends


GENERATOR = GeometryPolygonRotation
