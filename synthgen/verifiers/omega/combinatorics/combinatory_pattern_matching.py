"""Expected numbers of matching substrings, from the text: an automaton, and Python's `re`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import perm

from synthgen.verifiers.omega._grouped import GroupedVerifier
from synthgen.verifiers.omega._wordings import read_as, wordings
from synthgen.verifiers.omega.combinatorics._tiles_read import TILES, tiles_of

_WORDINGS = (
    "A bag holds <tiles>. <n> tiles are drawn at random without replacement and laid in a row in"
    " the order in which they are drawn. What is the expected number of substrings of this row"
    " that match the pattern <pattern> as a whole? A substring is a run of one or more"
    " neighbouring tiles, and equal substrings at different places count separately.",
    "From the letter tiles <tiles>, <n> are drawn one after another without putting any back, and"
    " written down as a word. Each pair of a first and a last position, equal or not, gives a"
    " substring of the word. Find the expected number of such pairs whose substring, taken whole,"
    " fits the regular expression <pattern>.",
    "There are tiles with the letters <tiles>. Somebody draws <n> of them blindly, without"
    " replacement, and places them side by side. How many of the contiguous blocks of this row"
    " (of any length from a single tile to the whole row, each block counted by itself) match"
    " <pattern> from their first to their last letter, on average?",
    "Tiles: <tiles>. A row of <n> tiles is made by drawing at random without replacement. Let X"
    " be the number of its non-empty intervals of consecutive positions that spell a text which"
    " the regular expression <pattern> matches completely. Compute the expected value of X.",
    "The letters of <tiles> are written on tiles, one on each. <n> of the tiles are taken at"
    " random without replacement to make a row. Over all its non-empty substrings, counted with"
    " their places, how many are fully matched by the pattern <pattern> in expectation?",
)
_ENDING = (
    "In the pattern, the point stands for any one letter, * lets what is before it occur any"
    " number of times or not at all, and + lets it occur one or more times. Round to two decimals"
    " and write both of them."
)
_PATTERN = re.compile(r"'([a-z])(\.\*|\+|\*)?([a-z])(\+|\*)?'", re.ASCII)
_PATTERNS = wordings(
    *(f"{text} {_ENDING}" for text in _WORDINGS), tiles=TILES, pattern=r"'[a-z.*+]{2,4}'"
)
_AUTOMATA: dict[str, dict[str, str]] = {
    "a.*b": {"0": "1--", "1": "1f1", "f": "1f1"},
    "a.*a": {"0": "1--", "1": "f11", "f": "f11"},
    "ab+": {"0": "1--", "1": "-f-", "f": "-f-"},
    "a+b": {"0": "1--", "1": "1f-", "f": "---"},
    "ab*": {"0": "f--", "f": "-f-"},
    "a*b": {"0": "1f-", "1": "1f-", "f": "---"},
}
"""Of each pattern: state -> the states after a, b and any other letter; `f` accepts."""
_MOST_DRAWN, _MOST_TILES = 8, 24

Left = tuple[str, int, int, int]
"""State of an automaton, and the tiles left with a, with b and with other letters."""
Problem = tuple[int, str, int, int, int]
"""Tiles drawn, the pattern in the letters a and b, tiles with a, with b and with others."""


def _read(statement: str) -> Problem | None:
    match = read_as(statement, _PATTERNS)
    bag = tiles_of(match["tiles"]) if match else None
    pattern = _PATTERN.fullmatch(match["pattern"]) if match else None
    if match is None or bag is None or pattern is None or len(match["n"]) > 2:
        return None
    first, middle, second, last = (part or "" for part in pattern.groups())
    name = f"a{middle}{'a' if first == second else 'b'}{last}"
    n, total = int(match["n"]), sum(bag.values())
    small = 2 <= n <= min(total, _MOST_DRAWN) and total <= _MOST_TILES
    if name not in _AUTOMATA or not small or not {first, second} <= set(bag):
        return None
    b = 0 if first == second else bag[second]
    return n, name, bag[first], b, total - bag[first] - b


def _expected(problem: Problem) -> Fraction:
    return sum((windows * chance for _, windows, chance in _chances(problem)), Fraction(0))


@lru_cache(maxsize=1 << 12)
def _chances(problem: Problem) -> tuple[tuple[int, int, Fraction], ...]:
    """Return length, places and chance of each length of a substring that can match."""
    return tuple(_run(problem))


def _run(problem: Problem) -> Iterator[tuple[int, int, Fraction]]:
    """Run the automaton on a random row, and yield length, places and chance of each length."""
    n, name, *bag = problem
    rules, total = _AUTOMATA[name], sum(bag)
    shortest = 1 if name.count("*") == 1 and "." not in name else 2
    now: dict[Left, int] = {("0", bag[0], bag[1], bag[2]): 1}
    for length in range(1, n + 1):
        after: Counter[Left] = Counter()
        for (state, *left), ways in now.items():
            for place, to in enumerate(rules[state]):
                if to != "-" and left[place]:
                    less = [count - (i == place) for i, count in enumerate(left)]
                    after[to, less[0], less[1], less[2]] += ways * left[place]
        now = dict(after)
        if length >= shortest:
            good = sum(ways for (state, *_), ways in now.items() if state == "f")
            yield length, n - length + 1, Fraction(good, perm(total, length))


def _rounded(value: Fraction) -> str | None:
    """Return a value to two decimals; None for a tie."""
    hundredths = value * 100
    below = hundredths.numerator // hundredths.denominator
    rest = hundredths - below
    if rest == Fraction(1, 2):
        return None
    whole, cents = divmod(below + (rest > Fraction(1, 2)), 100)
    return f"{whole}.{cents:02d}"


def _solve(problem: Problem) -> str | None:
    return _rounded(_expected(problem))


def _exact(problem: Problem) -> str | None:
    """Weigh the texts that Python's own regular expressions match."""
    n, name, *bag = problem
    value = Fraction(0)
    for length in range(1, n + 1):
        for letters, texts in _matching(name, length).items():
            ways = texts
            for there, used in zip(bag, letters, strict=True):
                ways *= perm(there, used)
            value += Fraction((n - length + 1) * ways, perm(sum(bag), length))
    return _rounded(value)


@lru_cache(maxsize=64)
def _matching(name: str, length: int) -> Counter[tuple[int, ...]]:
    """Count the texts of a, b and c that match by how often each letter is in them."""
    pattern = re.compile(name)
    texts = filter(pattern.fullmatch, map("".join, product("abc", repeat=length)))
    return Counter(tuple(map(text.count, "abc")) for text in texts)


def _follows(problem: Problem, answer: str, way: str) -> bool:
    """Compare with the sum over lengths, line by line."""
    lines = [
        f"length {length}: {windows} * {chance} = {windows * chance}"
        for length, windows, chance in _chances(problem)
    ]
    return way == "\n".join([*lines, f"sum: {_expected(problem)}", f"rounded: {answer}"])


VERIFIER = GroupedVerifier(_read, _solve, _exact, "decimal", _follows)
