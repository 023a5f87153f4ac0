"""OMEGA combinatorics: how many substrings of a random row of letters match a pattern."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import perm
from typing import ClassVar

from synthgen.core.checks import check_int
from synthgen.core.contract import Axis
from synthgen.core.randomness import RowDraws
from synthgen.generators.omega._family import Made
from synthgen.generators.omega._listed import ListedFamily, letter
from synthgen.generators.omega._numbers import Tree
from synthgen.generators.omega.combinatorics._partitions import (
    Partition,
    letters_text,
    partitions,
    widened,
)

_LEVELS = ((2, 4, 2), (3, 6, 2), (4, 9, 2), (5, 10, 2), (6, 12, 2), (7, 14, 2), (8, 16, 2))
"""Tiles drawn, tiles in the bag, and fewest different letters of each level; at most five."""
_MOST_LETTERS, _MOST_DRAWN, _MOST_TILES, _MOST_SPREAD = 5, 8, 18, 2
_KINDS = {
    "first_last": "{a}.*{b}",
    "same_ends": "{a}.*{a}",
    "ab_plus": "{a}{b}+",
    "a_plus_b": "{a}+{b}",
    "ab_star": "{a}{b}*",
    "a_star_b": "{a}*{b}",
}
_NAMES = tuple(_KINDS)
_SIGNS = (
    "In the pattern, the point stands for any one letter, * lets what is before it occur any number"
    " of times or not at all, and + lets it occur one or more times."
)
_ROUNDED = "Round to two decimals and write both of them."
_WORDINGS = (
    "A bag holds {letters}. {n} tiles are drawn at random without replacement and laid in a row in"
    " the order in which they are drawn. What is the expected number of substrings of this row that"
    " match the pattern {pattern} as a whole? A substring is a run of one or more neighbouring"
    f" tiles, and equal substrings at different places count separately. {_SIGNS} {_ROUNDED}",
    "From the letter tiles {letters}, {n} are drawn one after another without putting any back, and"
    " written down as a word. Each pair of a first and a last position, equal or not, gives a"
    " substring of the word. Find the expected number of such pairs whose substring, taken whole,"
    f" fits the regular expression {{pattern}}. {_SIGNS} {_ROUNDED}",
    "There are tiles with the letters {letters}. Somebody draws {n} of them blindly, without"
    " replacement, and places them side by side. How many of the contiguous blocks of this row (of"
    " any length from a single tile to the whole row, each block counted by itself) match {pattern}"
    f" from their first to their last letter, on average? {_SIGNS} {_ROUNDED}",
    "Tiles: {letters}. A row of {n} tiles is made by drawing at random without replacement. Let X"
    " be the number of its non-empty intervals of consecutive positions that spell a text which the"
    " regular expression {pattern} matches completely. Compute the expected value of X."
    f" {_SIGNS} {_ROUNDED}",
    "The letters of {letters} are written on tiles, one on each. {n} of the tiles are taken at"
    " random without replacement to make a row. Over all its non-empty substrings, counted with"
    " their places, how many are fully matched by the pattern {pattern} in expectation?"
    f" {_SIGNS} {_ROUNDED}",
)


@dataclass(frozen=True)
class Search:
    """One problem.

    Attributes:
        n: tiles drawn.
        counts: copies of each letter in the bag, most first.
        kind: index of the pattern.
        first, second: places of the letters that the pattern calls a and b.
    """

    n: int
    counts: Partition
    kind: int
    first: int
    second: int


@dataclass(frozen=True)
class CombinatoryPatternMatching(ListedFamily):
    """The expected number of substrings of a random row that match a regular expression.

    Attributes:
        levels: of difficulty, 1 to 7; none stand for all. They draw 2, 3, 4, 5, 6, 7 or 8 tiles out
            of 4, 6, 9, 10, 12, 14 or 16, which have two to five different letters.
        repeats: addresses for each problem, to see it in other wordings and letters.
        spread: by how much the numbers of tiles drawn and in the bag may also be smaller or larger
            than their level's (at least 2; at most 8 drawn and 18 in the bag).
    """

    spread: int = 0

    version: ClassVar[int] = 1
    verifier: ClassVar[str] = "combinatory_pattern_matching"
    solutions: ClassVar[tuple[str, ...]] = ("none", "steps")
    answer_type: ClassVar[str] = "decimal"
    n_levels: ClassVar[int] = len(_LEVELS)
    wordings: ClassVar[int] = len(_WORDINGS)
    n_letters: ClassVar[int] = _MOST_LETTERS
    subtypes: ClassVar[tuple[str, ...]] = _NAMES
    symbols: ClassVar[Mapping[str, int]] = {
        name: 3 if name == "same_ends" else 4 for name in _NAMES
    } | {f"bag{n}": n for n in range(2, _MOST_LETTERS + 1)}
    level_is_canonical: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        check_int("spread", self.spread, 0, _MOST_SPREAD)

    @property
    def own_axes(self) -> Mapping[str, Axis]:
        """The sizes of a problem."""
        return {
            "n_drawn": Axis("tiles drawn", low=2, high=_MOST_DRAWN),
            "n_tiles": Axis("tiles in the bag", low=2, high=_MOST_TILES),
            "n_letters": Axis("different letters", low=2, high=_MOST_LETTERS),
        }

    def list_level(self, level: int) -> Iterator[Made]:
        """Make every problem whose answer is neither a tie of rounding nor rounds to zero."""
        n, total, fewest = _LEVELS[level - 1]
        for tiles in widened(total, total, self.spread, 2, _MOST_TILES):
            for kinds in range(fewest, min(_MOST_LETTERS, tiles) + 1):
                for counts in partitions(tiles, kinds):
                    for drawn in widened(n, n, self.spread, 2, min(_MOST_DRAWN, tiles)):
                        yield from _searches(drawn, counts)

    def tell(self, made: Made, wording: int, draws: RowDraws) -> str:
        """Describe the draw and the pattern, and ask for the expectation."""
        search = made.facts
        pattern = _KINDS[_NAMES[search.kind]].format(
            a=letter(search.first), b=letter(search.second)
        )
        return _WORDINGS[wording].format(
            letters=letters_text(search.counts, wording, draws), n=search.n, pattern=f"'{pattern}'"
        )

    def steps(self, made: Made) -> str:
        """Add up over the lengths of substrings."""
        search = made.facts
        total, sum_ = sum(search.counts), Fraction(0)
        lines = []
        for length, ways in _ways(search):
            windows, chance = search.n - length + 1, Fraction(ways, perm(total, length))
            sum_ += windows * chance
            lines.append(f"length {length}: {windows} * {chance} = {windows * chance}")
        return "\n".join([*lines, f"sum: {sum_}", f"rounded: {made.answer}"])


def _searches(n: int, counts: Partition) -> Iterator[Made]:
    """Put every pattern to these tiles, up to letters with as many copies."""
    seen = set()
    for first, a in enumerate(counts):
        for second, b in enumerate(counts):
            for kind, name in enumerate(_NAMES):
                if (first == second) != (name == "same_ends") or (kind, a, b) in seen:
                    continue
                seen.add((kind, a, b))
                search = Search(n, counts, kind, first, second)
                answer = _rounded(search)
                if answer is None:
                    continue
                letters = (a,) if first == second else (a, b)
                axes = {"n_drawn": n, "n_tiles": sum(counts), "n_letters": len(counts)}
                bag: Tree = (f"bag{len(counts)}", *counts)
                yield Made((name, n, *letters, bag), answer, search, subtype=kind, axes=axes)


def _rounded(search: Search) -> str | None:
    """Return the expectation to two decimals; None for a tie, and for what rounds to zero."""
    total, n = sum(search.counts), search.n
    whole = perm(total, n)
    value = 0
    for length, ways in _ways(search):
        value += (n - length + 1) * ways * perm(total - length, n - length)
    hundredths, rest = divmod(100 * value, whole)
    if 2 * rest == whole:
        return None
    hundredths += 2 * rest > whole
    return f"{hundredths // 100}.{hundredths % 100:02d}" if hundredths else None


def _ways(search: Search) -> Iterator[tuple[int, int]]:
    """Yield, for each length that can match, how many sequences of labelled tiles do."""
    total, name = sum(search.counts), _NAMES[search.kind]
    a, b = search.counts[search.first], search.counts[search.second]
    shortest = 1 if name in ("ab_star", "a_star_b") else 2
    for length in range(shortest, search.n + 1):
        if name == "first_last":
            yield length, a * b * perm(total - 2, length - 2)
        elif name == "same_ends":
            yield length, a * (a - 1) * perm(total - 2, length - 2)
        elif name in ("ab_plus", "ab_star"):
            yield length, a * perm(b, length - 1)
        else:
            yield length, b * perm(a, length - 1)


GENERATOR = CombinatoryPatternMatching
