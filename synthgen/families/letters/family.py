"""Tiles with letters: problems up to the names of letters, each solved by a closed form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations_with_replacement, groupby, product
from math import comb, factorial, gcd, perm
from typing import ClassVar

import numpy as np
from flint import fmpz_poly

from synthgen.authoring import LevelledListedFamily, Problem, RowDraws, Tree, Words, axis, params

_WORDS = Words.beside(__file__)
_STYLES = tuple(zip(_WORDS["tiles_of_one"], _WORDS["tiles_of_several"], strict=True))
_ALPHABET = "abcdefghijmnpqrstuvwxyz"
"""Letters of tiles; without k, which names numbers in chains, and two that look like digits."""
_MOST_LETTERS = 8

Partition = tuple[int, ...]
"""Positive numbers, the largest first: copies of each letter, or sizes of boxes."""
Range = tuple[int, int]


@cache
def _partitions(total: int, parts: int) -> list[Partition]:
    """Return the partitions of a total into a number of parts, in descending order."""
    choices = range(total - parts + 1, 0, -1)
    return [one for one in combinations_with_replacement(choices, parts) if sum(one) == total]


def _widened(sizes: Range, spread: int, least: int, most: int) -> range:
    """Return the values of a range that is wider by `spread` on either side, within limits."""
    return range(max(least, sizes[0] - spread), min(most, sizes[1] + spread) + 1)


def _bag(counts: Partition) -> Tree:
    return (f"bag{len(counts)}", *counts)


def _bags(most: int) -> dict[str, int]:
    """Return the symbols of bags, of at most `most` letters."""
    return {f"bag{n}": n for n in range(2, most + 1)}


def _letters(draws: RowDraws, count: int) -> list[str]:
    """Draw different letters."""
    pool = list(_ALPHABET)
    return [pool.pop(draws.integer(0, len(pool))) for _ in range(count)]


def _joined(items: Sequence[str]) -> str:
    """Join several items as in "p, q and r"."""
    return f"{', '.join(items[:-1])} and {items[-1]}"


def _tiles(counts: Partition, letters: Sequence[str], draws: RowDraws) -> str:
    """List the tiles in one of the styles: letters with their numbers, or tile by tile."""
    style = draws.integer(0, len(_STYLES) + 1)
    if style == len(_STYLES):
        tiles = [c for n, c in zip(counts, letters, strict=True) for _ in range(n)]
        return ", ".join(draws.shuffled(tiles))
    one, several = _STYLES[style]
    pairs = draws.shuffled(list(zip(counts, letters, strict=True)))
    return _joined([(one if n == 1 else several).format(n=n, c=c) for n, c in pairs])


class _LettersFamily(LevelledListedFamily):
    """A family about a multiset of letters, of which only the numbers of copies matter."""

    domain = "omega"
    version = 2
    level_is_canonical = True


@dataclass(frozen=True)
class CombinatoryDistribution(_LettersFamily):
    """Letters with repetitions fill boxes of given sizes, which are labelled or alike.

    Attributes:
        levels: of difficulty, 1 to 8; an empty list means all. They have 2, 3, 4, 4, 4, 5, 5 or 6
            boxes and as many different letters, and 4, 6, 8, 11, 12, 13, 14-15 or 15-16 tiles.
        repeats: addresses for each problem, to see it in other wordings and letters.
        spread: by how much the numbers of boxes, of different letters and of tiles may also be
            smaller or larger than their level's (at least 2; at most 6 boxes, 6 letters, 16 tiles).
    """

    spread: int = params.integer(0, 0, 2)

    verifier = "combinatory_distribution"
    words = _WORDS.part("distribution")
    solutions = ("none",)
    symbols = {"labelled": 2, "alike": 2} | {f"sizes{n}": n for n in range(2, 7)} | _bags(6)
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
        """Yield every pair of box sizes and letters, for both kinds of boxes."""
        boxes, tiles = self.sizes[level - 1]
        several = _widened((boxes, boxes), self.spread, 2, 6)
        for total in _widened(tiles, self.spread, 2, 16):
            for n_boxes, n_letters in product(several, several):
                axes = {"n_boxes": n_boxes, "n_tiles": total, "n_letters": n_letters}
                for sizes in _partitions(total, n_boxes):
                    for counts in _partitions(total, n_letters):
                        for kind in self.words.kinds:
                            tree: Tree = (kind, (f"sizes{len(sizes)}", *sizes), _bag(counts))
                            yield Problem(tree, kind=kind, axes=axes, data=(sizes, counts))

    def answer_of(self, problem: Problem) -> str:
        """Count the ways."""
        sizes, counts = problem.data
        return str(_fillings(counts, sizes, alike=problem.kind == "alike"))

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Choose letters, and shuffle tiles and boxes."""
        sizes, counts = problem.data
        return {
            "tiles": _tiles(counts, _letters(draws, len(counts)), draws),
            "boxes": len(sizes),
            "sizes": _joined(draws.shuffled([str(size) for size in sizes])),
        }


def _fillings(counts: Partition, sizes: Partition, *, alike: bool) -> int:
    """Count the ways to put all letters into boxes: a knapsack over the contents of a box.

    After each group of boxes, `ways` counts by the letters used so far. Contents are offered in
    turn, and each to any number of boxes of the group, so that alike boxes are not ordered.
    """
    boxes_of = [(size, len(list(same))) for size, same in groupby(sizes)]
    groups = boxes_of if alike else [(size, 1) for size in sizes]
    ways = np.zeros([n + 1 for n in counts], np.int64)
    ways.flat[0] = 1
    for size, boxes in groups:
        filled = [ways, *(np.zeros_like(ways) for _ in range(boxes))]
        for after, before in _contents(counts, size):
            for m in range(boxes):
                filled[m + 1][after] += filled[m][before]
        ways = filled[boxes]
    return int(ways.flat[-1])


@lru_cache(maxsize=1 << 10)
def _contents(counts: Partition, size: int) -> list[tuple[tuple[slice, ...], ...]]:
    """Return for all contents of a box where they lead to, and where they can be added."""
    return [
        (
            tuple(slice(held, None) for held in contents),
            tuple(slice(n + 1 - held) for n, held in zip(counts, contents, strict=True)),
        )
        for contents in product(*(range(min(n, size) + 1) for n in counts))
        if sum(contents) == size
    ]


_PATTERNS = {
    "first_last": "{a}.*{b}",
    "same_ends": "{a}.*{a}",
    "ab_plus": "{a}{b}+",
    "a_plus_b": "{a}+{b}",
    "ab_star": "{a}{b}*",
    "a_star_b": "{a}*{b}",
}


@dataclass(frozen=True)
class CombinatoryPatternMatching(_LettersFamily):
    """The expected number of substrings of a random row that match a regular expression.

    Attributes:
        levels: of difficulty, 1 to 7; an empty list means all. They draw 2, 3, 4, 5, 6, 7 or 8
            tiles out of 4, 6, 9, 10, 12, 14 or 16, which have two to five different letters.
        repeats: addresses for each problem, to see it in other wordings and letters.
        spread: by how much the numbers of tiles drawn and in the bag may also be smaller or larger
            than their level's (at least 2; at most 8 drawn and 18 in the bag).
    """

    spread: int = params.integer(0, 0, 2)

    verifier = "combinatory_pattern_matching"
    answer_type = "decimal"
    words = _WORDS.part("pattern")
    symbols = {name: 3 if name == "same_ends" else 4 for name in _PATTERNS} | _bags(5)
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
        for tiles in _widened((total, total), self.spread, 2, 18):
            for n_letters in range(2, min(5, tiles) + 1):
                for counts in _partitions(tiles, n_letters):
                    for drawn in _widened((n, n), self.spread, 2, min(8, tiles)):
                        yield from _searches(drawn, counts)

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Choose letters, and shuffle the tiles."""
        name, n, counts, first, second = problem.data
        letters = _letters(draws, len(counts))
        return {
            "n": n,
            "pattern": _PATTERNS[name].format(a=letters[first], b=letters[second]),
            "ending": draws.choice(_WORDS["pattern_endings"]),
            "tiles": _tiles(counts, letters, draws),
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
            if (first == second) != (name == "same_ends") or (name, a, b) in seen:
                continue
            seen.add((name, a, b))
            terms = _terms(name, n, a, b, sum(counts))
            answer = _rounded(sum(positions * chance for _, positions, chance in terms))
            if answer:
                tree = (name, n, *((a,) if first == second else (a, b)), _bag(counts))
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
    for length in range(1 if name in ("ab_star", "a_star_b") else 2, n + 1):
        if name in ("first_last", "same_ends"):
            ways = a * (b if name == "first_last" else a - 1) * perm(total - 2, length - 2)
        elif name in ("ab_plus", "ab_star"):
            ways = a * perm(b, length - 1)
        else:
            ways = b * perm(a, length - 1)
        terms.append((length, n - length + 1, Fraction(ways, perm(total, length))))
    return terms


_LEVELS = (
    *(((2, 2), (4, 4), (3, 3)), ((3, 3), (6, 6), (3, 3)), ((4, 4), (8, 8), (3, 3))),
    *(((4, 4), (10, 10), (4, 4)), ((5, 5), (11, 11), (5, 5)), ((5, 6), (12, 14), (4, 5))),
    ((6, 8), (15, 18), (5, 7)),
)
"""Tiles drawn, tiles in the bag and different letters of each level."""
_LIMITS = ((2, 8), (2, 20), (2, _MOST_LETTERS))
_SIZES = {
    "n_drawn": axis("tiles drawn", *_LIMITS[0]),
    "n_tiles": axis("tiles in the bag", *_LIMITS[1]),
    "n_letters": axis("different letters", *_LIMITS[2]),
}
_SPECIAL = {"n_special": axis("tiles with the letter in question", 1, 20)}
_KEPT = {"n_kept": axis("positions in question", 1, 4)}
Case = tuple[str, int, int]
"""What is drawn, the number of sets of tiles that show it, and of favourable shuffles."""


@dataclass(frozen=True)
class _ShuffleFamily(_LettersFamily):
    """Tiles are drawn to a row and shuffled; which positions show their letter again?

    The data of a problem are the tiles drawn, the copies of each letter, those of the letter in
    question (0: the question is about all letters), and the kept positions in question.
    """

    spread: int = params.integer(0, 0, 4)

    n_levels = len(_LEVELS)
    own_axes = _SIZES
    symbol: ClassVar[str]
    """The symbol at the root of a tree."""
    at_least: ClassVar[bool] = False
    """Whether more kept positions are favourable, too."""

    def problems_at(self, level: int) -> Iterator[Problem]:
        """Yield the problems of a level whose probability is neither zero nor one."""
        drawn, tiles, letters = (
            _widened(size, self.spread, *limits)
            for size, limits in zip(_LEVELS[level - 1], _LIMITS, strict=True)
        )
        for total, kinds in product(tiles, letters):
            for counts in _partitions(total, kinds):
                for n in drawn:
                    for special, kept in self._questions(counts, level) if n <= total else ():
                        yield from self._problem((n, counts, special, kept))

    def _questions(self, counts: Partition, level: int) -> Iterator[tuple[int, int]]:
        """Yield each number of copies that a letter has, with numbers of kept positions."""
        for special in dict.fromkeys(counts) if "n_special" in self.own_axes else (0,):
            most = min(3 if level <= 5 else 4, special)  # up to three at the published levels
            for kept in range(1, most + 1) if "n_kept" in self.own_axes else (0,):
                yield special, kept

    def _problem(self, data: tuple[int, Partition, int, int]) -> Iterator[Problem]:
        n, counts, special, kept = data
        good = sum(sets * shuffles for _, sets, shuffles in self._cases(*data))
        whole = comb(sum(counts), n) * factorial(n)
        if 0 < good < whole:
            sizes = {"n_drawn": n, "n_tiles": sum(counts), "n_letters": len(counts)}
            asked = {"n_special": special, "n_kept": kept}
            asked = {name: asked[name] for name in asked if name in self.own_axes}
            tree = (self.symbol, n, *asked.values(), _bag(counts))
            answer = str((good + whole) // gcd(good, whole))
            yield Problem(tree, answer, axes=sizes | asked, data=data)

    def _cases(self, n: int, counts: Partition, special: int, kept: int) -> list[Case]:
        """Divide the sets of tiles into cases, and count the favourable shuffles of each."""
        if not special:
            return _pattern_cases(counts, n)
        good = range(kept, (n if self.at_least else kept) + 1)
        return _copies_cases(sum(counts), special, n, good)

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Choose letters, and shuffle the tiles."""
        n, counts, special, kept = problem.data
        letters = _letters(draws, len(counts))
        return {
            "n": n,
            "s": letters[counts.index(special)] if special else "",
            "j": kept,
            "ending": draws.choice(_WORDS["sum_endings"]),
            "tiles": _tiles(counts, letters, draws),
        }

    def steps_of(self, problem: Problem) -> list[str]:
        """Count sets of tiles and favourable shuffles case by case."""
        n, counts, _, _ = problem.data
        cases = self._cases(*problem.data)
        sets, orders = comb(sum(counts), n), factorial(n)
        return [
            "sets of tiles * favourable shuffles, by case:",
            *(f"{name}: {many} * {shuffles} = {many * shuffles}" for name, many, shuffles in cases),
            f"all: {sets} * {orders} = {sets * orders}",
            *_sum_lines(sum(many * shuffles for _, many, shuffles in cases), sets * orders),
        ]


def _sum_lines(good: int, whole: int) -> list[str]:
    """Reduce a fraction, and add its parts."""
    top, bottom = good // gcd(good, whole), whole // gcd(good, whole)
    return [f"{good}/{whole} = {top}/{bottom}", f"{top} + {bottom} = {top + bottom}"]


def _pattern_cases(counts: Partition, n: int) -> list[Case]:
    """Divide the sets of n tiles by how often letters are in them; no position is to be kept."""
    return [
        ("+".join(map(str, pattern)), sets, _derangements(pattern))
        for pattern, sets in sorted(_drawn(counts, n).items(), reverse=True)
    ]


@lru_cache(maxsize=1 << 14)
def _drawn(counts: Partition, n: int) -> Counter[Partition]:
    """Count the sets of n tiles by how often each letter that occurs is in them, most first."""
    if not counts:
        return Counter() if n else Counter({(): 1})
    found: Counter[Partition] = Counter()
    for taken in range(min(counts[-1], n) + 1):
        for pattern, sets in _drawn(counts[:-1], n - taken).items():
            whole = tuple(sorted((*pattern, taken), reverse=True)) if taken else pattern
            found[whole] += comb(counts[-1], taken) * sets
    return found


@lru_cache(maxsize=1 << 10)
def _derangements(counts: Partition) -> int:
    """Count the orders of labelled tiles in which no place shows the letter that it showed.

    By rook polynomials: a letter with m copies forbids an m by m block, which holds r rooks in
    C(m, r)^2 r! ways.
    """
    rooks = fmpz_poly([1])
    for m in counts:
        rooks *= fmpz_poly([comb(m, r) ** 2 * factorial(r) for r in range(m + 1)])
    n = sum(counts)
    return int(sum((-1) ** r * ways * factorial(n - r) for r, ways in enumerate(rooks)))


@lru_cache(maxsize=1 << 12)
def _copies_cases(total: int, special: int, n: int, good: range) -> list[Case]:
    """Divide the sets of n tiles by how many of the `special` copies of a letter are in them.

    Kept positions are chosen among theirs; the other copies come to positions of other letters.
    """
    cases = []
    for copies in range(max(0, n - (total - special)), min(special, n) + 1):
        sets = comb(special, copies) * comb(total - special, n - copies)
        places = sum(
            comb(copies, kept) * comb(n - copies, copies - kept) for kept in good if kept <= copies
        )
        shuffles = places * factorial(copies) * factorial(n - copies)
        cases.append((str(copies), sets, shuffles))
    return cases


@dataclass(frozen=True)
class CombinatoryProbabilityNoFixedPoints(_ShuffleFamily):
    """No position keeps its letter.

    Attributes:
        levels: of difficulty, 1 to 7; an empty list means all.
        repeats: addresses for each problem, to see it in other wordings and letters.
        spread: by how much tiles drawn, tiles in the bag and letters may differ from the level.
    """

    verifier = "combinatory_probability_no_fixed_points"
    words = _WORDS.part("no_fixed_points")
    symbol = "no_letter_kept"
    symbols = {symbol: 2} | _bags(_MOST_LETTERS)


@dataclass(frozen=True)
class CombinatoryProbabilityNoSpecificLetterFixed(_ShuffleFamily):
    """No position shows the letter in question before and after.

    Attributes:
        levels: of difficulty, 1 to 7; an empty list means all.
        repeats: addresses for each problem, to see it in other wordings and letters.
        spread: by how much tiles drawn, tiles in the bag and letters may differ from the level.
    """

    verifier = "combinatory_probability_no_specific_letter_fixed"
    words = _WORDS.part("no_letter")
    own_axes = _SIZES | _SPECIAL
    symbol = "letter_not_kept"
    symbols = {symbol: 3} | _bags(_MOST_LETTERS)


@dataclass(frozen=True)
class CombinatoryProbabilityExactlyNSpecificFixed(_ShuffleFamily):
    """An exact number of positions show the letter in question before and after.

    Attributes:
        levels: of difficulty, 1 to 7; an empty list means all.
        repeats: addresses for each problem, to see it in other wordings and letters.
        spread: by how much tiles drawn, tiles in the bag and letters may differ from the level.
    """

    verifier = "combinatory_probability_exactly_n_specific_fixed"
    words = _WORDS.part("exactly")
    own_axes = _SIZES | _SPECIAL | _KEPT
    symbol = "letter_kept_exactly"
    symbols = {symbol: 4} | _bags(_MOST_LETTERS)


@dataclass(frozen=True)
class CombinatoryProbabilityAtLeastNSpecificFixed(_ShuffleFamily):
    """At least a number of positions show the letter in question before and after.

    Attributes:
        levels: of difficulty, 1 to 7; an empty list means all.
        repeats: addresses for each problem, to see it in other wordings and letters.
        spread: by how much tiles drawn, tiles in the bag and letters may differ from the level.
    """

    verifier = "combinatory_probability_at_least_n_specific_fixed"
    words = _WORDS.part("at_least")
    own_axes = _SIZES | _SPECIAL | _KEPT
    symbol = "letter_kept_at_least"
    symbols = {symbol: 4} | _bags(_MOST_LETTERS)
    at_least = True


@dataclass(frozen=True)
class TransProbLetter(_LettersFamily):
    """A whole word is shuffled: too many orders to try, few enough to count by a formula.

    Attributes:
        levels: of difficulty, 1 to 5; an empty list means all. Words have 4-6, 7-9, 10-12, 13-15 or
            16-18 different letters, or 4-6, 7-8, 9-10, 11-12 or 13 letters with repetitions.
        repeats: addresses for each problem, to see it in other wordings and letters.
    """

    verifier = "trans_prob_letter"
    words = _WORDS.part("trans")
    symbols = {f"kept_{kind}": 2 if kind in ("some", "exactly") else 1 for kind in words.kinds}
    symbols |= _bags(_MOST_LETTERS)
    own_axes = {"n_tiles": axis("letters of the word", 4, 18)}
    n_levels = 5
    sizes: ClassVar[tuple[tuple[Range, Range], ...]] = (
        *(((4, 6), (4, 6)), ((7, 9), (7, 8)), ((10, 12), (9, 10)), ((13, 15), (11, 12))),
        ((16, 18), (13, 13)),
    )
    """Letters of a word of each level, all different or with repetitions."""

    def problems_at(self, level: int) -> Iterator[Problem]:
        """Yield the problems about words of different letters and about multisets."""
        different, repeated = self.sizes[level - 1]
        for n in range(different[0], different[1] + 1):
            yield _shuffled("none", n, (), _unmoved(n, n))
            yield from (_shuffled("some", n, (s,), _unmoved(n, s)) for s in range(2, n))
            for s in range(2, n - 1):
                yield _shuffled("exactly", n, (s,), comb(n, s) * _unmoved(n - s, n - s))
            yield _shuffled("twice", n, (), _long_cycles(n))
        for total in range(repeated[0], repeated[1] + 1):
            for kinds in range(2, _MOST_LETTERS + 1):
                for counts in _partitions(total, kinds):
                    if counts[0] > 1 and 2 * counts[0] <= total:
                        yield _shuffled("repeated", total, counts, _derangements(counts))

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Choose the ending, and letters for a multiset."""
        n, rest, _ = problem.data
        holes = {"n": n, "s": sum(rest), "ending": draws.choice(_WORDS["sum_endings"])}
        if problem.kind == "repeated":
            holes["tiles"] = _tiles(rest, _letters(draws, len(rest)), draws)
        return holes

    def steps_of(self, problem: Problem) -> list[str]:
        """State how many orders are favourable."""
        n, _, good = problem.data
        whole = factorial(n)
        return [f"favourable: {good} of {n}! = {whole}", *_sum_lines(good, whole)]


def _shuffled(kind: str, n: int, rest: Partition, good: int) -> Problem:
    """Return the problem about a word of n letters, with a number or copies of each letter."""
    tree: Tree = (f"kept_{kind}", n, *rest)
    if kind == "repeated":
        tree = (f"kept_{kind}", _bag(rest))
    value = Fraction(good, factorial(n))
    answer = str(value.numerator + value.denominator)
    return Problem(tree, answer, kind=kind, axes={"n_tiles": n}, data=(n, rest, good))


def _unmoved(n: int, marked: int) -> int:
    """Count the permutations that move all marked items, by inclusion and exclusion."""
    return sum((-1) ** k * comb(marked, k) * factorial(n - k) for k in range(marked + 1))


@cache
def _long_cycles(n: int) -> int:
    """Count the permutations without cycles of length one or two, by the cycle of the last item."""
    if n == 0:
        return 1
    sizes = range(3, n + 1)
    return sum(factorial(n - 1) // factorial(n - k) * _long_cycles(n - k) for k in sizes)


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
