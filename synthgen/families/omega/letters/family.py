"""Boxes filled with letters, and patterns in rows of them; the other families of letters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import groupby, product
from math import perm
from typing import ClassVar

import numpy as np

from synthgen.authoring import Problem, RowDraws, Tree, axis, params
from synthgen.families.omega.letters.shuffles import (
    CombinatoryProbabilityAtLeastNSpecificFixed,
    CombinatoryProbabilityExactlyNSpecificFixed,
    CombinatoryProbabilityNoFixedPoints,
    CombinatoryProbabilityNoSpecificLetterFixed,
    TransProbLetter,
)
from synthgen.families.omega.letters.tiles import (
    WORDS,
    LettersFamily,
    Partition,
    Range,
    bag_of,
    bags,
    joined,
    letters_of,
    partitions,
    tiles_text,
    widened,
)


@dataclass(frozen=True)
class CombinatoryDistribution(LettersFamily):
    """Letters with repetitions fill boxes of given sizes, which are labeled or alike.

    Attributes:
        levels: Difficulty levels, 1 to 8; an empty list means all. They have 2, 3, 4, 4, 4, 5, 5 or
            6 boxes and as many different letters, and 4, 6, 8, 11, 12, 13, 14-15 or 15-16 tiles.
        repeats: Addresses for each problem, to see it in other wordings and letters.
        spread: Amount by which the numbers of boxes, of different letters and of tiles may also be
            smaller or larger than their level's (at least 2; at most 6 boxes, 6 letters, 16 tiles).
    """

    spread: int = params.integer(0, 0, 2)

    version = 4
    verifier = "combinatory_distribution"
    words = WORDS.part("distribution")
    symbols = {"labelled": 2, "alike": 2} | {f"sizes{n}": n for n in range(2, 7)} | bags(6)
    own_axes = {
        "n_boxes": axis("boxes", 2, 6),
        "n_tiles": axis("tiles in all", 2, 16),
        "n_letters": axis("different letters", 2, 6),
    }
    n_levels = 8
    sizes: ClassVar[tuple[tuple[int, Range], ...]] = (
        *((2, (4, 4)), (3, (6, 6)), (4, (8, 8)), (4, (11, 11)), (4, (12, 12)), (5, (13, 13))),
        *((5, (14, 15)), (6, (15, 16))),
    )
    """Boxes, which are as many as different letters, and tiles of each level."""

    def problems_at(self, level: int) -> Iterator[Problem]:
        """Yield every pair of box sizes and letters, for both kinds of boxes.

        Labeled boxes and letters may change places: either way, a table of numbers has these sums
        of rows and columns.
        """
        boxes, tiles = self.sizes[level - 1]
        several = widened((boxes, boxes), self.spread, 2, 6)
        for total in widened(tiles, self.spread, 2, 16):
            for n_boxes, n_letters in product(several, several):
                axes = {"n_boxes": n_boxes, "n_tiles": total, "n_letters": n_letters}
                for sizes in partitions(total, n_boxes):
                    for counts in partitions(total, n_letters):
                        for kind in self.words.kinds:
                            if kind == "labelled" and sizes > counts:
                                continue
                            tree: Tree = (kind, (f"sizes{len(sizes)}", *sizes), bag_of(counts))
                            yield Problem(tree, kind=kind, axes=axes, data=(sizes, counts))

    def answer_of(self, problem: Problem) -> str:
        """Count the ways."""
        sizes, counts = problem.data
        return str(_fillings(counts, sizes, alike=problem.kind == "alike")[-1][-1])

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Choose letters, and shuffle tiles and boxes."""
        sizes, counts = problem.data
        return {
            "tiles": tiles_text(counts, letters_of(draws, len(counts)), draws),
            "boxes": len(sizes),
            "sizes": joined(draws.shuffled([str(size) for size in sizes])),
        }

    def steps_of(self, problem: Problem) -> list[str]:
        """Write the ways to fill the boxes so far, box by box or group by group."""
        sizes, counts = problem.data
        lines = [
            f"{boxes} box{'' if boxes == 1 else 'es'} of size {size}:"
            f" contents {contents}, ways so far {ways}"
            for boxes, size, contents, ways in _fillings(
                counts, sizes, alike=problem.kind == "alike"
            )
        ]
        return ["smallest boxes first, possible contents of one box:", *lines]


def _fillings(counts: Partition, sizes: Partition, *, alike: bool) -> list[tuple[int, ...]]:
    """Count the ways to fill the boxes with letters, the smallest first: a knapsack over contents.

    After each group of boxes, `ways` counts by the letters used so far. Contents are offered in
    turn, and each to any number of boxes of the group, so that alike boxes are not ordered.

    Returns:
        Boxes of each group, their size, the contents that one can have, and ways to fill the boxes
        so far.
    """
    sizes = sizes[::-1]
    boxes_of = [(size, len(list(same))) for size, same in groupby(sizes)]
    groups = boxes_of if alike else [(size, 1) for size in sizes]
    ways = np.zeros([n + 1 for n in counts], np.int64)
    ways.flat[0] = 1
    steps: list[tuple[int, ...]] = []
    for size, boxes in groups:
        filled = [ways, *(np.zeros_like(ways) for _ in range(boxes))]
        contents = _contents(counts, size)
        for after, before in contents:
            for m in range(boxes):  # upwards, so that several boxes can have the same contents
                filled[m + 1][after] += filled[m][before]
        ways = filled[boxes]
        steps.append((boxes, size, len(contents), int(ways.sum())))
    return steps


@lru_cache(maxsize=1 << 10)
def _contents(counts: Partition, size: int) -> list[tuple[tuple[slice, ...], ...]]:
    """Return, for all contents of a box, the states after and before they are added."""
    return [
        (
            tuple(slice(held, None) for held in contents),
            tuple(slice(n + 1 - held) for n, held in zip(counts, contents, strict=True)),
        )
        for contents in product(*(range(min(n, size) + 1) for n in counts))
        if sum(contents) == size
    ]


_PATTERNS = {
    "first_last": ("{a}.*{b}", "{b}.*{a}"),
    "same_ends": ("{a}.*{a}",),
    "plus": ("{a}{b}+", "{b}+{a}"),
    "star": ("{a}{b}*", "{b}*{a}"),
}
"""Patterns of each kind, which match a row as often from left to right as from right to left."""


@dataclass(frozen=True)
class CombinatoryPatternMatching(LettersFamily):
    """The expected number of substrings of a random row that match a regular expression.

    Attributes:
        levels: Difficulty levels, 1 to 7; an empty list means all. They draw 2, 3, 4, 5, 6, 7 or 8
            tiles out of 4, 6, 9, 10, 12, 14 or 16, which have two to five different letters.
        repeats: Addresses for each problem, to see it in other wordings and letters.
        spread: Amount by which the numbers of tiles drawn and in the bag may also be smaller or
            larger than their level's (at least 2; at most 8 drawn and 18 in the bag).
    """

    spread: int = params.integer(0, 0, 2)

    version = 4
    verifier = "combinatory_pattern_matching"
    answer_type = "decimal"
    words = WORDS.part("pattern")
    symbols = {name: 3 if name == "same_ends" else 4 for name in _PATTERNS} | bags(5)
    own_axes = {
        "subtype": axis("kind of question", values=tuple(_PATTERNS)),
        "n_drawn": axis("tiles drawn", 2, 8),
        "n_tiles": axis("tiles in the bag", 2, 18),
        "n_letters": axis("different letters", 2, 5),
    }
    n_levels = 7

    def problems_at(self, level: int) -> Iterator[Problem]:
        """Yield the problems whose answer neither is a tie of rounding nor rounds to zero."""
        n, total = level + 1, (4, 6, 9, 10, 12, 14, 16)[level - 1]
        for tiles in widened((total, total), self.spread, 2, 18):
            for n_letters in range(2, min(5, tiles) + 1):
                for counts in partitions(tiles, n_letters):
                    for drawn in widened((n, n), self.spread, 2, min(8, tiles)):
                        yield from _searches(drawn, counts)

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Choose letters and the direction of the pattern, and shuffle the tiles."""
        name, n, counts, first, second = problem.data
        letters = letters_of(draws, len(counts))
        return {
            "n": n,
            "pattern": draws.choice(_PATTERNS[name]).format(a=letters[first], b=letters[second]),
            "ending": draws.choice(WORDS["pattern_endings"]),
            "tiles": tiles_text(counts, letters, draws),
        }

    def steps_of(self, problem: Problem) -> list[str]:
        """Add up over the lengths of substrings."""
        name, n, counts, first, second = problem.data
        terms = _terms(name, n, counts[first], counts[second], sum(counts))
        total = sum(positions * chance for _, positions, chance in terms)
        return [
            "positions * probability of a match, by length:",
            *(f"{length}: {p} * {chance} = {p * chance}" for length, p, chance in terms),
            f"sum: {total}",
            f"rounded: {problem.answer}",
        ]


def _searches(n: int, counts: Partition) -> Iterator[Problem]:
    """Yield every pattern for these tiles, up to letters with as many copies."""
    seen = set()
    sizes: dict[str, int | str] = {"n_drawn": n, "n_tiles": sum(counts), "n_letters": len(counts)}
    for (first, a), (second, b) in product(enumerate(counts), repeat=2):
        for name in _PATTERNS:
            is_other = (first == second) != (name == "same_ends")
            if is_other or (name, a, b) in seen or (name == "first_last" and first > second):
                continue
            seen.add((name, a, b))
            terms = _terms(name, n, a, b, sum(counts))
            answer = _rounded(sum(positions * chance for _, positions, chance in terms))
            if answer:
                tree = (name, n, *((a,) if first == second else (a, b)), bag_of(counts))
                data = (name, n, counts, first, second)
                yield Problem(tree, answer, axes=sizes | {"subtype": name}, data=data)


def _rounded(value: Fraction | int) -> str | None:
    """Return a value to two decimals; None for a tie, and for what rounds to zero."""
    hundredths, rest = divmod(100 * Fraction(value), 1)
    if rest == Fraction(1, 2):
        return None
    hundredths += rest > Fraction(1, 2)
    return f"{hundredths // 100}.{hundredths % 100:02d}" if hundredths else None


def _terms(name: str, n: int, a: int, b: int, total: int) -> list[tuple[int, int, Fraction]]:
    """Return length, positions and chance of a match, for each length that can match.

    Of all tiles, n are drawn; a and b have the letters of the pattern.
    """
    terms = []
    for length in range(1 if name == "star" else 2, n + 1):
        if name in ("first_last", "same_ends"):
            ways = a * (b if name == "first_last" else a - 1) * perm(total - 2, length - 2)
        else:
            ways = a * perm(b, length - 1)
        terms.append((length, n - length + 1, Fraction(ways, perm(total, length))))
    return terms


GENERATORS = {
    family.verifier: family
    for family in (
        CombinatoryDistribution,
        CombinatoryPatternMatching,
        CombinatoryProbabilityNoFixedPoints,
        CombinatoryProbabilityNoSpecificLetterFixed,
        CombinatoryProbabilityExactlyNSpecificFixed,
        CombinatoryProbabilityAtLeastNSpecificFixed,
        TransProbLetter,
    )
}
