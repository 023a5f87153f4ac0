"""Random polygons: letters drawn from a bag, and vertices that are blue by chance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import comb, gcd

import numpy as np

from synthgen.authoring import LevelledListedFamily, Problem, RowDraws, Tree, Words, axis, filled
from synthgen.families.omega.polygons.colouring import counted, rotate

_WORDS = Words.beside(__file__)
_LETTERS = "abcdefghijmnpqrstuvwxyz"
"""Letters without k, which names numbers elsewhere, and two that resemble digits."""
Partition = tuple[int, ...]


@dataclass(frozen=True)
class CompNGon(LevelledListedFamily):
    """Letters drawn from a bag are placed on the vertices of a polygon, which is then rotated.

    By linearity, the expected number of coincidences is n times the chance that two tiles agree.

    Attributes:
        levels: Difficulty levels, 1 to 5; an empty list means all. The polygon has 3-4, 5-6, 7-8,
            9-10 or 11-12 vertices, the bag 4-6, 6-8, 8-10, 10-12 or 12-14 tiles.
        repeats: Addresses for each problem, to see it in other wordings and letters.
    """

    version = 3
    verifier = "comp_n_gon"
    domain = "omega"
    words = _WORDS.part("n_gon")
    symbols = {"rotated_all": 3, "rotated_letter": 4, "bag": (2, 6)}
    n_levels = 5
    level_is_canonical = True
    own_axes = {
        "n_sides": axis("sides of the polygon", 3, 12),
        "n_tiles": axis("tiles in the bag", 4, 14),
        "n_letters": axis("different letters", 2, 6),
    }
    _BAGS = (
        *(((3, 4), (4, 6), (2, 3)), ((5, 6), (6, 8), (2, 4)), ((7, 8), (8, 10), (3, 4))),
        *(((9, 10), (10, 12), (3, 5)), ((11, 12), (12, 14), (4, 6))),
    )
    """Vertices, tiles and different letters of each level."""

    def problems_at(self, level: int) -> Iterator[Problem]:
        """Combine polygons, bags of letters and rotations, up to the direction of rotation."""
        sides, tiles, letters = (range(low, high + 1) for low, high in self._BAGS[level - 1])
        for total in tiles:
            for kinds in letters:
                for counts in combinations_with_replacement(range(total, 0, -1), kinds):
                    for n in sides:
                        if sum(counts) == total and counts[0] > 1 and n <= total:
                            for turn in range(1, n // 2 + 1):
                                yield from self._questions(n, counts, turn)

    def _questions(self, n: int, counts: Partition, turn: int) -> Iterator[Problem]:
        """Yield the question about all letters, and one for each number of copies."""
        bag: Tree = ("bag", *counts)
        axes = {"n_sides": n, "n_tiles": sum(counts), "n_letters": len(counts)}
        yield Problem(
            tree=("rotated_all", n, turn, bag),
            answer=_sum_of_parts(_coincidences(n, counts, counts)),
            kind="all",
            axes=axes,
            data=(n, counts, turn, counts, 0),
        )
        for place, count in enumerate(counts):
            if count > 1 and (place == 0 or counts[place - 1] != count):
                yield Problem(
                    tree=("rotated_letter", n, turn, count, bag),
                    answer=_sum_of_parts(_coincidences(n, counts, (count,))),
                    kind="letter",
                    axes=axes,
                    data=(n, counts, turn, (count,), place),
                )

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Choose letters, a way to list the tiles, and the rotation or its inverse."""
        n, counts, turn, _, place = problem.data
        pool = list(_LETTERS)
        letters = [pool.pop(draws.integer(0, len(pool))) for _ in counts]
        turn = draws.choice((turn, n - turn))
        return {
            "n": n,
            "r": turn,
            "places": counted(turn, "place"),
            "seats": counted(turn, "seat"),
            "s": letters[place],
            "tiles": self._listed(letters, counts, draws),
        }

    def _listed(self, letters: list[str], counts: Partition, draws: RowDraws) -> str:
        """List the tiles of a bag in one of several styles, in random order."""
        one, many = self.words["tiles"]["one"], self.words["tiles"]["many"]
        bag = draws.shuffled(list(zip(letters, counts, strict=True)))
        style = draws.integer(0, len(one))
        if style == len(many):
            tiles = [letter for letter, count in bag for _ in range(count)]
            items = [filled(one[style], {"letter": letter}) for letter in draws.shuffled(tiles)]
        else:
            items = [
                filled((one if count == 1 else many)[style], {"letter": letter, "count": count})
                for letter, count in bag
            ]
        return f"{', '.join(items[:-1])} and {items[-1]}"

    def steps_of(self, problem: Problem) -> list[str]:
        """Count the pairs of equal tiles, and multiply by the vertices."""
        n, counts, _, chosen, _ = problem.data
        total = sum(counts)
        terms = " + ".join(f"{c} * {c - 1}" for c in chosen if c > 1)
        equal, pairs = sum(c * (c - 1) for c in chosen), total * (total - 1)
        return [
            f"equal pairs: {terms} = {equal} of {total} * {total - 1} = {pairs}",
            f"{n} * {equal}/{pairs} = {_reduced(Fraction(n * equal, pairs))}",
        ]


def _coincidences(n: int, counts: Partition, chosen: Partition) -> Fraction:
    """Return the expected number of vertices at which two tiles of a chosen letter meet."""
    total = sum(counts)
    return Fraction(n * sum(c * (c - 1) for c in chosen), total * (total - 1))


def _sum_of_parts(value: Fraction) -> str:
    """Return numerator plus denominator."""
    return str(value.numerator + value.denominator)


def _reduced(value: Fraction) -> str:
    """Return the last line of a solution: a value in lowest terms, and the sum of its parts."""
    top, bottom = value.numerator, value.denominator
    return f"{top}/{bottom}: {top} + {bottom} = {top + bottom}"


@dataclass(frozen=True)
class CompVertexColor(LevelledListedFamily):
    """Vertices that are blue at random, and a symmetry that moves all of them to red places.

    Attributes:
        levels: Difficulty levels, 1 to 5; an empty list means all. The polygon has 3-6, 7-8, 9-10,
            11-12 or 13-14 vertices.
        repeats: Addresses for each problem, to see it in other wordings.
    """

    version = 4
    verifier = "comp_vertex_color"
    domain = "omega"
    words = _WORDS.part("vertex")
    symbols = {
        **dict.fromkeys(("rotation_chance", "symmetry_chance"), 3),
        **dict.fromkeys(("rotation_count", "symmetry_count"), 2),
    }
    n_levels = 5
    level_is_canonical = True
    own_axes = {"n_sides": axis("sides of the polygon", 3, 14)}
    _SIDES = ((3, 6), (7, 8), (9, 10), (11, 12), (13, 14))

    def problems_at(self, level: int) -> Iterator[Problem]:
        """Combine polygons and chances of blue with denominators to 7, or numbers of vertices."""
        pairs = [(u, v) for v in range(2, 8) for u in range(1, v) if gcd(u, v) == 1]
        low, high = self._SIDES[level - 1]
        for n in range(low, high + 1):
            for kind in self.words.kinds:
                by_chance = kind.endswith("chance")
                works = _good_colourings(n)[: n + kind.startswith("symmetry")]
                good = [sum(counts) for counts in zip(*works, strict=True)]
                for case in pairs if by_chance else [(k,) for k in range(2, n // 2 + 1)]:
                    value = _chance(n, good, *case)
                    if 0 < value < 1:
                        yield Problem(
                            tree=(kind, n, *case),
                            answer=_sum_of_parts(value),
                            holes={"n": n, "k": case[0], "p": "/".join(map(str, case))},
                            kind=kind,
                            axes={"n_sides": n},
                            data=(n, works, case),
                        )

    def steps_of(self, problem: Problem) -> list[str]:
        """Count the good colorings by blue vertices and by the smallest rotation that works."""
        n, works, case = problem.data
        good = [sum(counts) for counts in zip(*works, strict=True)]
        sizes = range(n // 2 + 1) if len(case) == 2 else case
        lines = ["colourings by the smallest rotation that works, in vertices, or by reflection:"]
        for k in sizes:
            parts = [f"{turn} ({works[turn][k]})" for turn in range(n) if works[turn][k]]
            if len(works) > n and works[n][k]:
                parts.append(f"reflection ({works[n][k]})")
            lines.append(f"{k} blue: {', '.join(parts) or 'none'}; {good[k]} of {comb(n, k)}")
        if len(case) == 2:
            u, v = case
            top = sum(good[k] * u**k * (v - u) ** (n - k) for k in sizes)
            lines.append(f"{top} of {v}^{n} = {v**n}")
        return [*lines, _reduced(_chance(n, good, *case))]


def _chance(n: int, good: Sequence[int], first: int, second: int = 0) -> Fraction:
    """Return the probability for a chance first/second of blue, or for `first` blue vertices."""
    if not second:
        return Fraction(good[first], comb(n, first))
    odds = (first**k * (second - first) ** (n - k) for k in range(n + 1))
    return Fraction(sum(map(int.__mul__, good, odds)), second**n)


@cache
def _good_colourings(n: int) -> list[list[int]]:
    """Count the colorings, by blue vertices, that a symmetry takes to red.

    Returns:
        For each rotation by 0 to n - 1 vertices, those that it but no smaller one takes to red;
        last, those that only a reflection takes there.
    """
    blue = np.arange(1 << n)
    bits = blue >> np.arange(n)[:, None] & 1
    mirrored = (bits << np.arange(n)[::-1, None]).sum(axis=0)
    sizes, counts = bits.sum(axis=0), []
    done = np.zeros(1 << n, bool)
    for turn in range(n):
        works = ~done & (rotate(blue, turn, n) & blue == 0)
        counts.append(np.bincount(sizes[works], minlength=n + 1).tolist())
        done |= works
    works = np.zeros(1 << n, bool)
    for turn in range(n):
        works |= rotate(mirrored, turn, n) & blue == 0
    counts.append(np.bincount(sizes[works & ~done], minlength=n + 1).tolist())
    return counts
