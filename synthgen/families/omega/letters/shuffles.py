"""Shuffled tiles: probabilities that letters come back to their places, by closed forms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product
from math import comb, factorial, gcd
from typing import ClassVar

from flint import fmpz_poly

from synthgen.authoring import Problem, RowDraws, Tree, axis, params
from synthgen.families.omega.letters.tiles import (
    MAX_LETTERS,
    WORDS,
    LettersFamily,
    Partition,
    Range,
    bag_of,
    bags,
    letters_of,
    partitions,
    tiles_text,
    widened,
)

_LEVELS = (
    *(((2, 2), (4, 4), (3, 3)), ((3, 3), (6, 6), (3, 3)), ((4, 4), (8, 8), (3, 3))),
    *(((4, 4), (10, 10), (4, 4)), ((5, 5), (11, 11), (5, 5)), ((5, 6), (12, 14), (4, 5))),
    ((6, 8), (15, 18), (5, 7)),
)
"""Tiles drawn, tiles in the bag and different letters of each level."""
_LIMITS = ((2, 8), (2, 20), (2, MAX_LETTERS))
_SIZES = {
    "n_drawn": axis("tiles drawn", *_LIMITS[0]),
    "n_tiles": axis("tiles in the bag", *_LIMITS[1]),
    "n_letters": axis("different letters", *_LIMITS[2]),
}
_SPECIAL = {"n_special": axis("tiles with the letter in question", 1, 20)}
_KEPT = {"n_kept": axis("positions in question", 1, 4)}
Case = tuple[str, int, int]
"""Pattern of a draw, numbers of sets of tiles with it and of favorable shuffles."""


@dataclass(frozen=True)
class _ShuffleFamily(LettersFamily):
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
    """Whether more kept positions are favorable, too."""

    def problems_at(self, level: int) -> Iterator[Problem]:
        """Yield the problems of a level whose probability is neither zero nor one."""
        drawn, tiles, letters = (
            widened(size, self.spread, *limits)
            for size, limits in zip(_LEVELS[level - 1], _LIMITS, strict=True)
        )
        for total, kinds in product(tiles, letters):
            for counts in partitions(total, kinds):
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
            tree = (self.symbol, n, *asked.values(), bag_of(counts))
            answer = str((good + whole) // gcd(good, whole))
            yield Problem(tree, answer, axes=sizes | asked, data=data)

    def _cases(self, n: int, counts: Partition, special: int, kept: int) -> list[Case]:
        """Divide the sets of tiles into cases, and count the favorable shuffles of each."""
        if not special:
            return _pattern_cases(counts, n)
        good = range(kept, (n if self.at_least else kept) + 1)
        return _copies_cases(sum(counts), special, n, good)

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Choose letters, and shuffle the tiles."""
        n, counts, special, kept = problem.data
        letters = letters_of(draws, len(counts))
        return {
            "n": n,
            "s": letters[counts.index(special)] if special else "",
            "j": kept,
            "ending": draws.choice(WORDS["sum_endings"]),
            "tiles": tiles_text(counts, letters, draws),
        }

    def steps_of(self, problem: Problem) -> list[str]:
        """Count sets of tiles and favorable shuffles case by case."""
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
    """Divide the sets of n tiles by the copies of their letters; no position must be kept."""
    return [
        ("+".join(map(str, pattern)), sets, _derangements(pattern))
        for pattern, sets in sorted(_drawn(counts, n).items(), reverse=True)
    ]


@lru_cache(maxsize=1 << 14)
def _drawn(counts: Partition, n: int) -> Counter[Partition]:
    """Count the sets of n tiles by the copies of their letters, in descending order."""
    if not counts:
        return Counter() if n else Counter({(): 1})
    patterns: Counter[Partition] = Counter()
    for taken in range(min(counts[-1], n) + 1):
        for pattern, sets in _drawn(counts[:-1], n - taken).items():
            whole = tuple(sorted((*pattern, taken), reverse=True)) if taken else pattern
            patterns[whole] += comb(counts[-1], taken) * sets
    return patterns


@lru_cache(maxsize=1 << 10)
def _derangements(counts: Partition) -> int:
    """Count the orders of labeled tiles in which no place shows the letter that it showed."""
    n = sum(counts)
    return sum((-1) ** r * ways * factorial(n - r) for r, ways in enumerate(_rooks(counts)))


def _rooks(counts: Partition) -> list[int]:
    """Count the ways to lay 0, 1, 2, ... tiles on places that showed their letters.

    By rook polynomials: a letter with m copies has an m by m block, which holds r rooks in
    C(m, r)^2 r! ways.
    """
    rooks = fmpz_poly([1])
    for m in counts:
        rooks *= fmpz_poly([comb(m, r) ** 2 * factorial(r) for r in range(m + 1)])
    return [int(ways) for ways in rooks]


@lru_cache(maxsize=1 << 12)
def _copies_cases(total: int, special: int, n: int, good: range) -> list[Case]:
    """Divide the sets of n tiles by their number of the `special` copies of a letter.

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
        levels: Difficulty levels, 1 to 7; an empty list means all.
        repeats: Addresses for each problem, to see it in other wordings and letters.
        spread: Amount by which tiles drawn, tiles in the bag and letters may differ from the level.
    """

    verifier = "combinatory_probability_no_fixed_points"
    words = WORDS.part("no_fixed_points")
    symbol = "no_letter_kept"
    symbols = {symbol: 2} | bags(MAX_LETTERS)


@dataclass(frozen=True)
class CombinatoryProbabilityNoSpecificLetterFixed(_ShuffleFamily):
    """No position shows the letter in question before and after.

    Attributes:
        levels: Difficulty levels, 1 to 7; an empty list means all.
        repeats: Addresses for each problem, to see it in other wordings and letters.
        spread: Amount by which tiles drawn, tiles in the bag and letters may differ from the level.
    """

    verifier = "combinatory_probability_no_specific_letter_fixed"
    words = WORDS.part("no_letter")
    own_axes = _SIZES | _SPECIAL
    symbol = "letter_not_kept"
    symbols = {symbol: 3} | bags(MAX_LETTERS)


@dataclass(frozen=True)
class CombinatoryProbabilityExactlyNSpecificFixed(_ShuffleFamily):
    """An exact number of positions show the letter in question before and after.

    Attributes:
        levels: Difficulty levels, 1 to 7; an empty list means all.
        repeats: Addresses for each problem, to see it in other wordings and letters.
        spread: Amount by which tiles drawn, tiles in the bag and letters may differ from the level.
    """

    verifier = "combinatory_probability_exactly_n_specific_fixed"
    words = WORDS.part("exactly")
    own_axes = _SIZES | _SPECIAL | _KEPT
    symbol = "letter_kept_exactly"
    symbols = {symbol: 4} | bags(MAX_LETTERS)


@dataclass(frozen=True)
class CombinatoryProbabilityAtLeastNSpecificFixed(_ShuffleFamily):
    """At least a number of positions show the letter in question before and after.

    Attributes:
        levels: Difficulty levels, 1 to 7; an empty list means all.
        repeats: Addresses for each problem, to see it in other wordings and letters.
        spread: Amount by which tiles drawn, tiles in the bag and letters may differ from the level.
    """

    verifier = "combinatory_probability_at_least_n_specific_fixed"
    words = WORDS.part("at_least")
    own_axes = _SIZES | _SPECIAL | _KEPT
    symbol = "letter_kept_at_least"
    symbols = {symbol: 4} | bags(MAX_LETTERS)
    at_least = True


@dataclass(frozen=True)
class TransProbLetter(LettersFamily):
    """A whole word is shuffled: too many orders to try, few enough to count by a formula.

    Attributes:
        levels: Difficulty levels, 1 to 5; an empty list means all. Words have 4-6, 7-9, 10-12,
            13-15 or 16-18 different letters, or 4-6, 7-8, 9-10, 11-12 or 13 letters with
            repetitions.
        repeats: Addresses for each problem, to see it in other wordings and letters.
    """

    version = 4
    verifier = "trans_prob_letter"
    words = WORDS.part("trans")
    symbols = {f"kept_{kind}": 2 if kind in ("some", "exactly") else 1 for kind in words.kinds}
    symbols |= bags(MAX_LETTERS)
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
            for kinds in range(2, MAX_LETTERS + 1):
                for counts in partitions(total, kinds):
                    if counts[0] > 1 and 2 * counts[0] <= total:
                        yield _shuffled("repeated", total, counts, _derangements(counts))

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Choose the ending, and letters for a multiset."""
        n, rest, _ = problem.data
        holes = {"n": n, "s": sum(rest), "ending": draws.choice(WORDS["sum_endings"])}
        if problem.kind == "repeated":
            holes["tiles"] = tiles_text(rest, letters_of(draws, len(rest)), draws)
        return holes

    def steps_of(self, problem: Problem) -> list[str]:
        """Count the favorable orders by inclusion and exclusion, or by their cycles."""
        n, rest, good = problem.data
        kind, whole = problem.kind, factorial(n)
        if kind == "twice":
            lines = [f"{k} letters: {_long_cycles(k)}" for k in range(3, n + 1)]
            lines.insert(0, "permutations without cycles of length one or two:")
        else:
            moved = n - sum(rest) if kind == "exactly" else n
            marked = sum(rest) if kind == "some" else moved
            subsets = [comb(marked, k) for k in range(marked + 1)]
            kept = _rooks(rest) if kind == "repeated" else subsets
            terms = [(ways, factorial(moved - k)) for k, ways in enumerate(kept)]
            lines = [f"{k} kept: {a} * {b} = {a * b}" for k, (a, b) in enumerate(terms)]
            total = sum((-1) ** k * a * b for k, (a, b) in enumerate(terms))
            lines.append(f"alternating sum: {total}")
            if kind == "exactly":
                lines.append(f"letters in place: {comb(n, moved)} * {total} = {good}")
        return [*lines, f"favourable: {good} of {n}! = {whole}", *_sum_lines(good, whole)]


def _shuffled(kind: str, n: int, rest: Partition, good: int) -> Problem:
    """Return the problem about a word of n letters, with a number or copies of each letter."""
    tree: Tree = (f"kept_{kind}", n, *rest)
    if kind == "repeated":
        tree = (f"kept_{kind}", bag_of(rest))
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
