"""OMEGA composition: the expected number of equal letters that meet when a polygon is rotated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from synthgen.core.contract import Axis
from synthgen.core.randomness import RowDraws
from synthgen.generators.omega._family import Made
from synthgen.generators.omega._listed import ListedFamily, letter
from synthgen.generators.omega._numbers import Tree
from synthgen.generators.omega.combinatorics._partitions import (
    Partition,
    letters_text,
    partitions,
)
from synthgen.generators.omega.composition._questions import (
    N_WORDINGS,
    ask,
    parts_sum,
    sum_steps,
)

_LEVELS = (
    *(((3, 4), (4, 6), (2, 3)), ((5, 6), (6, 8), (2, 4)), ((7, 8), (8, 10), (3, 4))),
    *(((9, 10), (10, 12), (3, 5)), ((11, 12), (12, 14), (4, 6))),
)
"""Vertices, tiles and different letters, from and to, of each level."""
_MOST_SIDES, _MOST_TILES, _MOST_LETTERS = 12, 14, 6
_TEXTS = {
    "all": (
        "A bag holds <tiles>. <n> of these tiles are drawn at random without replacement and laid,"
        " clockwise and in the order in which they are drawn, on the vertices of a regular"
        " <n>-gon. A copy of the lettered polygon is turned clockwise by <r> vertices about its"
        " centre and laid on top of it. Take the expected number of vertices at which the two"
        " polygons show the same letter. <ending>",
        "From the letter tiles <tiles>, <n> are picked blindly, without putting any back, and one"
        " is attached to each vertex of a regular polygon with <n> sides, every assignment being"
        " equally likely. Then the polygon is rotated about its centre so that each vertex moves"
        " clockwise to the place of the vertex <r> places further on. What is the expected number"
        " of places that show the same letter before and after the rotation? <ending>",
        "There are tiles with the letters <tiles>. A uniformly random choice of <n> of them, in"
        " random order, is set around a round table with <n> seats, one on each seat. All of them"
        " are then moved clockwise by <r> seats. Find the expected number of seats on which the"
        " new tile has the letter of the old one. <ending>",
        "Tiles: <tiles>. The corners of a regular <n>-gon are labelled by drawing <n> of the tiles"
        " at random without replacement. The polygon, with its labels, is turned by <r> times the"
        " angle between neighbouring corners as seen from the centre. On average, how many corners"
        " come to rest where a corner with an equal label was before? <ending>",
    ),
    "letter": (
        "A bag holds <tiles>. <n> of these tiles are drawn at random without replacement and laid,"
        " clockwise and in the order in which they are drawn, on the vertices of a regular"
        " <n>-gon. A copy of the lettered polygon is turned clockwise by <r> vertices about its"
        " centre and laid on top of it. Take the expected number of vertices at which both polygons"
        " show the letter <s>. <ending>",
        "From the letter tiles <tiles>, <n> are picked blindly, without putting any back, and one"
        " is attached to each vertex of a regular polygon with <n> sides, every assignment being"
        " equally likely. Then the polygon is rotated about its centre so that each vertex moves"
        " clockwise to the place of the vertex <r> places further on. What is the expected number"
        " of places that show the letter <s> both before and after the rotation? <ending>",
        "There are tiles with the letters <tiles>. A uniformly random choice of <n> of them, in"
        " random order, is set around a round table with <n> seats, one on each seat. All of them"
        " are then moved clockwise by <r> seats. Find the expected number of seats on which both"
        " the old tile and the new one have the letter <s>. <ending>",
        "Tiles: <tiles>. The corners of a regular <n>-gon are labelled by drawing <n> of the tiles"
        " at random without replacement. The polygon, with its labels, is turned by <r> times the"
        " angle between neighbouring corners as seen from the centre. On average, how many corners"
        " labelled <s> come to rest where another corner labelled <s> was before? <ending>",
    ),
}


@dataclass(frozen=True)
class CompNGon(ListedFamily):
    """Letters drawn from a bag go to the vertices of a polygon, which is rotated onto itself.

    By linearity the expected number of coincidences is n times the chance that two tiles are equal.

    Attributes:
        levels: of difficulty, 1 to 5; none stand for all. The polygon has 3-4, 5-6, 7-8, 9-10 or
            11-12 vertices, the bag 4-6, 6-8, 8-10, 10-12 or 12-14 tiles.
        repeats: addresses for each problem, to see it in other wordings and letters.
    """

    version: ClassVar[int] = 1
    verifier: ClassVar[str] = "comp_n_gon"
    solutions: ClassVar[tuple[str, ...]] = ("none", "steps")
    n_levels: ClassVar[int] = len(_LEVELS)
    wordings: ClassVar[int] = N_WORDINGS
    n_letters: ClassVar[int] = _MOST_LETTERS
    level_is_canonical: ClassVar[bool] = True
    subtypes: ClassVar[tuple[str, ...]] = tuple(_TEXTS)
    symbols: ClassVar[Mapping[str, int]] = {"rotated_all": 3, "rotated_letter": 4} | {
        f"bag{n}": n for n in range(2, _MOST_LETTERS + 1)
    }

    @property
    def own_axes(self) -> Mapping[str, Axis]:
        """The numbers of the level."""
        return {
            "n_sides": Axis("sides of the polygon", low=3, high=_MOST_SIDES),
            "n_tiles": Axis("tiles in the bag", low=4, high=_MOST_TILES),
            "n_letters": Axis("different letters", low=2, high=_MOST_LETTERS),
        }

    def list_level(self, level: int) -> Iterator[Made]:
        """Make the problems in which two tiles can be equal, a turn and its inverse being one."""
        sides, tiles, letters = (range(low, high + 1) for low, high in _LEVELS[level - 1])
        for total in tiles:
            for kinds in letters:
                for counts in partitions(total, kinds):
                    for n in sides:
                        if counts[0] > 1 and n <= total:
                            for turn in range(1, n // 2 + 1):
                                yield from _problems(n, counts, turn)

    def tell(self, made: Made, wording: int, draws: RowDraws) -> str:
        """Describe bag and polygon; the turn or its inverse."""
        n, counts, turn, place = made.facts
        tiles = letters_text(counts, wording, draws)
        turn = draws.choice((turn, n - turn))
        name = f"'{letter(place)}'"
        return ask(_TEXTS, self.subtypes[made.subtype], wording, tiles=tiles, n=n, r=turn, s=name)

    def steps(self, made: Made) -> str:
        """Count the equal pairs of tiles, and multiply by the vertices."""
        n, counts, _, place = made.facts
        chosen = counts if made.subtype == 0 else counts[place : place + 1]
        total = sum(counts)
        terms = " + ".join(f"{c} * {c - 1}" for c in chosen if c > 1)
        equal, pairs = _equal_pairs(chosen), total * (total - 1)
        return (
            f"equal pairs: {terms} = {equal} of {total} * {total - 1} = {pairs}\n"
            f"{n} * {equal}/{pairs} = {sum_steps(Fraction(n * equal, pairs))}"
        )


def _equal_pairs(counts: Partition) -> int:
    return sum(c * (c - 1) for c in counts)


def _problems(n: int, counts: Partition, turn: int) -> Iterator[Made]:
    pairs = sum(counts) * (sum(counts) - 1)
    bag: Tree = (f"bag{len(counts)}", *counts)
    axes = {"n_sides": n, "n_tiles": sum(counts), "n_letters": len(counts)}
    answer = parts_sum(Fraction(n * _equal_pairs(counts), pairs))
    yield Made(("rotated_all", n, turn, bag), answer, (n, counts, turn, 0), axes=axes)
    for place, count in enumerate(counts):
        if count > 1 and (place == 0 or counts[place - 1] != count):
            answer = parts_sum(Fraction(n * count * (count - 1), pairs))
            tree: Tree = ("rotated_letter", n, turn, count, bag)
            yield Made(tree, answer, (n, counts, turn, place), 1, axes)


GENERATOR = CompNGon
