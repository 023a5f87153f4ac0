"""Diagonals, regions and colors of regular polygons.

Polygons that differ by a rotation or a reflection are one problem: a tree has the least of all
images of a picture.
"""

from __future__ import annotations

from cmath import rect
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import combinations, pairwise
from math import comb, pi
from operator import itemgetter
from typing import ClassVar

from synthgen.authoring import (
    Axis,
    Condition,
    LevelledFamily,
    ParamError,
    Problem,
    RowDraws,
    Words,
    bounded,
    params,
)
from synthgen.families.omega.polygons.colouring import MAX_SIDES, GeometryPolygonColor, counted
from synthgen.families.omega.polygons.compositions import CompNGon, CompVertexColor

_WORDS = Words.beside(__file__)
_MAX_DIAGONALS = 60
Range = tuple[int, int]
Chord = tuple[int, int]
"""Two vertices from 0 to n - 1."""


@dataclass(frozen=True)
class _DiagonalFamily(LevelledFamily):
    """Diagonals of a regular polygon, whose numbers come from the level or from params."""

    min_size: int = params.integer(0, 0, MAX_SIDES, up_to="max_size")
    max_size: int = params.integer(0, 0, MAX_SIDES)
    min_diagonals: int = params.integer(0, 0, _MAX_DIAGONALS, up_to="max_diagonals")
    max_diagonals: int = params.integer(0, 0, _MAX_DIAGONALS)

    domain = "omega"
    sides_at: ClassVar[Sequence[Range]]
    """Fewest and most sides of each level."""
    diagonals_at: ClassVar[Sequence[Range]]
    """Fewest and most diagonals of each level."""
    fewest: ClassVar[Range]
    """Smallest params `min_size` and `min_diagonals`."""
    decisive: ClassVar[int]
    """Whether the fewest sides (0) or the most (1) must have enough diagonals."""

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, least in zip(("size", "diagonals"), self.fewest, strict=True):
            low, high = f"min_{name}", f"max_{name}"
            if vars(self)[high] and vars(self)[low] < least:
                raise ParamError(low, vars(self)[low], f"at least {least}, or 0 with {high}=0")
        for level in self.chosen_levels:
            n, most = self.sides_of(level)[self.decisive], self.diagonals_of(level)[1]
            if n * (n - 3) // 2 < most:
                name = ("min_size", "max_size")[self.decisive]
                raise ParamError(name, n, f"enough sides for {most} diagonals")

    def sides_of(self, level: int) -> Range:
        """Return the fewest and most sides at a level."""
        return (self.min_size, self.max_size) if self.max_size else self.sides_at[level - 1]

    def diagonals_of(self, level: int) -> Range:
        """Return the fewest and most diagonals at a level."""
        own = self.min_diagonals, self.max_diagonals
        return own if self.max_diagonals else self.diagonals_at[level - 1]

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """The axes of all families, and the numbers of sides and diagonals."""
        sides = [n for level in self.chosen_levels for n in self.sides_of(level)]
        counts = [k for level in self.chosen_levels for k in self.diagonals_of(level)]
        return dict(super().axes) | {
            "n_sides": Axis("sides of the polygon", low=min(sides), high=max(sides)),
            "n_diagonals": Axis("diagonals that are drawn", low=min(counts), high=max(counts)),
        }

    @cached_property
    def conditions(self) -> Mapping[str, Condition]:
        """The level, and the numbers that params fix."""
        return dict(super().conditions) | {
            "n_sides": bounded("min_size", "max_size"),
            "n_diagonals": bounded("min_diagonals", "max_diagonals"),
        }

    @property
    def choices(self) -> Mapping[Range, int]:
        """Ways to choose diagonals, for each number of sides and of diagonals."""
        return {
            (n, count): comb(n * (n - 3) // 2, count)
            for level in self.chosen_levels
            for n in range(self.sides_of(level)[0], self.sides_of(level)[1] + 1)
            for count in range(self.diagonals_of(level)[0], self.diagonals_of(level)[1] + 1)
        }


@dataclass(frozen=True)
class GeometryPolygonChords(_DiagonalFamily):
    """Diagonals of a regular polygon, of which some pairs meet at a right angle.

    Attributes:
        levels: Difficulty levels, 1 to 7, drawn with equal probability; an empty list means all.
            There are 6 to 7, 8 to 9, 10 to 11, 12 to 13, 14 to 15, 16 to 19 or 20 to 25 diagonals
            in a polygon of 6 to 15 sides, from level 6 on of 10 to 24. Of the polygons with an odd
            number of sides, where the answer is 0, only one in twenty is kept.
        min_size, max_size: Sides in place of those of the levels, 5 to 30; 0 for the levels'.
        min_diagonals, max_diagonals: Numbers of diagonals, 2 to 60; 0 for those of the levels.
    """

    version = 2
    verifier = "geometry_polygon_chords"
    same_up_to = "turns and reflections of the polygon, the order of the chords"
    words = _WORDS.part("chords")
    symbols = {f"diagonals{k}": 2 * k + 1 for k in range(1, _MAX_DIAGONALS + 1)}
    n_levels = 7
    sides_at = (*[(6, 15)] * 5, (10, 24), (10, 24))
    diagonals_at = ((6, 7), (8, 9), (10, 11), (12, 13), (14, 15), (16, 19), (20, 25))
    fewest = (5, 2)
    decisive = 1
    _ODD_ONE_IN = 20
    _TRIES = 64

    @property
    def fewest_problems(self) -> int:
        """Choices of diagonals, over the symmetries of each polygon."""
        return sum(-(-ways // (2 * n)) for (n, _), ways in self.choices.items())

    def make(self, level: int, draws: RowDraws) -> Problem:
        """Draw the number of diagonals, the number of sides, and different diagonals."""
        low, high = self.diagonals_of(level)
        count = draws.integer(low, high + 1)
        n = self._sides(level, count, draws)
        drawn: dict[Chord, Chord] = {}
        while len(drawn) < count:
            start, gap = draws.integer(0, n), draws.integer(2, n - 1)
            end = (start + gap) % n
            drawn.setdefault((start, end) if start < end else (end, start), (start, end))
        chords = list(drawn.values())
        return Problem(
            tree=(f"diagonals{count}", n, *_least_ends(n, list(drawn))),
            answer=str(sum(meet for *_, meet in _perpendicular(n, chords))),
            axes={"n_sides": n, "n_diagonals": count},
            data=(n, chords),
        )

    def _sides(self, level: int, count: int, draws: RowDraws) -> int:
        """Draw a number of sides with enough diagonals, mostly an even one."""
        low, high = self.sides_of(level)
        for _ in range(self._TRIES):
            n = draws.integer(low, high + 1)
            kept = draws.integer(0, self._ODD_ONE_IN) == 0 or n % 2 == 0 or low == high
            if kept and n * (n - 3) // 2 >= count:
                return n
        return high

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Write the diagonals as pairs of vertices counted from 1."""
        del draws
        n, chords = problem.data
        return {"n": n, "pairs": ", ".join([f"({a + 1}, {b + 1})" for a, b in chords])}

    def steps_of(self, problem: Problem) -> list[str]:
        """Write the direction of each diagonal, and whether perpendicular ones meet."""
        n, chords = problem.data
        names = {chord: f"({chord[0] + 1}, {chord[1] + 1})" for chord in chords}
        lines = [f"{names[a, b]}: direction {(a + b + 2) % n}" for a, b in chords]
        lines += [
            f"{names[one]} and {names[other]}: {'meet' if meet else 'do not meet'}"
            for one, other, meet in _perpendicular(n, chords)
        ]
        return [*lines, f"count: {problem.answer}"]


def _perpendicular(n: int, chords: list[Chord]) -> Iterator[tuple[Chord, Chord, bool]]:
    """Yield the perpendicular pairs, and whether they meet in the polygon.

    The diagonal from vertex a to vertex b is perpendicular to the direction of vertex (a + b) / 2.
    """
    if n % 2:
        return
    directions = [sum(chord) % n for chord in chords]
    for (one, u), (other, v) in combinations(zip(chords, directions, strict=True), 2):
        if abs(u - v) == n // 2:
            low, high = min(one), max(one)
            c, d = other
            ends_between = (low < c < high) + (low < d < high)
            yield one, other, ends_between == 1 or c in one or d in one


def _least_ends(n: int, chords: Sequence[Chord]) -> list[int]:
    """Return the vertices, from 1, of the least image of a set of different diagonals.

    An image lists the places where diagonals start, those with the narrowest gap between their
    ends first, and of one gap the last vertex first. A diameter starts at both ends.
    """
    arcs = [(a, (b - a) % n, b) for chord in chords for a, b in (chord, chord[::-1])]
    arcs = [arc for arc in arcs if 2 * arc[1] <= n]
    pictures = [(-gap, start) for start, gap, _ in arcs], [(-gap, -end) for _, gap, end in arcs]
    least = min(
        sorted([(gap, (start + turn) % n) for gap, start in picture], reverse=True)
        for picture in pictures
        for turn in range(n)
    )
    starts = sorted((-gap, start) for gap, start in least if start < -gap or -2 * gap < n)
    return [1 + end % n for gap, start in starts for end in (start, start + gap)]


@dataclass(frozen=True)
class GeometryPolygonRotation(_DiagonalFamily):
    """Diagonals of a regular polygon, a rotated copy of them, and the regions that they bound.

    Attributes:
        levels: Difficulty levels, 1 to 7, drawn with equal probability; an empty list means all.
            There are 2, 3, 4, 5, 6, 7 to 12 or 13 to 16 diagonals besides the copies, in a polygon
            of 6 to 11 sides, from level 6 on of 20 to 24.
        min_size, max_size: Sides in place of those of the levels, 4 to 30; 0 for the levels'.
        min_diagonals, max_diagonals: Numbers of diagonals, 1 to 24; 0 for those of the levels.
    """

    max_diagonals: int = params.integer(0, 0, 24)

    version = 4
    verifier = "geometry_polygon_rotation"
    same_up_to = "turns and reflections of the polygon, the order of the diagonals"
    words = _WORDS.part("rotation")
    symbols = {f"figure{k}": 2 * k + 2 for k in range(1, 49)}
    n_levels = 7
    sides_at = (*[(6, 11)] * 5, (20, 24), (20, 24))
    diagonals_at = ((2, 2), (3, 3), (4, 4), (5, 5), (6, 6), (7, 12), (13, 16))
    fewest = (4, 1)
    decisive = 0

    @property
    def block(self) -> int:
        """Number of addresses that selection draws at a time: regions take time to trace."""
        return 128

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """The axes of diagonals, and the numbers of regions and of their sides."""
        known = dict(super().axes)
        return known | {
            # Different diagonals and turns may give one figure.
            "n_diagonals": replace(known["n_diagonals"], canonical=False),
            "n_pieces": Axis("pieces of the polygon", low=2),
            "piece_sides": Axis("sides of the pieces asked for", low=3, high=known["n_sides"].high),
        }

    @property
    def fewest_problems(self) -> int:
        """Figures of diagonals rotated by one vertex, over the symmetries of each polygon."""
        return sum(-(-_doubled(n, count) // (2 * n)) for n, count in self.choices)

    def make(self, level: int, draws: RowDraws) -> Problem:
        """Draw different diagonals, a rotation, and one of the numbers of sides that occur."""
        low, high = self.sides_of(level)
        n = draws.integer(low, high + 1)
        low, high = self.diagonals_of(level)
        count = draws.integer(low, high + 1)
        turn = draws.integer(1, n)
        chords: dict[Chord, None] = {}
        while len(chords) < count:
            start, gap = draws.integer(0, n), draws.integer(2, n - 1)
            chords[_ordered(start, (start + gap) % n)] = None
        copies = [_ordered((a + turn) % n, (b + turn) % n) for a, b in chords]
        lines = sorted({*chords, *copies})
        counts = _region_sides(n, lines)
        sides = draws.choice(sorted(counts))
        return Problem(
            tree=(f"figure{len(lines)}", n, sides, *_least_ends(n, lines)),
            answer=str(counts[sides]),
            holes={"r": turn, "s": sides, "places": counted(turn, "place")},
            axes={
                "n_sides": n,
                "n_diagonals": count,
                "n_pieces": counts.total(),
                "piece_sides": sides,
            },
            data=(n, list(chords), lines, counts),
        )

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Name every diagonal by its ends, in either order."""
        n, chords, *_ = problem.data
        either = [(a, b) if draws.integer(0, 2) else (b, a) for a, b in chords]
        pairs = ", ".join([f"({a + 1}, {b + 1})" for a, b in either])
        return {**problem.holes, "n": n, "pairs": pairs}

    def steps_of(self, problem: Problem) -> list[str]:
        """Add line after line, and count the regions by their sides.

        A line adds one region, and one for each point where it crosses lines before it.
        """
        n, _, lines, counts = problem.data
        steps, regions = [], 1
        for place, line in enumerate(lines):
            before = [one for one in lines[:place] if _interleaved(one, line)]
            crossings = len({_crossing(n, one, line) for one in before})
            regions += crossings + 1
            ends = f"({line[0] + 1}, {line[1] + 1})"
            steps.append(f"line {ends}: crossings {crossings}, regions {regions}")
        by_sides = ", ".join(f"{counts[k]} with {k} sides" for k in sorted(counts))
        total = " + ".join(f"{counts[k]} * {k}" for k in sorted(counts))
        return [
            *steps,
            f"by sides: {by_sides}",
            f"sides of all regions: {total} = {sum(k * counts[k] for k in counts)}",
            f"with {problem.holes['s']} sides: {problem.answer}",
        ]


def _ordered(a: int, b: int) -> Chord:
    return (a, b) if a < b else (b, a)


def _interleaved(one: Chord, other: Chord) -> bool:
    """Return whether two diagonals cross, the first of which begins at a lower vertex."""
    return one[0] < other[0] < one[1] < other[1]


def _doubled(n: int, count: int) -> int:
    """Return a lower bound of the sets of diagonals that `count` and their images by 1/n make up.

    Only sets without a coinciding line are counted: in each orbit of diagonals, no two chosen ones
    are neighbors. Such a set determines the chosen ones but for a fully covered orbit, where
    either half may be chosen.
    """
    ways = [1] + [0] * count
    for size in [n] * ((n - 3) // 2) + [n // 2] * (1 - n % 2):
        own = [size * comb(size - k, k) // (size - k) for k in range(size // 2 + 1)]
        ways = [
            sum(own[k] * ways[total - k] for k in range(min(total, size // 2) + 1))
            for total in range(count + 1)
        ]
    return -(-ways[count] >> (4 * count // n))


def _region_sides(n: int, lines: Sequence[Chord]) -> Counter[int]:
    """Count the regions by their sides, walking around each along its edges.

    Directions are counted in units of pi / n. At the end of an edge the walk takes the first edge
    to the left of the way back; a region has a side whenever its direction changes.
    """
    edges = _edges(n, lines)
    around = defaultdict(list)
    for point, direction in edges:
        around[point].append(direction)
    seen = {(_vertex(n, i + 1), (2 * i + 1 + n) % (2 * n)) for i in range(n - 1)}
    seen.add((_vertex(n, 0), n - 1))  # with these, the outside of the polygon
    counts: Counter[int] = Counter()
    for start in edges:
        if start in seen:
            continue
        sides, step = 0, start
        while step not in seen:
            seen.add(step)
            point, direction = edges[step], step[1]
            back = direction + n
            turn = min([(back - other - 1) % (2 * n) for other in around[point]])
            following = (back - turn - 1) % (2 * n)
            sides += following != direction
            step = (point, following)
        counts[sides] += 1
    return counts


def _edges(n: int, lines: Sequence[Chord]) -> dict[tuple[complex, int], complex]:
    """Return where each edge ends, by its start and its direction, both ways along each line."""
    points: dict[Chord, set[complex]] = {line: set() for line in lines}
    points |= {_ordered(i, (i + 1) % n): set() for i in range(n)}
    for one, other in combinations(lines, 2):
        if _interleaved(one, other):
            point = _crossing(n, one, other)
            points[one].add(point)
            points[other].add(point)
    edges = {}
    for (i, j), inner in points.items():
        start = _vertex(n, i)
        order = sorted([(abs(point - start), point) for point in inner], key=itemgetter(0))
        nodes = [start, *(point for _, point in order), _vertex(n, j)]
        for near, far in pairwise(nodes):
            edges[near, (i + j) % (2 * n)] = far
            edges[far, (i + j + n) % (2 * n)] = near
    return edges


def _rounded(point: complex) -> complex:
    """Round a point to identify it: up to 30 sides, crossings are more than 10^-4 apart."""
    return complex(round(point.real, 6), round(point.imag, 6))


@lru_cache(1 << 10)
def _vertex(n: int, i: int) -> complex:
    return _rounded(rect(1, 2 * pi * i / n))


@lru_cache(1 << 17)
def _crossing(n: int, one: Chord, other: Chord) -> complex:
    """Return where two diagonals cross, from the roots of unity at their ends."""
    a, c, b, d = (rect(1, 2 * pi * i / n) for i in (*one, *other))
    return _rounded((a * c * (b + d) - b * d * (a + c)) / (a * c - b * d))


GENERATORS = {
    "comp_n_gon": CompNGon,
    "comp_vertex_color": CompVertexColor,
    "geometry_polygon_chords": GeometryPolygonChords,
    "geometry_polygon_color": GeometryPolygonColor,
    "geometry_polygon_rotation": GeometryPolygonRotation,
}
