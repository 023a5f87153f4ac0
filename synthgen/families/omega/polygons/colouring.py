"""Colored vertices of a regular polygon: the address is a number among all colorings.

Sets of vertices are bit masks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import product
from math import comb, gcd
from typing import Any, NamedTuple

import numpy as np

from synthgen.authoring import (
    Axis,
    Condition,
    DrawnFamily,
    Levels,
    ParamError,
    Problem,
    RowDraws,
    Rows,
    Tree,
    Words,
    bounded,
    one_of,
    params,
    stream_key,
)
from synthgen.authoring.compiled import U64, permutation_table, permute

MAX_SIDES = 30
_MAX_OPEN = 6
_KINDS = ("paint", "turn", "best")
_TURNS = {"paint": 2, "turn": 1, "best": 2}
"""Out of five addresses of a level, how many have each kind of question."""
_SLOTS = (("paint", 0), ("turn", 0), ("best", 0), ("paint", 1), ("best", 1))
"""Kind of each of the five addresses, and how many before it have that kind."""


class _Colouring(NamedTuple):
    """A colored polygon.

    Attributes:
        n: Number of sides.
        first, second: Vertices of the first and of the second color.
        turn: Rotation in question, or 0.
        names: Names of the uncolored vertices and of both colors.
    """

    n: int
    first: int
    second: int
    turn: int
    names: Sequence[str]

    @property
    def around(self) -> list[int]:
        """Color of each vertex: 1 or 2, or 0 if it is uncolored."""
        return [(self.first >> i & 1) + 2 * (self.second >> i & 1) for i in range(self.n)]

    @property
    def landings(self) -> list[int]:
        """Number of vertices that each rotation takes from the first color to the second."""
        turned = (rotate(self.first, turn, self.n) for turn in range(self.n))
        return [(image & self.second).bit_count() for image in turned]

    @property
    def paintings(self) -> list[tuple[tuple[int, ...], int | None]]:
        """The smallest rotation for every way to paint the uncolored vertices, if there is one.

        It takes no vertex of the first color to another one.
        """
        uncolored = [i for i, colour in enumerate(self.around) if not colour]
        paintings = []
        for choice in product((1, 2), repeat=len(uncolored)):
            painted = zip(uncolored, choice, strict=True)
            whole = self.first | sum(1 << i for i, colour in painted if colour == 1)
            turns = (t for t in range(self.n) if not rotate(whole, t, self.n) & whole)
            paintings.append((choice, next(turns, None)))
        return paintings


@dataclass(frozen=True)
class GeometryPolygonColor(Levels, DrawnFamily):
    """Red and blue vertices, say, that a rotation carries onto each other.

    Attributes:
        levels: Difficulty levels, 1 to 7, drawn with equal probability; an empty list means all.
            The polygon has 6 to 7, 8 to 9, ..., 14 to 15, 16 to 18 or 19 to 22 sides.
        min_size, max_size: Sides in place of those of the levels, 4 to 30; 0 for the levels'.
        n_open: Vertices to be painted, 1 to 6, in the questions that have some.
        repeats: Rounds of addresses, each of which has every problem, in other words and colors.
    """

    min_size: int = params.integer(0, 4, MAX_SIDES, or_zero=True, up_to="max_size")
    max_size: int = params.integer(0, 4, MAX_SIDES, or_zero=True)
    n_open: int = params.integer(3, 1, _MAX_OPEN)
    repeats: int = params.integer(1, 1, 10**9)

    version = 4
    verifier = "geometry_polygon_color"
    same_up_to = "turns and reflections of the polygon, names of the colors"
    domain = "omega"
    words = Words.beside(__file__).part("colour")
    symbols = {
        **dict.fromkeys(("a", "b", "open"), 0),
        "paint": (4, MAX_SIDES),
        "best": (4, MAX_SIDES),
        **{f"turn{n}": n + 1 for n in range(4, MAX_SIDES + 1)},
    }
    n_levels = 7
    _SIDES = ((6, 7), (8, 9), (10, 11), (12, 13), (14, 15), (16, 18), (19, 22))
    _MAX_ADDRESSES = 2**62

    def __post_init__(self) -> None:
        super().__post_init__()
        fewest = min(low for low, _ in self._ranges)
        if self.n_open > fewest - 2:
            raise ParamError("n_open", self.n_open, f"at most {fewest - 2} of {fewest} sides")
        if self.space > self._MAX_ADDRESSES:
            most = self._MAX_ADDRESSES // self._round
            raise ParamError("repeats", self.repeats, f"at most {most}")

    @property
    def _ranges(self) -> list[tuple[int, int]]:
        own = (self.min_size, self.max_size) if self.max_size else None
        return [own or self._SIDES[level - 1] for level in self.chosen_levels]

    @property
    def block(self) -> int:
        """Number of addresses that selection draws at a time."""
        return 8192

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """The level, the kind of question, and the number of sides."""
        lows, highs = zip(*self._ranges, strict=True)
        sides = Axis("sides of the polygon", low=min(lows), high=max(highs))
        return self.level_axis | dict(super().axes) | {"n_sides": sides}

    @cached_property
    def conditions(self) -> Mapping[str, Condition]:
        """Axes that params fix."""
        return {"level": one_of("levels"), "n_sides": bounded("min_size", "max_size")}

    @cached_property
    def _counts(self) -> list[dict[str, dict[int, int]]]:
        """Colorings of each level by kind and sides."""
        return [
            {
                "paint": {n: comb(n, self.n_open) * sum(self._firsts(n)) for n in sides},
                "turn": {n: (n - 1) << n for n in sides},
                "best": {n: 1 << n for n in sides},
            }
            for sides in (range(low, high + 1) for low, high in self._ranges)
        ]

    def _firsts(self, n: int) -> list[int]:
        """Return the ways to choose 1, 2, ... painted vertices of the first color.

        More than a third of the vertices hardly ever have a rotation that separates them.
        """
        most = _most_first(n, self.n_open)
        return [comb(n - self.n_open, k) for k in range(1, most + 1)]

    @property
    def _round(self) -> int:
        """Addresses enough for every coloring of every level and kind once."""
        groups = max(
            -(-sum(counts.values()) // _TURNS[kind])
            for kinds in self._counts
            for kind, counts in kinds.items()
        )
        return groups * len(self._ranges) * len(_SLOTS)

    @property
    def space(self) -> int:
        """Addresses enough for every coloring `repeats` times."""
        return self._round * self.repeats

    @property
    def fewest_problems(self) -> int:
        """The exact number of problems that differ by more than a symmetry."""
        sides = {n for low, high in self._ranges for n in range(low, high + 1)}
        return sum(_distinct(kind, n, self.n_open) for kind in _KINDS for n in sides)

    @property
    def restates(self) -> bool:
        """Whether each problem has several addresses."""
        return self.repeats > 1

    def make_all(self, rows: Rows) -> list[Problem | None]:
        """Look up the colorings with these numbers, in an order that depends on the stream."""
        names: list[str] = self.words["names"]
        choice = rows.branch("colours").draws()
        pairs = choice.integers(0, len(names) * (len(names) - 1)).tolist()
        made = []
        for address, pair in zip(rows.addresses.tolist(), pairs, strict=True):
            a, b = divmod(pair, len(names) - 1)
            known = self.words["open"], names[a], names[b + (b >= a)]
            made.append(self._problem(rows.stream, address, known))
        return made

    def _problem(self, stream: int, address: int, names: Sequence[str]) -> Problem | None:
        turns, cell = divmod(address, len(self._ranges) * len(_SLOTS))
        slot, place = divmod(cell, len(self._ranges))
        kind, before = _SLOTS[slot]
        counts = self._counts[place][kind]
        table = _table(stream, place, kind, sum(counts.values()))
        index = (turns * _TURNS[kind] + before) % sum(counts.values())
        number = int(permute(np.array([index], np.uint64), table)[0])
        n = next(iter(counts))
        while number >= counts[n]:
            number -= counts[n]
            n += 1
        whole = _Colouring(n, *self._unranked(kind, n, number), names)
        if not (whole.first and whole.second):
            return None
        return Problem(
            _tree(kind, whole),
            _answer(kind, whole),
            kind=kind,
            axes={"n_sides": n},
            difficulty=self.chosen_levels[place],
            data=whole,
        )

    def _unranked(self, kind: str, n: int, number: int) -> tuple[int, int, int]:
        """Return the vertices of the first and the second color, and the rotation."""
        full = (1 << n) - 1
        if kind != "paint":
            return number & full, full & ~number, (number >> n) + 1 if kind == "turn" else 0
        firsts = self._firsts(n)
        rest, colours = divmod(number, sum(firsts))
        count = 1
        while colours >= firsts[count - 1]:
            colours -= firsts[count - 1]
            count += 1
        uncolored = _subset(range(n), self.n_open, rest)
        painted = [i for i in range(n) if not uncolored >> i & 1]
        first = _subset(painted, count, colours)
        return first, full & ~first & ~uncolored, 0

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Name the color of each vertex."""
        del draws
        whole: _Colouring = problem.data
        _, a, b = whole.names
        colours = ", ".join([whole.names[colour] for colour in whole.around])
        places = counted(whole.turn, "place")
        return {"n": whole.n, "colours": colours, "a": a, "b": b, "m": whole.turn, "places": places}

    def steps_of(self, problem: Problem) -> list[str]:
        """Write what every rotation does, or one rotation for every way to paint."""
        whole: _Colouring = problem.data
        n, around = whole.n, whole.around
        if problem.kind == "turn":
            pairs = [(i, (i + whole.turn) % n) for i in range(n)]
            moved = [f"{i + 1} to {j + 1}" for i, j in pairs if (around[i], around[j]) == (1, 2)]
            return [", ".join(moved) or "none", f"count: {problem.answer}"]
        if problem.kind == "best":
            lines = [f"{turn}/{n} of a turn: {count}" for turn, count in enumerate(whole.landings)]
            return [*lines, f"largest: {problem.answer}"]
        lines = []
        for choice, turn in whole.paintings:
            colours = ", ".join(whole.names[colour] for colour in choice)
            lines.append(f"{colours}: {'none' if turn is None else f'{turn}/{n} of a turn'}")
        return [*lines, f"ways: {problem.answer}"]


@lru_cache(1 << 8)
def _table(stream: int, place: int, kind: str, size: int) -> U64:
    """Return the permutation of the colorings of a level and kind."""
    return permutation_table(stream_key(stream, place, _KINDS.index(kind)), size)


def _subset(items: Sequence[int], count: int, number: int) -> int:
    """Return the set of `count` items with a number, as bits.

    By the combinatorial number system: C(v, k) sets of k items use only the first v.
    """
    chosen = 0
    for place in range(len(items) - 1, -1, -1):
        if count and number >= comb(place, count):
            number -= comb(place, count)
            count -= 1
            chosen |= 1 << items[place]
    return chosen


def _tree(kind: str, whole: _Colouring) -> Tree:
    """Write the least image under all rotations and reflections, by rotation and masks.

    Where no vertex is uncolored, the two colors may change places: as many vertices land on the
    other color, forwards or backwards.
    """
    n, turn = whole.n, whole.turn
    first, second = (f"{mask:0{n}b}" * 2 for mask in (whole.first, whole.second))
    pairs = [(first, second), (first[::-1], second[::-1])]
    if kind != "paint":
        pairs += [(other, one) for one, other in pairs]
    best = min(one[i : i + n] + other[i : i + n] for one, other in pairs for i in range(n))
    colours = {"00": "open", "10": "a", "01": "b"}
    leaves = [colours[best[i] + best[i + n]] for i in range(n - 1, -1, -1)]
    return (f"turn{n}", min(turn, n - turn), *leaves) if kind == "turn" else (kind, *leaves)


def _answer(kind: str, whole: _Colouring) -> str:
    """Rotate the first color onto the second, or each way to paint onto itself."""
    if kind == "paint":
        return str(sum(turn is not None for _, turn in whole.paintings))
    return str(max(whole.landings) if kind == "best" else whole.landings[whole.turn])


def rotate(masks: Any, places: Any, n: Any) -> Any:
    """Return sets of vertices rotated by 0 to n - 1 places."""
    return (masks << places | masks >> (n - places)) & ((1 << n) - 1)


def counted(count: int, noun: str) -> str:
    """Return a number of things, as in "1 place" or "2 places"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


@cache
def _distinct(kind: str, n: int, n_open: int) -> int:
    """Return the number of problems, by Burnside's lemma over rotations and reflections.

    Vertices of only one color make no problem. Where none is open, colors may be exchanged, too,
    and each rotation and its inverse have every coloring.
    """
    turns = (gcd(n, places) for places in range(n))
    cycles = [[n // k] * k for k in turns]
    fixed = [1] * n if n % 2 else [0, 2] * (n // 2)
    cycles += [[1] * ones + [2] * ((n - ones) // 2) for ones in fixed]
    if kind == "paint":
        return sum(_fixed(lengths, n_open, _most_first(n, n_open)) for lengths in cycles) // (2 * n)
    same = sum((1 << len(lengths)) - 2 for lengths in cycles)
    exchanged = sum(1 << len(each) for each in cycles if not any(k % 2 for k in each))
    return (same + exchanged) // (4 * n) * (n // 2 if kind == "turn" else 1)


def _most_first(n: int, n_open: int) -> int:
    """Return the most painted vertices of the first color."""
    return max(1, n // 3 + 1 - n_open // 2)


def _fixed(cycles: list[int], n_open: int, most: int) -> int:
    """Count the colorings that are constant on each cycle: `n_open` open, 1 to `most` first."""
    ways = Counter({(0, 0): 1})
    for length in cycles:
        more: Counter[tuple[int, int]] = Counter()
        for (left_open, first), many in ways.items():
            for key in (
                (left_open, first),
                (left_open + length, first),
                (left_open, first + length),
            ):
                if key[0] <= n_open and key[1] <= most:
                    more[key] += many
        ways = more
    return sum(ways[n_open, first] for first in range(1, most + 1))
