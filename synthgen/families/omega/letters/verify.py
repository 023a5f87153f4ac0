"""Tiles with letters from the text: power series, automata, and positions filled one by one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from math import comb, factorial, gcd, perm, prod
from operator import eq, ge

import numpy as np
from numpy.typing import NDArray

from synthgen.authoring import Hole, PlainVerifier, Words, holes, reads

_WORDS = Words.beside(__file__)
_NUMBER = holes.pattern("[1-9][0-9]?", int)
_LETTER = holes.pattern("[a-z]")
_COPIES = re.compile("[0-9]+")
_ENDINGS = _WORDS["sum_endings"]
_SUM_ENDING = holes.word([*_ENDINGS, *{*map(_WORDS.without_form, _ENDINGS)} - {*_ENDINGS}])

Bag = Mapping[str, int]
Copies = tuple[int, ...]
Lines = Sequence[str]


# --- lists of tiles ---


def _item(one: str, several: str) -> Hole:
    """Return a hole for a letter with its number, in the singular or the plural."""
    numbers = ((one, "1"), (several, "(?:[2-9]|[1-9][0-9])"))
    patterns = (
        re.escape(text).replace(r"\{c\}", "[a-z]").replace(r"\{n\}", number)
        for text, number in numbers
    )
    return Hole(f"(?:{'|'.join(patterns)})")


def _bag(text: str) -> Bag | None:
    """Return the copies of each letter; None if one is listed twice."""
    if "'" not in text:
        return Counter(text.split(", "))
    letters, numbers = text.split("'")[1::2], _COPIES.findall(text)
    bag = dict(zip(letters, map(int, numbers), strict=True))
    return bag if len(bag) == len(letters) else None


_LISTS = [
    *(
        holes.listed(_item(*texts), last=" and ")
        for texts in zip(_WORDS["tiles_of_one"], _WORDS["tiles_of_several"], strict=True)
    ),
    holes.pattern("[a-z](?:, [a-z])*"),
]
_TILES = holes.pattern(f"(?:{'|'.join(one.pattern for one in _LISTS)})", _bag)


def _copies(bag: Bag) -> Copies:
    return tuple(sorted(bag.values(), reverse=True))


# --- combinatory_distribution ---

_MAX_STATES, _MAX_TILES, _MAX_BOXES = 4_000, 20, 8

Filling = tuple[Copies, Copies, bool]
"""Copies of each letter, sizes of the boxes, and whether boxes of one size are alike."""


@reads(
    _WORDS.part("distribution"),
    tiles=_TILES,
    boxes=_NUMBER,
    sizes=holes.listed(_NUMBER, last=" and "),
)
def _read_filling(kind: str, tiles: Bag | None, boxes: int, sizes: Copies) -> Filling | None:
    if tiles is None or len(sizes) != boxes or boxes > _MAX_BOXES:
        return None
    counts, total = _copies(tiles), sum(tiles.values())
    if sum(sizes) != total or total > _MAX_TILES or prod(n + 1 for n in counts) > _MAX_STATES:
        return None
    return counts, tuple(sorted(sizes)), kind == "alike"


@lru_cache(maxsize=1 << 12)
def _filled(problem: Filling) -> list[tuple[int, ...]]:
    """Sum the coefficients of a product of power series, box after box.

    A box of size s has the complete homogeneous polynomial h_s in the letters. For m boxes that are
    alike it is the plethysm h_m[h_s], by Newton's identity m h_m[h_s] = the sum over j from 1 to m
    of h_s(x^j) times h_(m - j)[h_s].

    Returns:
        Boxes, their size, the terms of h_s, and ways so far, for each box or group of alike ones.
    """
    counts, sizes, alike = problem
    nothing = np.zeros([n + 1 for n in counts], np.int64)
    nothing.flat[0] = 1
    series, steps = nothing, list[tuple[int, ...]]()
    for size, same in groupby(sizes):
        contents = int(_times(nothing, size, 1).sum())
        boxes = len(list(same))
        if not alike:
            for _ in range(boxes):
                series = _times(series, size, 1)
                steps.append((1, size, contents, int(series.sum())))
            continue
        chosen = [series]
        for m in range(1, boxes + 1):
            parts = [_times(chosen[m - j], size, j) for j in range(1, m + 1)]
            chosen.append(np.sum(parts, axis=0) // m)
        series = chosen[boxes]
        steps.append((boxes, size, contents, int(series.sum())))
    return steps


def _follows_filling(problem: Filling, answer: str, lines: Lines) -> bool:
    """Compare with the ways to fill the boxes so far; in the end, all letters are used."""
    del answer
    wanted = ["smallest boxes first, possible contents of one box:"]
    for boxes, size, contents, ways in _filled(problem):
        noun = "box" if boxes == 1 else "boxes"
        wanted.append(f"{boxes} {noun} of size {size}: contents {contents}, ways so far {ways}")
    return lines == wanted


def _times(series: NDArray[np.int64], size: int, power: int) -> NDArray[np.int64]:
    """Multiply by h_size(x^power), letter by letter; the first axis counts the factors taken."""
    table = np.zeros((size + 1, *series.shape), np.int64)
    table[0] = series
    for letter, copies in enumerate(series.shape):
        front = np.moveaxis(table, letter + 1, 1)
        for n in range(power, copies):
            front[1:, n] += front[:-1, n - power]
    taken: NDArray[np.int64] = table[size]
    return taken


# --- combinatory_pattern_matching ---

_AUTOMATA: dict[str, dict[str, str]] = {
    "a.*b": {"0": "1--", "1": "1f1", "f": "1f1"},
    "a.*a": {"0": "1--", "1": "f11", "f": "f11"},
    "ab+": {"0": "1--", "1": "-f-", "f": "-f-"},
    "a+b": {"0": "1--", "1": "1f-", "f": "---"},
    "ab*": {"0": "f--", "f": "-f-"},
    "a*b": {"0": "1f-", "1": "1f-", "f": "---"},
}
"""For each pattern, state -> the states after a, b and any other letter; `f` accepts."""
_MAX_DRAWN, _LARGEST_BAG = 8, 24

Search = tuple[int, str, int, int, int]
"""Tiles drawn, the pattern in the letters a and b, tiles with a, with b and with others."""


@reads(
    _WORDS.part("pattern"),
    tiles=_TILES,
    n=_NUMBER,
    pattern=holes.pattern(r"[a-z](?:\.\*|[+*])?[a-z][+*]?"),
    ending=holes.word(_WORDS["pattern_endings"]),
)
def _read_search(tiles: Bag | None, n: int, pattern: str, ending: str) -> Search | None:
    del ending
    total = sum(tiles.values()) if tiles else 0
    if not tiles or not 2 <= n <= min(total, _MAX_DRAWN) or total > _LARGEST_BAG:
        return None
    first, second = re.findall("[a-z]", pattern)
    name = "a" + pattern[1:].replace(second, "a" if first == second else "b")
    if name not in _AUTOMATA or not {first, second} <= set(tiles):
        return None
    b = 0 if first == second else tiles[second]
    return n, name, tiles[first], b, total - tiles[first] - b


@lru_cache(maxsize=1 << 12)
def _chances(problem: Search) -> list[tuple[int, int, Fraction]]:
    """Return length, positions and chance of each length of a substring that can match."""
    return list(_run(problem))


def _run(problem: Search) -> Iterator[tuple[int, int, Fraction]]:
    """Run the automaton on a random row; states hold the tiles left with a, b and others."""
    n, name, *bag = problem
    rules, total = _AUTOMATA[name], sum(bag)
    now = Counter({("0", tuple(bag)): 1})
    for length in range(1, n + 1):
        after: Counter[tuple[str, Copies]] = Counter()
        for (state, left), ways in now.items():
            for place, to in enumerate(rules[state]):
                if to != "-" and left[place]:
                    less = tuple(count - (i == place) for i, count in enumerate(left))
                    after[to, less] += ways * left[place]
        now = after
        if length >= 2 or "f" in rules["0"]:
            good = sum(ways for (state, _), ways in now.items() if state == "f")
            yield length, n - length + 1, Fraction(good, perm(total, length))


def _expected(problem: Search) -> str | None:
    """Return the expectation to two decimals; None for a tie."""
    value = sum(positions * chance for _, positions, chance in _chances(problem))
    below, rest = divmod(100 * Fraction(value), 1)
    if rest == Fraction(1, 2):
        return None
    whole, cents = divmod(below + (rest > Fraction(1, 2)), 100)
    return f"{whole}.{cents:02d}"


def _follows_search(problem: Search, answer: str, lines: Lines) -> bool:
    """Compare with the sum over lengths."""
    chances = _chances(problem)
    wanted = ["positions * probability of a match, by length:"]
    wanted += (f"{length}: {p} * {chance} = {p * chance}" for length, p, chance in chances)
    total = sum(positions * chance for _, positions, chance in chances)
    return lines == [*wanted, f"sum: {total}", f"rounded: {answer}"]


# --- combinatory_probability_... ---

Shuffle = tuple[int, Copies, int, int]
"""Tiles drawn, copies of each letter, of the letter in question (0: of all), and positions."""
Case = tuple[str, int, int]
"""Pattern of a draw, numbers of sets of tiles with it and of favorable shuffles."""


def _shuffle_verifier(words: str, favourable: Callable[[int, int], bool]) -> PlainVerifier[Shuffle]:
    """Return the verifier of one of the four families.

    Args:
        words: Part of the words file.
        favourable: Test of a number of kept positions, given the `j` of the text or 0.
    """

    @reads(_WORDS.part(words), tiles=_TILES, n=_NUMBER, s=_LETTER, j=_NUMBER, ending=_SUM_ENDING)
    def read(tiles: Bag | None, n: int, ending: str, s: str = "", j: int = 0) -> Shuffle | None:
        del ending
        if tiles is None or (s and s not in tiles):
            return None
        total = sum(tiles.values())
        if not 2 <= n <= min(total, _MAX_DRAWN) or total > _LARGEST_BAG or len(tiles) > 8:
            return None
        return n, _copies(tiles), tiles.get(s, 0), j

    @lru_cache(1 << 14)
    def cases(problem: Shuffle) -> list[Case]:
        n, bag, special, kept = problem
        if not special:
            sets = _sets(bag, n)
            drawn = sorted(sets, reverse=True)
            return [("+".join(map(str, one)), sets[one], _apart(one, one)) for one in drawn]
        others, listed = sum(bag) - special, []
        for copies in range(max(0, n - others), min(special, n) + 1):
            laid = _kept(copies, n - copies, copies, n - copies)
            shuffles = sum(ways for many, ways in laid.items() if favourable(many, kept))
            listed.append((str(copies), comb(special, copies) * comb(others, n - copies), shuffles))
        return listed

    def solve(problem: Shuffle) -> str | None:
        good = sum(sets * shuffles for _, sets, shuffles in cases(problem))
        return _parts_sum(good, comb(sum(problem[1]), problem[0]) * factorial(problem[0]))

    def follows(problem: Shuffle, answer: str, lines: Lines) -> bool:
        del answer
        n, bag, _, _ = problem
        sets, orders = comb(sum(bag), n), factorial(n)
        wanted = ["sets of tiles * favourable shuffles, by case:"]
        wanted += [f"{name}: {a} * {b} = {a * b}" for name, a, b in cases(problem)]
        wanted.append(f"all: {sets} * {orders} = {sets * orders}")
        good = sum(sets * shuffles for _, sets, shuffles in cases(problem))
        return lines == [*wanted, *_sum_lines(good, sets * orders)]

    return PlainVerifier(read, solve, follows=follows)


def _parts_sum(good: int, whole: int) -> str | None:
    """Add numerator and denominator of a probability that is neither zero nor one."""
    return str((good + whole) // gcd(good, whole)) if 0 < good < whole else None


def _sum_lines(good: int, whole: int) -> list[str]:
    value = Fraction(good, whole)
    p, q = value.numerator, value.denominator
    return [f"{good}/{whole} = {p}/{q}", f"{p} + {q} = {p + q}"]


@lru_cache(maxsize=1 << 12)
def _sets(bag: Copies, n: int) -> Counter[Copies]:
    """Count the sets of n tiles by the copies of their letters, in descending order."""
    sets: Counter[Copies] = Counter()

    def choose(place: int, left: int, ways: int, drawn: Copies) -> None:
        if place == len(bag):
            if left == 0:
                sets[tuple(sorted(drawn, reverse=True))] += ways
            return
        for taken in range(min(left, bag[place]) + 1):
            more = (*drawn, taken) if taken else drawn
            choose(place + 1, left - taken, ways * comb(bag[place], taken), more)

    choose(0, n, 1, ())
    return sets


@lru_cache(maxsize=1 << 16)
def _apart(places: Copies, tiles: Copies) -> int:
    """Count the ways to lay labeled tiles, none on a place of its own letter.

    Places to be filled and tiles left are counted by letter, as pairs in descending order.
    """
    if not any(places):
        return 1
    letter = next(i for i, many in enumerate(places) if many)
    ways = 0
    for other, many in enumerate(tiles):
        if other != letter and many:
            left = sorted(
                (
                    (p - (i == letter), t - (i == other))
                    for i, (p, t) in enumerate(zip(places, tiles, strict=True))
                ),
                reverse=True,
            )
            ways += many * _apart(tuple(p for p, _ in left), tuple(t for _, t in left))
    return ways


@lru_cache(maxsize=1 << 12)
def _kept(marked: int, plain: int, copies: int, others: int) -> Counter[int]:
    """Count the ways to lay labeled tiles by the number of copies on marked positions."""
    if marked + plain == 0:
        return Counter({0: 1})
    counts: Counter[int] = Counter()
    left = (marked - 1, plain) if marked else (0, plain - 1)
    if copies:
        for kept, ways in _kept(*left, copies - 1, others).items():
            counts[kept + (marked > 0)] += copies * ways
    if others:
        for kept, ways in _kept(*left, copies, others - 1).items():
            counts[kept] += others * ways
    return counts


# --- trans_prob_letter ---

_LONGEST_WORD, _MAX_REPEATED = 60, 16

Word = tuple[str, int, int, Copies]
"""Kind, letters, number in the question, copies of each letter."""


@reads(_WORDS.part("trans"), tiles=_TILES, n=_NUMBER, s=_NUMBER, ending=_SUM_ENDING)
def _read_word(
    kind: str, ending: str, n: int = 0, s: int = 0, tiles: Bag | None = None
) -> Word | None:
    del ending
    if kind != "repeated":
        return (kind, n, s, ()) if 2 <= n <= _LONGEST_WORD and s <= n else None
    if tiles is None or not 2 <= sum(tiles.values()) <= _MAX_REPEATED or len(tiles) > 8:
        return None
    return kind, sum(tiles.values()), 0, _copies(tiles)


@lru_cache(1 << 12)
def _moved(n: int, marked: int) -> int:
    """Count the permutations that move all marked items: a marked one is unmarked, or kept."""
    return _moved(n, marked - 1) - _moved(n - 1, marked - 1) if marked else factorial(n)


@lru_cache(1 << 12)
def _long_cycles(n: int) -> int:
    """Count permutations without cycles of one or two: the last item joins one, or makes one of 3.

    Taken out of a cycle of four or more, the last item leaves one of three or more.
    """
    if n < 3:
        return int(n == 0)
    return (n - 1) * _long_cycles(n - 1) + (n - 1) * (n - 2) * _long_cycles(n - 3)


def _favourable(word: Word) -> int:
    kind, n, s, counts = word
    if kind == "repeated":
        return _apart(counts, counts)
    if kind == "twice":
        return _long_cycles(n)
    if kind == "exactly":
        return comb(n, s) * _moved(n - s, n - s)
    return _moved(n, n if kind == "none" else s)


def _follows_word(word: Word, answer: str, lines: Lines) -> bool:
    """Compare with the terms, or the recurrence, and the favorable orders of all."""
    del answer
    kind, n, s, counts = word
    good, whole, wanted = _favourable(word), factorial(n), list[str]()
    if kind == "twice":
        wanted = ["permutations without cycles of length one or two:"]
        wanted += (f"{k} letters: {_long_cycles(k)}" for k in range(3, n + 1))
    else:
        moved = n - s if kind == "exactly" else n
        marked = (1,) * (s if kind == "some" else moved)
        for k, ways in enumerate(_put_back(counts or marked)):
            wanted.append(
                f"{k} kept: {ways} * {factorial(moved - k)} = {ways * factorial(moved - k)}"
            )
        total = good // comb(n, s) if kind == "exactly" else good
        wanted.append(f"alternating sum: {total}")
        if kind == "exactly":
            wanted.append(f"letters in place: {comb(n, s)} * {total} = {good}")
    return lines == [*wanted, f"favourable: {good} of {n}! = {whole}", *_sum_lines(good, whole)]


def _put_back(copies: Copies) -> list[int]:
    """Count the ways to lay 0, 1, 2, ... tiles on places of their letters.

    Of m copies, choose those that are laid; they take places in order.
    """
    if not copies:
        return [1]
    *rest, last = copies
    ways = [0] * (sum(copies) + 1)
    for before, many in enumerate(_put_back(tuple(rest))):
        for more in range(last + 1):
            ways[before + more] += many * comb(last, more) * perm(last, more)
    return ways


VERIFIERS = {
    "combinatory_distribution": PlainVerifier(
        _read_filling, lambda problem: str(_filled(problem)[-1][-1]), follows=_follows_filling
    ),
    "combinatory_pattern_matching": PlainVerifier(
        _read_search, _expected, "decimal", _follows_search
    ),
    "combinatory_probability_at_least_n_specific_fixed": _shuffle_verifier("at_least", ge),
    "combinatory_probability_exactly_n_specific_fixed": _shuffle_verifier("exactly", eq),
    "combinatory_probability_no_fixed_points": _shuffle_verifier("no_fixed_points", eq),
    "combinatory_probability_no_specific_letter_fixed": _shuffle_verifier("no_letter", eq),
    "trans_prob_letter": PlainVerifier(
        _read_word,
        lambda word: _parts_sum(_favourable(word), factorial(word[1])),
        "integer",
        _follows_word,
    ),
}
