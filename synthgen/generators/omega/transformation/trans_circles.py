"""OMEGA transformation: curvatures of circles that touch each other (Descartes' theorem)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import isqrt
from typing import ClassVar

from synthgen.core.contract import Axis
from synthgen.core.randomness import RowDraws
from synthgen.generators.omega._family import Made
from synthgen.generators.omega._listed import ListedFamily
from synthgen.generators.omega._numbers import Tree
from synthgen.generators.omega.composition._questions import N_WORDINGS, ask

_LARGEST = (12, 24, 40, 60, 90)
_CHAINS = (0, 3, 4, 5, 6)
"""Largest curvature of the given circles, and longest chain, of each level."""
_MOST_CHAIN = 6
_TEXTS = {
    "inner": (
        "Three circles have the radii <radii>, and each of them touches the other two from"
        " outside. A small circle in the gap between them touches all three. What is the"
        " reciprocal of its radius? Give an integer.",
        "The circles A, B and C with radii <radii> are pairwise tangent to each other, none of"
        " them lying inside another. A fourth circle lies in the region that is bounded by three"
        " arcs of A, B and C, and touches all of them. Find its curvature, that is one divided by"
        " its radius. Answer with an integer.",
        "Three coins with radii <radii> lie flat on a table such that every two of them touch. The"
        " largest coin that fits into the hole between them has the radius one divided by n. Find"
        " n, an integer.",
        "Discs of radii <radii> are placed in the plane without overlapping so that each touches"
        " both of the others. What is the curvature (the reciprocal of the radius) of the circle"
        " that is inscribed in the curved triangle between them? The answer is an integer.",
    ),
    "outer": (
        "Three circles have the radii <radii>, and each of them touches the other two from"
        " outside. A large circle contains all of them and touches all three. What is the"
        " reciprocal of its radius? Give an integer.",
        "The circles A, B and C with radii <radii> are pairwise tangent to each other, none of"
        " them lying inside another. A fourth circle goes around A, B and C, and touches each of"
        " them from outside. Find one divided by its radius. Answer with an integer.",
        "Three coins with radii <radii> lie flat on a table such that every two of them touch. A"
        " round hoop goes around them and touches all three, and its radius is one divided by n."
        " Find n, an integer.",
        "Discs of radii <radii> are placed in the plane without overlapping so that each touches"
        " both of the others. The circle around them that is tangent to all three has the radius"
        " r. What is one divided by r? The answer is an integer.",
    ),
    "line": (
        "Two circles have the radii <radii>, touch each other from outside, and both touch the"
        " same straight line. A small circle between them and the line touches both circles and"
        " the line. What is the reciprocal of its radius? Give an integer.",
        "The circles A and B with radii <radii> lie on the same side of a line, are tangent to it"
        " and to each other. A third circle lies in the region that is bounded by A, B and the"
        " line, and touches all of them. Find its curvature, that is one divided by its radius."
        " Answer with an integer.",
        "Two wheels with radii <radii> stand on level ground in one plane and touch each other."
        " The largest wheel that fits into the gap between the two and the ground, in the same"
        " plane, has the radius one divided by n. Find n, an integer.",
        "Discs of radii <radii> lie on a straight line, on the same side of it, and touch each"
        " other. What is the curvature (the reciprocal of the radius) of the circle that is"
        " inscribed in the gap between the line and the two discs? The answer is an integer.",
    ),
    "chain": (
        "Three circles have the radii <radii>, and each of them touches the other two from"
        " outside. A chain of circles begins in the gap between them: the first circle of the"
        " chain touches all three; each later circle of the chain lies in the gap between the"
        " given circles of radii <first> and <second> and the previous circle of the chain, and"
        " touches these three. What is the reciprocal of the radius of circle number <n> of the"
        " chain? Give an integer.",
        "The circles A, B and C with radii <first>, <second> and <third>, in this order, are"
        " pairwise tangent to each other, none of them lying inside another. Circle number one is"
        " inscribed in the region between A, B and C and touches all of them. Every following"
        " circle is inscribed in the region between A, B and the circle just before it, touching"
        " these three. Find one divided by the radius of circle number <n>. Answer with an"
        " integer.",
        "Three coins with radii <radii> lie flat on a table such that every two of them touch. Put"
        " the largest possible coin into the hole between them; then, again and again, the largest"
        " possible coin into the hole between the coin that was put in last and the original coins"
        " of radii <first> and <second>. The coin put in as number <n> has the radius one divided"
        " by k. Find k, an integer.",
        "Discs A, B and C of radii <first>, <second> and <third>, in this order, are placed in the"
        " plane without overlapping so that each touches both of the others. Inscribe a circle in"
        " the curved triangle between A, B and C, another one in the curved triangle between A, B"
        " and the circle just inscribed, and so on. What is the curvature (the reciprocal of the"
        " radius) of the inscribed circle number <n>? The answer is an integer.",
    ),
}


@dataclass(frozen=True)
class TransCircles(ListedFamily):
    """Circles that touch each other, all with integer curvatures.

    Curvatures a, b, c, d of four circles that touch each other satisfy (a + b + c + d)^2 =
    2(a^2 + b^2 + c^2 + d^2), so that d = a + b + c +- 2 sqrt(ab + bc + ca); a line has curvature
    zero, and a circle around the others a negative one.

    Attributes:
        levels: of difficulty, 1 to 5; none stand for all. The largest curvature given is at most
            12, 24, 40, 60 or 90; chains have up to 3, 4, 5 or 6 circles from level 2 on.
        repeats: addresses for each problem, to see it in other wordings.
    """

    version: ClassVar[int] = 1
    verifier: ClassVar[str] = "trans_circles"
    solutions: ClassVar[tuple[str, ...]] = ("none", "steps")
    n_levels: ClassVar[int] = len(_LARGEST)
    wordings: ClassVar[int] = N_WORDINGS
    level_is_canonical: ClassVar[bool] = True
    subtypes: ClassVar[tuple[str, ...]] = tuple(_TEXTS)
    symbols: ClassVar[Mapping[str, int]] = {
        "touch_inner": 3,
        "touch_outer": 3,
        "touch_line": 2,
        "touch_chain": 4,
    }

    @property
    def own_axes(self) -> Mapping[str, Axis]:
        """The largest curvature given, and the length of the chain."""
        return {
            "max_curvature": Axis("largest curvature given", low=1, high=_LARGEST[-1]),
            "n_circles": Axis("circles to be found one after another", low=1, high=_MOST_CHAIN),
        }

    def list_level(self, level: int) -> Iterator[Made]:
        """Make the problems that need this level for their curvatures or their chain."""
        for a, b, c in _triples():
            if c > _LARGEST[level - 1]:
                continue
            lowest = next(i + 1 for i, largest in enumerate(_LARGEST) if c <= largest)
            root = 2 * isqrt(a * b + b * c + c * a)
            if a == 0 and lowest == level:
                yield _made("line", (b, c), b + c + root, 1)
            if a == 0:
                continue
            if lowest == level:
                yield _made("inner", (a, b, c), a + b + c + root, 1)
                if root > a + b + c:
                    yield _made("outer", (a, b, c), root - a - b - c, 1)
            for length in range(2, _CHAINS[level - 1] + 1):
                needed = next(i + 1 for i, longest in enumerate(_CHAINS) if length <= longest)
                if max(lowest, needed) != level:
                    continue
                for first, second, third in sorted({(a, b, c), (a, c, b), (b, c, a)}):
                    chain = _chain(first, second, third, length)
                    yield _made("chain", (first, second, third), chain[-1], length)

    def tell(self, made: Made, wording: int, draws: RowDraws) -> str:
        """Give the radii as fractions, in an order of the text's own."""
        kind = self.subtypes[made.subtype]
        given, length = made.facts
        radii = [_radius(value) for value in given]
        pair = draws.shuffled(radii[:2])
        *most, last = draws.shuffled(radii)
        return ask(
            _TEXTS,
            kind,
            wording,
            radii=f"{', '.join(most)} and {last}",
            first=pair[0],
            second=pair[1],
            third=radii[-1],
            n=length,
        )

    def steps(self, made: Made) -> str:
        """Write Descartes' sum under the root, and the curvatures one after the other."""
        kind = self.subtypes[made.subtype]
        given, length = made.facts
        a, b, c = given if kind != "line" else (0, *given)
        inside = a * b + b * c + c * a
        root = isqrt(inside)
        lines = [f"{a} * {b} + {b} * {c} + {c} * {a} = {inside} = {root}^2"]
        if kind == "outer":
            return f"{lines[0]}\n2 * {root} - {a + b + c} = {made.answer}"
        chain = _chain(a, b, c, length)
        lines.append(f"{a + b + c} + 2 * {root} = {chain[0]}")
        before = c
        for old, new in pairwise(chain):
            lines.append(f"2 * ({a} + {b} + {old}) - {before} = {new}")
            before = old
        return "\n".join(lines)


@cache
def _triples() -> tuple[tuple[int, int, int], ...]:
    """Return a <= b <= c with a root of ab + bc + ca that is an integer; a is zero for a line."""
    end = _LARGEST[-1] + 1
    return tuple(
        (a, b, c)
        for c in range(1, end)
        for b in range(1, c + 1)
        for a in range(b + 1)
        if isqrt(a * b + b * c + c * a) ** 2 == a * b + b * c + c * a
    )


def _chain(a: int, b: int, c: int, length: int) -> list[int]:
    """Return the curvatures of circles between a, b and the one before, which begins with c."""
    chain = [a + b + c + 2 * isqrt(a * b + b * c + c * a)]
    before = c
    while len(chain) < length:
        before, new = chain[-1], 2 * (a + b + chain[-1]) - before
        chain.append(new)
    return chain


def _made(kind: str, given: tuple[int, ...], answer: int, length: int) -> Made:
    if kind == "chain" and given[0] > given[1]:
        given = (given[1], given[0], given[2])
    numbers = (*given, length) if kind == "chain" else given
    tree: Tree = (f"touch_{kind}", *numbers)
    axes = {"max_curvature": max(given), "n_circles": length}
    return Made(tree, str(answer), (given, length), tuple(_TEXTS).index(kind), axes)


def _radius(curvature: int) -> str:
    return f"1/{curvature}" if curvature > 1 else "1"


GENERATOR = TransCircles
