"""Colored vertices of a regular polygon: the address is a number among all colorings.

Sets of vertices are bit masks in arrays of int64, for all rows at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from math import comb, gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthgen.authoring import Problem, Rows, Words, params
from synthgen.authoring.family import Levels, TextFamily
from synthgen.authoring.trees import LARGEST_LEAF
from synthgen.contract.interfaces import Problems, Render, Texts
from synthgen.core.columns import Ragged, offsets_of
from synthgen.core.errors import ParamError
from synthgen.draws.permutation import permutation_table, permute
from synthgen.draws.randomness import stream_key
from synthgen.rules.axes import Axis
from synthgen.rules.conditions import Condition, bounded, one_of
from synthgen.trees.content_keys import derivation_keys

MAX_SIDES = 30
_MAX_OPEN = 6
_KINDS = PAINT, TURN, BEST = range(3)
_KIND_OF_SLOT = np.array([PAINT, TURN, BEST, PAINT, BEST])
"""Out of five addresses of a level, two paint, one turns and two need the best rotation."""
_TIMES_OF_KIND = np.array([2, 1, 2])
_TIME_OF_SLOT = np.array([0, 0, 0, 1, 1])
_N_SLOTS = len(_KIND_OF_SLOT)
_SECOND = 32
"""Two masks are compared as one number, the first of them this many bits higher."""
_MAX_FIRST = MAX_SIDES // 3 + 1
_WAYS = np.array([[comb(v, k) for k in range(_MAX_FIRST + 1)] for v in range(MAX_SIDES)])
Masks = NDArray[np.int64]


@dataclass(frozen=True)
class GeometryPolygonColor(Levels, TextFamily):
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

    version = 3
    verifier = "geometry_polygon_color"
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
        """Enough rows for numpy, and few enough for small builds and several workers."""
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
    def _counts(self) -> Masks:
        """Colourings by level, kind and sides."""
        counts = np.zeros((len(self._ranges), len(_KINDS), MAX_SIDES + 1), np.int64)
        for place, (low, high) in enumerate(self._ranges):
            for n in range(low, high + 1):
                paint = comb(n, self.n_open) * int(self._firsts[n].sum())
                counts[place, :, n] = paint, (n - 1) << n, 1 << n
        return counts

    @cached_property
    def _firsts(self) -> Masks:
        """Ways to choose 1, 2, ... painted vertices of the first color, for each n.

        More than a third of the vertices hardly ever have a rotation that separates them.
        """
        firsts = np.zeros((MAX_SIDES + 1, _MAX_FIRST + 1), np.int64)
        for n in range(self.n_open + 2, MAX_SIDES + 1):
            most = _most_first(n, self.n_open)
            firsts[n, 1 : most + 1] = [comb(n - self.n_open, k) for k in range(1, most + 1)]
        return firsts

    @property
    def _round(self) -> int:
        """Addresses enough for every coloring of every level and kind once."""
        groups = -(-self._counts.sum(axis=2) // _TIMES_OF_KIND)
        return int(groups.max()) * len(self._ranges) * _N_SLOTS

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

    def draw(self, rows: Rows) -> Problems:
        """Look up the colorings with these numbers, in an order that depends on the stream."""
        place, kind, n, number = self._numbered(rows)
        first, second, turn = self._unranked(kind, n, number)
        codes = self._codes(kind, n, first, second, turn)
        levels = np.array(self.chosen_levels)[place]
        columns = {"level": levels, "subtype": kind, "n_sides": n}
        return Problems(
            rows=rows,
            derivations=codes,
            keys=derivation_keys(codes, self.signature, self.domain),
            axes={name: column.astype(np.int16) for name, column in columns.items()},
            difficulty=levels.astype(np.int16),
            valid=(first != 0) & (second != 0),
            parts={"kind": kind, "n": n, "first": first, "second": second, "turn": turn},
        )

    def _numbered(self, rows: Rows) -> tuple[Masks, Masks, Masks, Masks]:
        """Return the place of the level, the kind, the sides, and which coloring it is."""
        addresses = rows.addresses.astype(np.int64)
        place, slot = addresses % len(self._ranges), addresses // len(self._ranges) % _N_SLOTS
        kind = _KIND_OF_SLOT[slot]
        turns = addresses // (len(self._ranges) * _N_SLOTS)
        number = turns * _TIMES_OF_KIND[kind] + _TIME_OF_SLOT[slot]
        n = np.zeros(len(rows), np.int64)
        for cell in np.unique(place * len(_KINDS) + kind).tolist():
            level, asked = divmod(cell, len(_KINDS))
            mine = (place == level) & (kind == asked)
            ends = self._counts[level, asked].cumsum()
            table = permutation_table(stream_key(rows.stream, level, asked), int(ends[-1]))
            drawn = permute((number[mine] % ends[-1]).astype(np.uint64), table).astype(np.int64)
            n[mine] = np.searchsorted(ends, drawn, side="right")
            number[mine] = drawn - (ends - self._counts[level, asked])[n[mine]]
        return place, kind, n, number

    def _unranked(self, kind: Masks, n: Masks, number: Masks) -> tuple[Masks, Masks, Masks]:
        """Return the vertices of the first and the second color, and the rotation."""
        full = (1 << n) - 1
        paints = kind == PAINT
        first = np.where(paints, 0, number & full)
        second = np.where(paints, 0, full & ~first)
        ends = self._firsts[n].cumsum(axis=1)
        rest, colours = np.divmod(number, np.maximum(ends[:, -1], 1))
        firsts = np.where(paints, (ends <= colours[:, None]).sum(axis=1), 0)
        colours -= np.where(paints, ends[np.arange(len(n)), np.maximum(firsts, 1) - 1], 0)
        left = np.where(paints, self.n_open, 0)
        # Combinatorial number system: C(v, k) sets of k vertices use only vertices below v.
        for vertex in range(int(n.max(initial=0)) - 1, -1, -1):
            here = paints & (vertex < n)
            is_open = here & (left > 0) & (rest >= _WAYS[vertex, left])
            rest -= np.where(is_open, _WAYS[vertex, left], 0)
            left -= is_open
            ways = _WAYS[np.maximum(vertex - left, 0), firsts]
            is_first = here & ~is_open & (firsts > 0) & (colours >= ways)
            colours -= np.where(is_first, ways, 0)
            firsts -= is_first
            first |= is_first.astype(np.int64) << vertex
            second |= (here & ~is_open & ~is_first).astype(np.int64) << vertex
        return first, second, np.where(kind == TURN, (number >> n) + 1, 0)

    def _codes(self, kind: Masks, n: Masks, first: Masks, second: Masks, turn: Masks) -> Ragged:
        """Write the least image under all rotations and reflections, by rotation and masks.

        Where no vertex is uncolored, the two colors may change places: as many vertices land on
        the other color, forwards or backwards.
        """
        best = np.full(len(n), np.iinfo(np.int64).max)
        flipped = _reversed(first, n), _reversed(second, n)
        whole, always = kind != PAINT, np.ones(len(n), bool)
        for one, other, counts in (
            *((first, second, always), (*flipped, always)),
            *((second, first, whole), (*flipped[::-1], whole)),
        ):
            for places in range(int(n.max(initial=0))):
                image = rotate(one, places % n, n) << _SECOND | rotate(other, places % n, n)
                best = np.where(counts & (image < best), image, best)
        code = self.signature.code
        heads = np.zeros((len(_KINDS), MAX_SIDES + 1), np.uint16)
        for number, name in enumerate(("paint", "turn", "best")):
            heads[number, 4:] = [code[f"{name}{sides}"] for sides in range(4, MAX_SIDES + 1)]
        leaves = np.array([code[name] for name in ("open", "a", "b")])[
            _colours(best >> _SECOND, best)
        ]
        turns = np.minimum(turn, n - turn) + LARGEST_LEAF
        table = np.column_stack((heads[kind, n], turns, leaves)).astype(np.uint16)
        wanted = np.column_stack((n > 0, kind == TURN, np.arange(MAX_SIDES) < n[:, None]))
        return Ragged(table[wanted], offsets_of(wanted.sum(axis=1)))

    def render(self, problems: Problems, style: Render) -> Texts:
        """Name the colors and render every problem."""
        names: list[str] = self.words["names"]
        choice = problems.rows.branch("colours").draws()
        pairs = choice.integers(0, len(names) * (len(names) - 1)).tolist()
        parts = problems.parts
        around = _colours(parts["first"], parts["second"]).tolist()
        columns = [parts[name].tolist() for name in ("kind", "n", "turn")]
        answers = _answers(parts).tolist()
        made = []
        for kind, n, turn, numbers, answer, pair in zip(
            *columns, around, answers, pairs, strict=True
        ):
            a, b = divmod(pair, len(names) - 1)
            known = self.words["open"], names[a], names[b + (b >= a)]
            colours = [known[number] for number in numbers[:n]]
            holes = {"n": n, "colours": ", ".join(colours), "a": known[1], "b": known[2]}
            if kind == TURN:
                holes |= {"m": turn, "places": counted(turn, "place")}
            data = (colours, known, turn)
            made.append(Problem((), str(answer), holes, self.words.kinds[kind], data=data))
        return self.write(problems.rows, made, [one.answer for one in made], style)

    def steps_of(self, problem: Problem) -> list[str]:
        """Write what every rotation does, or one rotation for every way to paint."""
        colours, (_, first, second), turn = problem.data
        n = len(colours)
        if problem.kind == "paint":
            return [*_painted(colours, first, second), f"ways: {problem.answer}"]
        if problem.kind == "turn":
            pairs = [(i, (i + turn) % n) for i in range(n)]
            moved = [f"{i + 1} to {j + 1}" for i, j in pairs if colours[i] == first != colours[j]]
            return [", ".join(moved) or "none", f"count: {problem.answer}"]
        counts = [
            sum(colours[i] == first and colours[(i + turn) % n] == second for i in range(n))
            for turn in range(n)
        ]
        lines = [f"{turn}/{n} of a turn: {count}" for turn, count in enumerate(counts)]
        return [*lines, f"largest: {problem.answer}"]


def rotate(masks: Any, places: Any, n: Any) -> Any:
    """Return sets of vertices rotated by 0 to n - 1 places."""
    return (masks << places | masks >> (n - places)) & ((1 << n) - 1)


def counted(count: int, noun: str) -> str:
    """Return a number of things, as in "1 place" or "2 places"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _reversed(masks: Masks, n: Masks) -> Masks:
    """Return the mirror images of sets of vertices."""
    other = np.zeros_like(masks)
    for vertex in range(int(n.max(initial=0))):
        other = np.where(vertex < n, other << 1 | (masks >> vertex & 1), other)
    return other


def _colours(first: Masks, second: Masks) -> Masks:
    """Return 1 or 2 for vertices in the first or the second set, else 0; (rows, MAX_SIDES)."""
    vertices = np.arange(MAX_SIDES)
    return (first[:, None] >> vertices & 1) + 2 * (second[:, None] >> vertices & 1)


def _answers(parts: Mapping[str, Masks]) -> Masks:
    """Rotate the first color onto the second, or each way to paint onto itself."""
    kind, n, first, second, turn = (parts[k] for k in ("kind", "n", "first", "second", "turn"))
    answers: Masks = np.bitwise_count(rotate(first, turn, n) & second).astype(np.int64)
    for places in range(int(n.max(initial=0)) // 2 + 1):  # rotating back does the same
        landed = np.bitwise_count(rotate(first, places % n, n) & second)
        answers = np.where(kind == BEST, np.maximum(answers, landed), answers)
    mine = kind == PAINT
    answers[mine] = _ways(n[mine], first[mine], second[mine])
    return answers


def _ways(n: Masks, first: Masks, second: Masks) -> Masks:
    """Count the ways to paint for which some rotation takes the first color away from itself."""
    free = ((1 << n) - 1) & ~(first | second)
    ways: Masks = np.zeros(len(n), np.int64)
    part = free.copy()
    for _ in range(1 << int(np.bitwise_count(free).max(initial=0))):  # every subset of `free`
        painted, works = first | part, np.zeros(len(n), bool)
        for places in range(int(n.max(initial=0)) // 2 + 1):
            works |= rotate(painted, places % n, n) & painted == 0
        ways += works
        part = (part - 1) & free
    return ways


def _painted(colours: list[str], first: str, second: str) -> list[str]:
    """Name the smallest rotation for every way to paint the open vertices, if there is one."""
    n, lines = len(colours), []
    open_places = [i for i in range(n) if colours[i] not in (first, second)]
    for choice in product((first, second), repeat=len(open_places)):
        whole = list(colours)
        for place, colour in zip(open_places, choice, strict=True):
            whole[place] = colour
        starts = [i for i in range(n) if whole[i] == first]
        turns = (t for t in range(n) if all(whole[(i + t) % n] != first for i in starts))
        turn = next(turns, None)
        lines.append(f"{', '.join(choice)}: {'none' if turn is None else f'{turn}/{n} of a turn'}")
    return lines


@cache
def _distinct(kind: int, n: int, n_open: int) -> int:
    """Return the number of problems, by Burnside's lemma over rotations and reflections.

    Vertices of only one color make no problem. Where none is open, colors may be exchanged, too,
    and each rotation and its inverse have every coloring.
    """
    turns = (gcd(n, places) for places in range(n))
    cycles = [[n // k] * k for k in turns]
    fixed = [1] * n if n % 2 else [0, 2] * (n // 2)
    cycles += [[1] * ones + [2] * ((n - ones) // 2) for ones in fixed]
    if kind == PAINT:
        return sum(_fixed(lengths, n_open, _most_first(n, n_open)) for lengths in cycles) // (2 * n)
    same = sum((1 << len(lengths)) - 2 for lengths in cycles)
    exchanged = sum(1 << len(each) for each in cycles if not any(k % 2 for k in each))
    return (same + exchanged) // (4 * n) * (n // 2 if kind == TURN else 1)


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
