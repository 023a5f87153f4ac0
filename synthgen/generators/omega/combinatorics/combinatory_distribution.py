"""OMEGA combinatorics: the number of ways to put letters into boxes of given sizes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from synthgen.core.checks import check_int
from synthgen.core.contract import Axis
from synthgen.core.randomness import RowDraws
from synthgen.generators.omega._family import Made
from synthgen.generators.omega._listed import ListedFamily
from synthgen.generators.omega._numbers import Tree
from synthgen.generators.omega.combinatorics._fillings import fillings
from synthgen.generators.omega.combinatorics._partitions import (
    joined,
    letters_text,
    partitions,
    widened,
)

_LEVELS = (
    *((2, 2, 4, 4), (3, 3, 6, 6), (4, 4, 8, 8), (4, 4, 11, 11), (4, 4, 12, 12), (5, 5, 13, 13)),
    *((5, 5, 14, 15), (6, 6, 15, 16)),
)
"""Boxes, which are as many as different letters, and tiles, from and to, of each level."""
_MOST_BOXES, _MOST_TILES, _MOST_SPREAD = 6, 16, 2
_LABELLED = (
    "The letter tiles {letters} are put into {boxes} different boxes, numbered from left to right,"
    " which hold {sizes} tiles in this order, so that every tile is used and every box is full."
    " Tiles with the same letter cannot be told apart, and the order of the tiles inside a box does"
    " not matter. In how many ways can this be done? Give an integer.",
    "There are {boxes} labelled boxes with room for {sizes} tiles respectively. In how many"
    " different ways can the tiles {letters} fill all of them? Only how many tiles with each letter"
    " lie in which box counts. Answer with an integer.",
    "Somebody sorts the tiles {letters} into {boxes} boxes that are all of different colours and"
    " must receive exactly {sizes} tiles in turn. Equal letters are interchangeable, and so are"
    " places within a box. How many distributions are possible? Give the number as an integer.",
    "Count the ways to distribute the tiles {letters} over {boxes} distinguishable boxes with"
    " capacities {sizes}, in this order, leaving no tile out. Two ways are the same if every box"
    " holds the same letters equally often. The answer is an integer.",
    "A multiset of letters is given by {letters}. How many ways are there to split it into a list"
    " of {boxes} multisets that have {sizes} elements, in this order? Give an integer.",
)
_ALIKE = (
    "The letter tiles {letters} are put into {boxes} boxes that hold {sizes} tiles, so that every"
    " tile is used and every box is full. Tiles with the same letter cannot be told apart, nor can"
    " boxes of the same size, and the order of the tiles inside a box does not matter. In how many"
    " ways can this be done? Give an integer.",
    "There are {boxes} unlabelled boxes with room for {sizes} tiles. In how many different ways can"
    " the tiles {letters} fill all of them? Boxes look the same except for their sizes, and only"
    " which letters lie together, and how many of each, counts. Answer with an integer.",
    "Somebody sorts the tiles {letters} into {boxes} plain boxes that must receive exactly {sizes}"
    " tiles. Equal letters are interchangeable, so are places within a box, and so are any two"
    " boxes of one size. How many distributions are possible? Give the number as an integer.",
    "Count the ways to distribute the tiles {letters} over {boxes} identical-looking boxes with"
    " capacities {sizes}, leaving no tile out. Two ways are the same if exchanging boxes of equal"
    " capacity, and tiles within boxes, turns one into the other, where tiles with the same letter"
    " are identical. The answer is an integer.",
    "A multiset of letters is given by {letters}. How many ways are there to split it into an"
    " unordered collection of {boxes} multisets that have {sizes} elements? Give an integer.",
)


@dataclass(frozen=True)
class CombinatoryDistribution(ListedFamily):
    """Letters with repetitions fill boxes of given sizes, which are labelled or alike.

    Attributes:
        levels: of difficulty, 1 to 8; none stand for all. They have 2, 3, 4, 4, 4, 5, 5 or 6 boxes
            and as many different letters, and 4, 6, 8, 11, 12, 13, 14-15 or 15-16 tiles.
        repeats: addresses for each problem, to see it in other wordings and letters.
        spread: by how much the numbers of boxes, of different letters and of tiles may also be
            smaller or larger than their level's (at least 2; at most 6 boxes, 6 letters, 16 tiles).
    """

    spread: int = 0

    version: ClassVar[int] = 1
    verifier: ClassVar[str] = "combinatory_distribution"
    n_levels: ClassVar[int] = len(_LEVELS)
    wordings: ClassVar[int] = len(_LABELLED)
    n_letters: ClassVar[int] = _MOST_BOXES
    subtypes: ClassVar[tuple[str, ...]] = ("labelled", "alike")
    symbols: ClassVar[Mapping[str, int]] = (
        {"labelled": 2, "alike": 2}
        | {f"sizes{n}": n for n in range(2, _MOST_BOXES + 1)}
        | {f"bag{n}": n for n in range(2, _MOST_BOXES + 1)}
    )
    level_is_canonical: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        check_int("spread", self.spread, 0, _MOST_SPREAD)

    @property
    def own_axes(self) -> Mapping[str, Axis]:
        """The sizes of a problem."""
        return {
            "n_boxes": Axis("boxes", low=2, high=_MOST_BOXES),
            "n_tiles": Axis("tiles in all", low=2, high=_MOST_TILES),
            "n_letters": Axis("different letters", low=2, high=_MOST_BOXES),
        }

    def list_level(self, level: int) -> Iterator[Made]:
        """Make every pair of box sizes and letters, for both kinds of boxes."""
        low, high, fewest, most = _LEVELS[level - 1]
        several = widened(low, high, self.spread, 2, _MOST_BOXES)
        for total in widened(fewest, most, self.spread, 2, _MOST_TILES):
            for boxes in several:
                for kinds in several:
                    for sizes in partitions(total, boxes):
                        for counts in partitions(total, kinds):
                            yield from _both(sizes, counts)

    def answer(self, made: Made) -> str:
        """Count the ways."""
        sizes, counts = made.facts
        return str(fillings(counts, sizes, alike=bool(made.subtype)))

    def tell(self, made: Made, wording: int, draws: RowDraws) -> str:
        """Describe tiles and boxes, and ask for the number of ways."""
        sizes, counts = made.facts
        texts = _ALIKE if made.subtype else _LABELLED
        return texts[wording].format(
            letters=letters_text(counts, wording, draws),
            boxes=len(sizes),
            sizes=joined([str(size) for size in draws.shuffled(sizes)]),
        )


def _both(sizes: tuple[int, ...], counts: tuple[int, ...]) -> Iterator[Made]:
    axes = {"n_boxes": len(sizes), "n_tiles": sum(sizes), "n_letters": len(counts)}
    held: Tree = (f"sizes{len(sizes)}", *sizes)
    bag: Tree = (f"bag{len(counts)}", *counts)
    for alike, name in enumerate(CombinatoryDistribution.subtypes):
        yield Made((name, held, bag), "", (sizes, counts), subtype=alike, axes=axes)


GENERATOR = CombinatoryDistribution
