"""Letters kept by a shuffle, from the text: filling positions one by one, and brute force."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import permutations, product
from math import comb, factorial, gcd, prod

import numpy as np
from numpy.typing import NDArray

from synthgen.verifiers.omega._grouped import GroupedVerifier
from synthgen.verifiers.omega._wordings import read_as, wordings
from synthgen.verifiers.omega.combinatorics._tiles_read import LETTER, TILES, tiles_of

_SETUPS = (
    "A bag holds <tiles>. <n> tiles are drawn at random without replacement and laid in a row in"
    " the order in which they are drawn. Then the tiles of this row are shuffled, all orders being"
    " equally likely.",
    "From the letter tiles <tiles>, <n> are drawn one after another without putting any back, and"
    " written down as a word. A uniformly random rearrangement of the positions of this word gives"
    " a second word.",
    "There are tiles with the letters <tiles>. Somebody draws <n> of them blindly, without"
    " replacement, places them side by side, and then puts these same tiles into a uniformly random"
    " order.",
    "Tiles: <tiles>. A row of <n> tiles is made by drawing at random without replacement. After"
    " that the row is mixed, so that each order of its tiles has the same chance.",
    "The letters of <tiles> are written on tiles, one on each. <n> of the tiles are taken at random"
    " without replacement to make a row, and the row is then rearranged at random, each arrangement"
    " of its tiles being equally likely.",
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
_MOST_DRAWN, _MOST_TILES, _MOST_LETTERS = 8, 24, 8

Bag = tuple[int, ...]
Problem = tuple[int, Bag, int, int]
"""Tiles drawn, copies of each letter, copies of the letter in question (0: all), positions."""
Good = Callable[[int, int], bool]
"""Whether so many kept positions are what is asked, for the number in the question."""


class ShuffleVerifier(GroupedVerifier[Problem]):
    """Checks the rows of one of the four families.

    Args:
        events: its questions, in the order of the descriptions, with holes `<s>`, the same letter
            `<again>` and `<anew>`, and `<j>`.
        good: which numbers of kept positions they ask for.
        word: what a case is told apart by in solutions.
    """

    def __init__(self, events: tuple[str, ...], good: Good, word: str) -> None:
        texts = [" ".join(parts) for parts in zip(_SETUPS, events, _ENDINGS, strict=True)]
        same = r"(?P=s)"
        patterns = wordings(*texts, tiles=TILES, s=LETTER, again=same, anew=same)

        def read(statement: str) -> Problem | None:
            match = read_as(statement, patterns)
            bag = tiles_of(match["tiles"]) if match else None
            if match is None or bag is None or len(match["n"]) > 2:
                return None
            found = match.groupdict()
            letter = found.get("s")
            special = bag.get(letter.strip("'"), 0) if letter else 0
            kept = int(found.get("j") or 0) if len(found.get("j") or "") < 3 else -1
            if (letter and not special) or kept < 0:
                return None
            problem = int(match["n"]), tuple(sorted(bag.values(), reverse=True)), special, kept
            return problem if _is_small(problem) else None

        def solve(problem: Problem) -> str | None:
            return _answer(_totals(_filled(problem, good)), problem)

        def exact(problem: Problem) -> str | None:
            return _answer(_totals(_tried(problem, good)), problem)

        def follows(problem: Problem, answer: str, way: str) -> bool:
            return way == "\n".join(_lines(problem, _filled(problem, good), word, answer))

        super().__init__(read, solve, exact, "integer", follows)


def _is_small(problem: Problem) -> bool:
    n, bag, _, _ = problem
    total = sum(bag)
    return 2 <= n <= min(total, _MOST_DRAWN) and total <= _MOST_TILES and len(bag) <= _MOST_LETTERS


Case = tuple[tuple[int, ...], int, int]
"""What is drawn (a pattern, or copies of the letter), sets of tiles, and good shuffles of each."""


def _totals(cases: list[Case]) -> int:
    return sum(sets * shuffles for _, sets, shuffles in cases)


def _whole(problem: Problem) -> int:
    n, bag, _, _ = problem
    return comb(sum(bag), n) * factorial(n)


def _answer(good: int, problem: Problem) -> str | None:
    whole = _whole(problem)
    return str((good + whole) // gcd(good, whole)) if 0 < good < whole else None


def _filled(problem: Problem, good: Good) -> list[Case]:
    """Choose the tiles letter by letter, and fill the positions one by one."""
    n, bag, special, asked = problem
    if not special:
        sets = _sets(bag, n)
        return [(drawn, sets[drawn], _moved(drawn, drawn)) for drawn in sorted(sets, reverse=True)]
    others = sum(bag) - special
    cases: list[Case] = []
    for copies in range(max(0, n - others), min(special, n) + 1):
        kept = _kept(copies, n - copies, copies, n - copies)
        shuffles = sum(ways for many, ways in kept.items() if good(many, asked))
        cases.append(((copies,), comb(special, copies) * comb(others, n - copies), shuffles))
    return cases


@lru_cache(maxsize=1 << 12)
def _sets(bag: Bag, n: int) -> Counter[tuple[int, ...]]:
    """Count the sets of n tiles by how often they hold each letter, most first."""
    found: Counter[tuple[int, ...]] = Counter()

    def choose(place: int, left: int, ways: int, drawn: tuple[int, ...]) -> None:
        if place == len(bag):
            if left == 0:
                found[tuple(sorted(drawn, reverse=True))] += ways
            return
        for taken in range(min(left, bag[place]) + 1):
            more = (*drawn, taken) if taken else drawn
            choose(place + 1, left - taken, ways * comb(bag[place], taken), more)

    choose(0, n, 1, ())
    return found


@lru_cache(maxsize=1 << 14)
def _moved(positions: tuple[int, ...], tiles: tuple[int, ...]) -> int:
    """Count the ways to lay labelled tiles so that none lies where its letter was.

    Args:
        positions: how many positions of each letter are still to be filled.
        tiles: how many tiles of each letter are still there.
    """
    letter = next((i for i, many in enumerate(positions) if many), None)
    if letter is None:
        return 1
    fewer = tuple(many - (i == letter) for i, many in enumerate(positions))
    ways = 0
    for other, many in enumerate(tiles):
        if other != letter and many:
            left = tuple(count - (i == other) for i, count in enumerate(tiles))
            ways += many * _moved(fewer, left)
    return ways


@lru_cache(maxsize=1 << 12)
def _kept(marked: int, plain: int, copies: int, others: int) -> Mapping[int, int]:
    """Count the ways to lay labelled tiles, by how many copies come to marked positions."""
    if marked + plain == 0:
        return {0: 1}
    found: Counter[int] = Counter()
    on_mark = marked > 0
    left = (marked - 1, plain) if on_mark else (marked, plain - 1)
    if copies:
        for kept, ways in _kept(*left, copies - 1, others).items():
            found[kept + on_mark] += copies * ways
    if others:
        for kept, ways in _kept(*left, copies, others - 1).items():
            found[kept] += others * ways
    return found


def _tried(problem: Problem, good: Good) -> list[Case]:
    """Go through all numbers of letters drawn, and through all shuffles of each."""
    n, bag, special, asked = problem
    cases: list[Case] = []
    for drawn in product(*(range(min(copies, n) + 1) for copies in bag)):
        if sum(drawn) != n:
            continue
        sets = prod(comb(copies, taken) for copies, taken in zip(bag, drawn, strict=True))
        if special:
            copies = drawn[bag.index(special)]
            tally = _shuffled((copies, n - copies))[1]
            shape: tuple[int, ...] = (copies,)
            shuffles = sum(ways for kept, ways in tally.items() if good(kept, asked))
        else:
            shape = tuple(sorted(filter(None, drawn), reverse=True))
            shuffles = _shuffled(shape)[0].get(0, 0)
        cases.append((shape, sets, shuffles))
    return cases


@lru_cache(maxsize=1 << 10)
def _shuffled(copies: tuple[int, ...]) -> tuple[Mapping[int, int], Mapping[int, int]]:
    """Try every shuffle of a row of these letters, and count them by the positions kept.

    Returns:
        Shuffles by positions that keep their letter, and by positions that keep the first letter.
    """
    row = np.repeat(np.arange(len(copies)), copies)
    same = row[_orders(len(row))] == row
    tallies = (same.sum(axis=1), same[:, : copies[0]].sum(axis=1))
    first, second = (
        dict(zip(*map(np.ndarray.tolist, np.unique(t, return_counts=True)), strict=True))
        for t in tallies
    )
    return first, second


@lru_cache(maxsize=2)
def _orders(n: int) -> NDArray[np.int8]:
    return np.array(list(permutations(range(n))), np.int8)


def _lines(problem: Problem, cases: list[Case], word: str, answer: str) -> Iterator[str]:
    """Write the way to the answer as every solution must have it."""
    n, bag, _, _ = problem
    for drawn, sets, shuffles in cases:
        name = "+".join(map(str, drawn))
        yield f"{word} {name}: {sets} drawings * {shuffles} = {sets * shuffles}"
    good, whole = _totals(cases), _whole(problem)
    yield f"good: {good} of {comb(sum(bag), n)} * {factorial(n)} = {whole}"
    common = gcd(good, whole)
    yield f"{good}/{whole} = {good // common}/{whole // common}"
    yield f"{good // common} + {whole // common} = {answer}"
