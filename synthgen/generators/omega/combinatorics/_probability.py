"""What the four families of letters kept by a shuffle have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import comb, factorial, gcd
from typing import ClassVar

from synthgen.core.checks import check_int
from synthgen.core.contract import Axis
from synthgen.core.randomness import RowDraws
from synthgen.generators.omega._family import Made
from synthgen.generators.omega._listed import MOST_LETTERS, ListedFamily
from synthgen.generators.omega._numbers import Tree
from synthgen.generators.omega.combinatorics._matches import Case
from synthgen.generators.omega.combinatorics._partitions import (
    Partition,
    letters_text,
    partitions,
    widened,
)

_LEVELS = (
    ((2, 2), (4, 4), (3, 3)),
    ((3, 3), (6, 6), (3, 3)),
    ((4, 4), (8, 8), (3, 3)),
    ((4, 4), (10, 10), (4, 4)),
    ((5, 5), (11, 11), (5, 5)),
    ((5, 6), (12, 14), (4, 5)),
    ((6, 8), (15, 18), (5, 7)),
)
"""Tiles drawn, tiles in the bag and different letters, from and to, of each level."""
MOST_DRAWN, MOST_TILES = 8, 20
MOST_SPREAD = 4
_SETUPS = (
    "A bag holds {letters}. {n} tiles are drawn at random without replacement and laid in a row"
    " in the order in which they are drawn. Then the tiles of this row are shuffled, all orders"
    " being equally likely.",
    "From the letter tiles {letters}, {n} are drawn one after another without putting any back,"
    " and written down as a word. A uniformly random rearrangement of the positions of this word"
    " gives a second word.",
    "There are tiles with the letters {letters}. Somebody draws {n} of them blindly, without"
    " replacement, places them side by side, and then puts these same tiles into a uniformly"
    " random order.",
    "Tiles: {letters}. A row of {n} tiles is made by drawing at random without replacement. After"
    " that the row is mixed, so that each order of its tiles has the same chance.",
    "The letters of {letters} are written on tiles, one on each. {n} of the tiles are taken at"
    " random without replacement to make a row, and the row is then rearranged at random, each"
    " arrangement of its tiles being equally likely.",
)
_ENDINGS = (
    "Write this probability as a fraction in lowest terms, and give the sum of its numerator and"
    " its denominator, an integer.",
    "If the probability in lowest terms is P/Q, what is P + Q? Give an integer.",
    "Give numerator plus denominator of this probability in lowest terms, as one integer.",
    "With the probability written as P/Q, where P and Q are coprime positive integers, find P + Q."
    " Give an integer.",
    "Reduce the probability to lowest terms and answer with the integer that is the sum of"
    " numerator and denominator.",
)


@dataclass(frozen=True)
class Drawing:
    """One problem.

    Attributes:
        n: tiles drawn.
        counts: copies of each letter in the bag, most first.
        place: which letter is asked about, if it is one.
        kept: positions that keep it, where their number is asked about.
    """

    n: int
    counts: Partition
    place: int = 0
    kept: int = 0


@dataclass(frozen=True)
class ProbabilityFamily(ListedFamily):
    """Tiles are drawn to a row and shuffled; which positions show their letter again?

    Attributes:
        levels: of difficulty, 1 to 7, drawn from what is listed; none stand for all. They draw 2,
            3, 4, 4, 5, 5-6 or 6-8 tiles out of 4, 6, 8, 10, 11, 12-14 or 15-18, with 3, 3, 3, 4, 5,
            4-5 or 5-7 different letters.
        repeats: addresses for each problem, to see it in other wordings and letters.
        spread: by how much the three numbers may also be smaller or larger than their level's (at
            most 8 tiles drawn, 20 in the bag, 8 letters).
    """

    spread: int = 0

    version: ClassVar[int] = 1
    solutions: ClassVar[tuple[str, ...]] = ("none", "steps")
    n_levels: ClassVar[int] = len(_LEVELS)
    wordings: ClassVar[int] = len(_SETUPS)
    n_letters: ClassVar[int] = MOST_LETTERS
    level_is_canonical: ClassVar[bool] = True
    symbol: ClassVar[str]
    """Name of the family's own symbol."""
    case_word: ClassVar[str] = "copies"
    """What a case of the solution is told apart by."""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_int("spread", self.spread, 0, MOST_SPREAD)

    @property
    def own_axes(self) -> Mapping[str, Axis]:
        """The three numbers of the level."""
        return {
            "n_drawn": Axis("tiles drawn", low=2, high=MOST_DRAWN),
            "n_tiles": Axis("tiles in the bag", low=2, high=MOST_TILES),
            "n_letters": Axis("different letters", low=2, high=MOST_LETTERS),
        }

    @abstractmethod
    def drawings_of(self, n: int, counts: Partition, level: int) -> Iterable[Drawing]:
        """Make the problems about n tiles out of these."""

    @abstractmethod
    def cases(self, drawing: Drawing) -> Sequence[Case]:
        """Divide the drawings into cases, and count the good shuffles of each."""

    @abstractmethod
    def event(self, drawing: Drawing, wording: int) -> str:
        """Say whose probability is asked."""

    @abstractmethod
    def arguments(self, drawing: Drawing) -> tuple[int, ...]:
        """Return what the tree holds besides the bag."""

    def extra_axes(self, drawing: Drawing) -> Mapping[str, int]:
        """Return the values of further axes."""
        del drawing
        return {}

    def list_level(self, level: int) -> Iterator[Made]:
        """Make every problem of a level whose probability is neither zero nor one."""
        limits = ((2, MOST_DRAWN), (2, MOST_TILES), (2, MOST_LETTERS))
        sizes = zip(_LEVELS[level - 1], limits, strict=True)
        drawn, tiles, letters = (widened(*size, self.spread, *limit) for size, limit in sizes)
        for total in tiles:
            for kinds in letters:
                for counts in partitions(total, kinds):
                    for n in drawn:
                        if n <= total:
                            yield from self._list(n, counts, level)

    def _list(self, n: int, counts: Partition, level: int) -> Iterator[Made]:
        whole = comb(sum(counts), n) * factorial(n)
        for drawing in self.drawings_of(n, counts, level):
            good = sum(sets * shuffles for _, sets, shuffles in self.cases(drawing))
            if not 0 < good < whole:
                continue
            common = gcd(good, whole)
            bag: Tree = (f"bag{len(counts)}", *counts)
            axes = {"n_drawn": n, "n_tiles": sum(counts), "n_letters": len(counts)}
            yield Made(
                (self.symbol, n, *self.arguments(drawing), bag),
                str((good + whole) // common),
                drawing,
                axes=axes | dict(self.extra_axes(drawing)),
            )

    def tell(self, made: Made, wording: int, draws: RowDraws) -> str:
        """Describe the drawing and the shuffle, and ask."""
        drawing = made.facts
        setup = _SETUPS[wording].format(
            letters=letters_text(drawing.counts, wording, draws), n=drawing.n
        )
        return f"{setup} {self.event(drawing, wording)} {_ENDINGS[wording]}"

    def steps(self, made: Made) -> str:
        """Count drawings and good shuffles case by case."""
        drawing = made.facts
        lines, good = [], 0
        for pattern, sets, shuffles in self.cases(drawing):
            name = "+".join(map(str, pattern))
            product = sets * shuffles
            good += product
            lines.append(f"{self.case_word} {name}: {sets} drawings * {shuffles} = {product}")
        drawn, orders = comb(sum(drawing.counts), drawing.n), factorial(drawing.n)
        common = gcd(good, drawn * orders)
        top, bottom = good // common, drawn * orders // common
        lines.append(f"good: {good} of {drawn} * {orders} = {drawn * orders}")
        lines.append(f"{good}/{drawn * orders} = {top}/{bottom}")
        lines.append(f"{top} + {bottom} = {made.answer}")
        return "\n".join(lines)


def bag_symbols(own: str, arguments: int) -> dict[str, int]:
    """Return the symbols of a family whose own symbol has so many arguments."""
    return {own: arguments} | {f"bag{n}": n for n in range(2, MOST_LETTERS + 1)}


def different_places(counts: Partition) -> list[int]:
    """Return one place of each number of copies."""
    return [i for i in range(len(counts)) if i == 0 or counts[i] != counts[i - 1]]
