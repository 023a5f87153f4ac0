"""OMEGA composition: the probability that a symmetry carries blue vertices onto red ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb, gcd
from typing import ClassVar

import numpy as np

from synthgen.core.contract import Axis
from synthgen.core.randomness import RowDraws
from synthgen.generators.omega._family import Made
from synthgen.generators.omega._listed import ListedFamily
from synthgen.generators.omega.composition._questions import (
    N_WORDINGS,
    ask,
    parts_sum,
    sum_steps,
)

_SIDES = ((3, 6), (7, 8), (9, 10), (11, 12), (13, 14))
_MOST_SIDES, _MOST_DENOMINATOR = 14, 7
_TEXTS = {
    "rotation_chance": (
        "Each vertex of a regular <n>-gon is painted blue with probability <p> and red otherwise,"
        " independently of the others. What is the probability that the <n>-gon can be rotated"
        " about its centre so that all blue vertices come to places where red vertices were before"
        " (which is so if there are no blue ones)? <ending>",
        "A round table has <n> seats at equal distances. Each seat gets a blue cushion with"
        " probability <p>, else a red one, independently. Consider the event that all cushions can"
        " be moved on by the same number of seats such that every blue cushion arrives at a seat"
        " that had a red one; a table without blue cushions counts as such. Find the probability"
        " of this event. <ending>",
        "The vertices of a regular polygon with <n> sides are coloured at random: each is blue with"
        " probability <p> and red if not, independently. Find the chance that at least one rotation"
        " of the polygon onto itself takes the set of blue vertices into the set of red vertices."
        " (The empty set is contained in every set.) <ending>",
        "<n> lamps stand at equal distances around a wheel, and each of them is blue with"
        " probability <p>, otherwise red, independently of all others. How likely is it that the"
        " wheel can be turned so that each blue lamp takes the place that a red lamp had at first?"
        " If no lamp is blue, this counts as possible. <ending>",
    ),
    "symmetry_chance": (
        "Each vertex of a regular <n>-gon is painted blue with probability <p> and red otherwise,"
        " independently of the others. What is the probability that the <n>-gon can be rotated"
        " about its centre, or reflected in one of its axes of symmetry, so that all blue vertices"
        " come to places where red vertices were before (which is so if there are no blue ones)?"
        " <ending>",
        "A round table has <n> seats at equal distances. Each seat gets a blue cushion with"
        " probability <p>, else a red one, independently. Consider the event that all cushions can"
        " be moved on by the same number of seats, or swapped as by a mirror through the centre of"
        " the table that maps seats to seats, such that every blue cushion arrives at a seat that"
        " had a red one; a table without blue cushions counts as such. Find the probability of"
        " this event. <ending>",
        "The vertices of a regular polygon with <n> sides are coloured at random: each is blue with"
        " probability <p> and red if not, independently. Find the chance that at least one symmetry"
        " of the polygon, a rotation or a reflection, takes the set of blue vertices into the set"
        " of red vertices. (The empty set is contained in every set.) <ending>",
        "<n> lamps stand at equal distances around a glass wheel, and each of them is blue with"
        " probability <p>, otherwise red, independently of all others. How likely is it that the"
        " wheel can be turned, or flipped over and turned, so that each blue lamp takes the place"
        " that a red lamp had at first? If no lamp is blue, this counts as possible. <ending>",
    ),
    "rotation_count": (
        "<k> of the vertices of a regular <n>-gon are chosen at random, all choices being equally"
        " likely, and painted blue; the other vertices are painted red. What is the probability"
        " that the <n>-gon can be rotated about its centre so that all blue vertices come to places"
        " where red vertices were before? <ending>",
        "A round table has <n> seats at equal distances. <k> blue cushions and red ones for the"
        " rest are laid on the seats in a uniformly random order. Consider the event that all"
        " cushions can be moved on by the same number of seats such that every blue cushion arrives"
        " at a seat that had a red one. Find the probability of this event. <ending>",
        "In a regular polygon with <n> sides, a uniformly random set of <k> vertices is blue and"
        " all other vertices are red. Find the chance that at least one rotation of the polygon"
        " onto itself takes the set of blue vertices into the set of red vertices. <ending>",
        "<n> lamps stand at equal distances around a wheel; <k> of them are blue and the others"
        " red, each arrangement being equally likely. How likely is it that the wheel can be turned"
        " so that each blue lamp takes the place that a red lamp had at first? <ending>",
    ),
    "symmetry_count": (
        "<k> of the vertices of a regular <n>-gon are chosen at random, all choices being equally"
        " likely, and painted blue; the other vertices are painted red. What is the probability"
        " that the <n>-gon can be rotated about its centre, or reflected in one of its axes of"
        " symmetry, so that all blue vertices come to places where red vertices were before?"
        " <ending>",
        "A round table has <n> seats at equal distances. <k> blue cushions and red ones for the"
        " rest are laid on the seats in a uniformly random order. Consider the event that all"
        " cushions can be moved on by the same number of seats, or swapped as by a mirror through"
        " the centre of the table that maps seats to seats, such that every blue cushion arrives"
        " at a seat that had a red one. Find the probability of this event. <ending>",
        "In a regular polygon with <n> sides, a uniformly random set of <k> vertices is blue and"
        " all other vertices are red. Find the chance that at least one symmetry of the polygon, a"
        " rotation or a reflection, takes the set of blue vertices into the set of red vertices."
        " <ending>",
        "<n> lamps stand at equal distances around a glass wheel; <k> of them are blue and the"
        " others red, each arrangement being equally likely. How likely is it that the wheel can be"
        " turned, or flipped over and turned, so that each blue lamp takes the place that a red"
        " lamp had at first? <ending>",
    ),
}


@dataclass(frozen=True)
class CompVertexColor(ListedFamily):
    """Vertices are blue at random; does a rotation carry all of them to red places?

    Attributes:
        levels: of difficulty, 1 to 5; none stand for all. The polygon has 3-6, 7-8, 9-10, 11-12 or
            13-14 vertices.
        repeats: addresses for each problem, to see it in other wordings.
    """

    version: ClassVar[int] = 1
    verifier: ClassVar[str] = "comp_vertex_color"
    solutions: ClassVar[tuple[str, ...]] = ("none", "steps")
    n_levels: ClassVar[int] = len(_SIDES)
    wordings: ClassVar[int] = N_WORDINGS
    level_is_canonical: ClassVar[bool] = True
    subtypes: ClassVar[tuple[str, ...]] = tuple(_TEXTS)
    symbols: ClassVar[Mapping[str, int]] = {
        "rotation_chance": 3,
        "symmetry_chance": 3,
        "rotation_count": 2,
        "symmetry_count": 2,
    }

    @property
    def own_axes(self) -> Mapping[str, Axis]:
        """How many sides the polygon has."""
        return {"n_sides": Axis("sides of the polygon", low=3, high=_MOST_SIDES)}

    def list_level(self, level: int) -> Iterator[Made]:
        """Make the problems: chances of blue with small denominators, and numbers of vertices."""
        low, high = _SIDES[level - 1]
        for n in range(low, high + 1):
            for kind, name in enumerate(self.subtypes):
                good = _good(n)[kind % 2]
                cases = _chances() if kind < 2 else [(k, 0) for k in range(2, n // 2 + 1)]
                for first, second in cases:
                    value = _probability(n, good, first, second)
                    if 0 < value < 1:
                        tree = (name, n, first, second) if second else (name, n, first)
                        facts = (n, first, second)
                        yield Made(tree, parts_sum(value), facts, kind, {"n_sides": n})

    def tell(self, made: Made, wording: int, draws: RowDraws) -> str:
        """Describe the colouring, and ask."""
        del draws
        n, first, second = made.facts
        kind = self.subtypes[made.subtype]
        return ask(_TEXTS, kind, wording, n=n, p=f"{first}/{second}", k=first)

    def steps(self, made: Made) -> str:
        """Tell how many colourings are good for each number of blue vertices."""
        n, first, second = made.facts
        good = _good(n)[made.subtype % 2]
        value = sum_steps(_probability(n, good, first, second))
        if not second:
            return f"{first} blue: {good[first]} of {comb(n, first)}\n{value}"
        lines = [f"{k} blue: {good[k]} of {comb(n, k)}" for k in range(n // 2 + 1)]
        top = sum(good[k] * first**k * (second - first) ** (n - k) for k in range(n // 2 + 1))
        return "\n".join([*lines, f"{top} of {second}^{n} = {second**n}", value])


def _chances() -> list[tuple[int, int]]:
    pairs = [(u, v) for v in range(2, _MOST_DENOMINATOR + 1) for u in range(1, v)]
    return [(u, v) for u, v in pairs if gcd(u, v) == 1]


def _probability(n: int, good: tuple[int, ...], first: int, second: int) -> Fraction:
    """Return the probability for a chance first/second of blue, or for `first` blue vertices."""
    if not second:
        return Fraction(good[first], comb(n, first))
    odds = [first**k * (second - first) ** (n - k) for k in range(n + 1)]
    return Fraction(sum(map(int.__mul__, good, odds)), second**n)


@cache
def _good(n: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Count, by blue vertices, the colourings that a rotation carries to red, or any symmetry."""
    blue = np.arange(1 << n, dtype=np.int64)
    mirrored = sum((blue >> i & 1) << (n - 1 - i) for i in range(n))
    ones = sum(blue >> i & 1 for i in range(n))
    turned, either = np.zeros(1 << n, bool), np.zeros(1 << n, bool)
    for turn in range(n):
        for image, found in ((blue, turned), (mirrored, either)):
            moved = (image << turn | image >> (n - turn)) & ((1 << n) - 1)
            found |= (moved & blue) == 0
    counts = [
        np.bincount(np.asarray(ones)[good], minlength=n + 1) for good in (turned, turned | either)
    ]
    return tuple(counts[0].tolist()), tuple(counts[1].tolist())


GENERATOR = CompVertexColor
