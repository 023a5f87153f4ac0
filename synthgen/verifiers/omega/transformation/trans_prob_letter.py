"""Shuffled words, from the text: by recurrences, by powers of series, and place by place."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import comb, factorial

from synthgen.verifiers.omega._grouped import GroupedVerifier
from synthgen.verifiers.omega.combinatorics._tiles_read import TILES, tiles_of
from synthgen.verifiers.omega.composition._questions import Questions, parts_sum, sum_steps

_TEXTS = {
    "none": (
        "A word of <n> different letters is shuffled, all orders of its letters being equally"
        " likely. What is the probability that no letter is where it was before? <ending>",
        "<n> tiles with different letters lie in a row and are put into a uniformly random order."
        " Find the probability that every position then shows another letter than at first."
        " <ending>",
        "Somebody writes <n> different letters on cards, lays them in a row, and mixes them so"
        " that each order has the same chance. How likely is it that none of the cards comes back"
        " to its own place? <ending>",
        "A random permutation of <n> different letters is chosen uniformly. Determine the"
        " probability that it moves all of them. <ending>",
    ),
    "some": (
        "A word of <n> different letters is shuffled, all orders of its letters being equally"
        " likely. What is the probability that none of its first <s> letters is where it was"
        " before? <ending>",
        "<n> tiles with different letters lie in a row and are put into a uniformly random order."
        " <s> of the tiles are marked beforehand. Find the probability that no marked tile keeps"
        " its position. <ending>",
        "Somebody writes <n> different letters on cards, lays them in a row, and mixes them so"
        " that each order has the same chance. <s> of the cards are red. How likely is it that"
        " none of the red cards comes back to its own place? <ending>",
        "A random permutation of <n> different letters is chosen uniformly. Determine the"
        " probability that it moves each of <s> letters that were named in advance. <ending>",
    ),
    "exactly": (
        "A word of <n> different letters is shuffled, all orders of its letters being equally"
        " likely. What is the probability that exactly <s> letters are where they were before?"
        " <ending>",
        "<n> tiles with different letters lie in a row and are put into a uniformly random order."
        " Find the probability that exactly <s> positions then show the same letter as at first."
        " <ending>",
        "Somebody writes <n> different letters on cards, lays them in a row, and mixes them so"
        " that each order has the same chance. How likely is it that the number of cards that come"
        " back to their own places is <s>? <ending>",
        "A random permutation of <n> different letters is chosen uniformly. Determine the"
        " probability that it leaves exactly <s> of them in place. <ending>",
    ),
    "twice": (
        "A word of <n> different letters is shuffled, all orders of its letters being equally"
        " likely, and then the same rearrangement of positions is applied a second time. What is"
        " the probability that after both together no letter is where it was at first? <ending>",
        "<n> tiles with different letters lie in a row. A uniformly random permutation of the"
        " positions is drawn and carried out twice in succession. Find the probability that every"
        " position then shows another letter than at first. <ending>",
        "A machine rearranges a row of <n> different cards always in the same way, and each"
        " possible way is equally likely to be the one that it was built for. The row runs through"
        " it two times. How likely is it that none of the cards is back at its own place? <ending>",
        "A random permutation of <n> different letters is chosen uniformly. Determine the"
        " probability that its square (itself done twice) moves all of them. <ending>",
    ),
    "repeated": (
        "The letters of a word are <tiles>. The word is shuffled, all orders of its tiles being"
        " equally likely. What is the probability that no position shows the same letter as"
        " before? <ending>",
        "The letter tiles <tiles> lie in a row, in some order, and are put into a uniformly random"
        " order. Find the probability that every position then shows another letter than at first."
        " <ending>",
        "Cards with the letters <tiles> are laid in a row and then mixed so that each order of the"
        " cards has the same chance. How likely is it that in every place the new letter differs"
        " from the old one? <ending>",
        "Tiles: <tiles>. A row of all of them is permuted by a random permutation of its places"
        " that is chosen uniformly. Determine the probability that the old and the new row differ"
        " in every place. <ending>",
    ),
}
_QUESTIONS = Questions(_TEXTS, tiles=TILES)
_LONGEST, _MOST_TILES = 60, 16

Problem = tuple[str, int, int, tuple[int, ...]]
"""Kind, letters, number in the question, copies of each letter."""


def _read(statement: str) -> Problem | None:
    found = _QUESTIONS.read(statement)
    if found is None:
        return None
    kind, holes = found
    if kind == "repeated":
        bag = tiles_of(holes["tiles"])
        counts = tuple(sorted(bag.values(), reverse=True)) if bag else ()
        fits = 2 <= sum(counts) <= _MOST_TILES and len(counts) <= 8
        return (kind, sum(counts), 0, counts) if fits else None
    n, s = int(holes["n"]), int(holes.get("s") or 0)
    return (kind, n, s, ()) if 2 <= n <= _LONGEST and s <= n else None


@lru_cache(1 << 12)
def _moved(n: int, marked: int) -> int:
    """Count the permutations that move all marked items: a marked one is unmarked, or kept."""
    if marked == 0:
        return factorial(n)
    return _moved(n, marked - 1) - _moved(n - 1, marked - 1)


@lru_cache(1 << 12)
def _long_cycles(n: int) -> int:
    """Count permutations without cycles of one or two: the last item joins one, or makes one of 3.

    Taken out of a cycle of four or more, the last item leaves one of three or more.
    """
    if n < 3:
        return int(n == 0)
    return (n - 1) * _long_cycles(n - 1) + (n - 1) * (n - 2) * _long_cycles(n - 3)


@lru_cache(1 << 16)
def _laid(places: tuple[int, ...], tiles: tuple[int, ...]) -> int:
    """Count the ways to lay labelled tiles, none on a place of its own letter.

    Places and tiles that are left are counted by letters, as pairs in sorted order.
    """
    letter = next((i for i, many in enumerate(places) if many), None)
    if letter is None:
        return 1
    fewer = [many - (i == letter) for i, many in enumerate(places)]
    ways = 0
    for other, many in enumerate(tiles):
        if other != letter and many:
            left = [count - (i == other) for i, count in enumerate(tiles)]
            pairs = sorted(zip(fewer, left, strict=True))
            ways += many * _laid(tuple(p for p, _ in pairs), tuple(t for _, t in pairs))
    return ways


def _good(problem: Problem) -> int:
    kind, n, s, counts = problem
    if kind == "repeated":
        return _laid(tuple(sorted(counts)), tuple(sorted(counts)))
    if kind == "twice":
        return _long_cycles(n)
    if kind == "exactly":
        return comb(n, s) * _moved(n - s, n - s)
    return _moved(n, n if kind == "none" else s)


def _by_series(problem: Problem) -> int:
    """Count by exponential generating functions, or by an integral of Laguerre polynomials."""
    kind, n, s, counts = problem
    if kind == "repeated":
        # integral of exp(-x) times the product of (-1)^c c! L_c(x), as a sum over its powers
        product = Counter({0: 1})
        for c in counts:
            more: Counter[int] = Counter()
            for power, value in product.items():
                for k in range(c + 1):
                    term = (-1) ** (c - k) * comb(c, k) * factorial(c) // factorial(k)
                    more[power + k] += value * term
            product = more
        return sum(value * factorial(power) for power, value in product.items())
    if kind == "twice":
        weights = [Fraction(0)] * 3 + [Fraction(1, k) for k in range(3, n + 1)]
    else:
        weights = [Fraction(0)] + [Fraction(1, k) for k in range(1, n + 1)]
    if kind in ("none", "exactly"):
        weights[1] -= 1
    fixed = s if kind == "exactly" else 0
    series = _exponential(weights, n)
    if kind == "some":  # s items that are moved: the s-th difference of factorials
        values = [factorial(k) for k in range(n + 1)]
        for _ in range(s):
            values = [q - p for p, q in pairwise(values)]
        return values[n - s]
    return int(series[n - fixed] * factorial(n) / factorial(fixed))


def _exponential(weights: list[Fraction], n: int) -> list[Fraction]:
    """Return exp of a power series up to x^n, from k e_k = sum of i w_i e_(k - i)."""
    series = [Fraction(1)]
    for k in range(1, n + 1):
        terms = (i * weights[i] * series[k - i] for i in range(1, min(k, len(weights) - 1) + 1))
        series.append(sum(terms, Fraction(0)) / k)
    return series


def _answer(good: int, problem: Problem) -> str | None:
    value = Fraction(good, factorial(problem[1]))
    return parts_sum(value) if 0 < value < 1 else None


def _solve(problem: Problem) -> str | None:
    return _answer(_good(problem), problem)


def _exact(problem: Problem) -> str | None:
    return _answer(_by_series(problem), problem)


def _follows(problem: Problem, answer: str, way: str) -> bool:
    """Compare with the lines that a solution must have."""
    good, whole = _good(problem), factorial(problem[1])
    lines = f"good: {good} of {problem[1]}! = {whole}\n{sum_steps(Fraction(good, whole))}"
    return way == lines and _answer(good, problem) == answer


VERIFIER = GroupedVerifier(_read, _solve, _exact, "integer", _follows)
